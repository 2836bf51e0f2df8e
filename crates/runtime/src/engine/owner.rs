//! What owners ask of their children and hear of them. One place for every machine that owns
//! calls, so that reconcile need not know them apart.

use journal::Journal;
use kernel::call::{self, Ask, Budget, Command as CallCommand, ParentNow, UndoResult};
use kernel::machine::{At, By};
use kernel::owed::{Begun, ChildAsk, Posture};
use kernel::run::{Command, State};
use kernel::{collab, loops, turn};

use super::book::{Halt, Run};
use super::granted::Judged;
use super::job::Wanted;
use super::lifecycles;
use super::outcome::{self, Tell};
use super::saying::{Origin, Saying};
use super::step::Engine;
use super::{budget, children, sessions, turns};

impl<J: Journal> Engine<J> {
    /// What an owner still waits to hear of children that it no longer owes: those of a cut or
    /// failed action, and launches that are being stopped.
    pub(super) fn unowed(
        &mut self,
        id: &str,
        owed: &[(String, Posture)],
    ) -> Result<Vec<Saying>, Halt> {
        let Some(run) = self.runs.get(id) else { return Ok(Vec::new()) };
        let slots: Vec<String> = match &run.state {
            State::Loop(state) => state.awaited().map(|(slot, _, _)| slot).into_iter().collect(),
            State::Collab(state) => state.awaited().into_iter().map(|one| one.slot).collect(),
            // What a turn waits for is read before it is told.
            State::Session(_) => return self.session_unowed(id),
            State::Call(_) | State::Grant(_) | State::Turn(_) | State::Lifecycle(_) => Vec::new(),
        };
        let mut sayings = Vec::new();
        for slot in slots {
            let key = format!("{id}/{slot}");
            if owed.iter().any(|(kept, _)| *kept == key) {
                continue;
            }
            if self.child(&key)?.is_some() {
                sayings.extend(self.tell(id, &slot, &key, Begun::Told)?);
            } else if let State::Collab(_) = &self.runs[id].state
                && let Some((p, launch)) = collab::launch_of(&slot)
            {
                let outcome = collab::Outcome::Stopped { report: None };
                sayings.push(of_collab(id, collab::Command::CallEnded { p, launch, outcome }));
            }
        }
        Ok(sayings)
    }

    /// What an owner has to hear of a child that is there: that it began, how it ended.
    pub(super) fn tell(
        &mut self,
        owner: &str,
        slot: &str,
        key: &str,
        begun: Begun,
    ) -> Result<Vec<Saying>, Halt> {
        let Some((child, child_state)) = self.child(key)? else { return Ok(Vec::new()) };
        Ok(match (&self.runs[owner].state, &child_state) {
            (State::Loop(state), child_state) => {
                self.tell_loop((owner, state), slot, begun, (&child, child_state))
            }
            (State::Collab(_), State::Call(state)) => {
                tell_collab(owner, slot, begun, &child, state)
            }
            (State::Session(_), child_state) => {
                self.tell_session(owner, slot, (&child, child_state))
            }
            (State::Call(of), State::Call(state)) => {
                tell_undone(owner, of, state).into_iter().collect()
            }
            (
                State::Collab(_)
                | State::Call(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_),
                _,
            ) => Vec::new(),
        })
    }

    /// What a loop hears of its leg's child: that it began, how it ended.
    fn tell_loop(
        &self,
        (owner, state): (&str, &loops::State),
        slot: &str,
        begun: Begun,
        (child, child_state): (&str, &State),
    ) -> Vec<Saying> {
        let Some((n, leg)) = outcome::leg_of(state, slot) else { return Vec::new() };
        let mut sayings = Vec::new();
        if begun == Begun::NotYet {
            let (leg, child) = (leg.clone(), child.to_owned());
            let head = state.head().is_none().then(|| self.standing.judge.head()).flatten();
            let command = Command::Loop(loops::Command::LegBegan { n, leg, child, head });
            sayings.push(Saying::own(owner, By::Engine, command));
        }
        let end = match child_state {
            State::Call(call) => match outcome::of_call(state, &leg, child, call) {
                Some(Tell::Now(end)) => Some(self.of_undo(owner, &leg, (call, end))),
                Some(Tell::Read(..) | Tell::Answer(_)) | None => None,
            },
            State::Turn(turn) => turn::report(turn).map(|report| children::leg_end(&leg, report)),
            State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        };
        sayings.extend(end.and_then(|end| outcome::leg_ended(owner, state, slot, end)));
        sayings
    }

