//! Children that are runs of their own: how they are begun under their owner's key, held, let go on
//! and stopped with it, and what it hears of their end. Calls are begun and told of elsewhere.

use journal::Journal;
use kernel::call::{Command as CallCommand, Failure, StopWhy};
use kernel::loops::{self, Gave, Leg, LegEnd};
use kernel::machine::{At, By};
use kernel::owed::Posture;
use kernel::run::{Command, State};
use kernel::turn::{self, Fault, Keep, Outcome, ParentRef, Phase, Spent, Wish};
use kernel::{collab, lifecycle, policy};

use super::job::{Job, Owner, Ready};
use super::lifecycles;
use super::outcome;
use super::saying::{Origin, Saying};
use super::sessions;
use super::step::Engine;
use super::turns;
use crate::policy::Flow;
use crate::turns::{gate, session_of};

impl<J: Journal> Engine<J> {
    /// Begins what the hands have made ready; nothing if they have not yet.
    pub(super) fn begin_made(&mut self, child: (&str, &str, &str), now: At) -> Vec<Saying> {
        match self.made.remove(child.2) {
            Some(made) => self.begin(child, made.ready, now),
            None => Vec::new(),
        }
    }

    /// Begins a child, or tells its owner why there is none.
    pub(super) fn begin(
        &mut self,
        (owner, slot, key): (&str, &str, &str),
        ready: Result<Ready, Box<Fault>>,
        now: At,
    ) -> Vec<Saying> {
        let command = match ready {
            Ok(Ready::Call(wanted)) => return self.ask_call((owner, slot, key), wanted, now),
            Ok(Ready::Turn(start)) => {
                let parent = ParentRef { id: owner.to_owned(), key: slot.to_owned() };
                let trace_id = self.runs[owner].trace.clone();
                let session_id = session_of(self.top(owner));
                let start = turn::Start { parent: Some(parent), trace_id, session_id, ..*start };
                Command::Turn(turn::Command::UserMessage(Box::new(start)))
            }
            Ok(Ready::Lifecycle(begin)) => {
                return self.begin_lifecycle((owner, slot), *begin, now);
            }
            Ok(Ready::Loop(commands)) => return self.begin_loop((owner, slot), commands, now),
            Ok(Ready::Collab(plan)) => {
                // Nobody goes on with a conversation in a step.
                Command::Collab(collab::Command::Create { plan, busy_sessions: Vec::new() })
            }
            Err(fault) => return self.unmade(owner, slot, fault).into_iter().collect(),
        };
        let id = self.ids.new_id(&format!("{}-", command.kind().name()), now);
        let origin = Origin::Owner { run: owner.to_owned(), slot: slot.to_owned() };
        let by = By::Parent { run: owner.to_owned() };
        vec![Saying { origin, ..Saying::own(&id, by, command) }]
    }

    /// A lifecycle that a session drives, under what its person granted.
    fn begin_lifecycle(
        &mut self,
        (owner, slot): (&str, &str),
        begin: lifecycle::Begin,
        now: At,
    ) -> Vec<Saying> {
        let id = self.ids.new_id("lifecycle-", now);
        let parent = Some(ParentRef { id: owner.to_owned(), key: slot.to_owned() });
        let begin = lifecycle::Begin {
            id: id.clone(),
            parent,
            session_id: Some(owner.to_owned()),
            ..begin
        };
        let command =
            lifecycle::Command::UserInputRequirement { begin: Box::new(begin), busy_with: None };
        let origin = Origin::Owner { run: owner.to_owned(), slot: slot.to_owned() };
        let by = By::Parent { run: owner.to_owned() };
        vec![Saying { origin, ..Saying::own(&id, by, Command::Lifecycle(command)) }]
    }

    /// A loop that a session drives: made, filled and started in one batch.
    fn begin_loop(
        &mut self,
        (owner, slot): (&str, &str),
        commands: Vec<loops::Command>,
        now: At,
    ) -> Vec<Saying> {
        let run = self.ids.new_id("loop-", now);
        let by = || By::Parent { run: owner.to_owned() };
        let say = |mut command: loops::Command| {
            let mut origin = Origin::Engine;
            if let loops::Command::Create { id, parent, .. } = &mut command {
                id.clone_from(&run);
                let (owner, slot) = (owner.to_owned(), slot.to_owned());
                *parent = Some(loops::ParentRef { id: owner.clone(), key: slot.clone() });
                origin = Origin::Owner { run: owner, slot };
            }
            Saying { origin, ..Saying::own(&run, by(), Command::Loop(command)) }
        };
        commands.into_iter().map(say).collect()
    }

