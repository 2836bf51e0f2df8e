//! What people note about a loop, fields that are emptied, and the rows of the page that are about
//! status moves.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::*;
use super::world::*;
use crate::machine::{At, By};

fn edit(labels: LabelsPatch) -> Command {
    Command::Edit {
        title: None,
        description: None,
        max_iterations: None,
        max_iterations_ceiling: 1000,
        labels,
    }
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|word| String::from(*word)).collect()
}

/// What the facts make of a loop when they are read again.
fn folded(world: &World) -> State {
    let mut state = State::New;
    for (event, at) in world.events.iter().zip(&world.times) {
        let text = serde_json::to_string(event).expect("a fact");
        evolve(&mut state, &serde_json::from_str(&text).expect("the same"), *at);
    }
    state
}

#[test]
fn labels_are_set_kept_and_cleared() {
    let mut world = World::new(3);
    assert!(view::draw(world.life(), 1).get("tags").is_none(), "absent until they are set");
    world.ok(edit(LabelsPatch {
        tags: Some(words(&["auth", "api"])),
        priority: Some(Some(Priority::High)),
        notes: Some(Some("ask Ann".into())),
    }));
    let drawn = view::draw(world.life(), 1);
    assert_eq!(drawn["tags"], serde_json::json!(["auth", "api"]));
    assert_eq!((&drawn["priority"], &drawn["notes"]), (&"high".into(), &"ask Ann".into()));
    assert_eq!(folded(&world), world.state);
    world.ok(edit(LabelsPatch { priority: Some(None), ..LabelsPatch::default() }));
    let drawn = view::draw(world.life(), 1);
    assert!(drawn.get("priority").is_none() && drawn["notes"] == "ask Ann");
    world.ok(edit(LabelsPatch { tags: Some(vec![]), notes: Some(None), ..LabelsPatch::default() }));
    assert!(world.body().labels.is_empty());
    assert_eq!(folded(&world), world.state);
}

#[test]
fn labels_have_bounds() {
    let tags = |all: Vec<String>| LabelsPatch { tags: Some(all), ..LabelsPatch::default() };
    let notes = |text: String| LabelsPatch { notes: Some(Some(text)), ..LabelsPatch::default() };
    let many = |n: usize| (0..n).map(|n| format!("t{n}")).collect::<Vec<_>>();
    let table = [
        (tags(many(TAGS_MAX)), true),
        (tags(many(TAGS_MAX + 1)), false),
        (tags(words(&["a", "a"])), false),
        (tags(words(&[" "])), false),
        (tags(vec!["x".repeat(TAG_MAX)]), true),
        (tags(vec!["x".repeat(TAG_MAX + 1)]), false),
        (notes("x".repeat(DESCRIPTION_MAX)), true),
        (notes("x".repeat(DESCRIPTION_MAX + 1)), false),
        (notes(" ".into()), false),
    ];
    for (labels, fits) in table {
        let mut world = World::new(3);
        let told = format!("{labels:?}");
        assert_eq!(world.say(By::Person, edit(labels)).is_ok(), fits, "{told}");
    }
}

/// A field that was emptied came back when the journal was read again.
#[test]
fn reg_an_emptied_field_stays_empty() {
    let mut world = World::new(3);
    let task = NewTask {
        tool: "gemini".into(),
        prompt_template: Some("Do it".into()),
        on_error: Some(OnError::Pause),
        ..bash_task(1)
    };
    world.ok(Command::AddTask { task, place: Place::Last });
    let patch = TaskPatch {
        prompt_template: Some(None),
        command: Some(None),
        on_error: Some(None),
        ..TaskPatch::default()
    };
    world.ok(Command::EditTask { task: "task-001".into(), patch });
    let task = &world.body().tasks[0];
    assert_eq!((&task.prompt_template, &task.command, task.on_error), (&None, &None, None));
    assert_eq!(folded(&world), world.state);
    // A fact of an older journal says null for what it leaves alone.
    let old = r#"{"description":"x","tool":null,"mode":null,"prompt_template":null,
        "command":["a b",{"argv":["a","b"]}],"on_error":"continue"}"#;
    let old: TaskPatch = serde_json::from_str(old).expect("read");
    assert_eq!(old.prompt_template, None);
    let run = Run::Argv(words(&["a", "b"]));
    assert_eq!(old.command, Some(Some(("a b".into(), run))));
    assert_eq!(old.on_error, Some(Some(OnError::Continue)));
}

