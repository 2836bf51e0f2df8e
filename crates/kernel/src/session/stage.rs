//! The stages of a flow. Each holds what only it needs; what the flow knows for good is in the
//! flow. With the rubric of this build scoring and judging take no time: a flow passes through
//! them within one batch.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::asked::{Asked, Stop};
use super::ended::{Checked, Listed, Tests};
use super::judge::Judged;
use super::risk::Risk;
use super::score::Score;
use crate::loops::Check;

/// CURRENT_STAGE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the words are the seed's own")]
pub enum Name {
    Evaluate,
    Analyze,
    Design,
    Develop,
    Tweak,
}

impl Name {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Evaluate => "EVALUATE",
            Self::Analyze => "ANALYZE",
            Self::Design => "DESIGN",
            Self::Develop => "DEVELOP",
            Self::Tweak => "TWEAK",
        }
    }
}

/// Where a flow stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields are named by their types; k counts tries")]
pub enum Stage {
    Scoring {
        round: u32,
    },
    Clarifying {
        score: Option<Score>,
        round: u32,
        q: Asked,
    },
    Confirming {
        score: Score,
        judged: Judged,
        q: Asked,
    },
    Gathering {
        part: Gather,
        k: u32,
        #[serde(default = "analyze")]
        stood: Name,
    },
    AskKb {
        q: Asked,
        #[serde(default = "analyze")]
        stood: Name,
    },
    Drafting {
        round: u32,
        wish: Option<String>,
        k: u32,
    },
    Writing {
        draft: Value,
        k: u32,
    },
    Checking {
        k: u32,
    },
    Gated {
        checked: Box<Checked>,
        fixes: u32,
        q: Asked,
    },
    Approving {
        checked: Box<Checked>,
        q: Asked,
    },
    Listing {
        named: Option<String>,
        k: u32,
    },
    Picking {
        list: Vec<Listed>,
        q: Asked,
    },
    Opening {
        approval: Option<Approval>,
        marks: Option<Marks>,
        k: u32,
    },
    AskType {
        checked: Box<Checked>,
        q: Asked,
    },
    AskMarkers {
        q: Asked,
        #[serde(default)]
        approval: Option<Approval>,
    },
    Marking {
        approval: Option<Approval>,
        marks: Option<Marks>,
        n: u32,
        k: u32,
    },
    Running {
        approval: Approval,
        checked: Box<Checked>,
        held: bool,
    },
    Closing {
        step: u8,
        k: u32,
        fixes: u32,
    },
    CloseAsk {
        step: u8,
        fixes: u32,
        q: Asked,
    },
    Testing {
        of: Tested,
        checks: Option<Vec<Check>>,
        so_far: Tests,
        k: u32,
    },
    Fixing {
        fixes: u32,
        why: String,
    },
    Editing {
        k: u32,
        limited: bool,
        hint: Option<String>,
        held: bool,
    },
    Recalling {
        k: u32,
    },
    Outgrown {
        k: u32,
        rule: String,
        risky: bool,
        turn: String,
        q: Asked,
    },
    Undoing {
        turn: String,
        k: u32,
    },
    Recording {
        step: Record,
        forced: bool,
        k: u32,
    },
    Accepting {
        stood: Name,
        k: u32,
    },
    Held {
        at: Box<Stage>,
        why: Why,
        q: Asked,
    },
}

/// Where the knowledge base is looked at, unless a package is run directly.
const fn analyze() -> Name {
    Name::Analyze
}

/// What is being gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gather {
    /// How the knowledge base stands.
    Kb,
    /// The knowledge base is made.
    Make,
    /// The knowledge base is made anew.
    Rebuild,
    /// What the project is like.
    Context,
}

/// How a mark that can be read both ways is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Marks {
    Failed,
    Done,
}

/// For whom the project's tests are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Tested {
    /// The end of DEVELOP.
    Closing { fixes: u32 },
    /// A tweak.
    Recording { forced: bool },
}

/// What is recorded after a tweak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// The entry in the CHANGELOG.
    Changelog,
    /// What else lies in plan/.
    Leftovers,
}

/// A person's yes to exactly this package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// The question that was answered; `~exec` where typing it was the answer.
    pub question: String,
    /// Hash of what was shown; none until the first look where nothing was shown before.
    pub hash: Option<String>,
    /// Who.
    pub by: String,
}

