//! Gemini. Headless with the default approval mode it offers no tool that writes or runs.

use kernel::agent::Access;

use super::launch::{Asked, Draft, RenderError};

pub(super) fn draft(asked: &Asked<'_>) -> Result<Draft, RenderError> {
    let mut argv = asked.begin(&["--output-format", "stream-json"]);
    if asked.place.flags.has("--skip-trust") {
        argv.push("--skip-trust".to_owned());
    }
    let mode = match asked.access {
        Access::Read => "default",
        Access::Edit => "auto_edit",
        Access::Full => "yolo",
    };
    argv.extend(["--approval-mode", mode].map(str::to_owned));
    asked.model_by("-m", &mut argv);
    argv.extend(asked.agent.args.iter().cloned());
    asked.resume_by("--resume", &mut argv);
    Ok(Draft::plain(asked.program("gemini"), argv))
}
