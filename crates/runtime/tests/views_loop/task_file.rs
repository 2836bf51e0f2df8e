//! Edits of `{id}.tasks.jsonl`.

use kernel::loops::{Command, Driver};
use loopwright_runtime::views::{Seen, View, Wish};

use super::world::{World, start};

fn said(seen: &Seen) -> Vec<&'static str> {
    let name = |wish: &Wish| match wish {
        Wish::Command(command) => command.name(),
        Wish::StartExternal | Wish::Complete => panic!("not of a task file"),
    };
    seen.wishes.iter().map(|(_, wish)| name(wish)).collect()
}

fn refused(seen: &Seen) -> Vec<String> {
    let lines = seen.notices.iter().flat_map(|notice| &notice.lines);
    lines.map(|line| format!("{} {}", line.path, line.reason.word())).collect()
}

fn descriptions(world: &World) -> Vec<String> {
    let tasks = &world.state.life().expect("alive").body.tasks;
    tasks.iter().map(|task| task.description.clone()).collect()
}

/// Edits the lines and answers what was said, what was refused, and the tasks afterwards.
fn edited(world: &mut World, edit: impl Fn(&str) -> String) -> (Vec<&'static str>, Vec<String>) {
    let text = edit(&world.text(View::Tasks));
    world.write(View::Tasks, text);
    let seen = world.heard(View::Tasks);
    world.check_drawn();
    (said(&seen), refused(&seen))
}

#[test]
fn lines_become_task_commands() {
    let none: Vec<String> = Vec::new();
    let mut world = World::created();
    let (said, refused) = edited(&mut world, |text| text.replace("Do part 1", "Do it all"));
    assert_eq!((said, refused), (vec!["edit_task"], none.clone()));
    // The drawn prompt is the description as it was: it was edited with it.
    let more = r#"{"description":"Last","command":"make && make test"}"#;
    let (said, refused) = edited(&mut world, |text| format!("{text}{more}"));
    assert_eq!((said, refused), (vec!["add_task"], none.clone()), "a missing last LF is tolerated");
    let (said, refused) = edited(&mut world, |text| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.swap(0, 2);
        lines.remove(1);
        lines.join("\r\n")
    });
    assert_eq!((said, refused), (vec!["remove_task", "reorder_tasks"], none));
    assert_eq!(descriptions(&world), ["Last", "Do it all"]);
}

#[test]
fn the_numbers_order_where_the_lines_do_not() {
    let mut world = World::created();
    let (said, _) = edited(&mut world, |text| text.replace("\"order\":0", "\"order\":7"));
    assert_eq!(said, ["reorder_tasks"]);
    assert_eq!(descriptions(&world), ["Do part 2", "Do part 1"]);
}

#[test]
fn a_bad_line_refuses_only_itself_and_removes_nothing() {
    let mut world = World::created();
    let (said, refused) = edited(&mut world, |text| {
        let second = text.lines().nth(1).expect("two");
        format!("{{\"task_id\": \"task-17690\n{second}\n{{\"description\":\"Third\"}}\n")
    });
    assert_eq!(said, ["add_task"]);
    assert_eq!(refused, ["line 1 invalid"]);
    assert_eq!(descriptions(&world), ["Do part 1", "Do part 2", "Third"]);
    assert_eq!(world.refused().len(), 1);
    let (said, refused) = edited(&mut world, |text| {
        let first = text.lines().next().expect("a line");
        format!(
            "{text}{first}\n{{\"description\":\"\"}}\n{{\"description\":\"x\",\"mode\":\"y\"}}\n"
        )
    });
    assert_eq!(said, [] as [&str; 0]);
    assert_eq!(refused, ["line 4 invalid", "line 5.description invalid", "line 6.mode invalid"]);
}

