//! Everything a person reads, by key, in Chinese and English. Codes, states and identifiers are
//! never translated; nothing here decides anything.
//!
//! A room that needs words adds a file per language under `locales/` and lists the pair in
//! `catalogue.rs`. Sentences about a code are found by its name; the scalar fields of an error's
//! `details` are their variables, so a detail field is named as the sentence names it.

mod catalogue;
mod explain;
mod guide;
mod lang;
mod tell;

pub use catalogue::{find, keys, say};
pub use explain::{Explained, explain, listed};
pub use guide::{Guide, guide};
pub use lang::{KNOWN_LANGS, Lang, LangSources, UnknownLang, choose, of_words, spoken};
pub use tell::{Told, Vars, tell, title};
