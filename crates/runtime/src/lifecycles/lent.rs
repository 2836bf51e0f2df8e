//! A grant of a whole plan as a lifecycle is started with it. How such a grant is given and used is
//! the engine's; whether it covers the plan that is read then, the machine's.

use kernel::lifecycle::Granted;
use kernel::policy::Tool;
use kernel::policy::grant::{Grant, State};

/// The name of the grant that a yes to a plan of a run gives.
#[must_use]
pub fn grant_of(run: &str, revision: u32) -> String {
    let name = run.strip_prefix("lc-").unwrap_or(run);
    format!("gr-{name}-{revision}")
}

/// What a grant lets a lifecycle do unasked; none if it is over or is no grant of a plan.
#[must_use]
pub fn lent(grant: &Grant) -> Option<Granted> {
    let subject = &grant.subject;
    let of_plan = subject.tool == Tool::Agent && !subject.paths.is_empty();
    if grant.state != State::Live || !of_plan {
        return None;
    }
    Some(Granted {
        question: grant.grant_id.clone(),
        digest: subject.definition.clone()?,
        risks: subject.risks.clone(),
        programs: Some(subject.commands.clone()),
        by: grant.by.clone(),
    })
}
