//! Values with a form of their own: words, names of participants, addresses, pointers, programs,
//! free tables. Which setting takes which is in the tables of settings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::raw::Raw;
use super::shapes::{Shape, Value, amount, list, text, texts};

/// A run of more is no longer one question.
const PARTICIPANTS_MAX: usize = 8;
/// A word stands in paths and in keys.
const WORD_CHARS_MAX: usize = 32;
/// Keys of a run's snapshot; a participant of that name would hide one.
const RESERVED: [&str; 7] = [
    "state",
    "degraded_level",
    "missing_dimensions",
    "started_at",
    "retries",
    "degraded_reason",
    "ext",
];
/// A free table deeper than this is no setting.
const DEPTH_MAX: usize = 16;

/// Millionths of a dollar are the smallest charge that is told.
const MICROS: u64 = 1_000_000;
const MONEY_DECIMALS: usize = 6;
/// A million dollars is a mistake in a unit.
const MONEY_MICROS_MAX: u64 = 1_000_000 * MICROS;

/// Reads one; none if it does not fit. A shape that is not of these never fits.
pub(super) fn read(shape: Shape, raw: &Raw) -> Option<Value> {
    match shape {
        Shape::Word => text(raw).filter(|word| is_word(word)).map(Value::Text),
        Shape::Members => members(raw).map(Value::Texts),
        Shape::Hosts => {
            texts(raw).filter(|all| all.iter().all(|host| is_host(host))).map(Value::Texts)
        }
        Shape::Program => text(raw).filter(|name| is_program(name)).map(Value::Text),
        Shape::Pointer => pointer(raw).map(Value::Text),
        Shape::Session => {
            let word = text(raw).filter(|word| word == "local" || word == "none");
            word.or_else(|| pointer(raw)).map(Value::Text)
        }
        Shape::Final => end(raw).map(Value::Json),
        Shape::Exits => exits(raw).map(Value::Exits),
        Shape::Object => matches!(raw, Raw::Table(_)).then(|| data(raw, 0))?.map(Value::Json),
        Shape::Rules => rules(raw).map(Value::Json),
        Shape::Money => money(raw).map(Value::Whole),
        Shape::Duration { .. }
        | Shape::Size { .. }
        | Shape::Whole { .. }
        | Shape::Bool
        | Shape::Text
        | Shape::TextOrNone
        | Shape::Choice(_)
        | Shape::Texts
        | Shape::Names
        | Shape::Patterns
        | Shape::Delays
        | Shape::Checks
        | Shape::Language => None,
    }
}

/// A value that is a text; nothing where it is none.
pub(super) fn word(value: &Value) -> &str {
    match value {
        Value::Text(text) => text,
        Value::Whole(_)
        | Value::Bool(_)
        | Value::Texts(_)
        | Value::Delays(_)
        | Value::Checks(_)
        | Value::Exits(_)
        | Value::Json(_) => "",
    }
}

fn is_word(word: &str) -> bool {
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    word.len() <= WORD_CHARS_MAX
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word.chars().all(part)
}

fn members(raw: &Raw) -> Option<Vec<String>> {
    let all = texts(raw)?;
    let fits = |name: &String| is_word(name) && !RESERVED.contains(&name.as_str());
    let distinct: BTreeSet<&String> = all.iter().collect();
    let good = (1..=PARTICIPANTS_MAX).contains(&all.len())
        && distinct.len() == all.len()
        && all.iter().all(fits);
    good.then_some(all)
}

fn is_host(address: &str) -> bool {
    address.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains(char::is_whitespace)
            && port.parse::<u16>().is_ok_and(|port| port > 0)
    })
}

/// A relative path would mean another program in each directory, one of the repository's among
/// them.
pub(crate) fn is_program(name: &str) -> bool {
    let plain = !name.chars().any(char::is_control);
    plain && (name.starts_with('/') || (!name.contains('/') && !name.starts_with('-')))
}

/// The whole document, or a path into it whose `~` are escapes.
fn pointer(raw: &Raw) -> Option<String> {
    let Raw::Text(text) = raw else { return None };
    let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    ((text.is_empty() || text.starts_with('/')) && escapes).then(|| text.clone())
}

fn end(raw: &Raw) -> Option<serde_json::Value> {
    let Raw::Table(table) = raw else { return None };
    let known = table.keys().all(|name| name == "pointer" || name == "equals");
    let at = pointer(table.get("pointer")?)?;
    let equals = data(table.get("equals")?, 0)?;
    known.then(|| json!({ "pointer": at, "equals": equals }))
}

fn exits(raw: &Raw) -> Option<Vec<u8>> {
    let all = list(raw).filter(|all| !all.is_empty())?;
    all.iter().map(|one| amount(one, &[]).and_then(|code| u8::try_from(code).ok())).collect()
}

