//! Claude. Settings and hooks of the repository stay out unless they are asked for.

use kernel::agent::Access;

use super::launch::{Asked, Draft, RenderError, Stdin};

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
    asked.model_by("--model", &mut argv);
    argv.extend(asked.agent.args.iter().cloned());
    asked.resume_by("--resume", &mut argv);
    Ok(Draft { program: asked.program("claude"), argv, stdin: Stdin::Prompt })
}
