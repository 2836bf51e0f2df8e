//! What a file, a variable or a flag literally says, with its line, before any rule looks at it.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::redact::Redactor;

/// A value as written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Raw {
    Text(String),
    Whole(i64),
    Bool(bool),
    List(Vec<Raw>),
    Table(BTreeMap<String, Raw>),
    /// Something no setting takes: a fraction, a date, a number out of range.
    Other,
}

/// A value with its dotted path and line.
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) raw: Raw,
}

/// Where a file stops being TOML.
pub(super) struct Broken {
    pub(super) line: usize,
}

/// Reads a file into its leaves. `whole` says which paths are settings, to be taken as they
/// stand; every other table is walked into.
pub(super) fn entries(text: &str, whole: impl Fn(&str) -> bool) -> Result<Vec<Entry>, Broken> {
    let table = DeTable::parse(text)
        .map_err(|error| Broken { line: error.span().map_or(1, |span| line_of(text, &span)) })?;
    let mut found = Vec::new();
    walk(text, "", table.get_ref(), &whole, &mut found);
    Ok(found)
}

fn walk(
    text: &str,
    above: &str,
    table: &DeTable<'_>,
    whole: &impl Fn(&str) -> bool,
    found: &mut Vec<Entry>,
) {
    for (name, value) in table {
        let path = if above.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{above}.{}", name.get_ref())
        };
        if let DeValue::Table(inner) = value.get_ref()
            && !whole(&path)
            && !inner.is_empty()
        {
            walk(text, &path, inner, whole, found);
        } else {
            let line = line_of(text, &name.span());
            found.push(Entry { path, line, raw: raw(value.get_ref()) });
        }
    }
}

fn raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or(Raw::Other, Raw::Whole)
        }
        DeValue::Boolean(yes) => Raw::Bool(*yes),
        DeValue::Array(all) => Raw::List(all.iter().map(Spanned::get_ref).map(raw).collect()),
        DeValue::Table(table) => Raw::Table(
            table.iter().map(|(k, v)| (k.get_ref().to_string(), raw(v.get_ref()))).collect(),
        ),
        DeValue::Float(_) | DeValue::Datetime(_) => Raw::Other,
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|b| *b == b'\n').count() + 1
}

/// A default as it stands in the table of settings.
pub(super) fn literal(text: &str) -> Option<Raw> {
    let line = format!("x = {text}");
    entries(&line, |_| true).ok()?.into_iter().next().map(|entry| entry.raw)
}

/// A text that redaction would take out does not belong into a file.
pub(super) fn holds_credential(raw: &Raw, literal: &Redactor) -> bool {
    match raw {
        Raw::Text(text) => literal.redact_text(text) != *text,
        Raw::List(all) => all.iter().any(|one| holds_credential(one, literal)),
        Raw::Table(table) => table.values().any(|one| holds_credential(one, literal)),
        Raw::Whole(_) | Raw::Bool(_) | Raw::Other => false,
    }
}
