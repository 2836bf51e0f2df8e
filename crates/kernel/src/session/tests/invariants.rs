//! What holds in every sample state and after every sample command.

use alloc::vec::Vec;

use super::super::samples::{sample_commands, sample_states};
use super::super::{
    Base, Event, Mode, Origin, Path, Stage, State, Unit, decide, evolve, owed, recalled, slots,
    vars,
};
use crate::machine::{Refusal as _, Said};
use crate::owed::Owed;

/// Every sample state, every sample command, and what came of it.
fn every(mut look: impl FnMut(&State, &Said<super::super::Command>, &[Event], &State)) {
    for (_, state) in sample_states() {
        for (_, said) in sample_commands(&state) {
            if let Ok(events) = decide(&state, &said) {
                let mut after = state.clone();
                events.iter().for_each(|event| evolve(&mut after, event, said.at));
                look(&state, &said, &events, &after);
            }
        }
    }
}

fn reset_step(event: &Event) -> Option<u8> {
    if let Event::ResetStep { n, .. } = event { Some(*n) } else { None }
}

#[test]
fn invariant_reset_order() {
    every(|_, _, events, _| {
        for (at, event) in events.iter().enumerate() {
            if !event.name().starts_with("Unit") {
                continue;
            }
            let steps: Vec<u8> = events[at + 1..].iter().filter_map(reset_step).take(4).collect();
            assert_eq!(steps, [1, 2, 3, 4]);
        }
    });
}

#[test]
fn invariant_idle_owes_nothing() {
    every(|_, _, _, after| {
        if after.name() == "Idle" {
            assert!(owed(after).is_empty());
        }
    });
}

#[test]
fn invariant_plan_never_develops() {
    every(|_, said, _, after| {
        let Some(life) = after.life() else { return };
        if let Base::Flow { flow, stage } = life.base()
            && flow.origin == Origin::Plan
        {
            let name = stage.name().word();
            assert_ne!(name, "DEVELOP", "{:?} after {:?}", stage.variant(), said.command.name());
        }
    });
}

#[test]
fn invariant_gate_or_waiver() {
    every(|_, _, _, after| {
        let Some(life) = after.life() else { return };
        let Base::Flow { flow, stage } = life.base() else { return };
        if let Stage::Confirming { score, .. } = &**stage {
            assert!(score.total() >= flow.setup.gate || !flow.waivers.is_empty());
        }
    });
}

#[test]
fn invariant_risk_standard() {
    every(|_, _, _, after| {
        let Some(life) = after.life() else { return };
        let Base::Flow { flow, stage } = life.base() else { return };
        let held = matches!(&**stage, Stage::Held { why: super::super::Why::Risk { .. }, .. });
        if (held || !flow.risks.is_empty()) && flow.path.is_some() {
            assert_eq!(flow.path, Some(Path::Standard));
        }
    });
}

#[test]
fn invariant_silent_stop_coded() {
    every(|_, _, _, after| {
        let Some(life) = after.life() else { return };
        let Base::Flow { flow, stage } = life.base() else { return };
        if flow.mode != Mode::Interactive
            && let Some(q) = stage.question()
        {
            assert!(q.kind.stop().is_some(), "{:?} stops a silent flow", q.kind);
        }
    });
}

#[test]
fn invariant_approval_bound() {
    every(|_, _, _, after| {
        let Some(life) = after.life() else { return };
        let Base::Flow { stage, .. } = life.base() else { return };
        if let Stage::Running { approval, checked, .. } = &**stage {
            assert_eq!(approval.hash.as_ref(), Some(&checked.hash));
        }
    });
}

#[test]
fn invariant_mode_point() {
    every(|state, _, _, after| {
        let (Some(before), Some(after)) = (state.life(), after.life()) else { return };
        if let (Base::Flow { flow: a, stage }, Base::Flow { flow: b, .. }) =
            (before.base(), after.base())
            && a.n == b.n
            && a.mode != b.mode
        {
            assert!(matches!(**stage, Stage::Confirming { .. }));
            assert_eq!(b.mode, Mode::Interactive);
        }
    });
}

#[test]
fn invariant_frames_lifo() {
    every(|state, _, _, after| {
        let (Some(before), Some(after)) = (state.life(), after.life()) else { return };
        let (a, b) = (before.frames(), after.frames());
        let shared = a.iter().zip(b).take_while(|(x, y)| x.word() == y.word()).count();
        assert!(shared + 1 >= a.len().min(b.len()), "something left from the middle");
    });
}

