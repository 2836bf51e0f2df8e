//! A directory that gives way to a file or a link, or the other way round. The names are exchanged,
//! so whoever looks finds one or the other; a directory that is not empty goes back.

use rustix::fs::{AtFlags, Mode, RenameFlags};
use rustix::io::Errno;

use super::content::{self, Content, Kind, same};
use super::manifest::Entry;
use super::steps::Steps;
use super::turn::{Turn, Turned, rename, sync, unlink, untouched, watch};
use crate::files::{Fault, Parent};

/// Turns the path, one of whose contents is a directory.
pub(super) fn exchange(
    turn: &Turn<'_>,
    parent: &Parent,
    from: &Content,
    to: &Content,
    steps: Steps<'_>,
) -> Result<Turned, Fault> {
    let fail = |errno| Fault::errno(parent.path(), errno);
    if to.kind == Kind::Dir {
        watch(parent, steps, "mkdir")?;
        let mode = Mode::from_raw_mode(to.mode);
        rustix::fs::mkdirat(parent.dir(), turn.temp, mode).map_err(fail)?;
    } else {
        turn.make_temp(parent, to, steps)?;
    }
    watch(parent, steps, "exchange")?;
    match rename(parent, turn.temp, parent.name(), RenameFlags::EXCHANGE) {
        Ok(()) => {}
        Err(Errno::NOENT) => {
            remove(parent, turn.temp, to.kind)?;
            return turn.other(parent);
        }
        Err(errno) => return Err(fail(errno)),
    }
    watch(parent, steps, "check")?;
    let quiet = from.kind == Kind::Dir || untouched(parent, turn.temp, from)?;
    if !quiet || remove(parent, turn.temp, from.kind)? == Removed::NotEmpty {
        back(parent, turn.temp, to.kind)?;
        sync(parent, steps)?;
        return turn.other(parent);
    }
    sync(parent, steps)?;
    Ok(Turned::Done(turn.swap))
}

/// Clears a directory that was cut off beside its name: a new one that is not in place yet, or the
/// displaced one. One with something in it is somebody's and goes back.
pub(super) fn sweep(parent: &Parent, entry: &Entry) -> Result<(), Fault> {
    if remove(parent, &entry.temp, Kind::Dir)? == Removed::Gone {
        return Ok(());
    }
    let present = content::at(parent, parent.name())?;
    match present {
        Some(present) if same(Some(&present), entry.after().as_ref()) => {
            back(parent, &entry.temp, present.kind)
        }
        // A third content stands there; the displaced one keeps its own name.
        Some(_) | None => Ok(()),
    }
}

/// Puts the displaced one back to its name and removes ours.
fn back(parent: &Parent, temp: &str, ours: Kind) -> Result<(), Fault> {
    rename(parent, temp, parent.name(), RenameFlags::EXCHANGE)
        .map_err(|errno| Fault::errno(parent.path(), errno))?;
    remove(parent, temp, ours).map(drop)
}

#[derive(Debug, PartialEq, Eq)]
enum Removed {
    Gone,
    NotEmpty,
}

fn remove(parent: &Parent, name: &str, kind: Kind) -> Result<Removed, Fault> {
    if kind != Kind::Dir {
        return unlink(parent, name).map(|()| Removed::Gone);
    }
    match rustix::fs::unlinkat(parent.dir(), name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(Removed::Gone),
        Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(Removed::NotEmpty),
        Err(errno) => Err(Fault::errno(parent.path(), errno)),
    }
}
