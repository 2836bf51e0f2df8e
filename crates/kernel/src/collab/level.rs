//! How much a degraded result is worth: which dimensions are core, by the plan or by the role.

use super::participant::{How, Participant};
use super::plan::Plan;
use super::state::{Impact, Level};
use super::words;

/// Whether a run without this dimension misses its point.
pub fn core(plan: &Plan, dimension: &str) -> bool {
    if let Some(named) = &plan.core_dimensions {
        return named.contains(dimension);
    }
    let flags = || plan.participants.iter().filter(|one| one.dimension == dimension);
    if flags().any(|one| one.core == Some(true)) {
        return true;
    }
    if flags().count() > 0 && flags().all(|one| one.core == Some(false)) {
        return false;
    }
    by_role(&plan.role, dimension)
}

fn by_role(role: &str, dimension: &str) -> bool {
    match (role, dimension) {
        ("architect", "frontend") | ("reviewer", "backend") => false,
        (_, _) => true,
    }
}

/// The level of a result without these dimensions and participants.
pub fn level(plan: &Plan, missing: &[alloc::string::String], absent: &[&Participant]) -> Level {
    let poor = absent.iter().any(|one| matches!(one.how(), Some(How::Poor { .. })));
    if poor || missing.iter().any(|one| core(plan, one)) {
        Level::Unacceptable
    } else {
        Level::Acceptable
    }
}

/// What the loss of a dimension means.
pub fn impact(plan: &Plan, dimension: &str) -> Impact {
    let core = core(plan, dimension);
    let (zh, en) = match (plan.lite, core) {
        (true, _) => words::impact_lite(dimension),
        (false, true) => words::impact_core(dimension),
        (false, false) => words::impact_other(dimension),
    };
    Impact { dimension: dimension.into(), core, zh, en }
}
