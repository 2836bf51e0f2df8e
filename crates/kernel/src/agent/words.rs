//! What an agent is told about the form of its answer: one wording for every machine that wants
//! JSON of an agent, for the first time and once more.

use alloc::format;
use alloc::string::String;

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

fn chinese(lang: &str) -> bool {
    lang.starts_with("zh")
}
