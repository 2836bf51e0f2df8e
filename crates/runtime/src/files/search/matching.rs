//! Builds the matcher of a query. Expressions take linear time; one that would grow beyond its
//! bound, or reach over lines, is refused as an argument.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

use super::super::args::bad;
use super::super::fault::Fault;
use super::args::{Case, Query};

/// A compiled expression above this was written to be large.
const COMPILED_BYTES_MAX: usize = 10 * 1024 * 1024;

/// The matcher of a query.
///
/// # Errors
/// When the expression cannot be read, is too large, or speaks of line ends.
pub(super) fn of_query(query: &Query, case: Case) -> Result<RegexMatcher, Fault> {
    let mut builder = builder();
    match case {
        Case::Smart => builder.case_smart(true),
        Case::Sensitive => &mut builder,
        Case::Insensitive => builder.case_insensitive(true),
    };
    let built = match query {
        Query::Literal(text) => builder.fixed_strings(true).build(text),
        Query::Regex(text) => builder.crlf(true).build(text),
        Query::Files => builder.build(""),
    };
    built.map_err(|error| bad("query", format!("an expression within a line ({error})")))
}

/// The matcher of several words, whatever their case.
///
/// # Errors
/// When they are too many together.
pub(super) fn of_words(words: &[String]) -> Result<RegexMatcher, Fault> {
    let mut builder = builder();
    builder
        .fixed_strings(true)
        .case_insensitive(true)
        .build_many(words)
        .map_err(|_| bad("query", "fewer words".to_owned()))
}

fn builder() -> RegexMatcherBuilder {
    let mut builder = RegexMatcherBuilder::new();
    builder
        .line_terminator(Some(b'\n'))
        .size_limit(COMPILED_BYTES_MAX)
        .dfa_size_limit(COMPILED_BYTES_MAX);
    builder
}
