//! An MCP client that knows just enough of the protocol. Asserts nothing about runs.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::kit::House;

/// A client and its server.
pub struct Client {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    pub fn start(house: &House, args: &[&str]) -> Self {
        Self::of(house.command(&[&["mcp"], args].concat()))
    }

    /// The same by a process that carries the mark of a call.
    pub fn marked(house: &House, args: &[&str]) -> Self {
        let mut command = house.command(&[&["mcp"], args].concat());
        command.env("LOOPWRIGHT_CALL_ID", "call-of-an-agent");
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut client = Self { child, input, output: BufReader::new(output), id: 0 };
        let hello = json!({ "protocolVersion": "2025-06-18" });
        let said = client.ask("initialize", &hello);
        assert_eq!(said["result"]["serverInfo"]["name"], "loopwright", "{said}");
        client
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        let line = json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params });
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap()
    }

    pub fn call(&mut self, name: &str, args: &Value) -> Value {
        let params = json!({ "name": name, "arguments": args });
        self.ask("tools/call", &params)["result"].clone()
    }

    /// The data of a call that goes well.
    pub fn done(&mut self, name: &str, args: &Value) -> Value {
        let result = self.call(name, args);
        assert_eq!(result["isError"], false, "{name}: {result}");
        result["structuredContent"].clone()
    }

    /// The code of one that does not.
    pub fn code(&mut self, name: &str, args: &Value) -> String {
        let result = self.call(name, args);
        assert_eq!(result["isError"], true, "{name}: {result}");
        let code = result["structuredContent"]["error"]["code"].as_str().unwrap().to_owned();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(&format!("[{code}]")), "{text}");
        code
    }

    /// The names of the tools that it is offered.
    pub fn tools(&mut self) -> Vec<String> {
        let listed = self.ask("tools/list", &json!({}));
        let name = |tool: &Value| tool["name"].as_str().unwrap().to_owned();
        listed["result"]["tools"].as_array().unwrap().iter().map(name).collect()
    }

    /// Whether a tool is not even there.
    pub fn lacks(&mut self, name: &str) -> bool {
        let params = json!({ "name": name, "arguments": {} });
        self.ask("tools/call", &params)["error"]["data"]["error"]["code"] == "door.unknown_tool"
    }

    pub fn leave(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}
