//! The one program in front of several CLIs. It ignores flags that it does not know, so what it is
//! told must be words it knows. It passes no access on to what stands behind it: there the sandbox
//! alone is the wall.

use kernel::agent::Kind;

use super::launch::{Asked, Draft, RenderError};
use crate::agents::config::Wrapped;

/// Its usual name.
pub const BIN: &str = "codeagent-wrapper";

pub(super) fn draft(asked: &Asked<'_>, backend: Wrapped, lite: bool) -> Result<Draft, RenderError> {
    if asked.model.is_some() && backend.kind() != Kind::Gemini {
        return Err(RenderError::NoModel);
    }
    let mut argv = asked.begin(if lite { &["--lite"] } else { &[] });
    if asked.place.flags.lists("--progress") {
        argv.push("--progress".to_owned());
    }
    argv.extend(["--backend", backend.kind().name()].map(str::to_owned));
    if let Some(id) = asked.resume {
        argv.extend(["resume", id].map(str::to_owned));
    }
    argv.extend(["-".to_owned(), asked.workdir()?]);
    Ok(Draft::plain(asked.program(BIN), argv))
}
