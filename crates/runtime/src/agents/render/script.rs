//! The scripted agent: our own program, told by the call's directory what to do.

use super::command::text;
use super::launch::{Asked, Draft, RenderError, Stdin};

pub(super) fn draft(asked: &Asked<'_>) -> Result<Draft, RenderError> {
    let call_dir = text("call_dir", asked.place.call_dir)?;
    let argv = ["drive", "script", &call_dir].map(str::to_owned).to_vec();
    Ok(Draft { program: text("exe", asked.place.exe)?, argv, stdin: Stdin::Prompt })
}
