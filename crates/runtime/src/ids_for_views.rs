//! Stands in for `ids` until the engine is there.
use kernel::machine::At;

/// A new id of a task on the control side.
pub fn task_id(now: At) -> String {
    format!("task-{}-{:08x}", now.0, uuid::Uuid::new_v4().as_fields().0)
}
