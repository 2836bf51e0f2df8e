//! The loop machine as a subject: walked scene by scene, and lived at random with all words.

use std::collections::BTreeSet;

use kernel::loops::{Command, Event, Leg, Loop, Refusal, State, owed, samples};
use kernel::machine::{At, By, Refusal as _, Said};

use super::super::call::{broken, words};
use super::scene::{SCENES, Scene, Words};
use super::{canon, ends, holds};
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// Tasks beyond the scene's own that a walk follows: the appended fix or test task.
const APPENDED_MAX: usize = 1;
/// How far the clock moves at most between two random commands; a lease is shorter.
const STEP_MS_MAX: u64 = 40 * 60_000;

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let states = "New Created Acting Choosing Lent Paused Paused* Completed Failed Failed* Deleted";
    let events = "LoopCreated LoopImported LoopEdited LoopDeleted TaskAdded TaskEdited TaskRemoved \
                  TasksReordered TaskRequeued LoopStarted ModeSet LoopPaused PauseCut LoopResumed \
                  LoopFailed LoopRetried LoopReopened LegBegan LegEnded LegChosen ActionChosen \
                  ActionEnded ActionDropped MenuOpened MenuAnswered ValidationStaled \
                  ValidationAccepted LoopCompleted SkillReported LeaseTaken LeaseRenewed \
                  ViewsRemoved";
    let refusals = "not_now busy question_closed not_owed stale_approval needs_person owned \
                    id_taken invalid_args unknown_option no_such action_running still_closing \
                    engine_drives task_started nothing_pending nothing_to_debug iteration_limit \
                    validation_required";
    Coverage { states: words(states), events: words(events), refusals: words(refusals) }
}

/// The machine in one scene; random lives take their words from all scenes.
#[derive(Clone, Copy, Debug)]
pub struct Loops {
    /// What the walk is about.
    pub scene: Scene,
}

/// What a life of a loop has owed.
#[derive(Debug, Default)]
pub struct Past {
    /// Keys whose leg has ended: they are never owed again.
    closed: BTreeSet<String>,
    /// Counted ends.
    counted: u32,
}

impl Subject for Loops {
    type Machine = Loop;
    type Past = Past;

    fn roots(&self) -> Vec<State> {
        self.scene.roots()
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        self.scene.says(state)
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        let mut said = wild(state, dice);
        let now = state.life().map_or(At(1_000), |life| life.body.updated_at);
        said.at = now.plus(dice.next() % STEP_MS_MAX);
        if !said.command.is_engines() && dice.once_in(10) {
            let voices = [
                By::Guest,
                By::Agent { call: "call-1".to_owned() },
                By::Parent { run: "session-1".to_owned() },
                By::File,
            ];
            said.by = dice.one_of(&voices).clone();
        }
        said
    }

    fn canon(&self, state: &State) -> String {
        canon::of(state)
    }

    fn within(&self, state: &State) -> bool {
        let most = self.scene.tasks_max + APPENDED_MAX;
        state.life().is_none_or(|life| {
            life.body.tasks.len() <= most && life.body.next_task <= 2 + most as u32
        })
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        let reason = refusal.reason();
        let says = !list.is_empty() || reason == "not_now";
        (says && reason != "unknown_option").then_some(list)
    }

    fn worth_listing(&self, said: &Said<Command>, events: &[Event]) -> bool {
        !events.is_empty() && !said.command.is_engines()
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
        for event in step.events {
            if let Event::ActionEnded { counted: true, .. } = event {
                past.counted += 1;
            } else if let Event::LegEnded { .. } = event
                && let Some((slot, _, _)) = step.before.awaited()
            {
                past.closed.insert(slot);
            }
        }
        for owed in owed(step.after) {
            let slot = holds::slot(&owed);
            if past.closed.contains(slot) {
                return broken("invariant_owed_keys_are_never_reused", slot);
            }
        }
        let counted = step.after.life().map(|life| life.body.iteration);
        let imported = step.events.iter().any(|event| matches!(event, Event::LoopImported(_)));
        if !imported && counted.is_some_and(|now| now != past.counted) {
            return broken("invariant_count_once", (counted, past.counted));
        }
        Ok(())
    }
}

/// Something from everywhere: mostly the world goes on, sometimes people and others speak.
fn wild(state: &State, dice: &mut Dice) -> Said<Command> {
    if let Some((_, n, leg)) = state.awaited()
        && !dice.once_in(3)
    {
        return reported(state, dice, n, &leg);
    }
    let asked = state.open_question().is_some() && dice.once_in(2);
    let mut all = if !asked && dice.once_in(3) {
        samples::sample_commands(state).into_iter().map(|(_, said)| said).collect()
    } else {
        let fits = |scene: &&Scene| {
            let answers = scene.words.contains(&Words::Answers);
            !scene.words.contains(&Words::Voices) && answers == asked
        };
        let scenes: Vec<_> = SCENES.iter().filter(fits).collect();
        dice.one_of(&scenes).says(state)
    };
    if asked {
        all.retain(|said| matches!(said.command, Command::Answer { .. }));
    }
    // Loops that are deleted, stopped or forced at every turn get nowhere.
    let ends = |command: &Command| {
        matches!(command, Command::Delete | Command::Stop { .. } | Command::Complete { .. })
    };
    if !dice.once_in(8) && all.iter().any(|said| !ends(&said.command)) {
        all.retain(|said| !ends(&said.command));
    }
    let mut names: Vec<_> = all.iter().map(|said| said.command.name()).collect();
    names.sort_unstable();
    names.dedup();
    let name = *dice.one_of(&names);
    all.retain(|said| said.command.name() == name);
    let at = dice.below(all.len());
    all.swap_remove(at)
}

fn reported(state: &State, dice: &mut Dice, n: u32, leg: &Leg) -> Said<Command> {
    let begun = state.action().is_some_and(|action| action.child.is_some());
    let command = if !begun && *leg != Leg::Seal && !dice.once_in(4) {
        Command::LegBegan {
            n,
            leg: leg.clone(),
            child: format!("call-{n}-{}", leg.word()),
            head: None,
        }
    } else {
        let now = state.life().map_or(At(0), |life| life.body.updated_at);
        let bad = dice.once_in(4);
        let end = if bad {
            dice.one_of(&ends::of(leg, now)).clone()
        } else {
            kernel::loops::LegEnd::Ok(dice.one_of(&ends::good(leg)).clone())
        };
        Command::LegEnded { n, leg: leg.clone(), end }
    };
    Said { by: By::Engine, at: At(0), command }
}
