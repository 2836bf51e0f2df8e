//! What a lifecycle recorded in words of its own, told in the reader's language: warnings, why it
//! was halted, who spoke. What people and agents wrote themselves is told as it stands.

use std::fmt::Display;

use kernel::errors::Class;
use kernel::lifecycle::document::{Legend, read_mark};
use kernel::lifecycle::{Note, NoteKind};

use serde_json::Value;

use super::lifecycle_view::told_summary;
use crate::words::{self, Lang};

/// A warning of the work begins with one of these words.
const WARNINGS: [&str; 6] =
    ["no_checkpoint", "flaky", "self_modifying", "unavailable", "fail", "empty"];
/// A halt by somebody who stopped the turn begins so.
const CANCELLED: &str = "cancelled ";

/// A note as it stands on the page.
#[must_use]
pub fn told_note(note: &Note, lang: Lang) -> String {
    match note.kind {
        NoteKind::Warning => told_warning(&note.text, lang),
        NoteKind::Progress | NoteKind::Scratch | NoteKind::Error | NoteKind::Decision => {
            note.text.clone()
        }
    }
}

/// A warning: recorded as `word: what` by the work, and as `line: word found` by a plan document.
#[must_use]
pub fn told_warning(text: &str, lang: Lang) -> String {
    let told = text.split_once(": ").and_then(|(head, rest)| match head.parse::<usize>() {
        Ok(line) => of_document(line, rest, lang),
        Err(_) => of_work(head, rest, lang),
    });
    told.unwrap_or_else(|| text.to_owned())
}

fn of_work(word: &str, rest: &str, lang: Lang) -> Option<String> {
    let key = WARNINGS.contains(&word).then(|| format!("lifecycle-warned-{word}"))?;
    words::find(lang, &key, &[("what", &told_detail(rest, lang))])
}

fn of_document(line: usize, rest: &str, lang: Lang) -> Option<String> {
    let (word, found) = rest.split_once(' ').unwrap_or((rest, ""));
    let status = read_mark(found, Legend::None).status.said();
    let args: [(&str, &dyn Display); 3] = [("line", &line), ("found", &found), ("status", &status)];
    words::find(lang, &format!("lifecycle-mark-{word}"), &args)
}

/// What belongs to a halt: a code and its kind, a check's id before them, or whoever stopped it.
#[must_use]
pub fn told_detail(detail: &str, lang: Lang) -> String {
    if let Some(by) = detail.strip_prefix(CANCELLED) {
        return words::say(lang, "lifecycle-halted-cancelled", &[("by", &told_by(by, lang))]);
    }
    if let Some(told) = stopped(detail, lang) {
        return told;
    }
    if let Some(rule) = rule(detail) {
        return words::say(lang, "lifecycle-halted-rule", &[("rule", &rule)]);
    }
    told_summary(detail, lang)
}

/// Where a rollback stopped and what is left of it: recorded as the report of its call.
fn stopped(detail: &str, lang: Lang) -> Option<String> {
    let told: Value = serde_json::from_str(detail).ok()?;
    let places = [&told, &told["report"], &told["details"]["report"]];
    let report = places.into_iter().find(|place| place["rollback_id"].is_string())?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let count = |name: &str| report[name].as_array().map_or(0, Vec::len);
    let (code, kind) = (text(&report["error"][0]), text(&report["error"][1]));
    let why = told_summary(format!("{code} {kind}").trim(), lang);
    let (at, undo) = (text(&report["failed_at"]["path"]), text(&report["undo"]));
    let at = if at.is_empty() { "-".to_owned() } else { at };
    let (done, left) = (count("done"), count("pending"));
    let args: [(&str, &dyn Display); 5] =
        [("why", &why), ("at", &at), ("done", &done), ("left", &left), ("undo", &undo)];
    Some(words::say(lang, "lifecycle-halted-rollback", &args))
}

/// The rule that denied it: recorded as `CODE policy rule`.
fn rule(detail: &str) -> Option<&str> {
    let rest = detail.strip_prefix(Class::PolicyDenied.name())?;
    rest.strip_prefix(" policy ").map(str::trim).filter(|rule| !rule.is_empty())
}

