//! Landlock: the places of a plan, and nothing else. Every right that the plan's version knows is
//! handled, so whatever is not granted is refused; asking for less than the plan says is no
//! option here. It cannot except a name inside a writable place.

use std::io;
use std::os::fd::AsFd;

use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, Scope,
};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;

use super::plan::{May, Plan};

/// Older versions refuse every rename from one directory to another: builds would not run.
pub const ABI_MIN: u32 = 2;
/// The newest whose rights we have tried; what a newer kernel knows beyond it is left alone.
pub const ABI_MAX: u32 = 7;
/// From here on a file cannot be cut short without the right to.
pub const ABI_TRUNCATE: u32 = 3;
/// From here on signals and abstract sockets stay inside.
pub const ABI_SCOPES: u32 = 6;

/// Puts the wall up around this process, for good.
pub fn up(plan: &Plan) -> io::Result<()> {
    let abi = named(plan.abi).ok_or(Errno::NOSYS)?;
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))
        .map_err(refused)?;
    if plan.abi >= ABI_SCOPES {
        rules = rules.scope(Scope::from_all(abi)).map_err(refused)?;
    }
    let mut rules = rules.create().map_err(refused)?;
    for grant in &plan.grants {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let place = match rustix::fs::openat(CWD, &*grant.path, flags, Mode::empty()) {
            Ok(place) => place,
            // Gone, or never to be seen by this user: that grants nothing, which is no less safe.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => continue,
            Err(error) => return Err(error.into()),
        };
        let kind = FileType::from_raw_mode(rustix::fs::fstat(&place)?.st_mode);
        let rights = rights(grant.may, kind, abi);
        rules = rules.add_rule(PathBeneath::new(place.as_fd(), rights)).map_err(refused)?;
    }
    let status = rules.restrict_self().map_err(refused)?;
    match status.ruleset {
        RulesetStatus::FullyEnforced if status.no_new_privs => Ok(()),
        RulesetStatus::FullyEnforced
        | RulesetStatus::PartiallyEnforced
        | RulesetStatus::NotEnforced => Err(Errno::NOSYS.into()),
    }
}

/// The rights of a place; a file has only those that mean something for one.
fn rights(may: May, kind: FileType, abi: ABI) -> BitFlags<AccessFs> {
    let read = AccessFs::from_read(abi);
    // The newer rights over what is there already; an older version does not know them.
    let present = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let all = match may {
        May::Read => read,
        May::Use => read | (present & AccessFs::from_all(abi)),
        May::Write => AccessFs::from_all(abi),
    };
    match kind {
        FileType::Directory => all,
        FileType::RegularFile
        | FileType::Symlink
        | FileType::Fifo
        | FileType::Socket
        | FileType::CharacterDevice
        | FileType::BlockDevice
        | FileType::Unknown => all & AccessFs::from_file(abi),
    }
}

const fn named(abi: u32) -> Option<ABI> {
    match abi {
        2 => Some(ABI::V2),
        3 => Some(ABI::V3),
        4 => Some(ABI::V4),
        5 => Some(ABI::V5),
        6 => Some(ABI::V6),
        7 => Some(ABI::V7),
        _ => None,
    }
}

/// The system's own number, where there is one behind the crate's error.
fn refused(error: impl std::error::Error) -> io::Error {
    let mut cause: Option<&dyn std::error::Error> = error.source();
    while let Some(why) = cause {
        if let Some(errno) = why.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error) {
            return io::Error::from_raw_os_error(errno);
        }
        cause = why.source();
    }
    Errno::NOSYS.into()
}
