//! Claude. Settings and hooks of the repository stay out unless they are asked for.

use kernel::agent::Access;

use super::command::text;
use super::launch::{Asked, Draft, RenderError};
use super::server::NAME;
use crate::shim::files;

pub(super) fn draft(asked: &Asked<'_>, project_settings: bool) -> Result<Draft, RenderError> {
    let mut argv = asked.begin(&["-p", "--output-format", "stream-json", "--verbose"]);
    if !project_settings {
        argv.extend(["--setting-sources", "user"].map(str::to_owned));
    }
    // In edit mode simple shell writes would pass without asking, so the shell is taken away.
    let access: &[&str] = match asked.access {
        Access::Read => {
            &["--permission-mode", "dontAsk", "--disallowedTools", "Bash,Edit,Write,NotebookEdit"]
        }
        Access::Edit => &["--permission-mode", "acceptEdits", "--disallowedTools", "Bash"],
        Access::Full => &["--dangerously-skip-permissions"],
    };
    argv.extend(access.iter().map(|word| (*word).to_owned()));
    let server = asked.server()?;
    if server.is_some() {
        // The last of them takes no value, so that no word behind it is taken for one.
        let file = text("call_dir", &asked.place.call_dir.join(files::SERVERS))?;
        let allowed = format!("mcp__{NAME}");
        let words = ["--mcp-config", &file, "--allowedTools", &allowed, "--strict-mcp-config"];
        argv.extend(words.map(str::to_owned));
    }
    asked.model_by("--model", &mut argv);
    argv.extend(asked.agent.args.iter().cloned());
    asked.resume_by("--resume", &mut argv);
    let servers = server.map(|server| server.file());
    Ok(Draft { servers, ..Draft::plain(asked.program("claude"), argv) })
}
