//! How attempts end: what an exit record means, what may be tried again, what it costs and how far
//! it can be taken back. The rows choose among these; nothing here looks at a command.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};

use super::event::Event;
use super::held::Held;
use super::launched::{Launched, Wanted};
use super::request::{CONVERGE_RESTARTS_MAX, Class, Facts, Request};
use super::state::{
    Charge, Done, Ended, Exit, Failure, KillWhy, Outcome, Phase, Prep, SettledBy, State, UndoLevel,
};
use super::tool;
use crate::agent::{Access, Answer};
use crate::machine::At;

/// Undo level word: the call changed nothing.
pub const NOTHING_HAPPENED: &str = "nothing_happened";
/// Undo level word: a rule declares that the command changes nothing.
const DECLARED_READ: &str = "declared_read";
/// Undo level word: the agent was only allowed to read.
const READ_ONLY: &str = "read_only";
/// Undo level word: without a sandbox nobody knows what else it touched.
const OUTSIDE_WORKSPACE: &str = "outside_workspace";
/// Undo level word: repeating it gives the same end, so there is nothing worth taking back.
const HARMLESS: &str = "harmless";
/// Undo level word: it is an undo itself; the call it took back can be asked for anew.
const IS_UNDO: &str = "is_undo";
/// The sandbox level of a call that ran without one.
const NO_SANDBOX: &str = "none";

/// Retries among the attempts so far; a relaunch is not one.
pub const fn retries(attempt: u32, relaunches: u32) -> u32 {
    attempt.saturating_sub(1).saturating_sub(relaunches)
}

/// What an exit record says of its attempt, given why it may have been stopped.
pub fn outcome(exit: &Exit, phase: &Phase, prep: &Prep) -> Outcome {
    let kept = sandboxed_as_prepared(exit, prep) && exit.held.put_back.is_empty();
    if succeeded(exit) && kept {
        return Outcome::Ok;
    }
    if matches!(phase, Phase::Running) && told_its_end(exit) {
        return Outcome::Failed(exit_failure(exit));
    }
    if let Some(limit) = limit(exit.ended, phase) {
        return Outcome::TimedOut { limit: limit.to_string() };
    }
    match phase {
        Phase::Stopping { .. } => Outcome::Stopped,
        Phase::Running => match exit.ended {
            Ended::Stopped => Outcome::Stopped,
            Ended::Exit | Ended::Signal | Ended::Deadline | Ended::Idle | Ended::SpawnFailed => {
                Outcome::Failed(exit_failure(exit))
            }
        },
    }
}

/// An agent's final event beats its exit code, both ways; a command has only its exit code.
fn succeeded(exit: &Exit) -> bool {
    match exit.done.as_deref() {
        Some(Done::Payload(_)) => return true,
        Some(Done::Failed { .. }) => return false,
        None => {}
    }
    match exit.agent.as_deref().map(|report| &report.answer) {
        Some(Answer::Answered { .. }) => true,
        Some(Answer::Failed { .. }) => false,
        None => clean(exit),
    }
}

/// The codes of a report that only repeats why the shim ended it.
const ENDED_BY_US: [&str; 2] = ["E004", "E007"];

/// Whether an agent's own stream says how it ended. What lingers after its last word is ended by
/// the shim, and that is no reason of its own.
fn told_its_end(exit: &Exit) -> bool {
    match exit.agent.as_deref().map(|report| &report.answer) {
        Some(Answer::Answered { .. }) => true,
        Some(Answer::Failed { error, .. }) => !ENDED_BY_US.contains(&error.code.as_str()),
        None => false,
    }
}

fn clean(exit: &Exit) -> bool {
    exit.ended == Ended::Exit && exit.exit_code == Some(0)
}

fn sandboxed_as_prepared(exit: &Exit, prep: &Prep) -> bool {
    prep.sandbox == NO_SANDBOX || prep.sandbox == exit.sandbox
}

fn limit(ended: Ended, phase: &Phase) -> Option<&'static str> {
    match ended {
        Ended::Deadline => return Some("deadline"),
        Ended::Idle => return Some("idle"),
        Ended::Exit | Ended::Signal | Ended::Stopped | Ended::SpawnFailed => {}
    }
    match phase {
        Phase::Stopping { why: KillWhy::Deadline, .. } => Some("deadline"),
        Phase::Stopping { why: KillWhy::Idle, .. } => Some("idle"),
        Phase::Stopping { why: KillWhy::Stop, .. } | Phase::Running => None,
    }
}

