//! What an agent is told about the form of its answer: one wording for every machine that wants
//! JSON of an agent, for the first time and once more.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::ask::{BAD_ANSWER_BYTES_MAX, Part};
use super::report::Issue;

/// Issues that are kept of an answer and told in a correction; more would hide the first ones.
pub const ISSUES_MAX: usize = 20;
/// Bytes of one value in a list of issues; a whole answer does not belong there.
const ISSUE_BYTES: usize = 200;

/// Asks for one JSON value that meets a schema, in the run's language.
#[must_use]
pub fn ask_json(lang: &str, schema: &str) -> String {
    if chinese(lang) {
        format!("只回答一个 JSON 值，不要任何其他内容。它必须符合以下 JSON Schema：\n{schema}")
    } else {
        format!(
            "Answer with one JSON value and nothing else. It must meet this JSON Schema:\n{schema}"
        )
    }
}

/// Says what is wrong with the form of the last answer, one issue a line.
#[must_use]
pub fn wrong_form(lang: &str, issues: &[Issue]) -> String {
    let mut text = String::from(if chinese(lang) {
        "上一个答案的格式不符合要求。请改正以下问题后重新给出完整答案："
    } else {
        "The last answer has not the form that was asked for. Correct the following and give the \
         complete answer again:"
    });
    for issue in issues.iter().take(ISSUES_MAX) {
        text.push('\n');
        text.push_str(&line(issue, lang));
    }
    text
}

/// What stands before the answer that is to be corrected in a new conversation.
#[must_use]
pub const fn earlier_answer(lang: &str) -> &'static str {
    if chinese(lang) { "\n\n你之前的回答是：\n" } else { "\n\nYour earlier answer was:\n" }
}

/// The words of a correction in a new conversation: those of the first time, the answer as it was,
/// named by its call and digest, and what is wrong with it.
#[must_use]
pub fn corrected_anew(
    mut first: Vec<Part>,
    (call, sha256): (&str, &str),
    wrong: String,
    lang: &str,
) -> Vec<Part> {
    first.push(Part::Text(earlier_answer(lang).into()));
    let (call, sha256) = (call.into(), sha256.into());
    first.push(Part::Answer { call, sha256, bytes_max: BAD_ANSWER_BYTES_MAX });
    first.extend(["\n\n".into(), wrong].map(Part::Text));
    first
}

fn line(issue: &Issue, lang: &str) -> String {
    let at = if issue.pointer.is_empty() { "/" } else { issue.pointer.as_str() };
    let (expected, found) = (cut(&issue.expected), cut(&issue.found));
    if chinese(lang) {
        format!("- {at}：应为 {expected}，实为 {found}")
    } else {
        format!("- {at}: expected {expected}, found {found}")
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(ISSUE_BYTES)]
}

const fn chinese(lang: &str) -> bool {
    matches!(lang.as_bytes(), [b'z', b'h', ..])
}
