//! Commands that stand on what their speaker has seen of a run: refused once it has recorded more.
//! Loops have a field of their own for it.

use kernel::machine::By;
use runtime::engine::Link;
use serde_json::json;

use super::hear;
use super::serve::Shop;
use super::wire::{Ask, Reply};

impl Shop {
    /// A command that stands on what its speaker has seen; whom else it is for takes none such.
    pub(super) fn to_one_at(&self, by: &By, link: Link, ask: Ask) -> Option<Reply> {
        match ask {
            Ask::Turn { run, trace, say } => self.to_turn(by, (&run, link), &trace, say),
            Ask::Lifecycle { run, trace, say } => self.to_lifecycle(by, (&run, link), &trace, say),
            Ask::Hello { .. }
            | Ask::Status
            | Ask::News { .. }
            | Ask::Redraw { .. }
            | Ask::Leave
            | Ask::Loop { .. }
            | Ask::Call { .. }
            | Ask::Collab { .. }
            | Ask::Session { .. }
            | Ask::Agent { .. }
            | Ask::Tool { .. }
            | Ask::Inner { .. }
            | Ask::Heard { .. }
            | Ask::InTurn { .. }
            | Ask::At { .. }
            | Ask::Revoke { .. }
            | Ask::Tried { .. }
            | Ask::Check { .. } => {
                let details = json!({ "path": "/ask", "expected": "turn, lifecycle" });
                Some(Reply::Refused(hear::invalid("door.invalid_args", details)))
            }
        }
    }
}
