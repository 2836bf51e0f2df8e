//! The paths below a turn's id under which its effects, calls, questions and timers are owed. One
//! place spells them, so that what is owed and what is answered never differ by a letter.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::state::{Ending, Leave, Life, Phase, Position, Recovering, Rung, Wait};
use crate::machine::At;

/// The turn's own time.
pub const DEADLINE: &str = "deadline";

/// When a question closes.
pub fn expiry(slot: &str) -> String {
    format!("{slot}/expiry")
}

/// Questions of a round.
pub fn clarify(round: u32) -> String {
    format!("clarify/{round}")
}

/// One of them, from 1.
pub fn question(round: u32, at: usize) -> String {
    format!("clarify/{round}/{at}")
}

/// A prompt.
pub fn confirm(k: u32) -> String {
    format!("confirm/{k}")
}

/// A call of a step.
pub fn call(at: &Position, n: u32) -> String {
    format!("step/{}/{}/{n}", at.step, at.attempt)
}

/// An attempt at a step.
pub fn attempt(at: &Position) -> String {
    format!("step/{}/{}", at.step, at.attempt)
}

/// The first of its kind has no number.
fn counted(name: &str, n: u32) -> String {
    if n <= 1 { name.to_string() } else { format!("{name}/{n}") }
}

/// The call that keeps the tree.
pub fn checkpoint(n: u32) -> String {
    counted("checkpoint", n)
}

/// The summary.
pub fn summary(n: u32) -> String {
    counted("summary", n)
}

/// The commit.
pub fn git(n: u32) -> String {
    counted("git", n)
}

/// The one effect whose result moves the turn on, if it awaits one. What is held is awaited all
/// the same: what has started may still end.
pub fn awaited(life: &Life) -> Option<String> {
    let next = &life.body.next;
    match &life.phase {
        Phase::Intake { round } => Some(format!("intake/{round}")),
        Phase::ContextBuilding { round } => Some(format!("context/{round}")),
        Phase::Planning { n, .. } => Some(format!("plan/{n}")),
        Phase::Executing(at) if life.body.checkpoint_due(at) => Some(checkpoint(next.checkpoint)),
        Phase::Executing(at) => Some(call(at, at.n)),
        Phase::Verifying(now) => Some(format!("verify/{}/{}", now.round, now.index)),
        Phase::Recovering(now) => recovering(now),
        Phase::Summarizing(now) => Some(match now.stage {
            Ending::Answering { n, .. } => format!("answer/{n}"),
            Ending::Drafting => summary(next.summary),
            Ending::Committing => git(next.git),
        }),
        // A prompt about one call leaves the agent that asked alive.
        Phase::AwaitingConfirmation(prompt) => prompt.position().map(|at| call(at, at.n)),
        Phase::Clarifying { .. } | Phase::Done(_) => None,
    }
}

fn recovering(now: &Recovering) -> Option<String> {
    match &now.rung {
        Rung::Undo { n, i, .. } => Some(format!("undo/{n}/{i}")),
        Rung::Replan { n, attempt, .. } => Some(format!("replan/{n}/{attempt}")),
        Rung::Degrade { .. } | Rung::Fix { .. } | Rung::Help { .. } | Rung::Spent => None,
    }
}

/// The wait before a fix.
pub fn fix(n: u32) -> String {
    format!("fix/{n}")
}

/// A cry for help; also its id.
pub fn help(n: u32) -> String {
    format!("help/{n}")
}

/// Whether something moves on when the effect of this key ends.
pub fn waited_for(life: &Life, key: &str) -> bool {
    awaited(life).is_some_and(|slot| slot == key) || inner_of(life, key).is_some()
}

/// The call that an agent asked for and that this key is of.
pub fn inner_of(life: &Life, key: &str) -> Option<u32> {
    let at = life.position()?;
    let given = at.inner.iter().filter(|inner| inner.leave == Leave::Given);
    given.map(|inner| inner.n).find(|n| call(at, *n) == key)
}

/// Every timer that is owed, with its moment. Nothing falls due while the turn is held.
pub fn timers(life: &Life) -> Vec<(String, At)> {
    let mut all = Vec::new();
    if life.body.hold.is_some() {
        return all;
    }
    let expires = |slot: &str, until: &Option<At>| until.map(|due| (expiry(slot), due));
    let body = &life.body;
    match &life.phase {
        Phase::Clarifying { round, wait: Wait::Open { until }, .. } => {
            all.extend(expires(&clarify(*round), until));
        }
        Phase::AwaitingConfirmation(prompt) => all.extend(expires(&prompt.id(), &prompt.until)),
        // Several agents have a time of their own, and may wait for a person.
        Phase::Executing(at) if body.by_several(at) => {}
        Phase::Executing(at) => all.extend(body.limit().map(|due| (attempt(at), due))),
        Phase::Recovering(now) => match &now.rung {
            Rung::Fix { n, not_before } => all.push((fix(*n), *not_before)),
            Rung::Help { n, until } => all.extend(expires(&help(*n), until)),
            Rung::Undo { .. } | Rung::Replan { .. } => all.extend(awaited(life).zip(body.limit())),
            Rung::Degrade { .. } | Rung::Spent => {}
        },
        Phase::Intake { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::Verifying(_)
        | Phase::Summarizing(_) => all.extend(awaited(life).zip(body.limit())),
        Phase::Clarifying { wait: Wait::Parked { .. }, .. } | Phase::Done(_) => {}
    }
    let ends = matches!(life.phase, Phase::Summarizing(_) | Phase::Done(_));
    all.extend(body.deadline().filter(|_| !ends).map(|due| (String::from(DEADLINE), due)));
    all
}
