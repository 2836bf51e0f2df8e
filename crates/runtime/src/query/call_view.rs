//! A call as JSON: what was asked, where it stands, how it ended, what may be said to it now.

use kernel::agent::{Answer, Ask, Part};
use kernel::call::{
    self, DeniedBy, Facts, Failure, Grant, Lost, Outcome, State, UndoLevel, UnknownGate,
};
use kernel::machine::At;
use serde_json::{Value, json};

use super::show::at_ms;

/// The fields of a call besides those every run has. Secrets are taken out where it is shown.
#[must_use]
pub fn call_view(id: &str, state: &State) -> Value {
    let Some(facts) = state.facts() else { return json!({}) };
    let given = facts.request.given.as_deref();
    json!({
        "key": facts.key,
        "name": facts.request.name,
        "version": facts.request.version,
        "class": facts.request.class,
        "attempt": state.attempt(),
        "args": {
            "argv": facts.request.argv, "cwd": facts.request.cwd,
            "env_names": facts.request.env_names,
            "network": given.and_then(|given| given.network),
            "declare": given.and_then(|given| given.writes.as_ref()),
            "confine": given.and_then(|given| given.confine.as_ref()),
            "tool": facts.request.args.as_deref().map(|args| &args.shown),
            "agent": facts.request.agent.as_deref().map(asked),
        },
        "about": call::about(&facts.request),
        "request_hash": facts.request_hash,
        "rule": rule(facts),
        "prompt": prompt(state),
        "deadline_at": deadline(state).map(|at| at_ms(at.0)),
        "outcome": state.result(),
        "result": result(id, facts, state),
        "undo": undo(state),
        "evidence": evidence(state),
        "allowed": call::allowed(state),
    })
}

/// Shown of a prompt; the whole lies in the call's directory.
const PROMPT_SHOWN_BYTES: usize = 2048;

/// What an agent was asked: as much of the prompt as a person looks at, and how long it is. Earlier
/// answers in it are named and not shown.
fn asked(ask: &Ask) -> Value {
    let mut shown = String::new();
    let mut bytes = 0;
    for part in &ask.prompt {
        match part {
            Part::Text(text) => {
                bytes += text.len();
                shown.push_str(text);
            }
            Part::Answer { call, .. } => shown.push_str(&format!("[{call}]")),
        }
    }
    let end = shown.floor_char_boundary(PROMPT_SHOWN_BYTES);
    let cut = shown.len() > end;
    shown.truncate(end);
    json!({
        "name": ask.agent, "kind": ask.kind, "access": ask.access, "model": ask.model,
        "resume": ask.resume, "lang": ask.lang, "schema": ask.schema.is_some(),
        "prompt": shown, "prompt_bytes": bytes, "prompt_cut": cut,
    })
}

fn rule(facts: &Facts) -> &str {
    use kernel::policy::Verdict;
    match &facts.verdict {
        Verdict::Allow { rule } | Verdict::Ask { rule } | Verdict::Deny { rule } => rule,
    }
}

fn prompt(state: &State) -> Option<&str> {
    match state {
        State::Asked { prompt, .. } => Some(prompt),
        State::Allowed { grant, .. }
        | State::Started { grant, .. }
        | State::Unknown { grant, .. } => match grant {
            Grant::Prompt(prompt) => Some(prompt),
            Grant::Rule(_) => None,
        },
        State::Undoing { from, .. } => prompt(from),
        State::New | State::Denied { .. } | State::Settled { .. } | State::Undone { .. } => None,
    }
}

fn deadline(state: &State) -> Option<At> {
    match state {
        State::Asked { expires, .. } => *expires,
        State::Started { deadline, .. } => Some(*deadline),
        State::New
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Settled { .. }
        | State::Unknown { .. }
        | State::Undoing { .. }
        | State::Undone { .. } => None,
    }
}

