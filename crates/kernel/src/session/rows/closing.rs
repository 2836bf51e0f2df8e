//! The end of DEVELOP: what was changed is looked at, tested, recorded and archived, step by step;
//! then the flow is accepted. A step that this build does not have is passed over.

use alloc::format;
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::asked::Kind;
use super::super::bounds::TEST_FIXES_MAX;
use super::super::draft::Draft;
use super::super::ended::{Gave, Outcome, Report, Tests, TurnEnd};
use super::super::event::Event;
use super::super::job::Found;
use super::super::refusal::Refusal;
use super::super::stage::{Name, Record, Stage, Tested};
use super::super::state::{Verdict, Waiver};
use super::evaluate::cancelled;
use super::shared;
use crate::loops::Check;

/// What was changed is looked at for risks.
pub const SECURITY: u8 = 8;
/// The project's tests.
pub const TESTS: u8 = 9;
/// The knowledge base.
pub const SYNC: u8 = 10;
/// The CHANGELOG.
pub const CHANGELOG: u8 = 11;
/// The marks of the tasks, by which the archive knows how it ended.
pub const MARKS: u8 = 12;
/// The archive.
pub const ARCHIVE: u8 = 14;
/// What else lies in plan/.
pub const LEFTOVERS: u8 = 15;

/// Goes on to a step, past those that are not there.
pub fn enter(d: &mut Draft, step: u8) {
    let skipped = d.flow().is_some_and(|flow| flow.kb_skipped == Some(true));
    match step {
        SYNC if skipped => {
            d.note("kb_skipped");
            enter(d, CHANGELOG);
        }
        TESTS => test(d, Tested::Closing { fixes: 0 }),
        MARKS if d.flow().is_none_or(|flow| flow.developed.is_none()) => enter(d, ARCHIVE),
        13 => enter(d, ARCHIVE),
        16.. => d.enter(Stage::Accepting { stood: Name::Develop, k: 1 }),
        _own_call => d.enter(Stage::Closing { step, k: 1, fixes: 0 }),
    }
}

/// A package without tasks is told in the CHANGELOG, unless the base is switched off, and archived.
pub fn enter_overview(d: &mut Draft) {
    let off = d.flow().is_some_and(|flow| flow.setup.kb_mode == 0);
    enter(d, if off { ARCHIVE } else { CHANGELOG });
}

