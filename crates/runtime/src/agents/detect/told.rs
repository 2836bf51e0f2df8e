//! What a person could do about an agent that was looked at, as a sentence. The finding itself is
//! data; this is the one place that puts it into words, for the doctor and for a start gate alike.

use kernel::agent::Kind;

use super::DOCTOR_WAIT;
use super::verdict::{Found, Hint};
use crate::words::{Lang, say};

impl Found {
    /// The hint in words; none where nothing needs doing.
    #[must_use]
    pub fn told(&self, lang: Lang) -> Option<String> {
        let agent = &self.agent;
        Some(match &self.hint {
            Hint::Nothing => return None,
            Hint::Install { package: Some(package) } => {
                say(lang, "hint-install", &[("agent", agent), ("package", package)])
            }
            Hint::Install { package: None } if self.kind == Kind::Command => {
                say(lang, "hint-not_found", &[("agent", agent)])
            }
            Hint::Install { package: None } => say(lang, "hint-install-own", &[("agent", agent)]),
            Hint::NotExecutable => {
                let path = self.path.as_ref().map(|path| path.display().to_string());
                say(lang, "hint-not_executable", &[("path", &path.unwrap_or_default())])
            }
            Hint::Hangs => say(lang, "hint-hangs", &[("seconds", &DOCTOR_WAIT.as_secs())]),
            Hint::Floods => say(lang, "hint-floods", &[]),
            Hint::NotStarted { why } => say(lang, "hint-not_started", &[("why", why)]),
            Hint::Fails { code: Some(code) } => say(lang, "hint-fails", &[("code", code)]),
            Hint::Fails { code: None } => say(lang, "hint-fails-signal", &[]),
            Hint::Lacks { flag, package: Some(package) } => {
                say(lang, "hint-lacks", &[("flag", flag), ("package", package)])
            }
            Hint::Lacks { flag, package: None } => say(lang, "hint-lacks-own", &[("flag", flag)]),
            Hint::LogIn { variables } => {
                say(lang, "hint-log_in", &[("variables", &variables.join(", "))])
            }
            Hint::NoScenario => say(lang, "hint-no_scenario", &[("agent", agent)]),
        })
    }
}
