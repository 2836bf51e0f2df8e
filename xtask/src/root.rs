//! Where the repository is. Tasks work from its root, wherever they were called from.

use std::path::{Path, PathBuf};

/// The root of the repository this binary was built in.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
