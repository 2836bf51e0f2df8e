//! What a person is shown when they are asked: enough that a yes becomes a grant bound to exactly
//! that. It asks nobody and grants nothing itself.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::grant::{Bound, Grant, Pin, Scope, State, Subject};
use super::judge::Judgement;
use super::request::Request;
use super::risk::Finding;
use crate::machine::{At, By};

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The widest grant that may be given.
    pub widest: Scope,
    /// What a yes allows, with the hashes of the risks it accepts.
    pub subject: Subject,
    /// The program that would start, where one does.
    #[serde(default)]
    pub pin: Pin,
    /// The risks themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risks: Vec<Finding>,
    /// Why it could not be taken back, where that is known before it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unkept: Option<String>,
}

/// The run a grant lives with, and the hash of what it was given to do.
#[derive(Clone, Copy, Debug)]
pub struct Flow<'a> {
    /// The run.
    pub run: &'a str,
    /// The hash.
    pub permissions: &'a str,
}

impl Shown {
    /// What is shown of a request that is asked about.
    #[must_use]
    pub fn of(request: &Request, judged: &Judgement) -> Self {
        let risks: Vec<String> = judged.ehrb.iter().map(|found| found.hash.clone()).collect();
        Self {
            widest: judged.widest,
            subject: Subject::of(request, risks),
            pin: request.pin().unwrap_or_default(),
            risks: judged.ehrb.clone(),
            unkept: None,
        }
    }

    /// What outlives the one call that was allowed: the subject itself if the yes was for more
    /// than once, else the risks it accepted. None if neither is left.
    #[must_use]
    pub fn granted(
        &self,
        id: &str,
        scope: Scope,
        flow: Flow<'_>,
        (by, at): (&By, At),
    ) -> Option<Grant> {
        let subject = match scope {
            Scope::Session => self.subject.clone(),
            Scope::Once | Scope::Plan if self.subject.risks.is_empty() => return None,
            Scope::Once | Scope::Plan => self.subject.risks_alone(),
        };
        let (run, permissions) = (flow.run.to_string(), flow.permissions.to_string());
        Some(Grant {
            grant_id: id.to_string(),
            bound: Bound::Session { run, permissions, pin: self.pin.clone() },
            subject,
            by: by.word().to_string(),
            at,
            expires_at: None,
            uses: 0,
            state: State::Live,
        })
    }
}
