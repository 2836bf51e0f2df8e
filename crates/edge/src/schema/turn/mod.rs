//! Schemas of a turn's models: what people and planners write, what it keeps, what it tells.

mod form;
mod kept;
mod plan;
mod seen;
#[cfg(test)]
mod tests;
mod told;
mod tools;

pub(super) use form::form;
pub(super) use kept::{
    audit_log_entry, code_snippet, context_pack, intake_report, policy_decision, retrieval_hit,
    token_budget,
};
pub(super) use plan::{
    left, patch, plan, planner_answer, policy, step_control, template, whole_step,
};
pub(super) use seen::{check_result, failure, step_evidence};
pub(super) use told::{summary, turn, verification};
pub(super) use tools::{tool_call_request, tool_call_result};
