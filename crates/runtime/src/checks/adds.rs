//! Adds the flags that make a runner report well. Only to a single plain call of the runner: a
//! script, a shell line or a wrapper runs as it stands.

use super::check::Parser;

/// `argv` with reporter flags; `report` is where a report file may be written.
pub fn adds(parser: Parser, argv: &[String], report: &str) -> Vec<String> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    // The option's name without its value: said by the user in any way, it is the user's.
    let is_said = |option: &&str| words.iter().any(|word| word.split('=').next() == Some(*option));
    let mut out = argv.to_vec();
    if let Some(at) = place(parser, &words).filter(|_| !own(parser).iter().any(is_said)) {
        out.splice(at..at, flags(parser, &words, report));
    }
    out
}

/// The runner that a plain call of it names.
pub(super) fn runner(argv: &[String]) -> Option<Parser> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    Parser::ALL.into_iter().find(|parser| place(*parser, &words).is_some())
}

/// Where flags go: right behind what names the runner.
fn place(parser: Parser, words: &[&str]) -> Option<usize> {
    match parser {
        Parser::Nextest => nextest(words),
        Parser::Cargo => cargo(words),
        Parser::Pytest => pytest(words),
        Parser::Jest => package(words, "jest"),
        Parser::Vitest => vitest(words),
        Parser::Mocha => package(words, "mocha"),
        Parser::Go => test_of(words, "go"),
        Parser::Flutter => test_of(words, "flutter"),
        Parser::Dart => test_of(words, "dart"),
        Parser::Junit | Parser::Tap | Parser::Exit | Parser::Auto => None,
    }
}

fn flags(parser: Parser, words: &[&str], report: &str) -> Vec<String> {
    let to_report = format!("--outputFile={report}");
    match parser {
        Parser::Nextest | Parser::Cargo => vec!["--no-fail-fast".to_owned()],
        Parser::Pytest => vec![format!("--junitxml={report}")],
        Parser::Jest => vec!["--json".to_owned(), to_report],
        Parser::Vitest => {
            // Without `run` it may wait for changes.
            let once = (!words.contains(&"run")).then(|| "run".to_owned());
            once.into_iter().chain(["--reporter=json".to_owned(), to_report]).collect()
        }
        Parser::Mocha => {
            let output = format!("output={report}");
            ["--reporter", "json", "--reporter-option", &output].map(str::to_owned).to_vec()
        }
        Parser::Go => vec!["-json".to_owned()],
        Parser::Flutter => vec!["--machine".to_owned()],
        Parser::Dart => ["--reporter", "json"].map(str::to_owned).to_vec(),
        Parser::Junit | Parser::Tap | Parser::Exit | Parser::Auto => Vec::new(),
    }
}

/// Options with which a user already says what the flags would.
const fn own(parser: Parser) -> &'static [&'static str] {
    match parser {
        Parser::Nextest => &["--no-fail-fast", "--no-ff", "--fail-fast", "--ff", "--max-fail"],
        Parser::Cargo => &["--no-fail-fast"],
        Parser::Pytest => &["--junitxml", "--junit-xml"],
        Parser::Jest => &["--json", "--outputFile"],
        Parser::Vitest => &["--reporter", "--outputFile", "--outputFile.json"],
        Parser::Mocha => &["--reporter", "-R", "--reporter-option", "--reporter-options", "-O"],
        Parser::Go => &["-json", "--json"],
        Parser::Flutter => &["--machine", "--reporter", "-r"],
        Parser::Dart => &["--reporter", "-r"],
        Parser::Junit | Parser::Tap | Parser::Exit | Parser::Auto => &[],
    }
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// The words behind `cargo` and its toolchain, and how many stand before them.
fn of_cargo<'a, 'b>(words: &'a [&'b str]) -> Option<(usize, &'a [&'b str])> {
    match words {
        [first, toolchain, rest @ ..]
            if program(first) == "cargo" && toolchain.starts_with('+') =>
        {
            Some((2, rest))
        }
        [first, rest @ ..] if program(first) == "cargo" => Some((1, rest)),
        _ => None,
    }
}

fn nextest(words: &[&str]) -> Option<usize> {
    let (at, rest) = of_cargo(words)?;
    matches!(rest, ["nextest", "run" | "r", ..]).then_some(at + 2)
}

fn cargo(words: &[&str]) -> Option<usize> {
    let (at, rest) = of_cargo(words)?;
    matches!(rest, ["test" | "t", ..]).then_some(at + 1)
}

fn pytest(words: &[&str]) -> Option<usize> {
    let skipped = match words {
        ["uv" | "poetry", "run", ..] => 2,
        _ => 0,
    };
    match &words[skipped..] {
        [first, ..] if matches!(program(first), "pytest" | "py.test") => Some(skipped + 1),
        [first, "-m", "pytest", ..] if is_python(program(first)) => Some(skipped + 3),
        _ => None,
    }
}

fn is_python(program: &str) -> bool {
    let version = program.strip_prefix("python");
    version.is_some_and(|v| v.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

fn package(words: &[&str], name: &str) -> Option<usize> {
    match words {
        ["npx" | "bunx", second, ..] if *second == name => Some(2),
        ["pnpm" | "yarn", "exec", third, ..] if *third == name => Some(3),
        ["pnpm" | "yarn", second, ..] if *second == name => Some(2),
        [first, ..] if program(first) == name => Some(1),
        _ => None,
    }
}

fn vitest(words: &[&str]) -> Option<usize> {
    let at = package(words, "vitest")?;
    match words.get(at) {
        Some(&"run") => Some(at + 1),
        // Other subcommands are other programs; watching would never end.
        Some(&("watch" | "dev" | "bench" | "list" | "related" | "typecheck")) => None,
        Some(_) | None => Some(at),
    }
}

fn test_of(words: &[&str], tool: &str) -> Option<usize> {
    match words {
        [first, "test", ..] if program(first) == tool => Some(2),
        _ => None,
    }
}
