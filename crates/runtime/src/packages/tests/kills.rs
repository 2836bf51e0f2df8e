//! A crash at every step of every operation that moves something, and what running it again makes
//! of it. A crash is a panic that nobody answers: nothing is taken back and nothing is told.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use kernel::packages::Tongue;
use serde_json::{Value, json};

use super::operations::{archive, create};
use super::yard::{Tree, Yard};
use crate::change::{Pass, Steps};
use crate::packages::{find, upgrade_plan};

const AT: &str = "2026-01-22 11:00";

const OLD: [(&str, &str); 9] = [
    ("loopwright/project.md", "# mine\r\n"),
    ("loopwright/wiki/auth.md", "auth"),
    ("loopwright/history/2025-01/202501011200_old/why.md", "why\n"),
    ("loopwright/history/2025-01/202501011200_old/how.md", "how"),
    ("loopwright/history/2025-01/202501011200_old/task.md", "- [√] 1 a\n"),
    ("loopwright/plan/202502011200_open/why.md", "why"),
    ("loopwright/plan/202502011200_open/task.md", "- [ ] 1 a\n"),
    ("loopwright/changelog.md", "log"),
    ("loopwright/notes.txt", "?"),
];

const PACKAGE: [(&str, &str); 4] = [
    ("loopwright/plan/202601221030_x/proposal.md", "# p\n"),
    ("loopwright/plan/202601221030_x/tasks.md", "# t\n- [√] 1 a\n- [ ] 2 b\n"),
    ("loopwright/plan/202601221030_x/sub/more.md", "more"),
    ("loopwright/archive/2026-01/202601221030_x/proposal.md", "older"),
];

fn upgrade(yard: &Yard) -> Value {
    let base = find(yard.path(), "", &[]).unwrap().root;
    let plan = upgrade_plan(yard.path(), &base, AT, Tongue::En).unwrap();
    json!({ "operation": "upgrade", "root": "loopwright", "lang": "en",
        "plan_hash": plan.plan_hash, "at": AT, "stamp": "20260122110000" })
}

/// Runs it to its end, cut off at the step of that number. Answers whether there was one.
fn cut_at(yard: &Yard, step: u32, pass: Pass) -> bool {
    let left = Cell::new(step);
    let watch = |_: &'static str| {
        if left.get() == 0 {
            // Not through the hook: nobody has to read of hundreds of them.
            std::panic::resume_unwind(Box::new("killed"));
        }
        left.set(left.get() - 1);
        Ok(())
    };
    let steps = Steps::watched(&watch);
    catch_unwind(AssertUnwindSafe(|| yard.act("c", pass, steps).unwrap())).is_err()
}

/// Every file of before is somewhere, whole.
fn keeps(before: &Tree, now: &Tree, at: &str) {
    let files = before.iter().filter(|(path, _)| !path.ends_with('/'));
    for (path, bytes) in files.filter(|(path, _)| !path.ends_with("tasks.md")) {
        assert!(now.values().any(|it| it.ends_with(bytes)), "{at}: {path} is lost");
    }
}

fn survives(files: &[(&str, &str)], args: impl Fn(&Yard) -> Value) {
    let whole = Yard::new(files);
    whole.run("c", &args(&whole)).unwrap();
    let expected = whole.tree();
    let mut step = 0;
    loop {
        let yard = Yard::new(files);
        let before = yard.tree();
        yard.prepare("c", &args(&yard)).unwrap();
        if !cut_at(&yard, step, Pass::First) {
            break;
        }
        let at = format!("step {step}");
        // What was moved over is in the record of the call as well; here the tree alone is asked.
        keeps(&before, &yard.tree(), &at);
        // The second life may die too, one step further.
        cut_at(&yard, step / 2, Pass::Again);
        let report = yard.act("c", Pass::Again, Steps::UNWATCHED).unwrap();
        assert_eq!(report["success"], true, "{at}");
        assert_eq!(yard.tree(), expected, "{at}");
        step += 1;
    }
    assert!(step > 10, "only {step} steps were cut");
}

#[test]
fn a_crash_in_create_is_made_good() {
    survives(&[], |_| create("x"));
}

#[test]
fn a_crash_in_archive_loses_nothing_and_overwrites_nothing() {
    survives(&PACKAGE, |_| archive("202601221030_x", Value::Null));
}

