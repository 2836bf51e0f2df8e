//! The facts about legs: begun, ended, and which comes next.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::bounds::{DEBUG_LOGS_KEPT, FILES_PER_ACTION, HYPOTHESES_PER_ROUND};
use super::super::command::{Found, Gave, LegEnd, Seen};
use super::super::phase::{Action, Block, Leg, LegChange, Subject};
use super::super::state::{Body, DebugLog, Hypothesis, HypothesisStatus, Life};
use super::super::validation::CheckReport;
use super::actions;
use crate::machine::At;
use crate::turn::CheckedOut;

pub(super) fn began(life: &mut Life, leg: &Leg, child: &str, head: Option<&CheckedOut>) {
    if let Some(head) = head {
        life.body.head = Some(head.clone());
    }
    let Some(action) = life.phase.action_mut() else { return };
    action.child = Some(child.into());
    action.last_child = Some(child.into());
    if *leg == Leg::Instrument
        && let Some(work) = life.body.work_mut()
    {
        work.debug.restore_owed = Some(child.into());
        work.debug.instrumented.clear();
        work.debug.kept.clear();
    }
}

pub(super) fn chosen(life: &mut Life, leg: &Leg, reask: u32) {
    let Some(action) = life.phase.action_mut() else { return };
    action.reask = reask;
    if reask > 0 {
        // The same leg once more, wherever it stands.
        return;
    }
    action.bad = None;
    let place = action.legs.iter().rposition(|one| one == leg);
    action.at = place.and_then(|at| u32::try_from(at).ok()).unwrap_or(action.at);
}

pub(super) fn ended(life: &mut Life, leg: &Leg, end: &LegEnd, at: At) {
    let Life { body, phase } = life;
    let Some(action) = phase.action_mut() else { return };
    action.child = None;
    let again = action.changes.last().is_some_and(|last| last.leg == Leg::Restore);
    // There may be nothing left for the last of several looks.
    let empty = |change: &LegChange| change.files_changed.is_empty() && change.error.is_none();
    action.changes.extend(change(leg, end, at).filter(|change| !(again && empty(change))));
    match end {
        LegEnd::Ok(gave) => gave_back(body, action, gave),
        LegEnd::Failed { failure, files_changed } | LegEnd::TimedOut { failure, files_changed } => {
            changed(&mut action.files_changed, files_changed);
            action.failure.get_or_insert_with(|| failure.clone());
            if *leg == Leg::Instrument {
                instrumented(body, files_changed);
            }
        }
        LegEnd::Unusable { failure, bad } => {
            if action.reask > 0 {
                action.failure.get_or_insert_with(|| failure.clone());
            }
            action.bad.clone_from(bad);
        }
        LegEnd::Blocked { failure, reset_at } => match leg {
            // Who said no to putting it back keeps the tree as it is.
            Leg::Restore if failure.code == DENIED => given_up(body),
            // Whatever else is in the way may be gone at the next try.
            Leg::Restore => {}
            Leg::Breakdown
            | Leg::Work
            | Leg::Explore
            | Leg::Instrument
            | Leg::Reproduce
            | Leg::Analyze
            | Leg::Check(_)
            | Leg::Seal => {
                let block = || Box::new(Block { failure: failure.clone(), reset_at: *reset_at });
                action.block.get_or_insert_with(block);
            }
        },
        LegEnd::Cancelled => {}
    }
}

/// What a person or a rule did not allow.
const DENIED: &str = "E_POLICY_DENIED";

fn instrumented(body: &mut Body, paths: &[String]) {
    if let Some(work) = body.work_mut() {
        changed(&mut work.debug.instrumented, paths);
    }
}

/// Something was put back, save what is left to those who changed it since.
fn restored(body: &mut Body, kept: &[String], left: bool) {
    let Some(work) = body.work_mut() else { return };
    let debug = &mut work.debug;
    changed(&mut debug.kept, kept);
    if left {
        return;
    }
    debug.restore_owed = None;
    debug.instrumented.clear();
    if !debug.kept.is_empty() {
        actions::staled(body, "restore");
    }
}

fn given_up(body: &mut Body) {
    let Some(work) = body.work_mut() else { return };
    let paths = core::mem::take(&mut work.debug.instrumented);
    changed(&mut work.debug.kept, &paths);
    work.debug.restore_owed = None;
    actions::staled(body, "restore");
}

