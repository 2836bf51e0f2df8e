//! Draws the plan of a call: the work tree, the call's own directory, its program and what that
//! needs, and the places that stand for all calls.

use std::path::{Path, PathBuf};

use super::carve::SHARED_MEMORY;
use super::level::{Carve, Level, Network};
use super::names::{self, Secrets};
use super::plan::{Grant, May, Plan};
use super::probe::Measured;
use super::standing::{Place, Standing};

/// What decides about a call's places.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    /// The work tree, absolute and without links.
    pub root: &'a Path,
    /// The directory of our files.
    pub loop_dir: &'a Path,
    /// The call's own temporary directory.
    pub tmp: &'a Path,
    /// The program, absolute.
    pub program: &'a Path,
    /// What may be done with the work tree.
    pub work: May,
    /// The directories of the work tree that may be written, where it may; none = all of it.
    pub within: Option<&'a [PathBuf]>,
    /// What may be done with the repository in it.
    pub git: Git,
    /// Whether it was let at secrets.
    pub secrets: Secrets,
    /// Where the program keeps its own state, writable at any access.
    pub own: &'a [PathBuf],
    /// Files of its own that it must be able to read.
    pub own_reads: &'a [PathBuf],
    /// Sockets.
    pub network: Network,
    /// Data a single process may hold.
    pub memory_bytes: Option<u64>,
    /// What any call may use.
    pub standing: &'a Standing,
}

/// What a call may do with the repository in its work tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Git {
    /// Read it.
    Reads,
    /// Also write objects, refs and the index: it is a git command that was allowed to. What git
    /// takes orders from stays out of reach.
    Writes,
}

/// Draws the plan that `measured` says can be held here.
#[must_use]
pub fn plan(site: &Site<'_>, measured: &Measured) -> Plan {
    match measured.level {
        Level::None => Plan::open(site.memory_bytes),
        Level::Walled => {
            let grants = grants(site, measured.carve);
            let (protected, hidden) = match measured.carve {
                Carve::Mount => (protected(site), hidden(site, &grants)),
                Carve::Detected | Carve::None => (Vec::new(), Vec::new()),
            };
            Plan {
                level: Level::Walled,
                carve: measured.carve,
                abi: measured.abi,
                network: site.network,
                grants,
                protected,
                excepted: vec![text(site.tmp)],
                hidden,
                memory_bytes: site.memory_bytes,
            }
        }
    }
}

/// Services that listen now, but a place that holds one of the call's own.
fn hidden(site: &Site<'_>, grants: &[Grant]) -> Vec<String> {
    let holds =
        |place: &&Path| grants.iter().any(|grant| Path::new(&grant.path).starts_with(place));
    site.standing.services().filter(|place| !holds(place)).map(text).collect()
}

/// Where nothing of the work tree can be written, nothing needs to be excepted from that.
fn protected(site: &Site<'_>) -> Vec<String> {
    match site.work {
        May::Read | May::Use => return Vec::new(),
        May::Write => {}
    }
    let found =
        names::find(site.root, site.loop_dir, site.secrets).into_iter().map(|name| name.path);
    match site.git {
        Git::Reads => found.map(|path| text(&path)).collect(),
        Git::Writes => found.flat_map(|path| orders(&path)).collect(),
    }
}

/// Of a repository only what it takes orders from; any other name whole.
fn orders(path: &Path) -> Vec<String> {
    if !path.ends_with(".git") || !path.is_dir() {
        return vec![text(path)];
    }
    let parts = names::GIT_ORDERS.iter().map(|part| path.join(part));
    parts.filter(|part| part.symlink_metadata().is_ok()).map(|part| text(&part)).collect()
}

