//! Grants: what a person has allowed, bound to exactly what was shown. They are facts; nothing
//! here decides whether a request needs one.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::path::PathClass;
use super::request::{Act, Command, Program, Request, Tool, Touched};
use super::rule::host_of;
pub use super::subject::Subject;
use crate::machine::{At, By, Refusal as Refused};

/// The path of a grant for every ordinary file: what a plan lists that lets an agent work.
pub const WHOLE_TREE: &str = "**";

/// How far a grant reaches, the narrowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// This request.
    #[default]
    Once,
    /// What the plan lists.
    Plan,
    /// Ordinary writes and listed commands until the flow ends.
    Session,
}

impl Scope {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::Plan => "plan",
            Self::Session => "session",
        }
    }
}

/// What a grant holds to; anything else voids it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "scope", content = "bound")]
pub enum Bound {
    /// To one request.
    Once {
        /// Its hash.
        request_hash: String,
    },
    /// To a plan.
    Plan {
        /// Its hash.
        plan_hash: String,
        /// The program, where one is run.
        #[serde(flatten)]
        pin: Pin,
    },
    /// To a session's flow.
    Session {
        /// The session run.
        run: String,
        /// Hash of the permissions it was given with.
        permissions: String,
        /// The program, where one is run.
        #[serde(flatten)]
        pin: Pin,
    },
}

/// The program a grant was given for.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pin {
    /// Its absolute path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Its hash, where it could be changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program_sha256: Option<String>,
}

impl Pin {
    /// The program as it is now.
    #[must_use]
    pub fn of(program: &Program) -> Self {
        Self { program: program.path.clone(), program_sha256: program.sha256.clone() }
    }

    /// Whether there was no program.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.program.is_none() && self.program_sha256.is_none()
    }
}

impl Bound {
    /// How far it reaches.
    #[must_use]
    pub const fn scope(&self) -> Scope {
        match self {
            Self::Once { .. } => Scope::Once,
            Self::Plan { .. } => Scope::Plan,
            Self::Session { .. } => Scope::Session,
        }
    }
}

/// Where a grant stands; the last four are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It counts.
    Live,
    /// It was for once, and that was.
    Spent,
    /// Its time is over.
    Expired,
    /// A person took it back.
    Revoked,
    /// What it was bound to is gone.
    Void,
}

impl State {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Spent => "spent",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
            Self::Void => "void",
        }
    }
}

/// A grant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Its name.
    pub grant_id: String,
    /// How far it reaches, and to what it holds.
    #[serde(flatten)]
    pub bound: Bound,
    /// What was allowed.
    pub subject: Subject,
    /// Who allowed it.
    pub by: String,
    /// When.
    pub at: At,
    /// Until when.
    pub expires_at: Option<At>,
    /// How often it was used.
    pub uses: u32,
    /// Where it stands.
    pub state: State,
}

/// What happens to a grant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    /// Something ran under it.
    Used,
    /// This moment has come.
    Deadline(At),
    /// Somebody takes it back.
    Revoke(By),
    /// What it was bound to has changed, or its plan or flow is gone.
    BoundGone,
}

/// Why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The grant has ended, or its time has not come.
    NotNow {
        /// Where it stands.
        state: State,
    },
    /// Only a person grants and takes back.
    NeedsPerson,
    /// So wide a grant is not given for this.
    TooWide {
        /// The widest that is.
        widest: Scope,
    },
}

impl Refused for Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Self::NotNow { .. } => "not_now",
            Self::NeedsPerson => "needs_person",
            Self::TooWide { .. } => "scope_too_wide",
        }
    }

    fn allowed(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn details(&self) -> Value {
        match self {
            Self::NotNow { state } => json!({ "state": state.word() }),
            Self::NeedsPerson => json!({}),
            Self::TooWide { widest } => json!({ "max": widest.word() }),
        }
    }
}

/// What grants are held against now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now<'a> {
    /// The moment.
    pub at: At,
    /// The plan in force.
    pub plan_hash: Option<&'a str>,
    /// The session run, and the hash of its permissions.
    pub session: Option<(&'a str, &'a str)>,
}

