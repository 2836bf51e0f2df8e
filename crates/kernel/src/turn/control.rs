//! How an agent ends its step: one JSON object, found among its words by whoever reads agents.
//! What it says of itself steers the turn and proves nothing.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Deserialize;
use serde_json::{Value, json};

use super::bounds::QUESTIONS_MAX;
use super::command::Control;
use super::models::Asking;
use super::valid::{Flaw, Wrong};

/// What an agent said at the end of its step.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Closing {
    /// How it ends.
    pub control: Control,
    /// Paths that it says need no change; whether they are there is looked at.
    pub unchanged: Vec<String>,
}

#[derive(Deserialize)]
#[serde(tag = "control", rename_all = "snake_case", deny_unknown_fields)]
enum Said {
    StepDone {
        #[serde(default)]
        unchanged: Vec<String>,
    },
    Replan {
        #[serde(default)]
        reason: String,
    },
    Ask {
        questions: Vec<Asking>,
    },
}

/// Reads the object by which an agent ends its step.
///
/// # Errors
/// What is wrong with it, for the agent to read.
pub fn read_control(value: &Value) -> Result<Closing, Flaw> {
    let said =
        Said::deserialize(value).map_err(|why| Flaw::new(Wrong::Schema, "", why.to_string()))?;
    let control = match said {
        Said::StepDone { unchanged } => return Ok(Closing { control: Control::Done, unchanged }),
        Said::Replan { reason } => Control::Replan { reason },
        Said::Ask { questions } => {
            let blank = questions.iter().any(|one| one.text.trim().is_empty());
            if blank || !(1..=QUESTIONS_MAX).contains(&questions.len()) {
                let found = questions.len().to_string();
                return Err(Flaw::new(Wrong::Schema, "/questions", found));
            }
            Control::Ask { questions }
        }
    };
    Ok(Closing { control, unchanged: Vec::new() })
}

/// Reads a bare word as the last line, as older prompts asked for it; the reader is warned.
#[must_use]
pub fn read_bare(text: &str) -> Option<Control> {
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    if last == "STEP_DONE" {
        return Some(Control::Done);
    }
    (last == "REPLAN").then(|| Control::Replan { reason: String::new() })
}

/// The schema of that object.
#[must_use]
pub fn control_schema() -> Value {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let form = |word: &str, required: &[&str], mut properties: Value| {
        properties["control"] = json!({ "const": word });
        json!({
            "type": "object",
            "required": required,
            "additionalProperties": false,
            "properties": properties,
        })
    };
    let question = json!({
        "type": "object",
        "required": ["text"],
        "additionalProperties": false,
        "properties": { "text": { "type": "string", "minLength": 1 }, "options": texts() },
    });
    let questions =
        json!({ "type": "array", "minItems": 1, "maxItems": QUESTIONS_MAX, "items": question });
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "oneOf": [
            form("step_done", &["control"], json!({ "unchanged": texts() })),
            form("replan", &["control", "reason"], json!({ "reason": { "type": "string" } })),
            form("ask", &["control", "questions"], json!({ "questions": questions })),
        ],
    })
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn an_agent_ends_its_step() {
        let done = Closing { control: Control::Done, unchanged: vec!["src/a.rs".to_string()] };
        let replan = Control::Replan { reason: "no such file".to_string() };
        let asking = |text: &str| Asking { text: text.to_string(), options: vec![] };
        let table = [
            (json!({ "control": "step_done" }), Some(Closing::default())),
            (json!({ "control": "step_done", "unchanged": ["src/a.rs"] }), Some(done)),
            (
                json!({ "control": "replan", "reason": "no such file" }),
                Some(Closing { control: replan, unchanged: vec![] }),
            ),
            (
                json!({ "control": "ask", "questions": [{ "text": "Which?" }] }),
                Some(Closing {
                    control: Control::Ask { questions: vec![asking("Which?")] },
                    unchanged: vec![],
                }),
            ),
            (json!({ "control": "ask", "questions": [] }), None),
            (json!({ "control": "ask", "questions": [{ "text": " " }] }), None),
            (json!({ "control": "ask", "questions": vec![json!({ "text": "x" }); 4] }), None),
            (json!({ "control": "approve" }), None),
            (json!({ "control": "step_done", "approved": true }), None),
            (json!({ "done": true }), None),
            (json!([]), None),
        ];
        for (value, expected) in table {
            assert_eq!(read_control(&value).ok(), expected, "{value}");
        }
    }

    #[test]
    fn bare_words_count_only_as_the_last_line() {
        assert_eq!(read_bare("all good\nSTEP_DONE\n\n"), Some(Control::Done));
        assert_eq!(read_bare(" REPLAN "), Some(Control::Replan { reason: String::new() }));
        assert_eq!(read_bare("STEP_DONE, I think"), None);
        assert_eq!(read_bare("STEP_DONE\nor not"), None);
        assert_eq!(read_bare(""), None);
    }
}
