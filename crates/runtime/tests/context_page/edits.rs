//! Single edits: what is taken in, what is refused, kept and told, and what stays as it was.

use std::fs;

use kernel::lifecycle::{Command, NoteKind, Status};
use loopwright_runtime::words::Lang;

use super::world::World;

/// The reasons and lines of what was told.
fn told(world: &World) -> Vec<(usize, String)> {
    let pages = world.notices.iter().filter_map(|notice| notice.page.as_ref());
    let lines = pages.flat_map(|page| page.refused.iter().chain(&page.doubts));
    lines.map(|line| (line.line, line.reason.clone())).collect()
}

#[test]
fn a_page_is_drawn_for_every_state_and_reads_back() {
    for (name, state) in kernel::lifecycle::samples::sample_states() {
        if state.life().is_none() {
            continue;
        }
        let world = World::new(name);
        let text = world.text();
        let found = kernel::lifecycle::document::context::read(text.as_bytes()).unwrap();
        let page = found.page().unwrap_or_else(|why| panic!("{name}: {why}\n{text}"));
        assert_eq!(page.head.task_status, state.name(), "{name}");
        assert_eq!(page.head.seq, world.seq(), "{name}");
        assert_eq!(fs::read(world.own()).unwrap(), text.as_bytes(), "{name}");
    }
}

#[test]
fn a_mark_is_a_claim() {
    let mut world = World::new("at a task");
    world.edit("🔄 IN_PROGRESS] T-1", "✅ DONE] T-1");
    world.turn();
    let claim = |command: &Command| matches!(command, Command::UpdateProgress { task, status: Status::Done, .. } if task == "T-1");
    assert!(world.taken.iter().any(claim), "{:?}", world.taken);
    assert_eq!((told(&world), world.refused().len()), (vec![], 0));
    assert!(world.text().contains("🔄 IN_PROGRESS] T-1"), "a word closes nothing");
}

#[test]
fn an_odd_mark_is_taken_in_and_told() {
    let mut world = World::new("at a task");
    world.edit("🔄 IN_PROGRESS] T-1", "x] T-1");
    world.turn();
    assert_eq!(told(&world), [(18, "foreign_mark".to_owned())]);
    assert_eq!(world.taken.len(), 1);
    for lang in Lang::ALL {
        assert!(world.notices[0].message(lang).contains("[x]"));
    }
}

#[test]
fn a_jump_of_states_is_refused_kept_and_told() {
    let table = [
        ("task_status: EXECUTING", "task_status: IDLE", 3, "use_command"),
        ("auto_fix_attempts: 0", "auto_fix_attempts: 3", 4, "use_command"),
        ("Do T-2", "Do something else", 19, "use_amend"),
        ("> Add login", "> Add logout", 16, "view_only"),
        ("x_seq", "y_seq", 7, "view_only"),
        ("⏳ PENDING] T-2", "✅ DONE] T-2", 19, "refused"),
        ("x_paused: false", "x_paused: [false", 8, "unparsable"),
    ];
    for (from, to, line, reason) in table {
        let mut world = World::new("at a task");
        let before = world.text();
        world.edit(from, to);
        let edited = fs::read(world.main()).unwrap();
        world.turn();
        assert!(told(&world).contains(&(line, reason.to_owned())), "{to}: {:?}", world.notices);
        assert_eq!(world.refused(), [edited], "{to}");
        assert_eq!(world.text(), before, "{to}: drawn anew");
        assert_eq!(world.taken, [], "{to}");
        let notice = &world.notices[0];
        assert!(notice.kept.as_deref().is_some_and(|kept| kept.starts_with("refused/lc-1.")));
        for lang in Lang::ALL {
            let said = format!("{} {}", notice.message(lang), notice.next_step(lang));
            assert!(said.contains(&line.to_string()), "{said}");
            let amend = said.contains("lifecycle amend");
            assert!(said.contains("USER_ABORT") || amend, "what is allowed: {said}");
        }
    }
}

#[test]
fn the_scratchpad_is_a_note_and_merges_with_what_came_meanwhile() {
    let mut world = World::new("at a task");
    let heading = "## 3. Scratchpad (草稿区)\n";
    world.edit(heading, "## 3. Scratchpad (草稿区)\n- 试试另一个接口\n");
    world.note("fix 1 failed");
    world.turn();
    let text = world.text();
    assert!(text.contains("- 试试另一个接口\n") && text.contains("fix 1 failed"), "{text}");
    assert!(matches!(&world.taken[..], [Command::Note { kind: NoteKind::Scratch, .. }]));
    assert_eq!(world.refused(), Vec::<Vec<u8>>::new());
    world.turn();
    assert_eq!(world.taken.len(), 1, "nothing is asked for twice");
}

#[test]
fn the_shape_an_editor_gave_is_kept() {
    let mut world = World::new("at a task");
    let crlf = format!("\u{feff}{}", world.text().replace('\n', "\r\n"));
    world.save(crlf.as_bytes());
    world.turn();
    assert_eq!((told(&world), world.taken.len()), (vec![], 0), "no edit");
    world.note("later");
    world.turn();
    let text = world.text();
    assert!(text.starts_with('\u{feff}') && text.contains("later\r\n"), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    assert!(!fs::read_to_string(world.own()).unwrap().contains('\r'), "each file has its own");
}

#[test]
fn an_edit_of_an_older_page_counts_as_made_from_it() {
    let mut world = World::new("at a task");
    let old = world.text();
    for n in 0..63 {
        world.note(&format!("note {n}"));
        world.turn();
    }
    let heading = "## 3. Scratchpad (草稿区)\n";
    world.save(old.replace(heading, "## 3. Scratchpad (草稿区)\nmine\n").as_bytes());
    world.turn();
    let text = world.text();
    assert!(text.contains("\nmine\n") && text.contains("note 62"), "{text}");
    assert_eq!(told(&world), []);
    for n in 0..70 {
        world.note(&format!("more {n}"));
        world.turn();
    }
    world.save(old.replace(heading, "## 3. Scratchpad (草稿区)\ntoo late\n").as_bytes());
    world.turn();
    assert_eq!(told(&world), [(0, "conflict".to_owned())]);
    assert_eq!(world.refused().len(), 1);
}

#[test]
fn a_secret_is_never_taken_in() {
    let mut world = World::new("at a task");
    let heading = "## 3. Scratchpad (草稿区)\n";
    world.edit(heading, "## 3. Scratchpad (草稿区)\nuse canary-12345\n");
    world.turn();
    assert_eq!(told(&world), [(0, "secret".to_owned())]);
    assert_eq!((world.taken.len(), world.refused().len()), (0, 1));
}

#[test]
fn a_missing_page_is_drawn_again_and_one_that_engines_drew_is_no_edit() {
    let mut world = World::new("at a task");
    fs::remove_file(world.main()).unwrap();
    world.turn();
    assert!(world.text().contains("task_status: EXECUTING"));
    world.restart();
    world.note("after the restart");
    world.turn();
    assert!(world.text().contains("after the restart"));
    assert_eq!((told(&world), world.refused().len()), (vec![], 0));
}

#[test]
fn an_edit_made_while_nobody_was_there_is_taken_in() {
    let mut world = World::new("at a task");
    let heading = "## 3. Scratchpad (草稿区)\n";
    world.edit(heading, "## 3. Scratchpad (草稿区)\nwhile you were away\n");
    world.restart();
    world.turn();
    assert!(world.text().contains("while you were away"), "{}", world.text());
    assert_eq!(world.refused(), Vec::<Vec<u8>>::new());
}
