//! A workspace in a temporary directory, with what it holds written down.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use loopwright_runtime::change::{
    self, Acted, Force, Manifest, NotActed, Pass, Plan, Problem, Record, Saved, Source, Steps,
    Swap, Work,
};
use loopwright_runtime::files::{HardLinks, Root};

/// Everything below a directory: kind, mode, bytes.
pub type Snapshot = BTreeMap<String, (char, u32, Vec<u8>)>;

pub struct World {
    pub dir: tempfile::TempDir,
    pub root: Root,
}

impl World {
    /// With a few files of several kinds.
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let tree = dir.path().join("tree");
        fs::create_dir_all(tree.join("d/empty")).unwrap();
        let root = Root::open(&tree).unwrap();
        let world = Self { dir, root };
        world.put("a", b"one\ntwo\nthree\n", 0o640);
        world.put("b", b"four\r\nfive\r\n", 0o644);
        world.put("run", b"#!/bin/sh\n", 0o755);
        world.put("gone", b"bye\n", 0o644);
        world.put("d/moved", b"here\n", 0o600);
        std::os::unix::fs::symlink("a", tree.join("link")).unwrap();
        world
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join("tree").join(path)
    }

    pub fn put(&self, path: &str, bytes: &[u8], mode: u32) {
        fs::write(self.path(path), bytes).unwrap();
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        fs::read(self.path(path)).ok()
    }

    pub fn record(&self, call: &str) -> Record {
        Record { dir: self.dir.path().join("calls").join(call), call_id: call.to_owned() }
    }

    pub fn aside(&self, call: &str) -> PathBuf {
        self.dir.path().join("aside").join(call)
    }

    pub fn snapshot(&self) -> Snapshot {
        let mut out = Snapshot::new();
        walk(&self.dir.path().join("tree"), "", &mut out);
        out
    }

    pub fn prepare(&self, call: &str, work: &Work, steps: Steps<'_>) -> Result<Manifest, Problem> {
        let record = self.record(call);
        change::prepare(&self.root, &record, &work.wanted, HardLinks::Refuse, steps)
    }

    pub fn act(&self, call: &str, pass: Pass, steps: Steps<'_>) -> Result<Acted, NotActed> {
        change::act(&self.root, &self.record(call), pass, Swap::Exchange, steps)
    }

    /// Prepares and acts.
    pub fn run(&self, call: &str, work: &Work) {
        self.prepare(call, work, Steps::UNWATCHED).unwrap();
        self.act(call, Pass::First, Steps::UNWATCHED).unwrap();
    }

    pub fn source(&self, call: &str) -> Source {
        let record = self.record(call);
        let manifest = record.read().unwrap();
        Source { record, manifest, saved: Saved::Beside }
    }

    /// Plans the undo of calls, the newest first.
    pub fn plan(&self, calls: &[&str], force: Force) -> Result<Plan, Problem> {
        let sources: Vec<Source> = calls.iter().map(|call| self.source(call)).collect();
        change::plan(&self.root, &sources, force)
    }

    /// Carries out a plan as the call of that name; what is cut off may be run again.
    pub fn carry_out(&self, call: &str, plan: &Plan, steps: Steps<'_>) {
        let (record, aside) = (self.record(call), self.aside(call));
        change::prepare_undo(&self.root, &record, plan, &aside, steps).unwrap();
        self.act(call, Pass::Again, steps).unwrap();
    }

    pub fn undo(&self, call: &str, calls: &[&str]) {
        let plan = self.plan(calls, Force::No).unwrap();
        self.carry_out(call, &plan, Steps::UNWATCHED);
    }
}

fn walk(dir: &Path, prefix: &str, out: &mut Snapshot) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        let meta = fs::symlink_metadata(entry.path()).unwrap();
        let mode = meta.permissions().mode() & 0o777;
        if meta.is_dir() {
            out.insert(path.clone(), ('d', mode, Vec::new()));
            walk(&entry.path(), &format!("{path}/"), out);
        } else if meta.is_symlink() {
            let target = fs::read_link(entry.path()).unwrap();
            out.insert(path, ('l', 0, target.as_os_str().as_bytes().to_vec()));
        } else {
            out.insert(path, ('f', mode, fs::read(entry.path()).unwrap()));
        }
    }
}