#[test]
fn a_crash_in_upgrade_loses_nothing_and_overwrites_nothing() {
    survives(&OLD, upgrade);
}

#[test]
fn an_upgrade_leaves_the_present_layout_and_a_whole_copy() {
    let yard = Yard::new(&OLD);
    let report = yard.run("c", &upgrade(&yard)).unwrap();
    let tree = yard.tree();
    for (path, text) in OLD {
        let copy = path.replacen("loopwright", "loopwright_backup_20260122110000", 1);
        assert_eq!(tree.get(&copy).map(Vec::as_slice), Some(text.as_bytes()), "{copy}");
    }
    for gone in ["wiki/", "history/", "project.md", "changelog.md"] {
        assert!(!tree.contains_key(&format!("loopwright/{gone}")), "{gone}");
    }
    assert!(yard.read("loopwright/context.md").starts_with("# mine\r\n"));
    assert_eq!(yard.read("loopwright/modules/auth.md"), "auth");
    assert_eq!(yard.read("loopwright/CHANGELOG.md"), "log");
    assert_eq!(yard.read("loopwright/notes.txt"), "?");
    assert_eq!(report["context"]["left"], json!(["notes.txt"]));
    assert_eq!(report["context"]["backup"], "loopwright_backup_20260122110000");
}

#[test]
fn an_upgrade_says_what_is_in_its_way_and_how_the_base_stands() {
    let mut files = OLD.to_vec();
    files.push(("loopwright/modules/auth.md", "mine"));
    let yard = Yard::new(&files);
    let report = yard.run("c", &upgrade(&yard)).unwrap();
    let context = &report["context"];
    assert_eq!((&report["success"], &context["state"]), (&json!(true), &json!("old")), "{report}");
    assert_eq!(context["conflicts"], json!(["modules/auth.md"]));
    assert_eq!(context["left"], json!(["notes.txt", "wiki/auth.md"]));
    assert_eq!(yard.read("loopwright/modules/auth.md"), "mine", "nothing is overwritten");
    // A core file that is blank stays blank, and what is left beside it does not hide that.
    let yard = Yard::new(&[
        ("loopwright/project.md", "# p\n"),
        ("loopwright/history/notes.md", "?"),
        ("loopwright/INDEX.md", " \n"),
    ]);
    let report = yard.run("c", &upgrade(&yard)).unwrap();
    let told = [&report["success"], &report["failed_at"], &report["error_message"]];
    assert_eq!(told, [&json!(false), &json!("check"), &json!("check: heavy")], "{report}");
    assert_eq!(report["pending"], json!(["check"]));
    let whole = Yard::new(&OLD);
    let report = whole.run("c", &upgrade(&whole)).unwrap();
    assert_eq!((&report["success"], &report["context"]["state"]), (&json!(true), &json!("ok")));
}

/// The disk refuses once, at every step in turn: all is as it was, the report is whole, and asking
/// again comes to the same end.
fn refuses(files: &[(&str, &str)], args: &Value) {
    let whole = Yard::new(files);
    let steps = whole.run("c", args).unwrap()["completed"].as_array().unwrap().len();
    let expected = whole.tree();
    for step in 0.. {
        let yard = Yard::new(files);
        let before = yard.tree();
        yard.prepare("c", args).unwrap();
        let left = Cell::new(Some(step));
        let watch = |_: &'static str| match left.get() {
            Some(0) => {
                left.set(None);
                Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
            }
            at => {
                left.set(at.map(|at| at - 1));
                Ok(())
            }
        };
        let Err(report) = yard.act("c", Pass::First, Steps::watched(&watch)) else {
            assert!(step > 10, "only {step} steps were refused");
            return;
        };
        assert_eq!(report["success"], false, "step {step}");
        assert_eq!(report["failed_at"], report["pending"][0], "step {step}");
        let told = ["completed", "pending"].map(|key| report[key].as_array().unwrap().len());
        assert_eq!(told[0] + told[1], steps, "step {step}");
        assert_eq!(yard.tree(), before, "step {step}");
        yard.run("again", args).unwrap();
        assert_eq!(yard.tree(), expected, "step {step}");
    }
}

#[test]
fn a_full_disk_leaves_all_as_it_was() {
    refuses(&[], &create("x"));
    refuses(&PACKAGE, &archive("202601221030_x", Value::Null));
}
