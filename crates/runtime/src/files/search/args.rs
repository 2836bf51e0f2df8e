//! What a search is asked. Names, aliases and bounds are in the tables; nothing is searched here.

use kernel::paths::Rel;
use serde::Serialize;
use serde_json::Value;

use super::super::args::{self, Arg, Shape, bad};
use super::super::fault::Fault;

/// Hits of one answer at most.
pub(super) const HITS_MAX: u64 = 1000;
/// Lines around a hit at most, on each side.
const CONTEXT_MAX: u64 = 10;
/// A question longer than this is a document.
const QUERY_BYTES_MAX: usize = 4096;

const LITERAL: &str = "literal";
const REGEX: &str = "regex";
/// What programs call a query that is always a regular expression.
const PATTERN: &str = "pattern";

pub(in super::super) const SEARCH: &[Arg] = &[
    Arg::new("query", Shape::Text).also(&[PATTERN]),
    Arg::new("kind", Shape::Word(&[LITERAL, REGEX])),
    Arg::new("path", Shape::Text).also(&["target_directory"]).or("\".\""),
    Arg::new("glob", Shape::Text).also(&["glob_pattern", "include"]),
    Arg::new("case", Shape::Word(&["smart", "sensitive", "insensitive"])).or("\"smart\""),
    Arg::new("context", Shape::Whole { least: 0, most: CONTEXT_MAX }).or("2"),
    Arg::new("limit", Shape::Whole { least: 1, most: HITS_MAX }).also(&["head_limit"]).or("200"),
];

pub(in super::super) const SEMANTIC: &[Arg] = &[
    Arg::new("query", Shape::Text).needed(),
    Arg::new("path", Shape::Text).also(&["target_directory"]).or("\".\""),
    Arg::new("limit", Shape::Whole { least: 1, most: HITS_MAX }).or("20"),
];

/// What lines must fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Query {
    /// This text.
    Literal(String),
    /// This regular expression.
    Regex(String),
    /// Nothing: the files themselves are meant, one hit each.
    Files,
}

/// Whether upper and lower case differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Only if the query has an upper-case letter.
    Smart,
    /// Always.
    Sensitive,
    /// Never.
    Insensitive,
}

/// What `search` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Args {
    /// What lines must fit.
    pub query: Query,
    /// Where: a directory or a file.
    pub path: Rel,
    /// Only in these files.
    pub glob: Option<String>,
    /// Whether case matters.
    pub case: Case,
    /// Lines around each hit.
    pub context: usize,
    /// Hits at most.
    pub limit: usize,
}

impl Args {
    /// Reads the arguments. A query given as `pattern` is a regular expression unless `kind` says
    /// otherwise; without a query a glob must say which files are meant.
    ///
    /// # Errors
    /// When one is unknown, missing or wrong, or the path is none for a tool.
    pub fn parse(args: &Value) -> Result<Self, Fault> {
        let taken = args::take(SEARCH, args)?;
        let unsaid = if args.get(PATTERN).is_some() { REGEX } else { LITERAL };
        let kind = taken.text_if("kind").unwrap_or_else(|| unsaid.to_owned());
        let glob = taken.text_if("glob");
        let query = match taken.text_if("query") {
            None if glob.is_some() => Query::Files,
            None => return Err(bad("query", "a text".to_owned())),
            Some(text) => checked(text).map(match kind.as_str() {
                REGEX => Query::Regex,
                _ => Query::Literal,
            })?,
        };
        let case = match taken.text("case").as_str() {
            "sensitive" => Case::Sensitive,
            "insensitive" => Case::Insensitive,
            _ => Case::Smart,
        };
        let (context, limit) = (taken.whole("context"), taken.whole("limit"));
        Ok(Self { query, path: path_of(taken.text("path"))?, glob, case, context, limit })
    }
}

/// What `search_semantic` is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Semantic {
    /// The question.
    pub query: String,
    /// Where: a directory or a file.
    pub path: Rel,
    /// Hits at most.
    pub limit: usize,
}

impl Semantic {
    /// Reads the arguments.
    ///
    /// # Errors
    /// When one is unknown, missing or wrong, or the path is none for a tool.
    pub fn parse(args: &Value) -> Result<Self, Fault> {
        let taken = args::take(SEMANTIC, args)?;
        let query = checked(taken.text("query"))?;
        Ok(Self { query, path: path_of(taken.text("path"))?, limit: taken.whole("limit") })
    }
}

fn checked(query: String) -> Result<String, Fault> {
    if query.is_empty() || query.len() > QUERY_BYTES_MAX {
        return Err(bad("query", format!("1 to {QUERY_BYTES_MAX} bytes")));
    }
    Ok(query)
}

fn path_of(path: String) -> Result<Rel, Fault> {
    Rel::dir(&path).map_err(|why| Fault::Path { path, why })
}
