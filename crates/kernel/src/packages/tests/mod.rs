//! The documents, as tables: what is read, what is written, and what keeps its bytes.

mod documents;
mod messages;
mod pages;
