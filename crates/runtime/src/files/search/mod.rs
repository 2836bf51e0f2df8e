//! The tools `search` and `search_semantic`: lines that fit a text, a pattern, or a question.
//! What is ignored, binary, large, secret or control is left out and counted. Nothing is indexed.

mod adapter;
mod args;
mod hit;
mod matching;
mod place;
mod run;
mod scan;
mod semantic;
mod sweep;
mod words;

pub use adapter::Adapter;
pub use args::{Args, Case, Query, Semantic};
pub use hit::{Bound, Fallback, Hit, Payload, Skipped, Source, WhyFallback};
pub use run::search;
pub use semantic::search_semantic;

#[cfg(test)]
pub(super) use run::limited;

pub(super) use args::{SEARCH, SEMANTIC};
