//! A mount namespace of the child's own: everything is read-only but the places it may write, and
//! in these each existing protected name is read-only again. That also keeps what Landlock does not
//! know of: modes, owners and times of files outside. Everything goes by descriptor, so a name that
//! is swapped meanwhile is refused instead of followed. Names that do not exist yet are not kept
//! from appearing.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

use super::plan::{May, Plan};
use super::syscall;

/// Where programs share memory by name; a call that is granted it gets one of its own.
pub const SHARED_MEMORY: &str = "/dev/shm";

/// Leaves the shared mounts and lays out the child's own.
pub fn out(plan: &Plan) -> io::Result<()> {
    leave()?;
    let mut writable: Vec<&str> = plan
        .grants
        .iter()
        .filter(|grant| grant.may == May::Write && grant.path != SHARED_MEMORY)
        .map(|grant| &*grant.path)
        .collect();
    // Outer places first, so that what is laid over them stays on top.
    writable.sort_unstable();
    let writable = copies(&writable)?;
    let excepted: Vec<&str> = plan.excepted.iter().map(String::as_str).collect();
    let excepted = copies(&excepted)?;
    syscall::make_read_only(&open("/", Links::Refused)?)?;
    lay(writable)?;
    if plan.grants.iter().any(|grant| grant.path == SHARED_MEMORY) {
        syscall::mount_memory(SHARED_MEMORY)?;
    }
    for path in &plan.hidden {
        hide(path)?;
    }
    for path in &plan.protected {
        let Some(place) = found(open(path, Links::Refused))? else { continue };
        let tree = syscall::clone_tree(&place)?;
        syscall::make_read_only(&tree)?;
        syscall::attach(&tree, &place)?;
    }
    lay(excepted)
}

/// Lays nothing over a place: an empty directory, or a file that nobody answers at.
fn hide(path: &str) -> io::Result<()> {
    let Some(place) = found(open(path, Links::Followed))? else { return Ok(()) };
    let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
    if kind == FileType::Directory {
        return syscall::mount_memory(path);
    }
    let nothing = syscall::clone_tree(&open("/dev/null", Links::Refused)?)?;
    syscall::attach(&nothing, &place)
}

/// A place, and a writable mount of it that is not attached yet.
type Copy<'a> = (&'a str, OwnedFd);

fn copies<'a>(paths: &[&'a str]) -> io::Result<Vec<Copy<'a>>> {
    let mut all = Vec::new();
    for path in paths {
        if let Some(place) = found(open(path, Links::Followed))? {
            all.push((*path, syscall::clone_tree(&place)?));
        }
    }
    Ok(all)
}

fn lay(copies: Vec<Copy<'_>>) -> io::Result<()> {
    for (path, tree) in copies {
        // Opened anew: the name now leads through what was laid before.
        syscall::attach(&tree, &open(path, Links::Followed)?)?;
    }
    Ok(())
}

/// Root may leave the mounts alone; anybody else needs a user namespace to be root in.
fn leave() -> io::Result<()> {
    let own = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    if own.0 != 0 || syscall::unshare(libc::CLONE_NEWNS).is_err() {
        syscall::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS)?;
        std::fs::write("/proc/self/setgroups", "deny")?;
        std::fs::write("/proc/self/uid_map", format!("{0} {0} 1", own.0))?;
        std::fs::write("/proc/self/gid_map", format!("{0} {0} 1", own.1))?;
    }
    syscall::keep_mounts_private()
}

/// What is gone needs neither protection nor rights.
fn found(opened: io::Result<OwnedFd>) -> io::Result<Option<OwnedFd>> {
    match opened {
        Ok(place) => Ok(Some(place)),
        Err(error) if error.raw_os_error() == Some(Errno::NOENT.raw_os_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether links on the way are followed: a home may be one, a protected name may not.
enum Links {
    Followed,
    Refused,
}

fn open(path: &str, links: Links) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = match links {
        Links::Followed => ResolveFlags::NO_MAGICLINKS,
        Links::Refused => ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS,
    };
    Ok(rustix::fs::openat2(CWD, path, flags, Mode::empty(), resolve)?)
}
