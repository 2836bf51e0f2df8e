//! The smaller models: what intake found, what policy said, questions, approvals, the audit line.
//! Fields and words are part of the format.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::{Map, Value};

use super::plan::Risk;
use super::stamp::Stamp;

/// What someone needs to be allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Permission {
    #[serde(rename = "fs.read")]
    FsRead,
    #[serde(rename = "fs.write")]
    FsWrite,
    #[serde(rename = "fs.delete")]
    FsDelete,
    #[serde(rename = "proc.exec")]
    ProcExec,
    #[serde(rename = "net.connect")]
    NetConnect,
    #[serde(rename = "git.write")]
    GitWrite,
}

impl Permission {
    /// Anything but reading.
    #[must_use]
    pub const fn dangerous(self) -> bool {
        match self {
            Self::FsRead => false,
            Self::FsWrite | Self::FsDelete | Self::ProcExec | Self::NetConnect | Self::GitWrite => {
                true
            }
        }
    }
}

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Intent {
    CodingTask,
    RepoAnalysis,
    CapabilityQuery,
    GeneralChat,
    Uncertain,
}

/// How sure something is: hundredths, written as a number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Confidence(pub u8);

impl Serialize for Confidence {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(f64::from(self.0) / 100.0)
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let part = f64::deserialize(from)?;
        let near = |hundredths: &u8| {
            let off = part - f64::from(*hundredths) / 100.0;
            (-0.005..0.005).contains(&off)
        };
        let found = (0..=100).find(near);
        found.map(Self).ok_or_else(|| de::Error::custom("a number from 0 to 1"))
    }
}

/// A question as it is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// Its words.
    pub text: String,
    /// Ready answers.
    #[serde(default)]
    pub options: Vec<String>,
}

/// What intake found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IntakeReport {
    /// What is wanted.
    pub intent: Intent,
    /// How sure that is.
    pub confidence: Confidence,
    /// What will probably be needed.
    pub permissions: Vec<Permission>,
    /// How dangerous it will probably be.
    pub risk_level: Risk,
    /// Constraints that were read from the words.
    pub constraints: Vec<String>,
    /// What only a person knows: at most three questions.
    pub missing: Vec<Asking>,
    /// `rules`, or the agent that classified.
    pub by: String,
}

/// The policy's answer on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum Decision {
    Allow,
    Deny,
    RequireConfirmation,
}

/// How far a yes reaches, the narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This subject only.
    SingleAction,
    /// The same for later turns of the session.
    Session,
    /// A rule of the workspace.
    Workspace,
}

/// A decision of the policy, for people and programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct PolicyDecision {
    pub decision: Decision,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// One line of the audit log: a recorded fact with where it belongs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct AuditLogEntry {
    pub timestamp: Stamp,
    pub trace_id: String,
    pub session_id: String,
    pub event: String,
    #[serde(default)]
    pub plan_id: Option<String>,
    #[serde(default)]
    pub tool_call_id: Option<String>,
    #[serde(default)]
    pub data: Option<Map<String, Value>>,
    pub seq: u64,
    pub run_id: String,
}
