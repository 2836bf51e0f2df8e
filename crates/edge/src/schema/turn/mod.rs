//! Schemas of a turn's models: what people and planners write, what it keeps, what it tells.

mod form;
mod kept;
mod plan;
mod seen;
#[cfg(test)]
mod tests;
mod told;

pub(super) use form::form;
pub(super) use kept::{audit_log_entry, context_pack, intake_report, policy_decision};
pub(super) use plan::{patch, plan, planner_answer, step_control};
pub(super) use seen::{check_result, failure, step_evidence};
pub(super) use told::{summary, turn, verification};
