//! What comes back of what is owed: to the stage, the job or the tool that waits for it.

use alloc::format;
use alloc::vec::Vec;

use serde_json::json;

use super::super::bounds::BRANCH_CHANGED;
use super::super::draft::Draft;
use super::super::ended::{Gave, Outcome};
use super::super::event::{Event, Place};
use super::super::frames;
use super::super::jobs;
use super::super::owes;
use super::super::refusal::Refusal;
use super::super::stage::{ChildAsking, Stage};
use super::super::state::{Base, Chat, Frame, Unit};
use super::{analyze, closing, design, develop, end, run, shared, tool, tweak};

/// Something owed has ended; says whether it was owed.
pub fn told(d: &mut Draft, slot: &str, outcome: Outcome) -> Result<bool, Refusal> {
    if let Unit::Ending { children, .. } = &d.life.unit {
        let known = children.iter().any(|child| child == slot);
        if known {
            end::ending(d, Some(slot));
        }
        return Ok(known);
    }
    let Some(place) = owes::slots(&d.life).into_iter().find(|(known, _)| known == slot) else {
        return Ok(false);
    };
    let below = place.1 == Place::Base;
    match place.1 {
        Place::Base => base(d, slot, outcome)?,
        Place::Frame(at) => match d.frames().get(at).cloned() {
            Some(Frame::Embedded { job, .. }) => jobs::told(d, Place::Frame(at), &job, outcome)?,
            Some(Frame::Tool(_)) => tool::told(d, at, &outcome),
            Some(Frame::Chat(chat)) => chatted(d, at, &chat, &outcome),
            Some(Frame::Relating { .. } | Frame::Replacing { .. }) | None => {}
        },
    }
    // What ends above says nothing about whether something below it writes.
    if below || run::safe(d) {
        open_waiting(d);
    }
    Ok(true)
}

/// Words are answered, or nobody could; the frame leaves when it is on top.
fn chatted(d: &mut Draft, at: usize, chat: &Chat, outcome: &Outcome) {
    let code = match outcome {
        Outcome::Ok(_) => None,
        Outcome::Failed(failure) => Some(shared::cause(failure)),
        Outcome::Stopped => Some("stopped".into()),
    };
    let slot = frames::chat_slot(chat);
    d.push(Event::StepDone { slot, told: json!({ "chat": chat.n, "failed": code }) });
    d.push(Event::FrameEnded { at, ok: code.is_none(), cancelled: false });
}

/// What waited for a safe point opens now, if there is one.
fn open_waiting(d: &mut Draft) {
    let waits = |frame: &Frame| matches!(frame, Frame::Embedded { open: false, .. });
    let Some(at) = d.frames().iter().position(waits) else { return };
    // A stage that was just entered has started nothing: what waits holds it back.
    d.push(Event::FrameOpened { at });
}

/// What a child asks now, and whether it stands between two tasks.
pub fn child_now(
    d: &mut Draft,
    slot: &str,
    asking: Vec<ChildAsking>,
    held: bool,
) -> Result<bool, Refusal> {
    let Unit::At { base: Base::Flow { flow, stage }, .. } = &d.life.unit else { return Ok(false) };
    if owes::stage_slot(flow, stage).as_deref() != Some(slot) {
        return Ok(false);
    }
    let was = stage.held();
    let held = held && stage.runs();
    if flow.asking == asking && was == held {
        return Ok(true);
    }
    d.push(Event::ChildAsked { asking, held });
    if held && run::safe(d) {
        open_waiting(d);
    }
    Ok(true)
}

fn base(d: &mut Draft, slot: &str, outcome: Outcome) -> Result<(), Refusal> {
    let Unit::At { base, .. } = &d.life.unit else { return Ok(()) };
    let stage = match base {
        Base::Idle { .. } => return Ok(()),
        Base::Job { job } => {
            let job = job.clone();
            return jobs::told(d, Place::Base, &job, outcome);
        }
        Base::Flow { stage, .. } => (**stage).clone(),
    };
    // Whatever was asked of the hands is asked again once a person says that it goes on.
    if let Outcome::Failed(failure) = &outcome
        && failure.code == BRANCH_CHANGED
    {
        d.interrupt(stage, shared::cause(failure));
        return Ok(());
    }
    if let Outcome::Ok(gave) = &outcome
        && let Gave::Developed(_) | Gave::Turned(_) = **gave
    {
        d.push(Event::ChildEnded { slot: slot.into(), end: ended(gave) });
    }
    staged(d, stage, outcome)
}

fn ended(gave: &Gave) -> alloc::string::String {
    match gave {
        Gave::Developed(end) => format!("{:?}", end.end),
        Gave::Turned(turned) => format!("{:?}", turned.end),
        Gave::Kb(_)
        | Gave::Words(_)
        | Gave::Value(_)
        | Gave::Report(_)
        | Gave::Checked(_)
        | Gave::Packages(_)
        | Gave::Tests(_)
        | Gave::Risks(_)
        | Gave::Found(_)
        | Gave::Done(_) => alloc::string::String::new(),
    }
}

fn staged(d: &mut Draft, stage: Stage, outcome: Outcome) -> Result<(), Refusal> {
    match stage {
        Stage::Gathering { part, k, stood } => analyze::gathered(d, (part, k, stood), outcome),
        Stage::Drafting { round, wish, k } => design::drafted(d, (round, wish, k), outcome),
        Stage::Writing { draft, k } => design::written(d, (draft, k), outcome),
        Stage::Checking { k } => design::checked(d, k, outcome),
        Stage::Listing { named, k } => develop::listed(d, (named, k), outcome),
        Stage::Opening { approval, marks, k } => develop::opened(d, (approval, marks, k), outcome),
        marking @ Stage::Marking { .. } => develop::marked(d, marking, outcome),
        running @ Stage::Running { .. } => develop::developed(d, running, outcome),
        Stage::Closing { step, k, fixes } => closing::closed(d, (step, k, fixes), outcome),
        Stage::Testing { of, checks, so_far, k } => {
            closing::tested(d, (of, checks, so_far, k), outcome)
        }
        Stage::Fixing { fixes, .. } => closing::fixed(d, fixes, outcome),
        editing @ Stage::Editing { k, .. } => tweak::edited(d, (k, editing), outcome),
        Stage::Recalling { .. } => {
            tweak::recalled(d, outcome);
            Ok(())
        }
        Stage::Undoing { turn, k } => {
            tweak::undone(d, (turn, k), outcome);
            Ok(())
        }
        Stage::Recording { step, forced, k } => tweak::recorded(d, (step, forced, k), outcome),
        Stage::Accepting { stood, k } => closing::accepted(d, (stood, k), outcome),
        Stage::Scoring { .. }
        | Stage::Clarifying { .. }
        | Stage::Confirming { .. }
        | Stage::AskKb { .. }
        | Stage::Gated { .. }
        | Stage::Approving { .. }
        | Stage::Picking { .. }
        | Stage::AskType { .. }
        | Stage::AskMarkers { .. }
        | Stage::CloseAsk { .. }
        | Stage::Outgrown { .. }
        | Stage::Held { .. } => Ok(()),
    }
}
