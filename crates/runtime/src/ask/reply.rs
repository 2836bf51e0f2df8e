//! What a reply means. Only an exact label, key or number is a choice: an objection may contain the
//! label that it objects to. Everything else that a person wrote is a comment.

use serde_json::Value;

use crate::query::OpenQuestion;
use crate::words::Lang;

/// How a server writes down what was selected.
const SELECTED: &str = "选择的选项";
/// Words that mean that the person wants none of it.
const CANCELLED: [&str; 6] = ["用户取消了操作", "CANCELLED", "取消", "停止", "cancel", "stop"];

/// What a person meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// One of the options, and what was written beside it.
    Choice {
        /// Its key.
        key: String,
        /// The text that came with it.
        note: Option<String>,
    },
    /// Something else; empty when nothing was written.
    Comment(String),
    /// To cancel.
    Cancel,
}

/// Reads a reply: a text, or an object `{user_input, selected_options}`.
#[must_use]
pub fn read(reply: &Value, question: &OpenQuestion) -> Reply {
    match reply {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(value) if is_answer(&value) => of_object(&value, question),
            Ok(_) | Err(_) => of_text(text.trim(), question),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            if is_answer(reply) {
                return of_object(reply, question);
            }
            Reply::Comment(reply.to_string())
        }
    }
}

fn is_answer(value: &Value) -> bool {
    value.get("user_input").is_some() || value.get("selected_options").is_some()
}

fn of_text(text: &str, question: &OpenQuestion) -> Reply {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    match first.strip_prefix(SELECTED).and_then(|rest| rest.strip_prefix([':', '：'])) {
        Some(label) => labelled(label.trim(), rest, question)
            .unwrap_or_else(|| Reply::Comment(text.to_owned())),
        None if text.is_empty() => Reply::Cancel,
        None => plain(text, question),
    }
}

