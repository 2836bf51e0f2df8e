//! What a turn tells: how it stands, what its checks came to, and its summary.

use kernel::turn::Command;
use serde_json::{Value, json};

use super::super::list::{count, list_of, moment, object, root, text, text_or_null, texts, word};
use super::plan::verification_policy;
use super::seen::result;

/// Every state's word.
const STATES: [&str; 11] = [
    "IDLE",
    "INTAKE",
    "CLARIFYING",
    "CONTEXT_BUILDING",
    "PLANNING",
    "AWAITING_CONFIRMATION",
    "EXECUTING",
    "VERIFYING",
    "RECOVERING",
    "SUMMARIZING",
    "DONE",
];

/// A turn as every door shows it.
pub fn turn() -> Value {
    let parent = or_null(object(&["id", "key"], json!({ "id": text(), "key": text_or_null() })));
    let hold = json!({ "by": text(), "at": moment(), "keep": word(&["after_current", "now"]) });
    let members = json!({
        "run_id": text(), "machine": { "const": "turn" }, "parent": parent, "seq": count(),
        "created_at": moment(), "updated_at": moment(), "trace_id": text(),
        "ended": { "type": "boolean" },
        "state": word(&STATES),
        "waiting": { "type": "boolean" },
        "hold": or_null(object(&["by", "at", "keep"], hold)),
        "prompt": or_null(prompt()),
        "questions": { "type": "array", "items": { "type": "object" } },
        "request": text_or_null(),
        "plan_id": text_or_null(),
        "plan_hash": text_or_null(),
        "continues": text_or_null(),
        "risk_level": { "enum": ["low", "medium", "high", null] },
        "position": or_null(position()),
        "ledger": { "type": "object" },
        "limits": { "type": "object" },
        "outcome": {
            "enum": ["completed", "answered", "blocked", "denied", "cancelled", null],
        },
        "error": { "type": ["object", "null"] },
        "verified": { "enum": ["passed", "failed", "skipped", null] },
        "git": or_null(git()),
        "allowed": list_of(word(&Command::NAMES)),
    });
    let required = [
        "run_id",
        "machine",
        "parent",
        "seq",
        "created_at",
        "updated_at",
        "trace_id",
        "state",
        "waiting",
        "hold",
        "prompt",
        "questions",
        "plan_id",
        "risk_level",
        "position",
        "ledger",
        "limits",
        "outcome",
        "error",
        "verified",
        "git",
        "allowed",
    ];
    root("Turn", object(&required, members))
}

fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!(["object", "null"]);
    schema
}

fn prompt() -> Value {
    let members = json!({
        "id": text(),
        "subject": word(&["plan", "patch", "call", "git", "help"]),
        "hash": text(),
        "reach": { "type": ["object", "null"] },
        "expires_at": { "type": ["string", "null"], "format": "date-time" },
    });
    object(&["id", "subject", "hash", "reach", "expires_at"], members)
}

fn git() -> Value {
    let members = json!({
        "state": word(&["committed", "declined", "failed"]),
        "commit": text_or_null(), "code": text_or_null(),
    });
    object(&["state", "commit", "code"], members)
}

fn position() -> Value {
    let members = json!({ "step": text(), "attempt": count(), "n": count() });
    object(&["step", "attempt", "n"], members)
}

/// The checks of a turn, round by round.
pub fn verification() -> Value {
    let round =
        object(&["round", "results"], json!({ "round": count(), "results": list_of(result()) }));
    let members = json!({
        "policy": or_null(verification_policy()),
        "rounds": list_of(round),
        "verified": { "enum": ["passed", "failed", "skipped", null] },
    });
    root("Verification", object(&["policy", "rounds", "verified"], members))
}

/// What changed, why, how it was verified, what is risky and how to go back.
pub fn summary() -> Value {
    let changed = json!({
        "path": text(), "action": text(), "added": count(), "removed": count(),
    });
    let verified = json!({
        "state": word(&["passed", "failed", "skipped"]), "commands": texts(),
        "digest": text_or_null(),
    });
    let back = json!({ "command": text(), "covers": texts(), "level": text() });
    let usage = json!({
        "calls": count(), "tokens_in": count(), "tokens_out": count(),
        "cost_usd": { "type": ["number", "null"], "minimum": 0 }, "active_ms": count(),
    });
    let usage_names = ["calls", "tokens_in", "tokens_out", "cost_usd", "active_ms"];
    let members = json!({
        "outcome": word(&["completed", "answered", "blocked", "denied", "cancelled"]),
        "goal": text(),
        "changed": list_of(object(&["path", "action", "added", "removed"], changed)),
        "why": text(),
        "verified": object(&["state", "commands", "digest"], verified),
        "warnings": texts(),
        "risks": texts(),
        "rollback": list_of(object(&["command", "covers", "level"], back)),
        "manual_steps": texts(),
        "unknown_calls": texts(),
        "next_steps": texts(),
        "usage": object(&usage_names, usage),
        "commit_message": text(),
        "pr": object(&["title", "body"], json!({ "title": text(), "body": text() })),
    });
    let required = [
        "outcome",
        "goal",
        "changed",
        "why",
        "verified",
        "warnings",
        "risks",
        "rollback",
        "manual_steps",
        "unknown_calls",
        "next_steps",
        "usage",
        "commit_message",
        "pr",
    ];
    root("Summary", object(&required, members))
}
