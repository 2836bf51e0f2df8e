//! Commands with data that fits a state, so that whatever the state accepts is accepted.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::bounds::own_task_id;
use super::super::command::{
    Change, Command, EndedAction, Gave, Import, ImportedAs, LegEnd, NewTask, PauseHow, Report,
    TaskPatch,
};
use super::super::event::{ActionResult, Place};
use super::super::labels::{Labels, LabelsPatch};
use super::super::owes::{lease_slot, reset_slot};
use super::super::phase::{Kind, Leg, Phase};
use super::super::state::{Body, Course, Driver, Life, Mode, State};
use super::super::task::{Origin, Run, Task, TaskMode, TaskStatus};
use super::super::validation::{CheckReport, Counts, Verdict};
use super::states::sample_settings;
use crate::call::Failure;
use crate::machine::{At, By, Said};
use crate::policy::Backing;
use crate::policy::grant::Pin;

/// Commands that fit this state, each with the label of its row.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<(&'static str, Said<Command>)> {
    let life = state.life();
    let mut all = births();
    all.extend(steering(life));
    all.extend(listing(life));
    all.extend(happenings(life));
    let at = life.map_or(At(1), |life| life.body.updated_at.plus(1));
    all.into_iter()
        .map(|(label, command)| {
            let by = if command.is_engines() { By::Engine } else { By::Person };
            let at = if label == "LeaseExpired" || label == "ResetDue" { At(u64::MAX) } else { at };
            (label, Said { by, at, command })
        })
        .collect()
}

