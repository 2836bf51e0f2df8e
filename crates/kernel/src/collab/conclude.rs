//! How a run ends once its last participant has: pure, first match. Also what a person is asked
//! about a degraded result.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::event::Event;
use super::level;
use super::live::Live;
use super::participant::{Fault, How, Participant};
use super::plan::{Accept, Plan, Rule};
use super::slot::CONFIRM;
use super::state::{Cause, Class, Confirm, Level, Mark, NonEmpty, Run, Shortfall, State};
use super::words;
use crate::errors::first_shown;
use crate::hash;
use crate::machine::At;

/// Who accepts a result that was accepted when the run was started.
const PRESET: &str = "preset";
/// The code of a run whose participants left none that is listed.
const NO_CODE: &str = "E009";

/// The facts of the end.
pub fn conclude(state: &State, at: At) -> Vec<Event> {
    let (Some(live), Some(run)) = (Live::of(state), state.run()) else { return Vec::new() };
    let failed = |cause, code: &str| {
        Vec::from([Event::RunFailed { cause, code: code.to_string(), note: None }])
    };
    let all = live.participants;
    if live.cancelling {
        return failed(Cause::Cancelled, "E007");
    }
    if live.plan.lite {
        return degraded(run, all, at);
    }
    if all.iter().all(|one| one.proven().is_none()) {
        let (cause, code) = without_session(&live);
        return failed(cause, code);
    }
    let covered = missing(live.plan, all).is_empty();
    let usable = all.iter().filter(|one| one.usable()).count();
    if covered && (live.plan.gate == Rule::Or || usable == all.len()) {
        return Vec::from([Event::Succeeded { mark: None }]);
    }
    if live.plan.gate == Rule::And {
        return failed(Cause::AndGate, worst(all));
    }
    if usable == 0 {
        return failed(Cause::NoUsable, worst(all));
    }
    degraded(run, all, at)
}

/// Nobody has a proven conversation: why.
fn without_session(live: &Live<'_>) -> (Cause, &'static str) {
    let all = live.participants;
    let last: Vec<&str> = last_codes(all);
    let late = !last.is_empty() && last.iter().all(|code| *code == "E004");
    if late || live.total_timed_out {
        return (Cause::Timeout, "E005");
    }
    if all.iter().any(|one| matches!(one.how(), Some(How::Unproven { .. }))) {
        return (Cause::NoSession, "E006");
    }
    (Cause::AllFailed, worst(all))
}

/// The last code of each participant that is of no use.
fn last_codes(all: &[Participant]) -> Vec<&str> {
    let useless = all.iter().filter(|one| !one.usable());
    useless.filter_map(|one| one.errors.last()).map(|fault| fault.code.as_str()).collect()
}

/// The code that a run shows of its participants' last ones.
pub fn worst(all: &[Participant]) -> &'static str {
    first_shown(&last_codes(all)).unwrap_or(NO_CODE)
}

/// Dimensions without a usable answer, in the plan's order.
pub fn missing(plan: &Plan, all: &[Participant]) -> Vec<String> {
    let covers = |dimension: &str| {
        plan.participants.iter().any(|member| {
            let one = all.iter().find(|one| one.name == member.name);
            member.dimension == dimension && one.is_some_and(Participant::usable)
        })
    };
    plan.dimensions().into_iter().filter(|one| !covers(one)).map(ToString::to_string).collect()
}

/// Degraded, and confirmed at once if that was settled beforehand.
fn degraded(run: &Run, all: &[Participant], at: At) -> Vec<Event> {
    let Some(shortfall) = shortfall(&run.plan, all) else { return Vec::new() };
    let question = Confirm {
        id: CONFIRM.to_string(),
        hash: question_hash(run, &shortfall, all),
        expires_at: expiry(&run.plan, at),
    };
    let preset = run.plan.accept == Accept::Acceptable
        && shortfall.level == Level::Acceptable
        && !run.plan.lite;
    let mut events = Vec::from([Event::Degraded { shortfall: shortfall.clone(), question }]);
    if preset {
        let (by, overridden, note) = (PRESET.to_string(), false, None);
        let mark = mark(run, &shortfall, &by, Taken::Accepted);
        events.push(Event::Confirmed { by, overridden, note });
        events.push(Event::Succeeded { mark: Some(Box::new(mark)) });
    }
    events
}

