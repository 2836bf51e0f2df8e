//! Finds checks in trees of each kind by reading files, and adds reporter flags where they belong.

use std::fs;

use loopwright_runtime::checks::{
    Check, Level, Parser, Source, Sources, adds, detect, detected, for_loop, of_settings,
};
use loopwright_runtime::config::CheckCommand;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (path, text) in files {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().expect("below")).expect("directories");
        fs::write(path, text).expect("a file");
    }
    dir
}

fn found(files: &[(&str, &str)]) -> Vec<Check> {
    detect(tree(files).path(), &["."])
}

fn line(check: &Check) -> String {
    let pinned = if check.definition_hash.is_some() { " pinned" } else { "" };
    format!("{} [{:?} {:?}{pinned}]", check.argv.join(" "), check.level, check.parser)
}

/// Name of the tree, its files, and its checks as `line` shows them.
type Row<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a [&'a str]);

fn hold(rows: &[Row<'_>]) {
    for (name, files, want) in rows {
        assert_eq!(found(files).iter().map(line).collect::<Vec<_>>(), *want, "{name}");
    }
}

#[test]
fn trees_of_dart_rust_and_javascript() {
    let scripts = r#"{"scripts":{"lint":"eslint .","typecheck":"tsc","test":"jest"}}"#;
    let stub = r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#;
    let pnpm = r#"{"packageManager":"pnpm@9.1.0","scripts":{"test":"vitest"}}"#;
    hold(&[
        ("nothing", &[("README.md", "")], &[]),
        (
            "flutter",
            &[("pubspec.yaml", "dependencies:\n  flutter:\n    sdk: flutter # yes\n")],
            &["flutter analyze [Static Auto]", "flutter test [Test Flutter]"],
        ),
        (
            "dart",
            &[("pubspec.yaml", "environment:\n  sdk: ^3.0.0\n")],
            &["dart analyze [Static Auto]", "dart test [Test Dart]"],
        ),
        (
            "cargo, and a makefile that no longer counts",
            &[("Cargo.toml", ""), ("Makefile", "test:\n")],
            &[
                "cargo check --workspace --all-targets [Build Auto]",
                "cargo test --workspace [Test Cargo]",
            ],
        ),
        (
            "npm",
            &[("package.json", scripts)],
            &[
                "npm run lint [Static Auto pinned]",
                "npm run typecheck [Static Auto pinned]",
                "npm test [Test Auto pinned]",
            ],
        ),
        ("npm stub", &[("package.json", stub)], &[]),
        (
            "packageManager",
            &[("package.json", pnpm), ("yarn.lock", "")],
            &["pnpm test [Test Auto pinned]"],
        ),
        (
            "yarn",
            &[("package.json", r#"{"scripts":{"test":"x"}}"#), ("yarn.lock", "")],
            &["yarn test [Test Auto pinned]"],
        ),
        (
            "bun",
            &[("package.json", r#"{"scripts":{"test":"x"}}"#), ("bun.lockb", "")],
            &["bun run test [Test Auto pinned]"],
        ),
        ("broken package.json", &[("package.json", "{\"scripts\": [")], &[]),
        ("scripts of a wrong kind", &[("package.json", r#"{"scripts":{"test":7}}"#)], &[]),
    ]);
}

#[test]
fn trees_of_python_go_java_and_recipes() {
    let make = "lint := x\n.PHONY: test\ncheck lint: deps\n\ttest: no\ntest:\n\tcargo test\n";
    let just = "set shell := [\"sh\"]\n@test args='':\n  echo\ncheck:\n";
    hold(&[
        ("pytest.ini", &[("pytest.ini", "")], &["python -m pytest --maxfail=3 -q [Test Pytest]"]),
        (
            "conftest",
            &[("conftest.py", ""), ("uv.lock", "")],
            &["uv run python -m pytest --maxfail=3 -q [Test Pytest]"],
        ),
        (
            "pyproject",
            &[("pyproject.toml", "[tool.pytest.ini_options]\n"), ("poetry.lock", "")],
            &["poetry run python -m pytest --maxfail=3 -q [Test Pytest]"],
        ),
        (
            "setup.cfg",
            &[("setup.cfg", "[tool:pytest]\n")],
            &["python -m pytest --maxfail=3 -q [Test Pytest]"],
        ),
        ("pyproject without pytest", &[("pyproject.toml", "[project]\n")], &[]),
        ("go", &[("go.mod", "")], &["go vet ./... [Static Auto]", "go test ./... [Test Go]"]),
        ("maven", &[("pom.xml", "")], &["mvn -B test [Test Auto]"]),
        (
            "maven wrapper",
            &[("pom.xml", ""), ("mvnw", "#!")],
            &["./mvnw -B test [Test Auto pinned]"],
        ),
        ("gradle", &[("build.gradle", "")], &["gradle test [Test Auto]"]),
        (
            "gradle wrapper",
            &[("build.gradle.kts", ""), ("gradlew", "#!")],
            &["./gradlew test [Test Auto pinned]"],
        ),
        (
            "make",
            &[("Makefile", make)],
            &[
                "make lint [Static Auto pinned]",
                "make check [Static Auto pinned]",
                "make test [Test Auto pinned]",
            ],
        ),
        (
            "just",
            &[("justfile", just)],
            &["just check [Static Auto pinned]", "just test [Test Auto pinned]"],
        ),
        ("a makefile without them", &[("GNUmakefile", "testing:\ntest = 1\nall: test\n")], &[]),
    ]);
}

#[test]
fn directories_are_looked_at_in_order_and_never_outside() {
    let dir = tree(&[("Cargo.toml", ""), ("web/package.json", r#"{"scripts":{"test":"x"}}"#)]);
    let checks = detect(dir.path(), &[".", "web", "./web", "missing", "..", "/etc", "web/../.."]);
    let seen: Vec<_> = checks.iter().map(|c| (c.id.as_str(), c.cwd.as_str())).collect();
    assert_eq!(
        seen,
        [
            ("cargo-check-workspace-all-targets", "."),
            ("cargo-test-workspace", "."),
            ("npm-test@web", "web"),
        ]
    );
    assert!(checks.iter().all(|c| c.required && c.source == Source::Detected));
    let outside = tree(&[("go.mod", "")]);
    std::os::unix::fs::symlink(outside.path(), dir.path().join("link")).expect("a link");
    assert_eq!(detect(dir.path(), &["link"]), []);
    std::os::unix::fs::symlink(outside.path().join("go.mod"), dir.path().join("go.mod"))
        .expect("a link");
    assert_eq!(detect(dir.path(), &["."]).len(), 2, "a linked build file is not followed");
}

#[test]
fn a_definition_changes_with_what_decides_it() {
    let hash = |scripts: &str| {
        let text = format!(r#"{{"name":"x","scripts":{scripts}}}"#);
        found(&[("package.json", &text)]).remove(0).definition_hash.expect("pinned")
    };
    let before = hash(r#"{"test":"jest"}"#);
    assert_eq!(before, hash(r#"{"build":"tsc","test":"jest"}"#), "another script");
    assert_ne!(before, hash(r#"{"test":"true"}"#));
    assert_ne!(before, hash(r#"{"pretest":"echo","test":"jest"}"#));
    assert_ne!(before, hash(r#"{"test":"jest","posttest":"echo"}"#));
    let make = |text| found(&[("Makefile", text)]).remove(0).definition_hash;
    assert_ne!(make("test:\n\tjest\n"), make("test:\n\ttrue\n"));
}

#[test]
fn flags_go_to_a_plain_call_of_the_runner_only() {
    let rows: &[(Parser, &str, &str)] = &[
        (
            Parser::Cargo,
            "cargo test --workspace -- --nocapture",
            "cargo test --no-fail-fast --workspace -- --nocapture",
        ),
        (Parser::Cargo, "cargo +nightly test", "cargo +nightly test --no-fail-fast"),
        (Parser::Cargo, "cargo test --no-fail-fast", "cargo test --no-fail-fast"),
        (Parser::Cargo, "cargo nextest run", "cargo nextest run"),
        (Parser::Cargo, "make test", "make test"),
        (Parser::Pytest, "pytest -q", "pytest --junitxml=F -q"),
        (Parser::Pytest, "uv run python -m pytest -q", "uv run python -m pytest --junitxml=F -q"),
        (
            Parser::Pytest,
            "/venv/bin/python3.12 -m pytest",
            "/venv/bin/python3.12 -m pytest --junitxml=F",
        ),
        (Parser::Pytest, "pytest --junitxml=mine.xml", "pytest --junitxml=mine.xml"),
        (Parser::Pytest, "sh -c pytest", "sh -c pytest"),
        (Parser::Pytest, "python run_pytest.py", "python run_pytest.py"),
        (Parser::Jest, "npx jest src", "npx jest --json --outputFile=F src"),
        (Parser::Jest, "npm test", "npm test"),
        (Parser::Vitest, "vitest", "vitest run --reporter=json --outputFile=F"),
        (
            Parser::Vitest,
            "pnpm exec vitest run a",
            "pnpm exec vitest run --reporter=json --outputFile=F a",
        ),
        (Parser::Vitest, "vitest watch", "vitest watch"),
        (Parser::Go, "go test ./...", "go test -json ./..."),
        (Parser::Go, "go vet ./...", "go vet ./..."),
        (Parser::Go, "go test --json ./...", "go test --json ./..."),
        (Parser::Nextest, "cargo nextest run -p a", "cargo nextest run --no-fail-fast -p a"),
        (Parser::Nextest, "cargo +beta nextest r", "cargo +beta nextest r --no-fail-fast"),
        (Parser::Nextest, "cargo nextest run --max-fail=3", "cargo nextest run --max-fail=3"),
        (Parser::Nextest, "cargo nextest list", "cargo nextest list"),
        (Parser::Nextest, "cargo test", "cargo test"),
        (
            Parser::Mocha,
            "npx mocha test",
            "npx mocha --reporter json --reporter-option output=F test",
        ),
        (
            Parser::Mocha,
            "node_modules/.bin/mocha",
            "node_modules/.bin/mocha --reporter json --reporter-option output=F",
        ),
        (Parser::Mocha, "mocha -R dot", "mocha -R dot"),
        (Parser::Mocha, "npm run mocha", "npm run mocha"),
        (Parser::Flutter, "flutter test a", "flutter test --machine a"),
        (Parser::Flutter, "flutter test -r expanded", "flutter test -r expanded"),
        (Parser::Dart, "dart test", "dart test --reporter json"),
        (Parser::Dart, "dart run test", "dart run test"),
        (Parser::Pytest, "pytest --junit-xml mine", "pytest --junit-xml mine"),
        (Parser::Junit, "mvn -B test", "mvn -B test"),
        (Parser::Tap, "node --test", "node --test"),
        (Parser::Auto, "cargo test", "cargo test"),
        (Parser::Exit, "pytest", "pytest"),
    ];
    for (parser, before, want) in rows {
        let argv: Vec<String> = before.split(' ').map(str::to_owned).collect();
        assert_eq!(adds(*parser, &argv, "F").join(" "), *want, "{before}");
    }
    assert_eq!(adds(Parser::Pytest, &[], "F"), Vec::<String>::new());
}

#[test]
fn configured_checks() {
    let command = |argv: &str| CheckCommand { argv: vec![argv.into()], ..CheckCommand::default() };
    let lint = CheckCommand { cwd: Some("web".into()), ..command("./lint") };
    let pytest =
        CheckCommand { parser: Some("pytest".into()), timeout_s: Some(5), ..command("pytest") };
    let optional =
        CheckCommand { required: Some(false), covers: Some(vec!["web/**".into()]), ..lint.clone() };
    let checks = of_settings(
        &[pytest, CheckCommand { level: Some("static".into()), ..lint }, optional],
        7000,
    );
    let counts: Vec<_> = checks.iter().map(|c| (c.required, c.covers.join(" "))).collect();
    let everything = || (true, "**".to_owned());
    assert_eq!(counts, [everything(), everything(), (false, "web/**".to_owned())]);
    let seen: Vec<_> = checks
        .iter()
        .map(|c| (c.id.as_str(), c.cwd.as_str(), c.level, c.parser, c.timeout_ms))
        .collect();
    assert_eq!(
        seen,
        [
            ("pytest", ".", Level::Test, Parser::Pytest, 5000),
            ("lint@web", "web", Level::Static, Parser::Auto, 7000),
            ("lint@web-3", "web", Level::Test, Parser::Auto, 7000),
        ]
    );
}

#[test]
fn a_detected_check_has_the_limit_of_the_settings() {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("Cargo.toml"), "").expect("a file");
    let sources = Sources { dirs: vec![".".into()], timeout_ms: 7000, ..Sources::default() };
    let limits = |checks: Vec<u64>| assert_eq!(checks, [7000, 7000]);
    limits(detected(dir.path(), &sources).iter().map(|check| check.timeout_ms).collect());
    limits(for_loop(dir.path(), &sources).iter().map(|check| check.timeout_ms).collect());
}

#[test]
fn a_check_without_a_parser_gets_that_of_the_runner_it_calls() {
    let rows = [
        ("cargo nextest run", Parser::Nextest),
        ("cargo test", Parser::Cargo),
        ("uv run pytest -q", Parser::Pytest),
        ("npx jest", Parser::Jest),
        ("vitest run", Parser::Vitest),
        ("yarn mocha", Parser::Mocha),
        ("go test ./...", Parser::Go),
        ("flutter test", Parser::Flutter),
        ("dart test", Parser::Dart),
        ("npm test", Parser::Auto),
        ("node --test", Parser::Auto),
        ("mvn -B test", Parser::Auto),
        ("sh -c pytest", Parser::Auto),
    ];
    for (argv, want) in rows {
        let argv: Vec<String> = argv.split(' ').map(str::to_owned).collect();
        let command = CheckCommand { argv: argv.clone(), ..CheckCommand::default() };
        assert_eq!(of_settings(&[command], 1000)[0].parser, want, "{argv:?}");
        // What a person says stands.
        let said = CheckCommand { argv, parser: Some("auto".into()), ..CheckCommand::default() };
        assert_eq!(of_settings(&[said], 1000)[0].parser, Parser::Auto);
    }
}
