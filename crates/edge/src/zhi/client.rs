//! One server, one handshake, one tool call, then both ends close. It keeps nothing and retries
//! nothing: whoever started it sees what it printed.

use std::process::Stdio;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, Implementation,
    ProtocolVersion,
};
use rmcp::service::{RoleClient, RunningService, ServiceError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A server that has not shaken hands by now waits for no person; it is stuck.
const START_MAX: Duration = Duration::from_secs(60);
/// What a server may print in all, pictures included, before it counts as flooding.
const STREAM_BYTES_MAX: u64 = 64 << 20;
/// A reply that a person wrote is far below this; notes are cut much shorter later.
const REPLY_BYTES_MAX: usize = 1 << 20;
/// What a server says of its own failure is kept up to this.
const DETAIL_CHARS: usize = 400;

/// What to ask, and whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The server's program and its arguments.
    pub command: Vec<String>,
    /// The tool to call.
    pub tool: String,
    /// Further arguments of the tool; those of the question itself come last and win.
    #[serde(default)]
    pub extra: Map<String, Value>,
    /// The question, as markdown.
    pub message: String,
    /// The labels to choose from.
    pub options: Vec<String>,
}

/// Why there is no reply. The question stays open.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The server did not start.
    #[error("{0}")]
    Spawn(String),
    /// It started and did not shake hands.
    #[error("{0}")]
    Handshake(String),
    /// It answered with an error, or the tool did.
    #[error("{0}")]
    Tool(String),
    /// It went away, or printed without end.
    #[error("the server went away")]
    Gone,
    /// The reply is longer than anybody writes.
    #[error("the reply is too large")]
    TooLarge,
}

impl Failure {
    /// The word by which it is told.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Spawn(_) => "spawn",
            Self::Handshake(_) => "handshake",
            Self::Tool(_) => "tool",
            Self::Gone => "gone",
            Self::TooLarge => "too_large",
        }
    }

    /// What the server said, cut.
    #[must_use]
    pub fn detail(&self) -> String {
        self.to_string().chars().take(DETAIL_CHARS).collect()
    }
}

/// Asks and waits, for ever if need be: whoever runs this ends it by ending the process. The reply
/// is a text, or an object of the fields that hold an answer.
///
/// # Errors
/// Why there is no reply.
pub fn ask(request: &Request) -> Result<Value, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|why| Failure::Spawn(why.to_string()))?;
    runtime.block_on(asked(request))
}

async fn asked(request: &Request) -> Result<Value, Failure> {
    let (mut server, stdout, stdin) = spawn(&request.command)?;
    // What comes after the limit is the end of the stream, so a flood ends like a crash.
    let transport = (stdout.take(STREAM_BYTES_MAX), stdin);
    let shaken = tokio::time::timeout(START_MAX, ours().serve(transport)).await;
    let service = match shaken {
        Ok(Ok(service)) => service,
        Ok(Err(why)) => return Err(Failure::Handshake(why.to_string())),
        Err(_) => return Err(Failure::Handshake(String::from("no answer"))),
    };
    let reply = call(&service, request).await;
    // It has said all we asked for; what it leaves behind is ended by the shim above us.
    drop(server.start_kill());
    reply
}

type Ends = (Child, ChildStdout, ChildStdin);

fn spawn(command: &[String]) -> Result<Ends, Failure> {
    let failed = |why: std::io::Error| Failure::Spawn(why.to_string());
    let [program, args @ ..] = command else {
        return Err(Failure::Spawn(String::from("no command")));
    };
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    match (child.stdout.take(), child.stdin.take()) {
        (Some(stdout), Some(stdin)) => Ok((child, stdout, stdin)),
        (None, _) | (_, None) => Err(Failure::Gone),
    }
}

/// Who we are. The newest revision has no handshake any more, and servers of this tool expect one.
fn ours() -> ClientConfig {
    let name = Implementation::new("loopwright", env!("CARGO_PKG_VERSION"));
    ClientConfig::new(ClientCapabilities::default(), name)
        .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
}

