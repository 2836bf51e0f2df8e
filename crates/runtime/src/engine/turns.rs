//! Turns in the engine: what they ask of the hands, the requests that come back, and which of
//! their calls have ended. What a turn does about it is the machine's; what a call left is read
//! elsewhere.

use journal::{Head, Journal};
use kernel::call::{self, TakeBack};
use kernel::collab;
use kernel::machine::{At, By};
use kernel::owed::{ChildAsk, Owed};
use kernel::run::{Command, State};
use kernel::turn::{self, Act, Ask, Ended, Fault, Life, Position, Spent};

use super::book::{Halt, fold};
use super::children::PARENT;
use super::job::{Heard, Job, Left, Made, Ready, Scene, Stopped, Wanted};
use super::saying::Saying;
use super::step::Engine;
use crate::policy::Flow;
use crate::turns::{self, granted, plans};

impl<J: Journal> Engine<J> {
    /// Takes a request that the hands have made; its run is looked at in the next step.
    pub fn made(&mut self, made: Made) {
        self.flight.remove(&made.job);
        self.woken.insert(made.run.clone());
        self.made.insert(format!("{}/{}", made.run, made.slot), made);
    }

    /// Asks for a call of a turn whose request is there; the hands are asked to make it otherwise.
    pub(super) fn ask_of_turn(
        &mut self,
        (owner, slot, key): (&str, &str, &str),
        ask: &Ask,
        now: At,
    ) -> Result<Vec<Saying>, Halt> {
        match ask {
            Ask::Undo { call } => {
                let ready = self.undo_of(call, call::Foreign::Refuse)?.map(Ready::Call);
                Ok(self.begin((owner, slot, key), ready, now))
            }
            Ask::Planner { .. }
            | Ask::Tool { .. }
            | Ask::Agent { .. }
            | Ask::Collab { .. }
            | Ask::Check { .. }
            | Ask::Checkpoint
            | Ask::Answer { .. }
            | Ask::Commit => Ok(self.begin_made((owner, slot, key), now)),
        }
    }

    /// The request that takes back a call of this turn.
    pub(super) fn undo_of(
        &mut self,
        id: &str,
        foreign: call::Foreign,
    ) -> Result<Result<Wanted, Box<Fault>>, Halt> {
        let head = self.journal.head(id)?;
        let run = match (self.runs.get(id), head) {
            (Some(run), _) => Some(run.clone()),
            (None, Some(head)) => Some(fold(&self.journal, &head, None)?),
            (None, None) => None,
        };
        let undo = TakeBack { call: id.to_owned(), foreign };
        let request = run.and_then(|run| match &run.state {
            State::Call(state) => call::undo_request(&undo, &state.trees()),
            State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        });
        let wanted = |request| Wanted { request: Box::new(request), judged_as: None };
        Ok(request.map(wanted).ok_or_else(|| Box::new(Fault::new("E_IO", "no_such_call"))))
    }

    /// What a run asks of the hands now, besides the children that are there.
    pub(super) fn make(&mut self, id: &str, slot: &str, ask: ChildAsk, jobs: &mut Vec<Job>) {
        let ask = match ask {
            ChildAsk::Turn(ask) => ask,
            ChildAsk::NewTurn(wish) => return self.make_turn(id, slot, *wish, jobs),
            ChildAsk::Session(ask) => return self.make_session(id, slot, *ask, jobs),
            ChildAsk::Call(_) | ChildAsk::TakeBack { .. } => return,
        };
        let key = format!("{id}/{slot}");
        let job = format!("{key}/ask");
        if matches!(*ask, Ask::Undo { .. }) || !self.unasked(&key, &job) {
            return;
        }
        if let Some(mut scene) = self.scene(id, slot, job.clone()) {
            // Whoever repairs is shown what was changed before, whoever corrects what it said.
            let repairs = |at: &Position| matches!(at.origin, turn::Origin::Fix { .. });
            let corrects = turns::wrong(&scene.life).is_some();
            if corrects || scene.life.position().is_some_and(repairs) {
                scene.calls = self.calls_of(id);
            }
            self.flight.insert(job);
            jobs.push(Job::TurnAsk { scene, ask });
        }
    }

