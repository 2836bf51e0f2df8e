//! What the argument parser found wrong, as an error of ours: a kind, the bad part, what was
//! expected and the nearest name. It prints nothing.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use kernel::errors::{Class, Code, nearest};
use serde_json::{Value, json};

use crate::trouble::{Trouble, class};

/// The trouble behind a parse error.
#[expect(clippy::wildcard_enum_match_arm, reason = "the parser's list of kinds is open")]
pub fn trouble(error: &clap::Error, tree: &Command, argv: &[OsString]) -> Trouble {
    let (at, path) = deepest(tree, argv);
    let details = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            unknown("unknown_command", &of(error, ContextKind::InvalidSubcommand), &commands(at))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            json!({ "kind": "missing_command", "path": path, "expected": commands(at) })
        }
        ErrorKind::UnknownArgument => unknown_argument(error, at),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation | ErrorKind::InvalidUtf8 => {
            bad_value(error)
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = of(error, ContextKind::InvalidArg);
            json!({ "kind": "missing_argument", "path": path, "expected": missing })
        }
        ErrorKind::ArgumentConflict => json!({
            "kind": "not_together", "path": of(error, ContextKind::InvalidArg),
            "other": of(error, ContextKind::PriorArg),
        }),
        // Whatever is left is a part it could not read.
        _ => {
            let part = of(error, ContextKind::InvalidArg);
            let path = if part.is_empty() { path.clone() } else { part };
            json!({ "kind": "unreadable", "path": path })
        }
    };
    class(Class::InvalidArgs, details)
}

/// Adds the page of the command that was typed to a usage error that names none.
#[must_use]
pub fn with_help(mut trouble: Trouble, tree: &Command, argv: &[OsString]) -> Trouble {
    if trouble.code == Code::Class(Class::InvalidArgs)
        && let Value::Object(details) = &mut trouble.details
        && !details.contains_key("help")
    {
        let page = deepest(tree, argv).1.replacen("loopwright", "loopwright help", 1);
        details.insert("help".to_owned(), Value::String(page));
    }
    trouble
}

fn unknown_argument(error: &clap::Error, at: &Command) -> Value {
    let asked = of(error, ContextKind::InvalidArg);
    if asked.starts_with('-') {
        return unknown("unknown_flag", &asked, &flags(at));
    }
    if at.has_subcommands() {
        return unknown("unknown_command", &asked, &commands(at));
    }
    json!({ "kind": "one_too_many", "path": asked })
}

fn bad_value(error: &clap::Error) -> Value {
    let name = of(error, ContextKind::InvalidArg);
    let asked = of(error, ContextKind::InvalidValue);
    let known = list(error, ContextKind::ValidValue);
    if asked.is_empty() {
        return json!({ "kind": "missing_value", "path": name, "expected": known });
    }
    let near = nearest(&asked, known.iter().map(String::as_str));
    json!({
        "kind": "bad_value", "path": name, "asked": asked, "expected": known, "nearest": near,
    })
}

fn unknown(kind: &str, asked: &str, known: &[String]) -> Value {
    let near = nearest(asked, known.iter().map(String::as_str));
    json!({ "kind": kind, "path": asked, "nearest": near, "expected": known })
}

fn commands(at: &Command) -> Vec<String> {
    at.get_subcommands().filter(|sub| !sub.is_hide_set()).map(|s| s.get_name().to_owned()).collect()
}

fn flags(at: &Command) -> Vec<String> {
    at.get_arguments().filter_map(|arg| arg.get_long()).map(|long| format!("--{long}")).collect()
}

/// The command that the words before the bad one name, and how it is typed.
fn deepest<'a>(tree: &'a Command, argv: &[OsString]) -> (&'a Command, String) {
    let (mut at, mut path) = (tree, "loopwright".to_owned());
    for word in argv.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(sub) = at.find_subcommand(word) {
            at = sub;
            path = format!("{path} {word}");
        }
    }
    (at, path)
}

fn of(error: &clap::Error, kind: ContextKind) -> String {
    list(error, kind).join(" ")
}

fn list(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(all)) => all.clone(),
        Some(ContextValue::Number(n)) => vec![n.to_string()],
        Some(_) | None => Vec::new(),
    }
}
