//! The report of an operation of several steps: what is done, what is left, and where it stopped.
//! Done and left together are always all of its steps.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A step that is done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// Its name.
    pub step: String,
    /// What it left.
    pub result: String,
    /// What was looked at to know that it is done.
    pub verify: String,
}

/// The report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What was asked for.
    pub operation: String,
    /// Whether all of it is done.
    pub success: bool,
    /// Steps that are done.
    pub completed: Vec<Done>,
    /// The first step that is not.
    pub failed_at: Option<String>,
    /// Why.
    pub error_message: Option<String>,
    /// Steps that are left.
    pub pending: Vec<String>,
    /// What else is known.
    pub context: Map<String, Value>,
}

impl Report {
    /// All of it done.
    #[must_use]
    pub fn whole(operation: &str, steps: Vec<Done>, context: Map<String, Value>) -> Self {
        Self {
            operation: operation.to_string(),
            success: true,
            completed: steps,
            failed_at: None,
            error_message: None,
            pending: Vec::new(),
            context,
        }
    }

    /// The same operation, stopped: of its steps only these are done.
    #[must_use]
    pub fn stopped(&self, is_done: impl Fn(&Done) -> bool, why: &str) -> Self {
        let done = self.completed.iter().take_while(|step| is_done(step)).count();
        let (completed, left) = self.completed.split_at(done);
        let pending: Vec<String> = left.iter().map(|step| step.step.clone()).collect();
        Self {
            success: false,
            completed: completed.to_vec(),
            failed_at: pending.first().cloned(),
            error_message: Some(why.to_string()),
            pending,
            ..self.clone()
        }
    }
}
