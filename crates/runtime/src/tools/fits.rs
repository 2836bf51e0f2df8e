//! Whether arguments fit their tool, as far as words alone tell. The door asks before anything is
//! recorded; the tool reads them again when it acts.

use kernel::call::{Acts, Tool};
use kernel::errors::Code;
use serde_json::Value;

use super::{changing, reading};
use crate::{change, files};

/// Why arguments do not fit: a code and its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The code.
    pub code: Code,
    /// The detail word of its class; empty where there is none.
    pub kind: &'static str,
    /// The facts.
    pub details: Value,
}

impl From<&files::Fault> for Misfit {
    fn from(fault: &files::Fault) -> Self {
        Self { code: fault.code(), kind: fault.kind(), details: fault.details() }
    }
}

impl From<&change::Problem> for Misfit {
    fn from(problem: &change::Problem) -> Self {
        Self { code: problem.code(), kind: problem.kind(), details: problem.details() }
    }
}

/// Looks at the arguments of a tool.
///
/// # Errors
/// The first argument that does not fit.
pub fn check(tool: &Tool, args: &Value) -> Result<(), Misfit> {
    match (tool.acts, files::Tool::named(tool.name)) {
        (Acts::Reads, Some(reads)) => {
            reading::check(reads, args).map_err(|fault| Misfit::from(&fault))
        }
        (Acts::Changes, _) => {
            changing::check(tool.name, args).map_err(|problem| Misfit::from(&problem))
        }
        (Acts::Reads | Acts::Converges | Acts::Runs, _) => Ok(()),
    }
}
