//! Many hands on one page at once: two editors, several processes and the engine. No word of any of
//! them is lost, and the page is never seen half written.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;

const PAGE: &str = ".loop/active_context.md";
const HEADING: &str = "## 3. Scratchpad (草稿区)\n";
/// Lines of each editor.
const LINES: usize = 6;
/// Claims of each process.
const CLAIMS: usize = 30;

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

/// Writes a line and looks whether it stayed; the other editor may have saved over it.
fn writes(house: &House, editor: &str, id: &str) {
    for n in 0..LINES {
        let line = format!("- {editor} writes {n}");
        until(&line, || {
            let text = whole(house);
            if !text.contains(&line) {
                let edited = text.replacen(HEADING, &format!("{HEADING}{line}\n"), 1);
                save(house, editor, &edited);
            }
            house.run(&["lifecycle", "context", id]).out.contains(&line)
        });
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
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !over.load(Ordering::SeqCst) {
                whole(&house);
            }
        });
        let editors = ["ann", "bo"].map(|editor| {
            scope.spawn({
                let (house, id) = (&house, &id);
                move || writes(house, editor, id)
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
        // An editor that was saved over, or looked too early, has written its line once more.
        for editor in ["ann", "bo"] {
            assert!(page.contains(&format!("- {editor} writes {n}\n")), "{editor} {n}: {page}");
        }
        assert_eq!(page.matches(&format!("T-1: step {n}\n")).count(), 1, "step {n}: {page}");
    }
    assert_eq!(house.read("began"), "x\n", "the work went on meanwhile, once");
}

#[test]
fn two_processes_claim_at_once_and_none_is_lost() {
    let house = house(LONG, PRD);
    let id = at_work(&house);
    std::thread::scope(|scope| {
        for who in ["ann", "bo"] {
            let house = &house;
            scope.spawn(move || {
                for n in 0..CLAIMS {
                    let note = format!("{who}-{n}.");
                    let args = ["lifecycle", "update", "T-1", "IN_PROGRESS", "-m", &note];
                    let ran = house.run(&args);
                    assert_eq!(ran.code, 0, "{ran:?}");
                }
            });
        }
    });
    let page = house.run(&["lifecycle", "context", &id]).out;
    for who in ["ann", "bo"] {
        for n in 0..CLAIMS {
            let note = format!("T-1: {who}-{n}.");
            assert_eq!(page.matches(&note).count(), 1, "{note}: {page}");
        }
    }
    assert_eq!(page.matches("] T-1: ").count(), 1, "one line a task, none inserted: {page}");
    house.write("go", "");
    assert_eq!(until_state(&house, &id, "IDLE")["outcome"], "completed");
}
