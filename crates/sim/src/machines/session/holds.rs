//! What must hold of a session: the named invariants of its page.

use kernel::owed::Owed;
use kernel::session::{
    Base, Event, FRAMES_MAX, Mode, Origin, Path, Stage, State, Unit, owed, recalled, slots,
};

use super::super::call::broken;
use super::subject::Sessions;
use crate::subject::Step;

/// What must hold of every state.
pub fn stands(state: &State) -> Result<(), String> {
    let Some(life) = state.life() else { return Ok(()) };
    let owes = owed(state);
    if life.name() == "Idle" && !owes.is_empty() {
        return broken("invariant_idle_owes_nothing", owes);
    }
    let keys: Vec<&String> = owes
        .iter()
        .filter_map(|one| match one {
            Owed::Child { slot, .. } | Owed::Effect { slot, .. } => Some(slot),
            Owed::Timer { .. } | Owed::Question { .. } => None,
        })
        .collect();
    // A turn whose edits are taken back is stopped because it is no longer owed.
    let stopped = recalled(life);
    let amiss = |slot: &String| keys.contains(&slot) == (stopped.as_ref() == Some(slot));
    if let Some((slot, _)) = slots(life).iter().find(|(slot, _)| amiss(slot)) {
        return broken("invariant_what_is_waited_for_is_owed", slot);
    }
    if life.frames().len() > FRAMES_MAX {
        return broken("invariant_frames_bounded", life.frames().len());
    }
    let Base::Flow { flow, stage } = life.base() else { return Ok(()) };
    if flow.origin == Origin::Plan && stage.name().word() == "DEVELOP" {
        return broken("invariant_plan_never_develops", stage.variant());
    }
    if let Stage::Confirming { score, .. } = &**stage
        && score.total() < flow.setup.gate
        && flow.waivers.is_empty()
    {
        return broken("invariant_gate_or_waiver", score.total());
    }
    if !flow.risks.is_empty() && flow.path.is_some_and(|path| path != Path::Standard) {
        return broken("invariant_risk_standard", flow.path);
    }
    if let Stage::Running { approval, checked, .. } = &**stage
        && approval.hash.as_ref() != Some(&checked.hash)
    {
        return broken("invariant_approval_bound", &approval.hash);
    }
    let silent = flow.mode != Mode::Interactive;
    if silent && stage.question().is_some_and(|q| q.kind.stop().is_none()) {
        return broken("invariant_silent_stop_coded", stage.variant());
    }
    Ok(())
}

/// What must hold of every accepted command.
pub fn moved(step: &Step<'_, Sessions>) -> Result<(), String> {
    for (at, event) in step.events.iter().enumerate() {
        if !event.name().starts_with("Unit") {
            continue;
        }
        let reset: Vec<u8> = step.events[at + 1..]
            .iter()
            .filter_map(
                |event| if let Event::ResetStep { n, .. } = event { Some(*n) } else { None },
            )
            .take(4)
            .collect();
        if reset != [1, 2, 3, 4] {
            return broken("invariant_reset_order", reset);
        }
    }
    let (Some(before), Some(after)) = (step.before.life(), step.after.life()) else {
        return Ok(());
    };
    if let (Base::Flow { flow: a, stage }, Base::Flow { flow: b, .. }) =
        (before.base(), after.base())
        && a.n == b.n
        && a.mode != b.mode
        && (!matches!(**stage, Stage::Confirming { .. }) || b.mode != Mode::Interactive)
    {
        return broken("invariant_mode_point", stage.variant());
    }
    let answered = matches!(&step.said.command, kernel::session::Command::Run { name, .. }
        if name.word() == "help" || name.word() == "status");
    if answered && (!step.events.is_empty() || before != after) {
        return broken("invariant_atomic_inert", step.events);
    }
    if let Unit::At { base: Base::Idle { .. }, .. } = &after.unit
        && step.events.iter().any(|event| event.name().starts_with("Unit"))
        && after.frames().is_empty()
        && !owed(step.after).is_empty()
    {
        return broken("invariant_no_child_after_a_unit", owed(step.after));
    }
    Ok(())
}
