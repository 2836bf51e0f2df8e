//! The lifecycle machine as a subject: walked from its samples, and lived at random.

use std::collections::BTreeSet;

use kernel::lifecycle::{Command, Event, Lifecycle, Refusal, State, decide, samples};
use kernel::machine::{By, Refusal as _, Said};
use serde_json::Value;

use super::super::call::{broken, words};
use super::holds;
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// Numbers from here on are moments, which no rule tells apart in a walk.
const MOMENTS: u64 = 900;

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let events = "USER_INPUT_REQUIREMENT PRD_GENERATED USER_CONFIRM USER_CANCEL ERROR_DETECTED \
                  FIX_SUCCESS FIX_FAILED_3X HUMAN_INTERVENTION ROLLBACK ALL_TASKS_DONE \
                  ARCHIVE_COMPLETE SKIP_TASK FORCE_STOP USER_ABORT HALT PLAN_FAILED RETRY_PLAN \
                  PAUSE RESUME PlanAmended TaskStarted StepBegan FixBegan CheckpointMade TurnSpent \
                  EvidenceRecorded DigestsSeen TaskClosed TaskReopened ProgressClaimed \
                  FixAttempted RollbackBegan RollbackPlanned RollbackConfirmed RollbackStopped \
                  RollbackLeft ArchiveFault ArchiveRetried TurnLeft ChildSettled NoteTaken \
                  NeverBegan";
    let refusals = "not_now ended busy answered not_held derived needs_person plan_changed \
                    definition_changed unsettled not_current no_task no_run no_checkpoint \
                    immutable budget not_owed no_such";
    let states = [
        "IDLE ended",
        "PLANNING",
        "CONFIRMING",
        "EXECUTING",
        "AUTO_FIX",
        "BLOCKED",
        "rolling",
        "ARCHIVING",
    ];
    Coverage {
        states: states.into_iter().collect(),
        events: words(events),
        refusals: words(refusals),
    }
}

/// The machine.
#[derive(Clone, Copy, Debug)]
pub struct Lifecycles;

/// What a life of a lifecycle has owed.
#[derive(Debug, Default)]
pub struct Past {
    /// Steps that were left: their keys are never owed again.
    left: BTreeSet<String>,
}

impl Subject for Lifecycles {
    type Machine = Lifecycle;
    type Past = Past;

    fn roots(&self) -> Vec<State> {
        samples::sample_states().into_iter().map(|(_, state)| state).collect()
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        let mut all = Vec::new();
        for (_, said) in samples::sample_commands(state) {
            // What is no end of an effect is said by everybody: a list is made for its speaker.
            if !said.command.is_engines() {
                let agent = By::Agent { call: "call-1".to_owned() };
                let parent = By::Parent { run: "sess-1".to_owned() };
                for by in [By::Person, agent, parent] {
                    if by != said.by {
                        all.push(Said { by, ..said.clone() });
                    }
                }
            }
            all.push(said);
        }
        all
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        let mut all = self.alphabet(state);
        let held = state.life().is_some_and(|life| life.body.hold.is_some());
        // Runs that are cancelled or held at every step get nowhere.
        let cuts = |said: &Said<Command>| {
            matches!(
                said.command,
                Command::UserCancel
                    | Command::ParentCancel
                    | Command::UserAbort { .. }
                    | Command::Pause { .. }
            )
        };
        if !held && !dice.once_in(8) {
            all.retain(|said| !cuts(said));
        }
        if held && dice.once_in(2) {
            all.retain(|said| matches!(said.command, Command::Resume | Command::Pause { .. }));
        }
        if !held && dice.once_in(2) {
            all.retain(|said| said.command.is_engines());
        }
        // Most of what can be said fits another step; what is refused is thought over once.
        let first = dice.below(all.len());
        let at = if decide(state, &all[first]).is_ok() { first } else { dice.below(all.len()) };
        all.swap_remove(at)
    }

    fn canon(&self, state: &State) -> String {
        let mut value = serde_json::to_value(state).unwrap_or_default();
        forget(&mut value);
        value.to_string()
    }

    fn within(&self, _: &State) -> bool {
        true
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        (!list.is_empty() || refusal.reason() == "not_now").then_some(list)
    }

    /// What says nothing new is possible all the same, and told as possible.
    fn worth_listing(&self, said: &Said<Command>, _: &[Event]) -> bool {
        !said.command.is_engines()
    }

    fn voice(&self, said: &Said<Command>) -> String {
        said.by.word().to_owned()
    }

    fn stands(&self, state: &State) -> Result<(), String> {
        holds::stands(state)
    }

    fn moved(&self, step: &Step<'_, Self>) -> Result<(), String> {
        holds::moved(step)
    }

    fn remember(&self, past: &mut Past, step: &Step<'_, Self>) -> Result<(), String> {
        let key = |state: &State| state.life().and_then(|life| life.phase.step_key());
        let (was, is) = (key(step.before), key(step.after));
        if was != is {
            past.left.extend(was);
        }
        match is.filter(|key| past.left.contains(key)) {
            Some(again) => broken("invariant_one_start_per_key", again),
            None => Ok(()),
        }
    }
}

/// Drops moments, serials and what was counted of them.
fn forget(value: &mut Value) {
    match value {
        Value::Number(number) if number.as_u64().is_some_and(|n| n >= MOMENTS) => {
            *value = Value::from(0);
        }
        Value::Array(items) => items.iter_mut().for_each(forget),
        Value::Object(members) => {
            for name in ["seq", "q", "notes", "updated_at", "created_at", "since", "asked_at"] {
                members.remove(name);
            }
            members.values_mut().for_each(forget);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
