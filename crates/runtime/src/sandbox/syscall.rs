//! The system calls that the safe interface lacks: which Landlock this kernel has, and mounts by
//! descriptor. Each is one call; what they are good for is said where they are used.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};

/// Asks for the version instead of a rule set.
const LANDLOCK_VERSION: libc::c_uint = 1;
/// `open_tree`: a mount of its own instead of a handle to the old one.
const CLONE: libc::c_uint = 1;
/// `mount_setattr`: nothing can be written.
const READ_ONLY: u64 = 1;
/// `move_mount`: both sides are named by descriptors.
const BY_DESCRIPTORS: libc::c_uint = 0x04 | 0x40;
const EMPTY: &CStr = c"";
/// Open to all of a call's processes, and no larger than what test suites share by name.
const MEMORY_OPTIONS: &CStr = c"mode=1777,size=1g";

/// The newest Landlock this kernel offers; 0 where it is missing or switched off.
pub fn landlock_abi() -> u32 {
    // SAFETY: with this flag the kernel reads no memory and returns a number.
    let found = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            std::ptr::null::<libc::c_void>(),
            0usize,
            LANDLOCK_VERSION,
        )
    };
    u32::try_from(found).unwrap_or(0)
}

/// A second mount of everything at and below an open place, attached to nothing yet.
pub fn clone_tree(place: &impl AsFd) -> io::Result<OwnedFd> {
    let flags = CLONE
        | libc::O_CLOEXEC.cast_unsigned()
        | libc::AT_EMPTY_PATH.cast_unsigned()
        | libc::AT_RECURSIVE.cast_unsigned();
    // SAFETY: the descriptor lives through the call and the path is a constant string.
    let tree = unsafe {
        libc::syscall(libc::SYS_open_tree, place.as_fd().as_raw_fd(), EMPTY.as_ptr(), flags)
    };
    let tree = RawFd::try_from(checked(tree)?).map_err(io::Error::other)?;
    // SAFETY: the kernel just made this descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(tree) })
}

/// Makes a mount, and all below it, read-only; its other attributes stay.
pub fn make_read_only(tree: &OwnedFd) -> io::Result<()> {
    let attr = [READ_ONLY, 0, 0, 0];
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    // SAFETY: the kernel reads the four words of `attr`, whose size is given.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            EMPTY.as_ptr(),
            flags.cast_unsigned(),
            attr.as_ptr(),
            size_of_val(&attr),
        )
    };
    checked(done).map(drop)
}

/// Lays a mount over an open place.
pub fn attach(tree: &OwnedFd, place: &impl AsFd) -> io::Result<()> {
    // SAFETY: both descriptors live through the call and the paths are constant strings.
    let done = unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            EMPTY.as_ptr(),
            place.as_fd().as_raw_fd(),
            EMPTY.as_ptr(),
            BY_DESCRIPTORS,
        )
    };
    checked(done).map(drop)
}

/// Leaves the mount namespace, and the user namespace if asked: only a process with one thread can.
pub fn unshare(flags: libc::c_int) -> io::Result<()> {
    // SAFETY: the call takes flags only.
    checked(unsafe { libc::unshare(flags) }.into()).map(drop)
}

/// Puts an empty file system that lives in memory over a place; it is gone with the namespace.
pub fn mount_memory(place: &str) -> io::Result<()> {
    let place = CString::new(place)?;
    let flags = libc::MS_NOSUID | libc::MS_NODEV;
    let (kind, options) = (c"tmpfs".as_ptr(), MEMORY_OPTIONS.as_ptr());
    // SAFETY: all are strings that outlive the call.
    let done = unsafe { libc::mount(kind, place.as_ptr(), kind, flags, options.cast()) };
    checked(done.into()).map(drop)
}

/// Keeps what is mounted here from reaching the namespace we left.
pub fn keep_mounts_private() -> io::Result<()> {
    let none = std::ptr::null::<libc::c_char>();
    // SAFETY: only the target is read, and it is a constant string.
    let done = unsafe {
        libc::mount(none, c"/".as_ptr(), none, libc::MS_REC | libc::MS_SLAVE, std::ptr::null())
    };
    checked(done.into()).map(drop)
}

fn checked(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