/// What a leg that only prepares or cleans up did to the tree. Develop's own work is its action's.
fn change(leg: &Leg, end: &LegEnd, at: At) -> Option<LegChange> {
    let (files, failure) = match (leg, end) {
        (
            Leg::Instrument | Leg::Restore,
            LegEnd::Ok(Gave::Instrumented { files_changed } | Gave::Restored { files_changed, .. }),
        ) => (files_changed.as_slice(), None),
        (
            Leg::Instrument | Leg::Restore,
            LegEnd::Failed { failure, files_changed } | LegEnd::TimedOut { failure, files_changed },
        ) => (files_changed.as_slice(), Some(failure)),
        (Leg::Instrument | Leg::Restore, LegEnd::Blocked { failure, .. }) => {
            ([].as_slice(), Some(failure))
        }
        (_, _) => return None,
    };
    let mut files_changed = Vec::new();
    changed(&mut files_changed, files);
    let error = failure.map(|failure| format!("{}: {}", failure.code, failure.detail));
    Some(LegChange { leg: leg.clone(), at, files_changed, error })
}

/// Adds paths that are not named yet, up to the cap.
pub(super) fn changed(known: &mut Vec<String>, new: &[String]) {
    for path in new {
        if known.len() < FILES_PER_ACTION && !known.contains(path) {
            known.push(path.clone());
        }
    }
}

fn gave_back(body: &mut Body, action: &mut Action, gave: &Gave) {
    match gave {
        // Each task joins the list by a fact of its own.
        Gave::Tasks(_) => {}
        Gave::Reproduced(seen) => {
            logged(body, seen);
            action.seen = Some(seen.clone());
        }
        Gave::Work { files_changed, summary } => {
            changed(&mut action.files_changed, files_changed);
            action.summary.clone_from(summary);
        }
        Gave::Instrumented { files_changed } => {
            changed(&mut action.files_changed, files_changed);
            instrumented(body, files_changed);
        }
        Gave::Restored { left, kept, .. } => restored(body, kept, *left),
        Gave::Hypotheses(found) => explored(body, action, found),
        Gave::Analysis(found) => analysed(body, found),
        Gave::Check(report) => {
            let report: &CheckReport = report;
            action.reports.push(report.clone());
        }
        Gave::Digest(digest) => action.sealed = Some(digest.clone()),
    }
}

/// Where debug lines came from, so that a log that was lost can be filled again.
fn logged(body: &mut Body, seen: &Seen) {
    let (Some(sha256), Some(work)) = (&seen.sha256, body.work_mut()) else { return };
    let samples = seen.marks.iter().flat_map(|mark| mark.samples.iter().cloned());
    work.debug.logs.push(DebugLog {
        call: seen.call.clone(),
        sha256: sha256.clone(),
        samples: samples.collect(),
    });
    if work.debug.logs.len() > DEBUG_LOGS_KEPT {
        work.debug.logs.remove(0);
    }
}

/// Hypotheses are numbered through the loop, whatever their maker called them.
fn explored(body: &mut Body, action: &Action, found: &[Hypothesis]) {
    let Subject::Problem { sig, .. } = &action.subject else { return };
    let round = body.rounds.get(sig).map_or(0, |rounds| rounds.debug).saturating_add(1);
    let Some(work) = body.work_mut() else { return };
    for hypothesis in found.iter().take(HYPOTHESES_PER_ROUND) {
        let id = format!("H{}", work.debug.hypotheses.len() + 1);
        work.debug.hypotheses.push(Hypothesis {
            id,
            problem: sig.clone(),
            round,
            status: HypothesisStatus::Pending,
            ..hypothesis.clone()
        });
    }
}

fn analysed(body: &mut Body, found: &[Found]) {
    let Some(work) = body.work_mut() else { return };
    for one in found {
        if let Some(hypothesis) = work.debug.hypotheses.iter_mut().find(|h| h.id == one.id) {
            judged(hypothesis, one);
        }
    }
}

/// A verdict on a hypothesis; without evidence nothing is confirmed.
pub(in super::super) fn judged(hypothesis: &mut Hypothesis, found: &Found) {
    let evidence = found.evidence.clone().filter(|value| !value.is_null());
    let (status, reason) = match (found.status, &evidence) {
        (HypothesisStatus::Confirmed, None) => {
            (HypothesisStatus::Inconclusive, String::from("no evidence"))
        }
        (status, _) => (status, found.reason.clone()),
    };
    hypothesis.status = status;
    hypothesis.verdict_reason = Some(reason);
    hypothesis.evidence = evidence;
}
