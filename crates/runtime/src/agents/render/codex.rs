//! Codex. Its `resume` knows neither `-s` nor `-C`, so everything goes through `-c`.

use kernel::agent::Access;

use super::launch::{Asked, Draft, RenderError, Sandbox};
use crate::agents::config::InnerSandbox;

pub(super) fn draft(asked: &Asked<'_>, inner: InnerSandbox) -> Result<Draft, RenderError> {
    let mut argv =
        asked.begin(if asked.resume.is_some() { &["exec", "resume"] } else { &["exec"] });
    argv.extend(["--json", "--skip-git-repo-check"].map(str::to_owned));
    match mode(asked, inner)? {
        Some(mode) => {
            let mode = format!("sandbox_mode=\"{mode}\"");
            argv.extend(["-c", &mode, "-c", "approval_policy=\"never\""].map(str::to_owned));
        }
        None => argv.push("--dangerously-bypass-approvals-and-sandbox".to_owned()),
    }
    if let Some(server) = asked.server()? {
        argv.extend(["-c".to_owned(), server.setting()]);
    }
    asked.model_by("-m", &mut argv);
    argv.extend(asked.agent.args.iter().cloned());
    argv.extend(asked.resume.map(str::to_owned));
    argv.push("-".to_owned());
    Ok(Draft::plain(asked.program("codex"), argv))
}

/// Its sandbox needs namespaces that ours denies: inside ours it must not try. Without either
/// there is no wall at all, which a person has to have wanted.
fn mode(asked: &Asked<'_>, inner: InnerSandbox) -> Result<Option<&'static str>, RenderError> {
    let own = match asked.access {
        Access::Read => "read-only",
        Access::Edit => "workspace-write",
        Access::Full => return Ok(None),
    };
    match (inner, asked.place.sandbox) {
        (InnerSandbox::On, Sandbox::InForce | Sandbox::None)
        | (InnerSandbox::Auto, Sandbox::None) => Ok(Some(own)),
        (InnerSandbox::Auto | InnerSandbox::Off, Sandbox::InForce) => Ok(Some(OPEN)),
        (InnerSandbox::Off, Sandbox::None) if asked.agent.unsandboxed => Ok(Some(OPEN)),
        (InnerSandbox::Off, Sandbox::None) => Err(RenderError::SandboxRequired),
    }
}

/// Its word for no sandbox of its own.
const OPEN: &str = "danger-full-access";
