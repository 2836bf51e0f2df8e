//! DEVELOP: which package, whether it may be run, the driver that runs it, and how that ended.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::bounds::PACKAGE_CHANGED;
use super::super::draft::Draft;
use super::super::ended::{Checked, DevelopEnd, Developed, Gave, Listed, Outcome};
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::setup::Driver;
use super::super::stage::{Approval, Gather, Marks, Name, Stage};
use super::super::state::{How, Mode, Origin, Package};
use super::evaluate::{before, cancelled};
use super::{closing, shared};

/// Why a package that was named cannot be picked.
const UNPICKABLE: [&str; 2] = ["package_in_use", "package_archived"];

/// The packages that are there.
pub fn listed(
    d: &mut Draft,
    (named, k): (Option<String>, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let list = match outcome {
        Outcome::Ok(gave) => {
            let Gave::Packages(list) = *gave else { return Err(shared::misfit()) };
            list
        }
        // That the named one is somebody else's or archived stays so.
        Outcome::Failed(failure) if UNPICKABLE.contains(&failure.code.as_str()) => {
            let told = json!({ "code": failure.code, "detail": failure.detail });
            d.push(Event::StepDone { slot: "list".into(), told });
            d.fail(&failure.code);
            return Ok(());
        }
        Outcome::Failed(failure) => {
            shared::retry(d, Stage::Listing { named, k }, k, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            d.interrupt(Stage::Listing { named, k }, "stopped".into());
            return Ok(());
        }
    };
    let fits = |one: &&Listed| named.as_ref().is_none_or(|name| one.name.contains(name.as_str()));
    let exact = list.iter().find(|one| named.as_ref() == Some(&one.name));
    let fitting: Vec<Listed> = exact
        .map_or_else(|| list.iter().filter(fits).cloned().collect(), |one| [one.clone()].into());
    match fitting.as_slice() {
        [] => d.fail("no_package"),
        [one] => pick(d, one),
        _several => several(d, fitting),
    }
    Ok(())
}

fn several(d: &mut Draft, list: Vec<Listed>) {
    let keys: Vec<String> = (1..=list.len()).map(|n| format!("package_{n}")).collect();
    let mut options: Vec<&str> = keys.iter().map(String::as_str).collect();
    options.push("cancel");
    let given = before(d, Kind::PackagePick);
    let q = d.ask(Kind::PackagePick, &options, json!({ "packages": list }));
    let id = q.id.clone();
    d.enter(Stage::Picking { list: list.clone(), q });
    if let Some(key) = given.filter(|key| keys.contains(key)) {
        let by = d.by.clone();
        d.push(Event::QuestionAnswered { id, key: key.clone(), text: None, by });
        picked(d, &list, &key);
    }
}

/// Which package a person picked.
pub fn picked(d: &mut Draft, list: &[Listed], key: &str) {
    let n = key.strip_prefix("package_").and_then(|n| n.parse::<usize>().ok());
    match n.and_then(|n| list.get(n.checked_sub(1)?)) {
        Some(one) => pick(d, one),
        None => cancelled(d),
    }
}

fn pick(d: &mut Draft, one: &Listed) {
    let package = Package { name: one.name.clone(), path: one.path.clone() };
    d.push(Event::PackagePicked { package });
    d.enter(Stage::Opening { approval: None, marks: None, k: 1 });
}

/// How the package stands that is to be run.
pub fn opened(
    d: &mut Draft,
    (approval, marks, k): (Option<Approval>, Option<Marks>, u32),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let here = Stage::Opening { approval: approval.clone(), marks, k };
    let Some(gave) = shared::gave(d, &here, k, outcome) else { return Ok(()) };
    let Gave::Checked(checked) = gave else { return Err(shared::misfit()) };
    let shown = approval.as_ref().and_then(|approval| approval.hash.as_ref());
    if shown.is_some_and(|shown| *shown != checked.hash) {
        d.push(Event::PackageChanged { hash: checked.hash.clone() });
        d.enter(Stage::Checking { k: k + 1 });
        return Ok(());
    }
    if checked.overview {
        overview(d, checked, Shows::Place);
        return Ok(());
    }
    if checked.foreign_marks && marks.is_none() {
        let about = json!({ "name": checked.name });
        let q = d.ask(Kind::Markers, &["failed", "done", "cancel"], about);
        d.enter(Stage::AskMarkers { q, approval });
        return Ok(());
    }
    if checked.adopt {
        mark(d, approval, marks);
        return Ok(());
    }
    if !checked.executable {
        let told = json!({ "name": checked.name, "issues": checked.issues });
        d.push(Event::StepDone { slot: "open".into(), told });
        d.fail("package_not_executable");
        return Ok(());
    }
    run(d, checked, approval);
    Ok(())
}

/// What a question about an overview shows of it.
enum Shows {
    Place,
    Text,
}

fn overview(d: &mut Draft, checked: Box<Checked>, shows: Shows) {
    if d.flow().is_some_and(|flow| flow.mode == Mode::AutoFull) {
        closing::enter_overview(d);
        return;
    }
    let mut about = json!({ "name": checked.name, "path": checked.path });
    if let Shows::Text = shows {
        about["text"] = json!(checked.text);
    }
    let q = d.ask(Kind::Overview, &["archive", "view", "cancel"], about);
    d.enter(Stage::AskType { checked, q });
}

/// What a person answered about a package that has nothing to run.
pub fn overview_answered(d: &mut Draft, checked: Box<Checked>, key: &str) {
    match key {
        "archive" => closing::enter_overview(d),
        "view" => overview(d, checked, Shows::Text),
        _cancel => cancelled(d),
    }
}

/// How a person reads marks that can be read both ways.
pub fn marks_answered(d: &mut Draft, approval: Option<Approval>, key: &str) {
    let marks = match key {
        "failed" => Marks::Failed,
        "done" => Marks::Done,
        _cancel => return cancelled(d),
    };
    mark(d, approval, Some(marks));
}

/// Has the marks rewritten.
fn mark(d: &mut Draft, approval: Option<Approval>, marks: Option<Marks>) {
    let n = d.flow().map_or(0, |flow| flow.adopted) + 1;
    d.enter(Stage::Marking { approval, marks, n, k: 1 });
}

/// The marks are ours now. What was approved is the same package with its marks rewritten, as the
/// hands say; whatever else has changed meanwhile is found by the next look.
pub fn marked(d: &mut Draft, here: Stage, outcome: Outcome) -> Result<(), Refusal> {
    let Stage::Marking { approval, k, .. } = here.clone() else { return Err(shared::misfit()) };
    let Some(gave) = shared::gave(d, &here, k, outcome) else { return Ok(()) };
    let Gave::Report(report) = gave else { return Err(shared::misfit()) };
    if !report.success {
        shared::retry(d, here, k, shared::why(&report));
        return Ok(());
    }
    let hash = report.told["context"]["hash"].as_str().map(Into::into);
    let approval = approval.map(|given| Approval { hash, ..given });
    d.enter(Stage::Opening { approval, marks: None, k: 1 });
    Ok(())
}

/// The question by whose answer a flow goes on, and who answered it.
pub fn consent(d: &Draft, unknown: &str) -> (String, String) {
    let given = d.flow().and_then(|flow| flow.consent.clone());
    given.map_or_else(|| (unknown.into(), d.by.clone()), |given| (given.question, given.by))
}

/// Hands the package over to the driver, under a yes to exactly this package.
fn run(d: &mut Draft, checked: Box<Checked>, approval: Option<Approval>) {
    let Some(flow) = d.flow() else { return };
    let held = flow.current.is_some();
    if flow.kb_skipped.is_none() {
        d.enter(Stage::Gathering { part: Gather::Kb, k: 1, stood: Name::Develop });
        return;
    }
    // Typing ~exec is the word by which exactly the package that is found then is run.
    let (question, by) = match flow.origin {
        Origin::Exec => ("~exec".into(), flow.by.clone()),
        Origin::Auto | Origin::Plan | Origin::Words => consent(d, "design_done"),
    };
    if !held {
        let package = Package { name: checked.name.clone(), path: checked.path.clone() };
        d.push(Event::PackagePicked { package });
    }
    let hash = checked.hash.clone();
    let approval = approval.unwrap_or(Approval { question, hash: Some(hash.clone()), by });
    d.push(Event::PackageApproved { hash, by: approval.by.clone() });
    d.enter(Stage::Running { approval, checked, held: false });
}

/// A loop knows nothing of the package's tasks: they are done when it has ended validated.
fn of_loop(running: &Stage, told: Developed) -> Developed {
    let Stage::Running { checked, .. } = running else { return told };
    let ids = checked.tasks.iter().map(|task| task.id.clone()).collect();
    let failed = Vec::new();
    match told.end {
        DevelopEnd::Completed => Developed { done: ids, undone: Vec::new(), failed, ..told },
        DevelopEnd::Partial | DevelopEnd::Aborted | DevelopEnd::RolledBack => {
            Developed { done: Vec::new(), undone: ids, failed, ..told }
        }
    }
}

/// What was approved is not what lies there now, and nothing has begun: it is opened once more,
/// under the approval that no longer fits.
fn reopened(d: &mut Draft, running: Stage) -> Result<(), Refusal> {
    let Stage::Running { approval, checked, .. } = running else { return Err(shared::misfit()) };
    let approval = Approval { hash: Some(checked.hash), ..approval };
    d.enter(Stage::Opening { approval: Some(approval), marks: None, k: 1 });
    Ok(())
}

/// How DEVELOP ended.
pub fn developed(d: &mut Draft, here: Stage, outcome: Outcome) -> Result<(), Refusal> {
    let developed = match outcome {
        Outcome::Ok(gave) => {
            let Gave::Developed(developed) = *gave else { return Err(shared::misfit()) };
            developed
        }
        Outcome::Failed(failure) if failure.code == PACKAGE_CHANGED => return reopened(d, here),
        Outcome::Failed(failure) => {
            d.interrupt(here, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            cancelled(d);
            return Ok(());
        }
    };
    let developed = match d.flow().map(|flow| flow.setup.driver) {
        Some(Driver::Loop) => of_loop(&here, developed),
        Some(Driver::Lifecycle) | None => developed,
    };
    let Developed { end, undone, .. } = developed.clone();
    d.push(Event::Developed { developed });
    match end {
        DevelopEnd::Completed => closing::enter(d, 8),
        DevelopEnd::Partial if d.flow().is_some_and(|flow| flow.mode == Mode::AutoFull) => {
            d.note(format!("tasks_undone: {}", undone.join(", ")));
            closing::enter(d, 8);
        }
        DevelopEnd::Partial => {
            d.note(format!("tasks_undone: {}", undone.join(", ")));
            let about = json!({ "undone": undone });
            let q = d.ask(Kind::Failures, &["continue", "stop"], about);
            d.enter(Stage::CloseAsk { step: 7, fixes: 0, q });
        }
        DevelopEnd::Aborted => d.cancel(How::Cancelled { by: "child".into() }),
        DevelopEnd::RolledBack => d.fail("rolled_back"),
    }
    Ok(())
}
