//! For what cannot be carved out of a work tree. Where names that are there can be, only those
//! that are not there yet are watched. Where they cannot, what protected names hold is hashed, and
//! copied, before a call, and looked at again when its processes are gone. What gives orders is
//! put back and what stood there is kept aside; what merely moved on, such as a branch, is told and
//! left alone. It prevents nothing: a call that wrote there has failed, and that is said by whoever
//! calls this.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::names::{self, Class, GIT_ORDERS, Reach, Secrets};
use super::put_back::{put_back, set_aside};
use crate::shim::durable;

/// The list of what was seen, in the directory of the copies.
const LIST: &str = "list.json";
/// What was found, beside it.
const FOUND: &str = "found.json";
/// Its version.
const FORMAT: u32 = 1;
/// Files looked at, of those that are put back and of those that are told each: a hooks directory
/// has a dozen, and however many branches there are, they keep no order from being looked at.
const FILES_MAX: usize = 5_000;
/// A larger file gives no orders; it is not looked at.
pub(super) const FILE_BYTES_MAX: u64 = 4 << 20;
/// Larger than any list of that many files.
const LIST_BYTES_MAX: u64 = 8 << 20;
/// What moves by itself when somebody works.
const GIT_MOVES: &[&str] = &["HEAD", "index", "packed-refs", "refs"];

/// What is done about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// The old content is back; the new one is kept aside.
    PutBack,
    /// It is told, and stays.
    Told,
}

/// How a protected path differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// It was not there.
    Made,
    /// It holds something else.
    Changed,
    /// It is gone.
    Removed,
}

/// A protected path that a call left otherwise than it found it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// Relative to the work tree.
    pub path: String,
    /// How it differs.
    pub difference: Difference,
    /// What was done about it.
    pub remedy: Remedy,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Content {
    File { sha256: String, mode: u32 },
    Link { to: PathBuf },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Seen {
    content: Content,
    remedy: Remedy,
}

/// How closely is looked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// At the names and at what they hold.
    #[default]
    Whole,
    /// At which names there are: what is there cannot be written.
    Names,
}

/// Whether a call was let at the settings of agents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Settings {
    /// They are put back.
    #[default]
    Kept,
    /// A person was asked about them, and let it.
    Let,
}

/// What is watched.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// How closely.
    pub look: Look,
    /// Whether the call was let at secrets.
    pub secrets: Secrets,
    /// Whether it was let at the settings of agents.
    pub settings: Settings,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct List {
    format: u32,
    #[serde(default)]
    look: Look,
    #[serde(default)]
    settings: Settings,
    /// How far the search for names came.
    #[serde(default)]
    reach: Reach,
    /// The protected names themselves.
    names: Vec<PathBuf>,
    /// The secrets: one that is made is nobody's loss.
    #[serde(default)]
    secrets: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Seen>,
    /// How many of them are put back; the others are told.
    #[serde(skip)]
    put_back: usize,
}

impl List {
    fn has_room(&self, remedy: Remedy) -> bool {
        let same = match remedy {
            Remedy::PutBack => self.put_back,
            Remedy::Told => self.files.len() - self.put_back,
        };
        same < FILES_MAX
    }

    fn add(&mut self, path: &Path, seen: Seen) {
        self.put_back += usize::from(seen.remedy == Remedy::PutBack);
        self.files.insert(path.to_owned(), seen);
    }
}

/// Where to look and where to keep.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The work tree.
    pub root: &'a Path,
    /// The directory of our files.
    pub loop_dir: &'a Path,
    /// Where copies are kept while the call runs; of this call alone.
    pub keep: &'a Path,
    /// The call; what is displaced goes into its aside folder.
    pub call: &'a str,
}

/// Notes the protected names, and copies what they hold if that is watched. Durable when it
/// returns, so that a crash loses nothing.
///
/// # Errors
/// The disk's: then the call must not start.
pub fn before(site: &Site<'_>, watch: Watch) -> io::Result<()> {
    fs::create_dir_all(site.keep)?;
    let list = look(site, watch);
    for (path, seen) in &list.files {
        if let (Content::File { sha256, .. }, Remedy::PutBack) = (&seen.content, seen.remedy) {
            let bytes = durable::read(&site.root.join(path), FILE_BYTES_MAX)?;
            durable::replace(site.keep, sha256, &bytes)?;
        }
    }
    durable::replace(site.keep, LIST, &serde_json::to_vec(&list)?)
}

