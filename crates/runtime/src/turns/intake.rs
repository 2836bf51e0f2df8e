//! Looks at a request before anything is read or planned: what is wanted, what it will need, what
//! only a person knows. It may deny; it never grants.

use kernel::policy::{Trust, Verdict};
use kernel::turn::{
    Earlier, IntakeReport, Intent, Life, Mode, Permission, Planner, Start, Words, assess,
};

use super::pages;
use crate::policy::Judge;
use crate::words::Lang;

/// The name of a verdict that only lets the turn go on.
const GOES_ON: &str = "intake";

/// What intake says of the words, and whether the turn may go on at all.
#[must_use]
pub fn intake(life: &Life, earlier: Earlier, judge: &Judge) -> (IntakeReport, Verdict) {
    let (start, answers) = (&life.body.start, &life.body.answers);
    let lang = language(start);
    let report =
        assess(&Words { start, answers, earlier }).report(|missing| pages::asked(lang, missing));
    let verdict = verdict(start, &report, judge.trust());
    (report, verdict)
}

/// The language of those who are told of a turn.
#[must_use]
pub fn language(start: &Start) -> Lang {
    Lang::parse(&start.lang).unwrap_or(Lang::En)
}

/// What would be denied whatever the plan says is denied before one is made. A plan that is only
/// made changes nothing.
fn verdict(start: &Start, report: &IntakeReport, trust: Trust) -> Verdict {
    let changes = report.intent == Intent::CodingTask
        && start.mode == Mode::Write
        && report.permissions.iter().any(|needed| *needed != Permission::FsRead);
    match (trust, &start.planner, &start.agent_step.verdict) {
        (Trust::Untrusted, _, _) if changes => Verdict::Deny { rule: "untrusted".to_owned() },
        (_, Planner::Direct, Verdict::Deny { rule }) => Verdict::Deny { rule: rule.clone() },
        (_, _, _) => Verdict::Allow { rule: GOES_ON.to_owned() },
    }
}