/// A loop of each status.
fn of_status(status: &str) -> World {
    let setup = || Setup { tasks: 1, ..Setup::default() };
    let mut world = match status {
        "created" => World::made(&setup()),
        _ => World::started(setup()),
    };
    match status {
        "paused" => drop(world.ok(Command::Pause { how: PauseHow::Finish })),
        "failed" => drop(world.ok(Command::Stop { why: None })),
        "completed" => (0..3).for_each(|_| drop(world.good())),
        _ => {}
    }
    assert_eq!(world.state.name(), status);
    world
}

/// The command that a move to this status is, as the compatible door says it.
fn moving(from: &str, to: &str) -> Option<Command> {
    let busy_with = None;
    Some(match (from, to) {
        (from, to) if from == to => return None,
        ("created", "running") => start(&Setup::default()),
        ("paused", "running") => Command::Resume { busy_with },
        (_, "running") => Command::Retry { busy_with },
        (_, "paused") => Command::Pause { how: PauseHow::Finish },
        (_, "failed") => Command::Stop { why: None },
        (_, "completed") => Command::Complete { force: None },
        (_, _) => return None,
    })
}

#[test]
fn reg_patch() {
    let all = ["created", "running", "paused", "completed", "failed"];
    let mut found = String::new();
    for from in all {
        for to in all {
            let mut world = of_status(from);
            let told = match moving(from, to) {
                None if from == to => "same",
                None => "-",
                Some(command) => match world.say(By::Person, command) {
                    Ok(_) => {
                        assert_eq!(world.state.name(), to, "{from} to {to}");
                        let drawn = view::draw(world.life(), 1);
                        let (reason, at) = (&drawn["failure_reason"], &drawn["completed_at"]);
                        assert_eq!(reason.is_null(), to != "failed", "{from} to {to}");
                        let ended = to == "failed" || to == "completed";
                        assert_eq!(at.is_null(), !ended, "{from} to {to}");
                        "moved"
                    }
                    Err(refusal) => crate::machine::Refusal::reason(&refusal),
                },
            };
            found.push_str(&format!("{from} to {to}: {told}\n"));
        }
    }
    let expected = "\
created to created: same
created to running: moved
created to paused: not_now
created to completed: not_now
created to failed: moved
running to created: -
running to running: same
running to paused: moved
running to completed: action_running
running to failed: moved
paused to created: -
paused to running: moved
paused to paused: same
paused to completed: validation_required
paused to failed: moved
completed to created: -
completed to running: not_now
completed to paused: not_now
completed to completed: same
completed to failed: not_now
failed to created: -
failed to running: moved
failed to paused: not_now
failed to completed: not_now
failed to failed: same
";
    assert_eq!(found, expected);
    let mut world = of_status("completed");
    world.ok(Command::Reopen { busy_with: None });
    assert_eq!(world.state.name(), "running", "force is Reopen");
}

#[test]
fn history_names_the_child_of_each_action() {
    let mut world = World::started(Setup::default());
    world.began();
    world.good();
    let rows = view::history(world.life());
    let last = rows.last().expect("a row");
    assert_eq!((last.action, last.child.as_deref()), ("develop", Some("call-2-work")));
}

#[test]
fn reg_clock() {
    // Whatever a clock says, nothing lies before its beginning and nothing lasts less than nothing.
    let mut world = World::started(Setup::default());
    world.began();
    world.at = 10;
    world.good();
    assert!(world.body().updated_at >= world.body().created_at);
    let rows = view::history(world.life());
    assert!(rows.iter().all(|row| row.duration_ms < 100_000), "{rows:?}");
    assert_eq!(At(5).since(At(9)), 0);
}
