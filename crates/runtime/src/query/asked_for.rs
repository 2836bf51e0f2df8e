//! A call of a process as it was asked for, in the words that lie beside it. What it came to is
//! told elsewhere.

use kernel::agent::Access;
use kernel::call::{self, Facts};
use kernel::policy::Network;
use serde_json::{Value, json};

use super::show::at_ms;

/// The tool call's request.
#[must_use]
pub fn asked_for(call: &str, trace: &str, facts: &Facts) -> Value {
    let request = &facts.request;
    let access = request.agent.as_ref().map(|ask| ask.access);
    let args = match &request.agent {
        Some(ask) => json!({ "agent": ask.agent, "kind": ask.kind, "model": ask.model }),
        None => json!({ "argv": request.argv, "cwd": request.cwd }),
    };
    json!({
        "tool_call_id": call, "name": request.name, "version": request.version, "args": args,
        "trace_id": trace, "timestamp": at_ms(facts.asked_at.0),
        "requested_permissions": permissions(facts, access),
        "key": facts.key, "request_hash": facts.request_hash, "parent": facts.parent,
        "class": request.class, "access": access, "deadline_ms": request.deadline_ms,
        "grace_ms": request.grace_ms, "on_unknown": request.on_unknown,
    })
}

/// An agent reaches its provider in any case; a command what it was given.
fn permissions(facts: &Facts, access: Option<Access>) -> Vec<&'static str> {
    match access {
        Some(Access::Read) => vec!["fs.read", "net.connect"],
        Some(Access::Edit) => vec!["fs.read", "net.connect", "fs.write"],
        Some(Access::Full) => vec!["fs.read", "net.connect", "fs.write", "proc.exec"],
        None => {
            let own = call::named(&facts.request.name).map(|tool| tool.permission);
            let reach = facts.request.given.as_ref().and_then(|given| given.network);
            let net = match reach {
                Some(Network::Loopback | Network::Open) => Some("net.connect"),
                Some(Network::None) | None => None,
            };
            own.into_iter().chain(net).collect()
        }
    }
}
