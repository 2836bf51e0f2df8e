//! A state for every case the rules tell apart, each reached by the commands that lead there.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide::ask;
use super::super::evolve::evolve;
use super::super::phase::{Blocked, Phase, Why};
use super::super::plan::Source;
use super::super::state::{Life, State};
use super::commands::sample_commands;
use super::made;
use crate::machine::{At, By, Said};
use crate::table::Sample;

/// Follows sample commands by their labels.
fn after(from: &State, labels: &[&str]) -> State {
    let mut state = from.clone();
    for label in labels {
        let found = sample_commands(&state).into_iter().find(|(name, _)| name == label);
        if let Some((_, said)) = found
            && let Ok(events) = ask(&state, &said)
        {
            events.iter().for_each(|event| evolve(&mut state, event, At(10)));
        }
    }
    state
}

fn begun(source: Source) -> State {
    let mut state = State::New;
    let begin = Box::new(made::begin(source));
    let command = Command::UserInputRequirement { begin, busy_with: None };
    let said = Said { by: By::Person, at: At(1), command };
    if let Ok(events) = ask(&state, &said) {
        events.iter().for_each(|event| evolve(&mut state, event, At(1)));
    }
    state
}

/// The same, blocked for another reason.
fn because(state: &State, why: Why, task: bool) -> State {
    match state {
        State::Alive(life) => match &life.phase {
            Phase::Blocked(now) => {
                let detail = "changed".into();
                let task = now.task.clone().filter(|_| task);
                let phase =
                    Phase::Blocked(Box::new(Blocked { why, detail, task, ..(**now).clone() }));
                State::Alive(Box::new(Life { phase, ..(**life).clone() }))
            }
            Phase::Idle(_)
            | Phase::Planning(_)
            | Phase::Confirming(_)
            | Phase::Executing(_)
            | Phase::AutoFix(_)
            | Phase::Archiving(_) => state.clone(),
        },
        State::New | State::Never { .. } => state.clone(),
    }
}

/// A state for every case the rules tell apart.
#[must_use]
pub fn sample_states() -> Vec<Sample<State>> {
    let text = begun(Source::Text);
    let confirming = after(&text, &["plan ready"]);
    let mut all = vec![
        ("new", State::New),
        ("never begun", State::Never { at: At(1) }),
        ("drafting", text.clone()),
        ("importing", begun(Source::File)),
        ("drafting again", after(&text, &["plan ready, not valid"])),
        ("stuck", after(&text, &["plan failed"])),
        ("drafting, held", after(&text, &["pause now"])),
        ("confirming", confirming.clone()),
        ("confirming a file", after(&begun(Source::File), &["plan ready"])),
        ("confirming, held", after(&confirming, &["parent: pause"])),
        ("cancelled", after(&confirming, &["cancel"])),
    ];
    all.extend(working(&after(&confirming, &["confirm"])));
    all
}

fn working(save: &State) -> Vec<Sample<State>> {
    let turn = after(save, &["saved"]);
    let check = after(&turn, &["turn done, no evidence"]);
    let second = after(&check, &["check passed", "saved"]);
    let seal = after(&second, &["turn done, proved"]);
    let stale = after(&seal, &["tree changed"]);
    let fix = after(&turn, &["turn failed"]);
    let fix_check = after(&fix, &["turn done, no evidence"]);
    let last = after(&fix, &["turn failed", "turn failed"]);
    let blocked = after(&last, &["turn failed"]);
    let mut all = vec![
        ("saving", save.clone()),
        ("at a task", turn.clone()),
        ("at a task, held", after(&turn, &["pause"])),
        ("at a task, cut", after(&turn, &["pause now"])),
        ("claimed", after(save, &["progress: done", "saved"])),
        ("checking", check.clone()),
        ("checking, moved", after(&check, &["check moved"])),
        ("at the second task", second.clone()),
        ("sealing", seal.clone()),
        ("sealing a stale check", stale),
        ("fixing", fix.clone()),
        ("fixing, cut", after(&fix, &["pause now"])),
        ("checking a fix", fix_check),
        ("fixing, last attempt", last),
    ];
    all.extend(ending(&blocked, &turn, &seal));
    all
}

fn ending(blocked: &State, turn: &State, seal: &State) -> Vec<Sample<State>> {
    let plan = after(blocked, &["rollback"]);
    let ask = after(&plan, &["rollback planned"]);
    let writing = after(seal, &["tree as it was"]);
    vec![
        ("blocked", blocked.clone()),
        ("blocked, held", after(blocked, &["parent: pause"])),
        ("blocked, no task", because(blocked, Why::Io, false)),
        ("blocked by budget", because(blocked, Why::Budget, true)),
        ("blocked by a definition", because(blocked, Why::DefinitionChanged, true)),
        ("blocked by an unknown call", because(blocked, Why::OutcomeUnknown, true)),
        ("blocked by a quota", after(turn, &["turn met a quota"])),
        ("rollback is planned", plan.clone()),
        ("rollback is asked", ask.clone()),
        ("rollback runs", after(&ask, &["rollback: go"])),
        ("settling", after(turn, &["abort"])),
        ("writing", writing.clone()),
        ("writing failed", after(&writing, &["not archived"])),
        ("completed", after(&writing, &["archived"])),
        ("rolled back", after(&ask, &["rollback: go", "rolled back"])),
    ]
}
