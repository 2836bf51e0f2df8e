//! What a child's end means to its owner. Pure: the child's state in, the owner's command or the
//! look that is needed for it out.

use kernel::call::{self, Failure, Outcome};
use kernel::loops::{self, Gave, Leg, LegEnd};
use kernel::machine::By;
use kernel::run::Command;
use kernel::turn::CheckedOut;

use super::answered::{self, Gave as FromAgent, Spoken};
use super::job::{Look, Ran};
use super::saying::Saying;

/// What to do about a child that has ended.
#[derive(Debug)]
pub(super) enum Tell {
    /// Say this to the owner.
    Now(LegEnd),
    /// Read what the command printed first.
    Read(Look, Box<Ran>),
    /// Read what the agent answered first.
    Answer(Box<Spoken>),
}

/// The leg that a slot names, if the loop still waits for it.
pub(super) fn leg_of(state: &loops::State, slot: &str) -> Option<(u32, Leg)> {
    state.awaited().filter(|(awaited, _, _)| awaited == slot).map(|(_, n, leg)| (n, leg))
}

/// Says to a loop how the child of a slot ended, if the loop still waits for it.
pub(super) fn leg_ended(
    owner: &str,
    state: &loops::State,
    slot: &str,
    end: LegEnd,
) -> Option<Saying> {
    let (n, leg) = leg_of(state, slot)?;
    let command = Command::Loop(loops::Command::LegEnded { n, leg, end });
    Some(Saying::own(owner, By::Engine, command))
}

/// What a loop hears of a call that has ended; none while it has not.
pub(super) fn of_call(
    owner: &loops::State,
    leg: &Leg,
    id: &str,
    child: &call::State,
) -> Option<Tell> {
    let end = match child {
        call::State::Denied { by, .. } => LegEnd::Blocked { failure: denied(by), reset_at: None },
        call::State::Settled { outcome, exit, prep, .. } => {
            if let Some(exit) = exit
                && exit.ended != call::Ended::SpawnFailed
                && *outcome != Outcome::Stopped
                && let Some(look) = Look::of(owner, leg)
            {
                let tree_before = prep.as_ref().and_then(|prep| prep.tree_before.clone());
                return Some(Tell::Read(look, Box::new(Ran { exit: exit.clone(), tree_before })));
            }
            if let Some(exit) = exit
                && let Some(report) = &exit.agent
            {
                let tool = owner.default_tool();
                return Some(match answered::of_agent((leg, id, tool), outcome, exit, report) {
                    FromAgent::End(end) => Tell::Now(end),
                    FromAgent::Answer(spoken) => {
                        let seen = owner.seen().map(|seen| Box::new(seen.clone()));
                        Tell::Answer(Box::new(Spoken { seen, ..*spoken }))
                    }
                });
            }
            settled(outcome, exit.as_ref())
        }
        call::State::Undone { .. } => LegEnd::Cancelled,
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. } => return None,
    };
    Some(Tell::Now(end))
}

pub(super) fn settled(outcome: &Outcome, exit: Option<&call::Exit>) -> LegEnd {
    let files_changed = exit.map(|exit| exit.files_changed.clone()).unwrap_or_default();
    match outcome {
        Outcome::Ok => LegEnd::Ok(Gave::Work { files_changed, summary: String::new() }),
        Outcome::Failed(failure) if never_ran(failure) => {
            LegEnd::Blocked { failure: failure.clone(), reset_at: None }
        }
        Outcome::Failed(failure) => LegEnd::Failed { failure: failure.clone(), files_changed },
        Outcome::TimedOut { limit } => LegEnd::TimedOut {
            failure: Failure {
                code: "E_TOOL_TIMEOUT".to_owned(),
                kind: limit.clone(),
                detail: String::new(),
            },
            files_changed,
        },
        Outcome::Stopped => LegEnd::Cancelled,
    }
}

/// Failures after which nothing of the command has happened: the owner may ask again at once.
fn never_ran(failure: &Failure) -> bool {
    failure.code == NO_AGENT
        || matches!(
            failure.kind.as_str(),
            "spawn"
                | "not_found"
                | "not_applied"
                | "permission"
                | "no_space"
                | "over_quota"
                | "no_git"
                | "sandbox_unavailable"
        )
}

/// What a loop hears of a leg that was not begun because another branch is checked out.
pub(super) fn other_branch(then: &CheckedOut, now: &CheckedOut) -> LegEnd {
    let name = |head: &CheckedOut| head.branch.clone().unwrap_or_else(|| "HEAD".to_owned());
    let kind = loops::BRANCH_CHANGED.to_owned();
    let (code, detail) =
        ("E_CONFLICT".to_owned(), format!("{kind}: {} -> {}", name(then), name(now)));
    LegEnd::Blocked { failure: Failure { code, kind, detail }, reset_at: None }
}

/// An agent that is not there.
const NO_AGENT: &str = "E001";

fn denied(by: &call::DeniedBy) -> Failure {
    let (kind, detail) = match by {
        call::DeniedBy::Policy { rule } => ("policy", rule.clone()),
        call::DeniedBy::User { note } => ("user", note.clone()),
        call::DeniedBy::Timer => ("timer", String::new()),
        call::DeniedBy::Parent => ("parent", String::new()),
    };
    Failure { code: "E_POLICY_DENIED".to_owned(), kind: kind.to_owned(), detail }
}

/// What a loop hears when the child it asked for was refused at the door.
pub(super) fn of_refused_ask(reason: &str, tool: &str) -> LegEnd {
    let (code, kind) = match reason {
        "unknown_tool" if tool == loops::TURN => ("E_INVALID_ARGS", "unsupported"),
        "unknown_tool" => (NO_AGENT, "missing"),
        "budget" => ("E_BUDGET", "calls"),
        "invalid_args" => ("E_INVALID_ARGS", "request"),
        _ => ("E_REFUSED", reason),
    };
    LegEnd::Blocked {
        failure: Failure { code: code.to_owned(), kind: kind.to_owned(), detail: tool.to_owned() },
        reset_at: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_child_says_what_is_missing() {
        let table = [
            ("unknown_tool", "gemini", "E001/missing gemini"),
            ("unknown_tool", loops::TURN, "E_INVALID_ARGS/unsupported turn"),
            ("budget", "run", "E_BUDGET/calls run"),
            ("parent_over", "run", "E_REFUSED/parent_over run"),
        ];
        for (reason, tool, expected) in table {
            let LegEnd::Blocked { failure, .. } = of_refused_ask(reason, tool) else {
                panic!("{reason} does not block");
            };
            let Failure { code, kind, detail } = failure;
            assert_eq!(format!("{code}/{kind} {detail}"), expected);
        }
    }
}
