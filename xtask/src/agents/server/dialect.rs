//! Which provider's protocol a request speaks, and what each protocol's words for the same things
//! are. One file a protocol does the wording; this one only chooses.

use serde_json::{Value, json};

use super::scenario::Step;
use super::talk::Said;
use super::{chat, gemini, messages, responses};

/// A provider's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `OpenAI` responses (codex).
    Responses,
    /// Anthropic messages (claude).
    Messages,
    /// Gemini contents.
    Gemini,
    /// `OpenAI` chat completions (qwen).
    Chat,
}

/// Whether the answer is wanted in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// As events.
    Stream,
    /// In one piece.
    Whole,
}

impl Dialect {
    /// The protocol of a path; none for what is no talk with a model.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        if path.ends_with("/responses") {
            Some(Self::Responses)
        } else if path.ends_with("/messages") {
            Some(Self::Messages)
        } else if path.ends_with("enerateContent") {
            Some(Self::Gemini)
        } else {
            path.ends_with("/chat/completions").then_some(Self::Chat)
        }
    }

    /// Whether pieces are wanted.
    pub fn wanted(self, path: &str, body: &Value) -> Wanted {
        let stream = match self {
            Self::Gemini => path.contains(":streamGenerateContent"),
            Self::Responses | Self::Messages | Self::Chat => body["stream"] == json!(true),
        };
        if stream { Wanted::Stream } else { Wanted::Whole }
    }

    /// What was said so far.
    pub fn said(self, body: &Value) -> Vec<Said> {
        match self {
            Self::Responses => responses::said(body),
            Self::Messages => messages::said(body),
            Self::Gemini => gemini::said(body),
            Self::Chat => chat::said(body),
        }
    }

    /// The events of a step, ready to be sent.
    pub fn events(self, step: &Step, id: u64) -> Vec<String> {
        match self {
            Self::Responses => responses::events(step, id),
            Self::Messages => messages::events(step, id),
            Self::Gemini => gemini::events(step),
            Self::Chat => chat::events(step, id),
        }
    }

    /// The same in one piece.
    pub fn whole(self, step: &Step, id: u64) -> Value {
        match self {
            Self::Responses => responses::whole(step, id),
            Self::Messages => messages::whole(step, id),
            Self::Gemini => gemini::whole(step),
            Self::Chat => chat::whole(step, id),
        }
    }

    /// The body of a refusal.
    pub fn error(self, status: u16) -> Value {
        // No number in it: what a reader knows of the status has to come from the CLI.
        let message = "refused as scripted";
        match self {
            Self::Messages => messages::error(status, message),
            Self::Gemini => gemini::error(status, message),
            Self::Responses | Self::Chat => {
                json!({"error": {"message": message, "type": "scripted", "code": null}})
            }
        }
    }
}

/// The text of a message: a string, or an array of parts with a `text` each.
pub fn texts(content: &Value) -> Vec<String> {
    match content {
        Value::String(text) => vec![text.clone()],
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).map(str::to_owned).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Cuts a text in two, as a model that is still speaking would.
pub fn halves(text: &str) -> [&str; 2] {
    let mut at = text.len() / 2;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    let (one, two) = text.split_at(at);
    [one, two]
}

/// One server-sent event with a name.
pub fn named(name: &str, data: &Value) -> String {
    format!("event: {name}\ndata: {data}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_their_protocol() {
        let table = [
            ("/s/text/v1/responses", Some(Dialect::Responses)),
            ("/s/text/v1/messages?beta=true", Some(Dialect::Messages)),
            ("/s/text/v1/messages/count_tokens", None),
            ("/s/t/v1beta/models/g:streamGenerateContent?alt=sse", Some(Dialect::Gemini)),
            ("/s/t/v1beta/models/g:generateContent", Some(Dialect::Gemini)),
            ("/s/t/v1beta/models/g:countTokens", None),
            ("/s/t/v1/chat/completions", Some(Dialect::Chat)),
            ("/s/t/v1/models", None),
        ];
        for (path, expected) in table {
            assert_eq!(Dialect::of(path), expected, "{path}");
        }
    }

    #[test]
    fn what_each_protocol_is_sent_reads_the_same() {
        let task = "Task for x:\nhi";
        let expected = [
            Said::User(task.to_owned()),
            Said::Model("hello".to_owned()),
            Said::Tool("done".to_owned()),
        ];
        let table = [
            (
                Dialect::Responses,
                json!({"input": [
                    {"type": "message", "role": "developer", "content": [{"text": "be good"}]},
                    {"type": "message", "role": "user",
                        "content": [{"type": "input_text", "text": task}]},
                    {"type": "reasoning", "summary": []},
                    {"type": "message", "role": "assistant", "content": [{"text": "hello"}]},
                    {"type": "function_call", "name": "exec_command", "arguments": "{}"},
                    {"type": "function_call_output", "call_id": "c", "output": "done"}]}),
            ),
            (
                Dialect::Messages,
                json!({"system": "be good", "messages": [
                    {"role": "user", "content": [{"type": "text", "text": task}]},
                    {"role": "assistant", "content": [
                        {"type": "text", "text": "hello"}, {"type": "tool_use", "name": "Bash"}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": "done"}]}]}),
            ),
            (
                Dialect::Gemini,
                json!({"contents": [
                    {"role": "user", "parts": [{"text": task}]},
                    {"role": "model",
                        "parts": [{"text": "hello"}, {"functionCall": {"name": "x"}}]},
                    {"role": "user", "parts": [
                        {"functionResponse": {"name": "x", "response": {"output": "done"}}}]}]}),
            ),
            (
                Dialect::Chat,
                json!({"messages": [
                    {"role": "system", "content": "be good"},
                    {"role": "user", "content": task},
                    {"role": "assistant", "content": "hello", "tool_calls": [{"id": "c"}]},
                    {"role": "tool", "tool_call_id": "c", "content": "done"}]}),
            ),
        ];
        for (dialect, body) in table {
            assert_eq!(dialect.said(&body), expected, "{dialect:?}");
        }
    }

    #[test]
    fn events_are_complete_and_hold_the_text_in_order() {
        let step = Step::Text("ein 中文 text".to_owned());
        for dialect in [Dialect::Responses, Dialect::Messages, Dialect::Gemini, Dialect::Chat] {
            let all = dialect.events(&step, 7);
            assert!(all.len() >= 2, "{dialect:?}");
            for event in &all {
                let data = event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
                let json = serde_json::from_str::<Value>(data).is_ok();
                assert!(json || data == "[DONE]", "{dialect:?} {event}");
                assert!(event.ends_with("\n\n"), "{dialect:?} {event:?}");
            }
        }
    }

    #[test]
    fn halves_make_the_whole() {
        for text in ["", "a", "中", "中文", "ab中文cd"] {
            assert_eq!(halves(text).concat(), text);
        }
    }
}
