//! Ends: cancelling, replacing, waiting for children to stop, deadlines, and a branch that has
//! changed under a session.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::bounds::BRANCH_CHANGED;
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::jobs;
use super::super::owes;
use super::super::refusal::Refusal;
use super::super::stage::{Stage, Why};
use super::super::state::{Base, Frame, How, Request, Unit};
use super::super::whether::elsewhere;
use super::answer;

/// Ends what a person wants ended: the top frame that holds what runs, else the base.
pub fn cancel(d: &mut Draft, undo: bool, all: bool) -> Result<(), Refusal> {
    if undo {
        return undone(d);
    }
    let over_flow = !matches!(d.life.base(), Base::Idle { .. });
    if !all && d.life.suspended() {
        while let Some(top) = d.frames().last().cloned() {
            withdraw(d, &top);
            d.push(Event::FramePopped);
            if top.suspends() {
                return Ok(());
            }
        }
        return Ok(());
    }
    drop_frames(d);
    if over_flow {
        let by = d.by.clone();
        stop(d, How::Cancelled { by }, None);
    }
    Ok(())
}

/// Takes a tweak's edits back; anything else is a rollback's business.
fn undone(d: &mut Draft) -> Result<(), Refusal> {
    let Unit::At { base: Base::Flow { stage, .. }, .. } = &d.life.unit else {
        return Err(Refusal::UseRollback { allowed: Vec::new() });
    };
    let asked = stage.question().map(|q| q.id.clone());
    let Some(undone) = stage.taken_back() else {
        return Err(Refusal::UseRollback { allowed: Vec::new() });
    };
    drop_frames(d);
    if let Some(id) = asked {
        d.push(Event::QuestionWithdrawn { id });
    }
    d.enter(undone);
    Ok(())
}

fn withdraw(d: &mut Draft, frame: &Frame) {
    let open = match frame {
        Frame::Relating { q, .. } | Frame::Replacing { q, .. } => Some(q.id.clone()),
        Frame::Embedded { job, .. } => job.question().map(|q| q.id.clone()),
        Frame::Tool(tool) => tool.q.as_ref().map(|q| q.id.clone()),
        Frame::Chat(_) => None,
    };
    if let Some(id) = open {
        d.push(Event::QuestionWithdrawn { id });
    }
}

/// Frames leave one at a time, from the top.
fn drop_frames(d: &mut Draft) {
    while let Some(top) = d.frames().last().cloned() {
        withdraw(d, &top);
        d.push(Event::FramePopped);
    }
}

/// Ends what runs and starts this in its place.
pub fn replace(d: &mut Draft, request: Request, by: String) -> Result<(), Refusal> {
    drop_frames(d);
    if matches!(d.life.base(), Base::Idle { .. }) {
        d.start(request);
    } else {
        stop(d, How::Replaced { by }, Some(Box::new(request)));
    }
    Ok(())
}

/// Ends the base: at once if no child runs, else when its children have stopped.
pub fn stop(d: &mut Draft, how: How, next: Option<Box<Request>>) {
    let children = owes::children(&d.life);
    let grace = match d.life.base() {
        Base::Flow { flow, .. } => flow.setup.cancel_grace_ms,
        Base::Job { job } => job.setup.cancel_grace_ms,
        Base::Idle { .. } => 0,
    };
    let due = d.at.plus(grace);
    let waits = !children.is_empty();
    if waits || next.is_some() {
        if let Some(id) = d.unanswered() {
            d.push(Event::QuestionWithdrawn { id });
        }
        d.push(Event::Stopping { how: how.clone(), children, next, due });
    }
    if !waits {
        d.cancel(how);
    }
}

/// A child of a unit that is ending has stopped, or its time is up.
pub fn ending(d: &mut Draft, slot: Option<&str>) {
    let Unit::Ending { how, children, .. } = &d.life.unit else { return };
    let (how, left) = (how.clone(), children.len());
    if let Some(slot) = slot {
        d.push(Event::ChildEnded { slot: slot.into(), end: "stopped".into() });
    }
    // A unit of this build has one child at a time.
    if slot.is_none() || left <= 1 {
        d.cancel(how);
    }
}

/// A deadline of this slot.
pub fn timeout(d: &mut Draft, slot: &str) -> Result<bool, Refusal> {
    let due = match &d.life.unit {
        Unit::Ending { due, .. } => (slot == owes::ENDING && d.at >= *due).then_some(None),
        Unit::At { .. } => {
            let open = d.life.questions();
            let q = open.into_iter().find(|q| owes::expiry(&q.id) == slot);
            q.filter(|q| q.expires_at.is_some_and(|due| d.at >= due))
                .map(|q| Some((q.id.clone(), q.default.clone())))
        }
    };
    match due {
        None => Ok(false),
        Some(None) => {
            ending(d, None);
            Ok(true)
        }
        Some(Some((id, key))) => {
            answer::answered(d, &id, &key.unwrap_or_default(), None)?;
            Ok(true)
        }
    }
}

/// The work tree is on another branch now: nothing is written there.
pub fn noticed(d: &mut Draft, key: &str) {
    if !elsewhere(&d.life.body.key, key) {
        return;
    }
    let Unit::At { base, .. } = &d.life.unit else { return };
    match base {
        Base::Idle { .. } => {}
        Base::Job { job } => {
            let job = job.clone();
            jobs::cut(d, &job);
        }
        Base::Flow { stage, .. } => {
            let stage = (**stage).clone();
            cut(d, stage);
        }
    }
}

/// Keeps where a flow stands until a person says that it goes on. What is asked there is asked
/// again then; one that was cut off already is asked about the branch instead.
fn cut(d: &mut Draft, stage: Stage) {
    if let Some(id) = stage.question().map(|q| q.id.clone()) {
        if stage.cut_by(BRANCH_CHANGED) {
            return;
        }
        d.push(Event::QuestionWithdrawn { id });
    }
    let inner = if let Stage::Held { at, why: Why::Interrupted { .. }, .. } = &stage {
        Some((**at).clone())
    } else {
        None
    };
    d.interrupt(inner.unwrap_or(stage), BRANCH_CHANGED.into());
}
