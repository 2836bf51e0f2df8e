//! What a workspace remembers in plain Markdown: solution packages and the knowledge base, as text
//! that is read, checked and edited span by span. No file is opened here and nothing is decided
//! about when; the session decides, hands read and write.

pub mod archive;
pub mod changelog;
pub mod check;
mod claims;
pub mod commit;
pub mod draft;
pub mod kb;
mod kb_check;
mod marks;
pub mod name;
pub mod proposal;
pub mod report;
mod section;
pub mod tasks;
mod tasks_edit;
pub mod template;
mod text;
pub mod upgrade;
pub mod version;
mod words;

#[cfg(test)]
mod tests;

pub use claims::{Claim, Claims, claims};
pub use kb_check::{Finding, Grade, check_kb, list_modules, listed_modules};
pub use marks::{Mark, Status, XMeans};
pub use section::{Section, plain_heading, sections};
pub use text::{End, Line, Place, Text, Unreadable};
pub use words::{Both, Tongue};

/// No document of ours is longer; a larger file is somebody else's.
pub const DOC_MAX: usize = 4 << 20;
