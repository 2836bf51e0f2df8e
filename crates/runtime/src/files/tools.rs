//! The reading tools by name: their aliases and the schemas of their arguments. What they do is
//! in their own files.

use serde_json::Value;

use super::{args, list, read, search};

/// A tool that only reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Lines of a file.
    Read,
    /// Entries of a directory.
    List,
    /// Lines that fit.
    Search,
    /// Places for a question.
    SearchSemantic,
}

impl Tool {
    /// Every reading tool.
    pub const ALL: [Self; 4] = [Self::Read, Self::List, Self::Search, Self::SearchSemantic];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Search => "search",
            Self::SearchSemantic => "search_semantic",
        }
    }

    /// What other programs call it.
    #[must_use]
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Read => &["read_file"],
            Self::List => &["list_dir"],
            Self::Search => &["grep", "glob_file_search"],
            Self::SearchSemantic => &["codebase_search"],
        }
    }

    /// The tool of that name or alias.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name || tool.aliases().contains(&name))
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn schema(self) -> Value {
        let table = match self {
            Self::Read => read::ARGS,
            Self::List => list::ARGS,
            Self::Search => search::SEARCH,
            Self::SearchSemantic => search::SEMANTIC,
        };
        args::schema(self.name(), table)
    }
}
