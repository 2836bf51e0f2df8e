//! DESIGN: a draft by an agent, the package that is written from it, its gate, and a person's yes.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::bounds::{PACKAGE_FIXES_MAX, RETHINKS_MAX};
use super::super::draft::Draft;
use super::super::ended::{Checked, Gave, Outcome, Report};
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::risk;
use super::super::stage::{Approval, Name, Stage};
use super::super::state::{Mode, Package};
use super::evaluate::{cancelled, develops};
use super::{closing, develop, join, shared};

/// A draft, or none.
pub fn drafted(
    d: &mut Draft,
    (round, wish, k): (u32, Option<String>, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let again = |k| Stage::Drafting { round, wish: wish.clone(), k };
    match outcome {
        Outcome::Ok(gave) => {
            let Gave::Value(draft) = *gave else { return Err(shared::misfit()) };
            d.push(Event::Drafted { round });
            d.enter(Stage::Writing { draft, k: round });
        }
        Outcome::Failed(_) if k < RETHINKS_MAX => d.enter(again(k + 1)),
        Outcome::Failed(failure) => d.interrupt(again(k), shared::cause(&failure)),
        Outcome::Stopped => d.interrupt(again(k), "stopped".into()),
    }
    Ok(())
}

/// A package, or none.
pub fn written(
    d: &mut Draft,
    (draft, k): (serde_json::Value, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let here = Stage::Writing { draft, k };
    match outcome {
        Outcome::Ok(gave) => {
            let Gave::Report(report) = *gave else { return Err(shared::misfit()) };
            match named(&report).filter(|_| report.success) {
                Some(package) => {
                    d.push(Event::PackageCreated { package });
                    d.enter(Stage::Checking { k: 1 });
                }
                None => d.interrupt(here, shared::why(&report)),
            }
        }
        Outcome::Failed(failure) => d.interrupt(here, shared::cause(&failure)),
        Outcome::Stopped => d.interrupt(here, "stopped".into()),
    }
    Ok(())
}

fn named(report: &Report) -> Option<Package> {
    let context = &report.told["context"];
    let name = context["package"].as_str()?.to_string();
    let path = context["path"].as_str()?.to_string();
    Some(Package { name, path })
}

/// Words that joined the task are drafted with all that was said before.
pub fn drafted_anew(d: &mut Draft, words: &str) {
    let round = next_round(d);
    d.enter(Stage::Drafting { round, wish: Some(words.into()), k: 1 });
}

/// How the package stands. One that was drafted before the last words is drafted anew.
pub fn checked(d: &mut Draft, k: u32, outcome: Outcome) -> Result<(), Refusal> {
    let here = Stage::Checking { k };
    if let Some(words) = late(d) {
        drafted_anew(d, &words);
        join::risks(d, &words);
        return Ok(());
    }
    let Some(gave) = shared::gave(d, &here, k, outcome) else { return Ok(()) };
    let Gave::Checked(checked) = gave else { return Err(shared::misfit()) };
    let Checked { valid, executable, hash, issues, .. } = (*checked).clone();
    d.push(Event::PackageChecked { valid, executable, hash, issues });
    let risks = shared::unaccepted(d, in_tasks(d, &checked));
    if !risks.is_empty() {
        shared::hold(d, here, risks);
        return Ok(());
    }
    if valid && (executable || checked.overview) {
        passed(d, checked);
    } else {
        let fixes = d.flow().map_or(0, |flow| flow.gated);
        let all: &[&str] = if valid { &["fix", "force", "stop"] } else { &["fix", "stop"] };
        let keys = if fixes < PACKAGE_FIXES_MAX && drafts(d) { all } else { &all[1..] };
        let about = json!({ "name": checked.name, "issues": checked.issues });
        let q = d.ask(Kind::PackageGate, keys, about);
        d.enter(Stage::Gated { checked, fixes, q });
    }
    Ok(())
}

/// What was said while the package was written.
fn late(d: &Draft) -> Option<String> {
    let words = d.flow()?.since_draft().join("\n");
    (!words.is_empty()).then_some(words)
}

fn in_tasks(d: &Draft, checked: &Checked) -> Vec<risk::Risk> {
    let extra = d.flow().map(|flow| flow.setup.extra.clone()).unwrap_or_default();
    let tasks = checked.tasks.iter();
    tasks.flat_map(|task| risk::in_task(&task.id, &task.title, &extra)).collect()
}

/// A package that passed its gate goes where its mode leads.
fn passed(d: &mut Draft, checked: Box<Checked>) {
    let Some(flow) = d.flow() else { return };
    match (flow.mode, checked.overview) {
        (Mode::Interactive, _) => approve(d, checked),
        (Mode::AutoFull, true) => closing::enter_overview(d),
        (Mode::AutoFull, false) => {
            let hash = Some(checked.hash.clone());
            let (question, by) = develop::consent(d, "complexity");
            let approval = Approval { question, hash, by };
            d.enter(Stage::Opening { approval: Some(approval), marks: None, k: 1 });
        }
        (Mode::AutoPlan, _) => d.enter(Stage::Accepting { stood: Name::Design, k: 1 }),
    }
}

/// Whether the package is this flow's own draft: another's is never drafted anew.
pub fn drafts(d: &Draft) -> bool {
    d.flow().is_some_and(|flow| flow.created.is_some())
}

fn approve(d: &mut Draft, checked: Box<Checked>) {
    let develops = d.flow().is_some_and(|flow| develops(flow.origin));
    let mut keys: Vec<&str> = match (checked.overview, develops) {
        (true, true) => ["save", "archive", "adjust", "cancel"].into(),
        (false, true) => ["run", "adjust", "cancel"].into(),
        (true | false, false) => ["save", "adjust", "cancel"].into(),
    };
    keys.retain(|key| *key != "adjust" || drafts(d));
    let about = json!({
        "name": checked.name, "path": checked.path, "tasks": checked.tasks.len(),
    });
    let q = d.ask_for(Kind::DesignDone, &keys, about, checked.hash.clone());
    d.enter(Stage::Approving { checked, q });
}

/// What a person answered about a package that did not pass.
pub fn gate_answered(d: &mut Draft, checked: Box<Checked>, key: &str) -> Result<(), Refusal> {
    match key {
        "fix" => {
            let wish = Some(checked.issues.join("\n"));
            let round = next_round(d);
            d.enter(Stage::Drafting { round, wish, k: 1 });
            Ok(())
        }
        "force" => {
            d.note(alloc::format!("package_forced: {}", checked.issues.join("; ")));
            passed(d, checked);
            Ok(())
        }
        _stop => {
            cancelled(d);
            Ok(())
        }
    }
}

/// A number that no draft of this flow has had.
fn next_round(d: &Draft) -> u32 {
    d.life.body.questions + 1
}

/// What a person answered about a package that is ready.
pub fn approved(
    d: &mut Draft,
    checked: &Checked,
    (question, key, text): (&str, &str, Option<&str>),
) -> Result<(), Refusal> {
    match key {
        "run" => {
            let (hash, by) = (checked.hash.clone(), d.by.clone());
            d.push(Event::PackageApproved { hash: hash.clone(), by: by.clone() });
            let approval = Approval { question: question.into(), hash: Some(hash), by };
            d.enter(Stage::Opening { approval: Some(approval), marks: None, k: 1 });
        }
        "save" => d.enter(Stage::Accepting { stood: Name::Design, k: 1 }),
        "archive" => closing::enter_overview(d),
        "adjust" => {
            let text = text.map(str::trim).filter(|text| !text.is_empty());
            let Some(text) = text else {
                return Err(Refusal::InvalidArgs { path: "/text".into(), expected: "words" });
            };
            let round = next_round(d);
            d.enter(Stage::Drafting { round, wish: Some(text.into()), k: 1 });
        }
        _cancel => cancelled(d),
    }
    Ok(())
}
