//! Tidies up after a crash in the middle of drawing. Bytes of our own are removed; anything else
//! is handed to the caller as the edit it is. Runs when nothing is being drawn: at start.

use std::fs;
use std::io;
use std::path::Path;

use super::displaced::{Displaced, Look, look};
use super::lease::Writer;
use super::temp::{NEW, OLD, read_name, short_hash, sync_dir};

/// An edit that a crash left beside the view it was made in.
#[derive(Debug, PartialEq, Eq)]
pub struct Left {
    /// The file name of the view.
    pub view: String,
    /// The edit.
    pub edit: Displaced,
}

/// Removes the temps in `dir` that hold our own bytes and answers the rest.
pub fn sweep(dir: &Path) -> io::Result<Vec<Left>> {
    let mut left = Vec::new();
    let mut removed = false;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let path = entry.path();
        if name.starts_with(NEW) && entry.file_type()?.is_file() {
            fs::remove_file(&path)?;
            removed = true;
        } else if name.starts_with(OLD)
            && let Some(named) = read_name(name)
        {
            // The tilde marks the second name that is given where names can't be exchanged.
            let view = named.view.strip_suffix('~').unwrap_or(named.view);
            if is_ours(&look(&path)?, named.ours, named.known) {
                fs::remove_file(&path)?;
                removed = true;
            } else {
                left.push(Left { view: view.to_owned(), edit: Displaced::at(path) });
            }
        }
    }
    if removed {
        sync_dir(dir)?;
    }
    Ok(left)
}

fn is_ours(look: &Look, ours: &str, known: &str) -> bool {
    match look {
        Look::Bytes { bytes, writer } => {
            let hash = short_hash(bytes);
            *writer != Writer::Open && (hash == ours || hash == known)
        }
        Look::TooLarge | Look::NotAFile => false,
    }
}
