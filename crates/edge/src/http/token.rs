//! The door token: made once for a user, kept where only that user looks, shown by whoever may come
//! in. It is never in an environment, a command line or a workspace.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use kernel::errors::Class;
use runtime::workspace::Places;
use serde_json::json;
use subtle::ConstantTimeEq as _;

use crate::problem::Raised;
use crate::site::{class, io};

/// Random bytes of a token: as many as cannot be guessed.
const RANDOM_BYTES: usize = 32;
/// A token is hexadecimal; a longer file is none.
const TEXT_BYTES_MAX: u64 = 1024;
/// Whoever else may read the file.
const OTHERS: u32 = 0o077;

/// The token of a user.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Where it is kept.
    #[must_use]
    pub fn path(places: &Places) -> PathBuf {
        places.state.join("token")
    }

    /// The token, made at first use. Of two that make one at once, the first wins for both.
    ///
    /// # Errors
    /// A file that cannot be made or read, or that others may read.
    pub fn read_or_make(places: &Places) -> Result<Self, Raised> {
        let path = Self::path(places);
        let fail = |why: &std::io::Error| io(&path.display().to_string(), why);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&places.state);
        made.map_err(|why| fail(&why))?;
        match make(&path) {
            Ok(()) => {}
            Err(why) if why.kind() == ErrorKind::AlreadyExists => {}
            Err(why) => return Err(fail(&why)),
        }
        let file = std::fs::File::open(&path).map_err(|why| fail(&why))?;
        let mode = file.metadata().map_err(|why| fail(&why))?.mode();
        if mode & OTHERS != 0 {
            let details = json!({ "kind": "permission", "path": path.display().to_string() });
            return Err(class(Class::Io, details));
        }
        let mut text = String::new();
        file.take(TEXT_BYTES_MAX).read_to_string(&mut text).map_err(|why| fail(&why))?;
        let text = text.trim().to_owned();
        if text.len() < RANDOM_BYTES {
            let details = json!({ "kind": "not_a_file", "path": path.display().to_string() });
            return Err(class(Class::Io, details));
        }
        Ok(Self(text))
    }

    /// Whether this is it, in a time that tells nothing about it.
    #[must_use]
    pub fn is(&self, shown: &str) -> bool {
        self.0.as_bytes().ct_eq(shown.as_bytes()).into()
    }

    /// For whoever keeps it out of what is shown.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }
}

/// Written whole under another name first, so that nobody reads half of it.
fn make(path: &Path) -> std::io::Result<()> {
    let mut bytes = [0; RANDOM_BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let temp = path.with_extension(format!("new-{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&temp)?;
    file.write_all(format!("{text}\n").as_bytes())?;
    file.sync_all()?;
    let linked = std::fs::hard_link(&temp, path);
    std::fs::remove_file(&temp)?;
    linked
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_token_is_made_once_and_is_nobody_elses() {
        let home = tempfile::tempdir().unwrap();
        let places = Places::of(|name| (name == "HOME").then(|| home.path().into())).unwrap();
        let first = Token::read_or_make(&places).unwrap();
        let again = Token::read_or_make(&places).unwrap();
        assert!(first.is(again.secret()) && first.secret().len() == 2 * RANDOM_BYTES);
        for wrong in ["", "x", &first.secret()[1..], &format!("{}0", first.secret())] {
            assert!(!first.is(wrong), "{wrong}");
        }
        let path = Token::path(&places);
        assert_eq!(path.metadata().unwrap().mode() & 0o777, 0o600);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        let open = Token::read_or_make(&places).err().map(|raised| raised.details["kind"].clone());
        assert_eq!(open, Some(json!("permission")));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&path, "short").unwrap();
        assert!(Token::read_or_make(&places).is_err());
    }
}
