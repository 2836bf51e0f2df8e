//! What must hold of the ends of every run that the samples lead to.

use super::super::samples::{sample_commands, sample_states};
use super::super::{Collab, How, State, decide, evolve};
use crate::machine::Machine as _;
use crate::walk::walk;

fn check(state: &State) {
    match state {
        State::Success { mark: None, participants, run, .. } => {
            for dimension in run.plan.dimensions() {
                let covered = run.plan.participants.iter().any(|member| {
                    let one = participants.iter().find(|one| one.name == member.name);
                    member.dimension == dimension && one.is_some_and(|one| one.usable())
                });
                assert!(covered, "invariant_success_is_covered: {dimension}");
            }
        }
        State::Degraded { shortfall, participants, run, .. } => {
            assert!(!shortfall.reason.is_empty(), "invariant_degraded_is_named");
            assert_eq!(shortfall.impact.items().len(), shortfall.missing.items().len());
            let proven = participants.iter().any(|one| one.proven().is_some());
            assert!(run.plan.lite || proven, "invariant_no_session_is_failed");
        }
        State::Success { mark: Some(mark), .. } => {
            let fair = mark.shortfall.level == super::super::Level::Acceptable
                || (mark.overridden && mark.note.is_some());
            assert!(fair, "invariant_confirmed");
        }
        State::New | State::Init { .. } | State::Running { .. } | State::Failed { .. } => {}
    }
    if state.ended() {
        assert!(Collab::owed(state).is_empty(), "a final state owes nothing");
        let ended = |one: &super::super::Participant| one.ended_at().is_some();
        assert!(state.participants().iter().all(ended), "invariant_stop_all");
    }
}

#[test]
fn invariants_of_everything_the_samples_reach() {
    let mut poor = 0;
    for state in walk::<Collab>() {
        check(&state);
        poor += state
            .participants()
            .iter()
            .filter(|one| matches!(one.how(), Some(How::Poor { .. })))
            .count();
    }
    assert!(poor > 0, "the walk gets to corrections that fail");
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            let mut next = state.clone();
            for event in decide(&state, &said).unwrap_or_default() {
                evolve(&mut next, &event, said.at);
            }
            check(&next);
        }
    }
}
