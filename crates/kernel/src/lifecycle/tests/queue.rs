//! What is ready, what waits and what is lost, among tasks that hang on each other in many ways.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::{plan, spec};
use super::super::*;
use super::world::World;

/// A plan in which each task needs all before it: the ways through it double with each task.
fn woven() -> Plan {
    let ids: Vec<String> = (0..TASKS_MAX).map(|n| format!("T-{n}")).collect();
    let needs = |n: usize| ids[..n].iter().map(String::as_str).collect::<Vec<_>>();
    let tasks = ids.iter().enumerate().map(|(n, id)| spec(id, &needs(n))).collect();
    Plan { tasks, ..plan() }
}

#[test]
fn a_plan_that_is_woven_closely_is_read_at_once() {
    let mut world = World::at_work(woven(), |begin| begin.options.fix_limit = 0);
    let view = shown(&world.state, None).expect("it is shown");
    assert_eq!(view.tasks.iter().filter(|task| task.ready).count(), 0, "the first is in work");
    assert_eq!(view.tasks[2].waiting_on, ["T-0", "T-1"]);
    world.label("saved");
    world.fails("a");
    assert_eq!(world.work().unreachable().len(), TASKS_MAX - 1, "all hang on the first");
    world.label("skip");
    let skipped = |task: &&alloc::sync::Arc<Task>| task.status == Status::Skipped;
    assert_eq!(world.work().tasks.iter().filter(skipped).count(), TASKS_MAX);
}
