//! Makes recorded facts true. Total: a fact that does not fit the state changes nothing. Each fact
//! touches the run, or one participant; what follows from it is a fact of its own.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::command::Flaw;
use super::event::Event;
use super::moves;
use super::participant::{Fault, How, Launch, Participant, Phase, Skip, Why};
use super::plan::{Mode, Plan};
use super::state::{Cause, Confirm, Mark, Run, Shortfall, Stage, State};
use crate::machine::At;

/// Makes a recorded fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match event {
        Event::Created { plan, plan_hash, by } => created(state, plan, plan_hash, by, at),
        Event::GateFailed { code, flaw, participants } => {
            gate_failed(state, code, flaw.as_ref(), participants, at);
        }
        Event::GatePassed { participants } => gate_passed(state, participants, at),
        Event::RunStarted { started_at, due } => run_started(state, *started_at, *due),
        Event::TotalTimedOut => total_timed_out(state),
        Event::CancelRequested { p, by } => {
            if p.is_none() {
                cancel_requested(state, by);
            }
        }
        Event::DeadlineExtended { ms, .. } => extended(state, *ms),
        Event::Degraded { shortfall, question } => degraded(state, shortfall, question, at),
        Event::Succeeded { mark } => succeeded(state, mark.as_deref(), at),
        Event::QuestionDeferred { expires_at, .. } => {
            if let State::Degraded { question, .. } = state {
                question.expires_at = *expires_at;
            }
        }
        Event::RunFailed { cause, code, note } => failed(state, *cause, code, note.clone(), at),
        // Who decided is recorded here; what came of it is the fact right after it.
        Event::Confirmed { .. } | Event::Declined { .. } => {}
        Event::ParticipantStarted { .. }
        | Event::SessionCaptured { .. }
        | Event::RetryScheduled { .. }
        | Event::CorrectionScheduled { .. }
        | Event::LaunchOwed { .. }
        | Event::StopRequested { .. }
        | Event::ParticipantEnded { .. } => moves::evolve(state, event, at),
    }
}

fn created(state: &mut State, plan: &Plan, plan_hash: &str, by: &str, at: At) {
    if *state != State::New {
        return;
    }
    let run = Run {
        plan: plan.clone(),
        plan_hash: plan_hash.into(),
        created_at: at,
        created_by: by.into(),
    };
    *state = State::Init { run: Box::new(run), stage: Stage::Checking };
}

fn ended(name: &str, how: How, at: At, flaw: Option<&Flaw>) -> Participant {
    let fault = flaw.map(|flaw| Fault {
        code: flaw.code.clone(),
        kind: flaw.kind.clone(),
        launch: 0,
        at,
        detail: flaw.detail.clone(),
        reset_at: None,
    });
    let phase = Phase::Ended { how, at };
    Participant { phase, errors: fault.into_iter().collect(), ..Participant::new(name) }
}

/// Everybody as they are when a run ends at its start gate.
fn unstarted(plan: &Plan, flaws: &BTreeMap<String, Flaw>, at: At) -> Vec<Participant> {
    let one = |name: &String| match flaws.get(name) {
        Some(flaw) => ended(name, How::Failed { partial: None }, at, Some(flaw)),
        None => ended(name, How::Skipped { why: Skip::StartGate }, at, None),
    };
    plan.participants.iter().map(|member| one(&member.name)).collect()
}

fn gate_failed(
    state: &mut State,
    code: &str,
    flaw: Option<&Flaw>,
    flaws: &BTreeMap<String, Flaw>,
    at: At,
) {
    let State::Init { run, stage: Stage::Checking } = state else { return };
    *state = State::Failed {
        participants: unstarted(&run.plan, flaws, at),
        run: run.clone(),
        started_at: None,
        ended_at: at,
        cause: Cause::StartGate,
        code: code.into(),
        flaw: flaw.cloned(),
        note: None,
        shortfall: None,
    };
}

