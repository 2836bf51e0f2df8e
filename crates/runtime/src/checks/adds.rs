//! Adds the flags that make a runner report well. Only to a single plain call of the runner: a
//! script, a shell line or a wrapper runs as it stands.

use super::check::Parser;

/// `argv` with reporter flags; `report` is where a report file may be written.
pub fn adds(parser: Parser, argv: &[String], report: &str) -> Vec<String> {
    let words: Vec<&str> = argv.iter().map(String::as_str).collect();
    let (at, flags) = match parser {
        Parser::Cargo => (cargo(&words), vec!["--no-fail-fast".to_owned()]),
        Parser::Pytest => (pytest(&words), vec![format!("--junitxml={report}")]),
        Parser::Jest => {
            (package(&words, "jest"), vec!["--json".to_owned(), format!("--outputFile={report}")])
        }
        Parser::Vitest => (vitest(&words), vitest_flags(&words, report)),
        Parser::Go => (go(&words), vec!["-json".to_owned()]),
        Parser::Exit | Parser::Auto => (None, Vec::new()),
    };
    // The option's name without its value: said by the user in any way, it is the user's.
    let is_said = |flag: &String| {
        let option = flag.split('=').next().unwrap_or(flag);
        words.iter().any(|word| word.split('=').next() == Some(option))
    };
    let mut out = argv.to_vec();
    if let Some(at) = at.filter(|_| !flags.iter().any(|f| f.starts_with('-') && is_said(f))) {
        out.splice(at..at, flags);
    }
    out
}

fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Each answers where flags go: right behind what names the runner.
fn cargo(words: &[&str]) -> Option<usize> {
    match words {
        [first, "test" | "t", ..] if program(first) == "cargo" => Some(2),
        [first, toolchain, "test" | "t", ..]
            if program(first) == "cargo" && toolchain.starts_with('+') =>
        {
            Some(3)
        }
        _ => None,
    }
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

fn vitest_flags(words: &[&str], report: &str) -> Vec<String> {
    let once = (!words.contains(&"run")).then(|| "run".to_owned());
    let flags = ["--reporter=json".to_owned(), format!("--outputFile={report}")];
    once.into_iter().chain(flags).collect()
}

fn go(words: &[&str]) -> Option<usize> {
    match words {
        [first, "test", ..] if program(first) == "go" => Some(2),
        _ => None,
    }
}
