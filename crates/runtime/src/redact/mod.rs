//! The one place where secrets are taken out, before the journal, views, traces, doors and
//! prompts. It cannot be switched off, and it does not encrypt or forget what is stored raw.

mod ansi;
mod key_block;
mod marks;
mod rules;
mod scan;
mod tokens;

pub(crate) use ansi::strip_escapes;
pub use rules::{BadPattern, Redactor, Secrets};
pub use scan::Stream;
