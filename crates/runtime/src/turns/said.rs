//! How the words of planners and agents are read: one JSON object among them, or what is wrong.

use kernel::agent::Issue;
use kernel::turn::{self, Answer, Closing, Flaw, Wrong};
use serde_json::Value;

use crate::agents::structured::{self, Found, Kind};

/// Any object: what must be in it is looked at by its own reader, which knows other names for the
/// same things and says what is wrong in words a model can use.
const OBJECT: &str = r#"{"type":"object"}"#;

/// Reads a planner's words.
///
/// # Errors
/// What is wrong with them, for the planner to read.
pub fn planned(text: &str) -> Result<Answer, Flaw> {
    turn::read_answer(&object(text)?)
}

/// How an agent's words end its step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// By the object that was asked for.
    Object(Closing),
    /// By a bare word, as older prompts wanted it; people are warned.
    Bare(Closing),
    /// By none: what it did is looked at all the same.
    Silent,
    /// By one that nobody can read.
    Wrong(Flaw),
}

/// Reads how an agent ends its step.
#[must_use]
pub fn closing(text: &str) -> Closed {
    match object(text) {
        Ok(value) if value.get("control").is_some() => match turn::read_control(&value) {
            Ok(closing) => Closed::Object(closing),
            Err(flaw) => Closed::Wrong(flaw),
        },
        Err(flaw) if flaw.what == Wrong::TwoObjects => Closed::Wrong(flaw),
        Ok(_) | Err(_) => match turn::read_bare(text) {
            Some(control) => Closed::Bare(Closing { control, unchanged: Vec::new() }),
            None => Closed::Silent,
        },
    }
}

fn object(text: &str) -> Result<Value, Flaw> {
    let (kind, issues) = match structured::extract(text, OBJECT) {
        Ok(Found::Valid(value)) => return Ok(value),
        Ok(Found::Invalid { kind, issues }) => (kind, issues),
        Err(_) => (Kind::NotJson, Vec::new()),
    };
    let what = match kind {
        Kind::Schema => Wrong::Schema,
        Kind::NotJson => Wrong::NotJson,
        Kind::TwoObjects => Wrong::TwoObjects,
    };
    let told =
        |one: &Issue| format!("{} expected {}, found {}", one.pointer, one.expected, one.found);
    let found = match kind {
        Kind::NotJson if issues.is_empty() => breaks(text).unwrap_or_default(),
        Kind::Schema | Kind::NotJson | Kind::TwoObjects => {
            issues.iter().map(told).collect::<Vec<_>>().join("; ")
        }
    };
    Err(Flaw { what, path: String::new(), found: found.trim().to_owned() })
}

/// Where what looks like the object stops being JSON: line and column in the whole text.
fn breaks(text: &str) -> Option<String> {
    let start = text.find('{')?;
    let end = text.rfind('}').map_or(text.len(), |end| end + 1);
    let (before, object) = (&text[..start], text.get(start..end).unwrap_or(&text[start..]));
    // Blanks in place of what stands before it keep the count of lines and columns.
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let padded: String = before.chars().map(blank).chain(object.chars()).collect();
    turn::read_text(&padded).err().filter(|flaw| flaw.what == Wrong::NotJson).map(|flaw| flaw.found)
}

#[cfg(test)]
mod tests {
    use kernel::turn::Control;

    use super::*;

    const PLAN: &str = r#"{"type":"FullPlan","title":"g","steps":[{"id":"s1","description":"t"}]}"#;

    #[test]
    fn a_planner_may_talk_around_its_plan() {
        let table = [
            PLAN.to_owned(),
            format!("Here it is:\n```json\n{PLAN}\n```\nGood luck."),
            format!("I thought about it. {PLAN} That is all."),
        ];
        for text in table {
            let Ok(Answer::Full(plan)) = planned(&text) else { panic!("{text}") };
            assert_eq!(plan.steps[0].step_id.as_deref(), Some("s1"), "other names are read");
        }
        let two = format!("```json\n{PLAN}\n```\n```json\n{{\"type\":\"Questions\"}}\n```");
        assert_eq!(planned(&two).unwrap_err().what, Wrong::TwoObjects);
        assert_eq!(planned("I can't.").unwrap_err().what, Wrong::NotJson);
    }

    /// Nobody was told where a plan stopped being one.
    #[test]
    fn reg_what_is_nearly_json_is_told_with_its_line() {
        let table = [
            (
                "Here:\n```json\n{\"type\": \"FullPlan\",\n  oops }\n```",
                "line 4, column 3: key must",
            ),
            ("{\"a\": 1", "line 1, column 7: EOF while"),
            ("Well, {\"a\" 1} is it", "line 1, column 12: expected `:`"),
            ("{\"a\":1,\"a\":2}", "expected every key once, found a"),
            ("[1]", "expected type \"object\", found [1]"),
        ];
        for (text, expected) in table {
            let flaw = planned(text).unwrap_err();
            assert!(flaw.found.starts_with(expected), "{text}: {}", flaw.found);
        }
        assert_eq!(planned("I can't.").unwrap_err().found, "");
    }

    #[test]
    fn an_agent_ends_its_step_or_is_judged_by_what_it_did() {
        let done = Closing::default();
        let table = [
            ("Done.\n{\"control\":\"step_done\"}", Closed::Object(done.clone())),
            ("All good\nSTEP_DONE", Closed::Bare(done)),
            ("I changed the list.", Closed::Silent),
            ("{\"note\": \"no control in it\"}", Closed::Silent),
        ];
        for (text, expected) in table {
            assert_eq!(closing(text), expected, "{text}");
        }
        assert!(matches!(closing("{\"control\":\"approve\"}"), Closed::Wrong(_)));
        let Closed::Bare(replan) = closing("REPLAN") else { panic!("a bare word") };
        assert_eq!(replan.control, Control::Replan { reason: String::new() });
    }
}
