//! Rows of a call that may or may not have happened. It is looked at, or a person says what became
//! of it; it never runs again except on proof that nothing was started.

use alloc::vec::Vec;

use super::super::command::{Command, Finding, SettleAs};
use super::super::decide::{Decided, ask_again};
use super::super::ending;
use super::super::event::Event;
use super::super::launched::{self, Launched};
use super::super::refusal::{Refusal, allowed, not_owed, unfit};
use super::super::slot;
use super::super::state::{Exit, Outcome, SettledBy, State, TakeBack, UnknownGate};
use super::{settled, started};
use crate::machine::{At, Said};

/// What a lost call answers.
pub fn row(
    state: &State,
    probes: u32,
    gate: &UnknownGate,
    undos: u32,
    said: &Said<Command>,
) -> Decided {
    let Some(run) = launched::of(state) else {
        return Err(unfit(state, &said.command));
    };
    let look = probes.saturating_add(1);
    match &said.command {
        Command::Ask(ask) => ask_again(run.facts, ask),
        Command::Exited { attempt, epoch, exit }
            if *attempt == run.attempt && *epoch == run.epoch =>
        {
            exited(&run, gate, exit, &said.command)
        }
        Command::Probed { attempt, n, finding } => match gate {
            UnknownGate::Probe if *attempt == run.attempt && *n == look => {
                Ok(probed(&run, look, finding, said.at))
            }
            UnknownGate::Probe | UnknownGate::Wait { .. } | UnknownGate::AskPerson { .. } => {
                Err(not_owed(state, &said.command))
            }
        },
        Command::Timeout { slot } => match gate {
            UnknownGate::Wait { .. } if *slot == slot::probe_at(look) => {
                Ok(Vec::from([Event::ProbeDue]))
            }
            UnknownGate::Wait { .. } | UnknownGate::Probe | UnknownGate::AskPerson { .. } => {
                Err(not_owed(state, &said.command))
            }
        },
        Command::Settle { how, note, undo } => {
            if !said.by.may_approve() {
                let by = said.by.word();
                return Err(Refusal::NeedsPerson { by, allowed: allowed(state) });
            }
            let by = SettledBy::Person { note: note.clone() };
            settle(&run, *how, by, undos, undo, said.at)
        }
        Command::Undo(how) => settled::undo(state, undos, how),
        Command::Stop(_) => Err(Refusal::SettleFirst { allowed: allowed(state) }),
        Command::Allow(_)
        | Command::Deny { .. }
        | Command::Prepared { .. }
        | Command::PrepareFailed { .. }
        | Command::Exited { .. }
        | Command::Lost { .. }
        | Command::UndoEnded { .. } => Err(unfit(state, &said.command)),
    }
}

/// An exit record that turned up late. It settles, and never leads to another attempt. One that
/// names processes still alive goes to a person, once.
fn exited(run: &Launched<'_>, gate: &UnknownGate, exit: &Exit, command: &Command) -> Decided {
    let outcome = ending::outcome(exit, run.phase, run.prep);
    if !started::left_behind(exit, &outcome) {
        return Ok(Vec::from([ending::by_exit(run, exit, outcome)]));
    }
    match gate {
        UnknownGate::Probe | UnknownGate::Wait { .. } => {
            Ok(Vec::from([Event::PersonAsked { evidence: exit.survivors.join(", ") }]))
        }
        UnknownGate::AskPerson { .. } => Err(not_owed(run.state, command)),
    }
}

fn probed(run: &Launched<'_>, look: u32, finding: &Finding, at: At) -> Vec<Event> {
    let by = SettledBy::Probe;
    match finding {
        Finding::NeverLaunched => started::never_launched(run, by),
        Finding::Happened => Vec::from([ending::without_record(run, Outcome::Ok, by, at)]),
        Finding::DidNotHappen => Vec::from([ending::did_nothing(run, ending::not_applied(), by)]),
        Finding::Running => Vec::from([Event::Reattached]),
        Finding::Inconclusive { evidence } => {
            let delays_ms = &run.facts.rules.probe_delays_ms;
            let next = usize::try_from(look).ok().and_then(|used| delays_ms.get(used));
            Vec::from([match next {
                Some(delay_ms) => Event::ProbeScheduled { until: at.plus(*delay_ms) },
                None => Event::PersonAsked { evidence: evidence.clone() },
            }])
        }
    }
}

fn settle(
    run: &Launched<'_>,
    how: SettleAs,
    by: SettledBy,
    undos: u32,
    undo: &TakeBack,
    at: At,
) -> Decided {
    match how {
        SettleAs::Happened => Ok(Vec::from([ending::without_record(run, Outcome::Ok, by, at)])),
        SettleAs::DidNotHappen => {
            Ok(Vec::from([ending::did_nothing(run, ending::not_applied(), by)]))
        }
        SettleAs::Undo => settled::undo(run.state, undos, undo),
    }
}
