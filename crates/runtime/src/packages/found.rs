//! Finding the root: the one the settings name, else the first that bears the marker, else the one
//! that would be made.

use std::path::Path;

use kernel::packages::kb;
use kernel::paths::Rel;
use serde_json::json;

use super::place::{KbRoot, Marker, bears_marker};
use super::refusal::Refusal;

/// The root, and what should be known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The root.
    pub root: KbRoot,
    /// Others that bear the marker too.
    pub ambiguous: Vec<String>,
}

/// Finds the root. `named` and `candidates` are what the settings say.
///
/// # Errors
/// When it would lie outside of the workspace.
pub fn find(workspace: &Path, named: &str, candidates: &[String]) -> Result<Found, Refusal> {
    if !named.trim().is_empty() {
        return Ok(Found { root: placed(workspace, named)?, ambiguous: Vec::new() });
    }
    let mut marked = Vec::new();
    for name in std::iter::once(kb::ROOT).chain(candidates.iter().map(String::as_str)) {
        let root = placed(workspace, name)?;
        if root.marker == Marker::Ours && !marked.contains(&root) {
            marked.push(root);
        }
    }
    let mut marked = marked.into_iter();
    let root = match marked.next() {
        Some(first) => first,
        None => placed(workspace, kb::ROOT)?,
    };
    let ambiguous = marked.map(|root| root.path.as_str().to_owned()).collect();
    Ok(Found { root, ambiguous })
}

/// The root at that path, looked at.
pub(super) fn placed(workspace: &Path, name: &str) -> Result<KbRoot, Refusal> {
    let outside = || Refusal::new("outside_workspace", json!({ "path": name }));
    let path = Rel::file(name.trim_end_matches('/')).map_err(|_| outside())?;
    let full = workspace.join(path.as_str());
    let Ok(meta) = std::fs::symlink_metadata(&full) else {
        return Ok(KbRoot { path, marker: Marker::Nothing });
    };
    // A link is not written through, wherever it leads.
    let real = full.canonicalize().map_err(|_| outside())?;
    let inside = workspace.canonicalize().is_ok_and(|workspace| real.starts_with(workspace));
    if !inside || meta.is_symlink() {
        return Err(outside());
    }
    if !meta.is_dir() {
        return Ok(KbRoot { path, marker: Marker::Other });
    }
    let names = names(&full);
    let marker = match (names.is_empty(), bears_marker(&names)) {
        (true, _) => Marker::Nothing,
        (false, true) => Marker::Ours,
        (false, false) if only_ours(&names) => Marker::Ours,
        (false, false) => Marker::Other,
    };
    Ok(KbRoot { path, marker })
}

/// Whether there is nothing but what a root has, though not all of it.
fn only_ours(names: &[String]) -> bool {
    let own = [kb::CHANGELOG, kb::PLAN, kb::ARCHIVE, kb::MODULES, kb::INDEX, kb::CONTEXT];
    let known = |name: &String| own.contains(&name.as_str()) || kb::OLD.contains(&name.as_str());
    names.iter().any(known) && names.iter().all(|name| known(name) || name.starts_with('.'))
}

fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
