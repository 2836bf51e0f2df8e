//! Sessions in the engine: what they ask of the hands, the requests that come back, and which of
//! their children have ended. What a session does about it is the machine's to say.

use std::collections::BTreeMap;

use journal::Journal;
use kernel::call::{self, Failure, UnknownGate};
use kernel::loops;
use kernel::machine::By;
use kernel::owed::Owed;
use kernel::policy::Granted;
use kernel::run::{Command, State};
use kernel::session::{self, Act, Ask, ChildAsking, Life, Outcome, Stop, Unit};
use kernel::turn::{self, Fault};

use super::book::{Halt, Run};
use super::job::{Heard, Job, Left, Sitting};
use super::saying::Saying;
use super::session_ends::{of_lifecycle, of_loop, of_turn};
use super::step::Engine;
use crate::query::of_run;
use crate::sessions::{Beside, child, id_of};

impl<J: Journal> Engine<J> {
    /// What a session's page shows besides its own state.
    #[must_use]
    pub fn beside(&self, id: &str, run: &Run) -> Beside {
        let live = self.runs.iter().filter(|(_, run)| run.parent.as_deref() == Some(id));
        let of = |(own, run): (&String, &Run)| {
            let (machine, state) = (run.state.kind().name(), run.state.status());
            child(run.key.as_deref(), own, machine, state)
        };
        let mut children: Vec<_> = live.map(of).collect();
        children.sort_by_key(|one| one["run_id"].to_string());
        let below = self.below(id).into_iter().filter(|one| one != id);
        let asking = below.filter_map(|one| Some(of_run(&one, &self.runs.get(&one)?.state)));
        let asking = asking.flatten().collect();
        Beside { seq: run.seq, updated_at: Some(run.updated_at), children, asking }
    }

    /// A look of the hands.
    pub(super) fn session_act(&self, id: &str, slot: &str, key: String, act: &Act) -> Option<Job> {
        let sitting = self.sitting(id, slot, key)?;
        Some(Job::SessionAct { sitting, act: Box::new(act.clone()) })
    }

    fn sitting(&self, id: &str, slot: &str, key: String) -> Option<Box<Sitting>> {
        let run = self.runs.get(id)?;
        let State::Session(state) = &run.state else { return None };
        let life = state.life()?.clone();
        let others = self.other_sessions(id);
        let calls = if slot.starts_with("rollback/") { self.every_call() } else { Vec::new() };
        let changes = self.changes_of(id, &life);
        let (run, slot) = (id.to_owned(), slot.to_owned());
        Some(Box::new(Sitting { key, run, slot, life, others, calls, changes }))
    }

    /// Every call of the workspace, the oldest first.
    fn every_call(&self) -> Vec<String> {
        let heads = self.journal.heads().unwrap_or_default();
        let calls = heads.into_iter().filter(|head| head.machine == "call");
        calls.map(|head| head.run).collect()
    }

    /// The packages that sessions hold, but for this one.
    pub(super) fn held_by_others(&self, id: &str) -> BTreeMap<String, String> {
        let of = |life: Life| -> Vec<(String, String)> {
            let session = id_of(&life.body.key);
            life.holds().into_iter().map(|name| (name.to_owned(), session.clone())).collect()
        };
        self.other_sessions(id).into_iter().flat_map(of).collect()
    }

    /// The other sessions of this workspace: what they hold is theirs.
    fn other_sessions(&self, id: &str) -> Vec<Life> {
        let others = self.runs.iter().filter(|(other, _)| *other != id);
        others
            .filter_map(|(_, run)| match &run.state {
                State::Session(state) => state.life().cloned(),
                State::Call(_)
                | State::Loop(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_) => None,
            })
            .collect()
    }

    /// Has the hands make ready what a session asks for.
    pub(super) fn make_session(&mut self, id: &str, slot: &str, ask: Ask, jobs: &mut Vec<Job>) {
        let key = format!("{id}/{slot}");
        let job = format!("{key}/ask");
        if !self.unasked(&key, &job) {
            return;
        }
        if let Some(sitting) = self.sitting(id, slot, job.clone()) {
            self.flight.insert(job);
            jobs.push(Job::SessionAsk { sitting, ask: Box::new(ask) });
        }
    }