fn gate_passed(state: &mut State, flaws: &BTreeMap<String, Flaw>, at: At) {
    let State::Init { run, stage } = state else { return };
    if *stage != Stage::Checking {
        return;
    }
    let mut turn = true;
    let one = |name: &String| match flaws.get(name) {
        Some(flaw) => ended(name, How::Failed { partial: None }, at, Some(flaw)),
        None if turn && !run.plan.lite => {
            turn = run.plan.mode == Mode::Parallel;
            let launch = Launch { n: 1, why: Why::First };
            let phase = Phase::Starting { launch };
            Participant { phase, launches: 1, ..Participant::new(name) }
        }
        None => Participant::new(name),
    };
    let participants = run.plan.participants.iter().map(|member| &member.name).map(one).collect();
    *stage = Stage::Launching { participants, cancelling: None };
}

fn run_started(state: &mut State, started_at: At, due: At) {
    let State::Init { run, stage: Stage::Launching { participants, cancelling } } = state else {
        return;
    };
    *state = State::Running {
        run: run.clone(),
        started_at,
        due,
        participants: core::mem::take(participants),
        cancelling: cancelling.take(),
        total_timed_out: false,
    };
}

fn total_timed_out(state: &mut State) {
    if let State::Running { total_timed_out, .. } = state {
        *total_timed_out = true;
    }
}

fn cancel_requested(state: &mut State, by: &str) {
    if let State::Init { stage: Stage::Launching { cancelling, .. }, .. }
    | State::Running { cancelling, .. } = state
    {
        *cancelling = Some(by.into());
    }
}

/// Every due of the run moves, also the one that a correction has from the launch it corrects.
fn extended(state: &mut State, ms: u64) {
    let State::Running { due, participants, .. } = state else { return };
    *due = due.plus(ms);
    for one in participants {
        if let Phase::Running { due, .. } = &mut one.phase {
            *due = due.plus(ms);
        }
        if let Phase::Running { launch, .. }
        | Phase::Starting { launch }
        | Phase::Backoff { next: launch, .. } = &mut one.phase
            && let Why::Correct { due, .. } = &mut launch.why
        {
            *due = due.plus(ms);
        }
    }
}

fn degraded(state: &mut State, shortfall: &Shortfall, question: &Confirm, at: At) {
    let State::Running { run, started_at, participants, .. } = state else { return };
    *state = State::Degraded {
        run: run.clone(),
        started_at: *started_at,
        ended_at: at,
        participants: core::mem::take(participants),
        shortfall: shortfall.clone(),
        question: question.clone(),
    };
}

/// The time that a person took to decide is not the models' time, so the end stays where it was.
fn succeeded(state: &mut State, mark: Option<&Mark>, at: At) {
    let (run, started_at, ended_at, participants) = match state {
        State::Running { run, started_at, participants, .. } => {
            (run, *started_at, at, participants)
        }
        State::Degraded { run, started_at, ended_at, participants, .. } => {
            (run, *started_at, *ended_at, participants)
        }
        State::New | State::Init { .. } | State::Success { .. } | State::Failed { .. } => return,
    };
    *state = State::Success {
        run: run.clone(),
        started_at,
        ended_at,
        participants: core::mem::take(participants),
        mark: mark.cloned(),
    };
}

fn failed(state: &mut State, cause: Cause, code: &str, note: Option<String>, at: At) {
    let (run, started_at, ended_at, participants, shortfall) = match state {
        State::Init { run, stage: Stage::Checking } => {
            let participants = unstarted(&run.plan, &BTreeMap::new(), at);
            (run, None, at, participants, None)
        }
        State::Init { run, stage: Stage::Launching { participants, .. } } => {
            (run, None, at, core::mem::take(participants), None)
        }
        State::Running { run, started_at, participants, .. } => {
            (run, Some(*started_at), at, core::mem::take(participants), None)
        }
        State::Degraded { run, started_at, ended_at, participants, shortfall, .. } => {
            let shortfall = Some(shortfall.clone());
            (run, Some(*started_at), *ended_at, core::mem::take(participants), shortfall)
        }
        State::New | State::Success { .. } | State::Failed { .. } => return,
    };
    let (run, code, flaw) = (run.clone(), code.into(), None);
    *state = State::Failed {
        run,
        started_at,
        ended_at,
        participants,
        cause,
        code,
        flaw,
        note,
        shortfall,
    };
}
