//! What several rows need: one more try, a result that does not fit, risks that nobody accepted.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::bounds::STEP_TRIES_MAX;
use super::super::draft::Draft;
use super::super::ended::{Gave, Outcome, Report};
use super::super::event::Event;
use super::super::judge::Path;
use super::super::refusal::Refusal;
use super::super::risk::Risk;
use super::super::stage::{Stage, Why};
use crate::call::Failure;
use crate::hash;

/// What a step gave; one that gave nothing is tried again, or a person decides.
pub fn gave(d: &mut Draft, here: &Stage, k: u32, outcome: Outcome) -> Option<Gave> {
    match outcome {
        Outcome::Ok(gave) => Some(*gave),
        Outcome::Failed(failure) => {
            retry(d, here.clone(), k, cause(&failure));
            None
        }
        Outcome::Stopped => {
            d.interrupt(here.clone(), "stopped".into());
            None
        }
    }
}

/// Tries a stage once more, and asks a person after that.
pub fn retry(d: &mut Draft, stage: Stage, k: u32, cause: String) {
    if k < STEP_TRIES_MAX { d.enter(stage.again()) } else { d.interrupt(stage, cause) }
}

/// Why something was not done, as a person is told.
pub fn cause(failure: &Failure) -> String {
    if failure.kind.is_empty() || failure.kind == failure.code {
        return failure.code.clone();
    }
    alloc::format!("{} {}", failure.code, failure.kind)
}

/// A result of another kind than the one that is owed.
pub fn misfit() -> Refusal {
    Refusal::InvalidArgs { path: "/outcome".into(), expected: "what the slot stands for" }
}

/// Why an operation on files is not done.
pub fn why(report: &Report) -> String {
    report.told["error_message"].as_str().unwrap_or("E_IO").into()
}

/// Keeps what a report warns of.
pub fn warned(d: &mut Draft, gave: &Gave) {
    let Gave::Report(report) = gave else { return };
    let warnings = report.told["context"]["warnings"].as_array().into_iter().flatten();
    for warning in warnings.filter_map(|warning| warning.as_str()) {
        d.note(warning);
    }
}

/// Those of these risks that nobody has accepted.
pub fn unaccepted(d: &Draft, risks: Vec<Risk>) -> Vec<Risk> {
    let known = |risk: &Risk| {
        d.flow().is_some_and(|flow| flow.risks.iter().any(|taken| taken.hash == risk.hash))
    };
    risks.into_iter().filter(|risk| !known(risk)).collect()
}

/// Holds a flow until a person has accepted these risks; they force the longest path.
pub fn hold(d: &mut Draft, at: Stage, risks: Vec<Risk>) {
    d.push(Event::RiskFound { risks: risks.clone() });
    if d.flow().is_some_and(|flow| flow.path.is_some_and(|path| path != Path::Standard)) {
        d.push(Event::PathAdjusted { path: Path::Standard });
    }
    let hashes: Vec<&str> = risks.iter().map(|risk| risk.hash.as_str()).collect();
    let hash = hash::of_json(&json!(hashes));
    let q = d.ask_for(Kind::Risk, &["confirm", "cancel"], json!({ "risks": risks }), hash);
    d.enter(Stage::Held { at: Box::new(at), why: Why::Risk { risks }, q });
}
