//! The choice against its table, read once more: a million random bodies, each with exactly the
//! answer of the first line that is true of it. The lines are read here from the body alone, and
//! not by what the choice itself is made of.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::super::*;
use super::invariants::Dice;
use super::world::*;
use crate::machine::At;

const BODIES: u64 = 1_000_000;
/// A body never has more tasks than this here.
const TASKS: u64 = 4;

/// What the random bodies are made of.
struct Kit {
    task: Task,
    verdicts: Vec<Validation>,
    /// The signature of the failed tests of a red one.
    tests_sig: String,
}

fn small(dice: &mut Dice, sides: u64) -> u32 {
    u32::try_from(dice.roll(sides)).unwrap_or(0)
}

/// A loop whose first validation ended so.
fn validated(end: LegEnd) -> World {
    let mut world = World::started(Setup::default());
    world.good();
    world.end(end);
    world
}

fn kit() -> (Body, Kit) {
    let red = validated(red());
    let body = red.body().clone();
    let found = body.work().and_then(|work| work.validation.clone()).expect("it was validated");
    let tests_sig = problem(&body).expect("red").sig;
    let all = [
        Verdict::Failed,
        Verdict::DefinitionChanged,
        Verdict::NoTests,
        Verdict::Unparsed,
        Verdict::CoverageBelow,
        Verdict::Passed,
        Verdict::Accepted,
    ];
    let verdicts = all.map(|verdict| Validation { verdict, ..found.clone() }).into();
    let task = body.tasks[0].as_ref().clone();
    (body, Kit { task, verdicts, tests_sig })
}

fn task(dice: &mut Dice, kit: &Kit, n: u64) -> Arc<Task> {
    let status = match dice.roll(5) {
        0 => TaskStatus::Pending,
        1 => TaskStatus::InProgress,
        2 => TaskStatus::Failed { at: At(1), error: "no".into() },
        _ => TaskStatus::Completed { at: At(1) },
    };
    let origin = match dice.roll(4) {
        0 => Origin::Fix,
        1 => Origin::Tests,
        2 => Origin::Outside,
        _ => Origin::Queue,
    };
    let fixes = (dice.roll(2) == 0).then(|| format!("task:t{}", dice.roll(TASKS)));
    Arc::new(Task { id: format!("t{n}"), status, origin, fixes, ..kit.task.clone() })
}

/// Makes another body of it.
fn shake(dice: &mut Dice, body: &mut Body, kit: &Kit) {
    body.errors_in_row = small(dice, 4);
    body.iteration = small(dice, 4);
    body.max_iterations = 1 + small(dice, 4);
    let tasks = dice.roll(TASKS);
    body.tasks = (0..tasks).map(|n| task(dice, kit, n)).collect();
    body.rounds.clear();
    for sig in ["task:t0", "task:t1", &kit.tests_sig] {
        let rounds = Rounds { debug: small(dice, 3), fix: small(dice, 3) };
        body.rounds.insert(sig.into(), rounds);
    }
    let Progress::Ready { course, work } = &mut body.progress else { return };
    course.settings.error_limit = 2 + small(dice, 3);
    course.settings.debug_rounds_max = small(dice, 3);
    course.settings.fix_tasks_max = small(dice, 3);
    course.settings.on_no_tests =
        if dice.roll(3) == 0 { OnNoTests::Ask } else { OnNoTests::AddTask };
    let one = usize::try_from(dice.roll(8)).unwrap_or(0);
    work.validation = kit.verdicts.get(one).cloned();
    if let Some(found) = &mut work.validation {
        found.fresh = dice.roll(4) > 0;
    }
    work.debug.restore_owed = (dice.roll(10) == 0).then(|| "turn-1".into());
    work.tests_task = match dice.roll(3) {
        0 => Some(Verdict::NoTests),
        1 => Some(Verdict::CoverageBelow),
        _ => None,
    }
    .map(|verdict| TestsTask { id: "t9".into(), verdict });
}

/// The lines of the table that are true of a body, in their order.
fn lines(body: &Body, kit: &Kit) -> [bool; 11] {
    let course = body.course().expect("it was started");
    let settings = &course.settings;
    let work = body.work();
    let fresh = work.and_then(|work| {
        let found = work.validation.as_ref()?;
        (found.fresh && work.debug.restore_owed.is_none()).then_some(found.verdict)
    });
    let completed = |task: &&Arc<Task>| matches!(task.status, TaskStatus::Completed { .. });
    let fixed: Vec<&str> =
        body.tasks.iter().filter(completed).filter_map(|task| task.fixes.as_deref()).collect();
    let open = body.tasks.iter().find(|task| {
        matches!(task.status, TaskStatus::Failed { .. })
            && !matches!(task.origin, Origin::Fix | Origin::Tests)
            && !fixed.contains(&format!("task:{}", task.id).as_str())
    });
    let waits =
        |task: &Arc<Task>| matches!(task.status, TaskStatus::Pending | TaskStatus::InProgress);
    let pending = body.tasks.iter().any(waits);
    let passed = matches!(fresh, Some(Verdict::Passed | Verdict::Accepted));
    let red = (fresh == Some(Verdict::Failed)).then(|| kit.tests_sig.clone());
    let sig = open.map(|task| format!("task:{}", task.id)).or(red);
    let spent = sig.as_ref().and_then(|sig| body.rounds.get(sig)).copied().unwrap_or_default();
    let few = matches!(fresh, Some(Verdict::NoTests | Verdict::CoverageBelow));
    let answered = work.and_then(|work| work.tests_task.as_ref()).map(|task| task.verdict);
    [
        body.errors_in_row >= settings.error_limit,
        work.is_none(),
        !pending && open.is_none() && passed,
        body.iteration >= body.max_iterations,
        pending,
        sig.is_some() && spent.debug < settings.debug_rounds_max,
        sig.is_some() && spent.fix < settings.fix_tasks_max,
        sig.is_some(),
        fresh.is_none(),
        few && settings.on_no_tests == OnNoTests::AddTask && answered != fresh,
        true,
    ]
}

/// What auto does by each line.
const AUTO: [&str; 11] = [
    "failed(error)",
    "init",
    "complete",
    "failed(limit)",
    "develop",
    "debug",
    "append",
    "paused(stuck)",
    "validate",
    "append",
    "paused(unverified)",
];

fn word(choice: &Choice) -> String {
    match choice {
        Choice::Act { kind, .. } => kind.word().into(),
        Choice::Append { .. } => "append".into(),
        Choice::Menu => "menu".into(),
        Choice::Lend => "lent".into(),
        Choice::Pause { reason, .. } => format!("paused({})", reason.word()),
        Choice::Fail { kind, .. } => format!("failed({})", kind.word()),
        Choice::Unstarted => "unstarted".into(),
    }
}

#[test]
fn invariant_choice_total() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let (ready, kit) = kit();
    let begun = World::started(Setup { tasks: 0, ..Setup::default() }).body().clone();
    assert!(begun.work().is_none(), "its init is under way");
    let mut bodies = Box::new([ready, begun]);
    let mut met = [0_u64; 11];
    for n in 0..BODIES {
        let body = &mut bodies[usize::from(n % 16 == 0)];
        shake(&mut dice, body, &kit);
        let first = lines(body, &kit).into_iter().position(|line| line).expect("the last is true");
        let chosen = choose(body);
        let rule = format!("A{}", first + 1);
        assert_eq!(chosen.rule.word(), rule, "body {n}");
        assert_eq!(word(&chosen.choice), AUTO[first], "body {n}");
        met[first] += 1;
    }
    assert!(met.iter().all(|count| *count > 100), "each line is met: {met:?}");
}