/// Compares, puts back, keeps aside. May be repeated, also after a crash in its middle: what was
/// found is written down before anything is moved, and told again.
///
/// # Errors
/// The disk's, or copies that are not ours any more.
pub fn after(site: &Site<'_>) -> io::Result<Vec<Found>> {
    let mut told: Vec<Found> = stored(site.keep, FOUND)?.unwrap_or_default();
    let Some(old) = stored::<List>(site.keep, LIST)? else {
        forget(site.keep)?;
        return Ok(told);
    };
    if old.format != FORMAT {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let watched = Watch { look: old.look, secrets: Secrets::Let, settings: old.settings };
    let mut new = look(site, watched);
    for path in old.secrets.iter().map(|path| site.root.join(path)) {
        watch(site.root, &path, Class::Secret, &path, &mut new);
    }
    let found = differences(&old, &new);
    told.extend(found.iter().map(|(_, found)| found.clone()));
    if told.is_empty() {
        fs::remove_dir_all(site.keep)?;
        return Ok(told);
    }
    durable::replace(site.keep, FOUND, &serde_json::to_vec(&told)?)?;
    for (path, found) in found.iter().filter(|(_, found)| found.remedy == Remedy::PutBack) {
        match (found.difference, old.files.get(path)) {
            (Difference::Changed | Difference::Removed, Some(seen)) => {
                put_back(site, path, &seen.content)?;
            }
            (Difference::Made | Difference::Changed | Difference::Removed, _) => {
                set_aside(site, path)?;
            }
        }
    }
    fs::remove_file(site.keep.join(LIST))?;
    forget(site.keep)?;
    Ok(told)
}

/// Removes the copies: what was found is all that is told again, and a copy may be a secret's.
fn forget(keep: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(keep) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if entry.file_name() != FOUND {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// A file of the keep; `None` where there is none.
fn stored<T: serde::de::DeserializeOwned>(keep: &Path, name: &str) -> io::Result<Option<T>> {
    match durable::read(&keep.join(name), LIST_BYTES_MAX) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(why),
    }
}

/// What differs, in the order in which it is put right: what was made goes first, names that were
/// not there as a whole.
fn differences(old: &List, new: &List) -> Vec<(PathBuf, Found)> {
    let tell = |path: &Path, difference: Difference, remedy: Remedy| {
        let found = Found { path: path.to_string_lossy().into_owned(), difference, remedy };
        (path.to_owned(), found)
    };
    let mut made: Vec<&PathBuf> = Vec::new();
    // Where not all were found before, one that is found now may well have been there.
    let known = |name: &PathBuf| match old.reach {
        Reach::Whole => true,
        Reach::Cut => names::is_always_sought(name),
    };
    for name in new.names.iter().filter(|name| !old.names.contains(name) && known(name)) {
        if !made.iter().any(|above| name.starts_with(above)) {
            made.push(name);
        }
    }
    let mut all: Vec<_> =
        made.iter().map(|name| tell(name, Difference::Made, Remedy::PutBack)).collect();
    let in_old = |path: &Path| old.names.iter().any(|name| path.starts_with(name));
    for (path, seen) in new.files.iter().filter(|(path, _)| !old.files.contains_key(*path)) {
        if (old.reach == Reach::Whole || in_old(path))
            && !made.iter().any(|name| path.starts_with(name))
        {
            all.push(tell(path, Difference::Made, seen.remedy));
        }
    }
    for (path, seen) in &old.files {
        match new.files.get(path) {
            Some(now) if now.content == seen.content => {}
            Some(_) => all.push(tell(path, Difference::Changed, seen.remedy)),
            None => all.push(tell(path, Difference::Removed, seen.remedy)),
        }
    }
    all
}

/// Everything that is watched, as it is now.
fn look(site: &Site<'_>, watched: Watch) -> List {
    let Watch { look, secrets, settings } = watched;
    let mut list = List { format: FORMAT, look, settings, ..List::default() };
    let secrets = if look == Look::Names { Secrets::Let } else { secrets };
    let (found, reach) = names::search(site.root, site.loop_dir, secrets);
    list.reach = reach;
    for name in found {
        // The journal proves itself by its chain.
        if name.path == site.loop_dir {
            continue;
        }
        let Ok(relative) = name.path.strip_prefix(site.root) else { continue };
        match (name.class, settings) {
            (Class::Settings, Settings::Let) => continue,
            (Class::Control, _) | (Class::Settings, Settings::Kept) => {
                list.names.push(relative.to_owned());
            }
            (Class::Secret, _) => list.secrets.push(relative.to_owned()),
        }
        match look {
            Look::Whole => watch(site.root, &name.path, name.class, &name.path, &mut list),
            // A git command that may write keeps only those of these that are there from these.
            Look::Names if name.class == Class::Control => {
                let parts = GIT_ORDERS.iter().map(|part| relative.join(part));
                let there = |part: &PathBuf| site.root.join(part).symlink_metadata().is_ok();
                list.names.extend(parts.filter(there));
            }
            Look::Names => {}
        }
    }
    list
}

fn watch(root: &Path, name: &Path, class: Class, path: &Path, list: &mut List) {
    let Some(remedy) = remedy(class, path.strip_prefix(name).unwrap_or(path)) else { return };
    let Ok(meta) = path.symlink_metadata() else { return };
    if meta.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            watch(root, name, class, &entry.path(), list);
        }
    } else if list.has_room(remedy)
        && let (Some(content), Ok(relative)) = (content(path, &meta), path.strip_prefix(root))
    {
        list.add(relative, Seen { content, remedy });
    }
}

