//! The hypotheses of an edited document, compared by id. New ones are taken from anyone; a verdict
//! only from whoever drives; what a hypothesis says is never rewritten.

use kernel::loops::{Change, Found, Hypothesis, HypothesisStatus, problem};
use serde_json::Value;

use super::super::notice::Reason;
use super::alike::{Moved, Sides, alike};
use super::skill::Desk;
use super::tasks::by_id;

const PATH: &str = "skill_state.debug.hypotheses";
/// The least likely place, for one that names none.
const LIKELIHOOD_LAST: u32 = 99;

/// Decides the changed hypotheses.
pub(super) fn hypotheses(desk: &mut Desk<'_>, sides: Sides<'_>) {
    let none = Vec::new();
    let list = match sides.edit {
        Value::Array(all) => all,
        Value::Null if sides.base.as_array().is_none_or(Vec::is_empty) => &none,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            let reason = if desk.external { Reason::Invalid } else { Reason::EngineDrives };
            return desk.refuse(PATH, reason);
        }
    };
    for (index, one) in list.iter().enumerate() {
        match one["id"].as_str() {
            None => desk.refuse(&format!("{PATH}[{index}]"), Reason::Invalid),
            Some(id) => match (by_id(sides.base, id), by_id(sides.now, id)) {
                (Some(base), Some(now)) => judged(desk, id, Sides { base, edit: one, now }),
                (Some(_), None) => desk.refuse(&format!("{PATH}[{id}]"), Reason::Conflict),
                (None, _) => added(desk, id, one, sides.now),
            },
        }
    }
    for gone in sides.base.as_array().into_iter().flatten() {
        if !list.iter().any(|one| one["id"] == gone["id"]) {
            let reason = if desk.external { Reason::Invalid } else { Reason::EngineDrives };
            desk.refuse(&format!("{PATH}[{}]", gone["id"].as_str().unwrap_or("")), reason);
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn added(desk: &mut Desk<'_>, id: &str, one: &Value, now: &Value) {
    let path = format!("{PATH}[{id}]");
    let known = |other: &Value| alike(&other["description"], &one["description"]);
    if now.as_array().into_iter().flatten().any(known) {
        return;
    }
    if text(&one["description"]).trim().is_empty() {
        return desk.refuse(&path, Reason::Invalid);
    }
    let likelihood = one["likelihood"].as_u64().and_then(|value| u32::try_from(value).ok());
    let hypothesis = Hypothesis {
        id: id.to_owned(),
        description: text(&one["description"]),
        testable_condition: text(&one["testable_condition"]),
        logging_point: text(&one["logging_point"]),
        confirm: text(&one["evidence_criteria"]["confirm"]),
        reject: text(&one["evidence_criteria"]["reject"]),
        likelihood: likelihood.unwrap_or(LIKELIHOOD_LAST),
        status: HypothesisStatus::Pending,
        evidence: None,
        verdict_reason: None,
        problem: desk.scratch.body().and_then(problem).map_or_else(String::new, |found| found.sig),
        round: 0,
    };
    let tried = desk.told.change(desk.scratch, Change::HypothesisAdded(hypothesis));
    let fits = tried.is_ok();
    desk.tried(&path, tried);
    // The loop numbers hypotheses itself; a verdict is about the one it just numbered.
    let given = desk.scratch.last_hypothesis().map(|last| last.id.clone());
    if let (true, Some(given), Some(found)) = (fits, given, verdict(one))
        && found != HypothesisStatus::Pending
    {
        let tried =
            desk.told.then(desk.scratch, Change::HypothesisFound(found_of(given, found, one)));
        desk.tried(&format!("{path}.status"), tried);
    }
}

fn verdict(one: &Value) -> Option<HypothesisStatus> {
    use HypothesisStatus::{Confirmed, Inconclusive, Pending, Rejected};
    let word = one["status"].as_str()?;
    [Pending, Confirmed, Rejected, Inconclusive].into_iter().find(|status| status.word() == word)
}

fn found_of(id: String, status: HypothesisStatus, one: &Value) -> Found {
    let evidence = Some(one["evidence"].clone()).filter(|value| !value.is_null());
    Found { id, status, reason: text(&one["verdict_reason"]), evidence }
}

fn judged(desk: &mut Desk<'_>, id: &str, sides: Sides<'_>) {
    let path = format!("{PATH}[{id}]");
    let mut said = false;
    for key in sides.keys() {
        let (below, path) = (sides.at(key), format!("{path}.{key}"));
        match key {
            "status" | "evidence" | "verdict_reason" => said |= desk.may_change(below, &path),
            _ if below.moved() == Moved::Same => {}
            _ if desk.external => desk.refuse(&path, Reason::Invalid),
            _ => desk.refuse(&path, Reason::EngineDrives),
        }
    }
    if said {
        let tried = match verdict(sides.edit) {
            Some(status) => {
                let found = found_of(id.to_owned(), status, sides.edit);
                desk.told.change(desk.scratch, Change::HypothesisFound(found))
            }
            None => Err(Reason::Invalid),
        };
        desk.tried(&path, tried);
    }
}