fn of_object(value: &Value, question: &OpenQuestion) -> Reply {
    let input = value["user_input"].as_str().unwrap_or_default().trim();
    let selected: Vec<&str> = value["selected_options"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let comment = || {
        let all = selected.iter().copied().chain([input]);
        Reply::Comment(all.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
    };
    match selected.as_slice() {
        [] if input.is_empty() => comment(),
        [] => plain(input, question),
        [label] => labelled(label.trim(), input, question).unwrap_or_else(comment),
        _ => comment(),
    }
}

/// Words that a person typed and did not choose from a list.
fn plain(text: &str, question: &OpenQuestion) -> Reply {
    if let Some(key) = question.key(text) {
        return Reply::Choice { key: key.to_owned(), note: None };
    }
    if CANCELLED.contains(&text) { Reply::Cancel } else { Reply::Comment(text.to_owned()) }
}

fn labelled(label: &str, note: &str, question: &OpenQuestion) -> Option<Reply> {
    let is = |key: &&String| Lang::ALL.iter().any(|lang| question.label(*lang, key) == label);
    let key = question.question.options.iter().find(is)?.clone();
    let note = Some(note.trim().to_owned()).filter(|note| !note.is_empty());
    Some(Reply::Choice { key, note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::owed::{Owed, Question};
    use serde_json::json;

    fn asked(kind: &str, options: &[&str]) -> OpenQuestion {
        let question = Question {
            kind: kind.into(),
            about: String::new(),
            options: options.iter().map(|key| (*key).to_owned()).collect(),
            takes_text: true,
            hash: None,
        };
        let owed = [Owed::Question { slot: "confirm".into(), question }];
        crate::query::of_owed("collab-1", "collab", &owed).remove(0)
    }

    fn choice(key: &str, note: Option<&str>) -> Reply {
        Reply::Choice { key: key.to_owned(), note: note.map(str::to_owned) }
    }

    fn comment(text: &str) -> Reply {
        Reply::Comment(text.to_owned())
    }

    #[test]
    fn every_reply_has_one_meaning() {
        let both = "选择的选项: 使用降级结果, 取消执行";
        let table = [
            // A label that was selected, with what was written below it.
            ("选择的选项: 使用降级结果", choice("accept", None)),
            ("选择的选项: Use the degraded result", choice("accept", None)),
            ("选择的选项：继续等待", choice("wait", None)),
            ("选择的选项: 使用降级结果\n\n后端够用", choice("accept", Some("后端够用"))),
            ("  选择的选项: 取消执行\n不行\n真的 ", choice("cancel", Some("不行\n真的"))),
            // No option: exactly a label, a key or a number.
            ("使用降级结果", choice("accept", None)),
            ("Keep waiting", choice("wait", None)),
            (" accept\n", choice("accept", None)),
            ("2", choice("wait", None)),
            ("取消执行", choice("cancel", None)),
            // Cancelled.
            ("用户取消了操作", Reply::Cancel),
            ("CANCELLED", Reply::Cancel),
            ("", Reply::Cancel),
            (" \n ", Reply::Cancel),
            ("取消", Reply::Cancel),
            ("停止", Reply::Cancel),
            ("stop", Reply::Cancel),
            ("cancel", choice("cancel", None)),
            // Anything else is a comment.
            ("用户未提供任何内容", comment("用户未提供任何内容")),
            (both, comment(both)),
            ("请按照最佳实践继续", comment("请按照最佳实践继续")),
            ("不要使用降级结果", comment("不要使用降级结果")),
            ("don't use the degraded result", comment("don't use the degraded result")),
            ("Don't: Use the degraded result", comment("Don't: Use the degraded result")),
            ("accept it", comment("accept it")),
            ("0", comment("0")),
            ("4", comment("4")),
            ("please stop", comment("please stop")),
            // A label that is known but not offered here, or one that nobody knows.
            ("选择的选项: 仍然继续", comment("选择的选项: 仍然继续")),
            ("选择的选项: 好", comment("选择的选项: 好")),
            ("选择的选项: accept", comment("选择的选项: accept")),
            // Quoted below other words it was not selected.
            ("no\n选择的选项: 使用降级结果", comment("no\n选择的选项: 使用降级结果")),
            ("[1]", comment("[1]")),
            ("{\"other\":1}", comment("{\"other\":1}")),
        ];
        let question = asked("collab.confirm", &["accept", "wait", "cancel"]);
        for (text, expected) in table {
            assert_eq!(read(&json!(text), &question), expected, "{text:?}");
        }
    }

    fn object(input: Value, selected: Value) -> Value {
        json!({ "user_input": input, "selected_options": selected })
    }

    #[test]
    fn every_object_has_one_meaning() {
        let table = [
            (object(json!(null), json!(["使用降级结果"])), choice("accept", None)),
            (object(json!("ok"), json!(["Use the degraded result"])), choice("accept", Some("ok"))),
            (object(json!("使用降级结果"), json!([])), choice("accept", None)),
            (object(json!("1"), json!([])), choice("accept", None)),
            (object(json!("取消"), json!([])), Reply::Cancel),
            (object(json!("CANCELLED"), json!(null)), Reply::Cancel),
            (object(json!(""), json!([])), comment("")),
            (object(json!(null), json!(null)), comment("")),
            (object(json!("不要使用降级结果"), json!([])), comment("不要使用降级结果")),
            (
                object(json!("x"), json!(["使用降级结果", "取消执行"])),
                comment("使用降级结果\n取消执行\nx"),
            ),
            (object(json!("x"), json!(["好"])), comment("好\nx")),
            (
                object(json!("选择的选项: 使用降级结果"), json!([])),
                comment("选择的选项: 使用降级结果"),
            ),
            (object(json!(7), json!("使用降级结果")), comment("")),
            (json!({ "else": 1 }), comment("{\"else\":1}")),
            (json!(null), comment("null")),
        ];
        let question = asked("collab.confirm", &["accept", "wait", "cancel"]);
        for (value, expected) in table {
            assert_eq!(read(&value, &question), expected, "{value}");
            // The same object written as a text.
            if is_answer(&value) {
                assert_eq!(read(&json!(value.to_string()), &question), expected, "{value}");
            }
        }
    }

    #[test]
    fn a_key_comes_before_a_word_that_cancels() {
        let question = asked("loop.unverified", &["accept", "stop"]);
        assert_eq!(read(&json!("stop"), &question), choice("stop", None));
        let question = asked("call.ask", &["allow", "deny"]);
        assert_eq!(read(&json!("stop"), &question), Reply::Cancel);
    }
}
