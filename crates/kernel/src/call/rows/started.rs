//! Rows of a call whose start is on record. It may have acted, so it ends by evidence: an exit
//! record, a proof that nothing was launched, or the admission that nobody knows.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::super::command::{Command, Launch};
use super::super::decide::{Decided, ask_again};
use super::super::ending;
use super::super::event::Event;
use super::super::launched::{self, Launched, Wanted};
use super::super::refusal::{Refusal, allowed, not_owed, unfit};
use super::super::request::{Class, RELAUNCHES_MAX};
use super::super::slot;
use super::super::state::{Ended, Exit, KillWhy, Lost, Outcome, Phase, SettledBy, State};
use crate::machine::{At, Said};

/// What a started call answers.
pub fn row(state: &State, said: &Said<Command>) -> Decided {
    let Some(run) = launched::of(state) else {
        return Err(unfit(state, &said.command));
    };
    match &said.command {
        Command::Ask(ask) => ask_again(run.facts, ask),
        Command::Exited { attempt, epoch, exit }
            if *attempt == run.attempt && *epoch == run.epoch =>
        {
            Ok(exited(&run, exit, said.at))
        }
        Command::Lost { attempt, launch } if *attempt == run.attempt => Ok(match launch {
            Launch::Never => never_launched(&run, SettledBy::Result),
            Launch::Perhaps => lost(&run, said.at),
        }),
        Command::Timeout { slot } => timeout(&run, slot, said),
        Command::Stop(_) => match run.phase {
            Phase::Running => Ok(stop_begun(KillWhy::Stop, said)),
            Phase::Stopping { .. } => Err(Refusal::AlreadyStopping { allowed: allowed(state) }),
        },
        Command::Allow(_)
        | Command::Deny { .. }
        | Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::Probed { .. }
        | Command::Settle { .. }
        | Command::Undo(_)
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}

fn stop_begun(why: KillWhy, said: &Said<Command>) -> Vec<Event> {
    Vec::from([Event::StopBegun { why, by: said.by.word().to_string() }])
}

fn timeout(run: &Launched<'_>, slot: &str, said: &Said<Command>) -> Decided {
    match run.phase {
        Phase::Running if slot == slot::deadline(run.attempt) => {
            Ok(stop_begun(KillWhy::Deadline, said))
        }
        Phase::Running
            if run.facts.request.idle_ms.is_some() && slot == slot::idle(run.attempt) =>
        {
            Ok(stop_begun(KillWhy::Idle, said))
        }
        // Who is left is not known to a timer; the look that follows names them.
        Phase::Stopping { .. } if slot == slot::grace(run.attempt) => {
            let why = Lost::NotProvenDead { survivors: Vec::new() };
            Ok(Vec::from([Event::OutcomeUnknown { why }]))
        }
        Phase::Running | Phase::Stopping { .. } => Err(not_owed(run.state, &said.command)),
    }
}

/// An exit record that was waited for. While processes of a stopped attempt live on, it has not
/// ended, whatever its class: neither is it settled nor is another attempt started beside them.
fn exited(run: &Launched<'_>, exit: &Exit, at: At) -> Vec<Event> {
    let outcome = ending::outcome(exit, run.phase, run.prep);
    if left_behind(exit, &outcome) {
        let why = Lost::NotProvenDead { survivors: exit.survivors.clone() };
        return Vec::from([Event::OutcomeUnknown { why }]);
    }
    let again = match run.wanted() {
        Wanted::Over => None,
        Wanted::Still if ending::retryable(&outcome) => {
            let active_ms = ending::active_with(run, exit);
            ending::retry_failed(run.facts, run.attempt, run.relaunches, active_ms, at)
        }
        Wanted::Still => None,
    };
    Vec::from([again.unwrap_or_else(|| ending::by_exit(run, exit, outcome))])
}

/// Whether an attempt that we ended has processes left. One that ended by itself is over; its
/// record names them. A failed one may be tried anew by its owner, so it counts by who ended it.
pub fn left_behind(exit: &Exit, outcome: &Outcome) -> bool {
    let by_us = match outcome {
        Outcome::TimedOut { .. } | Outcome::Stopped => true,
        Outcome::Failed(_) => match exit.ended {
            Ended::Stopped | Ended::Deadline | Ended::Idle => true,
            Ended::Exit | Ended::Signal | Ended::SpawnFailed => false,
        },
        Outcome::Ok => false,
    };
    by_us && !exit.survivors.is_empty()
}

/// A start that is proven to have launched nothing: launched again, for every class.
pub fn never_launched(run: &Launched<'_>, by: SettledBy) -> Vec<Event> {
    Vec::from([match run.wanted() {
        Wanted::Over => ending::did_nothing(run, Outcome::Stopped, by),
        Wanted::Still if run.relaunches < RELAUNCHES_MAX => Event::NeverLaunched {
            attempt: run.attempt.saturating_add(1),
            relaunches: run.relaunches.saturating_add(1),
        },
        Wanted::Still => ending::did_nothing(run, ending::not_applied(), by),
    }])
}

/// A start that was found dead and may have acted.
fn lost(run: &Launched<'_>, at: At) -> Vec<Event> {
    Vec::from([match run.facts.request.class {
        Class::Guarded | Class::Once => Event::OutcomeUnknown { why: Lost::Lost },
        Class::Read | Class::Converge => ending::retry_lost(run, at).unwrap_or_else(|| {
            let outcome = Outcome::Failed(ending::failure("E_IO", "interrupted", "lost"));
            ending::without_record(run, outcome, SettledBy::Result, at)
        }),
    }])
}