async fn call(
    service: &RunningService<RoleClient, ClientConfig>,
    request: &Request,
) -> Result<Value, Failure> {
    let params =
        CallToolRequestParams::new(request.tool.clone()).with_arguments(arguments(request));
    match service.call_tool(params).await {
        Ok(result) => reply(&result),
        Err(ServiceError::McpError(why)) => Err(Failure::Tool(why.to_string())),
        Err(why) => Err(if service.is_closed() || service.is_transport_closed() {
            Failure::Gone
        } else {
            Failure::Tool(why.to_string())
        }),
    }
}

fn arguments(request: &Request) -> Map<String, Value> {
    let mut all = request.extra.clone();
    all.insert(String::from("message"), json!(request.message));
    all.insert(String::from("predefined_options"), json!(request.options));
    all.insert(String::from("is_markdown"), json!(true));
    all
}

fn reply(result: &CallToolResult) -> Result<Value, Failure> {
    let texts: Vec<&str> =
        result.content.iter().filter_map(|part| part.as_text()).map(|t| t.text.as_str()).collect();
    let text = texts.join("\n");
    if result.is_error == Some(true) {
        return Err(Failure::Tool(text));
    }
    let structured = result.structured_content.as_ref().filter(|_| texts.is_empty());
    let answer = match structured {
        Some(value) => fields(value).unwrap_or_else(|| json!(value.to_string())),
        None => serde_json::from_str(&text).ok().and_then(|v| fields(&v)).unwrap_or(json!(text)),
    };
    if answer.to_string().len() > REPLY_BYTES_MAX { Err(Failure::TooLarge) } else { Ok(answer) }
}

/// The fields of an object that hold an answer; pictures and the server's own notes stay behind.
fn fields(value: &Value) -> Option<Value> {
    let known = ["user_input", "selected_options"];
    let object = value.as_object()?;
    let kept: Map<String, Value> = object
        .iter()
        .filter(|(name, _)| known.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    (!kept.is_empty()).then_some(Value::Object(kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(value: Value) -> CallToolResult {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_result_is_a_text_or_the_fields_of_an_answer() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        let picture = json!({ "type": "image", "data": "aGk=", "mimeType": "image/png" });
        let answer = r#"{"user_input":"n","selected_options":["A"],"images":["x"]}"#;
        let whole: Value = serde_json::from_str(answer).unwrap();
        let kept = json!({ "user_input": "n", "selected_options": ["A"] });
        let table = [
            (json!({ "content": [text("a"), picture, text("b")] }), json!("a\nb")),
            (json!({ "content": [] }), json!("")),
            (json!({ "content": [text(answer)] }), kept.clone()),
            (json!({ "content": [text("{\"other\":1}")] }), json!("{\"other\":1}")),
            (json!({ "content": [text("[1]")] }), json!("[1]")),
            (json!({ "content": [], "structuredContent": whole }), kept),
        ];
        for (given, expected) in table {
            assert_eq!(reply(&result(given.clone())).unwrap(), expected, "{given}");
        }
        let error = json!({ "content": [text("no display")], "isError": true });
        assert_eq!(reply(&result(error)).unwrap_err().kind(), "tool");
        let large = json!({ "content": [text(&"x".repeat(REPLY_BYTES_MAX + 1))] });
        assert_eq!(reply(&result(large)).unwrap_err().kind(), "too_large");
    }

    #[test]
    fn the_question_wins_over_what_is_added_to_it() {
        let extra = json!({ "message": "other", "project_path": "/w" });
        let request = Request {
            command: vec![],
            tool: String::from("zhi"),
            extra: extra.as_object().unwrap().clone(),
            message: String::from("m"),
            options: vec![String::from("A")],
        };
        let expected = json!({
            "message": "m", "predefined_options": ["A"], "is_markdown": true, "project_path": "/w",
        });
        assert_eq!(Value::Object(arguments(&request)), expected);
    }
}
