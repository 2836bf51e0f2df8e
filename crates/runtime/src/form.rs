//! What every request has in common: its words fit or are named, its agents are configured, it has
//! a language. What becomes of a request is its own.

use std::collections::BTreeMap;

use crate::agents::config::AgentConfig;
use crate::words::Lang;

/// Why a request does not fit.
#[derive(Debug)]
pub enum Unfit {
    /// An agent that nobody configured.
    NoSuchAgent {
        /// Its name.
        name: String,
        /// Those that are.
        known: Vec<String>,
    },
    /// A value that does not fit.
    Invalid {
        /// Which.
        field: &'static str,
        /// What was given.
        found: String,
        /// What fits.
        expected: String,
    },
}

pub(crate) fn invalid(field: &'static str, found: &str, expected: &str) -> Unfit {
    Unfit::Invalid { field, found: found.to_owned(), expected: expected.to_owned() }
}

/// A choice by its word.
pub(crate) fn word<T: Copy>(
    field: &'static str,
    said: &str,
    all: &[(&str, T)],
) -> Result<T, Unfit> {
    let found = all.iter().find(|(name, _)| *name == said).map(|(_, value)| *value);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    found.ok_or_else(|| invalid(field, said, &names.join(", ")))
}

/// The language that is asked for, else the one of those who say none.
pub(crate) fn lang(asked: Option<&str>, own: Lang) -> Result<Lang, Unfit> {
    let Some(asked) = asked else { return Ok(own) };
    Lang::parse(asked).map_err(|_| invalid("lang", asked, "en, zh-CN"))
}

/// Every one of these is configured.
pub(crate) fn known(names: &[String], agents: &BTreeMap<String, AgentConfig>) -> Result<(), Unfit> {
    match names.iter().find(|name| !agents.contains_key(*name)) {
        None => Ok(()),
        Some(name) => {
            let known = agents.keys().cloned().collect();
            Err(Unfit::NoSuchAgent { name: name.clone(), known })
        }
    }
}
