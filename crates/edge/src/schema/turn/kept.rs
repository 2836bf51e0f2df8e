//! What a turn keeps on its way: what intake found, what a planner is told, each fact as a line.

use serde_json::{Value, json};

use super::super::list::{
    count, list_of, moment_or_seconds, object, root, text, text_or_null, texts, word,
};
use super::tools::result;

/// Everything that somebody may need to be allowed.
pub(super) const PERMISSIONS: [&str; 6] =
    ["fs.read", "fs.write", "fs.delete", "proc.exec", "net.connect", "git.write"];

/// What intake found.
pub fn intake_report() -> Value {
    let question = object(&["text"], json!({ "text": text(), "options": texts() }));
    let intents = ["coding_task", "repo_analysis", "capability_query", "general_chat", "uncertain"];
    let members = json!({
        "intent": word(&intents),
        "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
        "permissions": list_of(word(&PERMISSIONS)),
        "risk_level": word(&["low", "medium", "high"]),
        "constraints": texts(),
        "missing": {
            "type": "array", "maxItems": kernel::turn::QUESTIONS_MAX, "items": question,
        },
        "by": text(),
    });
    let required =
        ["intent", "confidence", "permissions", "risk_level", "constraints", "missing", "by"];
    root("IntakeReport", object(&required, members))
}

/// A decision of the policy.
pub fn policy_decision() -> Value {
    let members = json!({
        "decision": word(&["ALLOW", "DENY", "REQUIRE_CONFIRMATION"]),
        "reason": text(),
        "scope": word(&["single_action", "session", "workspace"]),
        "rule": text(),
    });
    root("PolicyDecision", object(&["decision"], members))
}

fn line() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

fn hit() -> Value {
    let members = json!({
        "source": word(&["grep", "semantic", "symbol", "manual"]),
        "path": text(), "score": { "type": "number" }, "summary": text(),
        "start_line": line(), "end_line": line(),
    });
    object(&["source", "path", "score", "summary"], members)
}

/// A place that a search found.
pub fn retrieval_hit() -> Value {
    root("RetrievalHit", hit())
}

fn snippet() -> Value {
    let members =
        json!({ "path": text(), "start_line": line(), "end_line": line(), "content": text() });
    object(&["path", "start_line", "end_line", "content"], members)
}

/// Lines of a file.
pub fn code_snippet() -> Value {
    root("CodeSnippet", snippet())
}

fn budget() -> Value {
    let limits = json!({ "max_snippets": line(), "max_lines_per_snippet": line() });
    let members = json!({
        "total_estimate": count(), "used_estimate": count(),
        "limits": object(&["max_snippets", "max_lines_per_snippet"], limits),
    });
    object(&["total_estimate", "used_estimate", "limits"], members)
}

/// How much a planner is told.
pub fn token_budget() -> Value {
    root("TokenBudget", budget())
}

/// What a planner is told of the workspace.
pub fn context_pack() -> Value {
    let members = json!({
        "workspace_summary": text(),
        "constraints": texts(),
        "retrieval_hits": list_of(hit()),
        "code_snippets": list_of(snippet()),
        "recent_actions": list_of(result()),
        "token_budget": budget(),
        "history_summary": text(),
        "notes": texts(),
    });
    let required = [
        "workspace_summary",
        "constraints",
        "retrieval_hits",
        "code_snippets",
        "recent_actions",
        "token_budget",
        "history_summary",
        "notes",
    ];
    root("ContextPack", object(&required, members))
}

/// One line of the audit log.
pub fn audit_log_entry() -> Value {
    let members = json!({
        "timestamp": moment_or_seconds(),
        "trace_id": text(),
        "session_id": text(),
        "event": { "type": "string", "pattern": "^[a-z][a-z_]*$" },
        "plan_id": text_or_null(),
        "tool_call_id": text_or_null(),
        "data": { "type": ["object", "null"] },
        "seq": count(),
        "run_id": text(),
    });
    let required = ["timestamp", "trace_id", "session_id", "event", "seq", "run_id"];
    root("AuditLogEntry", object(&required, members))
}
