//! What a directory holds, by hash: the two sides of the law.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use runtime::tree::Hash;

/// Path to kind and hash of every file and link.
pub type Held = BTreeMap<Vec<u8>, (char, Hash)>;

/// Everything below `dir`, without the entries of its top that `skip` names.
pub fn held(dir: &Path, skip: &[&str]) -> Held {
    let mut held = Held::new();
    let mut open = vec![dir.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).into_iter().flatten().flatten() {
            let path = entry.path();
            if at == dir && skip.iter().any(|name| path.ends_with(name)) {
                continue;
            }
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let content = if meta.is_dir() {
                open.push(path);
                continue;
            } else if meta.is_symlink() {
                let target = fs::read_link(&path).unwrap_or_default();
                ('l', Hash::of(target.as_os_str().as_bytes()))
            } else {
                let kind = if meta.permissions().mode() & 0o100 == 0 { 'f' } else { 'x' };
                (kind, Hash::of(&fs::read(&path).unwrap_or_default()))
            };
            let below = path.strip_prefix(dir).unwrap_or(&path);
            held.insert(below.as_os_str().to_owned().into_vec(), content);
        }
    }
    held
}
