//! `[session]` and what belongs to it, as plain fields. Checked already; what a session makes of
//! them is not decided here.

use kernel::session::{Driver, OnFailure};

use super::settings::Read;

/// `[session]`, `[tweak]`, `[ehrb]` and the two switches that sessions show as variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The score from which on nothing more is asked.
    pub gate: u64,
    /// Rounds of questions before only going on and cancelling are left.
    pub max_clarify_rounds: u64,
    /// What becomes of the other tasks when one has failed.
    pub on_task_failure: OnFailure,
    /// Who drives DEVELOP.
    pub driver: Driver,
    /// Who designs; empty = as turns are worked.
    pub designers: Vec<String>,
    /// How long the question about replacing stays open.
    pub replace_expiry_ms: u64,
    /// How long children have to stop.
    pub cancel_grace_ms: u64,
    /// Kinds of questions that a guest may answer.
    pub mcp_may_answer: Vec<String>,
    /// Files of a tweak.
    pub tweak_files: u64,
    /// Lines of a tweak.
    pub tweak_lines: u64,
    /// Words of extremely high risk that are added.
    pub extra: Vec<String>,
    /// KB_CREATE_MODE.
    pub kb_mode: u64,
    /// BILINGUAL_COMMIT.
    pub bilingual: u64,
    /// How long the tests after a tweak may take.
    pub tweak_test_ms: u64,
    /// How long a registered tool may run.
    pub tool_ms: u64,
    /// `[tool.<name>]`, in the order of their names.
    pub tools: Vec<Tool>,
}

/// `[tool.<name>]`: a command that is called by its prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What an input that calls it begins with.
    pub prefix: String,
    /// Program and words.
    pub argv: Vec<String>,
    /// What it is for.
    pub describe: String,
}

impl Session {
    pub(super) fn of(read: &Read<'_>) -> Self {
        Self {
            gate: read.whole("session.gate"),
            max_clarify_rounds: read.whole("session.max_clarify_rounds"),
            on_task_failure: match read.text("session.on_task_failure").as_str() {
                "stop" => OnFailure::Stop,
                "continue" => OnFailure::Continue,
                _by_mode => OnFailure::ByMode,
            },
            driver: match read.text("session.driver").as_str() {
                "loop" => Driver::Loop,
                _lifecycle => Driver::Lifecycle,
            },
            designers: read.texts("session.designers"),
            replace_expiry_ms: read.whole("session.replace_expiry"),
            cancel_grace_ms: read.whole("session.cancel_grace"),
            mcp_may_answer: read.texts("session.mcp_may_answer"),
            tweak_files: read.whole("tweak.max_files"),
            tweak_lines: read.whole("tweak.max_lines"),
            extra: read.texts("ehrb.extra"),
            kb_mode: read.whole("kb.create_mode"),
            bilingual: read.whole("commit.bilingual"),
            tweak_test_ms: read.whole("tweak.test_timeout"),
            tool_ms: read.whole("call.timeout.exec"),
            tools: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::session::Setup;

    use crate::config::{File, Layers, resolve};

    #[test]
    fn a_registered_tool_has_a_command_and_a_prefix() {
        let of = |text: &str| {
            let file = File { name: "config.toml", text };
            resolve(&Layers { user: Some(file), ..Layers::default() })
        };
        let read = of("[tool.fmt]\ncommand = [\"cargo\", \"fmt\"]\n[tool.todo]\n\
                       prefix = \"!todo\"\ncommand = [\"grep\"]\ndescribe = \"lists\"\n");
        let tools = read.expect("read").settings.session.tools;
        let told: Vec<_> = tools.iter().map(|it| (it.name.as_str(), it.prefix.as_str())).collect();
        assert_eq!(told, [("fmt", "/fmt"), ("todo", "!todo")]);
        assert_eq!(tools[0].argv, ["cargo", "fmt"]);
        for wrong in [
            "[tool.fmt]\n",
            "[tool.fmt]\ncommand = []\n",
            "[tool.fmt]\ntype = \"mcp\"\ncommand = [\"x\"]\n",
            "[tool.fmt]\ncommand = [\"x\"]\ntrusted = true\n",
        ] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_machine() {
        let read = resolve(&Layers::default()).expect("defaults").settings.session;
        let bare = Setup::standard("en");
        assert_eq!(read.gate, u64::from(bare.gate));
        assert_eq!(read.max_clarify_rounds, u64::from(bare.clarify_rounds));
        assert_eq!(read.replace_expiry_ms, bare.replace_expiry_ms);
        assert_eq!(read.cancel_grace_ms, bare.cancel_grace_ms);
        assert_eq!((read.tweak_files, read.tweak_lines), (bare.tweak.files, bare.tweak.lines));
        assert_eq!(read.tweak_test_ms, bare.tweak_test_ms);
        assert_eq!((read.kb_mode, read.bilingual), (2, 1));
        assert_eq!(read.mcp_may_answer, bare.guest_answers);
        assert_eq!((read.driver, read.on_task_failure), (bare.driver, bare.on_task_failure));
    }
}
