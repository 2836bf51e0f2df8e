//! What a session hears of a child that has ended: a turn, a loop or a lifecycle, in the session's
//! own words. What it does about it is the machine's to say.

use kernel::policy::risk::Risk;
use kernel::session::{DevelopEnd, Developed, Gave, Outcome, TurnEnd, Turned};
use kernel::turn::{self, Outcome as TurnOutcome};
use kernel::{lifecycle, loops};

/// The rule by which a turn is stopped that outgrows its limit.
const CHANGE_LIMIT: &str = "change_limit";
/// The rule by which one is stopped whose risk is above its ceiling.
const RISK_MAX: &str = "risk_max";
/// The code of what policy denied.
const POLICY_DENIED: &str = "E_POLICY_DENIED";

/// Whether a turn could not find what it was to change.
fn lost(code: &str, detail: &str) -> bool {
    let word = |wanted: &str| detail.split([' ', ':', '/']).any(|word| word == wanted);
    (code == "E_MODEL" && word("replan")) || (code == "E_IO" && word("not_found"))
}

/// Whether a rule denies because of a risk.
fn risky(rule: &str) -> bool {
    rule == RISK_MAX || Risk::ALL.iter().any(|risk| risk.rule() == rule)
}

/// What a session hears of a turn.
pub(super) fn of_turn(run: &str, report: turn::Report) -> Outcome {
    Outcome::Ok(Box::new(Gave::Turned(Turned {
        run: run.to_owned(),
        end: end_of(report.outcome),
        changed: report.files_changed,
        summary: report.answer.unwrap_or_default(),
    })))
}

/// How a turn ended, as a session tells its ends apart.
fn end_of(outcome: TurnOutcome) -> TurnEnd {
    match outcome {
        TurnOutcome::Completed | TurnOutcome::Answered => TurnEnd::Completed,
        TurnOutcome::Denied { rule, .. } if rule.as_deref() == Some(CHANGE_LIMIT) => {
            TurnEnd::Outgrown { rule: CHANGE_LIMIT.to_owned(), risky: false }
        }
        TurnOutcome::Denied { rule: Some(rule), .. } if risky(&rule) => {
            TurnEnd::Outgrown { rule, risky: true }
        }
        TurnOutcome::Blocked { code, detail, .. } if code == POLICY_DENIED && risky(&detail) => {
            TurnEnd::Outgrown { rule: detail, risky: true }
        }
        TurnOutcome::Denied { code, rule, .. } => {
            TurnEnd::Failed { code, detail: rule.unwrap_or_default() }
        }
        // Its agent says that what it was told does not fit what is there, or a file is missing.
        TurnOutcome::Blocked { code, detail, .. } if lost(&code, &detail) => TurnEnd::NotFound,
        TurnOutcome::Blocked { code, detail, .. } => TurnEnd::Failed { code, detail },
        TurnOutcome::Cancelled { .. } => TurnEnd::Cancelled,
    }
}

/// What a session hears of a loop: its tasks count as done only if it ended validated.
pub(super) fn of_loop(state: &loops::State) -> Outcome {
    let Some(life) = state.life() else { return Outcome::Stopped };
    let ids = |wanted: bool| {
        let done = |task: &&std::sync::Arc<loops::Task>| {
            matches!(task.status, loops::TaskStatus::Completed { .. }) == wanted
        };
        life.body.tasks.iter().filter(done).map(|task| task.id.clone()).collect::<Vec<_>>()
    };
    let end = match &life.phase {
        loops::Phase::Completed { .. } => DevelopEnd::Completed,
        loops::Phase::Failed {
            kind: loops::FailKind::Stopped | loops::FailKind::Cancelled,
            ..
        } => DevelopEnd::Aborted,
        loops::Phase::Failed { .. }
        | loops::Phase::Created
        | loops::Phase::Acting(_)
        | loops::Phase::Choosing { .. }
        | loops::Phase::Lent { .. }
        | loops::Phase::Paused(_) => DevelopEnd::Partial,
    };
    let (done, undone) = (ids(true), ids(false));
    let files = life.body.tasks.iter().flat_map(|task| task.files_changed.iter().cloned());
    let failed = Vec::new();
    let developed = Developed { end, done, undone, failed, changed: files.collect() };
    Outcome::Ok(Box::new(Gave::Developed(developed)))
}

/// What a session hears of a lifecycle.
pub(super) fn of_lifecycle(state: &lifecycle::State) -> Outcome {
    let Some(ended) = state.life().and_then(|life| life.phase.ended()) else {
        return Outcome::Stopped;
    };
    let end = match ended.outcome {
        lifecycle::Outcome::Completed => DevelopEnd::Completed,
        lifecycle::Outcome::Partial => DevelopEnd::Partial,
        lifecycle::Outcome::Aborted | lifecycle::Outcome::Cancelled => DevelopEnd::Aborted,
        lifecycle::Outcome::RolledBack => DevelopEnd::RolledBack,
    };
    let tasks = ended.work.as_deref().map(|work| work.tasks.as_slice()).unwrap_or_default();
    let ids = |wanted: bool| {
        let fits = |task: &&std::sync::Arc<lifecycle::Task>| {
            (task.status == lifecycle::Status::Done) == wanted
        };
        tasks.iter().filter(fits).map(|task| task.spec.id.clone()).collect::<Vec<_>>()
    };
    let (done, undone) = (ids(true), ids(false));
    let changed = tasks.iter().flat_map(|task| task.files_changed.iter().cloned()).collect();
    let red = |task: &&std::sync::Arc<lifecycle::Task>| task.status == lifecycle::Status::Failed;
    let failed = tasks.iter().filter(red).map(|task| task.spec.id.clone()).collect();
    Outcome::Ok(Box::new(Gave::Developed(Developed { end, done, undone, failed, changed })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_risk_denied_takes_the_longest_way() {
        let denied = |rule: &str| TurnOutcome::Denied {
            code: POLICY_DENIED.to_owned(),
            by: "policy".to_owned(),
            rule: Some(rule.to_owned()),
        };
        let blocked = |detail: &str| TurnOutcome::Blocked {
            code: POLICY_DENIED.to_owned(),
            detail: detail.to_owned(),
            step: None,
        };
        let table = [
            (denied("change_limit"), "change_limit false"),
            (denied("ehrb-destructive"), "ehrb-destructive true"),
            (denied("risk_max"), "risk_max true"),
            (denied("confine"), "failed"),
            (blocked("ehrb-sensitive"), "ehrb-sensitive true"),
            (blocked("user"), "failed"),
        ];
        for (outcome, expected) in table {
            let told = match end_of(outcome) {
                TurnEnd::Outgrown { rule, risky } => format!("{rule} {risky}"),
                TurnEnd::Failed { .. } => "failed".to_owned(),
                TurnEnd::Completed | TurnEnd::NotFound | TurnEnd::Cancelled => "other".to_owned(),
            };
            assert_eq!(told, expected);
        }
    }
}
