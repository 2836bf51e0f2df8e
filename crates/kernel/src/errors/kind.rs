//! The detail words each class may carry as `kind`. Not their sentences.

use super::class::Class;

const IO: &[&str] = &[
    "not_found",
    "permission",
    "no_space",
    "over_quota",
    "not_a_file",
    "too_large",
    "interrupted",
    "busy",
    "spawn",
    "no_git",
    "undo_bytes_missing",
    "not_applied",
    "sandbox_unavailable",
];

/// Every detail `kind` a class knows; empty where a class has none.
pub const fn kinds(class: Class) -> &'static [&'static str] {
    match class {
        Class::PolicyDenied => &[
            "path",
            "protected",
            "symlink",
            "hardlink",
            "confine",
            "change_limit",
            "tool_disabled",
        ],
        Class::Io => IO,
        Class::ToolTimeout => &["deadline", "idle"],
        Class::InvalidArgs => {
            &["malformed", "unknown_tool", "unsupported", "config_missing", "bad_plan"]
        }
        Class::Conflict => &[
            "not_unique",
            "no_match",
            "changed_since_read",
            "exists",
            "head_moved",
            "branch_changed",
            "undo_conflict",
            "seq_mismatch",
            "key_reused",
            "locked_by",
        ],
        Class::BuildFail => &["lint", "build", "test", "empty"],
        Class::Model => &[
            "not_json",
            "schema",
            "two_objects",
            "phantom_completion",
            "no_session_id",
            "refused",
            "provider",
        ],
        Class::Cancelled => &["user", "parent"],
        Class::Budget => {
            &["calls", "tokens", "cost", "active_time", "fixes", "replans", "steps", "iterations"]
        }
        Class::UnknownOutcome => &["lost", "not_proven_dead"],
        Class::Degraded => &["acceptable", "unacceptable"],
        Class::Journal => &[
            "sync_failed",
            "hash_mismatch",
            "shorter_than_head",
            "locked",
            "no_space",
            "newer_format",
            "engine_gone",
        ],
        Class::Auth => &["token", "host", "origin"],
        Class::Refused | Class::NotFound | Class::Internal => &[],
    }
}
