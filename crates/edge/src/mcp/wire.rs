//! The protocol that MCP clients speak on standard streams: one JSON object a line. It knows the
//! few words that tools need and nothing of what they do.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::{Value, json};

/// The version of the protocol that is spoken where the client names none.
const PROTOCOL: &str = "2025-06-18";
/// One message; more is none of ours.
const LINE_BYTES_MAX: u64 = 32 << 20;

/// What a tool came to: its words, its data, and whether it did what it should.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The words.
    pub text: String,
    /// The same for programs, where there is more than words.
    pub data: Option<Value>,
    /// Whether it went well.
    pub ok: bool,
}

/// Why a tool was not even called.
#[derive(Debug, Clone, PartialEq)]
pub struct NotCalled {
    /// The error object.
    pub error: Value,
}

/// What is offered, and what calls it.
pub trait Offer {
    /// The tools, as clients list them.
    fn tools(&self) -> Vec<Value>;

    /// Calls one.
    ///
    /// # Errors
    /// When there is none of that name.
    fn call(&mut self, name: &str, args: &Value) -> Result<Told, NotCalled>;
}

/// Serves until the input ends.
///
/// # Errors
/// When the streams fail.
pub fn serve(
    mut input: impl BufRead,
    mut output: impl Write,
    offer: &mut dyn Offer,
) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        if (&mut input).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let Some(answer) = answer(&line, offer) else { continue };
        output.write_all(answer.to_string().as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

/// The answer to one message; none to what wants none.
fn answer(line: &[u8], offer: &mut dyn Offer) -> Option<Value> {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return Some(failed(&Value::Null, -32700, "parse error"));
    };
    let Some(method) = message["method"].as_str() else {
        // An answer of the client's, to nothing that we asked.
        let answered = message.get("result").or_else(|| message.get("error")).is_some();
        return (!answered).then(|| failed(&message["id"], -32600, "invalid request"));
    };
    let id = message.get("id")?;
    let params = &message["params"];
    Some(match method {
        "initialize" => {
            let version = params["protocolVersion"].as_str().unwrap_or(PROTOCOL);
            let server = json!({ "name": "loopwright", "version": env!("CARGO_PKG_VERSION") });
            let result = json!({
                "protocolVersion": version, "capabilities": { "tools": {} }, "serverInfo": server,
            });
            done(id, &result)
        }
        "ping" => done(id, &json!({})),
        "tools/list" => done(id, &json!({ "tools": offer.tools() })),
        "tools/call" => {
            let name = params["name"].as_str().unwrap_or_default();
            let args = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
            called(id, offer.call(name, &args))
        }
        _unknown => failed(id, -32601, "method not found"),
    })
}

fn called(id: &Value, told: Result<Told, NotCalled>) -> Value {
    match told {
        Ok(told) => {
            let content = json!([{ "type": "text", "text": told.text }]);
            let mut result = json!({ "content": content, "isError": !told.ok });
            if let Some(data) = told.data {
                result["structuredContent"] = data;
            }
            done(id, &result)
        }
        Err(not) => {
            let mut answer = failed(id, -32602, "invalid params");
            answer["error"]["data"] = json!({ "error": not.error });
            answer
        }
    }
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

    struct Echo(Vec<String>);

    impl Offer for Echo {
        fn tools(&self) -> Vec<Value> {
            vec![json!({ "name": "echo" })]
        }

        fn call(&mut self, name: &str, args: &Value) -> Result<Told, NotCalled> {
            if name != "echo" {
                return Err(NotCalled { error: json!({ "code": "x" }) });
            }
            self.0.push(args.to_string());
            let data = Some(json!({ "error": { "code": "y" } }));
            Ok(Told { text: "no".to_owned(), data, ok: false })
        }
    }

    #[test]
    fn a_client_finds_and_calls_tools() {
        let lines = [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            concat!(
                r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","#,
                r#""params":{"name":"echo","arguments":{"path":"a"}}}"#
            ),
            r#"{"jsonrpc":"2.0","id":4,"method":"resources/list"}"#,
            "no json",
            r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"other"}}"#,
            r#"{"jsonrpc":"2.0","id":6}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        ];
        let mut out = Vec::new();
        let mut echo = Echo(Vec::new());
        serve(lines.join("\n").as_bytes(), &mut out, &mut echo).unwrap();
        let out = String::from_utf8(out).unwrap();
        let answers: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), 7, "{out}");
        assert_eq!(answers[0]["result"]["protocolVersion"], "x");
        assert_eq!(answers[1]["result"]["tools"][0]["name"], "echo");
        let told = &answers[2]["result"];
        assert_eq!((&told["isError"], &answers[2]["id"]), (&json!(true), &json!("a")));
        assert_eq!(told["structuredContent"]["error"]["code"], "y");
        assert_eq!(echo.0, [r#"{"path":"a"}"#]);
        assert_eq!(answers[3]["error"]["code"], -32601);
        assert_eq!(answers[4]["error"]["code"], -32700);
        assert_eq!(answers[5]["error"]["code"], -32602);
        assert_eq!(answers[5]["error"]["data"]["error"]["code"], "x");
        assert_eq!(answers[6]["error"]["code"], -32600);
    }
}
