//! What a process did to a tree in every way, taken back from its marks: cut off at each step,
//! failing at each step, and repeated. Files and directories that took each other's place included.

use std::cell::Cell;
use std::collections::HashMap;
use std::fs;
use std::io;

use kernel::machine::At;
use loopwright_runtime::change::{self, Force, Level, Marked, Saves, Steps};
use loopwright_runtime::checkpoints::{
    Always, FileChange, Git, Keeper, Named, Setup, Snapshot as Base, changed,
};
use loopwright_runtime::tree::{Hash, Scope};
use loopwright_runtime::workspace::Root;

use crate::cuts::{assert_before_or_after, cut, temps};
use crate::world::{Snapshot, World};

/// A tree with a directory that will give way.
fn world() -> World {
    let world = World::new();
    fs::create_dir(world.path("k")).unwrap();
    world.put("k/one", b"one of k\n", 0o644);
    world
}

/// What the process does.
fn mess(world: &World) {
    world.put("a", b"changed\r\n", 0o640);
    world.put("b", b"four\r\nfive\r\n", 0o755);
    fs::remove_file(world.path("gone")).unwrap();
    fs::create_dir_all(world.path("n/m")).unwrap();
    world.put("n/m/new", b"new", 0o644);
    fs::remove_file(world.path("run")).unwrap();
    fs::create_dir(world.path("run")).unwrap();
    world.put("run/inside", b"inside", 0o644);
    fs::remove_dir_all(world.path("k")).unwrap();
    world.put("k", b"a file now", 0o644);
    fs::remove_file(world.path("link")).unwrap();
    fs::create_dir(world.path("link")).unwrap();
    std::os::unix::fs::symlink("../b", world.path("link/other")).unwrap();
}

/// The marks of that process, and the bytes of the first.
struct Seen {
    before: Snapshot,
    after: Snapshot,
    base: Base,
    changes: Vec<FileChange>,
    bytes: HashMap<Hash, Vec<u8>>,
}

fn seen() -> Seen {
    let world = world();
    let before = world.snapshot();
    let (root, loop_dir) = (world.dir.path().join("tree"), world.dir.path().join("loop"));
    fs::create_dir(&loop_dir).unwrap();
    let git = Git::find(None, &std::env::var_os("PATH").unwrap(), &root);
    let (scope, quota_bytes) = (Scope::default(), u64::MAX);
    let root = Root::at(&root).unwrap();
    let setup = Setup { root, loop_dir, scope, disk_floor_bytes: 0, quota_bytes };
    let mut keeper = Keeper::new(setup, git);
    let first = keeper.look().unwrap();
    let commit = keeper.mark(&first, "call-1", At(1), &mut Always).unwrap().commit;
    mess(&world);
    let changes = changed(&first, &keeper.look().unwrap(), &Named::default());
    let base = keeper.snapshot(commit).unwrap();
    let mut reader = keeper.reader().unwrap();
    let blobs = base.files.values().map(|node| node.blob);
    let bytes = blobs.map(|blob| (blob, reader.get("blob", blob).unwrap())).collect();
    Seen { before, after: world.snapshot(), base, changes, bytes }
}

impl Seen {
    /// The same process in another tree, its record drawn.
    fn again(&self) -> World {
        let world = world();
        mess(&world);
        let marked = Marked { base: &self.base, changes: &self.changes, level: Level::BestEffort };
        assert_eq!(marked.left(), []);
        let mut bytes = |blob: Hash| self.bytes.get(&blob).cloned();
        let record = world.record("call-1");
        marked.draw(&world.root, &record, Saves::All, &mut bytes).unwrap();
        world
    }
}

#[test]
fn invariant_a_process_whose_undo_is_cut_off_is_taken_back_exactly() {
    let seen = seen();
    for n in 0.. {
        let name = format!("cut at {n}");
        let world = seen.again();
        let plan = world.plan(&["call-1"], Force::No).unwrap();
        let was_cut = cut(n, |steps| world.carry_out("call-2", &plan, steps));
        assert_before_or_after(&world.snapshot(), &seen.after, &seen.before, &name);
        world.carry_out("call-2", &plan, Steps::UNWATCHED);
        assert_eq!(world.snapshot(), seen.before, "{name}");
        world.carry_out("call-2", &plan, Steps::UNWATCHED);
        assert_eq!(world.snapshot(), seen.before, "{name}, repeated");
        assert!(temps(&world.snapshot()).is_empty(), "{name}");
        if !was_cut {
            assert!(n > 30, "only {n} steps");
            break;
        }
    }
}

#[test]
fn invariant_an_undo_that_fails_takes_itself_back_and_may_be_repeated() {
    let seen = seen();
    for n in 0.. {
        let name = format!("failing at {n}");
        let world = seen.again();
        let steps = Cell::new(0);
        let watch = |_: &'static str| -> io::Result<()> {
            let failing = steps.replace(steps.get() + 1) == n;
            if failing { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        };
        let plan = world.plan(&["call-1"], Force::No).unwrap();
        let (record, aside) = (world.record("call-2"), world.aside("call-2"));
        let steps = Steps::watched(&watch);
        let prepared = change::prepare_undo(&world.root, &record, &plan, &aside, steps);
        let acted = prepared.is_ok() && world.act("call-2", change::Pass::Again, steps).is_ok();
        if acted {
            assert_eq!(world.snapshot(), seen.before, "{name}");
            break;
        }
        assert_eq!(world.snapshot(), seen.after, "{name}: whole or not at all");
        world.carry_out("call-2", &plan, Steps::UNWATCHED);
        assert_eq!(world.snapshot(), seen.before, "{name}, repeated");
    }
}

#[test]
fn a_directory_with_something_of_the_users_in_it_stays() {
    let seen = seen();
    let world = seen.again();
    world.put("run/theirs", b"theirs", 0o644);
    let full = world.snapshot();
    let plan = world.plan(&["call-1"], Force::No).unwrap();
    let (record, aside) = (world.record("call-2"), world.aside("call-2"));
    change::prepare_undo(&world.root, &record, &plan, &aside, Steps::UNWATCHED).unwrap();
    let not_acted = world.act("call-2", change::Pass::Again, Steps::UNWATCHED).unwrap_err();
    assert_eq!((not_acted.mixed, world.snapshot()), (Vec::new(), full));
}
