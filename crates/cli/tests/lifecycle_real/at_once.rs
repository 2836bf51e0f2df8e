//! Many hands on one page at once: two editors and the engine. Every line that an editor saved is
//! there exactly once, and the page is never seen half written.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

const PAGE: &str = ".loop/active_context.md";
const HEADING: &str = "## 3. Scratchpad (草稿区)\n";
/// Lines of each editor.
const LINES: usize = 6;

/// An agent that works at the first task until it is let go.
const LONG: &str = r#"
[[rule]]
when = "Write a"
steps = [ { session = "auto" }, { run = ["sh", "wait.sh"] },
          { write = { path = "a.txt", text = "one\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
[[rule]]
steps = [ { session = "auto" }, { write = { path = "b.txt", text = "two\n" } },
          { say = '{"control":"step_done"}' }, "end" ]
"#;

/// The page as a reader finds it: whole, at every moment.
fn whole(house: &House) -> String {
    let text = house.read(PAGE);
    assert!(text.starts_with("---\nsession_id: "), "torn: {text:?}");
    assert!(text.contains("\n## 4. History (近 5 条记录)\n"), "torn: {text:?}");
    text
}

/// Saves as editors do: another file in its place.
fn save(house: &House, editor: &str, text: &str) {
    let temp = house.work.join(format!(".loop/.page.{editor}"));
    std::fs::write(&temp, text).unwrap();
    std::fs::rename(&temp, house.work.join(PAGE)).unwrap();
}

/// Saves each line once. An editor does not save over what the other one saved and nobody has seen
/// yet: that would be its doing, not ours.
fn writes(house: &House, editor: &str, id: &str, turn: &Mutex<()>) {
    for n in 0..LINES {
        let line = format!("- {editor} writes {n}");
        {
            let _mine = turn.lock().unwrap();
            let text = whole(house);
            let edited = text.replacen(HEADING, &format!("{HEADING}{line}\n"), 1);
            save(house, editor, &edited);
            until("it is looked at", || house.read(PAGE) != edited);
        }
        until(&line, || house.run(&["lifecycle", "context", id]).out.contains(&line));
    }
}

fn at_work(house: &House) -> String {
    house.write("wait.sh", "echo x >> began; while ! test -e go; do sleep 0.05; done\n");
    let id = started(house);
    until_state(house, &id, "CONFIRMING");
    assert_eq!(house.run(&["lifecycle", "confirm", &id]).code, 0);
    until("the turn is at work", || house.has("began"));
    id
}

#[test]
fn two_editors_and_the_engine_share_the_page() {
    let house = house(LONG, PRD);
    let id = at_work(&house);
    let (over, turn) = (AtomicBool::new(false), Mutex::new(()));
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                whole(&house);
            }
        });
        let editors = ["ann", "bo"].map(|editor| {
            scope.spawn({
                let (house, id, turn) = (&house, &id, &turn);
                move || writes(house, editor, id, turn)
            })
        });
        // The engine writes too.
        for n in 0..LINES {
            let note = format!("step {n}");
            let args = ["lifecycle", "update", "T-1", "IN_PROGRESS", "-m", &note];
            assert_eq!(house.run(&args).code, 0);
        }
        let ended = editors.map(|editor| editor.join().is_ok());
        over.store(true, Ordering::SeqCst);
        assert!(reader.join().is_ok() && ended == [true, true]);
    });
    house.write("go", "");
    let end = until_state(&house, &id, "IDLE");
    assert_eq!(end["outcome"], "completed", "no edit moved it: {end}");
    let page = house.run(&["lifecycle", "context", &id]).out;
    for n in 0..LINES {
        let lines = [
            format!("- ann writes {n}\n"),
            format!("- bo writes {n}\n"),
            format!("T-1: step {n}\n"),
        ];
        for line in lines {
            assert_eq!(page.matches(&line).count(), 1, "{line}: {page}");
        }
    }
    assert_eq!(house.read("began"), "x\n", "the work went on meanwhile, once");
}