    /// What a loop hears instead of being given a child that may write, where another branch is
    /// checked out than the one it has written on. A person who lets it go on takes the new one.
    pub(super) fn elsewhere(&self, owner: &str, slot: &str) -> Option<Saying> {
        let State::Loop(state) = &self.runs.get(owner)?.state else { return None };
        let (_, leg) = outcome::leg_of(state, slot).filter(|(_, leg)| leg.writes())?;
        let then = state.head()?;
        let now = self.standing.judge.head().unwrap_or_default();
        if now.branch == then.branch {
            return None;
        }
        let end = outcome::other_branch(then, &now);
        let told = outcome::leg_ended(owner, state, slot, end);
        debug_assert!(told.is_some(), "the loop waits for {leg:?}");
        told
    }

    /// A child that could not even be asked for has ended all the same.
    pub(super) fn tell_refused(
        &self,
        owner: &str,
        slot: &str,
        command: &Command,
        reason: &str,
    ) -> Option<Saying> {
        match &self.runs.get(owner)?.state {
            State::Loop(state) => {
                let end = outcome::of_refused_ask(reason, &tool_of(command));
                outcome::leg_ended(owner, state, slot, end)
            }
            State::Collab(_) => {
                let (p, launch) = collab::launch_of(slot)?;
                let outcome = collab::Outcome::Refused { reason: reason.to_owned() };
                Some(of_collab(owner, collab::Command::CallEnded { p, launch, outcome }))
            }
            State::Call(state) => undo_ended(owner, state, UndoResult::Failed),
            State::Turn(_) => {
                let ended = turn::Ended::Failed(turns::refused(reason));
                Some(turns::result(owner, slot, ended, turn::Spent::default()))
            }
            State::Lifecycle(state) => {
                let fault = turns::refused(reason);
                Some(lifecycles::unmade(owner, state.life()?, slot, &fault))
            }
            State::Session(_) => Some(sessions::unmade(owner, slot, &turns::refused(reason))),
            State::Grant(_) => None,
        }
    }

    pub(super) fn ask(
        &mut self,
        owner: &str,
        slot: &str,
        key: &str,
        ask: ChildAsk,
        now: At,
    ) -> Result<Vec<Saying>, Halt> {
        match ask {
            ChildAsk::Call(request) => {
                Ok(match &self.runs[owner].state {
                    // What an agent asked for was judged when its turn took it.
                    State::Turn(_) => {
                        let judged = self.judged_before(&request);
                        self.ask_judged((owner, slot, key), *request, judged, now)
                    }
                    State::Call(_)
                    | State::Loop(_)
                    | State::Collab(_)
                    | State::Grant(_)
                    | State::Lifecycle(_)
                    | State::Session(_) => {
                        self.ask_call((owner, slot, key), Wanted { request, judged_as: None }, now)
                    }
                })
            }
            ChildAsk::Turn(ask) => self.ask_of_turn((owner, slot, key), &ask, now),
            ChildAsk::NewTurn(_) | ChildAsk::Session(_) => {
                Ok(self.begin_made((owner, slot, key), now))
            }
            ChildAsk::TakeBack { run, foreign } => {
                self.take_back((owner, slot, key), (&run, foreign), now)
            }
        }
    }

    pub(super) fn ask_call(
        &mut self,
        (owner, slot, key): (&str, &str, &str),
        wanted: Wanted,
        now: At,
    ) -> Vec<Saying> {
        let judged = self.judge(owner, &wanted, now);
        self.ask_judged((owner, slot, key), *wanted.request, judged, now)
    }

    fn ask_judged(
        &mut self,
        (owner, slot, key): (&str, &str, &str),
        request: call::Request,
        judged: Judged,
        now: At,
    ) -> Vec<Saying> {
        let mut sayings = judged.on_grants();
        let budget = self.left_for(owner, &request);
        let command = Command::Call(CallCommand::Ask(Box::new(Ask {
            key: key.to_owned(),
            request,
            parent: Some(owner.to_owned()),
            parent_now: ParentNow::Active,
            verdict: judged.verdict,
            shown: judged.shown,
            pin: judged.pin,
            budget,
            rules: self.rules_of(owner),
        })));
        let origin = Origin::Owner { run: owner.to_owned(), slot: slot.to_owned() };
        let id = self.ids.new_id("call-", now);
        let by = By::Parent { run: owner.to_owned() };
        sayings.push(Saying { origin, ..Saying::own(&id, by, command) });
        sayings
    }