fn content(path: &Path, meta: &fs::Metadata) -> Option<Content> {
    if meta.is_symlink() {
        return fs::read_link(path).ok().map(|to| Content::Link { to });
    }
    let bytes = durable::read(path, FILE_BYTES_MAX).ok()?;
    let mode = meta.permissions().mode() & 0o7777;
    Some(Content::File { sha256: kernel::hash::sha256_hex(&bytes), mode })
}

/// What would be done about a path, given by its way below the protected name; `None` where
/// nothing is looked at.
fn remedy(class: Class, below: &Path) -> Option<Remedy> {
    let first = below.components().next().and_then(|part| match part {
        Component::Normal(name) => name.to_str(),
        Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => {
            None
        }
    });
    match (class, first) {
        (Class::Settings | Class::Secret, _) | (Class::Control, None) => Some(Remedy::PutBack),
        (Class::Control, Some(first)) if GIT_ORDERS.contains(&first) => Some(Remedy::PutBack),
        // Orders of the other systems; the rest of them is theirs.
        (Class::Control, Some("hgrc")) => Some(Remedy::PutBack),
        (Class::Control, Some(first)) if GIT_MOVES.contains(&first) => Some(Remedy::Told),
        (Class::Control, Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::symlink;

    use super::*;

    struct House(tempfile::TempDir);

    impl House {
        fn new() -> Self {
            let house = Self(tempfile::tempdir().unwrap());
            for room in [".git/hooks", ".git/info", ".git/refs/heads", ".git/objects", ".claude"] {
                fs::create_dir_all(house.at(room)).unwrap();
            }
            let files = [".git/config", ".git/hooks/pre-commit", ".git/HEAD", ".git/refs/heads/m"];
            let more = [".claude/settings.json", ".git/objects/x", "a.txt", ".env"];
            for file in files.iter().chain(&more) {
                fs::write(house.at(file), "old").unwrap();
            }
            fs::set_permissions(house.at(files[1]), Permissions::from_mode(0o755)).unwrap();
            house
        }

        fn at(&self, path: &str) -> PathBuf {
            self.0.path().join("w").join(path)
        }

        /// Lets a call do something and tells what was found, path by path.
        fn call(&self, act: impl Fn(&Self)) -> Vec<String> {
            let (secrets, settings) = (Secrets::Kept, Settings::Kept);
            self.watched(Watch { look: Look::Whole, secrets, settings }, act)
        }

        fn watched(&self, watch: Watch, act: impl Fn(&Self)) -> Vec<String> {
            let root = self.0.path().join("w");
            let loop_dir = root.join(".loop");
            let keep = self.0.path().join("keep");
            let site = Site { root: &root, loop_dir: &loop_dir, keep: &keep, call: "c" };
            before(&site, watch).unwrap();
            act(self);
            let found = after(&site).unwrap();
            assert_eq!(after(&site).unwrap(), found, "told again, and nothing is done twice");
            let told =
                found.iter().map(|f| format!("{} {:?} {:?}", f.path, f.difference, f.remedy));
            told.collect()
        }

        fn read(&self, path: &str) -> Option<String> {
            fs::read_to_string(self.at(path)).ok()
        }
    }

    #[test]
    fn what_gives_orders_is_put_back_and_the_rest_is_told() {
        type Act = fn(&House);
        let table: [(&str, Act, &[&str]); 13] = [
            ("nothing", |_| {}, &[]),
            ("ordinary", |h| fs::write(h.at("a.txt"), "new").unwrap(), &[]),
            ("objects", |h| fs::write(h.at(".git/objects/y"), "new").unwrap(), &[]),
            (
                "config",
                |h| fs::write(h.at(".git/config"), "new").unwrap(),
                &[".git/config Changed PutBack"],
            ),
            (
                "hook made",
                |h| fs::write(h.at(".git/hooks/x"), "new").unwrap(),
                &[".git/hooks/x Made PutBack"],
            ),
            (
                "hook removed",
                |h| fs::remove_file(h.at(".git/hooks/pre-commit")).unwrap(),
                &[".git/hooks/pre-commit Removed PutBack"],
            ),
            (
                "mode",
                |h| {
                    fs::set_permissions(h.at(".git/config"), Permissions::from_mode(0o777))
                        .unwrap();
                },
                &[".git/config Changed PutBack"],
            ),
            (
                "branch moved",
                |h| fs::write(h.at(".git/refs/heads/m"), "new").unwrap(),
                &[".git/refs/heads/m Changed Told"],
            ),
            (
                "settings",
                |h| fs::write(h.at(".claude/settings.json"), "new").unwrap(),
                &[".claude/settings.json Changed PutBack"],
            ),
            ("secret", |h| fs::write(h.at(".env"), "new").unwrap(), &[".env Changed PutBack"]),
            (
                "secret removed",
                |h| fs::remove_file(h.at(".env")).unwrap(),
                &[".env Removed PutBack"],
            ),
            ("secret made", |h| fs::write(h.at("a.pem"), "new").unwrap(), &[]),
            (
                "a name that was not there",
                |h| fs::write(h.at(".mcp.json"), "new").unwrap(),
                &[".mcp.json Made PutBack"],
            ),
        ];
        for (name, act, expected) in table {
            let house = House::new();
            assert_eq!(house.call(act), expected, "{name}");
            assert_eq!(house.read(".git/config").as_deref(), Some("old"), "{name}");
            assert_eq!(house.read(".git/hooks/pre-commit").as_deref(), Some("old"), "{name}");
            let mode = house.at(".git/hooks/pre-commit").metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o755, "{name}");
            assert_eq!(house.read(".claude/settings.json").as_deref(), Some("old"), "{name}");
            assert_eq!(house.read(".git/hooks/x"), None, "{name}");
            assert_eq!(house.read(".mcp.json"), None, "{name}");
            assert_eq!(house.read(".env").as_deref(), Some("old"), "{name}");
            let left = fs::read_dir(house.0.path().join("keep")).into_iter().flatten().flatten();
            let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
            assert!(left.iter().all(|copy| copy == FOUND), "{name}: {left:?}");
        }
    }

    #[test]
    fn many_branches_keep_no_order_from_being_put_back() {
        let house = House::new();
        for n in 0..FILES_MAX {
            fs::write(house.at(&format!(".git/refs/heads/b{n}")), "").unwrap();
        }
        let found = house.call(|h| {
            fs::write(h.at(".git/hooks/pre-commit"), "new").unwrap();
            fs::write(h.at(".claude/settings.json"), "new").unwrap();
        });
        let hooks = ".git/hooks/pre-commit Changed PutBack";
        assert_eq!(found, [".claude/settings.json Changed PutBack", hooks]);
        assert_eq!(house.read(".git/hooks/pre-commit").as_deref(), Some("old"));
    }

    #[test]
    fn nothing_is_put_back_through_a_link_and_what_was_displaced_is_kept() {
        let house = House::new();
        let elsewhere = house.0.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        house.call(|h| {
            fs::remove_dir_all(h.at(".git/hooks")).unwrap();
            symlink(h.0.path().join("elsewhere"), h.at(".git/hooks")).unwrap();
            fs::write(h.at(".git/config"), "evil").unwrap();
        });
        assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
        assert_eq!(house.read(".git/hooks/pre-commit").as_deref(), Some("old"));
        assert_eq!(house.read(".loop/aside/c/.git/config").as_deref(), Some("evil"));
        assert!(house.at(".loop/aside/c/.git/hooks").is_symlink());
    }

    #[test]
    fn where_names_that_are_there_cannot_be_written_those_that_appear_are_put_aside() {
        let appear = |h: &House| {
            for path in [".mcp.json", ".envrc", "deep/.git/hooks/x", ".vscode/tasks.json", ".env.x"]
            {
                fs::create_dir_all(h.at(path).parent().unwrap()).unwrap();
                fs::write(h.at(path), "new").unwrap();
            }
            fs::write(h.at(".git/config.worktree"), "new").unwrap();
            // Walls keep it from this; what stood there is not copied.
            fs::write(h.at(".claude/settings.json"), "new").unwrap();
        };
        let look = |settings| Watch { look: Look::Names, secrets: Secrets::Kept, settings };
        let house = House::new();
        let mut found = house.watched(look(Settings::Kept), appear);
        found.sort();
        let orders = [".git/config.worktree", "deep/.git"];
        let settings = [".envrc", ".mcp.json", ".vscode"];
        let mut all: Vec<&str> = orders.into_iter().chain(settings).collect();
        all.sort_unstable();
        let all: Vec<String> = all.iter().map(|path| format!("{path} Made PutBack")).collect();
        assert_eq!(found, all);
        assert_eq!(house.read(".loop/aside/c/.vscode/tasks.json").as_deref(), Some("new"));
        assert!(!house.at(".vscode").exists() && house.at(".env.x").exists());
        let house = House::new();
        let found = house.watched(look(Settings::Let), appear);
        assert_eq!(found, orders.map(|path| format!("{path} Made PutBack")));
        assert!(house.at(".vscode/tasks.json").exists());
    }
}
