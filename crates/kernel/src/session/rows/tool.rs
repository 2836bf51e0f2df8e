//! Tools that are called from within a stage or by a person in between: frames above what runs,
//! one leaving at a time, from the top.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::Outcome;
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::setup::Setup;
use super::super::state::{Base, Caller, Frame, Tool};
use super::{evaluate, run};

/// A tool is called.
pub fn opened(
    d: &mut Draft,
    named: (String, String),
    caller: Caller,
    input: String,
    setup: Setup,
) -> Result<(), Refusal> {
    if let Base::Job { job } = d.life.base() {
        let holder = job.kind.word().into();
        return Err(Refusal::Busy { holder, allowed: Vec::new() });
    }
    open(d, named, caller, input, setup)
}

/// Puts a tool above what runs.
pub fn open(
    d: &mut Draft,
    (name, kind): (String, String),
    caller: Caller,
    input: String,
    setup: Setup,
) -> Result<(), Refusal> {
    let n = d.life.body.units + 1;
    let tool = Tool { name, kind, caller, input, n, q: None, setup };
    run::push(d, Frame::Tool(Box::new(tool)))
}

/// The tool on top has ended.
pub fn closed(d: &mut Draft, name: &str, ok: bool, cancelled: bool) -> Result<bool, Refusal> {
    let tools = || d.frames().iter().any(|frame| matches!(frame, Frame::Tool(_)));
    let Some(Frame::Tool(tool)) = d.frames().last().cloned() else {
        if !tools() {
            return Ok(false);
        }
        let top = d.frames().last().map(|frame| frame.word().into()).unwrap_or_default();
        return Err(Refusal::NotTopFrame { top });
    };
    if tool.name != name {
        return Err(Refusal::NotTopFrame { top: tool.name.clone() });
    }
    over(d, &tool, ok, cancelled);
    Ok(true)
}

/// The call of a tool has ended.
pub fn told(d: &mut Draft, at: usize, tool: &Tool, outcome: &Outcome) {
    if at + 1 != d.frames().len() {
        return;
    }
    match outcome {
        Outcome::Ok(_) => over(d, tool, true, false),
        Outcome::Failed(_) => over(d, tool, false, false),
        Outcome::Stopped => over(d, tool, false, true),
    }
}

fn over(d: &mut Draft, tool: &Tool, ok: bool, cancelled: bool) {
    let over_flow = !matches!(d.life.base(), Base::Idle { .. });
    let failed = !ok && !cancelled;
    d.push(Event::FramePopped);
    let asks = match tool.caller {
        Caller::InStage => failed.then_some((Kind::ToolFailed, ["continue", "stop"])),
        Caller::UserInterrupt if failed => Some((Kind::ToolFailed, ["continue", "stop"])),
        Caller::UserInterrupt => Some((Kind::ResumeStage, ["resume", "drop"])),
    };
    if let Some((kind, options)) = asks.filter(|_| over_flow) {
        let q = d.ask(kind, &options, json!({ "tool": tool.name }));
        let kept = Tool { q: Some(q), ..tool.clone() };
        d.push(Event::FramePushed { frame: Box::new(Frame::Tool(Box::new(kept))) });
    }
}

/// What a person answered about a tool that has ended.
pub fn answered(d: &mut Draft, at: usize, tool: &Tool, key: &str) -> Result<(), Refusal> {
    if at + 1 != d.frames().len() {
        let top = d.frames().last().map(|frame| frame.word().into()).unwrap_or_default();
        return Err(Refusal::NotTopFrame { top });
    }
    d.push(Event::FramePopped);
    let asked = tool.q.as_ref().map(|q| q.kind);
    match (asked, tool.caller, key) {
        (Some(Kind::ToolFailed), Caller::UserInterrupt, "continue") => {
            let about = json!({ "tool": tool.name });
            let q = d.ask(Kind::ResumeStage, &["resume", "drop"], about);
            let kept = Tool { q: Some(q), ..tool.clone() };
            d.push(Event::FramePushed { frame: Box::new(Frame::Tool(Box::new(kept))) });
        }
        (_, _, "stop" | "drop") => evaluate::cancelled(d),
        (_, _, _) => {}
    }
    Ok(())
}
