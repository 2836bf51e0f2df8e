//! What an operation on the knowledge base left to a person, in words: what stood in its way, what
//! it did not know, what it could not archive, how the base stands now, and where its copy is.

use serde_json::Value;

use crate::words::{Lang, say};

/// One line for each; the states of a base that is whole and the copy of one that was archived say
/// nothing.
#[must_use]
pub fn left(lang: Lang, report: &Value) -> Vec<String> {
    let context = &report["context"];
    let each = |name: &str| context[name].as_array().into_iter().flatten();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    for path in each("conflicts") {
        lines.push(format!("⚠️ {}", say(lang, "session-left-conflict", &[("path", &word(path))])));
    }
    for path in each("left") {
        lines.push(format!("⚠️ {}", say(lang, "session-left-person", &[("path", &word(path))])));
    }
    for failed in each("failed") {
        let (name, error) = (word(&failed["name"]), word(&failed["error"]["code"]));
        let told = say(lang, "session-left-unarchived", &[("name", &name), ("error", &error)]);
        lines.push(format!("❌ {told}"));
    }
    if let Some(state) = context["state"].as_str().filter(|state| *state != "ok") {
        let state = say(lang, &format!("kb-state-{state}"), &[]);
        lines.push(say(lang, "session-left-state", &[("state", &state)]));
    }
    if let Some(path) = context["backup"].as_str() {
        lines.push(say(lang, "session-left-backup", &[("path", &path)]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_that_is_left_goes_unsaid() {
        let report = json!({ "context": {
            "conflicts": ["modules/auth.md"], "left": ["notes.txt"], "state": "old",
            "failed": [{ "name": "202601221030_x", "error": { "code": "E_IO" } }],
            "backup": "loopwright_backup_20260122110000",
        }});
        for lang in Lang::ALL {
            let told = left(lang, &report);
            assert_eq!(told.len(), 5, "{told:?}");
            let text = told.join("\n");
            for fact in ["modules/auth.md", "notes.txt", "202601221030_x", "E_IO", "backup_2026"] {
                assert!(text.contains(fact), "{text}");
            }
            assert!(!text.contains("session-") && !text.contains("kb-state"), "{text}");
            assert!(left(lang, &json!({ "context": { "state": "ok" } })).is_empty());
        }
    }
}