    /// What an owner hears of a child that could not be made ready.
    fn unmade(&self, owner: &str, slot: &str, fault: Box<Fault>) -> Option<Saying> {
        match &self.runs.get(owner)?.state {
            State::Turn(_) => {
                let ended = turn::Ended::Failed(fault);
                Some(turns::result(owner, slot, ended, Spent::default()))
            }
            State::Loop(state) => {
                let Fault { code, kind, .. } = *fault;
                let failure = Failure { code, kind, detail: loops::TURN.to_owned() };
                outcome::leg_ended(owner, state, slot, LegEnd::Blocked { failure, reset_at: None })
            }
            State::Lifecycle(state) => Some(lifecycles::unmade(owner, state.life()?, slot, &fault)),
            State::Session(_) => Some(sessions::unmade(owner, slot, &fault)),
            State::Call(_) | State::Collab(_) | State::Grant(_) => None,
        }
    }

    /// Asks the hands to make the start of a turn that a run owes.
    pub(super) fn make_turn(&mut self, id: &str, slot: &str, wish: Wish, jobs: &mut Vec<Job>) {
        let key = format!("{id}/{slot}");
        let job = format!("{key}/ask");
        if self.unasked(&key, &job) {
            let state = self.runs.get(id).map(|run| &run.state);
            let branch = match state {
                Some(State::Session(state)) => state.life().map(|life| life.body.key.clone()),
                Some(
                    State::Call(_)
                    | State::Loop(_)
                    | State::Collab(_)
                    | State::Grant(_)
                    | State::Turn(_)
                    | State::Lifecycle(_),
                )
                | None => None,
            };
            let owner = Owner { run: id.to_owned(), slot: slot.to_owned(), branch };
            self.flight.insert(job.clone());
            jobs.push(Job::TurnStart { key: job, owner, wish: Box::new(wish) });
        }
    }

    /// Whether a child is neither there nor being made ready.
    pub(super) fn unasked(&mut self, key: &str, job: &str) -> bool {
        let there = matches!(self.child(key), Ok(Some(_)) | Err(_));
        !there && !self.made.contains_key(key) && !self.flight.contains(job)
    }

    /// Stops the children that a run no longer owes, holds those that may start nothing new, and
    /// lets those go on that it held.
    pub(super) fn steer(&self, id: &str, owed: &[(String, Posture)]) -> Vec<Saying> {
        let mut sayings = Vec::new();
        for child in self.children.get(id).into_iter().flatten() {
            let Some(run) = self.runs.get(child) else { continue };
            let posture = owed.iter().find(|(key, _)| run.key.as_ref() == Some(key));
            let posture = posture.map(|(_, posture)| *posture);
            if let Some(command) = word_to(&run.state, posture) {
                sayings.push(Saying::own(child, By::Parent { run: id.to_owned() }, command));
            }
        }
        sayings
    }

    /// Fills in who stands behind a turn and what policy says of its agents. What a parent was
    /// approved for, its turns are.
    pub(super) fn fill_start(&self, id: &str, by: &By, start: &mut turn::Start) {
        id.clone_into(&mut start.id);
        let judge = &self.standing.judge;
        let (flow, asked) = match by {
            By::Parent { run } => {
                start.backing = self.backing(run);
                let at = self.runs.get(run).map_or(At(0), |run| run.updated_at);
                (self.flow(run, at), start.backing)
            }
            By::Person | By::Guest | By::Agent { .. } | By::File | By::Timer | By::Engine => {
                start.backing = policy::Backing::by(by);
                (Flow::default(), policy::Backing::None)
            }
        };
        start.agent_step = gate::agent_step(&start.agents, judge, &flow, asked);
    }
}

/// What a child is told by its owner; nothing if it does already what it should.
fn word_to(state: &State, posture: Option<Posture>) -> Option<Command> {
    match (state, posture) {
        (State::Call(state), None) => {
            state.stoppable().then_some(Command::Call(CallCommand::Stop(StopWhy::Asked)))
        }
        (State::Collab(state), None) => {
            let cancel = collab::Command::Cancel { scope: collab::Scope::All };
            state.cancellable().then_some(Command::Collab(cancel))
        }
        (State::Turn(state), posture) => to_turn(state, posture).map(Command::Turn),
        (State::Lifecycle(state), posture) => to_lifecycle(state, posture).map(Command::Lifecycle),
        (State::Loop(state), posture) => to_loop(state, posture).map(Command::Loop),
        (State::Call(_) | State::Collab(_), Some(_)) | (State::Grant(_) | State::Session(_), _) => {
            None
        }
    }
}

