//! The choice: each rule in each column.

use alloc::boxed::Box;

use super::super::samples::sample_settings;
use super::super::*;
use super::world::*;

/// A body in which exactly this rule matches first.
fn body_for(rule: Rule) -> Body {
    let ask = Settings { on_no_tests: OnNoTests::Ask, ..sample_settings() };
    let spent = Settings { debug_rounds_max: 0, fix_tasks_max: 0, ..sample_settings() };
    let fixes = Settings { debug_rounds_max: 0, fix_tasks_max: 2, ..sample_settings() };
    let after = |settings: Settings, end: LegEnd| {
        let mut world = World::started(Setup { settings, ..Setup::default() });
        world.good();
        world.end(end);
        world
    };
    let passed = || LegEnd::Ok(Gave::Check(Box::new(report(Verdict::Passed, 1, 0))));
    let mut world = match rule {
        Rule::A1 | Rule::A2 => World::started(Setup { tasks: 0, ..Setup::default() }),
        Rule::A3 => after(sample_settings(), passed()),
        Rule::A4 | Rule::A5 => {
            World::started(Setup { max_iterations: 1, tasks: 2, ..Setup::default() })
        }
        Rule::A6 => after(sample_settings(), red()),
        Rule::A7 => after(fixes, red()),
        Rule::A8 => after(spent, red()),
        Rule::A9 => World::started(Setup::default()),
        Rule::A10 => after(ask.clone(), no_tests()),
        Rule::A11 => after(ask, unparsed()),
        Rule::Person | Rule::Complete => World::started(Setup::default()),
    };
    if rule == Rule::A1 {
        world.bad();
    } else if matches!(rule, Rule::A4 | Rule::A9) {
        world.good();
    }
    let mut body = world.body().clone();
    if rule == Rule::A1 {
        body.errors_in_row = 3;
    } else if rule == Rule::A7 {
        // What its own choice has already appended or begun is taken back.
        body.tasks.truncate(1);
        body.rounds.clear();
    } else if rule == Rule::A10 {
        set(&mut body, |course| course.settings.on_no_tests = OnNoTests::AddTask);
    }
    body
}

fn set(body: &mut Body, change: impl Fn(&mut Course)) {
    match &mut body.progress {
        Progress::Fresh => {}
        Progress::Begun { course, .. } | Progress::Ready { course, .. } => change(course),
    }
}

fn word(choice: &Choice) -> alloc::string::String {
    match choice {
        Choice::Act { kind, .. } => kind.word().into(),
        Choice::Append { description, .. } => alloc::format!("append {description}"),
        Choice::Menu => "menu".into(),
        Choice::Lend => "lent".into(),
        Choice::Pause { reason, ask, .. } => {
            alloc::format!("paused({}){}", reason.word(), if *ask { "?" } else { "" })
        }
        Choice::Fail { kind, .. } => alloc::format!("failed({})", kind.word()),
        Choice::Unstarted => "unstarted".into(),
    }
}

#[test]
fn every_rule_in_every_column() {
    for (rule, auto, interactive, external) in [
        (Rule::A1, "failed(error)", "paused(blocked)", "failed(error)"),
        (Rule::A2, "init", "init", "lent"),
        (Rule::A3, "complete", "menu", "lent"),
        (Rule::A4, "failed(limit)", "paused(iteration_limit)", "failed(limit)"),
        (Rule::A5, "develop", "menu", "lent"),
        (Rule::A6, "debug", "menu", "lent"),
        (Rule::A7, "append Fix: fails0: left != right", "menu", "lent"),
        (Rule::A8, "paused(stuck)", "menu", "lent"),
        (Rule::A9, "validate", "menu", "lent"),
        (Rule::A10, "append Add tests for: Test", "menu", "lent"),
        (Rule::A11, "paused(unverified)?", "menu", "lent"),
    ] {
        let mut body = body_for(rule);
        for (mode, driver, expected) in [
            (Mode::Auto, Driver::Engine, auto),
            (Mode::Interactive, Driver::Engine, interactive),
            (Mode::Interactive, Driver::External { runner: None }, external),
            (Mode::Auto, Driver::External { runner: None }, external),
        ] {
            set(&mut body, |course| {
                course.mode = mode;
                course.driver = driver.clone();
            });
            let chosen = choose(&body);
            assert_eq!((chosen.rule, word(&chosen.choice).as_str()), (rule, expected));
        }
    }
}

#[test]
fn coverage_below_asks_for_the_difference() {
    let settings = Settings { coverage_min_tenths: 805, ..sample_settings() };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.good();
    let below = CheckReport { coverage_tenths: Some(700), ..report(Verdict::Passed, 1, 0) };
    world.end(LegEnd::Ok(Gave::Check(Box::new(below))));
    assert_eq!(world.body().tasks[1].description, "Raise coverage from 70% to 80.5%");
    assert_eq!(world.body().tasks[1].origin, Origin::Tests);
}

#[test]
fn a_completed_fix_closes_its_task() {
    let settings = Settings { debug_rounds_max: 0, ..sample_settings() };
    let mut world = World::started(Setup { settings, ..Setup::default() });
    world.bad();
    assert_eq!(world.standing(), "develop A7");
    assert_eq!(world.body().tasks[1].fixes.as_deref(), Some("task:task-001"));
    world.bad();
    assert_eq!(world.standing(), "develop A7", "a failed fix is not open itself; its task is");
    world.good();
    assert_eq!(world.standing(), "validate A9");
    world.good();
    world.good();
    assert_eq!(world.state.name(), "completed");
}