/// The tool call's result, once there is one: exactly one of payload and error is set.
fn result(id: &str, facts: &Facts, state: &State) -> Value {
    match state {
        State::Denied { by, .. } => json!({
            "tool_call_id": id, "ok": false, "payload": null, "error": denied(by, facts),
            "duration_ms": 0, "outcome": "denied",
        }),
        State::Settled { attempt, relaunches, outcome, by, exit, charge, late, .. } => {
            let given = facts.request.given.as_deref();
            let undeclared = |exit: &call::Exit| {
                let told = given.map(|given| given.undeclared(&exit.files_changed));
                json!(told.unwrap_or_default())
            };
            let undeclared = exit.as_ref().map(undeclared);
            let files = exit.as_ref().map(|exit| exit.files_changed.clone()).unwrap_or_default();
            let mut error = error(outcome);
            if error.is_object() {
                error["message"] = json!(call::about(&facts.request));
            }
            if let Some(reset_at) = exit.as_ref().and_then(reset_at) {
                error["details"]["reset_at"] = json!(at_ms(reset_at.0));
            }
            // An agent's own command line is its adapter's, and no command that was asked for.
            let ran = exit.as_ref().map(|_| facts.request.argv.join(" "));
            let ran = ran.filter(|line| !line.is_empty());
            json!({
                "tool_call_id": id,
                "ok": error.is_null(),
                "payload": if error.is_null() { json!(exit) } else { Value::Null },
                "error": error,
                "duration_ms": charge.active_ms,
                "artifacts": {
                    "files_changed": files,
                    "commands_run": ran.into_iter().collect::<Vec<_>>(),
                },
                "exit": exit, "attempts": attempt, "relaunches": relaunches, "by": by,
                "outcome": state.result(), "late": late, "undeclared": undeclared,
                "undo": undo(state),
                "truncated": exit.as_ref().is_some_and(|exit| exit.dropped_bytes > 0),
            })
        }
        State::Undoing { from, .. } => result(id, facts, from),
        State::New
        | State::Asked { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Unknown { .. }
        | State::Undone { .. } => Value::Null,
    }
}

/// What a call came to, as a planner is told of it: no output, no record, nothing of its files but
/// their names. None while it has not ended.
#[must_use]
pub fn brief(id: &str, state: &State) -> Option<Value> {
    let facts = state.facts()?;
    let whole = result(id, facts, state);
    let error = whole["error"].clone();
    let payload = json!({ "name": facts.request.name, "exit_code": whole["exit"]["exit_code"] });
    whole.is_object().then(|| {
        json!({
            "tool_call_id": id,
            "ok": whole["ok"],
            "payload": if error.is_null() { payload } else { Value::Null },
            "error": error,
            "duration_ms": whole["duration_ms"],
            "artifacts": whole.get("artifacts"),
        })
    })
}

/// When an agent that met a limit of its provider may be asked again, if that was told.
fn reset_at(exit: &call::Exit) -> Option<At> {
    match &exit.agent.as_ref()?.answer {
        Answer::Failed { error, .. } => error.reset_at,
        Answer::Answered { .. } => None,
    }
}

fn denied(by: &DeniedBy, facts: &Facts) -> Value {
    let (word, about) = match by {
        DeniedBy::Policy { rule } => ("policy", rule.as_str()),
        DeniedBy::User { note } => ("user", note.as_str()),
        DeniedBy::Timer => ("timer", ""),
        DeniedBy::Parent => ("parent", ""),
    };
    json!({
        "code": "E_POLICY_DENIED", "message": call::about(&facts.request),
        "details": { "by": word, "about": about },
    })
}

fn error(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Ok => Value::Null,
        Outcome::Failed(Failure { code, kind, detail }) => {
            json!({ "code": code, "details": { "kind": kind, "detail": detail } })
        }
        Outcome::TimedOut { limit } => {
            json!({ "code": "E_TOOL_TIMEOUT", "details": { "limit": limit } })
        }
        Outcome::Stopped => json!({ "code": "E_CANCELLED", "details": {} }),
    }
}

fn undo(state: &State) -> Value {
    let level = match state {
        State::Settled { undo, .. } | State::Undone { level: undo, .. } => undo,
        State::Undoing { from, .. } => return undo(from),
        // What could not be taken back is known before it is allowed.
        State::Asked { facts, .. } => {
            let why = facts.shown.as_ref().and_then(|shown| shown.unkept.as_ref());
            return why.map_or(Value::Null, |why| json!({ "level": "none", "reason": why }));
        }
        State::New
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Unknown { .. } => return Value::Null,
    };
    match level {
        UndoLevel::Exact => json!({ "level": "exact", "reason": null }),
        UndoLevel::BestEffort => json!({ "level": "best_effort", "reason": null }),
        UndoLevel::None(why) => json!({ "level": "none", "reason": why }),
    }
}

fn evidence(state: &State) -> Vec<String> {
    match state {
        State::Unknown { why, gate, .. } => {
            let survivors = match why {
                Lost::Lost => Vec::new(),
                Lost::NotProvenDead { survivors } => survivors.clone(),
            };
            let told = match gate {
                UnknownGate::AskPerson { evidence } => Some(evidence.clone()),
                UnknownGate::Probe | UnknownGate::Wait { .. } => None,
            };
            survivors.into_iter().chain(told).collect()
        }
        State::Undoing { from, .. } => evidence(from),
        State::Settled { exit, .. } => {
            exit.as_ref().map(|exit| exit.survivors.clone()).unwrap_or_default()
        }
        State::New
        | State::Asked { .. }
        | State::Denied { .. }
        | State::Allowed { .. }
        | State::Started { .. }
        | State::Undone { .. } => Vec::new(),
    }
}
