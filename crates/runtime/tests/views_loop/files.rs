//! What lies on disk: drawn only when needed, drawn again byte for byte, found again after a
//! restart, gone with its loop; and the watch that tells of changes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::mpsc::channel;
use std::time::Duration;

use kernel::loops::{Command, Driver, PauseHow};
use kernel::machine::At;
use loopwright_runtime::view_file;
use loopwright_runtime::views::{Seen, View, Views, Wish, keep_notice, notices, remove, watch};
use serde_json::json;

use super::world::{ID, World, redactor, start};

fn restart(world: &mut World) {
    world.views = Views::new(world.dir.path().to_owned(), redactor());
}

/// What a loop that has not ended has.
const SHOWN: [View; 6] =
    [View::Json, View::Tasks, View::Develop, View::Debug, View::Validate, View::Changes];

#[test]
fn invariant_view_is_fold() {
    let mut world = World::named("engine running");
    let before = world.bytes(View::Develop);
    for view in SHOWN {
        let drawn = world.bytes(view);
        fs::remove_file(world.path(view)).expect("removed");
        assert_eq!(world.heard(view), Seen::default());
        assert_eq!(world.bytes(view), drawn, "{view:?}");
    }
    fs::remove_dir_all(world.path(View::Develop).parent().expect("a directory")).expect("removed");
    restart(&mut world);
    assert_eq!(world.draw(), Seen::default());
    assert_eq!(world.bytes(View::Develop), before);
    world.check_drawn();
}

#[test]
fn only_what_changed_is_drawn() {
    let mut world = World::named("engine running");
    let redraws = world.views.redraws();
    let inode = |world: &World, view| fs::metadata(world.path(view)).expect("there").ino();
    let before = SHOWN.map(|view| inode(&world, view));
    world.draw();
    restart(&mut world);
    world.draw();
    assert_eq!(before, SHOWN.map(|view| inode(&world, view)), "nothing to draw");
    assert_eq!((redraws > 0, world.views.redraws()), (true, 0));
    world.person(Command::Pause { how: PauseHow::Finish });
    world.draw();
    assert_eq!(world.views.redraws(), 1);
    assert_eq!(inode(&world, View::Debug), before[3], "a pause is no news of debugging");
}

#[test]
fn changes_wait_for_others_and_statuses_do_not() {
    let mut world = World::named("engine running");
    world.views.mark(ID, At(1000));
    world.views.mark(ID, At(1050));
    assert_eq!(world.views.next_due(), Some(At(1100)));
    assert_eq!(world.views.due(At(1099)), [] as [&str; 0]);
    assert_eq!(world.views.due(At(1100)), [ID]);
    world.views.mark(ID, At(1100));
    world.draw();
    assert_eq!(world.views.next_due(), None, "a drawing shows all that was marked");
}

/// An engine died after its facts were durable and before it drew them.
#[test]
fn a_view_of_an_earlier_engine_is_no_edit() {
    let mut world = World::named("engine running");
    world.person(Command::Pause { how: PauseHow::Finish });
    restart(&mut world);
    assert_eq!(world.draw(), Seen::default());
    assert_eq!(world.refused(), [] as [&str; 0]);
    world.check_drawn();
}

#[test]
fn an_edit_made_while_no_engine_ran_is_found() {
    let mut world = World::named("external running");
    let mut edit = world.json();
    edit["skill_state"]["debug"]["active_bug"] = json!("It hangs");
    world.write(View::Json, edit.to_string());
    let tasks = world.text(View::Tasks).replace("Do part 2", "Do part two");
    world.write(View::Tasks, tasks);
    world.write(View::Develop, "# mine");
    restart(&mut world);
    let seen = world.turn();
    assert_eq!(seen.wishes.len(), 2, "{seen:?}");
    assert_eq!(seen.notices.len(), 1);
    assert_eq!(seen.notices[0].file, format!("{ID}.progress/develop.md"));
    assert_eq!(world.json()["skill_state"]["debug"]["active_bug"], "It hangs");
    assert!(world.text(View::Tasks).contains("Do part two"));
    assert_eq!(world.refused().len(), 1);
    world.check_drawn();
}

/// The edit stays on disk until its commands are durable; looked at again, it asks for nothing
/// twice.
#[test]
fn a_crash_between_edit_and_command_loses_and_doubles_nothing() {
    let mut world = World::named("external running");
    let edit = |world: &mut World| {
        let mut document = world.json();
        let tasks = document["skill_state"]["develop"]["tasks"].as_array_mut().expect("tasks");
        tasks.push(json!({"id": "mine", "description": "More", "tool": "gemini"}));
        world.write(View::Json, document.to_string());
        world.views.changed_outside(&View::Json.relative(ID));
        world.draw()
    };
    let seen = edit(&mut world);
    assert_eq!(seen.wishes.len(), 1);
    // Died before the wish was said.
    restart(&mut world);
    assert_eq!(world.views.due(world.now), [ID]);
    let again = world.draw();
    assert_eq!(again.wishes, seen.wishes, "not lost");
    let (_, Wish::Command(command)) = again.wishes[0].clone() else { panic!("a report") };
    world.say(kernel::machine::By::File, *command).expect("taken");
    // Died before the edit was removed.
    restart(&mut world);
    assert_eq!(world.views.due(world.now), [ID]);
    assert_eq!(world.turn(), Seen::default(), "not doubled");
    assert_eq!(world.state.life().expect("alive").body.tasks.len(), 3);
    world.check_drawn();
}

