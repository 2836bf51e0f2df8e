//! The birth of a turn, its clock, and the facts before it has a plan. Which room every other fact
//! belongs to is said here too.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::event::{AfterIntake, Event, Of};
use super::super::models::IntakeReport;
use super::super::pack::PackRef;
use super::super::setup::{Mode, Planner, Start};
use super::super::slot;
use super::super::state::{
    AskedFrom, Body, Clock, Counted, Flight, Hold, Keep, Ledger, Life, Numbers, Open, Phase, Rung,
    State, Told, Wait, Why,
};
use super::{doing, ending, plans};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match state {
        State::Idle => {
            if let Event::Asked { start } = event {
                *state = State::Begun(Box::new(born(start, at)));
            }
        }
        State::Begun(life) => apply(life, event, at),
    }
}

fn born(start: &Start, at: At) -> Life {
    let limits = &start.limits;
    let clock = Clock { since: Some(at), active_ms: 0, left_ms: limits.intake_ms };
    let body = Body {
        start: start.clone(),
        created_at: at,
        updated_at: at,
        ledger: Ledger::default(),
        clock,
        hold: None,
        next: Numbers { intake: 1, ..Numbers::default() },
        reowed: 0,
        unknown: None,
        asks: None,
        rejected: None,
        reset_at: None,
        limited: None,
        intake: None,
        answers: Vec::new(),
        pack: None,
        work: None,
    };
    Life { body, phase: Phase::Intake { round: 0 } }
}

/// Makes a fact of a turn that has begun true.
pub(in super::super) fn apply(life: &mut Life, event: &Event, at: At) {
    if life.phase.over() {
        return;
    }
    tick(&mut life.body, at);
    settle_reowed(&mut life.body, event);
    before(life, event, at);
    life.body.updated_at = at.max(life.body.created_at);
    let over = |key: &Option<String>| key.as_ref().is_some_and(|key| !slot::waited_for(life, key));
    let (unknown, asks) = (over(&life.body.unknown), over(&life.body.asks));
    life.body.unknown.take_if(|_| unknown);
    life.body.asks.take_if(|_| asks);
    let counts = life.body.hold.is_none() && !life.waits() && !life.phase.over();
    life.body.clock.since = counts.then_some(at);
}

/// Counts the time since the last fact.
fn tick(body: &mut Body, at: At) {
    if let Some(since) = body.clock.since {
        let passed = at.since(since);
        body.clock.active_ms = body.clock.active_ms.saturating_add(passed);
        body.clock.left_ms = body.clock.left_ms.saturating_sub(passed);
    }
}

/// An effect that happened after all is another one from the next fact on.
fn settle_reowed(body: &mut Body, event: &Event) {
    let same = matches!(
        event,
        Event::Reowed { .. }
            | Event::Held { .. }
            | Event::Resumed { .. }
            | Event::Charged { .. }
            | Event::RateLimited { .. }
            | Event::CallAsked { .. }
            | Event::CallDenied { .. }
            | Event::CallUnknown { .. }
            | Event::CallWaits { .. }
            | Event::CallAllowed { .. }
            | Event::CallRecorded { of: Of::Inner { .. }, .. }
            | Event::ConfirmationAsked { .. }
            | Event::Confirmed { .. }
            | Event::PromptVoided { .. }
            | Event::PlanEdited { .. }
            | Event::StepSkipped { .. }
    );
    if !same {
        body.reowed = 0;
    }
}

