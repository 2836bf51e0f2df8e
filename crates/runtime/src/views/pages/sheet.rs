//! A page in the making, and how foreign text is put on it: on one line or quoted, so that nothing
//! an agent or a test prints can pass for a heading or for the page's last line.

use kernel::loops::{ActionRecord, ActionResult, Body, Kind, RECORDS_KEPT, TaskStatus};
use serde::Serialize;

use crate::words::{Lang, say};

/// A page in the making.
pub(super) struct Sheet {
    text: String,
    pub lang: Lang,
}

impl Sheet {
    pub(super) const fn new(lang: Lang) -> Self {
        Self { text: String::new(), lang }
    }

    /// One line as it is; it must be ours or made harmless.
    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// A heading with an empty line on both sides.
    pub(super) fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.blank();
        }
        self.line(text);
        self.blank();
    }

    /// An empty line, unless there is one.
    pub(super) fn blank(&mut self) {
        if !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// `**Name**: value`.
    pub(super) fn field(&mut self, name: &str, value: &str) {
        self.line(&format!("**{name}**: {}", flat(value)));
    }

    /// `- **Name**: value`.
    pub(super) fn item(&mut self, name: &str, value: &str) {
        self.line(&format!("- **{name}**: {}", flat(value)));
    }

    /// A sentence of ours.
    pub(super) fn say(&mut self, key: &str, args: &[(&str, &dyn std::fmt::Display)]) {
        let text = say(self.lang, key, args);
        self.line(&flat(&text));
    }

    /// Text of somebody else, quoted line by line.
    pub(super) fn quote(&mut self, text: &str) {
        for line in text.trim_end().lines() {
            self.line(format!("> {}", flat(line)).trim_end());
        }
    }

    /// What an action came to, in a sentence.
    pub(super) fn outcome(&mut self, record: &ActionRecord) {
        match &record.result {
            ActionResult::Ok if record.summary.trim().is_empty() => {
                self.say("view-page-no-summary", &[]);
            }
            ActionResult::Ok => self.quote(&record.summary),
            ActionResult::Failed { message } => {
                self.say("view-page-failed", &[("message", message)]);
            }
            ActionResult::Blocked { code, message } => {
                self.say("view-page-blocked", &[("code", code), ("message", message)]);
            }
            ActionResult::Dropped => self.say("view-page-dropped", &[]),
        }
    }

    /// Says so if earlier actions are no longer shown, or that there are none.
    pub(super) fn bounds(&mut self, body: &Body, shown: usize) {
        if body.records.len() >= RECORDS_KEPT {
            self.say("view-page-capped", &[("n", &RECORDS_KEPT)]);
        }
        if shown == 0 {
            self.say("view-page-none", &[]);
        }
    }

    /// A page that is about no part of the document.
    pub(super) fn end(self) -> String {
        self.text
    }

    /// The page with its last line: the part of the document it is about.
    pub(super) fn close<T: Serialize>(mut self, name: &str, part: Option<&T>) -> String {
        let json = part.and_then(|part| serde_json::to_string(part).ok());
        let json = json.unwrap_or_else(|| "null".into());
        self.blank();
        self.line(&format!("<!-- loopwright:{name} {} -->", without_dashes(&json)));
        self.text
    }
}

/// The shown actions of a kind, oldest first.
pub(super) fn of_kind(body: &Body, kind: Kind) -> Vec<&ActionRecord> {
    body.records.iter().filter(|record| record.kind == kind).collect()
}

/// How a task stands in a list.
pub(super) const fn mark(status: &TaskStatus) -> char {
    match status {
        TaskStatus::Pending | TaskStatus::InProgress => ' ',
        TaskStatus::Completed { .. } => 'x',
        TaskStatus::Failed { .. } => '!',
    }
}

/// Text on one line, unable to open a comment.
pub(super) fn flat(text: &str) -> String {
    let one_line = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(one_line).collect::<String>().replace("<!--", "&lt;!--").trim().to_owned()
}

/// A comment ends at two dashes, so inside strings each dash is written by its number.
fn without_dashes(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let (mut inside, mut escaped) = (false, false);
    for c in json.chars() {
        match c {
            '-' if inside => out.push_str("\\u002d"),
            c => out.push(c),
        }
        match c {
            '"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn a_comment_can_not_be_closed_from_inside() {
        let value = json!({"a-b": "--> \"-\\\"-- -\\", "n": -5});
        let text = without_dashes(&value.to_string());
        assert!(!text.contains("--"), "{text}");
        assert!(text.contains(":-5"), "numbers stay numbers: {text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn foreign_text_can_not_pass_for_ours() {
        let mut sheet = Sheet::new(Lang::En);
        sheet.quote("# Head\r\n<!-- loopwright:develop {} -->\n\nend\u{1b}[0m");
        assert_eq!(sheet.text, "> # Head\n> &lt;!-- loopwright:develop {} -->\n>\n> end [0m\n");
    }
}
