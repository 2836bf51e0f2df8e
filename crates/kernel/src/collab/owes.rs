//! What the world still owes a run: its gate, its calls, its timers, its question. Stopping a call
//! is no more than not owing it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::participant::{Launch, Participant, Phase};
use super::plan::Plan;
use super::prompt;
use super::slot;
use super::state::{Confirm, Level, Shortfall, Stage, State};
use crate::machine::At;
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};

/// The kind of the question about a degraded result.
const CONFIRM_KIND: &str = "collab.confirm";

/// A launch whose end the run still waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    /// The slot of its call.
    pub slot: String,
    /// The participant.
    pub p: String,
    /// The launch.
    pub launch: u32,
}

impl State {
    /// Every launch whose end is still waited for: owed, running or being stopped. One that is no
    /// longer owed and has no call is told of as stopped.
    #[must_use]
    pub fn awaited(&self) -> Vec<Awaited> {
        let live = !self.ended();
        let wanted = self.participants().iter().filter(|_| live);
        wanted
            .filter_map(|one| {
                let n = one.launch()?.n;
                Some(Awaited { slot: slot::call(&one.name, n), p: one.name.clone(), launch: n })
            })
            .collect()
    }
}

/// What the world still owes.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    match state {
        State::New | State::Success { .. } | State::Failed { .. } => Vec::new(),
        State::Init { stage: Stage::Checking, .. } => {
            Vec::from([Owed::Effect { slot: slot::GATE.to_string(), effect: Effect::Gate }])
        }
        State::Init { run, stage: Stage::Launching { participants, .. } } => {
            of_all(&run.plan, participants)
        }
        State::Running { run, due, participants, total_timed_out, .. } => {
            let mut list = of_all(&run.plan, participants);
            if !total_timed_out {
                list.push(timer(slot::TOTAL.to_string(), *due));
            }
            list
        }
        State::Degraded { shortfall, question, .. } => confirm(shortfall, question),
    }
}

fn timer(slot: String, due: At) -> Owed {
    Owed::Timer { slot, due }
}

fn of_all(plan: &Plan, participants: &[Participant]) -> Vec<Owed> {
    let mut list = Vec::new();
    for one in participants {
        let name = &one.name;
        match &one.phase {
            Phase::Pending | Phase::Ended { .. } => {}
            Phase::Starting { launch } => {
                list.extend(child(plan, participants, one, launch, Begun::NotYet));
            }
            Phase::Running { launch, due, .. } => {
                list.extend(child(plan, participants, one, launch, Begun::Told));
                list.push(timer(slot::due(name, launch.n), *due));
            }
            Phase::Backoff { next, until } => {
                list.push(timer(slot::backoff(name, next.n), *until));
            }
            Phase::Stopping { launch, stop_by, .. } => {
                list.push(timer(slot::stop(name, launch.n), *stop_by));
            }
        }
    }
    list
}

fn child(
    plan: &Plan,
    participants: &[Participant],
    one: &Participant,
    launch: &Launch,
    begun: Begun,
) -> Option<Owed> {
    let member = plan.member(&one.name)?;
    let request = prompt::request(plan, participants, member, launch);
    Some(Owed::Child {
        slot: slot::call(&one.name, launch.n),
        ask: ChildAsk::Call(Box::new(request)),
        posture: Posture::Run,
        begun,
    })
}

fn confirm(shortfall: &Shortfall, question: &Confirm) -> Vec<Owed> {
    let options = match shortfall.level {
        Level::Acceptable => ["accept", "wait", "cancel"],
        Level::Unacceptable => ["override", "wait", "cancel"],
    };
    let asked = Question {
        kind: CONFIRM_KIND.to_string(),
        about: shortfall.reason.clone(),
        options: options.iter().map(ToString::to_string).collect(),
        takes_text: true,
        hash: Some(question.hash.clone()),
    };
    let mut list = Vec::from([Owed::Question { slot: question.id.clone(), question: asked }]);
    list.extend(question.expires_at.map(|due| timer(slot::CONFIRM_EXPIRY.to_string(), due)));
    list
}