fn before(life: &mut Life, event: &Event, at: At) {
    match event {
        Event::Asked { .. } => {}
        Event::IntakeAssessed { report, next } => assessed(life, report, *next),
        Event::QuestionsAsked { .. } | Event::QuestionsParked { .. } => asks(life, event, at),
        Event::Answered { question, answer, .. } => answered(life, question, answer.as_ref()),
        Event::ContextBuilt { pack } => context(life, Some(pack)),
        Event::ContextCut => context(life, None),
        Event::Held { .. }
        | Event::Resumed { .. }
        | Event::CallUnknown { .. }
        | Event::CallWaits { .. }
        | Event::CallAllowed { .. }
        | Event::Reowed { .. }
        | Event::Charged { .. }
        | Event::RateLimited { .. } => steered(life, event, at),
        Event::PlanRejected { .. }
        | Event::PlanAccepted { .. }
        | Event::ConfirmationAsked { .. }
        | Event::PlannerDegraded { .. }
        | Event::Confirmed { .. }
        | Event::Declined { .. }
        | Event::ConfirmationExpired { .. }
        | Event::PlanEdited { .. }
        | Event::PlanPatched { .. }
        | Event::FixStepAdded { .. }
        | Event::PromptVoided { .. } => plans::apply(life, event),
        Event::StepStarted { .. }
        | Event::StepDone { .. }
        | Event::StepFailed { .. }
        | Event::StepBlocked { .. }
        | Event::StepSkipped { .. }
        | Event::Degraded { .. }
        | Event::CallAsked { .. }
        | Event::CallDenied { .. }
        | Event::CallRecorded { .. }
        | Event::ReplanAsked { .. }
        | Event::UndoRecorded { .. } => doing::apply(life, event),
        Event::ExecutionFinished
        | Event::VerificationSkipped { .. }
        | Event::CheckRecorded { .. }
        | Event::CheckStale { .. }
        | Event::VerificationPassed { .. }
        | Event::VerificationFailed { .. }
        | Event::HelpGiven { .. }
        | Event::GaveUp { .. }
        | Event::Denied { .. }
        | Event::Failed { .. }
        | Event::Cancelled { .. }
        | Event::AnswerTaken { .. }
        | Event::AnswerRejected { .. }
        | Event::Summarised { .. }
        | Event::GitDeclined { .. }
        | Event::GitSettled { .. }
        | Event::Ended => ending::apply(life, event, at),
    }
}

fn context(life: &mut Life, pack: Option<&PackRef>) {
    if let Some(pack) = pack {
        life.body.pack = Some(pack.clone());
    }
    plan_or_answer(life);
}

/// What moves no phase.
fn steered(life: &mut Life, event: &Event, at: At) {
    if let Event::Held { by, keep } = event {
        held(life, by, *keep, at);
    } else if let Event::Resumed { .. } = event {
        resumed(life, at);
    } else if let Event::CallUnknown { key } = event {
        life.body.unknown = Some(key.clone());
    } else if let Event::CallWaits { key } = event {
        life.body.asks = Some(key.clone());
    } else if let Event::CallAllowed { key } = event {
        life.body.asks.take_if(|asks| asks == key);
    } else if let Event::Reowed { .. } = event {
        reowed(life);
    } else if let Event::Charged { tokens, cost_micros } = event {
        let ledger = &mut life.body.ledger;
        ledger.tokens = ledger.tokens.saturating_add(*tokens);
        ledger.cost_micros = ledger.cost_micros.saturating_add(*cost_micros);
    } else if let Event::RateLimited { reset_at, agent } = event {
        (life.body.reset_at, life.body.limited) = (Some(*reset_at), agent.clone());
    }
}

fn assessed(life: &mut Life, report: &IntakeReport, next: AfterIntake) {
    life.body.intake = Some(report.clone());
    match next {
        AfterIntake::Context => build_context(life),
        AfterIntake::Answer => ending::answer(life),
        AfterIntake::Decided => {}
    }
}

fn build_context(life: &mut Life) {
    life.body.next.context += 1;
    life.phase = Phase::ContextBuilding { round: life.body.next.context };
    life.body.clock.left_ms = life.body.start.limits.context_ms;
}

fn asks(life: &mut Life, event: &Event, at: At) {
    if let Event::QuestionsAsked { round, questions, from } = event {
        clarify(life, (*round, questions, from), Until::Expiry(at));
    } else if let Event::QuestionsParked { round, questions, from } = event {
        clarify(life, (*round, questions, from), Until::Resumed(at));
    }
}

