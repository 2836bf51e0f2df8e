//! The command tree in the language of the reader: every about and help text comes from the
//! catalogue by the command's path. The structure is clap's; no sentence is.

use clap::{Arg, ArgAction, Command, CommandFactory as _};
use runtime::words::{self, Lang};

use crate::commands::Cli;

/// The whole tree, ready to parse and to show.
pub fn tree(lang: Lang) -> Command {
    spoken(wordless(), lang, "cmd")
}

/// The tree as far as parsing needs it.
pub fn wordless() -> Command {
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    Cli::command().disable_version_flag(true).arg(version)
}

/// The help page of the command at `path`; of the deepest one that exists.
pub fn page(tree: &mut Command, path: &[String]) -> String {
    let mut at = tree;
    at.build();
    for name in path {
        if at.find_subcommand(name).is_none() {
            break;
        }
        at = at.find_subcommand_mut(name).expect("it was found a line above");
    }
    at.render_help().to_string()
}

fn spoken(mut command: Command, lang: Lang, key: &str) -> Command {
    let word = |name: &str| words::say(lang, name, &[]);
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names {
        let below = format!("{key}-{name}");
        command = command.mut_subcommand(&name, |sub| spoken(sub, lang, &below));
    }
    let template = format!(
        "{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
        word("help-usage")
    );
    command
        .disable_help_flag(true)
        .arg(help_flag())
        .mut_args(|arg| spoken_arg(arg, lang, key))
        .help_template(template)
        .subcommand_help_heading(word("help-commands"))
        .about(word(key))
}

fn help_flag() -> Arg {
    Arg::new("help").short('h').long("help").action(ArgAction::Help)
}

/// Arguments of all commands share the words of the root, so that each is said once.
fn spoken_arg(arg: Arg, lang: Lang, key: &str) -> Arg {
    let name = arg.get_id().as_str().to_owned();
    let shared =
        ["json", "lang", "workspace", "allow_foreign_owner", "help"].contains(&name.as_str());
    let owner = if shared { "cmd" } else { key };
    let mut text = words::say(lang, &format!("{owner}.{}", name.replace('_', "-")), &[]);
    if let Some(values) = arg.get_value_parser().possible_values() {
        let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
        if arg.get_action().takes_values() {
            text = format!("{text} [{}]", names.join("|"));
        }
    }
    let defaults: Vec<_> = arg.get_default_values().iter().filter_map(|v| v.to_str()).collect();
    if arg.get_action().takes_values() && !defaults.is_empty() {
        let label = words::say(lang, "cli-default", &[]);
        text = format!("{text} [{label}: {}]", defaults.join(","));
    }
    let heading = if arg.is_positional() { "help-arguments" } else { "help-options" };
    let takes_values = arg.get_action().takes_values();
    let arg = arg.help(text).help_heading(words::say(lang, heading, &[]));
    if takes_values { arg.hide_possible_values(true).hide_default_value(true) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::error::ErrorKind;
    use kernel::errors::{Code, names};
    use words::guide;

    /// Something that fits where a page shows what is missing.
    fn filled(line: &str) -> Vec<String> {
        let word = |word: &str| match word {
            "N" => "1".to_owned(),
            _ => word.replace(['{', '}'], ""),
        };
        line.split_whitespace().map(word).collect()
    }

    #[test]
    fn invariant_commands_of_next_steps_exist() {
        for name in names() {
            for line in guide(Code::parse(&name).unwrap()).commands {
                if !line.starts_with("loopwright") {
                    continue;
                }
                let parsed = tree(Lang::En).try_get_matches_from(filled(line));
                let fits = parsed.as_ref().map_or_else(
                    |error| matches!(error.kind(), ErrorKind::DisplayVersion),
                    |_| true,
                );
                assert!(fits, "{name}: {line}: {parsed:?}");
            }
        }
    }

    #[test]
    fn invariant_commands_in_sentences_exist() {
        let locales = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/locales");
        let mut seen = 0;
        for lang in Lang::ALL {
            for file in std::fs::read_dir(format!("{locales}/{lang}")).unwrap() {
                let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
                for (at, _) in text.match_indices("loopwright ") {
                    let line = text[at..].split(['`', '\n', ')', '{']).next().unwrap_or_default();
                    let tree = tree(lang);
                    let mut here = &tree;
                    for word in line.split_whitespace().skip(1) {
                        if here.has_subcommands() {
                            here = here
                                .find_subcommand(word)
                                .unwrap_or_else(|| panic!("{lang}: no such command: {line}"));
                            seen += 1;
                        }
                    }
                }
            }
        }
        assert!(seen > 40, "only {seen} were looked at");
    }
}
