//! Owed against in flight: what a state still needs, minus what is already under way. The same code
//! serves a running engine, a cancel and a restart; there is no other recovery.

use std::collections::BTreeMap;

use journal::Journal;
use kernel::call::{self, Command as CallCommand};
use kernel::machine::At;
use kernel::owed::{ChildAsk, Effect, Owed, Posture};
use kernel::run::{Command, Kind, State};

use super::book::{Halt, fold};
use super::job::{Job, Start};
use super::outcome::{self, Tell};
use super::saying::Saying;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// The commands that a run's state calls for: children to ask for, ends to tell, children that
    /// are no longer owed to stop.
    pub(super) fn wants(&mut self, id: &str, now: At) -> Result<Vec<Saying>, Halt> {
        let Some(run) = self.runs.get(id) else { return Ok(Vec::new()) };
        let owed = run.state.owed();
        let mut sayings = Vec::new();
        let mut kept = Vec::new();
        for item in owed {
            if let Owed::Child { slot, ask, posture, begun } = item {
                let key = format!("{id}/{slot}");
                if self.child(&key)?.is_some() {
                    sayings.extend(self.tell(id, &slot, &key, begun)?);
                } else if posture == Posture::Run && !self.must_wait(id, &key) {
                    match self.elsewhere(id, &slot) {
                        Some(told) => {
                            self.made.remove(&key);
                            sayings.push(told);
                        }
                        None => sayings.extend(self.ask(id, &slot, &key, ask, now)?),
                    }
                } else if matches!(ask, ChildAsk::Session(_)) {
                    // What was made ready before a hold speaks of what was there then.
                    self.made.remove(&key);
                }
                kept.push((key, posture));
            }
        }
        sayings.extend(self.unowed(id, &kept)?);
        sayings.extend(self.settled(id)?);
        sayings.extend(self.after_grants(id));
        sayings.extend(self.steer(id, &kept));
        Ok(sayings)
    }

    /// The child of a key, live or ended.
    pub(super) fn child(&mut self, key: &str) -> Result<Option<(String, State)>, Halt> {
        if let Some(id) = self.keys.get(key) {
            return Ok(self.runs.get(id).map(|run| (id.clone(), run.state.clone())));
        }
        let Some(id) = self.journal.find_key(key)? else { return Ok(None) };
        let Some(head) = self.journal.head(&id)? else { return Ok(None) };
        let run = fold(&self.journal, &head, None)?;
        Ok(Some((id, run.state)))
    }

    /// The work that a run's state calls for and that is not under way, its timers, and its live
    /// children, whose posture may have changed with it.
    pub(super) fn jobs(&mut self, id: &str, jobs: &mut Vec<Job>) {
        let Some(run) = self.runs.get(id) else { return };
        let mut timers = Vec::new();
        let owed = run.state.owed();
        let kind = run.state.kind();
        for item in owed {
            match item {
                Owed::Timer { slot, due } => timers.push((due, slot)),
                Owed::Effect { slot, effect } => self.effect(id, &slot, &effect, jobs),
                Owed::Child { slot, ask, posture: Posture::Run, .. } => {
                    self.make(id, &slot, ask, jobs);
                }
                Owed::Child { .. } | Owed::Question { .. } => {}
            }
        }
        self.timers.set(id, timers);
        self.report(id, jobs);
        self.turn_reports(id, jobs);
        self.session_reports(id, jobs);
        self.lifecycle_reports(id, jobs);
        if kind != Kind::Call {
            for child in self.children.get(id).cloned().unwrap_or_default() {
                self.jobs(&child, jobs);
            }
        }
    }

    fn effect(&mut self, id: &str, slot: &str, effect: &Effect, jobs: &mut Vec<Job>) {
        let key = format!("{id}/{slot}");
        if self.flight.contains(&key) {
            return;
        }
        let job = match effect {
            Effect::Prepare { attempt } => self.prepare(id, key, *attempt),
            Effect::Act { attempt, epoch } => self.act(id, key, *attempt, *epoch),
            Effect::Kill { attempt, epoch } => {
                self.start_of(id, key, *attempt, *epoch).map(|start| Job::Kill { start })
            }
            Effect::Probe { attempt, epoch, n } => {
                self.start_of(id, key, *attempt, *epoch).map(|start| Job::Probe { start, n: *n })
            }
            Effect::Seal => match &self.runs[id].state {
                State::Loop(state) => outcome::leg_of(state, slot).map(|(n, _)| Job::Seal {
                    key,
                    run: id.to_owned(),
                    n,
                }),
                State::Call(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => None,
            },
            Effect::Gate => match &self.runs[id].state {
                State::Collab(state) => state.run().map(|run| Job::Gate {
                    key,
                    run: id.to_owned(),
                    plan: Box::new(run.plan.clone()),
                }),
                State::Call(_)
                | State::Loop(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => None,
            },
            Effect::RemoveViews => Some(Job::RemoveViews { key, run: id.to_owned() }),
            Effect::Turn(act) => self.turn_act(id, slot, key, *act),
            Effect::Lifecycle(act) => self.lifecycle_act(id, slot, key, *act),
            Effect::Session(act) => self.session_act(id, slot, key, act),
        };
        if let Some(job) = job {
            self.flight.insert(job.key().to_owned());
            jobs.push(job);
        }
    }

    fn prepare(&mut self, id: &str, key: String, attempt: u32) -> Option<Job> {
        if self.posture(id) == Posture::Hold || !self.take_place(id) {
            return None;
        }
        let State::Call(state) = &self.runs[id].state else { return None };
        let facts = Box::new(state.facts()?.clone());
        let trace = self.runs[id].trace.clone();
        Some(Job::Prepare { key, run: id.to_owned(), attempt, facts, trace })
    }

    /// A start of this life is launched once; any other is looked at.
    fn act(&mut self, id: &str, key: String, attempt: u32, epoch: u64) -> Option<Job> {
        let start = self.start_of(id, key, attempt, epoch)?;
        self.at_work.insert(id.to_owned());
        let ours = epoch == self.journal.epoch();
        Some(if ours && self.launched.insert((id.to_owned(), attempt)) {
            Job::Launch { start }
        } else {
            Job::Attach { start }
        })
    }

    fn start_of(&self, id: &str, key: String, attempt: u32, epoch: u64) -> Option<Start> {
        let run = self.runs.get(id)?;
        let State::Call(state) = &run.state else { return None };
        let facts = Box::new(state.facts()?.clone());
        let prep = state.prep()?.clone();
        let trace = run.trace.clone();
        let moves = facts.request.name == call::PACKAGE;
        let held = if moves { self.held_by_others(self.top(id)) } else { BTreeMap::new() };
        Some(Start { key, run: id.to_owned(), attempt, epoch, facts, prep, trace, held })
    }

    /// A check that has run, or an agent that has answered, still has to be read before its owner
    /// can hear of it.
    fn report(&mut self, id: &str, jobs: &mut Vec<Job>) {
        let State::Loop(state) = &self.runs[id].state else { return };
        let Some((slot, n, leg)) = state.awaited() else { return };
        let key = format!("{id}/{slot}");
        let flight = format!("{key}/report");
        if self.flight.contains(&flight) {
            return;
        }
        let Ok(Some((child, State::Call(call)))) = self.child(&key) else { return };
        let State::Loop(state) = &self.runs[id].state else { return };
        let (run, key) = (id.to_owned(), flight.clone());
        jobs.push(match outcome::of_call(state, &leg, &child, &call) {
            Some(Tell::Read(look, ran)) => Job::Report { key, run, n, leg, look, child, ran },
            Some(Tell::Answer(spoken)) => Job::ReadAnswer { key, run, n, leg, spoken },
            Some(Tell::Now(_)) | None => return,
        });
        self.flight.insert(flight);
    }

    /// Whether the owner of a call lets it start anything new.
    fn posture(&self, id: &str) -> Posture {
        let Some(run) = self.runs.get(id) else { return Posture::Run };
        let (Some(parent), Some(key)) = (&run.parent, &run.key) else { return Posture::Run };
        let Some(owner) = self.runs.get(parent) else { return Posture::Run };
        for item in owner.state.owed() {
            if let Owed::Child { slot, posture, .. } = item
                && *key == format!("{parent}/{slot}")
            {
                return posture;
            }
        }
        Posture::Run
    }

    /// Gives a call a place among those at work, or puts it at the end of the queue.
    fn take_place(&mut self, id: &str) -> bool {
        self.at_work.retain(|held| {
            self.runs.get(held).is_some_and(|run| match &run.state {
                State::Call(state) => {
                    matches!(state, call::State::Allowed { .. } | call::State::Started { .. })
                }
                State::Loop(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => false,
            })
        });
        if self.at_work.contains(id) {
            return true;
        }
        let first = self.queue.front().is_none_or(|first| first == id);
        if self.at_work.len() < self.standing.in_flight_max && first {
            self.queue.retain(|waiting| waiting != id);
            self.at_work.insert(id.to_owned());
            return true;
        }
        if !self.queue.iter().any(|waiting| waiting == id) {
            self.queue.push_back(id.to_owned());
        }
        false
    }

    /// Lets the first in the queue start when a place is free.
    pub(super) fn start_waiting(&mut self, jobs: &mut Vec<Job>) {
        while let Some(first) = self.queue.front().cloned() {
            if !self.runs.contains_key(&first) {
                self.queue.pop_front();
                continue;
            }
            let before = self.queue.len();
            self.jobs(&first, jobs);
            if self.queue.len() == before {
                break;
            }
        }
    }

    /// Whether a start would come from a call whose owner has been paused meanwhile. What was
    /// prepared is dropped; it is prepared again once the owner goes on.
    pub(super) fn held_back(&self, saying: &Saying) -> bool {
        let Command::Call(CallCommand::Prepared { .. }) = &saying.command else { return false };
        self.posture(&saying.run) == Posture::Hold
    }

    /// Calls that are at work or will go on by themselves: what keeps an idle engine.
    #[must_use]
    pub fn busy(&self) -> usize {
        self.runs
            .values()
            .filter(|run| match &run.state {
                State::Call(state) => match state {
                    call::State::Allowed { .. }
                    | call::State::Started { .. }
                    | call::State::Undoing { .. } => true,
                    call::State::Unknown { gate, .. } => match gate {
                        call::UnknownGate::Probe | call::UnknownGate::Wait { .. } => true,
                        call::UnknownGate::AskPerson { .. } => false,
                    },
                    call::State::New
                    | call::State::Asked { .. }
                    | call::State::Denied { .. }
                    | call::State::Settled { .. }
                    | call::State::Undone { .. } => false,
                },
                // What a lifecycle waits for are its turns and calls, which count themselves.
                State::Loop(_) | State::Grant(_) | State::Lifecycle(_) => false,
                State::Collab(state) => state.at_work(),
                State::Turn(state) => state.at_work(),
                State::Session(state) => state.at_work(),
            })
            .count()
            + usize::from(!self.woken.is_empty())
    }
}