#[test]
fn pages_are_not_edited_but_the_debug_log_grows() {
    let mut world = World::named("engine running");
    for view in [View::Develop, View::Debug, View::Validate, View::Changes] {
        world.write(view, "mine\n");
        let seen = world.heard(view);
        assert_eq!(seen.notices.len(), 1, "{view:?}");
        assert_eq!(seen.notices[0].code, "loop.owned");
        world.check_drawn();
    }
    assert_eq!(world.refused().len(), 4);
    let log = world.path(View::Develop).with_file_name("debug.log");
    assert_eq!(fs::read(&log).expect("made empty"), b"");
    fs::write(&log, "{\"hid\":\"H1\"}\n").expect("written");
    assert_eq!(world.turn(), Seen::default());
    assert_eq!(fs::read(&log).expect("there"), b"{\"hid\":\"H1\"}\n");
}

#[test]
fn what_is_no_file_is_set_aside() {
    let mut world = World::created();
    fs::remove_file(world.path(View::Json)).expect("removed");
    fs::create_dir(world.path(View::Json)).expect("made");
    let seen = world.heard(View::Json);
    assert_eq!(seen.notices.len(), 1);
    world.check_drawn();
    let large = vec![b' '; usize::try_from(view_file::EDIT_BYTES_MAX).expect("fits") + 1];
    world.write(View::Tasks, large);
    assert_eq!(world.heard(View::Tasks).notices.len(), 1);
    world.check_drawn();
    assert_eq!(world.refused().len(), 2);
}

#[test]
fn a_view_that_can_not_be_drawn_is_told_once_and_tried_again() {
    let mut world = World::created();
    let blocked = world.dir.path().join(format!("{ID}.progress"));
    fs::write(&blocked, "in the way").expect("written");
    world.person(start(Driver::Engine));
    let mut told = world.draw().notices;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].code, "E_IO");
    assert_eq!(world.json()["status"], "running", "the rest is drawn");
    for _ in 0..20 {
        world.now = world.now.plus(1000);
        for _ in world.views.due(world.now) {
            told.extend(world.draw().notices);
        }
    }
    assert_eq!((told.len(), world.views.next_due()), (1, None), "it does not go on for ever");
    fs::remove_file(&blocked).expect("removed");
    world.draw();
    world.check_drawn();
}

#[test]
fn reg_delete() {
    let mut world = World::named("engine paused");
    world.edit(|d| d["title"] = json!("Mine"));
    world.write(View::Debug, "mine");
    let seen = world.heard(View::Debug);
    keep_notice(world.dir.path(), &seen.notices[0]);
    assert_eq!(notices(world.dir.path(), ID).len(), 1);
    assert_eq!(world.refused().len(), 2);
    let other = world.dir.path().join("loop-other.json");
    fs::write(&other, "{}").expect("written");
    world.person(Command::Delete);
    assert_eq!(world.draw(), Seen::default());
    remove(world.dir.path(), ID);
    remove(world.dir.path(), ID);
    let mut left = Vec::new();
    walk(world.dir.path(), &mut left);
    left.retain(|name| name.contains("loop-"));
    assert_eq!(left, [other.to_string_lossy()]);
}

fn walk(dir: &std::path::Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(dir).expect("readable") {
        let path = entry.expect("an entry").path();
        all.push(path.to_string_lossy().into_owned());
        if path.is_dir() {
            walk(&path, all);
        }
    }
}

/// A number that was dropped used to be given again, and the newest edit looked like the oldest.
#[test]
fn reg_the_newest_refused_edits_of_one_position_stay() {
    let dir = super::world::place();
    let count = view_file::REFUSED_KEPT * 2 + 5;
    for n in 0..count {
        view_file::refuse(dir.path(), ID, 7, "develop.md", n.to_string().as_bytes()).expect("kept");
    }
    let entries = fs::read_dir(dir.path()).expect("readable").map(|e| e.expect("an entry").path());
    let read = |path| fs::read_to_string(path).expect("text").parse::<usize>().expect("a number");
    let mut left: Vec<usize> = entries.map(read).collect();
    left.sort_unstable();
    let newest: Vec<usize> = (count - view_file::REFUSED_KEPT..count).collect();
    assert_eq!(left, newest);
}

#[test]
fn the_watch_tells_of_views_and_pages_and_not_of_temps() {
    let dir = super::world::place();
    let (told, names) = channel();
    let eyes = watch(dir.path(), move |name| told.send(name).is_ok()).expect("watching");
    let wait = || names.recv_timeout(Duration::from_secs(20)).expect("told");
    let path = dir.path().join("loop-a.json");
    view_file::draw(&path, b"{}", None).expect("drawn");
    assert_eq!(wait(), "loop-a.json");
    fs::create_dir(dir.path().join("loop-a.progress")).expect("made");
    fs::write(dir.path().join("loop-a.progress/develop.md"), "x").expect("written");
    loop {
        match wait().as_str() {
            "loop-a.json" => {}
            "loop-a.progress/develop.md" => break,
            other => panic!("{other}"),
        }
    }
    fs::remove_file(&path).expect("removed");
    while wait() != "loop-a.json" {}
    drop(eyes);
    assert!(names.iter().all(|name| !name.contains(".lw-view")), "and it ended");
}
