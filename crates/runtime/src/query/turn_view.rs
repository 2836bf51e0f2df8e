//! A turn as JSON: where it stands, what it waits for, what it has spent and how it ended. The plan
//! and the summary have pages of their own.

use kernel::machine::By;
use kernel::turn::{self, GitResult, Life, Outcome, Phase, Prompt, Rung, State, help_hash};
use serde_json::{Value, json};

use super::questions::of_owed;
use super::show::at_ms;
use crate::words::Lang;

/// The fields of a turn besides those every run has. Secrets are taken out where it is shown.
#[must_use]
pub fn turn_view(run: &str, state: &State, lang: Lang) -> Value {
    let Some(life) = state.life() else {
        return json!({ "state": state.name(), "allowed": turn::allowed(state, &By::Person) });
    };
    let (body, work) = (&life.body, life.body.work.as_deref());
    let open = of_owed(run, "turn", &turn::owed(state));
    let questions: Vec<Value> = open.iter().map(|question| question.view(lang)).collect();
    let hold = body.hold.as_ref();
    let (outcome, verified) = ended(life);
    let risk = work.map(|work| work.plan.risk_level);
    let risk = risk.or_else(|| body.intake.as_ref().map(|report| report.risk_level));
    json!({
        "state": state.name(),
        "request": body.start.request,
        "waiting": life.waits(),
        "hold": hold.map(|hold| json!({
            "by": hold.by, "at": at_ms(hold.at.0), "keep": hold.keep,
        })),
        "prompt": prompt(run, life),
        "questions": questions,
        "plan_id": work.map(|work| &work.plan.plan_id),
        "plan_hash": work.map(|work| &work.hash),
        "risk_level": risk,
        "position": life.position().map(|at| json!({
            "step": at.step, "attempt": at.attempt, "n": at.n,
        })),
        "ledger": ledger(life),
        "limits": body.start.limits,
        "continues": body.start.continues,
        "outcome": outcome.map(Outcome::word),
        "error": outcome.and_then(|outcome| error(outcome, life)),
        "verified": verified,
        "git": git(life),
        "allowed": turn::allowed(state, &By::Person),
    })
}

/// How it ended or is about to, and what its checks came to.
fn ended(life: &Life) -> (Option<&Outcome>, Option<&'static str>) {
    match &life.phase {
        Phase::Summarizing(now) => (Some(&now.outcome), Some(now.verified.word())),
        Phase::Done(over) => (Some(&over.outcome), Some(over.verified.word())),
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::AwaitingConfirmation(_)
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Recovering(_) => (None, None),
    }
}

/// What became of the commit; none before the end, and where none was asked about.
fn git(life: &Life) -> Option<Value> {
    let Phase::Done(over) = &life.phase else { return None };
    let git = over.git.as_ref()?;
    let (commit, code) = match git {
        GitResult::Committed { commit } => (Some(commit), None),
        GitResult::Declined => (None, None),
        GitResult::Failed { code } => (None, Some(code)),
    };
    Some(json!({ "state": git.word(), "commit": commit, "code": code }))
}

/// Why it did not end well.
fn error(outcome: &Outcome, life: &Life) -> Option<Value> {
    match outcome {
        Outcome::Completed | Outcome::Answered => None,
        Outcome::Blocked { code, detail, step } => {
            let mut error = json!({ "code": code, "detail": detail, "step_id": step });
            if let Some(reason) = &life.body.rejected {
                error["reason"] = json!(reason);
            }
            Some(error)
        }
        Outcome::Denied { code, by, rule } => Some(json!({ "code": code, "by": by, "rule": rule })),
        Outcome::Cancelled { by } => Some(json!({ "code": "E_CANCELLED", "by": by })),
    }
}

/// What is being approved, or needs help.
fn prompt(run: &str, life: &Life) -> Option<Value> {
    let shown = |prompt: &Prompt| {
        json!({
            "id": format!("{run}/{}", prompt.id()), "subject": prompt.subject,
            "hash": prompt.hash, "reach": prompt.reach,
            "expires_at": prompt.until.map(|at| at_ms(at.0)),
        })
    };
    match &life.phase {
        Phase::AwaitingConfirmation(prompt) => Some(shown(prompt)),
        Phase::Recovering(now) => match &now.rung {
            Rung::Help { n, until } => Some(json!({
                "id": format!("{run}/help/{n}"), "subject": "help", "hash": help_hash(now),
                "reach": null, "expires_at": until.map(|at| at_ms(at.0)),
            })),
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Replan { .. }
            | Rung::Spent => None,
        },
        Phase::Intake { .. }
        | Phase::Clarifying { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Summarizing(_)
        | Phase::Done(_) => None,
    }
}

fn ledger(life: &Life) -> Value {
    let mut ledger = json!(life.body.ledger);
    ledger["active_ms"] = json!(life.body.clock.active_ms);
    ledger
}

#[cfg(test)]
mod tests {
    use kernel::turn::samples::sample_states;

    use super::*;

    #[test]
    fn a_commit_that_failed_is_shown() {
        let mut all = sample_states().into_iter();
        let mut state = all.find(|(name, _)| *name == "done").unwrap().1;
        assert_eq!(turn_view("turn-sample", &state, Lang::En)["git"], Value::Null);
        let State::Begun(life) = &mut state else { panic!("begun") };
        let Phase::Done(over) = &mut life.phase else { panic!("done") };
        over.git = Some(GitResult::Failed { code: "E_CONFLICT".to_owned() });
        let view = turn_view("turn-sample", &state, Lang::En);
        let shown = json!({ "state": "failed", "commit": null, "code": "E_CONFLICT" });
        assert_eq!(view["git"], shown);
    }

    #[test]
    fn every_state_says_what_it_waits_for_and_how_it_ended() {
        for (name, state) in sample_states() {
            let view = turn_view("turn-sample", &state, Lang::En);
            let Some(life) = state.life() else { continue };
            assert_eq!(view["waiting"], life.waits(), "{name}");
            let asks = view["questions"].as_array().is_some_and(|all| !all.is_empty());
            assert_eq!(asks, life.phase.waits() && life.body.hold.is_none(), "{name}: {view}");
            if state.ended() {
                assert!(view["outcome"].is_string() && view["allowed"] == json!([]), "{name}");
            }
            if let Some(prompt) = view["prompt"].as_object()
                && asks
            {
                let question = &view["questions"][0];
                assert_eq!(question["id"], prompt["id"], "{name}");
                assert_eq!(question["hash"], prompt["hash"], "{name}");
            }
        }
    }
}
