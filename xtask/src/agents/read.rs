//! Reads just as much of a CLI's stream as the cases judge: the session, the answer, the verdict.
//! Not the product's reader, which sees far more; this one is its independent witness.

use serde_json::Value;

use super::cli::Cli;

/// How a launch ended, in words that all CLIs share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this answer.
    Answered(String),
    /// With an error of its own.
    Failed(String),
    /// By our deadline.
    Deadline,
    /// By our SIGKILL.
    Killed,
}

/// What a stream told.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub session: Option<String>,
    text: String,
    end: Option<Result<(), String>>,
}

impl Told {
    /// What that means, with the exit code and the last words beside it.
    pub fn outcome(&self, code: Option<i32>, stderr: &str) -> Outcome {
        let code = code.map_or_else(|| "a signal".to_owned(), |code| format!("exit {code}"));
        match &self.end {
            Some(Ok(())) if self.text.trim().is_empty() => {
                Outcome::Failed(format!("{code}, no answer"))
            }
            Some(Ok(())) => Outcome::Answered(self.text.clone()),
            Some(Err(why)) => Outcome::Failed(format!("{code}: {why}")),
            None => {
                let last = stderr.lines().rfind(|line| !line.trim().is_empty());
                Outcome::Failed(format!("{code}, no final event: {}", last.unwrap_or_default()))
            }
        }
    }
}

/// Reads a whole stream.
pub fn read(cli: Cli, stdout: &[u8]) -> Told {
    let mut told = Told::default();
    for line in String::from_utf8_lossy(stdout).lines() {
        let Ok(event) = serde_json::from_str::<Value>(line) else { continue };
        match cli {
            Cli::Codex => codex(&mut told, &event),
            Cli::Gemini => gemini(&mut told, &event),
            Cli::Claude | Cli::Qwen => result(&mut told, &event),
        }
    }
    told
}

fn word<'a>(event: &'a Value, pointer: &str) -> &'a str {
    event.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn codex(told: &mut Told, event: &Value) {
    match word(event, "/type") {
        "thread.started" => told.session = Some(word(event, "/thread_id").to_owned()),
        "item.completed" if word(event, "/item/type") == "agent_message" => {
            word(event, "/item/text").clone_into(&mut told.text);
        }
        "turn.completed" => told.end = Some(Ok(())),
        "turn.failed" => told.end = Some(Err(word(event, "/error/message").to_owned())),
        _ => {}
    }
}

fn gemini(told: &mut Told, event: &Value) {
    match word(event, "/type") {
        "init" => told.session = Some(word(event, "/session_id").to_owned()),
        "message" if word(event, "/role") == "assistant" => {
            told.text.push_str(word(event, "/content"));
        }
        "tool_use" => told.text.clear(),
        "result" if word(event, "/status") == "success" => told.end = Some(Ok(())),
        "result" => told.end = Some(Err(word(event, "/error/message").to_owned())),
        _ => {}
    }
}

fn result(told: &mut Told, event: &Value) {
    match word(event, "/type") {
        "system" if word(event, "/subtype") == "init" => {
            told.session = Some(word(event, "/session_id").to_owned());
        }
        "result" if event["is_error"] == Value::Bool(false) => {
            word(event, "/result").clone_into(&mut told.text);
            let none = event["num_turns"] == 0 || !event["local_command"].is_null();
            told.end = Some(if none { Err("no model turn".to_owned()) } else { Ok(()) });
        }
        "result" => {
            let said =
                [word(event, "/result"), word(event, "/error/message"), word(event, "/errors/0")];
            told.end = Some(Err(said.join(" ").trim().to_owned()));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_read_as_each_cli_means_them() {
        let table: [(Cli, &str, Outcome); 7] = [
            (
                Cli::Codex,
                r#"{"type":"thread.started","thread_id":"i"}
{"type":"item.completed","item":{"type":"error","message":"a warning"}}
{"type":"item.completed","item":{"type":"agent_message","text":"hi"}}
{"type":"turn.completed"}"#,
                Outcome::Answered("hi".to_owned()),
            ),
            (
                Cli::Codex,
                r#"{"type":"thread.started","thread_id":"i"}
{"type":"turn.failed","error":{"message":"401"}}"#,
                Outcome::Failed("exit 1: 401".to_owned()),
            ),
            (
                Cli::Gemini,
                r#"{"type":"init","session_id":"i"}
{"type":"message","role":"user","content":"echo"}
{"type":"message","role":"assistant","content":"before"}
{"type":"tool_use"}
{"type":"message","role":"assistant","content":"h","delta":true}
{"type":"message","role":"assistant","content":"i","delta":true}
{"type":"result","status":"success"}"#,
                Outcome::Answered("hi".to_owned()),
            ),
            (
                Cli::Gemini,
                r#"{"type":"init","session_id":"i"}"#,
                Outcome::Failed("exit 1, no final event: last words".to_owned()),
            ),
            (
                Cli::Claude,
                r#"{"type":"system","subtype":"init","session_id":"i"}
{"is_error":false,"result":"hi","num_turns":1,"type":"result"}"#,
                Outcome::Answered("hi".to_owned()),
            ),
            (
                Cli::Claude,
                r#"{"type":"system","subtype":"init","session_id":"i"}
{"type":"result","subtype":"success","is_error":true,"result":"API Error: 401"}"#,
                Outcome::Failed("exit 1: API Error: 401".to_owned()),
            ),
            (
                Cli::Qwen,
                r#"{"type":"system","subtype":"init","session_id":"i"}
{"type":"result","is_error":false,"result":"cleared","num_turns":0}"#,
                Outcome::Failed("exit 1: no model turn".to_owned()),
            ),
        ];
        for (cli, text, expected) in table {
            let told = read(cli, text.as_bytes());
            assert_eq!(told.session.as_deref(), Some("i"), "{text}");
            assert_eq!(told.outcome(Some(1), "last words\n\n"), expected, "{text}");
        }
    }
}
