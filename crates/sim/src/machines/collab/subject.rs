//! The collab machine as a subject: walked scene by scene, and lived at random with all words.

use std::collections::BTreeSet;

use kernel::collab::{
    Collab, Command, Event, Fault, How, Participant, Phase, Refusal, Stage, State, samples,
};
use kernel::machine::{At, By, Refusal as _, Said};

use super::super::call::{broken, words};
use super::holds;
use super::scene::{SCENES, Scene, deferrals, extensions, now, timers};
use crate::dice::Dice;
use crate::subject::{Coverage, Step, Subject};

/// Extensions that a walk follows.
const EXTENSIONS_MAX: u64 = 1;
/// Times that a walk puts off its question.
const DEFERRALS_MAX: u64 = 1;
/// How far the clock moves at most between two random reports: a third of a run's time.
const STEP_MS_MAX: u64 = 200_000;

/// Every state, fact and refusal there is; a walk that misses one proves less than it says.
#[must_use]
pub fn everything() -> Coverage {
    let mut states = words("New RUNNING DEGRADED SUCCESS FAILED");
    states.extend(["INIT Checking", "INIT Launching"]);
    let events = "Created GateFailed GatePassed RunStarted ParticipantStarted SessionCaptured \
                  RetryScheduled CorrectionScheduled LaunchOwed StopRequested ParticipantEnded \
                  TotalTimedOut CancelRequested DeadlineExtended Degraded Confirmed Succeeded \
                  QuestionDeferred Declined RunFailed";
    let refusals = "not_now ended not_owed needs_person stale_approval question_closed \
                    invalid_args no_such key_reused participant_ended bad_session \
                    already_cancelling limit override_required note_required";
    Coverage { states, events: words(events), refusals: words(refusals) }
}

/// The machine in one scene; random lives take their words from all scenes.
#[derive(Clone, Copy, Debug)]
pub struct Collabs {
    /// What the walk is about.
    pub scene: Scene,
}

/// What a life of a run has owed.
#[derive(Debug, Default)]
pub struct Past {
    /// Calls that are no longer owed: their keys are never owed again.
    closed: BTreeSet<String>,
    /// How far it was, and when.
    far: (u64, At),
}

impl Subject for Collabs {
    type Machine = Collab;
    type Past = Past;

    fn roots(&self) -> Vec<State> {
        vec![State::New]
    }

    fn alphabet(&self, state: &State) -> Vec<Said<Command>> {
        self.scene.alphabet(state)
    }

    fn pick(&self, state: &State, dice: &mut Dice) -> Said<Command> {
        if *state == State::New {
            return dice.one_of(&SCENES).alphabet(state).swap_remove(0);
        }
        let mut all = if dice.once_in(3) {
            samples::sample_commands(state).into_iter().map(|(_, said)| said).collect()
        } else {
            dice.one_of(&SCENES).alphabet(state)
        };
        let due = timers(state);
        if !due.is_empty() && dice.once_in(8) {
            all = due;
        }
        // Runs that are cancelled at every turn get nowhere.
        let cuts = |said: &Said<Command>| matches!(said.command, Command::Cancel { .. });
        if !dice.once_in(8) {
            all.retain(|said| !cuts(said));
        }
        let mut names: Vec<_> = all.iter().map(|said| said.command.name()).collect();
        names.sort_unstable();
        names.dedup();
        let name = *dice.one_of(&names);
        all.retain(|said| said.command.name() == name);
        let at = dice.below(all.len());
        let mut said = all.swap_remove(at);
        if said.by == By::Engine {
            let later = if dice.once_in(2) { dice.next() % STEP_MS_MAX } else { 0 };
            said.at = now(state).plus(later);
            if let Command::CallStarted { at, .. } = &mut said.command {
                *at = said.at;
            }
        }
        said
    }

    fn canon(&self, state: &State) -> String {
        let mut state = state.clone();
        forget(&mut state);
        format!("{state:?}")
    }

