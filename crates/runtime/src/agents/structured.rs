//! The one way JSON is taken out of an agent's words: the whole text, else its fenced blocks, else
//! what lies between the outer braces. Two different answers are none.

use kernel::agent::Issue;
use serde_json::Value;

use super::schema::{BadSchema, Schema};
use super::strict::{self, Fault};

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// One value that meets the schema.
    Valid(Value),
    /// None.
    Invalid {
        /// Why.
        kind: Kind,
        /// What is wrong, capped.
        issues: Vec<Issue>,
    },
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// There is JSON, and it does not meet the schema.
    Schema,
    /// There is no JSON that we take.
    NotJson,
    /// There are two that do.
    TwoObjects,
}

impl Kind {
    /// Its word in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::NotJson => "not_json",
            Self::TwoObjects => "two_objects",
        }
    }
}

/// What `text` holds of the form that `schema` describes.
///
/// # Errors
/// When the schema itself is none.
pub fn extract(text: &str, schema: &str) -> Result<Found, BadSchema> {
    let schema = Schema::read(schema)?;
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut wrong = Wrong::default();
    let stages: [fn(&str, &Schema) -> Vec<String>; 3] = [whole, fenced, between];
    for stage in stages {
        let mut values: Vec<Value> = Vec::new();
        for candidate in stage(text, &schema) {
            match judge(&candidate, &schema) {
                Ok(value) if !values.contains(&value) => values.push(value),
                Ok(_) => {}
                Err(fault) => wrong.note(fault),
            }
        }
        match values.len() {
            0 => {}
            1 => return Ok(Found::Valid(values.remove(0))),
            _ => return Ok(Found::Invalid { kind: Kind::TwoObjects, issues: Vec::new() }),
        }
    }
    Ok(wrong.told())
}

/// Why no candidate was taken. The first that was JSON says the most.
#[derive(Default)]
struct Wrong {
    schema: Option<Vec<Issue>>,
    refused: Option<Issue>,
}

impl Wrong {
    fn note(&mut self, fault: Unfit) {
        match fault {
            Unfit::Not => {}
            Unfit::Refused(issue) => self.refused = self.refused.take().or(Some(issue)),
            Unfit::Issues(issues) => self.schema = self.schema.take().or(Some(issues)),
        }
    }

    fn told(self) -> Found {
        match (self.schema, self.refused) {
            (Some(issues), _) => Found::Invalid { kind: Kind::Schema, issues },
            (None, refused) => {
                Found::Invalid { kind: Kind::NotJson, issues: refused.into_iter().collect() }
            }
        }
    }
}

enum Unfit {
    Not,
    Refused(Issue),
    Issues(Vec<Issue>),
}

fn judge(candidate: &str, schema: &Schema) -> Result<Value, Unfit> {
    let value = strict::parse(candidate).map_err(|fault| unfit(&fault))?;
    let issues = schema.issues(&value, candidate.len());
    if issues.is_empty() { Ok(value) } else { Err(Unfit::Issues(issues)) }
}

fn unfit(fault: &Fault) -> Unfit {
    let (expected, found) = match fault {
        Fault::NotJson => return Unfit::Not,
        Fault::DuplicateKey(key) => ("every key once".to_owned(), key.clone()),
        Fault::TooDeep => (format!("depth at most {}", strict::DEPTH_MAX), "deeper".to_owned()),
        Fault::TooLarge => {
            (format!("at most {} bytes", strict::JSON_BYTES_MAX), "larger".to_owned())
        }
    };
    Unfit::Refused(Issue { pointer: String::new(), expected, found })
}

fn whole(text: &str, _: &Schema) -> Vec<String> {
    vec![text.to_owned()]
}

/// The contents of blocks that are marked as JSON or as nothing.
fn fenced(text: &str, _: &Schema) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence<'_>, String)> = None;
    for line in text.lines() {
        match (&mut open, fence(line)) {
            (None, Some(fence)) => open = Some((fence, String::new())),
            (None, None) => {}
            (Some((begun, _)), Some(end)) if end.closes(begun) => blocks.extend(open.take()),
            (Some((_, block)), _) => {
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    blocks.extend(open);
    blocks
        .into_iter()
        .filter(|(fence, _)| fence.info.is_empty() || fence.info.eq_ignore_ascii_case("json"))
        .map(|(_, block)| block)
        .collect()
}

#[derive(Clone, Copy)]
struct Fence<'a> {
    mark: char,
    length: usize,
    info: &'a str,
}

impl Fence<'_> {
    fn closes(&self, begun: &Fence<'_>) -> bool {
        self.mark == begun.mark && self.length >= begun.length && self.info.is_empty()
    }
}

fn fence(line: &str) -> Option<Fence<'_>> {
    let line = line.trim();
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let info = line.trim_start_matches(mark);
    let length = line.len() - info.len();
    (length >= 3).then(|| Fence { mark, length, info: info.trim() })
}

fn between(text: &str, schema: &Schema) -> Vec<String> {
    let (first, last) = if schema.wants_list() { ('[', ']') } else { ('{', '}') };
    match (text.find(first), text.rfind(last)) {
        (Some(start), Some(end)) if start < end => vec![text[start..=end].to_owned()],
        (_, _) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &str =
        r#"{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}"#;

    fn word(text: &str, schema: &str) -> String {
        match extract(text, schema).unwrap() {
            Found::Valid(value) => value.to_string(),
            Found::Invalid { kind, issues } => format!("{} {}", kind.name(), issues.len()),
        }
    }

    #[test]
    fn answers_by_stage() {
        let yes = r#"{"ok":true}"#;
        let list = r#"{"type":"array"}"#;
        let table = [
            ("\u{feff}\n {\"ok\":true} \n".to_owned(), OK, yes),
            ("Here:\n```json\n{\"ok\":true}\n```\nDone {x}.".to_owned(), OK, yes),
            ("```\n{\"ok\":true}\n```\n~~~JSON\n{ \"ok\" : true }\n~~~".to_owned(), OK, yes),
            ("  - a\n    ```json\n    {\"ok\":true}\n    ```".to_owned(), OK, yes),
            (
                "```json\n{\"ok\":true}\n```\n```json\n{\"ok\":false}\n```".to_owned(),
                OK,
                "two_objects 0",
            ),
            ("```json\n{\"ok\":true}\n```\n```json\n{\"no\":1}\n```".to_owned(), OK, yes),
            ("```rust\n{\"ok\":true}\n```".to_owned(), OK, yes),
            ("````json\n{\"ok\":true}\n```\n````".to_owned(), OK, yes),
            ("Sure! {\"ok\":true} as asked".to_owned(), OK, yes),
            ("a { in prose only".to_owned(), OK, "not_json 0"),
            ("} before {".to_owned(), OK, "not_json 0"),
            (String::new(), OK, "not_json 0"),
            ("{\"ok\":\"yes\"}".to_owned(), OK, "schema 1"),
            ("{\"ok\":true,\"ok\":true}".to_owned(), OK, "not_json 1"),
            ("x [1,2] y".to_owned(), list, "[1,2]"),
            ("x {\"a\":[1]} y".to_owned(), list, "[1]"),
            (format!("{}1{}", "[".repeat(70), "]".repeat(70)), list, "not_json 1"),
            (format!("[{}1]", "1,".repeat(3 << 20)), list, "not_json 1"),
        ];
        for (text, schema, expected) in table {
            let start = super::super::fold::cut(&text, 60).to_owned();
            assert_eq!(word(&text, schema), expected, "{start}");
        }
        assert!(extract("{}", "nonsense").is_err());
    }
}
