//! A package as the work of a loop: one task each, in the order in which they may be done. The loop
//! knows nothing of packages; whether they are done is decided by how it ends.

use kernel::loops::{self, Driver, Mode};
use kernel::session::{Checked, Flow, Task};
use kernel::turn::Fault;

use super::super::pool::Desk;
use super::asks::fault;
use crate::engine::Ready;
use crate::ids;
use crate::tasks::{self, Form, Tools};
use crate::words::{Lang, say};

/// The commands that begin it; who starts it fills in its id and its parent.
pub(super) fn ready(desk: &Desk, flow: &Flow, checked: &Checked) -> Result<Ready, Box<Fault>> {
    let settings = desk.plan.loop_settings.clone();
    let checks = crate::checks::for_loop(&desk.plan.root, &desk.plan.checks);
    let tools = Tools::of_loop(&settings);
    let agent = flow.setup.designer.as_ref().map(|agent| agent.name.clone());
    let limit = desk.plan.sessions.iterations;
    let mut commands = vec![loops::Command::Create {
        id: String::new(),
        title: checked.name.clone(),
        description: flow.requirement(),
        max_iterations: limit.0,
        max_iterations_ceiling: limit.1,
        parent: None,
    }];
    let lang = Lang::parse(&flow.setup.lang).unwrap_or_default();
    for task in ordered(&checked.tasks) {
        let form =
            Form { description: described(task, lang), tool: agent.clone(), ..Form::default() };
        let id = ids::task_id(desk.clock.now());
        let task =
            tasks::new_task(form, id, &tools).map_err(|why| fault("E_INVALID_ARGS", why.field))?;
        commands.push(loops::Command::AddTask { task, place: loops::Place::Last });
    }
    commands.push(loops::Command::Start {
        driver: Driver::Engine,
        mode: Mode::Auto,
        settings: Box::new(settings),
        checks,
        programs: Vec::new(),
        busy_with: None,
    });
    Ok(Ready::Loop(commands))
}

/// What is asked of the agent; what shows that it is done belongs to it. A mark that says so
/// already is a claim: whoever looks at it counts it, or does what lacks.
fn described(task: &Task, lang: Lang) -> String {
    let wanted = match &task.verify {
        Some(line) => format!("{} ({line})", task.title),
        None => task.title.clone(),
    };
    match task.done {
        true => say(lang, "session-loop-claimed", &[("task", &wanted)]),
        false => wanted,
    }
}

/// Each task after those it depends on. Packages that go round in circles are no packages.
fn ordered(tasks: &[Task]) -> Vec<&Task> {
    let mut rest: Vec<&Task> = tasks.iter().collect();
    let mut order: Vec<&Task> = Vec::new();
    while !rest.is_empty() {
        let waits = |task: &&Task| {
            let open = |id: &String| rest.iter().any(|other| other.id == *id && *id != task.id);
            task.depends.iter().any(open)
        };
        let at = rest.iter().position(|task| !waits(task)).unwrap_or(0);
        order.push(rest.remove(at));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_comes_after_those_it_depends_on() {
        let task = |id: &str, depends: &[&str], done: bool| Task {
            id: id.to_owned(),
            title: id.to_owned(),
            verify: None,
            depends: depends.iter().map(ToString::to_string).collect(),
            done,
        };
        let tasks = [
            task("1.1", &["2.1"], false),
            task("1.2", &["1.1"], false),
            task("2.1", &["0.1"], false),
            task("0.1", &[], true),
        ];
        let ids: Vec<&str> = ordered(&tasks).into_iter().map(|task| task.id.as_str()).collect();
        assert_eq!(ids, ["0.1", "2.1", "1.1", "1.2"], "a claim is handed over too");
        for lang in Lang::ALL {
            assert_eq!(described(&tasks[0], lang), "1.1");
            let claimed = described(&tasks[3], lang);
            assert!(claimed.contains("0.1") && claimed.len() > 10, "{claimed}");
        }
    }
}
