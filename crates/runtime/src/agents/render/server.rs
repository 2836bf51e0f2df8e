//! The server of our own tools, in the words by which the programs of agents are told of it. What
//! it does, and for whom, is the engine's to say: here is only how it is started.

use serde_json::{Map, Value, json};

use super::command::text;
use super::launch::{Place, RenderError};

/// Its name: tools show as those of this server.
pub(super) const NAME: &str = "loopwright";
/// Where our socket and settings are found. A program may start its servers with next to no
/// variables.
const WHERE: [&str; 3] = ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"];

/// How it is started.
pub(super) struct Server {
    command: String,
    args: Vec<String>,
    env: Vec<(&'static str, String)>,
    /// A call may wait for a person; the launch itself is the bound.
    wall_s: u64,
}

impl Server {
    /// The server of the call that is launched at this place.
    pub(super) fn of(place: &Place<'_>) -> Result<Self, RenderError> {
        let call = place.call_dir.file_name().and_then(|name| name.to_str());
        let call = call.ok_or(RenderError::Unfit { what: "call_dir" })?;
        let root = text("root", place.root)?;
        let set = |name| Some((name, (place.var)(name)?.into_string().ok()?));
        Ok(Self {
            command: text("exe", place.exe)?,
            args: ["mcp", "--call", call, "--workspace", &root].map(str::to_owned).to_vec(),
            env: WHERE.into_iter().filter_map(set).collect(),
            wall_s: place.wall_ms.div_ceil(1000),
        })
    }

    /// As the one server of a file. Its tools are few, so they are not left to be searched for.
    pub(super) fn file(&self) -> String {
        let env: Map<String, Value> =
            self.env.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
        let server =
            json!({ "command": self.command, "args": self.args, "env": env, "alwaysLoad": true });
        json!({ "mcpServers": { NAME: server } }).to_string()
    }

    /// As one setting in TOML. Its calls are judged by us, so the program is told not to ask.
    pub(super) fn setting(&self) -> String {
        let env: Vec<String> =
            self.env.iter().map(|(name, value)| format!("{name}={}", json!(value))).collect();
        format!(
            "mcp_servers.{NAME}={{command={},args={},env={{{}}},\
             default_tools_approval_mode=\"approve\",tool_timeout_sec={}}}",
            json!(self.command),
            json!(self.args),
            env.join(","),
            self.wall_s,
        )
    }
}
