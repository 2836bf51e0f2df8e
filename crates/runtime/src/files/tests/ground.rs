//! A workspace beside a place outside it, with a canary that must never be seen.

use std::fs;
use std::path::{Path, PathBuf};

use kernel::paths::Names;
use serde_json::Value;

use super::super::{Desk, Fault, Root, list, read, search};

/// What stands outside.
pub(super) const CANARY: &str = "canary-outside-7f3a";

pub(super) struct GroundIn {
    _temp: tempfile::TempDir,
    pub root: PathBuf,
    pub outside: PathBuf,
    pub held: Root,
    pub names: Names,
}

impl GroundIn {
    pub(super) fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(temp.path()).unwrap();
        let (root, outside) = (top.join("root"), top.join("outside"));
        fs::create_dir(&root).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret.txt"), CANARY).unwrap();
        fs::write(outside.join("outside-only.txt"), CANARY).unwrap();
        let held = Root::open(&root).unwrap();
        Self { _temp: temp, root, outside, held, names: Names::default() }
    }

    pub(super) fn with(files: &[(&str, &str)]) -> Self {
        let ground = Self::new();
        for (path, text) in files {
            ground.write(path, text.as_bytes());
        }
        ground
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(super) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.root.join(path)).unwrap();
    }

    pub(super) fn desk(&self) -> Desk<'_> {
        Desk::new(&self.held, &self.names)
    }

    pub(super) fn read(&self, args: &Value) -> Result<read::Payload, Fault> {
        read::read(&self.desk(), &read::Args::parse(args)?)
    }

    pub(super) fn list(&self, args: &Value) -> Result<list::Payload, Fault> {
        list::list(&self.desk(), &list::Args::parse(args)?)
    }

    pub(super) fn search(&self, args: &Value) -> Result<search::Payload, Fault> {
        search::search(&self.desk(), &search::Args::parse(args)?)
    }

    /// An index of version 2 that tracks these paths.
    pub(super) fn track(&self, paths: &[&str]) {
        let mut paths: Vec<&str> = paths.to_vec();
        paths.sort_unstable();
        let mut index = b"DIRC".to_vec();
        index.extend(2u32.to_be_bytes());
        index.extend(u32::try_from(paths.len()).unwrap().to_be_bytes());
        for path in paths {
            let mut entry = vec![0u8; 24];
            entry.extend(0o100_644u32.to_be_bytes());
            entry.extend([0; 12 + 20]);
            entry.extend(u16::try_from(path.len()).unwrap().to_be_bytes());
            entry.extend(path.as_bytes());
            let padded = (entry.len() / 8 + 1) * 8;
            // Padding counts from the start of the entry, which begins at a multiple of eight.
            entry.resize(padded, 0);
            index.extend(entry);
        }
        self.write(".git/index", &index);
    }
}

/// The code and kind of a failure.
pub(super) fn told<T: std::fmt::Debug>(result: Result<T, Fault>) -> (String, &'static str) {
    let fault = result.unwrap_err();
    (fault.code().to_string(), fault.kind())
}
