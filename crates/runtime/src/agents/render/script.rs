//! The scripted agent: our own program, told by the call's directory what to do.

use std::path::Path;

use super::command::text;
use super::launch::{Asked, Draft, RenderError};

pub(super) fn draft(asked: &Asked<'_>, scenario: &Path) -> Result<Draft, RenderError> {
    let call_dir = text("call_dir", asked.place.call_dir)?;
    let scenario = text("scenario", &asked.place.root.join(scenario))?;
    let mut argv = asked.begin(&["drive", "script", &call_dir, "--scenario", &scenario]);
    asked.resume_by("--resume", &mut argv);
    asked.model_by("--model", &mut argv);
    Ok(Draft::plain(text("exe", asked.place.exe)?, argv))
}
