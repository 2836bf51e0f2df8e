//! From an argument list to one answer: language first, then the command tree in that language,
//! then the command. It knows no command by name.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::ExitCode;

use clap::FromArgMatches as _;
use clap::error::ErrorKind;
use serde_json::json;

use crate::commands::{self, Cli};
use crate::ctx::{self, Ctx, Form};
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};
use crate::{help, misuse, traced};

/// Runs the program.
pub fn run(argv: &[OsString]) -> ExitCode {
    let early = ctx::Early::scan(argv);
    let answer = match early.lang.clone() {
        Err(unknown) => Err(trouble::unknown_lang(&unknown)),
        Ok(_) if commandless(argv) && std::io::stdin().is_terminal() => {
            commands::session::repl(&Ctx::early(&early, argv))
        }
        Ok(_) if commandless(argv) => {
            Ok(Reply::page(help::page(&mut help::tree(early.lang_or_default()), &[])))
        }
        Ok(_) => parse_and_run(&early, argv),
    };
    if let Err(trouble) = &answer {
        traced::keep(&early, argv, trouble);
    }
    let with_help = |trouble| misuse::with_help(trouble, &help::wordless(), argv);
    out::finish(&early, answer.map_err(with_help))
}

/// Whether only the language and the workspace are said, and no command.
fn commandless(argv: &[OsString]) -> bool {
    let mut words = argv.iter().skip(1).map(|word| word.to_str().unwrap_or(""));
    while let Some(word) = words.next() {
        let joined = word.starts_with("--lang=") || word.starts_with("--workspace=");
        let valued = matches!(word, "--lang" | "--workspace");
        let said = joined || (valued && words.next().is_some_and(|value| !value.starts_with('-')));
        if !said {
            return false;
        }
    }
    true
}

/// What can be read runs at once. The words of all commands are looked up only for a page, or for
/// an error, which are read once more with them: they take longer than most commands.
fn parse_and_run(early: &ctx::Early, argv: &[OsString]) -> Result<Reply, Trouble> {
    let mut tree = help::wordless();
    let parsed = read(&mut tree, argv).or_else(|_| {
        tree = help::tree(early.lang_or_default());
        read(&mut tree, argv)
    });
    match parsed {
        Ok(cli) => commands::run(&Ctx::new(early, &cli.global), &cli.command),
        Err(error) if error.kind() == ErrorKind::DisplayHelp => {
            Ok(shown(early.form, "help", error.render().to_string()))
        }
        Err(error) if error.kind() == ErrorKind::DisplayVersion => {
            Ok(shown(early.form, "version", env!("CARGO_PKG_VERSION").to_owned()))
        }
        Err(error) => Err(misuse::trouble(&error, &tree, argv)),
    }
}

fn read(tree: &mut clap::Command, argv: &[OsString]) -> Result<Cli, clap::Error> {
    tree.try_get_matches_from_mut(argv).and_then(|matches| Cli::from_arg_matches(&matches))
}

/// A page asked for by a flag; with `--json` it is still one value.
fn shown(form: Form, name: &str, text: String) -> Reply {
    match form {
        Form::Json => Reply::new(json!({ name: text.trim_end() }), text),
        Form::Text => Reply::page(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_or_a_workspace_is_no_command() {
        let table = [
            ("", true),
            ("--lang zh-CN", true),
            ("--lang=en --workspace /x", true),
            ("--lang", false),
            ("--lang --json", false),
            ("--json", false),
            ("status", false),
            ("--lang zh-CN status", false),
        ];
        for (line, expected) in table {
            let argv: Vec<OsString> =
                ["loopwright"].into_iter().chain(line.split_whitespace()).map(Into::into).collect();
            assert_eq!(commandless(&argv), expected, "{line}");
        }
    }
}