/// An open question of a child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChildAsking {
    /// Its id.
    pub id: String,
    /// The stop that it is.
    pub stop: Stop,
}

/// Why a flow is held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// These risks were found.
    Risk {
        /// Which.
        risks: Vec<Risk>,
    },
    /// Something was cut off.
    Interrupted {
        /// What, as a code or a sentence of the record.
        cause: String,
    },
    /// It could not be found out what is meant.
    Lost,
}

impl Stage {
    /// CURRENT_STAGE.
    #[must_use]
    pub fn name(&self) -> Name {
        match self {
            Self::Scoring { .. } | Self::Clarifying { .. } | Self::Confirming { .. } => {
                Name::Evaluate
            }
            Self::Gathering { stood, .. } | Self::AskKb { stood, .. } => *stood,
            Self::Drafting { .. }
            | Self::Writing { .. }
            | Self::Checking { .. }
            | Self::Gated { .. }
            | Self::Approving { .. } => Name::Design,
            Self::Listing { .. }
            | Self::Picking { .. }
            | Self::Opening { .. }
            | Self::AskType { .. }
            | Self::AskMarkers { .. }
            | Self::Marking { .. }
            | Self::Running { .. }
            | Self::Closing { .. }
            | Self::CloseAsk { .. }
            | Self::Testing { of: Tested::Closing { .. }, .. }
            | Self::Fixing { .. } => Name::Develop,
            Self::Editing { .. }
            | Self::Recalling { .. }
            | Self::Outgrown { .. }
            | Self::Undoing { .. }
            | Self::Testing { of: Tested::Recording { .. }, .. }
            | Self::Recording { .. } => Name::Tweak,
            Self::Accepting { stood, .. } => *stood,
            Self::Held { at, .. } => at.name(),
        }
    }

    /// The variant's own name, as the table of the machine shows it.
    #[must_use]
    pub const fn variant(&self) -> &'static str {
        match self {
            Self::Scoring { .. } => "Scoring",
            Self::Clarifying { .. } => "Clarifying",
            Self::Confirming { .. } => "Confirming",
            Self::Gathering { .. } => "Gathering",
            Self::AskKb { .. } => "AskKb",
            Self::Drafting { .. } => "Drafting",
            Self::Writing { .. } => "Writing",
            Self::Checking { .. } => "Checking",
            Self::Gated { .. } => "Gated",
            Self::Approving { .. } => "Approving",
            Self::Listing { .. } => "Listing",
            Self::Picking { .. } => "Picking",
            Self::Opening { .. } => "Opening",
            Self::AskType { .. } => "AskType",
            Self::AskMarkers { .. } => "AskMarkers",
            Self::Marking { .. } => "Marking",
            Self::Running { .. } => "Running",
            Self::Closing { .. } => "Closing",
            Self::Testing { .. } => "Testing",
            Self::CloseAsk { .. } => "CloseAsk",
            Self::Fixing { .. } => "Fixing",
            Self::Editing { .. } => "Editing",
            Self::Recalling { .. } => "Recalling",
            Self::Outgrown { .. } => "Outgrown",
            Self::Undoing { .. } => "Undoing",
            Self::Recording { .. } => "Recording",
            Self::Accepting { .. } => "Accepting",
            Self::Held { .. } => "Held",
        }
    }

    /// Its open question.
    #[must_use]
    pub const fn question(&self) -> Option<&Asked> {
        match self {
            Self::Clarifying { q, .. }
            | Self::Confirming { q, .. }
            | Self::AskKb { q, .. }
            | Self::Gated { q, .. }
            | Self::Approving { q, .. }
            | Self::Picking { q, .. }
            | Self::AskType { q, .. }
            | Self::AskMarkers { q, .. }
            | Self::CloseAsk { q, .. }
            | Self::Outgrown { q, .. }
            | Self::Held { q, .. } => Some(q),
            Self::Scoring { .. }
            | Self::Gathering { .. }
            | Self::Drafting { .. }
            | Self::Writing { .. }
            | Self::Checking { .. }
            | Self::Listing { .. }
            | Self::Opening { .. }
            | Self::Marking { .. }
            | Self::Running { .. }
            | Self::Closing { .. }
            | Self::Testing { .. }
            | Self::Fixing { .. }
            | Self::Editing { .. }
            | Self::Recalling { .. }
            | Self::Undoing { .. }
            | Self::Recording { .. }
            | Self::Accepting { .. } => None,
        }
    }
}