/// How a degraded result was taken.
pub enum Taken {
    /// As acceptable.
    Accepted,
    /// In spite of what is missing, with a reason.
    Overridden(String),
}

/// The mark a degraded result leaves on the success it becomes.
pub fn mark(run: &Run, shortfall: &Shortfall, by: &str, taken: Taken) -> Mark {
    let (overridden, note) = match taken {
        Taken::Accepted => (false, None),
        Taken::Overridden(note) => (true, Some(note)),
    };
    Mark {
        shortfall: shortfall.clone(),
        accepted_by: by.to_string(),
        overridden,
        note,
        lite: run.plan.lite,
    }
}

/// When the question closes.
fn expiry(plan: &Plan, at: At) -> Option<At> {
    (plan.confirm_timeout_ms > 0).then(|| at.plus(plan.confirm_timeout_ms))
}

fn shortfall(plan: &Plan, all: &[Participant]) -> Option<Shortfall> {
    let missing = missing(plan, all);
    let absent: Vec<&Participant> = plan
        .participants
        .iter()
        .filter(|member| missing.contains(&member.dimension))
        .filter_map(|member| all.iter().find(|one| one.name == member.name))
        .collect();
    let (level, reason, class) = if plan.lite {
        (Level::Acceptable, words::lite(plan.lang).to_string(), Class::Lite)
    } else {
        let level = level::level(plan, &missing, &absent);
        (level, reason(plan, &absent), class(&absent))
    };
    let impact = missing.iter().map(|one| level::impact(plan, one)).collect();
    Some(Shortfall {
        level,
        missing: NonEmpty::new(missing)?,
        reason,
        class,
        impact: NonEmpty::new(impact)?,
    })
}

fn reason(plan: &Plan, absent: &[&Participant]) -> String {
    let parts: Vec<String> = absent
        .iter()
        .map(|one| match one.errors.last() {
            None => words::no_time(&one.name, plan.lang),
            Some(fault) => {
                let ms = spent_ms(one);
                words::missing(&one.name, &fault.code, one.launches, ms, plan.lang)
            }
        })
        .collect();
    parts.join("; ")
}

/// From a participant's first start to its end.
pub fn spent_ms(one: &Participant) -> u64 {
    match (one.started_at, one.ended_at()) {
        (Some(from), Some(to)) => to.since(from),
        (_, _) => 0,
    }
}

/// The trouble of the first that is missing, as a word.
fn class(absent: &[&Participant]) -> Class {
    let last = absent.iter().find_map(|one| one.errors.last());
    last.map_or(Class::Timeout, class_of)
}

fn class_of(fault: &Fault) -> Class {
    match (fault.code.as_str(), fault.kind.as_str()) {
        ("E004" | "E005", _) => Class::Timeout,
        ("E010", _) => Class::Connection,
        ("E_MODEL", _) => Class::Quality,
        ("E009", "auth") => Class::Auth,
        ("E009", "quota") => Class::Quota,
        ("E_UNKNOWN_OUTCOME", _) => Class::Lost,
        ("E007", _) => Class::Cancelled,
        (_, _) => Class::Error,
    }
}

/// What an acceptance is bound to: the plan, what is missing and why, and the answers there are.
fn question_hash(run: &Run, shortfall: &Shortfall, all: &[Participant]) -> String {
    let digests: Vec<&str> = all
        .iter()
        .filter_map(|one| one.answer())
        .map(|(_, output)| output.text.sha256.as_str())
        .collect();
    hash::of_json(&json!({
        "plan": run.plan_hash,
        "level": shortfall.level.word(),
        "missing": shortfall.missing.items(),
        "reason": shortfall.reason,
        "outputs": digests,
    }))
}
