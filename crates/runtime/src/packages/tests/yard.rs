//! A directory to try operations in, and how its tree is told.

use std::collections::BTreeMap;
use std::path::Path;

use kernel::packages::XMeans;
use kernel::paths::Names;
use serde_json::Value;
use tempfile::TempDir;

use crate::change::{Pass, Record, Steps};
use crate::files::{HardLinks, Root};
use crate::packages::{self, Bound};

/// A workspace and the directory of a call.
pub(super) struct Yard {
    pub(super) dir: TempDir,
    calls: TempDir,
}

/// Files by path; a directory ends in `/`.
pub(super) type Tree = BTreeMap<String, Vec<u8>>;

impl Yard {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        let yard = Self { dir: tempfile::tempdir().unwrap(), calls: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            yard.write(path, text);
        }
        yard
    }

    pub(super) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let full = self.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }

    pub(super) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap_or_else(|_| panic!("no {path}"))
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.path().join(path).exists()
    }

    pub(super) fn record(&self, call: &str) -> Record {
        Record { dir: self.calls.path().join(call), call_id: call.to_owned() }
    }

    pub(super) fn prepare(&self, call: &str, args: &Value) -> Result<(), String> {
        let record = self.record(call);
        std::fs::create_dir_all(&record.dir).unwrap();
        let names = Names::default();
        let bound = Bound { names: &names, links: HardLinks::Refuse, x: XMeans::Ask, checks: &[] };
        let root = Root::open(self.path()).unwrap();
        packages::prepare(&root, &record, args, &bound, Steps::UNWATCHED)
            .map_err(|why| format!("{} {}", why.misfit().code, why.misfit().details))
    }

    pub(super) fn act(&self, call: &str, pass: Pass, steps: Steps<'_>) -> Result<Value, Value> {
        let root = Root::open(self.path()).unwrap();
        packages::act(&root, &self.record(call), pass, steps)
            .map(|(report, _)| report)
            .map_err(|(_, report)| report)
    }

    /// Prepares and acts; the report, or the code of the refusal.
    pub(super) fn run(&self, call: &str, args: &Value) -> Result<Value, String> {
        self.prepare(call, args)?;
        Ok(self.act(call, Pass::First, Steps::UNWATCHED).unwrap())
    }

    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        walk(self.path(), "", &mut tree);
        tree
    }
}

fn walk(dir: &Path, below: &str, tree: &mut Tree) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{below}{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            tree.insert(format!("{path}/"), Vec::new());
            walk(&entry.path(), &format!("{path}/"), tree);
        } else {
            tree.insert(path, std::fs::read(entry.path()).unwrap());
        }
    }
}