/// How long a question that is asked now is open.
enum Until {
    Expiry(At),
    Resumed(At),
}

fn clarify(life: &mut Life, (round, questions, from): (u32, &[Open], &AskedFrom), until: Until) {
    life.body.next.clarify = life.body.next.clarify.max(round + 1);
    let (questions, from) = (questions.to_vec(), from.clone());
    let wait = match until {
        Until::Expiry(at) => Wait::Open { until: life.body.expiry(at) },
        Until::Resumed(at) => Wait::Parked { since: at },
    };
    life.phase = Phase::Clarifying { round, questions, from, wait };
}

fn answered(life: &mut Life, question: &str, answer: Option<&String>) {
    let Phase::Clarifying { questions, from, .. } = &mut life.phase else { return };
    let Some(at) = questions.iter().position(|open| open.id == question) else { return };
    let mut closed = Vec::from([questions.remove(at)]);
    if answer.is_none() {
        closed.append(questions);
    }
    let (left, from) = (questions.len(), from.clone());
    let told =
        closed.into_iter().map(|open| Told { question: open.asking.text, answer: answer.cloned() });
    life.body.answers.extend(told);
    if left > 0 {
        return;
    }
    match (from, answer) {
        (AskedFrom::Intake, None) => build_context(life),
        (AskedFrom::Intake, Some(_)) => {
            life.phase = Phase::Intake { round: life.body.next.intake };
            life.body.next.intake += 1;
            life.body.clock.left_ms = life.body.start.limits.intake_ms;
        }
        (AskedFrom::Execution { back }, _) => {
            let note = Some(String::from("answers"));
            doing::replan(life, back, note, Counted::No);
        }
    }
}

fn plan_or_answer(life: &mut Life) {
    let start = &life.body.start;
    if let (Mode::Write | Mode::Plan, Some(turn)) = (start.mode, &start.continues) {
        let why = Why::Continued { turn: turn.clone() };
        return plans::planning(life, why, 0);
    }
    let why = match (start.mode, &start.planner) {
        (Mode::Analysis, _) => return ending::answer(life),
        (Mode::Write | Mode::Plan, Planner::Agents(_)) => Why::First,
        (Mode::Write | Mode::Plan, Planner::File { sha256 }) => {
            Why::Given { sha256: sha256.clone() }
        }
        (Mode::Write | Mode::Plan, Planner::Direct) => Why::Direct,
    };
    plans::planning(life, why, 0);
}

fn held(life: &mut Life, by: &str, keep: Keep, at: At) {
    life.body.hold = Some(Hold { by: by.into(), at, keep });
}

/// Moments that were waited for are as far off as when the hold began.
fn resumed(life: &mut Life, at: At) {
    let Some(hold) = life.body.hold.take() else { return };
    let pause = at.since(hold.at);
    let shift = |due: &mut At| *due = due.plus(pause);
    match &mut life.phase {
        Phase::Clarifying { wait: Wait::Open { until: Some(until) }, .. } => shift(until),
        Phase::AwaitingConfirmation(prompt) => prompt.until.iter_mut().for_each(shift),
        Phase::Recovering(now) => match &mut now.rung {
            Rung::Fix { not_before, .. } => shift(not_before),
            Rung::Help { until: Some(until), .. } => shift(until),
            Rung::Help { until: None, .. }
            | Rung::Degrade { .. }
            | Rung::Undo { .. }
            | Rung::Replan { .. }
            | Rung::Spent => {}
        },
        Phase::Executing(now) => now.flight = Flight::Perhaps,
        Phase::Clarifying { .. }
        | Phase::Intake { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::Verifying(_)
        | Phase::Summarizing(_)
        | Phase::Done(_) => {}
    }
}

/// The same effect under a key that was never used.
fn reowed(life: &mut Life) {
    life.body.reowed += 1;
    let due = life.position().is_some_and(|at| life.body.checkpoint_due(at));
    doing::reowed(life, due);
}