/// A loop that a session drives stops and stands still with it.
fn to_loop(state: &loops::State, posture: Option<Posture>) -> Option<loops::Command> {
    let life = state.life().filter(|_| !state.ended())?;
    let paused = match &life.phase {
        loops::Phase::Paused(paused) => Some(paused.by.as_str()),
        loops::Phase::Created
        | loops::Phase::Acting(_)
        | loops::Phase::Choosing { .. }
        | loops::Phase::Lent { .. }
        | loops::Phase::Completed { .. }
        | loops::Phase::Failed { .. } => None,
    };
    match posture {
        None => Some(loops::Command::Stop { why: None }),
        Some(Posture::Hold) if paused.is_none() => {
            Some(loops::Command::Pause { how: loops::PauseHow::Finish })
        }
        // A pause of a person's own is not the owner's to lift.
        Some(Posture::Run) if paused == Some(PARENT) => {
            Some(loops::Command::Resume { busy_with: None })
        }
        Some(Posture::Hold | Posture::Run) => None,
    }
}

/// A hold of a person's own is not the owner's to lift.
fn to_turn(state: &turn::State, posture: Option<Posture>) -> Option<turn::Command> {
    let life = state.life().filter(|life| !life.phase.over())?;
    let hold = life.body.hold.as_ref();
    let ends = matches!(life.phase, Phase::Summarizing(_));
    match posture {
        None => (!ends).then_some(turn::Command::Cancel),
        Some(Posture::Hold) if hold.is_none() => {
            Some(turn::Command::Pause { keep: Keep::AfterCurrent })
        }
        Some(Posture::Run) if hold.is_some_and(|hold| hold.by == PARENT) => {
            Some(turn::Command::Resume)
        }
        Some(Posture::Hold | Posture::Run) => None,
    }
}

/// A hold of a person's own is not the owner's to lift.
fn to_lifecycle(state: &lifecycle::State, posture: Option<Posture>) -> Option<lifecycle::Command> {
    let life = state.life().filter(|_| !state.ended())?;
    let hold = life.body.hold.as_ref();
    let ends = matches!(life.phase, lifecycle::Phase::Archiving(_));
    match posture {
        None => (!ends).then_some(lifecycle::Command::ParentCancel),
        Some(Posture::Hold) if hold.is_none() && !ends => {
            let how = lifecycle::PauseHow::AfterCurrent;
            Some(lifecycle::Command::Pause { how, reason: None })
        }
        Some(Posture::Run) if hold.is_some_and(|hold| hold.by == PARENT) => {
            Some(lifecycle::Command::Resume)
        }
        Some(Posture::Hold | Posture::Run) => None,
    }
}

/// The word of an owner among speakers.
pub(super) const PARENT: &str = "parent";

/// What an agent said of its step, without the word for the engine at its end.
fn plain(said: &str) -> String {
    let said = said.trim();
    let at = said.rfind("\n{").map_or(0, |at| at + 1);
    match serde_json::from_str::<serde_json::Value>(&said[at..]) {
        Ok(word) if word.get("control").is_some() => said[..at].trim_end().to_owned(),
        Ok(_) | Err(_) => said.to_owned(),
    }
}

/// What a loop's leg hears of the turn that did its work.
pub(super) fn leg_end(leg: &Leg, report: turn::Report) -> LegEnd {
    let turn::Report { outcome, files_changed, reset_at, plan, .. } = report;
    match outcome {
        Outcome::Completed | Outcome::Answered if *leg == Leg::Instrument => {
            LegEnd::Ok(Gave::Instrumented { files_changed })
        }
        Outcome::Completed | Outcome::Answered => {
            let said = plan.and_then(|plan| {
                let evidence = plan.steps.into_iter().find_map(|step| step.evidence);
                evidence.and_then(|evidence| evidence.claim)
            });
            let summary = said.as_deref().map(plain).unwrap_or_default();
            LegEnd::Ok(Gave::Work { files_changed, summary })
        }
        Outcome::Denied { code, by, rule } => {
            let failure = Failure { code, kind: by, detail: rule.unwrap_or_default() };
            LegEnd::Blocked { failure, reset_at: None }
        }
        Outcome::Blocked { code, detail, .. } => {
            let blocks = match code.as_str() {
                "E_POLICY_DENIED" | "E_BUDGET" | "E001" => true,
                "E009" => detail == "quota",
                _ => false,
            };
            let failure = Failure { code, kind: detail, detail: String::new() };
            if blocks {
                LegEnd::Blocked { failure, reset_at }
            } else {
                LegEnd::Failed { failure, files_changed }
            }
        }
        Outcome::Cancelled { .. } => LegEnd::Cancelled,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_word_for_the_engine_is_no_summary() {
        let table = [
            (r#"{"control":"step_done"}"#, ""),
            ("Did it.\n\n{\"control\":\"step_done\"}", "Did it."),
            ("Did it.", "Did it."),
            ("{\"n\": 3}", "{\"n\": 3}"),
            ("A { brace", "A { brace"),
        ];
        for (said, expected) in table {
            assert_eq!(plain(said), expected, "{said}");
        }
    }
}