    /// An act that is no call. What happened can be told once nothing happens any more; a call of
    /// which nobody can tell is told as such.
    pub(super) fn turn_act(&self, id: &str, slot: &str, key: String, act: Act) -> Option<Job> {
        if act == Act::Summary && self.still_at_work(id, &[]) {
            return None;
        }
        let mut scene = self.scene(id, slot, key)?;
        match act {
            Act::Summary => scene.calls = self.calls_of(id),
            Act::Context => {
                scene.before = self.before(&scene.life);
                scene.calls = self.last_calls(&scene.before);
            }
            Act::Intake | Act::LoadPlan => {}
        }
        Some(Job::TurnAct { scene, act })
    }

    /// The calls of a turn, the oldest first. What cannot be read is told by nobody.
    pub(super) fn calls_of(&self, id: &str) -> Vec<(String, call::State)> {
        let heads = self.journal.heads().unwrap_or_default();
        let own = heads.into_iter().filter(|head| head.parent.as_deref() == Some(id));
        self.calls_among(own.collect())
    }

    /// The calls among these runs, the oldest first. What cannot be read is told by nobody.
    pub(super) fn calls_among(&self, heads: Vec<Head>) -> Vec<(String, call::State)> {
        let own = heads.into_iter().filter(|head| head.machine == "call");
        let state = |head: Head| match fold(&self.journal, &head, None).ok()?.state {
            State::Call(state) => Some((head.run, state)),
            State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        };
        let mut calls: Vec<_> = own.map(|head| (head.created_ms, head)).collect();
        calls.sort_by_key(|(created, head)| (*created, head.pos));
        calls.into_iter().filter_map(|(_, head)| state(head)).collect()
    }

    fn scene(&self, id: &str, slot: &str, key: String) -> Option<Box<Scene>> {
        let run = self.runs.get(id)?;
        let State::Turn(state) = &run.state else { return None };
        let life = state.life()?.clone();
        let flow = self.flow(id, run.updated_at);
        let earlier = life.body.start.continues.as_ref().and_then(|turn| self.turn(turn));
        let (run, slot) = (id.to_owned(), slot.to_owned());
        let (before, calls) = (Vec::new(), Vec::new());
        Some(Box::new(Scene { key, run, slot, life, flow, earlier, before, calls }))
    }

    /// A turn as it stands, live or ended.
    pub(super) fn turn(&self, id: &str) -> Option<turn::State> {
        let state = match self.runs.get(id) {
            Some(run) => run.state.clone(),
            None => fold(&self.journal, &self.journal.head(id).ok()??, None).ok()?.state,
        };
        match state {
            State::Turn(state) => Some(state),
            State::Call(_)
            | State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        }
    }