type Labelled = (&'static str, Command);

fn births() -> Vec<Labelled> {
    let course = Course {
        driver: Driver::Engine,
        mode: Mode::Auto,
        grants: vec![],
        settings: sample_settings(),
        checks: vec![],
        backing: Backing::None,
    };
    let failed = TaskStatus::Failed { at: At(0), error: String::from("sample") };
    let import = Import {
        labels: Labels::default(),
        id: "loop-found".into(),
        source: ".loop/loop-found.json".into(),
        found: ImportedAs::Created,
        title: "Found".into(),
        description: "Found".into(),
        max_iterations: 10,
        iteration: 0,
        created_at: At(0),
        tasks: vec![task(1, TaskStatus::Pending), task(2, failed)],
        course,
        work: None,
    };
    vec![
        (
            "Create",
            Command::Create {
                id: "loop-sample".into(),
                title: "Sample".into(),
                description: String::new(),
                max_iterations: 10,
                max_iterations_ceiling: 1000,
                parent: None,
            },
        ),
        ("Import", Command::Import(Box::new(import))),
    ]
}

/// A task as a file might hold it.
fn task(n: u32, status: TaskStatus) -> Task {
    let new = new_task(None, &format!("found{n}"));
    Task {
        id: format!("task-{n:03}"),
        task_id: new.task_id,
        description: new.description,
        tool: new.tool,
        mode: new.mode,
        prompt_template: None,
        command: new.command,
        run: new.run,
        on_error: None,
        status,
        files_changed: vec![],
        created_at: At(0),
        updated_at: At(0),
        origin: Origin::Queue,
        fixes: None,
        granted: false,
        pin: new.pin,
    }
}

/// A Start of this driver that changes nothing else.
fn start(life: Option<&Life>, driver: Driver) -> Command {
    let course = life.and_then(|life| life.body.course());
    Command::Start {
        driver,
        mode: course.map_or(Mode::Auto, |course| course.mode),
        settings: Box::new(course.map_or_else(sample_settings, |course| course.settings.clone())),
        checks: course.map(|course| course.checks.clone()).unwrap_or_default(),
        programs: Vec::new(),
        busy_with: None,
    }
}

fn steering(life: Option<&Life>) -> Vec<Labelled> {
    let mode = match life.and_then(|life| life.body.course()).map(|course| course.mode) {
        Some(Mode::Auto) => Mode::Interactive,
        Some(Mode::Interactive) | None => Mode::Auto,
    };
    let edit = Command::Edit {
        title: Some("New title".into()),
        description: None,
        max_iterations: None,
        max_iterations_ceiling: 1000,
        labels: LabelsPatch::default(),
    };
    vec![
        ("Edit", edit),
        ("Start Engine", start(life, Driver::Engine)),
        ("Start External", start(life, Driver::External { runner: None })),
        ("Pause", Command::Pause { how: PauseHow::Finish }),
        ("Pause now", Command::Pause { how: PauseHow::Now }),
        ("Resume", Command::Resume { busy_with: None }),
        ("Retry", Command::Retry { busy_with: None }),
        ("Stop", Command::Stop { why: None }),
        ("Reopen", Command::Reopen { busy_with: None }),
        ("Complete", Command::Complete { force: None }),
        ("Complete forced", Command::Complete { force: Some("shown to the team".into()) }),
        ("Answer", answer(life)),
        ("SetMode", Command::SetMode { mode }),
        ("Delete", Command::Delete),
    ]
}

fn answer(life: Option<&Life>) -> Command {
    let (q, key) = match life.map(|life| &life.phase) {
        Some(Phase::Choosing { q }) => (*q, "exit"),
        Some(Phase::Paused(paused)) => (paused.q.unwrap_or(0), "stop"),
        Some(
            Phase::Created
            | Phase::Acting(_)
            | Phase::Lent { .. }
            | Phase::Completed { .. }
            | Phase::Failed { .. },
        )
        | None => (0, "exit"),
    };
    Command::Answer { q, key: key.into(), text: None, hash: None, task_id: String::new() }
}

fn new_task(life: Option<&Life>, word: &str) -> NewTask {
    let (loop_id, next) = life.map_or(("", 1), |life| (&life.body.id, life.body.next_task));
    NewTask {
        task_id: own_task_id(loop_id, &format!("{word}-{next}"), 0),
        description: "One more".into(),
        tool: "bash".into(),
        mode: TaskMode::Write,
        prompt_template: None,
        command: Some("true".into()),
        run: Some(Run::Argv(vec!["true".into()])),
        on_error: None,
        origin: Origin::Queue,
        pin: Pin::default(),
    }
}

fn listing(life: Option<&Life>) -> Vec<Labelled> {
    let none = String::from("task-000");
    let first = |wanted: fn(&TaskStatus) -> bool| {
        let found = life.and_then(|life| life.body.listed().find(|task| wanted(&task.status)));
        found.map_or_else(|| none.clone(), |task| task.id.clone())
    };
    let pending = first(|status| matches!(status, TaskStatus::Pending));
    let failed = first(|status| matches!(status, TaskStatus::Failed { .. }));
    let any = first(|_| true);
    let patch = TaskPatch { description: Some("Other words".into()), ..TaskPatch::default() };
    vec![
        ("AddTask", Command::AddTask { task: new_task(life, "added"), place: Place::Last }),
        ("EditTask", Command::EditTask { task: pending.clone(), patch }),
        ("RemoveTask", Command::RemoveTask { task: pending }),
        ("ReorderTasks", Command::ReorderTasks { tasks: vec![any] }),
        ("RequeueTask", Command::RequeueTask { task: failed }),
    ]
}

fn happenings(life: Option<&Life>) -> Vec<Labelled> {
    let action = life.and_then(|life| life.phase.action());
    let n = action.map_or(1, |action| action.n);
    let leg = action.and_then(|action| action.leg()).cloned().unwrap_or(Leg::Work);
    let failure = |code: &str| Failure {
        code: code.into(),
        kind: String::new(),
        detail: String::from("sample"),
    };
    let ended = |end| Command::LegEnded { n, leg: leg.clone(), end };
    let files_changed = vec![];
    let failed = LegEnd::Failed { failure: failure("E_BUILD_FAIL"), files_changed };
    let blocked = LegEnd::Blocked { failure: failure("E001"), reset_at: None };
    vec![
        (
            "LegBegan",
            Command::LegBegan { n, leg: leg.clone(), child: "call-sample".into(), head: None },
        ),
        ("LegEnded ok", ended(LegEnd::Ok(gave(life.map(|life| &life.body), &leg)))),
        ("LegEnded failed", ended(failed)),
        ("LegEnded blocked", ended(blocked)),
        ("LegEnded cancelled", ended(LegEnd::Cancelled)),
        ("Report", report(vec![Change::TaskAdded(new_task(life, "told"))], vec![])),
        ("Report ended", report(vec![], vec![develop_ended()])),
        ("Signal", Command::Signal { runner: "skill".into() }),
        ("LeaseExpired", Command::Timeout { slot: lease(life) }),
        ("ResetDue", Command::Timeout { slot: reset(life) }),
        ("ViewsRemoved", Command::ViewsRemoved),
    ]
}

fn develop_ended() -> EndedAction {
    EndedAction { kind: Kind::Develop, result: ActionResult::Ok, summary: String::new() }
}

fn report(changes: Vec<Change>, ended: Vec<EndedAction>) -> Command {
    Command::Report(Box::new(Report { runner: None, base_rev: None, changes, ended }))
}

fn lease(life: Option<&Life>) -> String {
    match life.map(|life| &life.phase) {
        Some(Phase::Lent { n, .. }) => lease_slot(*n),
        Some(
            Phase::Created
            | Phase::Acting(_)
            | Phase::Choosing { .. }
            | Phase::Paused(_)
            | Phase::Completed { .. }
            | Phase::Failed { .. },
        )
        | None => lease_slot(0),
    }
}

fn reset(life: Option<&Life>) -> String {
    let reset = match life.map(|life| &life.phase) {
        Some(Phase::Paused(paused)) => paused.reset.and_then(|reset| reset.wake),
        Some(
            Phase::Created
            | Phase::Acting(_)
            | Phase::Choosing { .. }
            | Phase::Lent { .. }
            | Phase::Completed { .. }
            | Phase::Failed { .. },
        )
        | None => None,
    };
    reset_slot(reset.unwrap_or(0))
}

/// A good result of this leg.
fn gave(body: Option<&Body>, leg: &Leg) -> Gave {
    match leg {
        Leg::Breakdown => Gave::Tasks(vec![new_task(None, "broken-down")]),
        Leg::Work => Gave::Work { files_changed: vec![], summary: "done".into() },
        Leg::Explore => Gave::Hypotheses(vec![]),
        Leg::Instrument => Gave::Instrumented { files_changed: vec![] },
        Leg::Reproduce => Gave::Reproduced(Box::default()),
        Leg::Analyze => Gave::Analysis(vec![]),
        Leg::Restore => Gave::Restored { files_changed: vec![], left: false, kept: vec![] },
        Leg::Check(k) => Gave::Check(Box::new(green(body, *k))),
        Leg::Seal => Gave::Digest("tree".into()),
    }
}

/// A check that ran one test, and it passed.
fn green(body: Option<&Body>, k: u32) -> CheckReport {
    let checks = body.and_then(Body::course).map_or(&[][..], |course| &course.checks);
    let index = usize::try_from(k).unwrap_or(0).saturating_sub(1);
    let check = checks.get(index).cloned().unwrap_or_else(super::states::sample_check);
    CheckReport {
        id: check.id,
        argv: check.argv,
        level: check.level,
        verdict: Verdict::Passed,
        counts: Counts { total: 1, passed: 1, failed: 0, skipped: 0 },
        pass_rate_known: true,
        results: vec![],
        truncated: false,
        exit_code: Some(0),
        duration_ms: 1,
        digest_before: "tree".into(),
        digest_after: "tree".into(),
        definition_hash: check.definition_hash,
        coverage_tenths: None,
        covered: vec![],
    }
}
