//! Puts a protected name back as it was, and what stood in its place aside. Which names need it is
//! not decided here.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use rustix::fs::CWD;

use super::detected::{Content, FILE_BYTES_MAX, Site};
use crate::rollback::Aside;
use crate::shim::durable;

/// Moves what stands at a path out of the work tree, under its own name; what an earlier try kept
/// is not overwritten.
pub(super) fn set_aside(site: &Site<'_>, relative: &Path) -> io::Result<()> {
    let from = site.root.join(relative);
    if from.symlink_metadata().is_err() {
        return Ok(());
    }
    let aside = Aside::new(site.loop_dir, site.call, FILE_BYTES_MAX);
    aside.take(CWD, from.as_os_str(), relative.as_os_str().as_bytes())
}

pub(super) fn put_back(site: &Site<'_>, relative: &Path, content: &Content) -> io::Result<()> {
    clear_way(site, relative)?;
    set_aside(site, relative)?;
    let path = site.root.join(relative);
    let (Some(dir), Some(name)) = (path.parent(), path.file_name().and_then(|n| n.to_str())) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    match content {
        Content::Link { to } => symlink(to, &path),
        Content::File { sha256, mode } => {
            let bytes = durable::read(&site.keep.join(sha256), FILE_BYTES_MAX)?;
            if kernel::hash::sha256_hex(&bytes) != *sha256 {
                return Err(io::ErrorKind::InvalidData.into());
            }
            durable::replace(dir, name, &bytes)?;
            fs::set_permissions(&path, Permissions::from_mode(*mode))
        }
    }
}

/// Makes every directory above a path a real one: a link there would lead us elsewhere.
fn clear_way(site: &Site<'_>, relative: &Path) -> io::Result<()> {
    let mut above: Vec<&Path> = relative.ancestors().skip(1).collect();
    above.reverse();
    for part in above.iter().filter(|part| !part.as_os_str().is_empty()) {
        let there = site.root.join(part);
        if !there.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
            set_aside(site, part)?;
            fs::create_dir(&there)?;
        }
    }
    Ok(())
}