/// Whether a grant of this scope may be given by this speaker, where `widest` is the widest that
/// the judgement names.
///
/// # Errors
/// When the speaker is no person, or the scope is too wide.
pub fn may_give(by: &By, scope: Scope, widest: Scope) -> Result<(), Refusal> {
    if !by.may_approve() {
        return Err(Refusal::NeedsPerson);
    }
    if scope > widest {
        return Err(Refusal::TooWide { widest });
    }
    Ok(())
}

impl Grant {
    /// The grant after something happened to it.
    ///
    /// # Errors
    /// When that cannot happen to it now.
    pub fn after(&self, on: &On) -> Result<Self, Refusal> {
        let to = |state| Ok(Self { state, ..self.clone() });
        match self.state {
            State::Live => match on {
                On::Used => {
                    let state = match self.bound.scope() {
                        Scope::Once => State::Spent,
                        Scope::Plan | Scope::Session => State::Live,
                    };
                    Ok(Self { state, uses: self.uses.saturating_add(1), ..self.clone() })
                }
                On::Deadline(at) if self.is_over(*at) => to(State::Expired),
                On::Deadline(_) => Err(Refusal::NotNow { state: self.state }),
                On::Revoke(by) if by.may_approve() => to(State::Revoked),
                On::Revoke(_) => Err(Refusal::NeedsPerson),
                On::BoundGone => to(State::Void),
            },
            State::Spent | State::Expired | State::Revoked | State::Void => {
                Err(Refusal::NotNow { state: self.state })
            }
        }
    }

    fn is_over(&self, now: At) -> bool {
        self.expires_at.is_some_and(|end| now >= end)
    }

    /// Whether it counts now: live, in time, and still bound to what is in force.
    #[must_use]
    pub fn counts(&self, now: &Now<'_>) -> bool {
        let bound = match &self.bound {
            Bound::Once { .. } => true,
            Bound::Plan { plan_hash, .. } => now.plan_hash == Some(plan_hash),
            Bound::Session { run, permissions, .. } => now.session == Some((run, permissions)),
        };
        self.state == State::Live && !self.is_over(now.at) && bound
    }

    /// Whether it covers a request. What it may not lift, however well it fits, is decided where
    /// requests are judged.
    #[must_use]
    pub fn covers(&self, request: &Request, now: &Now<'_>) -> bool {
        self.counts(now)
            && match &self.bound {
                Bound::Once { request_hash } => *request_hash == request.hash(),
                Bound::Plan { pin, .. } | Bound::Session { pin, .. } => {
                    is_for(self.subject.tool, request.tool()) && self.lists(request, pin)
                }
            }
    }

    fn lists(&self, request: &Request, pin: &Pin) -> bool {
        match &request.act {
            Act::Look { paths, .. } | Act::Change { paths, .. } => {
                let has = |touched: &Touched| {
                    let whole = touched.class == PathClass::Ordinary && self.has_path(WHOLE_TREE);
                    whole || self.has_path(&touched.path)
                };
                !paths.is_empty() && paths.iter().all(has)
            }
            Act::Delete { paths } => {
                !paths.is_empty() && paths.iter().all(|touched| self.has_path(&touched.path))
            }
            Act::Run(run) => match &run.command {
                Command::Script(_) => false,
                Command::Argv(argv) => {
                    let hosts = &self.subject.hosts;
                    let host = |word: &String| {
                        host_of(word).is_none_or(|host| hosts.iter().any(|known| known == host))
                    };
                    *argv == self.subject.argv
                        && self.subject.cwd.as_deref() == Some(&run.cwd)
                        && run.env_names == self.subject.env_names
                        && run.definition == self.subject.definition
                        && *pin == Pin::of(&run.program)
                        && argv.iter().all(host)
                }
            },
            Act::Agent { name, .. } => self.subject.argv.first() == Some(name),
        }
    }

    /// A session's grant without paths is for ordinary writes, wherever they are.
    fn has_path(&self, path: &str) -> bool {
        let any = self.bound.scope() == Scope::Session && self.subject.paths.is_empty();
        any || self.subject.paths.iter().any(|known| known == path)
    }
}

/// Writing and patching are one permission.
fn is_for(granted: Tool, asked: Tool) -> bool {
    let writes = |tool| matches!(tool, Tool::Write | Tool::ApplyPatch);
    granted == asked || (writes(granted) && writes(asked))
}
