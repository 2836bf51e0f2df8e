//! What a session owes that is no call with words of its own: looks of the hands, and requests that
//! only the hands can make ready, because they name files, times or branches.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use super::job;
use super::stage::Marks;
use super::state::Said;

/// A look, or a page that is drawn; both can be repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// How the knowledge base stands, and whether there are sources.
    Kb,
    /// The packages that are there.
    List,
    /// How a package stands.
    Package {
        /// Its name.
        name: String,
        /// How marks are read that can be read both ways.
        marks: Option<Marks>,
    },
    /// Risks in what the flow changed.
    Scan {
        /// The changed files.
        paths: Vec<String>,
    },
    /// What else lies in plan/.
    Leftovers,
    /// The report of the flow.
    Accept,
    /// The project's checks of level test.
    Checks,
    /// What a job looks at first.
    Detect(job::Kind),
    /// The checks of knowledge base and packages.
    Validate {
        /// What is looked at.
        scope: String,
    },
    /// The plan of a rollback.
    RollbackPlan {
        /// The checkpoint.
        target: String,
    },
}

/// A child that the hands make ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// An operation on the knowledge base or on packages; root, language and times are added.
    Package(Value),
    /// The package of a draft.
    Create {
        /// The draft as the agent answered it.
        draft: Value,
    },
    /// The entry of a flow or a rollback in the CHANGELOG.
    Changelog {
        /// What is told: `develop`, `tweak`, `forced`, `rollback`.
        kind: String,
        /// The checkpoint that was gone back to.
        target: Option<String>,
    },
    /// The marks of a package that is picked become ours.
    Adopt {
        /// Its name.
        name: String,
        /// How marks are read that can be read both ways.
        marks: Option<Marks>,
    },
    /// The packages that a rollback took back are shown so in the archive.
    RolledBack {
        /// The checkpoint that was gone back to.
        target: String,
    },
    /// The marks of a package's tasks, as the driver left them.
    Mark {
        /// Its name.
        name: String,
    },
    /// The archive of a package.
    Archive {
        /// Its name.
        name: String,
    },
    /// The counters and constraints of the knowledge base.
    Sync,
    /// A commit of exactly this.
    Commit {
        /// What was shown.
        commit: Value,
        /// Its message.
        message: String,
    },
    /// The way back to a checkpoint.
    Rollback {
        /// The checkpoint.
        target: String,
        /// What becomes of local changes.
        foreign: String,
    },
    /// A question to several agents at once.
    Several {
        /// What is asked.
        words: String,
        /// What was found out about the project.
        context: Option<Said>,
        /// The form of the answer.
        schema: String,
    },
    /// The driver of DEVELOP.
    Develop,
}