fn exit_failure(exit: &Exit) -> Failure {
    if let Some(Done::Failed { failure, .. }) = exit.done.as_deref() {
        return failure.clone();
    }
    if let Some(why) = held_failure(&exit.held) {
        return why;
    }
    if let Some(Answer::Failed { error, .. }) = exit.agent.as_deref().map(|report| &report.answer) {
        return failure(&error.code, &error.kind, &error.detail);
    }
    if succeeded(exit) {
        return failure("E_IO", "sandbox_unavailable", &exit.sandbox);
    }
    if exit.ended == Ended::SpawnFailed {
        let why = exit.held.not_begun.as_ref();
        let detail = why.map(|why| format!("{}: {}", why.step, why.error)).unwrap_or_default();
        return failure("E_IO", "spawn", &detail);
    }
    match (exit.exit_code, exit.signal) {
        (_, Some(signal)) => failure("E_IO", "interrupted", &format!("signal {signal}")),
        (Some(code), None) => failure("E_BUILD_FAIL", "exit", &format!("exit {code}")),
        (None, None) => failure("E_IO", "interrupted", ""),
    }
}

/// Walls that could not be put up, and what was changed in spite of them, beat all that the program
/// says of itself.
fn held_failure(held: &Held) -> Option<Failure> {
    match &held.not_begun {
        Some(why) if why.at_the_walls() => {
            let detail = format!("{}: {}", why.step, why.error);
            return Some(failure("E_IO", "sandbox_unavailable", &detail));
        }
        Some(_) | None => {}
    }
    let paths = held.put_back.join(", ");
    (!paths.is_empty()).then(|| failure("E_POLICY_DENIED", "protected", &paths))
}

/// A failure without sentences.
pub fn failure(code: &str, kind: &str, detail: &str) -> Failure {
    Failure { code: code.to_string(), kind: kind.to_string(), detail: detail.to_string() }
}

/// Nothing happened, and nothing will under this key.
pub fn not_applied() -> Outcome {
    Outcome::Failed(failure("E_IO", "not_applied", ""))
}

/// Whether the same attempt might go better a moment later.
pub fn retryable(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Ok | Outcome::Stopped => false,
        Outcome::TimedOut { .. } => true,
        Outcome::Failed(failure) => match (failure.code.as_str(), failure.kind.as_str()) {
            ("E_IO", "interrupted" | "busy") | ("E_TOOL_TIMEOUT", _) => true,
            ("E_MODEL", "provider") => {
                failure.detail == "429"
                    || (failure.detail.len() == 3 && failure.detail.starts_with('5'))
            }
            (_, _) => false,
        },
    }
}

/// The next attempt after a failure: reads only, while delays are left.
pub fn retry_failed(
    facts: &Facts,
    attempt: u32,
    relaunches: u32,
    active_ms: u64,
    at: At,
) -> Option<Event> {
    match facts.request.class {
        Class::Read => {
            let used = usize::try_from(retries(attempt, relaunches)).ok()?;
            let delay_ms = facts.rules.retry_delays_ms.get(used)?;
            let attempt = attempt.saturating_add(1);
            Some(Event::RetryScheduled { attempt, until: at.plus(*delay_ms), active_ms })
        }
        Class::Converge | Class::Guarded | Class::Once => None,
    }
}

/// The next attempt after a lost start that may have acted: only what may run twice.
pub fn retry_lost(run: &Launched<'_>, at: At) -> Option<Event> {
    let active_ms = run.active_ms.saturating_add(run.unrecorded_ms(at));
    match (run.wanted(), run.facts.request.class) {
        (Wanted::Still, Class::Read) => {
            retry_failed(run.facts, run.attempt, run.relaunches, active_ms, at)
        }
        (Wanted::Still, Class::Converge) => {
            let used = retries(run.attempt, run.relaunches);
            let attempt = run.attempt.saturating_add(1);
            (used < CONVERGE_RESTARTS_MAX).then_some(Event::RetryScheduled {
                attempt,
                until: at,
                active_ms,
            })
        }
        (Wanted::Still, Class::Guarded | Class::Once)
        | (Wanted::Over, Class::Read | Class::Converge | Class::Guarded | Class::Once) => None,
    }
}

/// What a call leaves behind that could be taken back.
pub fn undo_level(request: &Request, sandbox: &str, unkept: Option<&str>) -> UndoLevel {
    if request.agent.as_ref().is_some_and(|ask| ask.access == Access::Read) {
        return UndoLevel::None(READ_ONLY.to_string());
    }
    match request.class {
        Class::Read => UndoLevel::None(DECLARED_READ.to_string()),
        Class::Converge if request.name == tool::PACKAGE || request.name == tool::ROLLBACK => {
            UndoLevel::Exact
        }
        Class::Converge if request.name == tool::UNDO => UndoLevel::None(IS_UNDO.to_string()),
        Class::Converge => UndoLevel::None(HARMLESS.to_string()),
        Class::Guarded => UndoLevel::Exact,
        Class::Once if request.name == tool::GIT_COMMIT => UndoLevel::BestEffort,
        Class::Once if unkept.is_some() => UndoLevel::None(unkept.unwrap_or_default().to_string()),
        Class::Once if sandbox == NO_SANDBOX => UndoLevel::None(OUTSIDE_WORKSPACE.to_string()),
        Class::Once => UndoLevel::BestEffort,
    }
}