/// Whole dollars, or text with at most as many decimals as are kept; in millionths of a dollar.
fn money(raw: &Raw) -> Option<u64> {
    let text = match raw {
        Raw::Whole(number) => number.to_string(),
        Raw::Text(text) => text.clone(),
        Raw::Bool(_) | Raw::List(_) | Raw::Table(_) | Raw::Other => return None,
    };
    micros(&text).filter(|micros| *micros <= MONEY_MICROS_MAX)
}

/// Dollars as people write them, in millionths.
#[must_use]
pub fn micros(text: &str) -> Option<u64> {
    let (dollars, cents) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !digits(dollars) || !digits(cents) || cents.len() > MONEY_DECIMALS {
        return None;
    }
    let whole = dollars.parse::<u64>().ok()?.checked_mul(MICROS)?;
    whole.checked_add(format!("{cents:0<MONEY_DECIMALS$}").parse().ok()?)
}

/// Rules are checked for their form here; their examples are checked where they are loaded.
fn rules(raw: &Raw) -> Option<serde_json::Value> {
    let all: Option<Vec<_>> = list(raw)?.iter().map(|one| data(one, 0)).collect();
    let all = json!(all?);
    serde_json::from_value::<Vec<kernel::policy::Rule>>(all.clone()).ok()?;
    Some(all)
}

/// Plain data; what has no exact form in JSON is refused.
fn data(raw: &Raw, depth: usize) -> Option<serde_json::Value> {
    if depth > DEPTH_MAX {
        return None;
    }
    match raw {
        Raw::Text(text) => Some(json!(text)),
        Raw::Whole(number) => Some(json!(number)),
        Raw::Bool(yes) => Some(json!(yes)),
        Raw::List(all) => {
            let all: Option<Vec<_>> = all.iter().map(|one| data(one, depth + 1)).collect();
            all.map(|all| json!(all))
        }
        Raw::Table(table) => {
            let all: Option<BTreeMap<_, _>> =
                table.iter().map(|(k, v)| Some((k, data(v, depth + 1)?))).collect();
            all.map(|all| json!(all))
        }
        Raw::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::raw::literal;

    #[test]
    fn dollars_are_kept_as_millionths() {
        for (text, kept) in
            [("5", 5_000_000), ("2.5", 2_500_000), ("0.000001", 1), ("2.50", 2_500_000)]
        {
            assert_eq!(micros(text), Some(kept), "{text}");
        }
    }

    #[test]
    fn forms_take_what_fits() {
        let table = [
            (Shape::Word, "\"developer\"", true),
            (Shape::Word, "\"Dev\"", false),
            (Shape::Members, "[\"a\", \"b\"]", true),
            (Shape::Members, "[]", false),
            (Shape::Members, "[\"a\", \"a\"]", false),
            (Shape::Members, "[\"ext\"]", false),
            (Shape::Members, "[\"a-b\"]", false),
            (Shape::Members, "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\"]", false),
            (Shape::Hosts, "[\"example.org:443\", \"[::1]:80\"]", true),
            (Shape::Hosts, "[\"example.org\"]", false),
            (Shape::Hosts, "[\"example.org:0\"]", false),
            (Shape::Program, "\"codex\"", true),
            (Shape::Program, "\"/opt/codex\"", true),
            (Shape::Program, "\"./codex\"", false),
            (Shape::Program, "\"bin/codex\"", false),
            (Shape::Pointer, "\"\"", true),
            (Shape::Pointer, "\"/a~1b\"", true),
            (Shape::Pointer, "\"/a~2\"", false),
            (Shape::Pointer, "\"a\"", false),
            (Shape::Session, "\"local\"", true),
            (Shape::Session, "\"/id\"", true),
            (Shape::Session, "\"other\"", false),
            (Shape::Final, "{ pointer = \"/t\", equals = 1 }", true),
            (Shape::Final, "{ pointer = \"/t\" }", false),
            (Shape::Final, "{ pointer = \"/t\", equals = 1, more = 2 }", false),
            (Shape::Exits, "[0, 255]", true),
            (Shape::Exits, "[256]", false),
            (Shape::Exits, "[]", false),
            (Shape::Object, "{ a = [1, { b = true }] }", true),
            (Shape::Object, "{ a = 1.5 }", false),
            (Shape::Object, "1", false),
            (Shape::Money, "5", true),
            (Shape::Money, "\"0.000001\"", true),
            (Shape::Money, "\"0.0000001\"", false),
            (Shape::Money, "-1", false),
            (Shape::Money, "\"1e3\"", false),
            (Shape::Money, "1000001", false),
        ];
        for (shape, text, fits) in table {
            let raw = literal(text).unwrap_or(Raw::Other);
            assert_eq!(read(shape, &raw).is_some(), fits, "{shape:?} {text}");
        }
    }
}
