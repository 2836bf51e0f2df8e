//! Why something about packages is not done, as a value with its word and facts.

use kernel::errors::{Code, Machine};
use serde_json::{Value, json};

use crate::change::Problem;
use crate::files::Fault;
use crate::tools::Misfit;

/// Why it is not done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.code)]
pub struct Refusal(Misfit);

impl Refusal {
    /// A refusal of that word.
    #[must_use]
    pub fn new(word: &str, details: Value) -> Self {
        Self(Misfit { code: Code::refused(Machine::Session, word), kind: "", details })
    }

    /// The code, its detail word and the facts.
    #[must_use]
    pub const fn misfit(&self) -> &Misfit {
        &self.0
    }

    pub(super) fn args(path: &str, expected: &str) -> Self {
        let mut misfit = Misfit::args(expected);
        misfit.details["path"] = json!(path);
        Self(misfit)
    }
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        Self(misfit)
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self(Misfit::from(&fault))
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(Misfit::from(&problem))
    }
}