    /// Calls that have ended and that their turn has not heard of: what they left is read first.
    pub(super) fn turn_reports(&mut self, id: &str, jobs: &mut Vec<Job>) {
        let Some(State::Turn(state)) = self.runs.get(id).map(|run| &run.state) else { return };
        let Some(life) = state.life() else { return };
        let calls = turn::owed(state).into_iter().filter_map(|owed| match owed {
            Owed::Child { slot, .. } => Some(slot),
            Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        });
        let mut slots: Vec<String> = calls.chain(turn::awaited(life)).collect();
        slots.sort_unstable();
        slots.dedup();
        let life = life.clone();
        for slot in slots {
            let key = format!("{id}/{slot}");
            let job = format!("{key}/report");
            if self.flight.contains(&job) {
                continue;
            }
            let Ok(Some((child, state))) = self.child(&key) else { continue };
            let Some(scene) = self.scene(id, &slot, job.clone()) else { continue };
            let told = match state {
                State::Call(state) if heard_of(&life, &slot, &state) => {
                    let ask = turn::ask_of(&life, &slot).map(Box::new);
                    Job::TurnRead { scene, ask, left: Box::new(Left { call: child, state }) }
                }
                State::Collab(state) if state.ended() => {
                    let stopped = self.stopped(&child, &state);
                    Job::TurnHear { scene, heard: Box::new(Heard { child, state, stopped }) }
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
            jobs.push(told);
        }
    }

    /// Whether a run of several agents was cancelled by the turn that owns it: its records tell.
    pub(super) fn stopped(&self, child: &str, state: &collab::State) -> Stopped {
        let cancelled = state.cause() == Some(collab::Cause::Cancelled);
        // Its first record is its making, which is the owner's too.
        let records = self.journal.read_run(child, 1).unwrap_or_default();
        let owner = records.iter().any(|record| record.by == PARENT);
        if cancelled && owner { Stopped::ByOwner } else { Stopped::No }
    }

    /// Fills in what no door may say of a turn: who stands behind it, and what policy says.
    pub(super) fn fill_turn(&self, saying: &mut Saying) {
        let Command::Turn(command) = &mut saying.command else { return };
        let judge = &self.standing.judge;
        match command {
            turn::Command::UserMessage(start) => self.fill_start(&saying.run, &saying.by, start),
            turn::Command::EditPlan { patch, judged, bad_args } => {
                let Some(run) = self.runs.get(&saying.run) else { return };
                let State::Turn(state) = &run.state else { return };
                let Some(life) = state.life() else { return };
                let standing = judge.standing();
                let root = std::path::Path::new(&standing.root);
                let flow = self.flow(&saying.run, run.updated_at);
                let (found, bad) =
                    plans::edited(life, patch, plans::Bench { judge, flow: &flow, root });
                (**judged, *bad_args) = (found, bad);
            }
            turn::Command::ToolCallRequest(asked) => {
                self.fill_asked(&saying.run, &saying.by, asked);
            }
            turn::Command::ClarificationAnswer { .. }
            | turn::Command::ToolCallResult { .. }
            | turn::Command::Confirm(_)
            | turn::Command::Timeout { .. }
            | turn::Command::Cancel
            | turn::Command::Pause { .. }
            | turn::Command::Resume
            | turn::Command::SkipStep { .. } => {}
        }
    }

    /// Adds what people granted to a turn.
    pub(super) fn granted_to_turn(&self, state: &turn::State, flow: &mut Flow) {
        if let Some(life) = state.life() {
            granted::add(life, &self.standing.judge, flow);
        }
    }
}

/// Whether a turn has something to hear of a call: that it has ended, or, once, that nobody can
/// tell, that it asks a person, or that it does so no more.
fn heard_of(life: &Life, slot: &str, call: &call::State) -> bool {
    match call {
        call::State::Denied { .. } | call::State::Settled { .. } | call::State::Undone { .. } => {
            true
        }
        call::State::Unknown { gate: call::UnknownGate::AskPerson { .. }, .. } => {
            life.phase.waits_if_unknown() && life.body.unknown.as_deref() != Some(slot)
        }
        call::State::Asked { .. } => life.body.asks.is_none(),
        call::State::Allowed { .. } | call::State::Started { .. } => {
            life.body.asks.as_deref() == Some(slot)
        }
        call::State::New | call::State::Unknown { .. } | call::State::Undoing { .. } => false,
    }
}

/// How an effect of a turn ended, as the turn hears it.
pub(super) fn result(turn: &str, slot: &str, ended: Ended, spent: Spent) -> Saying {
    let key = slot.to_owned();
    let command = turn::Command::ToolCallResult { key, ended, spent };
    Saying::own(turn, By::Engine, Command::Turn(command))
}

/// The fault of a call that was refused at the door.
pub(super) fn refused(reason: &str) -> Box<Fault> {
    let (code, kind) = match reason {
        "unknown_tool" => ("E001", "missing"),
        "budget" => ("E_BUDGET", "calls"),
        "invalid_args" => ("E_INVALID_ARGS", "request"),
        _ => ("E_REFUSED", reason),
    };
    Box::new(Fault::new(code, kind))
}