/// Whoever spoke; a name that is none of ours as it is.
#[must_use]
pub fn told_by(by: &str, lang: Lang) -> String {
    words::find(lang, &format!("speaker-{by}"), &[]).unwrap_or_else(|| by.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_word(text: &str) -> bool {
        let word = |part: &str| {
            part.contains('_') && part.chars().all(|c| c == '_' || c.is_ascii_lowercase())
        };
        text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(word)
    }

    #[test]
    fn no_warning_shows_a_word_of_ours() {
        let table = [
            "no_checkpoint: E_IO no_space /w",
            "flaky: lint",
            "self_modifying: lint",
            "unavailable: lint: E_IO spawn",
            "unavailable: lint",
            "fail: lint",
            "empty: lint",
            "3: foreign_mark x",
            "3: unknown_mark ~",
            "3: ambiguous_mark X",
            "3: mark_disagrees ✅ FAILED",
            "3: command_in_prose make",
        ];
        for text in table {
            for lang in Lang::ALL {
                let told = told_warning(text, lang);
                assert!(told != text && !code_word(&told), "{text}: {told}");
            }
        }
        assert_eq!(
            told_warning("flaky: lint", Lang::En),
            "lint passed on the very files it had failed on"
        );
        assert_eq!(told_warning("fail: lint", Lang::Zh), "lint 失败，但不是必需的检查");
        assert_eq!(told_warning("remember: the timeout", Lang::En), "remember: the timeout");
    }

    #[test]
    fn what_was_written_by_others_is_told_as_it_stands() {
        for kind in [NoteKind::Progress, NoteKind::Scratch, NoteKind::Error, NoteKind::Decision] {
            let text = "fail: lint".to_owned();
            let at = kernel::machine::At(1);
            let note = Note { at, by: "agent".to_owned(), kind, task: None, text };
            assert_eq!(told_note(&note, Lang::Zh), "fail: lint");
        }
    }

    #[test]
    fn what_halts_is_told_in_words() {
        let table = [
            ("cancelled person", Lang::En, "the turn was cancelled by a person"),
            ("cancelled person", Lang::Zh, "该回合已由用户取消"),
            ("T-1/1: E_IO spawn", Lang::En, "T-1/1: the program could not be started"),
            ("E_POLICY_DENIED policy confine", Lang::En, "the rule confine denies it"),
            ("E_TOOL_TIMEOUT deadline call", Lang::Zh, "超过期限 (call)"),
            ("main -> dev", Lang::En, "main -> dev"),
        ];
        for (detail, lang, expected) in table {
            assert_eq!(told_detail(detail, lang), expected, "{detail}");
        }
    }

    #[test]
    fn a_rollback_that_stopped_is_told_in_words() {
        let report = serde_json::json!({
            "rollback_id": "r-1", "state": "stopped", "done": ["a", "b"], "aside": [], "kept": [],
            "not_covered": [], "failed_at": { "phase": "restore", "path": "c.txt" },
            "error": ["E_IO", "no_space"], "pending": ["c.txt"], "undo": "chk-202602081200",
        });
        let wrapped = serde_json::json!({ "kind": "no_space", "report": report });
        for detail in [report.to_string(), wrapped.to_string()] {
            for lang in Lang::ALL {
                let told = told_detail(&detail, lang);
                let parts = ["c.txt", "2", "1", "chk-202602081200"];
                assert!(parts.iter().all(|part| told.contains(part)), "{told}");
                assert!(!told.contains(['{', '"']) && !code_word(&told), "{told}");
            }
        }
        assert_eq!(told_detail("{\"other\": 1}", Lang::En), "{\"other\": 1}");
    }

    #[test]
    fn every_speaker_has_a_word() {
        for by in ["person", "guest", "agent", "parent", "file", "timer", "engine", "policy"] {
            for lang in Lang::ALL {
                assert_ne!(told_by(by, lang), by, "{lang}");
            }
        }
    }
}
