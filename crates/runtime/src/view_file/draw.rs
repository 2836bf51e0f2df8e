//! Draws a view: write beside it, sync, exchange the two names, look at what was displaced. The
//! exchange is one step for the kernel, so a reader always finds a whole file, and an edit saved
//! at any instant is either displaced by it or stands in the place afterwards.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::displaced::{Displaced, Look, look};
use super::lease::Writer;
use super::temp;

/// An editor that removes and makes a file again and again may spoil a few tries, not this many.
const TRIES_MAX: usize = 64;

/// Why a view could not be drawn. What stood there, stands there.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The disk said no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Somebody removes and makes the file faster than it can be drawn.
    #[error("the file is removed and made again all the time")]
    Contended,
}

/// How the new file came into place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// Names were exchanged: nothing can have been missed.
    Exchange,
    /// The file system has no exchange: what stood there was given a second name, then the new
    /// file was renamed over it. A file renamed there in between is lost; record it as not
    /// compared.
    Rename,
}

/// What stood in the view's place.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// The bytes last drawn, and nobody has them open to write. One that had looked the name up may
    /// open them yet: [`Late`](super::Late) keeps them for that moment.
    LastDrawn(Displaced),
    /// Anything else, or the last drawn bytes with somebody about to write to them.
    Edit(Displaced),
}

/// A view that was drawn. Its bytes are on disk, its name is when its directory is settled.
#[derive(Debug, PartialEq, Eq)]
pub struct Drawn {
    /// What it replaced.
    pub found: Found,
    /// How sure that is.
    pub swap: Swap,
}

/// Draws `new` at `path`. `last` is what was drawn there before, if anything was.
pub fn draw(path: &Path, new: &[u8], last: Option<&[u8]>) -> Result<Drawn, Error> {
    draw_with(path, new, last, Swap::Exchange)
}

/// As [`draw`], with the temporary files in another directory of the same file system. The view
/// keeps the rights that it has.
pub fn draw_from(
    room: &Path,
    path: &Path,
    new: &[u8],
    last: Option<&[u8]>,
) -> Result<Drawn, Error> {
    let name = path.file_name().ok_or(io::Error::from(io::ErrorKind::InvalidInput))?;
    let ready = temp::write(&room.join(name), new, last)?;
    if let Ok(meta) = fs::symlink_metadata(path)
        && meta.is_file()
    {
        fs::set_permissions(&ready, meta.permissions())?;
    }
    place(&ready, path, last, Swap::Exchange)
}

/// As [`draw`], by the given means; `Exchange` falls back to `Rename` where there is none.
pub fn draw_with(path: &Path, new: &[u8], last: Option<&[u8]>, by: Swap) -> Result<Drawn, Error> {
    let ready = temp::write(path, new, last)?;
    place(&ready, path, last, by)
}

/// Puts what is ready in the view's place and looks at what stood there.
fn place(ready: &Path, path: &Path, last: Option<&[u8]>, by: Swap) -> Result<Drawn, Error> {
    let placed = match by {
        Swap::Exchange => exchange(ready, path),
        Swap::Rename => replace(ready, path),
    };
    let (kept, swap) = match placed {
        Ok(placed) => placed,
        Err(error) => {
            // Not swapped in: these are our own bytes, and nobody's loss.
            let _ = fs::remove_file(ready);
            return Err(error);
        }
    };
    let found = match kept {
        Some(kept) => judge(kept, last)?,
        None => Found::Nothing,
    };
    Ok(Drawn { found, swap })
}

/// Makes the names of what was drawn in a directory outlast a power cut. Once for all of them, and
/// only where somebody was told: what is lost is drawn again from the journal.
pub fn settle(dir: &Path) -> Result<(), Error> {
    Ok(temp::sync_dir(dir)?)
}

/// `Some` is where the displaced file is now.
type Placed = Result<(Option<PathBuf>, Swap), Error>;

fn exchange(ready: &Path, path: &Path) -> Placed {
    for _ in 0..TRIES_MAX {
        match renameat_with(CWD, ready, CWD, path, RenameFlags::EXCHANGE) {
            Ok(()) => return Ok((Some(ready.to_path_buf()), Swap::Exchange)),
            Err(Errno::NOENT) => {}
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => return replace(ready, path),
            Err(error) => return Err(Error::Io(error.into())),
        }
        match renameat_with(CWD, ready, CWD, path, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok((None, Swap::Exchange)),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(Error::Io(error.into())),
        }
    }
    Err(Error::Contended)
}

/// Without exchange: a second name for what stands there, then rename over the first.
fn replace(ready: &Path, path: &Path) -> Placed {
    let mut kept = ready.as_os_str().to_owned();
    kept.push("~");
    let kept = PathBuf::from(kept);
    for _ in 0..TRIES_MAX {
        let met = match fs::hard_link(path, &kept) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
            Err(_) => copy(path, &kept),
            Ok(()) => Ok(()),
        };
        match met {
            Ok(()) => {
                fs::rename(ready, path)?;
                return Ok((Some(kept), Swap::Rename));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        match fs::hard_link(ready, path) {
            Ok(()) => {
                fs::remove_file(ready)?;
                return Ok((None, Swap::Rename));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // No second names here at all.
            Err(_) => {
                fs::rename(ready, path)?;
                return Ok((None, Swap::Rename));
            }
        }
    }
    Err(Error::Contended)
}

fn copy(path: &Path, kept: &Path) -> io::Result<()> {
    let bytes = fs::read(path)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(kept)?;
    file.write_all(&bytes)?;
    file.sync_all()
}

fn judge(kept: PathBuf, last: Option<&[u8]>) -> Result<Found, Error> {
    match look(&kept)? {
        Look::Bytes { bytes, writer } if writer != Writer::Open && Some(&bytes[..]) == last => {
            Ok(Found::LastDrawn(Displaced::at(kept)))
        }
        Look::Bytes { .. } | Look::TooLarge | Look::NotAFile => {
            Ok(Found::Edit(Displaced::at(kept)))
        }
    }
}
