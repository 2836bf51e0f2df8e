//! A file's value together with the line of everything in it, by JSON Pointer, so that whatever is
//! wrong can be named where it stands. It knows shapes, not what plans mean.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::agents::strict;

/// A value and its places.
#[derive(Debug, Default)]
pub struct Placed {
    /// The value.
    pub value: Value,
    /// Where each part of it stands, from line 1.
    lines: BTreeMap<String, usize>,
}

/// Where a text stops being what it should be.
#[derive(Debug, PartialEq, Eq)]
pub struct Broken {
    /// The line, from 1.
    pub line: usize,
    /// What the parser said.
    pub why: String,
}

impl Placed {
    /// The line of a place, or of the nearest one above it that is written down.
    #[must_use]
    pub fn line(&self, pointer: &str) -> usize {
        let mut at = pointer;
        loop {
            if let Some(line) = self.lines.get(at) {
                return *line;
            }
            let Some((above, _)) = at.rsplit_once('/') else { return 1 };
            at = above;
        }
    }

    /// The first place at or below this one whose key has this name.
    #[must_use]
    pub fn named(&self, above: &str, name: &str) -> Option<&str> {
        let fits = |place: &&String| {
            place.starts_with(above) && place.rsplit_once('/').is_some_and(|(_, last)| last == name)
        };
        self.lines.keys().find(fits).map(String::as_str)
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

fn below(above: &str, name: &str) -> String {
    format!("{above}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Reads TOML.
///
/// # Errors
/// Where it stops being TOML.
pub fn of_toml(text: &str) -> Result<Placed, Broken> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        Broken { line, why: error.message().to_owned() }
    })?;
    let mut placed = Placed::default();
    placed.value = Value::Object(from_table(text, "", table.get_ref(), &mut placed.lines));
    Ok(placed)
}

fn from_table(
    text: &str,
    above: &str,
    table: &DeTable<'_>,
    lines: &mut BTreeMap<String, usize>,
) -> Map<String, Value> {
    let mut map = Map::new();
    for (name, value) in table {
        let place = below(above, name.get_ref());
        let line = line_of(text, name.span().start);
        map.insert(name.get_ref().to_string(), from_toml(text, &place, value, lines));
        lines.insert(place, line);
    }
    map
}

fn from_toml(
    text: &str,
    place: &str,
    value: &Spanned<DeValue<'_>>,
    lines: &mut BTreeMap<String, usize>,
) -> Value {
    match value.get_ref() {
        DeValue::String(words) => Value::String(words.to_string()),
        DeValue::Boolean(word) => Value::Bool(*word),
        DeValue::Integer(number) => {
            let whole = i64::from_str_radix(number.as_str(), number.radix());
            whole.map_or_else(|_| Value::String(number.as_str().to_owned()), Value::from)
        }
        DeValue::Float(number) => {
            let part = number.as_str().parse().ok().and_then(Number::from_f64);
            part.map_or_else(|| Value::String(number.as_str().to_owned()), Value::Number)
        }
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Array(items) => {
            let mut all = Vec::new();
            for (n, item) in items.iter().enumerate() {
                let place = below(place, &n.to_string());
                lines.insert(place.clone(), line_of(text, item.span().start));
                all.push(from_toml(text, &place, item, lines));
            }
            Value::Array(all)
        }
        DeValue::Table(table) => Value::Object(from_table(text, place, table, lines)),
    }
}

/// Reads JSON: every key once, not too deep.
///
/// # Errors
/// Where it stops being JSON.
pub fn of_json(text: &str) -> Result<Placed, Broken> {
    if let Err(why) = serde_json::from_str::<serde::de::IgnoredAny>(text) {
        return Err(Broken { line: why.line().max(1), why: why.to_string() });
    }
    let value = strict::parse(text).map_err(|fault| match fault {
        strict::Fault::DuplicateKey(key) => {
            let line = text.rfind(&format!("\"{key}\"")).map_or(1, |at| line_of(text, at));
            Broken { line, why: format!("duplicate key {key}") }
        }
        strict::Fault::NotJson | strict::Fault::TooDeep | strict::Fault::TooLarge => {
            Broken { line: 1, why: format!("{fault:?}") }
        }
    })?;
    let mut lines = BTreeMap::new();
    Walk { text, at: 0 }.value("", &mut lines);
    Ok(Placed { value, lines })
}

/// Finds the places in a text that is known to be JSON.
struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl Walk<'_> {
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn value(&mut self, place: &str, lines: &mut BTreeMap<String, usize>) {
        match self.peek() {
            Some(b'{') => self.members(b'}', place, lines),
            Some(b'[') => self.members(b']', place, lines),
            Some(b'"') => drop(self.string()),
            Some(_) | None => {
                let rest = &self.text[self.at..];
                let end = rest.find([',', '}', ']']).unwrap_or(rest.len());
                self.at += end;
            }
        }
    }