/// Places that exist now, each with the most that anybody grants it.
fn grants(site: &Site<'_>, carve: Carve) -> Vec<Grant> {
    let mut all: Vec<Place> = vec![(site.program.to_owned(), May::Read)];
    match (site.work, site.within) {
        (May::Write, Some(rooms)) => {
            all.push((site.root.to_owned(), May::Read));
            all.extend(rooms.iter().map(|room| (room.clone(), May::Write)));
        }
        (work, Some(_) | None) => all.push((site.root.to_owned(), work)),
    }
    // One of the call's own; the one of everybody is no place of a call's.
    if carve == Carve::Mount {
        all.push((PathBuf::from(SHARED_MEMORY), May::Write));
    }
    all.extend(git_dirs(site.root).map(|path| (path, May::Read)));
    let room = room(site.program).filter(|room| site.standing.is_narrow(room));
    all.extend(room.map(|room| (room, May::Read)));
    all.extend(site.own.iter().map(|path| (path.clone(), May::Write)));
    all.extend(site.own_reads.iter().map(|path| (path.clone(), May::Read)));
    all.retain(|(path, _)| path.is_absolute() && path.exists());
    all.extend(site.standing.present());
    // Made when the call's directory is, which is later.
    all.push((site.tmp.to_owned(), May::Write));
    all.sort();
    all.dedup();
    all.iter().map(|(path, may)| Grant { path: text(path), may: *may }).collect()
}

/// The directories that lie in one of the first and in one of the second.
#[must_use]
pub fn common(one: &[PathBuf], two: &[PathBuf]) -> Vec<PathBuf> {
    let inner = |these: &[PathBuf], those: &[PathBuf]| -> Vec<PathBuf> {
        let inside = |path: &&PathBuf| those.iter().any(|other| path.starts_with(other));
        these.iter().filter(inside).cloned().collect()
    };
    let mut all = inner(one, two);
    all.extend(inner(two, one));
    all.sort();
    all.dedup();
    all
}

/// Where a program stands with its parts: all packages that npm put beside its own, which may hold
/// the real program, or else its directory.
fn room(program: &Path) -> Option<PathBuf> {
    let real = program.canonicalize().ok()?;
    let packages = real.ancestors().filter(|dir| dir.ends_with("node_modules")).last();
    packages.or_else(|| real.parent()).map(Path::to_owned)
}