    fn within(&self, state: &State) -> bool {
        extensions(state) <= EXTENSIONS_MAX && deferrals(state) <= DEFERRALS_MAX
    }

    fn listed(&self, refusal: &Refusal) -> Option<Vec<&'static str>> {
        let list = refusal.allowed();
        (!list.is_empty() || refusal.reason() == "not_now").then_some(list)
    }

    fn worth_listing(&self, said: &Said<Command>, events: &[Event]) -> bool {
        let doors = ["Create", "Answer", "Cancel", "Extend"];
        !events.is_empty() && doors.contains(&said.command.name())
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
        let (before, after) = (holds::calls(step.before), holds::calls(step.after));
        past.closed.extend(before.difference(&after).cloned());
        if let Some(again) = after.intersection(&past.closed).next() {
            return broken("invariant_owed_keys_are_never_reused", again);
        }
        // Chance may set the clock back, as an engine never does; then it is begun anew.
        let (was, at) = past.far;
        let was = if step.said.at < at { 0 } else { was };
        let percent = kernel::collab::view::percent(step.after, step.said.at);
        if percent < was {
            return broken("invariant_percent_never_falls", (was, percent));
        }
        past.far = (percent, step.said.at);
        Ok(())
    }
}

/// Drops what is kept for people and looked at by no rule once it is recorded: the plan, which is
/// one in a scene, sentences, costs, and when something happened before the last moment.
fn forget(state: &mut State) {
    let moment = if state.ended() { At(0) } else { now(state) };
    match state {
        State::Degraded { shortfall, question, .. } => {
            shortfall.reason.clear();
            question.hash.clear();
        }
        State::Success { mark, started_at, ended_at, .. } => {
            if let Some(mark) = mark {
                mark.shortfall.reason.clear();
            }
            (*started_at, *ended_at) = (moment, moment);
        }
        State::Failed { shortfall, started_at, ended_at, .. } => {
            if let Some(shortfall) = shortfall {
                shortfall.reason.clear();
            }
            (*started_at, *ended_at) = (None, moment);
        }
        State::New | State::Init { .. } | State::Running { .. } => {}
    }
    match state {
        State::New => {}
        State::Init { run, stage } => {
            run.plan.participants.clear();
            match stage {
                Stage::Checking => {}
                Stage::Launching { participants, .. } => forget_all(participants, moment),
            }
        }
        State::Running { run, participants, .. }
        | State::Degraded { run, participants, .. }
        | State::Success { run, participants, .. }
        | State::Failed { run, participants, .. } => {
            run.plan.participants.clear();
            forget_all(participants, moment);
        }
    }
}

fn forget_all(all: &mut [Participant], moment: At) {
    for one in all {
        (one.usage, one.told) = (None, None);
        one.last_call = None;
        one.started_at = None;
        one.stop_unproven.clear();
        forget_errors(&mut one.errors, moment);
        match &mut one.phase {
            Phase::Ended { how, at } => {
                *at = moment;
                (one.retries, one.launches) = (0, 0);
                forget_text(how);
            }
            Phase::Running { since, .. } => *since = moment,
            Phase::Pending
            | Phase::Starting { .. }
            | Phase::Backoff { .. }
            | Phase::Stopping { .. } => {}
        }
    }
}

/// Only the last code is looked at, and whether a conversation of ours was ever unknown.
fn forget_errors(errors: &mut Vec<Fault>, moment: At) {
    let last = errors.len().saturating_sub(1);
    let mut index = 0;
    errors.retain(|fault| {
        index += 1;
        index > last || fault.kind == "resume_unknown"
    });
    for fault in errors {
        fault.at = moment;
        fault.launch = 0;
    }
}

/// What an answer says is looked at by no rule.
fn forget_text(how: &mut How) {
    match how {
        How::Answered { output, .. } | How::Unproven { output } | How::Poor { output, .. } => {
            output.call.clear();
        }
        How::TimedOut { partial } | How::Failed { partial } | How::Cancelled { partial } => {
            *partial = None;
        }
        How::Skipped { .. } => {}
    }
}
