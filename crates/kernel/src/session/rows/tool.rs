//! Tools that are called from within a stage or by a person in between: frames above what runs,
//! one leaving at a time, from the top. A tool that ends below another frame keeps its end until it
//! is on top.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::Outcome;
use super::super::event::Event;
use super::super::frames;
use super::super::refusal::Refusal;
use super::super::setup::Setup;
use super::super::state::{Base, Caller, Frame, Tool, ToolEnd};
use super::{evaluate, run};
use crate::turn;

/// A tool that is called, by whom, and with what.
pub struct Called {
    pub name: String,
    pub kind: String,
    pub caller: Caller,
    pub input: String,
    pub argv: Vec<String>,
    pub call: Option<String>,
}

/// The tool that words call: an agent by its name, or a command by its prefix.
pub fn called(text: &str, setup: &Setup) -> Result<Option<Called>, Refusal> {
    let text = text.trim();
    let of = |name: &str, kind: &str, input: &str, argv| Called {
        name: name.to_string(),
        kind: kind.to_string(),
        caller: Caller::UserInterrupt,
        input: input.trim().to_string(),
        argv,
        call: None,
    };
    if let Some(rest) = text.strip_prefix('@') {
        let (name, input) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let known = setup.designer.as_ref().is_some_and(|agent| agent.name == name);
        if known {
            return Ok(Some(of(name, "agent", input, Vec::new())));
        }
    }
    for tool in &setup.tools {
        let Some(rest) = text.strip_prefix(tool.prefix.as_str()) else { continue };
        if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let mut argv = tool.argv.clone();
        if !rest.trim().is_empty() {
            let words = turn::split(rest).map_err(|bad| Refusal::InvalidArgs {
                path: "/text".into(),
                expected: bad.wanted(),
            })?;
            argv.extend(words);
        }
        return Ok(Some(of(&tool.name, "command", rest, argv)));
    }
    Ok(None)
}

/// A tool is called.
pub fn opened(d: &mut Draft, called: Called, setup: Setup) -> Result<(), Refusal> {
    if let Base::Job { job } = d.life.base() {
        let holder = job.kind.word().into();
        return Err(Refusal::Busy { holder, allowed: Vec::new() });
    }
    open(d, called, setup)
}

/// Puts a tool above what runs.
pub fn open(d: &mut Draft, called: Called, setup: Setup) -> Result<(), Refusal> {
    let n = d.life.body.units + 1;
    let Called { name, kind, caller, input, argv, call } = called;
    let tool = Tool { name, kind, caller, input, argv, call, n, end: None, q: None, setup };
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
    let at = d.frames().len() - 1;
    ended(d, at, &tool, (ok, cancelled), None);
    Ok(true)
}

/// The call of a tool has ended.
pub fn told(d: &mut Draft, at: usize, outcome: &Outcome) {
    let Some(Frame::Tool(tool)) = d.frames().get(at).cloned() else { return };
    let (end, code) = match outcome {
        Outcome::Ok(_) => ((true, false), None),
        Outcome::Failed(failure) => ((false, false), Some(super::shared::cause(failure))),
        Outcome::Stopped => ((false, true), None),
    };
    ended(d, at, &tool, end, code);
}

fn ended(
    d: &mut Draft,
    at: usize,
    tool: &Tool,
    (ok, cancelled): (bool, bool),
    code: Option<String>,
) {
    let told = json!({
        "tool": tool.name, "kind": tool.kind, "n": tool.n, "ok": ok, "cancelled": cancelled,
        "code": code,
    });
    d.push(Event::StepDone { slot: frames::tool_slot(tool), told });
    d.push(Event::FrameEnded { at, ok, cancelled });
}

/// What has ended leaves as long as it is on top; a tool may leave a question behind.
pub fn settle(d: &mut Draft) {
    loop {
        d.pop_over();
        let Some(Frame::Tool(tool)) = d.frames().last().cloned() else { return };
        let (Some(end), None) = (tool.end, &tool.q) else { return };
        over(d, &tool, end);
    }
}

fn over(d: &mut Draft, tool: &Tool, end: ToolEnd) {
    let over_flow = !matches!(d.life.base(), Base::Idle { .. });
    d.push(Event::FramePopped);
    let asks = match (tool.caller, end) {
        (Caller::InStage | Caller::UserInterrupt, ToolEnd::Failed) => {
            Some((Kind::ToolFailed, ["continue", "stop"]))
        }
        (Caller::InStage, ToolEnd::Ok | ToolEnd::Cancelled) => None,
        (Caller::UserInterrupt, ToolEnd::Ok | ToolEnd::Cancelled) => {
            Some((Kind::ResumeStage, ["resume", "drop"]))
        }
    };
    if let Some((kind, options)) = asks.filter(|_| over_flow) {
        left(d, tool, kind, &options);
    }
}

/// The tool's frame stays for a question about its end.
fn left(d: &mut Draft, tool: &Tool, kind: Kind, options: &[&str]) {
    let q = d.ask(kind, options, json!({ "tool": tool.name }));
    let kept = Tool { q: Some(q), ..tool.clone() };
    d.push(Event::FramePushed { frame: Box::new(Frame::Tool(Box::new(kept))) });
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
            left(d, tool, Kind::ResumeStage, &["resume", "drop"]);
        }
        (_, _, "stop" | "drop") => evaluate::cancelled(d),
        (_, _, _) => {}
    }
    Ok(())
}
