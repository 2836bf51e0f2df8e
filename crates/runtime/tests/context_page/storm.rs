//! Two editors that save at any instant while the page is drawn again and again: every line they
//! wrote is on the page at the end, exactly once, and no reader ever meets half of it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kernel::lifecycle::document::context::read;
use loopwright_runtime::view_file::Age;

use super::world::World;

/// Lines of each editor; each is drawn over at least once.
const LINES: usize = 150;
const HEADING: &str = "## 3. Scratchpad (草稿区)\n";
const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saves {
    ByRename,
    InPlace,
}

/// Adds a line to a page that is whole; answers what was saved.
fn save(path: &Path, line: &str, how: Saves) -> Option<Vec<u8>> {
    let text = fs::read_to_string(path).ok()?;
    read(text.as_bytes()).ok()?;
    let edited = text.replacen(HEADING, &format!("{HEADING}{line}\n"), 1).into_bytes();
    match how {
        Saves::ByRename => {
            let temp = path.with_extension("editor");
            fs::write(&temp, &edited).unwrap();
            fs::rename(&temp, path).unwrap();
        }
        Saves::InPlace => {
            let mut file = fs::File::create(path).unwrap();
            let (head, tail) = edited.split_at(edited.len() / 2);
            file.write_all(head).unwrap();
            std::thread::yield_now();
            file.write_all(tail).unwrap();
        }
    }
    Some(edited)
}

/// An editor. It does not write over what the other one saved and nobody has seen yet: that would
/// be its doing, not ours.
fn editor(path: &Path, name: &str, how: Saves, turn: &Mutex<()>) {
    let give_up = Instant::now() + PATIENCE;
    for n in 0..LINES {
        let _mine = turn.lock().unwrap();
        let saved = loop {
            assert!(Instant::now() < give_up, "{name} cannot save");
            if let Some(saved) = save(path, &format!("- {name} {n}."), how) {
                break saved;
            }
        };
        while fs::read(path).is_ok_and(|there| there == saved) {
            assert!(Instant::now() < give_up, "{name} {n} is never looked at");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn storm(how: Saves) {
    let mut world = World::new("at a task");
    let (path, own) = (world.main(), world.own());
    let (turn, other) = (Mutex::new(()), Mutex::new(()));
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let a = scope.spawn(|| editor(&path, "a", how, &turn));
        let b = scope.spawn(|| editor(&path, "b", how, &turn));
        let c = scope.spawn(|| editor(&own, "c", how, &other));
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !over.load(Ordering::SeqCst) {
                let bytes = fs::read(&path).unwrap();
                // Half a file is an in-place editor's own doing.
                let whole = how == Saves::InPlace || read(&bytes).is_ok();
                assert!(whole, "half a page: {}", String::from_utf8_lossy(&bytes));
                reads += 1;
            }
            reads
        });
        let mut n = 0;
        while !(a.is_finished() && b.is_finished() && c.is_finished()) {
            n += 1;
            if n % 8 == 0 {
                world.note(&format!("step {n}"));
            }
            world.step();
            world.contexts.look_late(Age::Ripe);
        }
        over.store(true, Ordering::SeqCst);
        for editor in [a, b, c] {
            editor.join().unwrap();
        }
        assert!(reader.join().unwrap() > 0);
    });
    world.contexts.look_late(Age::Any);
    world.turn();
    let kept: Vec<u8> = world.refused().concat();
    let (text, kept) = (world.text(), String::from_utf8_lossy(&kept).into_owned());
    for name in ["a", "b", "c"] {
        for n in 0..LINES {
            let line = format!("- {name} {n}.");
            let times = text.matches(&line).count();
            // What was met half written, and never whole, is kept and told instead.
            let aside = how == Saves::InPlace && times == 0 && kept.contains(&line);
            assert!(times == 1 || aside, "{line} is there {times} times\n{text}");
        }
    }
    assert_eq!(fs::read_to_string(world.own()).unwrap(), text);
}

#[test]
fn invariant_no_edit_is_lost_to_the_engine_or_to_another_editor() {
    storm(Saves::ByRename);
}

#[test]
fn invariant_no_edit_is_lost_when_editors_write_in_place() {
    storm(Saves::InPlace);
}