    /// The rules of an owner's calls: a turn's ask as long as its own questions do.
    fn rules_of(&self, owner: &str) -> call::Rules {
        let rules = self.standing.rules.clone();
        let Some(State::Turn(state)) = self.runs.get(owner).map(|run| &run.state) else {
            return rules;
        };
        let expiry = state.life().map(|life| life.body.start.limits.question_expiry_ms);
        call::Rules { ask_expiry_ms: expiry.unwrap_or(rules.ask_expiry_ms), ..rules }
    }

    /// The run that a call was made for; itself if for none.
    #[must_use]
    pub fn above<'a>(&'a self, call: &'a str) -> &'a str {
        self.runs.get(call).and_then(|run| run.parent.as_deref()).unwrap_or(call)
    }

    /// Whether anything is left to spend on a call. Only an agent costs tokens; what a person's
    /// work is kept or taken back with is never refused for it.
    fn left_for(&self, owner: &str, request: &call::Request) -> Budget {
        let above = |run: &&Run| self.runs.get(run.parent.as_deref()?);
        let upwards = std::iter::successors(self.runs.get(owner), above);
        let limit = budget::reached(upwards.map(|run| &run.state));
        match limit.filter(|_| request.agent.is_some()) {
            Some(limit) => Budget::Spent(limit.to_owned()),
            None => Budget::Left,
        }
    }

    /// What the owner of a call hears when the stream of its agent names the conversation.
    #[must_use]
    pub fn heard(&self, call: &str, session: String) -> Option<Saying> {
        let run = self.runs.get(call)?;
        let owner = run.parent.as_deref()?;
        let State::Collab(_) = &self.runs.get(owner)?.state else { return None };
        let slot = run.key.as_deref()?.strip_prefix(owner)?.strip_prefix('/')?;
        let (p, launch) = collab::launch_of(slot)?;
        Some(of_collab(owner, collab::Command::SessionSeen { p, launch, id: session }))
    }
}

/// A call hears how its undo ended.
fn tell_undone(owner: &str, state: &call::State, undo: &call::State) -> Option<Saying> {
    let result = match undo {
        call::State::Settled { outcome: call::Outcome::Ok, .. } => UndoResult::Ok,
        call::State::Settled { .. } | call::State::Denied { .. } | call::State::Undone { .. } => {
            UndoResult::Failed
        }
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. } => return None,
    };
    undo_ended(owner, state, result)
}

fn undo_ended(owner: &str, state: &call::State, result: UndoResult) -> Option<Saying> {
    let call::State::Undoing { n, .. } = state else { return None };
    let command = Command::Call(CallCommand::UndoEnded { n: *n, result });
    Some(Saying::own(owner, By::Engine, command))
}

/// A run hears of a start before it hears of an end, with the time of the start itself: told
/// again after a restart, it moves no due.
fn tell_collab(
    owner: &str,
    slot: &str,
    begun: Begun,
    child: &str,
    child_state: &call::State,
) -> Vec<Saying> {
    let Some((p, launch)) = collab::launch_of(slot) else { return Vec::new() };
    let mut sayings = Vec::new();
    if begun == Begun::NotYet
        && let Some(at) = child_state.process_since()
    {
        let (p, call) = (p.clone(), child.to_owned());
        sayings.push(of_collab(owner, collab::Command::CallStarted { p, launch, call, at }));
    }
    if let Some(outcome) = collab::outcome_of(child_state) {
        sayings.push(of_collab(owner, collab::Command::CallEnded { p, launch, outcome }));
    }
    sayings
}

fn of_collab(owner: &str, command: collab::Command) -> Saying {
    Saying::own(owner, By::Engine, Command::Collab(command))
}

fn tool_of(command: &Command) -> String {
    match command {
        Command::Call(CallCommand::Ask(ask)) => {
            ask.request.argv.first().cloned().unwrap_or_else(|| ask.request.name.clone())
        }
        Command::Call(_)
        | Command::Loop(_)
        | Command::Collab(_)
        | Command::Grant(_)
        | Command::Turn(_)
        | Command::Lifecycle(_)
        | Command::Session(_) => String::new(),
    }
}
