//! TWEAK: one turn within its limit, what becomes of it when it outgrows that, and its record.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use serde_json::json;

use super::super::asked::Kind;
use super::super::bounds::CHANGELOG_SKIPPED;
use super::super::draft::Draft;
use super::super::ended::{Gave, Outcome, TurnEnd, Turned};
use super::super::event::Event;
use super::super::judge::Path;
use super::super::refusal::Refusal;
use super::super::stage::{Gather, Name, Record, Stage, Tested, Why};
use super::super::state::How;
use super::evaluate::{cancelled, silent};
use super::{closing, shared};

/// How the turn ended.
pub fn edited(d: &mut Draft, (k, here): (u32, Stage), outcome: Outcome) -> Result<(), Refusal> {
    let turned = match outcome {
        Outcome::Ok(gave) => {
            let Gave::Turned(turned) = *gave else { return Err(shared::misfit()) };
            turned
        }
        Outcome::Failed(failure) => {
            d.interrupt(here, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            cancelled(d);
            return Ok(());
        }
    };
    let Turned { run, end, changed, .. } = turned;
    d.push(Event::Changed { paths: changed, run: Some(run.clone()) });
    let quiet = d.flow().is_some_and(|flow| silent(flow.mode));
    match end {
        TurnEnd::Completed => {
            let forced = matches!(here, Stage::Editing { limited: false, .. });
            closing::test(d, Tested::Recording { forced });
        }
        TurnEnd::Outgrown { rule, risky } if quiet => escalate(d, rule, risky),
        TurnEnd::Outgrown { rule, risky } => {
            let about = json!({ "rule": rule, "risky": risky });
            let q = d.ask(Kind::Escalate, &["upgrade", "force", "cancel"], about);
            d.enter(Stage::Outgrown { k, rule, risky, turn: run, q });
        }
        TurnEnd::NotFound if quiet => d.fail("target_not_found"),
        TurnEnd::NotFound => {
            let q = d.ask(Kind::Locate, &["path", "cancel"], json!({}));
            d.enter(Stage::Held { at: Box::new(here), why: Why::Lost, q });
        }
        TurnEnd::Cancelled => d.cancel(How::Cancelled { by: "child".into() }),
        TurnEnd::Failed { code, detail } => d.interrupt(here, format!("{code} {detail}")),
    }
    Ok(())
}

/// The change takes the longer way; the edits are carried along.
fn escalate(d: &mut Draft, why: String, risky: bool) {
    let to = if risky { Path::Standard } else { Path::Light };
    d.push(Event::Escalated { why, to });
    d.enter(Stage::Gathering { part: Gather::Kb, k: 1, stood: Name::Analyze });
}

/// What a person answered about a tweak that outgrew its limit.
pub fn outgrown(
    d: &mut Draft,
    (k, rule, risky, turn): (u32, String, bool, String),
    key: &str,
) -> Result<(), Refusal> {
    match key {
        "upgrade" => escalate(d, rule, risky),
        "force" if risky => return Err(Refusal::PathForced { path: Path::Standard.word() }),
        "force" => {
            d.note(format!("tweak_forced: {rule}"));
            d.enter(Stage::Editing { k: k + 1, limited: false, hint: None, held: false });
        }
        _cancel => d.enter(Stage::Undoing { turn, k: 1 }),
    }
    Ok(())
}

/// The turn has stopped, so that nothing is written any more: what it and those before it wrote is
/// taken back. One that never began has left nothing.
pub fn recalled(d: &mut Draft, outcome: Outcome) {
    if let Outcome::Ok(gave) = outcome
        && let Gave::Turned(turned) = *gave
    {
        d.push(Event::Changed { paths: turned.changed, run: Some(turned.run) });
    }
    let last = d.flow().and_then(|flow| flow.turns.last().cloned());
    match last {
        Some(turn) => d.enter(Stage::Undoing { turn, k: 1 }),
        None => cancelled(d),
    }
}

/// The turn of this flow that wrote before this one.
fn before(d: &Draft, turn: &str) -> Option<String> {
    let turns = &d.flow()?.turns;
    let at = turns.iter().position(|one| one == turn)?;
    turns.get(at.checked_sub(1)?).cloned()
}

/// The edits are taken back.
pub fn undone(d: &mut Draft, (turn, k): (String, u32), outcome: Outcome) {
    match outcome {
        Outcome::Ok(gave) => match *gave {
            // A tweak that was forced, retried or located has written in several turns.
            Gave::Done(told) if told["nothing"] == true => match before(d, &turn) {
                Some(turn) => d.enter(Stage::Undoing { turn, k: k + 1 }),
                None => cancelled(d),
            },
            // One call is taken back at a time, the newest first.
            Gave::Kb(_)
            | Gave::Words(_)
            | Gave::Value(_)
            | Gave::Report(_)
            | Gave::Checked(_)
            | Gave::Packages(_)
            | Gave::Developed(_)
            | Gave::Turned(_)
            | Gave::Tests(_)
            | Gave::Risks(_)
            | Gave::Found(_)
            | Gave::Done(_) => d.enter(Stage::Undoing { turn, k: k + 1 }),
        },
        Outcome::Failed(failure) => {
            d.interrupt(Stage::Undoing { turn, k }, shared::cause(&failure))
        }
        Outcome::Stopped => d.interrupt(Stage::Undoing { turn, k }, "stopped".into()),
    }
}

/// What is recorded after a tweak.
pub fn recorded(
    d: &mut Draft,
    (step, forced, k): (Record, bool, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let here = Stage::Recording { step, forced, k };
    match outcome {
        Outcome::Ok(gave) => {
            if let Gave::Report(report) = &*gave
                && !report.success
            {
                shared::retry(d, here, k, shared::why(report));
                return Ok(());
            }
            shared::warned(d, &gave);
        }
        // There is no base and there shall be none.
        Outcome::Failed(failure) if failure.code == CHANGELOG_SKIPPED => d.note(failure.code),
        Outcome::Failed(failure) => {
            shared::retry(d, here, k, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            d.interrupt(here, "stopped".into());
            return Ok(());
        }
    }
    match step {
        Record::Changelog => d.enter(Stage::Recording { step: Record::Leftovers, forced, k: 1 }),
        Record::Leftovers => d.enter(Stage::Accepting { stood: Name::Tweak, k: 1 }),
    }
    Ok(())
}

/// Where a person says that the thing is.
pub fn located(d: &mut Draft, at: Stage, key: &str, text: Option<&str>) -> Result<(), Refusal> {
    if key == "cancel" {
        cancelled(d);
        return Ok(());
    }
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let (Some(text), Stage::Editing { k, limited, .. }) = (text, at) else {
        return Err(Refusal::InvalidArgs { path: "/text".into(), expected: "a path" });
    };
    let hint = Some(text.into());
    d.enter(Stage::Editing { k: k + 1, limited, hint, held: false });
    Ok(())
}
