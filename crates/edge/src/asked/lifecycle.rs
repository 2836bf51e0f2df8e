//! Answers to questions of a lifecycle, in its words. What comes of them is the machine's business.

use kernel::errors::Machine;
use kernel::lifecycle::Scope;
use runtime::query::OpenQuestion;
use serde_json::json;

use super::answer::{no_place, note_missing};
use crate::door::LifecycleSay;
use crate::problem::Raised;
use crate::site::refused;

/// The question of a plan.
pub const CONFIRM: &str = "lifecycle.confirm";

/// An answer to a question of a lifecycle, in its words.
///
/// # Errors
/// A text that is missing, or one that has no place.
pub fn lifecycle(
    question: &OpenQuestion,
    key: &str,
    text: Option<String>,
) -> Result<LifecycleSay, Raised> {
    let hash = || question.question.hash.clone().unwrap_or_default();
    let slot = || question.slot.clone();
    let kind = question.question.kind.as_str();
    let alone = |say| match &text {
        None => Ok(say),
        Some(_) => Err(no_place(question, key)),
    };
    match (kind, key) {
        (_, "modify") => {
            let text = text.ok_or_else(|| note_missing(question, key))?;
            Ok(LifecycleSay::Modify { text })
        }
        ("lifecycle.plan", "retry") => alone(LifecycleSay::RetryPlan),
        (CONFIRM, "go") => {
            let (question, hash) = (slot(), hash());
            alone(LifecycleSay::Confirm { question, hash, scope: Scope::Plan })
        }
        ("lifecycle.plan" | CONFIRM, "cancel") => alone(LifecycleSay::Cancel),
        ("lifecycle.blocked", "fix") => {
            Ok(LifecycleSay::Fix { text, add_budget: None, accept_definition: None })
        }
        ("lifecycle.blocked", "skip") => alone(LifecycleSay::Skip { run_dependants: false }),
        ("lifecycle.blocked", "abort") => Ok(LifecycleSay::Abort { reason: text }),
        ("lifecycle.blocked", "rollback") => alone(LifecycleSay::Rollback {
            to: None,
            plan_hash: None,
            conflicts: kernel::rollback::Conflicts::default(),
        }),
        ("lifecycle.rollback", "go" | "cancel") => {
            let (question, hash, go) = (slot(), hash(), key == "go");
            alone(LifecycleSay::RollbackConfirm { question, hash, go })
        }
        (kind, _) => {
            let details = json!({ "kind": "answer", "option": key, "what": kind });
            Err(refused(Machine::Lifecycle, "unknown_option", details))
        }
    }
}
