//! What every reading tool is given: the root, the protected names in force, whether secrets were
//! granted, and the bounds from the settings. It judges names before and after an open.

use kernel::paths::{Class, Names, Rel};

use super::fault::Fault;
use super::read::never_read;
use super::root::{Opened, Root};

/// Text given back at once when the settings say nothing.
pub const TEXT_BYTES_MAX: usize = 1024 * 1024;
/// A larger file is seldom what somebody searches by hand.
pub const SEARCHED_BYTES_MAX: u64 = 2 * 1024 * 1024;

/// Whether files whose content is a secret may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrets {
    /// Nobody said so.
    Withheld,
    /// A person or a rule allowed this read.
    Granted,
}

/// Where the reading tools work.
#[derive(Debug)]
pub struct Desk<'a> {
    /// The root.
    pub root: &'a Root,
    /// The protected names.
    pub names: &'a Names,
    /// For `read` alone: searches and maps never show a secret.
    pub secrets: Secrets,
    /// Most text that `read` gives back (`call.read_bytes`).
    pub text_bytes_max: usize,
    /// Largest file that is searched (`search.max_file_bytes`).
    pub searched_bytes_max: u64,
}

impl<'a> Desk<'a> {
    /// A desk with the default bounds, secrets withheld.
    #[must_use]
    pub const fn new(root: &'a Root, names: &'a Names) -> Self {
        Self {
            root,
            names,
            secrets: Secrets::Withheld,
            text_bytes_max: TEXT_BYTES_MAX,
            searched_bytes_max: SEARCHED_BYTES_MAX,
        }
    }

    /// Opens a file whose name, and whose real name behind links, may be read.
    pub(super) fn open(&self, path: &Rel) -> Result<Opened, Fault> {
        self.judge(path.as_str(), path.as_str())?;
        let opened = self.root.open_file(path)?;
        if opened.real != path.as_str() {
            self.judge(&opened.real, path.as_str())?;
        }
        Ok(opened)
    }

    fn judge(&self, real: &str, asked: &str) -> Result<(), Fault> {
        let classes = self.names.classes(real);
        let denied = Class::ALL.into_iter().rev().find(|class| {
            let withheld = *class == Class::Secret && self.secrets == Secrets::Withheld;
            classes.has(*class) && (never_read(*class) || withheld)
        });
        match denied {
            Some(class) => Err(Fault::Protected { path: asked.to_owned(), class }),
            None => Ok(()),
        }
    }
}
