//! The tools of an agent's own call as an MCP server on its standard streams: one JSON object a
//! line. It knows the protocol's few words that tools need and nothing of what they do.

use std::io::{self, BufRead, Read as _, Write};

use kernel::call;
use runtime::tools;
use serde_json::{Value, json};

/// The version of the protocol that is spoken where the client names none.
const PROTOCOL: &str = "2025-06-18";
/// One message; more is none of ours.
const LINE_BYTES_MAX: u64 = 32 << 20;
/// Tools by the names agents know them by.
const OFFERED: [(&str, &str, &str); 9] = [
    ("read_file", "read", "Read a file of the workspace, with its hash."),
    ("list_dir", "list", "List a directory of the workspace."),
    ("search", "search", "Search the files of the workspace."),
    ("search_semantic", "search_semantic", "Search the workspace by meaning."),
    ("apply_patch", "apply_patch", "Change files by a patch that fits exactly."),
    ("write_file", "write", "Write a file; `expect` is the hash that was read."),
    ("delete_file", "delete", "Delete a file; `expect` is the hash that was read."),
    ("run_command", call::RUN, "Run a program, without a shell."),
    ("create_checkpoint", call::CHECKPOINT, "Keep the workspace as it is."),
];

/// Words of a schema that some clients take no tool with, at its top. What they say is checked when
/// the tool is called.
const CHOICES: [&str; 6] = ["oneOf", "anyOf", "allOf", "not", "if", "$schema"];

/// What a tool came to: its words, and whether it did what it should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The words.
    pub text: String,
    /// Whether it went well.
    pub ok: bool,
}

/// Serves until the input ends.
///
/// # Errors
/// When the streams fail.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    mut call: impl FnMut(&str, &Value) -> Told,
) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        if (&mut input).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Some(answer) = answer(&line, &mut call) else { continue };
        output.write_all(answer.to_string().as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

/// The answer to one message; none to what wants none.
fn answer(line: &[u8], call: &mut impl FnMut(&str, &Value) -> Told) -> Option<Value> {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return Some(failed(&Value::Null, -32700, "parse error"));
    };
    let id = message.get("id")?;
    let params = &message["params"];
    Some(match message["method"].as_str().unwrap_or_default() {
        "initialize" => {
            let version = params["protocolVersion"].as_str().unwrap_or(PROTOCOL);
            let server = json!({ "name": "loopwright", "version": env!("CARGO_PKG_VERSION") });
            let result = json!({
                "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": server,
            });
            done(id, &result)
        }
        "ping" => done(id, &json!({})),
        "tools/list" => done(id, &json!({ "tools": OFFERED.map(listed).to_vec() })),
        "tools/call" => {
            let asked = params["name"].as_str().unwrap_or_default();
            let known = OFFERED.iter().find(|(name, _, _)| *name == asked);
            let name = known.map_or(asked, |(_, tool, _)| tool);
            let args = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
            let told = call(name, &args);
            let content = json!([{ "type": "text", "text": told.text }]);
            done(id, &json!({ "content": content, "isError": !told.ok }))
        }
        _ => failed(id, -32601, "method not found"),
    })
}

fn listed((name, tool, about): (&str, &str, &str)) -> Value {
    let declared = call::named(tool).map(tools::declared).unwrap_or_default();
    let schema = declared.get("args_schema").filter(|schema| !schema.is_null()).cloned();
    let mut schema = schema.unwrap_or_else(|| json!({ "type": "object" }));
    if let Some(members) = schema.as_object_mut() {
        members.retain(|word, _| !CHOICES.contains(&word.as_str()));
    }
    json!({ "name": name, "description": about, "inputSchema": schema })
}

fn done(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_finds_and_calls_tools() {
        let lines = [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            concat!(
                r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","#,
                r#""params":{"name":"write_file","arguments":{"path":"a"}}}"#
            ),
            r#"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
            "no json",
        ];
        let mut out = Vec::new();
        let mut seen = Vec::new();
        serve(lines.join("\n").as_bytes(), &mut out, |name, args| {
            seen.push(format!("{name} {args}"));
            Told { text: "no".to_owned(), ok: false }
        })
        .unwrap();
        let out = String::from_utf8(out).unwrap();
        let answers: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 5, "{out}");
        assert_eq!(answers[0]["result"]["protocolVersion"], "x");
        assert_eq!(answers[1]["result"]["tools"].as_array().unwrap().len(), OFFERED.len());
        assert_eq!(answers[2]["result"]["isError"], true);
        assert_eq!(
            (answers[2]["id"].as_str(), seen),
            (Some("a"), vec![r#"write {"path":"a"}"#.into()])
        );
        assert_eq!(answers[3]["error"]["code"], -32601);
        assert_eq!(answers[4]["error"]["code"], -32700);
    }

    #[test]
    fn every_offered_tool_is_there() {
        for (name, tool, about) in OFFERED {
            assert!(call::named(tool).is_some(), "{name}");
            let schema = &listed((name, tool, about))["inputSchema"];
            assert!(schema["properties"].is_object(), "{name}: {schema}");
            assert!(CHOICES.iter().all(|word| schema.get(*word).is_none()), "{name}: {schema}");
        }
    }
}
