//! Looking at checkpoints: the list, one of them, the difference of two or to the tree as it is,
//! and whether every byte of them is still there. Changes nothing.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use kernel::rollback::{Content, RawPath};
use serde::Serialize;

use super::changes::pure;
use super::error::Error;
use super::ground::{Bytes, Ground, Link};
use super::keeper::{Keeper, checkpoint_name};
use super::names::is_name;
use super::objects::{Id, Reader, id_of};
use super::repo::Repo;
use super::snapshot::{Node, Snapshot, head};
use crate::tree::{self, Hash, Kind};

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// `chk-…`.
    pub name: String,
    /// The commit.
    pub commit: Hash,
    /// Whether it can be used.
    pub state: Health,
    /// The call that made it; empty if it is damaged.
    pub call: String,
    /// What it was called.
    pub label: Option<String>,
    /// When, in milliseconds since 1970.
    pub made_at_ms: u64,
    /// The user's commit at that time.
    pub head: Option<String>,
    /// The user's branch at that time.
    pub branch: Option<String>,
    /// How many files and links.
    pub files: u64,
    /// How many bytes.
    pub bytes: u64,
}

/// Whether a checkpoint can be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// As far as was looked, all is there.
    Made,
    /// This object is missing or wrong.
    Damaged(String),
}

/// One path that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Where.
    #[serde(flatten)]
    pub path: RawPath,
    /// What the first holds there.
    pub before: Option<Content>,
    /// What the second holds there.
    pub after: Option<Content>,
}

/// Whether a checkpoint of that name was made here. Nothing is started to find out.
#[must_use]
pub fn is_made(loop_dir: &Path, name: &str) -> bool {
    is_name(name) && Repo::below(loop_dir).read_ref(&checkpoint_name(name)).is_some()
}

impl Keeper {
    /// Every checkpoint, oldest first. A damaged one is listed as such.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn list(&self) -> Result<Vec<Listed>, Error> {
        let names = self.names();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = self.reader()?;
        let mut listed = Vec::new();
        for (name, commit) in names {
            let (state, info) = match head(&mut reader, commit) {
                Ok((_, info)) => (Health::Made, info),
                Err(error) => {
                    // A reader that met damage may be out of step with its git.
                    reader = self.reader()?;
                    (Health::Damaged(error.to_string()), Default::default())
                }
            };
            listed.push(Listed {
                name,
                commit,
                state,
                call: info.call,
                label: info.label,
                made_at_ms: info.made_at_ms,
                head: info.head,
                branch: info.branch,
                files: info.files,
                bytes: info.bytes,
            });
        }
        Ok(listed)
    }

    /// Names and commits; minutes sort by time, numbers of one minute by number.
    fn names(&self) -> Vec<(String, Id)> {
        let names = self.repo.names("chk").into_iter().filter(|name| is_name(name));
        let mut names: Vec<(String, Id)> =
            names.filter_map(|name| self.named(&name).ok().map(|id| (name, id))).collect();
        names.sort_by_key(|(name, _)| {
            let mut parts = name.splitn(3, '-').skip(1).map(|part| part.parse::<u64>().ok());
            (parts.next().flatten(), parts.next().flatten())
        });
        names
    }

    /// One checkpoint with all its paths.
    ///
    /// # Errors
    /// When there is none of that name, or it is damaged.
    pub fn show(&self, name: &str) -> Result<Snapshot, Error> {
        let commit = self.named(name)?;
        Snapshot::read(&mut self.reader()?, commit)
    }

    /// The files of any commit of ours: a mark's, or one the journal names.
    ///
    /// # Errors
    /// When it is missing or damaged.
    pub fn snapshot(&self, commit: Id) -> Result<Snapshot, Error> {
        Snapshot::read(&mut self.reader()?, commit)
    }

    /// What differs between two checkpoints.
    ///
    /// # Errors
    /// When one is unknown or damaged.
    pub fn diff(&self, first: &str, second: &str) -> Result<Vec<Difference>, Error> {
        let (first, second) = (self.show(first)?, self.show(second)?);
        let mut reader = self.reader()?;
        let paths: BTreeSet<&RawPath> = first.files.keys().chain(second.files.keys()).collect();
        let mut differences = Vec::new();
        for path in paths {
            let (before, after) = (first.files.get(path), second.files.get(path));
            if before != after {
                differences.push(Difference {
                    path: path.clone(),
                    before: before.map(|node| content(&mut reader, *node)).transpose()?,
                    after: after.map(|node| content(&mut reader, *node)).transpose()?,
                });
            }
        }
        Ok(differences)
    }

    /// What differs between a checkpoint and the tree as it is now.
    ///
    /// # Errors
    /// When it is unknown or damaged, or the tree cannot be read.
    pub fn diff_now(&mut self, name: &str) -> Result<Vec<Difference>, Error> {
        let snapshot = self.show(name)?;
        let mark = self.look()?;
        let ground = self.ground()?;
        let mut reader = self.reader()?;
        let mut differences = Vec::new();
        let mut rest = snapshot.files.clone();
        for entry in &mark.entries {
            let path = RawPath::new(entry.path.clone());
            let before = rest.remove(&path);
            let max = self.setup.scope.file_bytes_max;
            if before.is_some_and(|node| holds(&ground, &path, node, entry.content.kind, max)) {
                continue;
            }
            let before = before.map(|node| content(&mut reader, node)).transpose()?;
            let after = Some(pure(entry.content));
            if before != after {
                differences.push(Difference { path, before, after });
            }
        }
        for (path, node) in rest {
            let before = Some(content(&mut reader, node)?);
            differences.push(Difference { path, before, after: None });
        }
        differences.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(differences)
    }

    /// Reads every object of every checkpoint. Damaged ones are named; the others stay.
    ///
    /// # Errors
    /// When git cannot be started.
    pub fn verify(&self) -> Result<Vec<(String, Health)>, Error> {
        let mut known: HashMap<Id, bool> = HashMap::new();
        let mut verdicts = Vec::new();
        for (name, commit) in self.names() {
            let mut reader = self.reader()?;
            let health = match whole(&mut reader, commit, &mut known) {
                Ok(()) => Health::Made,
                Err(Error::Damaged(what)) => Health::Damaged(what),
                Err(error) => return Err(error),
            };
            verdicts.push((name, health));
        }
        Ok(verdicts)
    }
}

fn whole(reader: &mut Reader, commit: Id, known: &mut HashMap<Id, bool>) -> Result<(), Error> {
    for node in Snapshot::read(reader, commit)?.files.values() {
        let good = match known.get(&node.blob) {
            Some(&good) => good,
            None => {
                let good = reader.get("blob", node.blob).is_ok();
                known.insert(node.blob, good);
                good
            }
        };
        if !good {
            return Err(Error::Damaged(format!("blob {}", node.blob)));
        }
    }
    Ok(())
}

/// What a node holds, by its bytes.
pub(crate) fn content(reader: &mut Reader, node: Node) -> Result<Content, Error> {
    let sha256 = Hash::of(&reader.get("blob", node.blob)?);
    Ok(pure(tree::Content { kind: node.kind, sha256 }))
}

/// Whether the file at a path is what the node says, by the name git would give it.
fn holds(ground: &Ground, path: &RawPath, node: Node, kind: Kind, bytes_max: u64) -> bool {
    let link = if kind == Kind::Link { Link::Itself } else { Link::No };
    kind == node.kind
        && match ground.read(path, link, bytes_max) {
            Bytes::Steady(bytes) => id_of("blob", &bytes) == node.blob,
            Bytes::Moving | Bytes::None => false,
        }
}
