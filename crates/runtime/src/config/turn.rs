//! `[turn]` as plain fields. Checked already; what a turn makes of them is not decided here.

use super::choices::{TurnCheckpoint, TurnGit, TurnOnFailure};
use super::settings::{PROVEN, Read};

/// The word for "the first of those who work".
const AUTO: &str = "auto";

/// `[turn]`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who plans; none = the first of those who work.
    pub planner: Option<String>,
    /// Who works: the first, then those it falls back to.
    pub agents: Vec<String>,
    /// Fix steps.
    pub fixes: u64,
    /// New plans once it runs.
    pub replans: u64,
    /// Plans made anew because a person wanted it.
    pub revisions: u64,
    /// Steps of a plan.
    pub steps: u64,
    /// Calls that an agent may ask for in one step.
    pub step_calls: u64,
    /// Calls of one turn.
    pub calls: u64,
    /// Rounds of questions before it only waits.
    pub clarify_rounds: u64,
    /// Active time.
    pub deadline_ms: u64,
    /// How long questions stay open; 0 = for ever.
    pub question_expiry_ms: u64,
    /// What it may cost, in millionths of a dollar; none = unlimited.
    pub budget_micros: Option<u64>,
    /// What it may use; none = unlimited.
    pub budget_tokens: Option<u64>,
    /// What happens to the rest when a step is given up.
    pub on_failure: TurnOnFailure,
    /// What becomes of the change in git.
    pub git: TurnGit,
    /// When the tree is kept.
    pub checkpoint: TurnCheckpoint,
    /// `[turn.context]`
    pub context: TurnContext,
    /// `[turn.timeout]`
    pub timeout: TurnTimeouts,
}

/// `[turn.context]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnContext {
    /// Estimated tokens of a pack.
    pub tokens: u64,
    /// Snippets of a pack.
    pub max_snippets: u64,
    /// Lines of a snippet.
    pub max_lines_per_snippet: u64,
}

/// `[turn.timeout]`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnTimeouts {
    /// Of looking at the words.
    pub intake_ms: u64,
    /// Of gathering the context.
    pub context_ms: u64,
    /// Of one planner call.
    pub plan_ms: u64,
    /// Of one attempt at a step.
    pub step_ms: u64,
    /// Of the summary, of an answer, of a commit.
    pub summary_ms: u64,
}

impl Turn {
    pub(super) fn of(read: &Read<'_>) -> Self {
        let limited = |name: &str| Some(read.whole(name)).filter(|most| *most > 0);
        Self {
            planner: Some(read.text("turn.planner")).filter(|name| name != AUTO),
            agents: read.texts("turn.agents"),
            fixes: read.whole("turn.fixes"),
            replans: read.whole("turn.replans"),
            revisions: read.whole("turn.revisions"),
            steps: read.whole("turn.steps"),
            step_calls: read.whole("turn.step_calls"),
            calls: read.whole("turn.calls"),
            clarify_rounds: read.whole("turn.clarify_rounds"),
            deadline_ms: read.whole("turn.deadline"),
            question_expiry_ms: read.whole("turn.question_expiry"),
            budget_micros: limited("turn.budget_usd"),
            budget_tokens: limited("turn.budget_tokens"),
            on_failure: TurnOnFailure::named(&read.text("turn.on_failure")).expect(PROVEN),
            git: TurnGit::named(&read.text("turn.git")).expect(PROVEN),
            checkpoint: TurnCheckpoint::named(&read.text("turn.checkpoint")).expect(PROVEN),
            context: TurnContext {
                tokens: read.whole("turn.context.tokens"),
                max_snippets: read.whole("turn.context.max_snippets"),
                max_lines_per_snippet: read.whole("turn.context.max_lines_per_snippet"),
            },
            timeout: TurnTimeouts {
                intake_ms: read.whole("turn.timeout.intake"),
                context_ms: read.whole("turn.timeout.context"),
                plan_ms: read.whole("turn.timeout.plan"),
                step_ms: read.whole("turn.timeout.step"),
                summary_ms: read.whole("turn.timeout.summary"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::turn::{self, Limits};

    use super::*;
    use crate::config::{File, Layers, Settings, resolve};

    #[test]
    fn defaults_are_those_of_the_machine() {
        let (found, kernel) = (Settings::default().turn, Limits::default());
        let counts = [found.fixes, found.replans, found.revisions, found.steps];
        let known = [kernel.fixes, kernel.replans, kernel.revisions, kernel.steps];
        assert_eq!(counts, known.map(u64::from));
        let counts = [found.step_calls, found.calls, found.clarify_rounds];
        assert_eq!(counts, [kernel.step_calls, kernel.calls, kernel.clarify_rounds].map(u64::from));
        let times = [found.deadline_ms, found.question_expiry_ms, found.timeout.intake_ms];
        assert_eq!(times, [kernel.active_ms, kernel.question_expiry_ms, kernel.intake_ms]);
        let times = [found.timeout.context_ms, found.timeout.plan_ms, found.timeout.step_ms];
        assert_eq!(times, [kernel.context_ms, kernel.plan_ms, kernel.step_ms]);
        assert_eq!(found.timeout.summary_ms, kernel.summary_ms);
        assert_eq!(found.context.tokens, turn::CONTEXT_TOKENS_MAX);
        assert_eq!(found.context.max_snippets, u64::from(turn::SNIPPETS_MAX));
        assert_eq!(found.context.max_lines_per_snippet, u64::from(turn::SNIPPET_LINES_MAX));
        assert_eq!((found.budget_micros, found.budget_tokens, found.planner), (None, None, None));
        assert_eq!((found.git, found.checkpoint), (TurnGit::Message, TurnCheckpoint::Turn));
    }

    #[test]
    fn what_is_out_of_range_or_unknown_is_refused() {
        for text in [
            "[turn]\nfixes = 11",
            "[turn]\nsteps = 0",
            "[turn]\nsteps = 31",
            "[turn]\nstep_calls = 501",
            "[turn]\ncalls = 5001",
            "[turn]\nclarify_rounds = 0",
            "[turn]\ndeadline = \"1s\"",
            "[turn]\nbudget_usd = \"two\"",
            "[turn]\ngit = \"branch\"",
            "[turn]\nclassifier = \"x\"",
            "[turn.timeout]\nverify = \"5s\"",
            "[turn.context]\ntokens = 10",
        ] {
            let workspace = Some(File { name: "w", text });
            let faults = resolve(&Layers { workspace, ..Layers::default() }).unwrap_err();
            assert_eq!(faults.len(), 1, "{text}");
        }
        let text = "[turn]\nbudget_usd = \"2.50\"\nplanner = \"codex\"\nquestion_expiry = 0\n";
        let workspace = Some(File { name: "w", text });
        let turn = resolve(&Layers { workspace, ..Layers::default() }).unwrap().settings.turn;
        assert_eq!((turn.budget_micros, turn.question_expiry_ms), (Some(2_500_000), 0));
        assert_eq!(turn.planner.as_deref(), Some("codex"));
    }
}
