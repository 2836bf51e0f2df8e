//! What a command stands for, where a file of the tree decides it: the script of a package, the
//! recipes of just and make, a program of the tree itself. It does not matter who named the
//! command; another content is another meaning, and no pass of what was approved.

use std::path::Path;

use super::detect::Place;
use super::scripts::{self, Tool};

/// What starts the scripts of a package.
const MANAGERS: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];

/// What runs a script of the tree that is given to it; a version may follow (`python3.12`).
const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "dash", "zsh", "ksh", "fish", "python", "pypy", "node", "deno", "ruby", "perl",
    "php", "lua", "Rscript", "tclsh",
];
/// Interpreters that are told by a verb to run a script.
const RUN_VERBS: [(&str, &str); 1] = [("deno", "run")];

/// The hash of what decides what the command does when it is started in this directory; none where
/// no file of the tree does.
#[must_use]
pub fn definition(root: &Path, cwd: &str, argv: &[String]) -> Option<String> {
    let place = Place::below(root, cwd)?;
    let (program, words) = argv.split_first()?;
    if MANAGERS.contains(&program.as_str()) {
        return scripts::of_words(&place, words);
    }
    match [Tool::Just, Tool::Make].into_iter().find(|tool| tool.name() == program) {
        Some(tool) => recipes(root, &place, tool, words),
        None if program.contains('/') => place.own(root, program),
        None => interpreted(root, &place, program, words),
    }
}

/// Whether the command gives an interpreter something to run.
#[must_use]
pub fn is_interpreted(argv: &[String]) -> bool {
    argv.first().is_some_and(|program| INTERPRETERS.contains(&unversioned(program)))
}

fn unversioned(program: &str) -> &str {
    program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
}

/// The script that an interpreter is given: the first word that is no option, if that is a file of
/// the tree. What an option runs (`-c`, `-m`) stands in the command itself, or is no file; what a
/// runner of tests is given is what is worked at.
fn interpreted(root: &Path, place: &Place, program: &str, words: &[String]) -> Option<String> {
    let program = unversioned(program);
    if !INTERPRETERS.contains(&program) || words.iter().any(|word| word == "--test") {
        return None;
    }
    let verbs = RUN_VERBS.iter().find(|(name, _)| *name == program).map(|(_, verb)| *verb);
    let mut words = words.iter().filter(|word| !word.starts_with('-'));
    let first = words.next()?;
    let script = if verbs == Some(first.as_str()) { words.next()? } else { first };
    place.own(root, script)
}

/// The file that just or make reads: the one that is named, else the first of its own.
fn recipes(root: &Path, place: &Place, tool: Tool, words: &[String]) -> Option<String> {
    let dir = option(words, &["-C", "--directory", "-d", "--working-directory"]);
    let moved = dir.and_then(|dir| place.inner(root, dir));
    let place = if dir.is_some() { moved.as_ref()? } else { place };
    match option(words, &["-f", "--file", "--makefile", "--justfile"]) {
        Some(file) => place.own(root, file),
        None => tool.reads().iter().find_map(|name| place.hash(name)),
    }
}

/// The value of the first of these options, glued to it or behind it.
fn option<'a>(words: &'a [String], names: &[&str]) -> Option<&'a str> {
    words.iter().enumerate().find_map(|(at, word)| {
        names.iter().find_map(|name| {
            let rest = word.strip_prefix(name)?;
            match rest.strip_prefix('=') {
                Some(value) => Some(value),
                None if rest.is_empty() => words.get(at + 1).map(String::as_str),
                // Only short options have their value glued to them.
                None => (!name.starts_with("--")).then_some(rest),
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(root: &Path, cwd: &str, line: &str) -> Option<String> {
        let argv: Vec<String> = line.split(' ').map(str::to_owned).collect();
        definition(root, cwd, &argv)
    }

    /// A file, where the command is started, the command, and whether the file decides it.
    const TABLE: [(&str, &str, &str, bool); 37] = [
        ("package.json", ".", "npm test", true),
        ("package.json", ".", "npm run test", true),
        ("package.json", ".", "npm run test --silent", true),
        ("package.json", ".", "yarn test", true),
        ("package.json", ".", "npm run run", false),
        ("package.json", ".", "npm run lint", false),
        ("package.json", ".", "npm ci", false),
        ("web/package.json", "web", "npm test", true),
        ("web/package.json", ".", "npm test", false),
        ("Makefile", ".", "make test", true),
        ("Makefile", ".", "make ci", true),
        ("makefile", ".", "make ci", true),
        ("ci.mk", ".", "make -f ci.mk ci", true),
        ("ci.mk", ".", "make --file=ci.mk", true),
        ("sub/Makefile", ".", "make -C sub test", true),
        ("sub/Makefile", "sub", "make test", true),
        ("justfile", ".", "just ci", true),
        ("gradlew", ".", "./gradlew check", true),
        ("tools/check.sh", ".", "tools/check.sh", true),
        ("tools/check.sh", "sub", "../tools/check.sh", true),
        ("check.sh", ".", "sh check.sh", true),
        ("check.sh", ".", "bash -eu check.sh fast", true),
        ("check.sh", "sub", "sh ../check.sh", true),
        ("tools/t.py", ".", "python tools/t.py", true),
        ("tools/t.py", ".", "python3.12 -B tools/t.py", true),
        ("tools/t.py", "tools", "python3 t.py", true),
        ("x.js", ".", "node x.js", true),
        ("x.js", ".", "node --test x.js", false),
        ("x.ts", ".", "deno run -A x.ts", true),
        ("t.rb", ".", "ruby t.rb", true),
        ("check.sh", ".", "sh -c check.sh", true),
        ("check.sh", ".", "python -m pytest", false),
        ("check.sh", ".", "sh other.sh", false),
        ("check.sh", ".", "cargo test check.sh", false),
        ("Makefile", ".", "cargo test", false),
        ("gradlew", ".", "gradle check", false),
        ("gradlew", ".", "/bin/true", false),
    ];

    #[test]
    fn another_content_is_another_meaning_whoever_named_the_command() {
        for (file, cwd, line, decides) in TABLE {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path();
            std::fs::write(root.join("Cargo.toml"), "").unwrap();
            for name in ["web", "sub", "tools"] {
                std::fs::create_dir(root.join(name)).unwrap();
            }
            let found = ["jest", "true"].map(|does| {
                let text = match file.ends_with(".json") {
                    true => format!(r#"{{"scripts":{{"test":"{does}","lint":"x"}}}}"#),
                    false => format!("test:\n\t{does}\n"),
                };
                std::fs::write(root.join(file), text).unwrap();
                now(root, cwd, line)
            });
            assert_eq!(found[0] != found[1], decides, "{file} {cwd} {line}: {found:?}");
            assert!(!decides || found.iter().all(Option::is_some), "{line}: {found:?}");
            std::fs::remove_file(root.join(file)).unwrap();
            assert!(!decides || now(root, cwd, line) != found[0], "{line}: nothing is left of it");
        }
    }
}