/// A linked work tree keeps its repository elsewhere; git does not work without reading it.
fn git_dirs(root: &Path) -> impl Iterator<Item = PathBuf> {
    let link = std::fs::read_to_string(root.join(".git")).ok();
    let own = link.and_then(|link| Some(root.join(link.strip_prefix("gitdir:")?.trim())));
    let shared = own.as_ref().and_then(|own| {
        let shared = std::fs::read_to_string(own.join("commondir")).ok()?;
        own.join(shared.trim()).canonicalize().ok()
    });
    own.into_iter().chain(shared).filter(|path| path.join("HEAD").is_file())
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walled() -> Measured {
        Measured { level: Level::Walled, carve: Carve::Mount, abi: 7, holes: Vec::new() }
    }

    #[test]
    fn of_the_home_directory_only_toolchains_are_granted() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        let root = home.join("work");
        let rooms = [".ssh", ".cargo/bin", ".cargo/registry", ".npm", ".codex", "own/bin", "extra"];
        for room in rooms {
            std::fs::create_dir_all(home.join(room)).unwrap();
        }
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let tmp = root.join(".loop/calls/c/tmp");
        std::fs::create_dir_all(&tmp).unwrap();
        std::fs::write(home.join(".cargo/credentials.toml"), "x").unwrap();
        let var = |name: &str| match name {
            "HOME" => Some(home.clone().into_os_string()),
            // One entry that would open everything.
            "PATH" => Some(format!("{0}/own/bin:{0}:/:/usr/bin", home.display()).into()),
            "RUSTUP_HOME" => Some("/".into()),
            _ => None,
        };
        let site = Site {
            root: &root,
            loop_dir: &root.join(".loop"),
            tmp: &tmp,
            program: Path::new("/bin/sh"),
            work: May::Read,
            within: None,
            git: Git::Reads,
            secrets: Secrets::Kept,
            own: &[home.join(".codex")],
            own_reads: &[],
            network: Network::None,
            memory_bytes: None,
            standing: &Standing::new(&var, &["~/extra".to_owned(), "relative".to_owned()], &[]),
        };
        let plan = plan(&site, &walled());
        let mut inside: Vec<(String, May)> = plan
            .grants
            .iter()
            .filter_map(|grant| {
                let path = Path::new(&grant.path).strip_prefix(&home).ok()?;
                Some((path.display().to_string(), grant.may))
            })
            .collect();
        inside.sort();
        let expected = [
            (".cargo/bin", May::Read),
            (".cargo/registry", May::Write),
            (".codex", May::Write),
            (".npm", May::Write),
            ("extra", May::Read),
            ("own/bin", May::Read),
            ("work", May::Read),
            ("work/.loop/calls/c/tmp", May::Write),
        ];
        assert_eq!(inside, expected.map(|(path, may)| (path.to_owned(), may)));
        assert!(plan.grants.iter().all(|grant| grant.path != "/"), "{:?}", plan.grants);
        assert_eq!(plan.protected, [""; 0], "nothing there can be written");
        let plan = super::plan(&Site { work: May::Write, ..site }, &walled());
        let expected = [root.join(".loop"), root.join(".git")].map(|path| text(&path));
        assert_eq!(plan.protected, expected);
        let rooms = [root.join("docs")];
        std::fs::create_dir(&rooms[0]).unwrap();
        let site = Site { work: May::Write, within: Some(&rooms), ..site };
        let plan = super::plan(&site, &walled());
        let may = |path: &Path| {
            let of = |grant: &&Grant| Path::new(&grant.path) == path;
            plan.grants.iter().filter(of).map(|grant| grant.may).collect::<Vec<_>>()
        };
        assert_eq!((may(&root), may(&rooms[0])), (vec![May::Read], vec![May::Write]));
    }

    #[test]
    fn what_two_keep_a_call_to_is_what_both_let_it_write() {
        let paths = |text: &str| text.split_whitespace().map(PathBuf::from).collect::<Vec<_>>();
        let table = [
            ("/w", "/w/a /w/b", "/w/a /w/b"),
            ("/w/a /w/c", "/w/a/x", "/w/a/x"),
            ("/w/a", "/w/b", ""),
            ("", "/w", ""),
        ];
        for (one, two, expected) in table {
            assert_eq!(common(&paths(one), &paths(two)), paths(expected), "{one} {two}");
        }
    }

    #[test]
    fn of_a_repository_that_may_be_written_only_its_orders_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join(".git");
        std::fs::create_dir_all(git.join("hooks")).unwrap();
        std::fs::write(git.join("config"), "").unwrap();
        let expected = ["config", "hooks"].map(|part| text(&git.join(part)));
        assert_eq!(orders(&git), expected);
        let settings = dir.path().join(".claude");
        assert_eq!(orders(&settings), [text(&settings)], "any other name is kept whole");
    }

    #[test]
    fn a_place_that_cannot_be_held_gets_an_open_plan() {
        let none = Measured { level: Level::None, carve: Carve::None, abi: 0, holes: Vec::new() };
        let site = Site {
            root: Path::new("/w"),
            loop_dir: Path::new("/w/.loop"),
            tmp: Path::new("/w/.loop/calls/c/tmp"),
            program: Path::new("/bin/sh"),
            work: May::Write,
            within: None,
            git: Git::Reads,
            secrets: Secrets::Kept,
            own: &[],
            own_reads: &[],
            network: Network::None,
            memory_bytes: Some(5),
            standing: &Standing::new(&|_| None, &[], &[]),
        };
        assert_eq!(plan(&site, &none), Plan::open(Some(5)));
    }
}