/// The same, by what was prepared: of a call that left no exit record.
pub fn of_prep(facts: &Facts, prep: &Prep) -> UndoLevel {
    undo_level(&facts.request, &prep.sandbox, prep.unkept.as_deref())
}

/// The level of a call none of whose attempts acted.
pub fn nothing() -> UndoLevel {
    UndoLevel::None(NOTHING_HAPPENED.to_string())
}

/// The level when this attempt did nothing: nothing at all, unless an earlier one may have acted.
pub fn level_without_this_attempt(facts: &Facts, attempt: u32, relaunches: u32) -> UndoLevel {
    if retries(attempt, relaunches) == 0 {
        nothing()
    } else {
        undo_level(&facts.request, NO_SANDBOX, None)
    }
}

/// Whether an undo could begin now.
pub enum Undoable {
    /// It could.
    Yes,
    /// There is nothing to take back.
    Nothing,
    /// It cannot be taken back, and why.
    Cannot(String),
}

/// Whether a settled or lost call can be taken back; every other state has nothing to undo.
pub fn undoable(state: &State) -> Undoable {
    match state {
        State::Settled { facts, undo, .. } => by_level(facts, undo),
        State::Unknown { facts, prep, .. } => by_level(facts, &of_prep(facts, prep)),
        State::New
        | State::Asked { .. }
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Undoing { .. }
        | State::Undone { .. } => Undoable::Nothing,
    }
}

fn by_level(facts: &Facts, level: &UndoLevel) -> Undoable {
    match (facts.request.class, level) {
        (Class::Read, UndoLevel::Exact | UndoLevel::BestEffort | UndoLevel::None(_)) => {
            Undoable::Nothing
        }
        (Class::Converge | Class::Guarded | Class::Once, UndoLevel::None(why)) => {
            if why == NOTHING_HAPPENED { Undoable::Nothing } else { Undoable::Cannot(why.clone()) }
        }
        (
            Class::Converge | Class::Guarded | Class::Once,
            UndoLevel::Exact | UndoLevel::BestEffort,
        ) => Undoable::Yes,
    }
}

/// What a call costs that ends at this attempt.
pub const fn charge(attempt: u32, relaunches: u32, active_ms: u64) -> Charge {
    Charge { attempts: attempt, retries: retries(attempt, relaunches), active_ms }
}

/// A settlement by an exit record.
pub fn by_exit(run: &Launched<'_>, exit: &Exit, outcome: Outcome) -> Event {
    let late = match (run.phase, &outcome) {
        (Phase::Stopping { .. }, Outcome::Ok) => true,
        (
            Phase::Stopping { .. },
            Outcome::Failed(_) | Outcome::TimedOut { .. } | Outcome::Stopped,
        )
        | (
            Phase::Running,
            Outcome::Ok | Outcome::Failed(_) | Outcome::TimedOut { .. } | Outcome::Stopped,
        ) => false,
    };
    let undo = match exit.ended {
        Ended::SpawnFailed => level_without_this_attempt(run.facts, run.attempt, run.relaunches),
        Ended::Exit | Ended::Signal | Ended::Deadline | Ended::Idle | Ended::Stopped => {
            undo_level(&run.facts.request, &exit.sandbox, run.prep.unkept.as_deref())
        }
    };
    Event::Settled {
        outcome,
        by: SettledBy::Result,
        exit: Some(Box::new(exit.clone())),
        undo,
        charge: charge(run.attempt, run.relaunches, active_with(run, exit)),
        late,
    }
}

/// Time of all attempts with this record's.
pub const fn active_with(run: &Launched<'_>, exit: &Exit) -> u64 {
    run.active_ms.saturating_add(exit.ended_at.since(exit.started_at))
}

/// A settlement of an attempt that left no record and may have acted.
pub fn without_record(run: &Launched<'_>, outcome: Outcome, by: SettledBy, at: At) -> Event {
    let active_ms = run.active_ms.saturating_add(run.unrecorded_ms(at));
    Event::Settled {
        outcome,
        by,
        exit: None,
        undo: of_prep(run.facts, run.prep),
        charge: charge(run.attempt, run.relaunches, active_ms),
        late: false,
    }
}

/// A settlement of an attempt that is known to have done nothing.
pub fn did_nothing(run: &Launched<'_>, outcome: Outcome, by: SettledBy) -> Event {
    Event::Settled {
        outcome,
        by,
        exit: None,
        undo: level_without_this_attempt(run.facts, run.attempt, run.relaunches),
        charge: charge(run.attempt, run.relaunches, run.active_ms),
        late: false,
    }
}
