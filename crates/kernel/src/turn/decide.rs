//! The door of the machine: what holds in every state first, then one row function a state. What
//! would be allowed instead is found by asking the rows themselves.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::bounds::REOWED_MAX;
use super::command::{Command, Ended, Spent};
use super::draft::{Decision, Draft};
use super::event::Event;
use super::owes::{self, Ask};
use super::refusal::Refusal;
use super::rights;
use super::rows;
use super::samples;
use super::setup::{Mode, Planner, Start};
use super::slot;
use super::state::{Keep, Life, Phase, State, Subject};
use crate::machine::{At, By, Said};

/// Accepts a command by naming the facts it makes true, or refuses it.
///
/// # Errors
/// The refusal, with everything that this speaker could say instead.
pub fn decide(state: &State, said: &Said<Command>) -> Decision {
    ask(state, said).map_err(|mut refusal| {
        if let Some(list) = refusal.allowed_mut() {
            *list = allowed(state, &said.by);
        }
        refusal
    })
}

/// Every command that the speaker could say now, found by trying one of each, and all that the
/// turn's own plan would take. What only the engine says is nobody's choice.
#[must_use]
pub fn allowed(state: &State, by: &By) -> Vec<&'static str> {
    let mut names = Vec::new();
    let now = state.life().map_or(At(1), |life| life.body.updated_at.plus(1));
    let own = samples::of_plan(state).into_iter();
    let own = own.map(|command| Said { by: by.clone(), at: now, command });
    let known = samples::sample_commands(state).into_iter().map(|(_, said)| said);
    for mut said in known.chain(own) {
        let name = said.command.name();
        let engines =
            matches!(said.command, Command::ToolCallResult { .. } | Command::Timeout { .. });
        said.by.clone_from(by);
        if !engines && !names.contains(&name) && ask(state, &said).is_ok() {
            names.push(name);
        }
    }
    names
}

pub(super) fn ask(state: &State, said: &Said<Command>) -> Decision {
    match state {
        State::Idle => idle(said),
        State::Begun(life) if life.phase.over() => Err(Refusal::Ended { state: life.phase.name() }),
        State::Begun(life) => begun(life, said),
    }
}

/// A turn that waits for words.
fn idle(said: &Said<Command>) -> Decision {
    match &said.command {
        Command::UserMessage(start) => {
            rights::check(&said.by, &said.command)?;
            asked(start)
        }
        Command::ToolCallResult { key, .. } | Command::Timeout { slot: key } => {
            Err(Refusal::NotOwed { key: key.clone(), allowed: vec![] })
        }
        Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => {
            let (state, command) = ("IDLE", said.command.name());
            Err(Refusal::NotNow { state, command, allowed: vec![] })
        }
    }
}

fn asked(start: &Start) -> Decision {
    let given = matches!(start.planner, Planner::File { .. }) || start.continues.is_some();
    if start.request.trim().is_empty() && !given {
        return Err(Refusal::EmptyMessage);
    }
    let start = start.clone().shaped();
    let carried = start.continues.is_some() && start.mode != Mode::Analysis;
    let planned = match (&start.planner, start.mode) {
        (Planner::File { .. } | Planner::Agents(_) | Planner::Direct, _) if carried => true,
        (Planner::File { .. }, Mode::Write | Mode::Plan) => true,
        (Planner::Agents(names), Mode::Write | Mode::Plan) => !names.is_empty(),
        (Planner::Direct, Mode::Write | Mode::Plan)
        | (Planner::File { .. } | Planner::Agents(_) | Planner::Direct, Mode::Analysis) => {
            !start.agents.is_empty()
        }
    };
    if !planned {
        return Err(Refusal::NoPlanner);
    }
    Ok(vec![Event::Asked { start: Box::new(start) }])
}

/// What holds in every state, in its order; then the state's own row.
fn begun(life: &Life, said: &Said<Command>) -> Decision {
    match &said.command {
        Command::ToolCallResult { key, ended, spent } => result(life, said, key, ended, *spent),
        Command::Timeout { slot } => timeout(life, said, slot),
        Command::Pause { keep } => pause(life, said, *keep),
        Command::Resume => resume(life, said),
        Command::Cancel => cancel(life, said),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => {
            rights::check(&said.by, &said.command)?;
            row(life, said)
        }
    }
}

pub(super) fn row(life: &Life, said: &Said<Command>) -> Decision {
    match &life.phase {
        Phase::Intake { .. } => rows::intake(life, said),
        Phase::Clarifying { .. } => rows::clarifying(life, said),
        Phase::ContextBuilding { .. } => rows::context(life, said),
        Phase::Planning { .. } => rows::planning::row(life, said),
        Phase::AwaitingConfirmation(prompt) => rows::awaiting(life, prompt, said),
        Phase::Executing(at) => rows::executing(life, at, said),
        Phase::Verifying(now) => rows::verifying(life, now, said),
        Phase::Recovering(now) => rows::recovering(life, now, said),
        Phase::Summarizing(now) => rows::summarizing(life, now, said),
        Phase::Done(_) => Err(Refusal::Ended { state: life.phase.name() }),
    }
}

fn not_owed(key: &str) -> Decision {
    Err(Refusal::NotOwed { key: String::from(key), allowed: vec![] })
}

