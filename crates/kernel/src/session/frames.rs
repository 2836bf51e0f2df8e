//! What the frames of a session owe: the call of a tool that a person called, and the answer to
//! words. A tool that a stage called is the stage's own.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;

use super::owes::agent;
use super::prompt;
use super::state::{Caller, Chat, Tool};
use crate::agent::Part;
use crate::call::{self, OnUnknown, Request};
use crate::owed::{Begun, ChildAsk, Owed, Posture};

/// Slot of a tool's call.
#[must_use]
pub fn tool_slot(tool: &Tool) -> String {
    format!("tool/{}", tool.n)
}

/// Slot of the answer to words.
#[must_use]
pub fn chat_slot(chat: &Chat) -> String {
    format!("chat/{}", chat.n)
}

/// Whether a tool's call is the session's own and still runs; one that a stage made is the stage's.
pub(super) fn acts(tool: &Tool) -> bool {
    let called = match tool.caller {
        Caller::InStage => false,
        Caller::UserInterrupt => true,
    };
    called && tool.end.is_none() && tool.q.is_none()
}

pub(super) fn of_tool(tool: &Tool) -> Option<Owed> {
    if !acts(tool) {
        return None;
    }
    let ask = if tool.argv.is_empty() {
        agent(&tool.setup, vec![Part::Text(tool.input.clone())], None)?
    } else {
        let registered = tool.setup.tools.iter().find(|known| known.name == tool.name);
        let bare =
            call::process(call::RUN, registered.map_or(0, |it| it.deadline_ms), OnUnknown::Wait);
        ChildAsk::Call(Box::new(Request { argv: tool.argv.clone(), cwd: ".".into(), ..bare }))
    };
    let slot = tool_slot(tool);
    Some(Owed::Child { slot, ask, posture: Posture::Run, begun: Begun::Told })
}

pub(super) fn of_chat(chat: &Chat) -> Option<Owed> {
    if chat.over {
        return None;
    }
    let parts = prompt::chat(&chat.setup.lang, &chat.input);
    let ask = agent(&chat.setup, parts, None)?;
    let slot = chat_slot(chat);
    Some(Owed::Child { slot, ask, posture: Posture::Run, begun: Begun::Told })
}