#[test]
fn reg_half_file() {
    for damage in ["", "\n", "garbage", "{\"loop_id\": \"loop-v2-2026"] {
        for view in [View::Json, View::Tasks] {
            let mut world = World::created();
            let before = world.state.clone();
            world.write(view, damage);
            world.views.changed_outside(&view.relative(super::world::ID));
            let mut notices = Vec::new();
            for _ in 0..3 {
                world.now = world.now.plus(200);
                if !world.views.due(world.now).is_empty() {
                    notices.extend(world.turn().notices);
                }
            }
            assert_eq!(world.views.next_due(), None, "it comes to an end");
            assert_eq!(notices.len(), 1, "{view:?} {damage:?}");
            assert_eq!(notices[0].code, "loop.invalid_args");
            assert_eq!(world.refused().len(), 1);
            assert_eq!(world.state, before);
            world.check_drawn();
        }
    }
}

#[test]
fn reg_jsonl() {
    // Rewritten, added to without a line end, added to again: no task is lost and none is merged.
    let mut world = World::created();
    let line = |text: &str| format!("{{\"description\":\"{text}\",\"command\":\"true\"}}");
    let rewritten = world.text(View::Tasks).lines().rev().collect::<Vec<_>>().join("\n");
    world.write(View::Tasks, &rewritten);
    world.heard(View::Tasks);
    let appended = format!("{}{}", world.text(View::Tasks), line("Third"));
    world.write(View::Tasks, &appended);
    world.heard(View::Tasks);
    assert!(world.text(View::Tasks).ends_with('\n'), "it is drawn with its line end");
    let (said, refused) = edited(&mut world, |text| format!("{text}{}\n", line("Fourth")));
    assert_eq!((said, refused), (vec!["add_task"], Vec::new()));
    assert_eq!(descriptions(&world), ["Do part 2", "Do part 1", "Third", "Fourth"]);
    // Two writers on one unended line: the one that can't be read is named, no other is harmed.
    let (said, refused) =
        edited(&mut world, |text| format!("{text}{}{}\n", line("Fifth"), line("Sixth")));
    assert_eq!((said.len(), refused), (0, vec!["line 5 invalid".to_owned()]));
    assert_eq!(descriptions(&world).len(), 4);
}

#[test]
fn marks_and_line_ends_are_no_edit() {
    let mut world = World::created();
    for view in [View::Json, View::Tasks] {
        let text = world.text(view).replace('\n', "\r\n");
        world.write(view, format!("\u{feff}{text}"));
        let seen = world.heard(view);
        assert_eq!(seen, Seen::default(), "{view:?}");
        world.check_drawn();
    }
}

#[test]
fn a_task_that_has_begun_is_not_edited() {
    let mut world = World::created();
    world.person(start(Driver::External { runner: None }));
    world.draw();
    let seen = world.edit(|d| {
        d["skill_state"]["develop"]["tasks"][0]["status"] = serde_json::json!("in_progress");
    });
    assert_eq!(seen.notices, []);
    let (said, refused) = edited(&mut world, |text| text.replace("Do part 1", "Else"));
    assert_eq!(said, [] as [&str; 0]);
    assert_eq!(refused, ["line 1 conflict"]);
    world.person(Command::Stop { why: None });
    world.draw();
    let (said, _) = edited(&mut world, |text| text.replace("Do part 2", "Else"));
    assert_eq!(said, ["edit_task"], "the list of a failed loop can be edited");
}

#[test]
fn invariant_an_edit_with_a_secret_is_kept_and_not_recorded() {
    let mut world = World::created();
    let (said, refused) = edited(&mut world, |text| text.replacen("part 1", "canary-12345", 1));
    assert!(said.is_empty(), "{said:?}");
    assert_eq!(refused, ["$ secret"]);
    assert!(!descriptions(&world).concat().contains("canary"));
    let kept = std::fs::read_dir(world.dir.path().join("refused")).unwrap().count();
    assert_eq!(kept, 1, "its author's bytes stay");
}