    fn members(&mut self, close: u8, place: &str, lines: &mut BTreeMap<String, usize>) {
        self.at += 1;
        let mut n = 0_usize;
        while let Some(next) = self.peek() {
            if next == close {
                self.at += 1;
                return;
            }
            if next == b',' {
                self.at += 1;
                continue;
            }
            let line = line_of(self.text, self.at);
            let name = if close == b'}' {
                let name = self.string();
                // The colon.
                self.peek();
                self.at += 1;
                name
            } else {
                n.to_string()
            };
            let inner = below(place, &name);
            lines.insert(inner.clone(), line);
            self.value(&inner, lines);
            n += 1;
        }
    }

    /// The string that begins here; afterwards the walk stands behind it.
    fn string(&mut self) -> String {
        let mut words = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter();
        let found: Option<String> = words.next().and_then(Result::ok);
        self.at += words.byte_offset();
        found.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_give_the_same_value_with_its_lines() {
        let toml = "goal = \"g\"\n\n[[steps]]\ntitle = \"a\"\ntool_calls = [\n  \
                    { name = \"read\" },\n]\n\n[[steps]]\ntitle = \"b\"\n";
        let json = "{\n \"goal\": \"g\",\n \"steps\": [\n  {\"title\": \"a\",\n   \
                    \"tool_calls\": [ {\"name\": \"read\"} ]},\n  {\"title\": \"b\"}\n ]\n}";
        let (toml, json) = (of_toml(toml).unwrap(), of_json(json).unwrap());
        assert_eq!(toml.value, json.value);
        assert_eq!(toml.value["steps"][1], json!({ "title": "b" }));
        let table = [
            ("/goal", 1, 2),
            ("/steps/0/title", 4, 4),
            ("/steps/0/tool_calls/0/name", 6, 5),
            ("/steps/1/title", 10, 6),
            ("/steps/1/depends_on", 9, 6),
        ];
        for (place, in_toml, in_json) in table {
            assert_eq!((toml.line(place), json.line(place)), (in_toml, in_json), "{place}");
        }
        assert_eq!(json.named("/steps/0", "name"), Some("/steps/0/tool_calls/0/name"));
        assert_eq!(json.named("/steps/1", "name"), None);
    }

    #[test]
    fn a_break_is_named_by_its_line() {
        assert_eq!(of_toml("goal = \"g\"\nsteps = [").unwrap_err().line, 2);
        assert_eq!(of_toml("goal = 1\ngoal = 2").unwrap_err().line, 2);
        assert_eq!(of_json("{\n \"a\": 1,\n oops }").unwrap_err().line, 3);
        assert_eq!(of_json("{\n \"a\": 1,\n \"a\": 2 }").unwrap_err().line, 3);
    }

    #[test]
    fn strings_that_look_like_structure_are_strings() {
        let placed =
            of_json("{\"a,]}\\\"\": \"x{[\",\n\"b\": [1, \"]\",\n{\"c\": null}]}").unwrap();
        assert_eq!(placed.line("/b"), 2);
        assert_eq!(placed.line("/b/2/c"), 3);
    }
}
