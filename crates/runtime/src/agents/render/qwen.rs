//! Qwen. Its `-p` is deprecated: it reads the prompt from its input like the others.

use kernel::agent::Access;

use super::launch::{Asked, Draft, RenderError};

pub(super) fn draft(asked: &Asked<'_>, auth_type: Option<&str>) -> Result<Draft, RenderError> {
    let mut argv = asked.begin(&["--output-format", "stream-json"]);
    let mode = match asked.access {
        Access::Read => "default",
        Access::Edit => "auto-edit",
        Access::Full => "yolo",
    };
    argv.extend(["--approval-mode", mode].map(str::to_owned));
    if let Some(auth_type) = auth_type {
        argv.extend(["--auth-type", auth_type].map(str::to_owned));
    }
    asked.model_by("--model", &mut argv);
    argv.extend(asked.agent.args.iter().cloned());
    asked.resume_by("--resume", &mut argv);
    Ok(Draft::plain(asked.program("qwen"), argv))
}