fn result(life: &Life, said: &Said<Command>, key: &str, ended: &Ended, spent: Spent) -> Decision {
    rights::check(&said.by, &said.command)?;
    let awaited = slot::awaited(life).is_some_and(|slot| slot == key);
    if !slot::waited_for(life, key) {
        return not_owed(key);
    }
    match ended {
        Ended::Unknown => return unknown(life, key),
        Ended::Waits => return waits(life, key),
        Ended::Allowed => return let_go(life, key),
        Ended::Ok(_) | Ended::Failed(_) | Ended::Never => {}
    }
    let mut draft = Draft::new(life, said);
    let Spent { tokens, cost_micros } = spent;
    if spent != Spent::default() {
        draft.push(Event::Charged { tokens, cost_micros });
    }
    if let Ended::Failed(fault) = ended
        && let Some(reset_at) = fault.reset_at
    {
        draft.push(Event::RateLimited { reset_at, agent: agent_of(life, key) });
    }
    if let Some(limit) = overspent(&draft.life) {
        draft.fail("E_BUDGET", limit);
        return draft.done();
    }
    if *ended == Ended::Never && awaited && life.body.reowed < REOWED_MAX {
        if let Phase::AwaitingConfirmation(prompt) = &life.phase {
            draft.push(Event::PromptVoided { prompt: prompt.id() });
        }
        draft.push(Event::Reowed { key: key.into() });
        return draft.done();
    }
    let life = draft.life.clone();
    let mut events = draft.done()?;
    events.extend(row(&life, said)?);
    Ok(events)
}

/// The agent that was asked, where one was.
fn agent_of(life: &Life, key: &str) -> Option<String> {
    match owes::ask_of(life, key)? {
        Ask::Planner { agent, .. } | Ask::Agent { agent, .. } | Ask::Answer { agent } => {
            Some(agent)
        }
        Ask::Tool { .. }
        | Ask::Collab { .. }
        | Ask::Check { .. }
        | Ask::Checkpoint
        | Ask::Undo { .. }
        | Ask::Commit => None,
    }
}

/// A call of which nobody can tell whether it happened is told of once, where that is waited for.
fn unknown(life: &Life, key: &str) -> Decision {
    if !life.phase.waits_if_unknown() || life.body.unknown.as_deref() == Some(key) {
        return not_owed(key);
    }
    Ok(vec![Event::CallUnknown { key: key.into() }])
}

/// A call that asks a person is told of once. One at a time: the next is told of after it.
fn waits(life: &Life, key: &str) -> Decision {
    if life.body.asks.is_some() {
        return not_owed(key);
    }
    Ok(vec![Event::CallWaits { key: key.into() }])
}

/// The person said yes: what was told of is over.
fn let_go(life: &Life, key: &str) -> Decision {
    if life.body.asks.as_deref() != Some(key) {
        return not_owed(key);
    }
    Ok(vec![Event::CallAllowed { key: key.into() }])
}

/// Which budget is spent. What is being summed up is not stopped for it.
fn overspent(life: &Life) -> Option<&'static str> {
    let (ledger, limits) = (&life.body.ledger, &life.body.start.limits);
    let over = |spent: u64, most: Option<u64>| most.is_some_and(|most| spent >= most);
    if matches!(life.phase, Phase::Summarizing(_)) {
        None
    } else if over(ledger.tokens, limits.budget_tokens) {
        Some("tokens")
    } else if over(ledger.cost_micros, limits.budget_micros) {
        Some("cost")
    } else {
        None
    }
}

fn timeout(life: &Life, said: &Said<Command>, slot: &str) -> Decision {
    rights::check(&said.by, &said.command)?;
    let due = slot::timers(life).into_iter().find(|(name, _)| name == slot).map(|(_, due)| due);
    if due.is_none_or(|due| said.at < due) {
        return not_owed(slot);
    }
    if slot == slot::DEADLINE {
        let mut draft = Draft::new(life, said);
        draft.fail("E_TOOL_TIMEOUT", "turn.deadline");
        return draft.done();
    }
    row(life, said)
}

fn pause(life: &Life, said: &Said<Command>, keep: Keep) -> Decision {
    rights::check(&said.by, &said.command)?;
    if life.body.hold.is_some() {
        return Err(Refusal::Held { allowed: vec![] });
    }
    Ok(vec![Event::Held { by: said.by.word().into(), keep }])
}

fn resume(life: &Life, said: &Said<Command>) -> Decision {
    rights::check(&said.by, &said.command)?;
    if life.body.hold.is_none() {
        return Err(Refusal::NotHeld { allowed: vec![] });
    }
    Ok(vec![Event::Resumed { by: said.by.word().into() }])
}

/// Whatever is under way is no longer owed. A commit that is being asked about or made, and a
/// summary, have their own rows: the outcome stands by then.
fn cancel(life: &Life, said: &Said<Command>) -> Decision {
    rights::check(&said.by, &said.command)?;
    match &life.phase {
        Phase::Summarizing(_) => row(life, said),
        Phase::AwaitingConfirmation(prompt) if prompt.subject == Subject::Git => row(life, said),
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::AwaitingConfirmation(_)
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Recovering(_)
        | Phase::Done(_) => Ok(vec![Event::Cancelled { by: said.by.word().into() }]),
    }
}