#[test]
fn invariant_every_slot_is_owed_once() {
    for (label, state) in sample_states() {
        let Some(life) = state.life() else { continue };
        let awaited = slots(life);
        let keys: Vec<_> = owed(&state)
            .into_iter()
            .filter_map(|one| match one {
                Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
                Owed::Timer { .. } | Owed::Question { .. } => None,
            })
            .collect();
        for (slot, _) in &awaited {
            // A turn whose edits are taken back is stopped because it is no longer owed.
            let stopped = recalled(life).as_ref() == Some(slot);
            assert!(keys.contains(slot) != stopped, "{label}: {slot} is waited for and not owed");
        }
    }
}

#[test]
fn invariant_allowed_is_true() {
    for (label, state) in sample_states() {
        let accepted: Vec<&str> = sample_commands(&state)
            .into_iter()
            .filter(|(_, said)| decide(&state, said).is_ok())
            .map(|(_, said)| said.command.name())
            .collect();
        for (_, said) in sample_commands(&state) {
            if let Err(refusal) = decide(&state, &said) {
                for name in refusal.allowed() {
                    assert!(accepted.contains(&name), "{label}: {name} is listed and refused");
                }
            }
        }
    }
}

#[test]
fn invariant_vars_are_whole_and_an_end_has_no_child() {
    every(|_, _, _, after| {
        let Some(life) = after.life() else { return };
        let vars = vars(life);
        assert_eq!(vars.as_object().map(serde_json::Map::len), Some(11));
        if let Unit::At { base: Base::Idle { .. }, frames } = &life.unit
            && frames.is_empty()
        {
            assert_eq!(vars["WORKFLOW_MODE"], "INTERACTIVE");
            assert_eq!(vars["EXEC_STATUS"], "IDLE");
        }
    });
}

#[test]
fn invariant_evaluate_blind() {
    for (label, state) in sample_states() {
        let stage = state.variant();
        if ["Scoring", "Clarifying", "Confirming"].contains(&stage) {
            let reads = owed(&state).into_iter().any(|one| match one {
                Owed::Child { .. } | Owed::Effect { .. } => true,
                Owed::Timer { .. } | Owed::Question { .. } => false,
            });
            assert!(!reads, "{label}: a project is read");
        }
    }
}

#[test]
fn invariant_atomic_inert() {
    every(|state, said, events, after| {
        let inert = if let super::super::Command::Run { name, .. } = &said.command {
            match name.beside() {
                super::super::Beside::Answered => true,
                super::super::Beside::Reading => state.name() != "Idle",
                super::super::Beside::Exclusive | super::super::Beside::Suspending => false,
            }
        } else {
            false
        };
        let (Some(before), Some(after)) = (state.life(), after.life()) else { return };
        if inert {
            assert_eq!(before.base(), after.base(), "{events:?}");
            assert_eq!(vars(before)["WORKFLOW_MODE"], vars(after)["WORKFLOW_MODE"]);
            assert_eq!(vars(before)["CURRENT_STAGE"], vars(after)["CURRENT_STAGE"]);
        }
    });
}

#[test]
fn invariant_one_flow_and_clean_start() {
    every(|_, _, events, after| {
        let begun: Vec<&Event> =
            events.iter().filter(|event| event.name() == "CommandAccepted").collect();
        assert!(begun.len() <= 1, "two units in one batch");
        let (Some(Event::CommandAccepted { n, .. }), Some(life)) = (begun.first(), after.life())
        else {
            return;
        };
        let Base::Flow { flow, .. } = life.base() else { return };
        assert_eq!(flow.n, *n);
        let rest = (&flow.created, &flow.current, &flow.context, &flow.developed);
        assert_eq!(rest, (&None, &None, &None, &None), "of an earlier one");
        assert!(flow.risks.is_empty() || flow.consent.is_some());
    });
}

#[test]
fn samples_reach_every_stage() {
    let seen: Vec<&str> = sample_states().iter().map(|(_, state)| state.variant()).collect();
    for wanted in [
        "Clarifying",
        "Confirming",
        "Gathering",
        "Drafting",
        "Writing",
        "Checking",
        "Gated",
        "Approving",
        "Listing",
        "Picking",
        "Opening",
        "AskType",
        "AskMarkers",
        "Running",
        "Closing",
        "Testing",
        "CloseAsk",
        "Fixing",
        "Editing",
        "Outgrown",
        "Undoing",
        "Recording",
        "Accepting",
        "Held",
        "Idle",
        "Job",
        "Stacked",
        "Ending",
    ] {
        assert!(seen.contains(&wanted), "no sample stands in {wanted}");
    }
}
