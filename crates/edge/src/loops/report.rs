//! What an outside skill says it did, as JSON or as the block of text that skills print. What of it
//! counts is the machine's business.

use kernel::errors::Class;
use runtime::views::SkillTold;
use serde_json::json;

use crate::problem::Raised;
use crate::site::class;

fn bad(field: &str, found: &str, expected: &str) -> Raised {
    let details =
        json!({ "kind": "bad_value", "path": field, "asked": found, "expected": [expected] });
    class(Class::InvalidArgs, details)
}

/// Reads either form.
///
/// # Errors
/// What is neither, and which part of it.
pub fn told(text: &str) -> Result<SkillTold, Raised> {
    if text.trim_start().starts_with('{') {
        return serde_json::from_str(text).map_err(|why| bad("$", &why.to_string(), "JSON"));
    }
    block(text)
}

/// Where in the block a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before,
    Result,
    Files,
    After,
}

/// `ACTION_RESULT:`, `FILES_UPDATED:`, `NEXT_ACTION_NEEDED:`. What stands around them is a skill's
/// own talk.
fn block(text: &str) -> Result<SkillTold, Raised> {
    let mut told = SkillTold::default();
    let mut part = Part::Before;
    for line in text.lines().map(str::trim) {
        part = match line.split_once(':').map(|(word, _)| word) {
            Some("ACTION_RESULT") => Part::Result,
            Some("FILES_UPDATED") => Part::Files,
            Some("NEXT_ACTION_NEEDED") => Part::After,
            Some(_) | None => part,
        };
        let Some(item) = line.strip_prefix("- ") else { continue };
        match part {
            Part::Result => field(&mut told, item)?,
            Part::Files => {
                let path = item.split_once(": ").map_or(item, |(path, _)| path);
                told.files_changed.push(path.trim_matches('`').to_owned());
            }
            Part::Before | Part::After => {}
        }
    }
    if told.action.is_none() {
        return Err(bad("action", "-", "ACTION_RESULT: with - action:"));
    }
    Ok(told)
}

fn field(told: &mut SkillTold, item: &str) -> Result<(), Raised> {
    let Some((name, value)) = item.split_once(':') else { return Ok(()) };
    let value = value.trim();
    match name.trim() {
        "action" => told.action = Some(value.to_owned()),
        "status" | "result" => told.result = Some(value.to_ascii_lowercase()),
        "message" => value.clone_into(&mut told.message),
        "state_updates" if !value.is_empty() => {
            let parsed = serde_json::from_str::<serde_json::Value>(value);
            let parsed = parsed.map_err(|why| bad("state_updates", &why.to_string(), "JSON"))?;
            let inner = parsed.get("skill_state").cloned();
            told.skill_state = Some(inner.unwrap_or(parsed));
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let block = "Done.\n\nACTION_RESULT:\n- action: develop\n- status: SUCCESS\n\
            - message: did it\n- state_updates: {\"skill_state\": {\"develop\": {}}}\n\n\
            FILES_UPDATED:\n- src/a.rs: new\n- `b.rs`\n\n\
            NEXT_ACTION_NEEDED: validate\n- not: this\n";
        let json = r#"{"action":"develop","result":"success","message":"did it",
            "skill_state":{"develop":{}},"files_changed":["src/a.rs","b.rs"]}"#;
        let (block, json) = (told(block).unwrap(), told(json).unwrap());
        assert_eq!(block, json);
    }

    #[test]
    fn what_is_no_report_is_told() {
        for text in [
            "",
            "hello",
            "{",
            "{\"actoin\":1}",
            "ACTION_RESULT:\n- status: success\n",
            "ACTION_RESULT:\n- action: develop\n- state_updates: {",
        ] {
            assert!(told(text).is_err(), "{text}");
        }
    }
}
