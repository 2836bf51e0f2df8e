//! An editor saving while we write: whenever it does, its text is there afterwards. Somebody who
//! swaps directories for links meanwhile: nothing is written behind them.

use std::cell::Cell;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Barrier;

use loopwright_runtime::change::{Acted, NotActed, Pass, Problem, Steps};
use rustix::fs::{CWD, RenameFlags};
use serde_json::{Value, json};

use crate::cases;
use crate::world::World;

/// What CI runs; the long form is the proof `races`, which sets `LOOPWRIGHT_RACES`.
const ROUNDS: usize = 60;

fn rounds() -> usize {
    std::env::var("LOOPWRIGHT_RACES").ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS)
}

/// How an editor saves.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Beside it, then renamed over it.
    Renames,
    /// Into the file itself.
    InPlace,
}

/// Whether the editor could save at all; in place it needs the file.
fn save(manner: Manner, path: &Path, text: &[u8]) -> bool {
    match manner {
        Manner::Renames => {
            let beside = path.with_extension("swp");
            fs::write(&beside, text).unwrap();
            fs::rename(&beside, path).unwrap();
            true
        }
        Manner::InPlace => {
            let Ok(mut file) = OpenOptions::new().write(true).truncate(true).open(path) else {
                return false;
            };
            for part in text.chunks(3) {
                file.write_all(part).unwrap();
            }
            true
        }
    }
}

/// The steps between which a file changes hands; before and after them nothing can go wrong.
const MOMENTS: [&str; 5] = ["exchange", "displace", "check", "unlink", "sync directory"];

/// One round: the editor begins at one of these moments, or a little later.
fn round(
    world: &World,
    n: usize,
    manner: Manner,
    (tool, args): (&str, &Value),
) -> (bool, Result<Acted, NotActed>) {
    world.put("a", b"start\n", 0o644);
    let call = format!("call-{n}");
    let work = cases::work(world, tool, args).unwrap();
    world.prepare(&call, &work, Steps::UNWATCHED).unwrap();
    let moment = MOMENTS[n % MOMENTS.len()];
    let moment = if tool == "write" && moment == "displace" { "exchange" } else { moment };
    let moment = if tool == "delete" && moment == "exchange" { "displace" } else { moment };
    let (begin, begun) = (Barrier::new(2), Cell::new(false));
    let watch = |step: &'static str| -> io::Result<()> {
        if step == moment && !begun.replace(true) {
            begin.wait();
            spin((n * 11) % 1500);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let editor = scope.spawn(|| {
            begin.wait();
            spin((n * 37) % 4000);
            save(manner, &world.path("a"), format!("edit {n}\n").as_bytes())
        });
        let acted = world.act(&call, Pass::First, Steps::watched(&watch));
        assert!(begun.get(), "{tool}: the moment never came");
        (editor.join().unwrap(), acted)
    })
}

fn spin(times: usize) {
    for _ in 0..times {
        std::hint::spin_loop();
    }
}

fn race(tool: &str, args: &Value, manner: Manner) {
    let world = World::new();
    let (mut won, mut lost) = (0, 0);
    for n in 0..rounds() {
        let (saved, acted) = round(&world, n, manner, (tool, args));
        if saved {
            let text = format!("edit {n}\n").into_bytes();
            assert_eq!(world.get("a"), Some(text), "{tool} {manner:?} {n}: {acted:?}");
        }
        match acted {
            Ok(_) => won += 1,
            Err(NotActed { why: Problem::Changed { .. }, mixed }) => {
                assert_eq!(mixed, []);
                lost += 1;
            }
            Err(other) => panic!("{tool} {manner:?} {n}: {other:?}"),
        }
        let temps = fs::read_dir(world.path("."))
            .unwrap()
            .filter(|it| it.as_ref().unwrap().file_name().to_str().unwrap().starts_with(".lw-"));
        assert_eq!(temps.count(), 0, "{tool} {manner:?} {n}");
    }
    println!("{tool} {manner:?}: {won} written, {lost} refused");
}

#[test]
fn invariant_no_edit_is_lost_to_a_write() {
    let args = json!({ "path": "a", "text": "ours\n", "mode": "overwrite" });
    race("write", &args, Manner::Renames);
    race("write", &args, Manner::InPlace);
}

#[test]
fn invariant_no_edit_is_lost_to_a_delete() {
    let args = json!({ "path": "a" });
    race("delete", &args, Manner::Renames);
    race("delete", &args, Manner::InPlace);
}

#[test]
fn invariant_one_of_two_creators_wins_and_the_other_is_told() {
    let world = World::new();
    let args = json!({ "path": "new", "text": "ours\n", "mode": "create" });
    for n in 0..rounds() {
        drop(fs::remove_file(world.path("new")));
        let call = format!("call-{n}");
        let work = cases::work(&world, "write", &args).unwrap();
        world.prepare(&call, &work, Steps::UNWATCHED).unwrap();
        let start = Barrier::new(2);
        let (theirs, ours) = std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                start.wait();
                spin((n * 37) % 4000);
                let mut options = OpenOptions::new();
                let made = options.write(true).create_new(true).mode(0o644).open(world.path("new"));
                made.is_ok_and(|mut file| file.write_all(b"theirs\n").is_ok())
            });
            start.wait();
            let ours = world.act(&call, Pass::First, Steps::UNWATCHED).is_ok();
            (other.join().unwrap(), ours)
        });
        assert!(theirs != ours, "{n}: exactly one");
        let expected: &[u8] = if theirs { b"theirs\n" } else { b"ours\n" };
        assert_eq!(world.get("new").as_deref(), Some(expected), "{n}");
    }
}

/// More steps than a prepared write has, so that some rounds are not disturbed at all.
const STEPS_MAX: usize = 24;

#[test]
fn invariant_no_write_lands_outside_when_its_directory_turns_into_a_link() {
    let world = World::new();
    let outside = world.dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("moved"), "canary").unwrap();
    std::os::unix::fs::symlink(&outside, world.path("evil")).unwrap();
    let swap = || {
        let (dir, link) = (world.path("d"), world.path("evil"));
        rustix::fs::renameat_with(CWD, &dir, CWD, &link, RenameFlags::EXCHANGE)
    };
    let (mut swapped, mut written) = (0, 0);
    for n in 0..rounds() {
        let (call, path) = (format!("call-{n}"), format!("d/new-{n}"));
        let args = match n % 2 {
            0 => json!({ "path": path, "text": "ours\n", "mode": "create" }),
            _ => json!({ "path": "d/moved", "text": call, "mode": "overwrite" }),
        };
        let step = Cell::new(0);
        let watch = |_: &'static str| -> io::Result<()> {
            step.set(step.get() + 1);
            if step.get() == 1 + (n / 2) % STEPS_MAX { Ok(swap()?) } else { Ok(()) }
        };
        let work = cases::work(&world, "write", &args).unwrap();
        let ready = world.prepare(&call, &work, Steps::watched(&watch)).is_ok();
        if ready && world.act(&call, Pass::First, Steps::watched(&watch)).is_ok() {
            written += 1;
        }
        if world.path("d").is_symlink() {
            swapped += 1;
            swap().unwrap();
        }
        let names = fs::read_dir(&outside).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["moved"], "{n}: something was made outside");
        assert_eq!(fs::read_to_string(outside.join("moved")).unwrap(), "canary", "{n}");
    }
    assert!(swapped > 0 && written > 0, "{swapped} swapped, {written} written: nothing is proven");
}
