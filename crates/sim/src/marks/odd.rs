//! Links, names and nested repositories that lead elsewhere or are taken for something they are
//! not. Each is laid beside an outside directory whose canary must stay as it is.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// How deep a tree of directories goes; paths stay shorter than any system allows.
const DEEP: usize = 120;
const LONG: usize = 255;

/// The tree, the outside directory, and the program that must not run.
pub(super) struct Ground<'a> {
    pub root: &'a Path,
    pub outside: &'a Path,
    pub evil: &'a str,
}

/// What is done to a tree.
pub(super) type Lay = fn(&Ground<'_>) -> io::Result<()>;

/// Every odd tree by its name.
pub(super) const ODD: [(&str, Lay); 24] = [
    ("link to the root of the system", |ground| symlink("/", ground.root.join("all"))),
    ("link above the tree", |ground| symlink("..", ground.root.join("up"))),
    ("link to the canary", |ground| symlink(ground.outside.join("canary"), ground.root.join("c"))),
    ("link to the outside directory", |ground| symlink(ground.outside, ground.root.join("out"))),
    ("loop of links", |ground| {
        symlink("two", ground.root.join("one"))?;
        symlink("one", ground.root.join("two"))
    }),
    ("link that leads nowhere", |ground| symlink("/nowhere/at/all", ground.root.join("dead"))),
    ("directory behind a link", |ground| {
        fs::remove_dir_all(ground.root.join("dir"))?;
        symlink(ground.outside, ground.root.join("dir"))
    }),
    ("hard link to the outside", |ground| {
        fs::hard_link(ground.outside.join("canary"), ground.root.join("same"))
    }),
    ("git directory behind a file", |ground| {
        let real = ground.outside.with_file_name("gitdir");
        fs::rename(ground.root.join(".git"), &real)?;
        fs::write(ground.root.join(".git"), format!("gitdir: {}\n", real.display()))
    }),
    ("git directory behind a link", |ground| {
        let real = ground.outside.with_file_name("gitdir");
        fs::rename(ground.root.join(".git"), &real)?;
        symlink(&real, ground.root.join(".git"))
    }),
    ("second git directory by case", |ground| repository(ground, b".GIT")),
    ("second git directory by short name", |ground| repository(ground, b"git~1")),
    ("second git directory by a letter that is not seen", |ground| {
        repository(ground, ".g\u{200c}it".as_bytes())
    }),
    ("second git directory by a trailing dot", |ground| repository(ground, b".git.")),
    ("second git directory by a stream", |ground| repository(ground, b".git::$INDEX_ALLOCATION")),
    ("name with a new line", |ground| file(ground, b"new\nline")),
    ("name with quotes", |ground| file(ground, b"\"quoted\" 'name' \\ $(x) `y`")),
    ("name that is no text", |ground| file(ground, b"\xff\xfe\x80")),
    ("name that looks like an option", |ground| file(ground, b"--upload-pack=evil")),
    ("longest name", |ground| file(ground, &[b'n'; LONG])),
    ("deep directories", |ground| {
        let dir = ground.root.join(vec!["d"; DEEP].join("/"));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("f"), "deep")
    }),
    ("submodule with a program", |ground| {
        let said =
            format!("[submodule \"s\"]\n\tpath = s\n\turl = .\n\tupdate = !{}\n", ground.evil);
        fs::write(ground.root.join(".gitmodules"), said)?;
        repository(ground, b"s")
    }),
    ("bare repository in a folder", |ground| {
        let dir = ground.root.join("bare");
        for part in ["objects", "refs", "hooks"] {
            fs::create_dir_all(dir.join(part))?;
        }
        fs::write(dir.join("HEAD"), "ref: refs/heads/main\n")?;
        fs::write(dir.join("config"), format!("[core]\n\tfsmonitor = {}\n", ground.evil))
    }),
    ("work tree pointer to the outside", |ground| {
        fs::create_dir_all(ground.root.join("wt"))?;
        let said = format!("gitdir: {}\n", ground.outside.display());
        fs::write(ground.root.join("wt/.git"), said)
    }),
];

fn file(ground: &Ground<'_>, name: &[u8]) -> io::Result<()> {
    fs::write(ground.root.join(OsStr::from_bytes(name)), "odd")
}

/// A directory that a git might take for its own, with a program in every place it could look.
fn repository(ground: &Ground<'_>, name: &[u8]) -> io::Result<()> {
    let dir = ground.root.join(OsStr::from_bytes(name));
    fs::create_dir_all(dir.join("hooks"))?;
    for part in ["objects", "refs"] {
        fs::create_dir_all(dir.join(part))?;
    }
    fs::write(dir.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(dir.join("config"), format!("[core]\n\tfsmonitor = {}\n", ground.evil))?;
    let hook = dir.join("hooks/post-checkout");
    fs::write(&hook, format!("#!/bin/sh\nexec {}\n", ground.evil))?;
    fs::set_permissions(hook, fs::Permissions::from_mode(0o755))
}

/// Somebody who swaps a directory of the tree for a link to the outside and back, all the time.
pub(super) struct Swapper {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Swapper {
    pub(super) fn start(root: &Path, outside: &Path) -> io::Result<Self> {
        let (dir, away, link) = (root.join("swap"), root.join("swap.away"), root.join("swap.link"));
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("canary"), "inside")?;
        symlink(outside, &link)?;
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                // Each may fail while somebody looks; the next turn puts it right.
                let _ = fs::rename(&dir, &away).and_then(|()| fs::rename(&link, &dir));
                let _ = fs::rename(&dir, &link).and_then(|()| fs::rename(&away, &dir));
            }
        });
        Ok(Self { stop, thread: Some(thread) })
    }
}

impl Drop for Swapper {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
