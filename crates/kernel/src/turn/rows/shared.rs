//! Answers that several states give in the same words. No state is decided here.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::command::{Command, Ended, Payload};
use super::super::draft::{Decision, Draft};
use super::super::event::Event;
use super::super::models::Asking;
use super::super::patch::{self, PlanPatch};
use super::super::plan::{Plan, Status};
use super::super::refusal::Refusal;
use super::super::setup::Judged;
use super::super::slot;
use super::super::state::{AskedFrom, Life, Open};
use super::super::valid::{BadArgs, Flaw, Ground, Wrong};
use crate::policy::Verdict;

/// The command does not fit the state.
pub(super) fn not_now(life: &Life, command: &Command) -> Decision {
    let (state, command) = (life.phase.name(), command.name());
    Err(Refusal::NotNow { state, command, allowed: vec![] })
}

/// Why an effect gave nothing, as code and detail.
pub(super) fn bad(ended: &Ended) -> (String, String) {
    match ended {
        Ended::Failed(fault) => (fault.code.clone(), fault.kind.clone()),
        Ended::Never => ("E_IO".into(), "not_applied".into()),
        Ended::Unknown => ("E_UNKNOWN_OUTCOME".into(), String::new()),
        // What has not ended is heard of before any row is asked.
        Ended::Ok(_) | Ended::Waits | Ended::Allowed => ("E_INTERNAL".into(), "payload".into()),
    }
}

/// What an effect gave, if it ended well.
pub(super) fn payload(ended: &Ended) -> Option<&Payload> {
    match ended {
        Ended::Ok(payload) => Some(payload),
        Ended::Failed(_) | Ended::Never | Ended::Unknown | Ended::Waits | Ended::Allowed => None,
    }
}

/// Asks people, or parks the questions once all rounds are used up.
pub(super) fn ask(draft: &mut Draft<'_>, asked: &[Asking], from: AskedFrom) {
    let round = draft.life.body.next.clarify;
    let open = |(at, asking): (usize, &Asking)| Open {
        id: slot::question(round, at + 1),
        asking: asking.clone(),
    };
    let questions: Vec<Open> =
        asked.iter().take(super::super::bounds::QUESTIONS_MAX).enumerate().map(open).collect();
    let parks = from == AskedFrom::Intake && round >= draft.life.body.start.limits.clarify_rounds;
    draft.push(if parks {
        Event::QuestionsParked { round, questions, from }
    } else {
        Event::QuestionsAsked { round, questions, from }
    });
}

pub(super) fn ground<'a>(life: &'a Life, bad_args: &'a [BadArgs]) -> Ground<'a> {
    let start = &life.body.start;
    Ground { steps_max: start.limits.steps, agents: &start.agents, bad_args }
}

/// The plan after a person's edit.
pub(super) fn edited(life: &Life, edit: &PlanPatch, bad_args: &[BadArgs]) -> Result<Plan, Refusal> {
    let refused = |flaw: Flaw| Refusal::BadPatch { flaw };
    let Some(work) = &life.body.work else {
        return Err(Refusal::NoSuch { step: String::new() });
    };
    patch::apply(&work.plan, edit, ground(life, bad_args)).map_err(refused)
}

/// Nobody can say yes to what policy denies.
pub(super) fn undenied(verdict: &Verdict) -> Result<(), Refusal> {
    match verdict {
        Verdict::Deny { rule } => {
            Err(Refusal::BadPatch { flaw: Flaw::new(Wrong::Denied, "", rule) })
        }
        Verdict::Allow { .. } | Verdict::Ask { .. } => Ok(()),
    }
}

/// A judgement of nothing: everything is asked about.
pub(super) fn unjudged(life: &Life) -> Judged {
    let work = life.body.work.as_ref();
    let (reach, definitions) =
        work.map(|work| (work.reach.clone(), work.definitions.clone())).unwrap_or_default();
    let verdict = Verdict::Ask { rule: "turn.unjudged".into() };
    Judged { verdict, reach, hash: String::new(), definitions }
}

/// Whether a person may skip this step.
pub(super) fn skippable(life: &Life, step: &str) -> Result<(), Refusal> {
    let found = life.body.work.as_ref().and_then(|work| work.plan.step(step));
    let (step, allowed) = (String::from(step), vec![]);
    match found.map(|step| step.status) {
        None => Err(Refusal::NoSuch { step }),
        Some(Status::InProgress) => Err(Refusal::StepInProgress { step, allowed }),
        Some(Status::Done | Status::Skipped) => Err(Refusal::StepIsDone { step, allowed }),
        Some(Status::Pending | Status::Blocked) => Ok(()),
    }
}
