//! Each change cut off, or failing, at each of its steps; each undo cut off and repeated.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use loopwright_runtime::change::{self, Force, Manifest, Pass, Probed, Record, Steps};
use loopwright_runtime::tree::Hash;

use crate::cases;
use crate::world::{Snapshot, World};

/// Runs `work` until its step `n` and then as if the process had died there.
pub fn cut(n: usize, work: impl FnOnce(Steps<'_>)) -> bool {
    let steps = Cell::new(0);
    let watch = |_: &'static str| -> io::Result<()> {
        if steps.replace(steps.get() + 1) == n {
            resume_unwind(Box::new("cut"));
        }
        Ok(())
    };
    catch_unwind(AssertUnwindSafe(|| work(Steps::watched(&watch)))).is_err()
}

pub fn temps(snapshot: &Snapshot) -> Vec<&String> {
    snapshot.keys().filter(|path| path.contains(".lw-")).collect()
}

/// The saved bytes are what the record says stood there.
fn assert_backed_up(record: &Record, manifest: &Manifest, name: &str) {
    for entry in &manifest.paths {
        let Some(before) = &entry.before else { continue };
        let Some(file) = &before.bytes_file else { continue };
        let bytes = std::fs::read(record.dir.join("undo").join(file)).unwrap();
        assert_eq!(Hash::of(&bytes), before.sha256, "{name} {}", entry.path);
    }
}

/// Every path holds what stood there or what shall; nothing else appeared or went.
pub fn assert_before_or_after(now: &Snapshot, before: &Snapshot, after: &Snapshot, name: &str) {
    for path in now.keys().chain(before.keys()).chain(after.keys()) {
        if path.contains(".lw-") {
            continue;
        }
        let found = now.get(path);
        let right = found == before.get(path) || found == after.get(path);
        assert!(right, "{name}: {path} holds {found:?}");
    }
}

fn without_dirs(snapshot: &Snapshot) -> Snapshot {
    snapshot.iter().filter(|(_, it)| it.0 != 'd').map(|(a, b)| (a.clone(), b.clone())).collect()
}

/// What the probe must say of these trees; directories on the way prove nothing.
fn assert_probed(probed: &Probed, now: &Snapshot, before: &Snapshot, after: &Snapshot, name: &str) {
    let dirs_count = without_dirs(before) == without_dirs(after);
    let view = |it: &Snapshot| if dirs_count { it.clone() } else { without_dirs(it) };
    let (now, before, after) = (view(now), view(before), view(after));
    match probed {
        Probed::Happened => assert_eq!(now, after, "{name}"),
        Probed::DidNotHappen => assert_eq!(now, before, "{name}"),
        Probed::Inconclusive(_) => assert!(now != before && now != after, "{name}"),
    }
}

/// The tree before and after a change that is not cut.
fn whole(tool: &str, args: &serde_json::Value) -> (Snapshot, Snapshot) {
    let world = World::new();
    let before = world.snapshot();
    world.run("call-1", &cases::work(&world, tool, args).unwrap());
    (before, world.snapshot())
}

#[test]
fn invariant_a_cut_change_is_told_and_undone_exactly() {
    for (name, tool, args) in cases::all() {
        let (before, after) = whole(tool, &args);
        let mut cuts = 0;
        for n in 0.. {
            let name = format!("{name}, cut at {n}");
            let world = World::new();
            let work = cases::work(&world, tool, &args).unwrap();
            let was_cut = cut(n, |steps| {
                world.prepare("call-1", &work, steps).unwrap();
                world.act("call-1", Pass::First, steps).unwrap();
            });
            let record = world.record("call-1");
            let now = world.snapshot();
            assert_before_or_after(&now, &before, &after, &name);
            match record.read() {
                Err(_) => assert_eq!(now, before, "{name}: nothing is touched before the record"),
                Ok(manifest) => {
                    assert_backed_up(&record, &manifest, &name);
                    let probed = change::probe(&world.root, &record).unwrap();
                    let now = world.snapshot();
                    assert_before_or_after(&now, &before, &after, &name);
                    assert_probed(&probed, &now, &before, &after, &name);
                    assert!(temps(&now).is_empty(), "{name}: {:?}", temps(&now));
                    world.undo("call-2", &["call-1"]);
                    assert_eq!(world.snapshot(), before, "{name}, undone");
                }
            }
            if !was_cut {
                break;
            }
            cuts += 1;
        }
        assert!(cuts >= 4, "{name}: only {cuts} steps");
    }
}

#[test]
fn invariant_a_failing_change_takes_itself_back() {
    for (name, tool, args) in cases::all() {
        for n in 0.. {
            let name = format!("{name}, failing at {n}");
            let world = World::new();
            let before = world.snapshot();
            let work = cases::work(&world, tool, &args).unwrap();
            let steps = Cell::new(0);
            let watch = |_: &'static str| -> io::Result<()> {
                let failing = steps.replace(steps.get() + 1) == n;
                if failing { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
            };
            let steps = Steps::watched(&watch);
            if world.prepare("call-1", &work, steps).is_err() {
                assert_eq!(world.snapshot(), before, "{name}");
                continue;
            }
            match world.act("call-1", Pass::First, steps) {
                Ok(_) => break,
                Err(not_acted) => {
                    assert_eq!(not_acted.mixed, [], "{name}");
                    assert_eq!(world.snapshot(), before, "{name}");
                }
            }
        }
    }
}

#[test]
fn invariant_a_cut_undo_is_repeated_to_the_same_end() {
    for (name, tool, args) in cases::all() {
        let (before, after) = whole(tool, &args);
        for n in 0.. {
            let name = format!("{name}, undo cut at {n}");
            let world = World::new();
            world.run("call-1", &cases::work(&world, tool, &args).unwrap());
            let plan = world.plan(&["call-1"], Force::No).unwrap();
            let was_cut = cut(n, |steps| world.carry_out("call-2", &plan, steps));
            assert_before_or_after(&world.snapshot(), &after, &before, &name);
            world.carry_out("call-2", &plan, Steps::UNWATCHED);
            assert_eq!(world.snapshot(), before, "{name}");
            world.carry_out("call-2", &plan, Steps::UNWATCHED);
            assert_eq!(world.snapshot(), before, "{name}, repeated");
            world.undo("call-3", &["call-2"]);
            assert_eq!(world.snapshot(), after, "{name}, undone itself");
            if !was_cut {
                break;
            }
        }
    }
}
