//! One workspace on disk with a keeper over it: copied from the template, messed with, rolled
//! back, and held against the law.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use kernel::machine::At;
use kernel::rollback::{Conflicts, HeadRule};
use runtime::checkpoints::{
    Always, Ask, Collected, Error, Gc, Git, Keeper, Made, Named, Setup, Snapshot, Steps, Told,
    changed, collect, record,
};
use runtime::rollback::{Call, Gathered, Refused, Report, Run, Wanted, gather, run};
use runtime::tree::{Hash, Mark, Scope, store};
use runtime::workspace::Root;

use super::law::{Held, held};
use super::template::copy;

/// A moment; what it is does not matter.
pub(super) const AT: At = At(1_770_552_000_000);

/// The workspace.
pub struct Yard {
    dir: PathBuf,
    /// What remembers between calls.
    pub keeper: Keeper,
    calls: Vec<Call>,
}

impl Yard {
    /// A workspace at `dir/tree`, with what is there, that may take any space.
    pub fn at(dir: &Path) -> Result<Self, String> {
        Self::within(dir, u64::MAX)
    }

    /// The same, where marks and checkpoints may take so much.
    pub fn within(dir: &Path, quota_bytes: u64) -> Result<Self, String> {
        let root = dir.join("tree");
        fs::create_dir_all(root.join(".loop/calls")).map_err(text)?;
        let search = std::env::var_os("PATH").unwrap_or_default();
        let git = Git::find(None, &search, &root);
        let setup = Setup {
            loop_dir: root.join(".loop"),
            root: Root::at(&root).map_err(text)?,
            scope: Scope::default(),
            disk_floor_bytes: 0,
            quota_bytes,
        };
        Ok(Self { dir: dir.to_path_buf(), keeper: Keeper::new(setup, git), calls: Vec::new() })
    }

    /// The user's tree.
    pub fn root(&self) -> PathBuf {
        self.dir.join("tree")
    }

    /// The same workspace, copied elsewhere, with a keeper that remembers nothing.
    pub fn copied(&self, to: &Path) -> Result<Self, String> {
        copy(&self.dir, to).map_err(text)?;
        let mut yard = Self::at(to)?;
        let moved = |call: &Call| Call { dir: yard.call_dir(&call.id), ..call.clone() };
        yard.calls = self.calls.iter().map(moved).collect();
        Ok(yard)
    }

    /// As after a crash: the same disk, no memory.
    pub fn reborn(self) -> Result<Self, String> {
        let calls = self.calls;
        Ok(Self { calls, ..Self::at(&self.dir)? })
    }

    fn call_dir(&self, call: &str) -> PathBuf {
        self.root().join(".loop/calls").join(call)
    }

    /// Makes a checkpoint.
    pub fn checkpoint(&mut self, call: &str, steps: &mut dyn Steps) -> Result<Made, String> {
        let call_dir = self.call_dir(call);
        let ask = Ask { call, call_dir: &call_dir, label: None, at: AT };
        self.keeper.make(ask, steps).map_err(text)
    }

    /// A call that does `work`, marked before and after.
    pub fn call(&mut self, id: &str, work: impl FnOnce(&Path)) -> Result<(), String> {
        let dir = self.call_dir(id);
        fs::create_dir_all(&dir).map_err(text)?;
        let before = self.mark(id)?;
        work(&self.root());
        let after = self.keeper.look().map_err(text)?;
        let marks = self.root().join(".loop").join(store::DIR);
        store::save(&marks, &before).and_then(|()| store::save(&marks, &after)).map_err(text)?;
        let files = changed(&before, &after, &Named::default());
        let changes = Some(record(&dir, id, files).map_err(text)?);
        let told = Told::Marked { before: before.digest, after: Some(after.digest), changes };
        self.calls.push(Call { id: id.to_owned(), dir, told });
        Ok(())
    }

    /// Marks the tree before a call.
    pub fn mark(&mut self, call: &str) -> Result<Mark, String> {
        let mark = self.keeper.look().map_err(text)?;
        self.keeper.mark(&mark, call, AT, &mut Always).map_err(text)?;
        Ok(mark)
    }