    /// Calls that have ended and that their session has not heard of: what they left is read
    /// first.
    pub(super) fn session_reports(&mut self, id: &str, jobs: &mut Vec<Job>) {
        let Some(State::Session(state)) = self.runs.get(id).map(|run| &run.state) else { return };
        let Some(life) = state.life() else { return };
        for (slot, _) in session::slots(life) {
            let key = format!("{id}/{slot}");
            let job = format!("{key}/report");
            if self.flight.contains(&job) {
                continue;
            }
            let Ok(Some((child, state))) = self.child(&key) else { continue };
            let Some(sitting) = self.sitting(id, &slot, job.clone()) else { continue };
            let read = match state {
                State::Call(state) if over(&state) => {
                    Job::SessionRead { sitting, left: Box::new(Left { call: child, state }) }
                }
                State::Collab(state) if state.ended() => {
                    let stopped = self.stopped(&child, &state);
                    let heard = Box::new(Heard { child, state, stopped });
                    Job::SessionHear { sitting, heard }
                }
                State::Call(_)
                | State::Loop(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => continue,
            };
            self.flight.insert(job);
            jobs.push(read);
        }
    }

    /// What a session hears of a child that is no call: how it ended, or what it asks.
    pub(super) fn tell_session(
        &self,
        owner: &str,
        slot: &str,
        child: (&str, &State),
    ) -> Vec<Saying> {
        let (id, state) = child;
        let outcome = match state {
            State::Turn(state) => turn::report(state).map(|report| of_turn(id, report)),
            State::Loop(state) => state.ended().then(|| of_loop(state)),
            State::Lifecycle(state) => state.ended().then(|| of_lifecycle(state)),
            State::Call(_) | State::Collab(_) | State::Grant(_) | State::Session(_) => None,
        };
        let command = match outcome {
            Some(outcome) => session::Command::Told { slot: slot.to_owned(), outcome },
            None => {
                let (asking, held) = (self.asking_below(id), self.stands(id));
                session::Command::ChildNow { slot: slot.to_owned(), asking, held }
            }
        };
        let say = |command| Saying::own(owner, By::Engine, Command::Session(command));
        let mut sayings: Vec<Saying> = self.tool_of(owner, slot, id).map(say).into_iter().collect();
        if !self.known_already(owner, &command) {
            sayings.push(say(command));
        }
        sayings
    }

    /// Whether a session knows this of its child already; saying it again would change nothing.
    fn known_already(&self, owner: &str, command: &session::Command) -> bool {
        let session::Command::ChildNow { slot, asking, held } = command else { return false };
        let Some(State::Session(state)) = self.runs.get(owner).map(|run| &run.state) else {
            return true;
        };
        let Some(session::Base::Flow { flow, stage }) = state.life().map(Life::base) else {
            return true;
        };
        let own = state.life().map(session::slots).unwrap_or_default();
        let own = own.iter().any(|(known, place)| known == slot && *place == session::Place::Base);
        !own || (flow.asking == *asking && stage.held() == (*held && stage.runs()))
    }

    /// The open questions of a run and of those below it.
    fn asking_below(&self, id: &str) -> Vec<ChildAsking> {
        let mut found = Vec::new();
        for one in self.below(id) {
            let Some(run) = self.runs.get(&one) else { continue };
            for owed in run.state.owed() {
                if let Owed::Question { slot, question } = owed {
                    let stop = stop(&question.kind);
                    found.push(ChildAsking { id: format!("{one}/{slot}"), stop });
                }
            }
        }
        found.sort_by(|a, b| a.id.cmp(&b.id));
        found
    }

    /// Whether a child is held and nothing of it is at work.
    fn stands(&self, id: &str) -> bool {
        let Some(run) = self.runs.get(id) else { return false };
        let held = match &run.state {
            State::Turn(state) => state.life().is_some_and(|life| life.body.hold.is_some()),
            State::Lifecycle(state) => state.life().is_some_and(|life| life.body.hold.is_some()),
            State::Loop(state) => {
                state.life().is_some_and(|life| matches!(life.phase, loops::Phase::Paused(_)))
            }
            State::Call(_) | State::Collab(_) | State::Grant(_) | State::Session(_) => false,
        };
        held && !self.still_at_work(id, &[])
    }

    /// The project's checks of a loop that a session drives: the person's yes to the session's flow
    /// covers them.
    pub(super) fn checks_of_driven(&self, id: &str, state: &loops::State) -> Vec<Granted> {
        if self.runs[id].parent.is_none() {
            return Vec::new();
        }
        let course = state.life().and_then(|life| life.body.course());
        let checks = course.map(|course| course.checks.as_slice()).unwrap_or_default();
        let judge = &self.standing.judge;
        let granted = |check: &loops::Check| Granted {
            pin: judge.pin(&check.argv, &check.cwd),
            ..Granted::new(&check.argv, &check.cwd)
        };
        checks.iter().map(granted).collect()
    }

    /// What a session hears of a turn that it has stopped to take its edits back.
    fn session_recalled(&mut self, id: &str, slot: &str) -> Result<Vec<Saying>, Halt> {
        let key = format!("{id}/{slot}");
        Ok(match self.child(&key)? {
            Some((child, state)) if state.ended() => self.tell_session(id, slot, (&child, &state)),
            Some(_) => Vec::new(),
            None if self.flight.contains(&format!("{key}/ask")) => Vec::new(),
            None => {
                self.made.remove(&key);
                vec![told(id, slot, Outcome::Stopped)]
            }
        })
    }

    /// What a session that is ending still waits to hear: that its children have stopped.
    pub(super) fn session_unowed(&mut self, id: &str) -> Result<Vec<Saying>, Halt> {
        let Some(State::Session(state)) = self.runs.get(id).map(|run| &run.state) else {
            return Ok(Vec::new());
        };
        if let Some(slot) = state.life().and_then(session::recalled) {
            return self.session_recalled(id, &slot);
        }
        let Some(Unit::Ending { children, .. }) = state.life().map(|life| &life.unit) else {
            return Ok(Vec::new());
        };
        let mut sayings = Vec::new();
        for slot in children.clone() {
            let key = format!("{id}/{slot}");
            let gone = match self.child(&key)? {
                None => {
                    self.made.remove(&key);
                    !self.flight.contains(&format!("{key}/ask"))
                }
                Some((_, State::Call(state))) => over(&state),
                Some((_, state)) => state.ended(),
            };
            if gone {
                sayings.push(told(id, &slot, Outcome::Stopped));
            }
        }
        Ok(sayings)
    }
}

/// Whether a call is over, or nobody can tell any more.
pub(super) fn over(state: &call::State) -> bool {
    match state {
        call::State::Denied { .. }
        | call::State::Settled { .. }
        | call::State::Undone { .. }
        | call::State::Unknown { gate: UnknownGate::AskPerson { .. }, .. } => true,
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. } => false,
    }
}

/// What a child's question stops.
fn stop(kind: &str) -> Stop {
    match kind {
        "lifecycle.blocked" | "loop.paused" => Stop::SBlocked,
        kind if kind.starts_with("call.") => Stop::SPolicy,
        kind if kind.contains("budget") => Stop::SBudget,
        _other => Stop::SChild,
    }
}

/// Says to a session how something it owes ended.
pub(super) fn told(session: &str, slot: &str, outcome: Outcome) -> Saying {
    let command = session::Command::Told { slot: slot.to_owned(), outcome };
    Saying::own(session, By::Engine, Command::Session(command))
}

/// Something that could not be made ready.
pub(super) fn unmade(session: &str, slot: &str, fault: &Fault) -> Saying {
    let failure =
        Failure { code: fault.code.clone(), kind: fault.kind.clone(), detail: String::new() };
    told(session, slot, Outcome::Failed(failure))
}