/// How a step ended.
pub fn closed(
    d: &mut Draft,
    (step, k, fixes): (u8, u32, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let here = Stage::Closing { step, k, fixes };
    let gave = match outcome {
        Outcome::Ok(gave) => *gave,
        Outcome::Failed(failure) => {
            shared::retry(d, here, k, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            d.interrupt(here, "stopped".into());
            return Ok(());
        }
    };
    match step {
        SECURITY => {
            let Gave::Risks(risks) = gave else { return Err(shared::misfit()) };
            let risks = shared::unaccepted(d, risks);
            if risks.is_empty() { enter(d, TESTS) } else { shared::hold(d, here, risks) }
        }
        _call => {
            if let Gave::Report(report) = &gave
                && !report.success
            {
                shared::retry(d, here, k, shared::why(report));
                return Ok(());
            }
            shared::warned(d, &gave);
            let slot = format!("close/{step}");
            d.push(Event::StepDone { slot, told: told(gave) });
            enter(d, step + 1);
        }
    }
    Ok(())
}

/// Runs the project's tests.
pub fn test(d: &mut Draft, of: Tested) {
    let k = d.life.body.questions + 1;
    d.enter(Stage::Testing { of, checks: None, so_far: Tests::default(), k });
}

/// Which checks there are, or what one of them showed.
pub fn tested(
    d: &mut Draft,
    (of, checks, so_far, k): (Tested, Option<Vec<Check>>, Tests, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let gave = match outcome {
        Outcome::Ok(gave) => *gave,
        Outcome::Failed(failure) => {
            let here = Stage::Testing { of, checks, so_far, k };
            d.interrupt(here, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            let here = Stage::Testing { of, checks, so_far, k };
            d.interrupt(here, "stopped".into());
            return Ok(());
        }
    };
    let (checks, so_far) = match (checks, gave) {
        (None, Gave::Found(Found::Test { checks })) => (checks, so_far),
        (Some(checks), Gave::Tests(one)) => {
            let Some(check) = checks.get(so_far.ran.len()) else { return Err(shared::misfit()) };
            let so_far = so_far.with(one, check);
            (checks, so_far)
        }
        (None | Some(_), _) => return Err(shared::misfit()),
    };
    if so_far.ran.len() < checks.len() && !so_far.timed_out {
        d.enter(Stage::Testing { of, checks: Some(checks), so_far, k });
    } else {
        shown(d, of, so_far);
    }
    Ok(())
}

/// What all of them showed.
fn shown(d: &mut Draft, of: Tested, tests: Tests) {
    let red = !tests.ran.is_empty() && !tests.green;
    for finding in tests.findings() {
        d.note(finding);
    }
    match of {
        Tested::Closing { fixes } if red => {
            let about = json!({ "failed": tests.failed, "errors": tests.errors });
            let all: &[&str] = &["fix", "skip", "stop"];
            let options = if fixes < TEST_FIXES_MAX { all } else { &all[1..] };
            let q = d.ask(Kind::TestBlocking, options, about);
            d.enter(Stage::CloseAsk { step: TESTS, fixes, q });
        }
        Tested::Closing { .. } => {
            if tests.ran.is_empty() {
                d.note("no_tests");
            }
            enter(d, SYNC);
        }
        // After a tweak none is needed, and one that takes too long is passed over.
        Tested::Recording { forced } => {
            if red && !tests.timed_out {
                d.note("quick_tests_failed");
            }
            d.enter(Stage::Recording { step: Record::Changelog, forced, k: 1 });
        }
    }
}

fn told(gave: Gave) -> Value {
    match gave {
        Gave::Report(Report { told, .. }) | Gave::Done(told) | Gave::Value(told) => told,
        Gave::Packages(list) => json!({ "packages": list }),
        Gave::Kb(_)
        | Gave::Words(_)
        | Gave::Checked(_)
        | Gave::Developed(_)
        | Gave::Turned(_)
        | Gave::Tests(_)
        | Gave::Risks(_)
        | Gave::Found(_) => Value::Null,
    }
}

/// What a person answered at the end of DEVELOP.
pub fn answered(d: &mut Draft, (step, fixes): (u8, u32), about: &Value, key: &str) {
    match (step, key) {
        (7, "continue") => enter(d, SECURITY),
        (TESTS, "fix") => {
            let errors: Vec<&str> = about["errors"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            d.enter(Stage::Fixing { fixes: fixes + 1, why: errors.join("\n") });
        }
        (TESTS, "skip") => {
            let (by, at) = (d.by.clone(), d.at);
            let waiver = Waiver { what: "test".into(), score: None, by, at };
            d.push(Event::Waived { waiver });
            enter(d, SYNC);
        }
        _stop => cancelled(d),
    }
}

/// How a fix of blocking tests ended: they are run again in any case.
pub fn fixed(d: &mut Draft, fixes: u32, outcome: Outcome) -> Result<(), Refusal> {
    match outcome {
        Outcome::Ok(gave) => {
            let Gave::Turned(turned) = *gave else { return Err(shared::misfit()) };
            if turned.end != TurnEnd::Completed {
                d.note(format!("fix_failed: {fixes}"));
            }
            d.push(Event::Changed { paths: turned.changed, run: Some(turned.run) });
        }
        Outcome::Failed(failure) => d.note(format!("fix_failed: {fixes} {}", failure.code)),
        Outcome::Stopped => d.note(format!("fix_failed: {fixes}")),
    }
    test(d, Tested::Closing { fixes });
    Ok(())
}

/// The flow is accepted, or not.
pub fn accepted(d: &mut Draft, (stood, k): (Name, u32), outcome: Outcome) -> Result<(), Refusal> {
    let told = match outcome {
        Outcome::Ok(gave) => {
            let Gave::Done(told) = *gave else { return Err(shared::misfit()) };
            told
        }
        Outcome::Failed(failure) => {
            shared::retry(d, Stage::Accepting { stood, k }, k, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            d.interrupt(Stage::Accepting { stood, k }, "stopped".into());
            return Ok(());
        }
    };
    let verdict = d.flow().map_or(Verdict::Failed, verdict);
    d.push(Event::FlowAccepted { verdict, told });
    match verdict {
        Verdict::Failed => d.fail("acceptance"),
        Verdict::Passed | Verdict::Partial => d.complete(Some(verdict)),
    }
    Ok(())
}

/// What a flow came to. Auto mode skips confirmations, never this.
#[must_use]
pub fn verdict(flow: &super::super::state::Flow) -> Verdict {
    let (done, undone) =
        flow.developed.as_ref().map_or((1, 0), |end| (end.done.len(), end.undone.len()));
    let mention = |finding: &&alloc::string::String| finding.starts_with("mention:");
    let warned = flow.findings.iter().any(|finding| !mention(&finding));
    if done == 0 && undone > 0 {
        Verdict::Failed
    } else if undone > 0 || warned || !flow.waivers.is_empty() {
        Verdict::Partial
    } else {
        Verdict::Passed
    }
}