    /// Removes what may go, as the looks say that are taken once nobody else writes.
    pub fn collect(
        &mut self,
        look: impl FnOnce(&Keeper) -> Gc,
        steps: &mut dyn Steps,
    ) -> Result<(Gc, Result<Collected, Error>), String> {
        let lock = self.keeper.alone().map_err(text)?;
        let gc = look(&self.keeper);
        let done = collect(&mut self.keeper, &gc, &lock, steps);
        Ok((gc, done))
    }

    /// What is wanted when everything since a checkpoint is to be taken back.
    pub fn wanted(&self, checkpoint: &str, conflicts: Conflicts) -> Wanted {
        Wanted {
            rollback_id: "rb-1".to_owned(),
            checkpoint: checkpoint.to_owned(),
            calls: self.calls.clone(),
            conflicts,
            head_rule: HeadRule::Same,
        }
    }

    /// The plan.
    pub fn plan(&self, wanted: &Wanted) -> Result<Gathered, Refused> {
        let ground = self.keeper.ground()?;
        gather(&self.keeper, &ground, wanted)
    }

    /// Rolls back, or goes on.
    pub fn roll(
        &mut self,
        wanted: &Wanted,
        approved: &str,
        steps: &mut dyn Steps,
    ) -> Result<Report, Refused> {
        let call_dir = self.call_dir("call-rollback");
        let one = Run { wanted, approved, call: "call-rollback", call_dir: &call_dir, at: AT };
        run(&mut self.keeper, one, steps)
    }

    /// Whether the rollback left anything where only it would look.
    pub fn waits(&self) -> bool {
        let stage = self.call_dir("call-rollback").join("stage");
        std::fs::read_dir(stage).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// The user's files.
    pub fn files(&self) -> Held {
        held(&self.root(), &[".git", ".loop"])
    }

    /// The user's own git, byte for byte.
    pub fn user_git(&self) -> Held {
        held(&self.root().join(".git"), &[])
    }

    /// The law: every content of `before` is in the tree, in aside, waiting in a stage, or in a
    /// checkpoint.
    pub fn lost(&self, before: &Held) -> Result<(), String> {
        let mut safe: BTreeSet<Hash> = self.files().values().map(|&(_, hash)| hash).collect();
        let loop_dir = self.root().join(".loop");
        for place in ["aside", "calls"] {
            safe.extend(held(&loop_dir.join(place), &[]).values().map(|&(_, hash)| hash));
        }
        if before.values().all(|(_, hash)| safe.contains(hash)) {
            return Ok(());
        }
        for listed in self.keeper.list().map_err(text)? {
            safe.extend(self.contents(&listed.name)?.values().map(|&(_, hash)| hash));
        }
        let lost = before.iter().find(|(_, (_, hash))| !safe.contains(hash));
        lost.map_or(Ok(()), |(path, _)| Err(format!("lost: {}", String::from_utf8_lossy(path))))
    }

    /// What a checkpoint holds, read back byte by byte.
    pub fn contents(&self, name: &str) -> Result<Held, String> {
        let Snapshot { files, .. } = self.keeper.show(name).map_err(text)?;
        let mut reader = self.keeper.reader().map_err(text)?;
        let mut found = Held::new();
        for (path, node) in files {
            let kind = match node.kind {
                runtime::tree::Kind::Executable => 'x',
                runtime::tree::Kind::Link => 'l',
                runtime::tree::Kind::File | runtime::tree::Kind::Stamped => 'f',
            };
            let bytes = reader.get("blob", node.blob).map_err(text)?;
            found.insert(path.bytes().to_vec(), (kind, Hash::of(&bytes)));
        }
        Ok(found)
    }

    /// Git's own strict look at our repository.
    pub fn fsck(&self) -> Result<(), String> {
        let dir = self.root().join(".loop/checkpoints.git");
        let said = std::process::Command::new("git")
            .args([OsStr::new("--git-dir"), dir.as_os_str()])
            .args(["fsck", "--strict", "--full"])
            .output()
            .map_err(text)?;
        let errors = String::from_utf8_lossy(&said.stderr);
        if said.status.success() { Ok(()) } else { Err(format!("fsck: {errors}")) }
    }
}

pub(super) fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
