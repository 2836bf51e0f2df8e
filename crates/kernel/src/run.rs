//! The list of machines: one place that knows all of them, so that the engine needs to know none.
//! It adds no rule of its own.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::Value;

use crate::machine::{At, Machine, Refusal as _, Said};
use crate::owed::Owed;
use crate::{call, collab, grant, lifecycle, loops, session, turn};

/// Which machine a run belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// One effect.
    Call,
    /// One loop.
    Loop,
    /// One question to several agents.
    Collab,
    /// One thing that a person allowed.
    Grant,
    /// One orchestrated turn.
    Turn,
    /// What a person typed, routed.
    Session,
    /// One requirement, from plan to archive.
    Lifecycle,
}

impl Kind {
    /// Every machine of this build.
    pub const ALL: [Self; 7] = [
        Self::Call,
        Self::Loop,
        Self::Collab,
        Self::Grant,
        Self::Turn,
        Self::Lifecycle,
        Self::Session,
    ];

    /// Its name in ids, codes and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => call::Call::NAME,
            Self::Loop => loops::Loop::NAME,
            Self::Collab => collab::Collab::NAME,
            Self::Grant => grant::Grants::NAME,
            Self::Turn => turn::Turn::NAME,
            Self::Session => session::Session::NAME,
            Self::Lifecycle => lifecycle::Lifecycle::NAME,
        }
    }

    /// The machine of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// A run that is not there yet.
    #[must_use]
    pub fn unborn(self) -> State {
        match self {
            Self::Call => State::Call(call::State::default()),
            Self::Loop => State::Loop(loops::State::default()),
            Self::Collab => State::Collab(collab::State::default()),
            Self::Grant => State::Grant(grant::State::default()),
            Self::Turn => State::Turn(turn::State::default()),
            Self::Session => State::Session(session::State::default()),
            Self::Lifecycle => State::Lifecycle(lifecycle::State::default()),
        }
    }
}

/// The state of any run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "one variant a machine")]
pub enum State {
    Call(call::State),
    Loop(loops::State),
    Collab(collab::State),
    Grant(grant::State),
    Turn(turn::State),
    Session(session::State),
    Lifecycle(lifecycle::State),
}

/// A command to any run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "one variant a machine")]
pub enum Command {
    Call(call::Command),
    Loop(loops::Command),
    Collab(collab::Command),
    Grant(grant::Command),
    Turn(turn::Command),
    Session(session::Command),
    Lifecycle(lifecycle::Command),
}

impl Command {
    /// The machine it is for.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Call(_) => Kind::Call,
            Self::Loop(_) => Kind::Loop,
            Self::Collab(_) => Kind::Collab,
            Self::Grant(_) => Kind::Grant,
            Self::Turn(_) => Kind::Turn,
            Self::Session(_) => Kind::Session,
            Self::Lifecycle(_) => Kind::Lifecycle,
        }
    }
}

/// A fact of any run.
#[expect(clippy::large_enum_variant, reason = "a handful per command, gone once recorded")]
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "one variant a machine")]
pub enum Event {
    Call(call::Event),
    Loop(loops::Event),
    Collab(collab::Event),
    Grant(grant::Event),
    Turn(turn::Event),
    Session(session::Event),
    Lifecycle(lifecycle::Event),
}

/// A refusal of any machine, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Who refused.
    pub machine: &'static str,
    /// The reason's word.
    pub reason: &'static str,
    /// What would be accepted.
    pub allowed: Vec<&'static str>,
    /// Data for the sentence.
    pub details: Value,
}

fn refused<M: Machine>(refusal: &M::Refusal) -> Refused {
    Refused {
        machine: M::NAME,
        reason: refusal.reason(),
        allowed: refusal.allowed(),
        details: refusal.details(),
    }
}

impl State {
    /// Which machine it belongs to.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Call(_) => Kind::Call,
            Self::Loop(_) => Kind::Loop,
            Self::Collab(_) => Kind::Collab,
            Self::Grant(_) => Kind::Grant,
            Self::Turn(_) => Kind::Turn,
            Self::Session(_) => Kind::Session,
            Self::Lifecycle(_) => Kind::Lifecycle,
        }
    }

    /// Accepts or refuses a command.
    ///
    /// # Errors
    /// The refusal of the machine, or `not_now` for a command of another machine.
    pub fn decide(&self, said: Said<Command>) -> Result<Vec<Event>, Refused> {
        let Said { by, at, command } = said;
        match (self, command) {
            (Self::Call(state), Command::Call(command)) => {
                call::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Call).collect())
                    .map_err(|refusal| refused::<call::Call>(&refusal))
            }
            (Self::Loop(state), Command::Loop(command)) => {
                loops::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Loop).collect())
                    .map_err(|refusal| refused::<loops::Loop>(&refusal))
            }
            (Self::Collab(state), Command::Collab(command)) => {
                collab::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Collab).collect())
                    .map_err(|refusal| refused::<collab::Collab>(&refusal))
            }
            (Self::Grant(state), Command::Grant(command)) => {
                grant::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Grant).collect())
                    .map_err(|refusal| Refused {
                        // Grants are told about as the policy's.
                        machine: "policy",
                        ..refused::<grant::Grants>(&refusal)
                    })
            }
            (Self::Turn(state), Command::Turn(command)) => {
                turn::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Turn).collect())
                    .map_err(|refusal| refused::<turn::Turn>(&refusal))
            }
            (Self::Session(state), Command::Session(command)) => {
                session::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Session).collect())
                    .map_err(|refusal| refused::<session::Session>(&refusal))
            }
            (Self::Lifecycle(state), Command::Lifecycle(command)) => {
                lifecycle::decide(state, &Said { by, at, command })
                    .map(|events| events.into_iter().map(Event::Lifecycle).collect())
                    .map_err(|refusal| refused::<lifecycle::Lifecycle>(&refusal))
            }
            (
                state @ (Self::Call(_)
                | Self::Loop(_)
                | Self::Collab(_)
                | Self::Grant(_)
                | Self::Turn(_)
                | Self::Session(_)
                | Self::Lifecycle(_)),
                Command::Call(_)
                | Command::Loop(_)
                | Command::Collab(_)
                | Command::Grant(_)
                | Command::Turn(_)
                | Command::Session(_)
                | Command::Lifecycle(_),
            ) => Err(foreign(state.kind())),
        }
    }

    /// Makes a recorded fact true.
    pub fn evolve(&mut self, event: &Event, at: At) {
        match (self, event) {
            (Self::Call(state), Event::Call(event)) => call::evolve(state, event, at),
            (Self::Loop(state), Event::Loop(event)) => loops::evolve(state, event, at),
            (Self::Collab(state), Event::Collab(event)) => collab::evolve(state, event, at),
            (Self::Grant(state), Event::Grant(event)) => grant::evolve(state, event, at),
            (Self::Turn(state), Event::Turn(event)) => turn::evolve(state, event, at),
            (Self::Session(state), Event::Session(event)) => session::evolve(state, event, at),
            (Self::Lifecycle(state), Event::Lifecycle(event)) => {
                lifecycle::evolve(state, event, at)
            }
            (
                Self::Call(_)
                | Self::Loop(_)
                | Self::Collab(_)
                | Self::Grant(_)
                | Self::Turn(_)
                | Self::Session(_)
                | Self::Lifecycle(_),
                Event::Call(_)
                | Event::Loop(_)
                | Event::Collab(_)
                | Event::Grant(_)
                | Event::Turn(_)
                | Event::Session(_)
                | Event::Lifecycle(_),
            ) => {}
        }
    }

    /// What the world still owes.
    #[must_use]
    pub fn owed(&self) -> Vec<Owed> {
        match self {
            Self::Call(state) => call::owed(state),
            Self::Loop(state) => loops::owed(state),
            Self::Collab(state) => collab::owed(state),
            Self::Grant(state) => grant::Grants::owed(state),
            Self::Turn(state) => turn::owed(state),
            Self::Session(state) => session::owed(state),
            Self::Lifecycle(state) => lifecycle::owed(state),
        }
    }

    /// The state's name, as shown in tables and lists.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match self {
            Self::Call(state) => state.name(),
            Self::Loop(state) => state.name(),
            Self::Collab(state) => state.name(),
            Self::Grant(state) => state.name(),
            Self::Turn(state) => state.name(),
            Self::Session(state) => state.name(),
            Self::Lifecycle(state) => state.name(),
        }
    }

    /// Whether nothing more is owed and only a new command could move it.
    #[must_use]
    pub fn ended(&self) -> bool {
        match self {
            Self::Call(state) => state.ended(),
            Self::Loop(state) => state.ended(),
            Self::Collab(state) => state.ended(),
            Self::Grant(state) => state.ended(),
            Self::Turn(state) => state.ended(),
            Self::Session(state) => state.ended(),
            Self::Lifecycle(state) => state.ended(),
        }
    }

    /// The state as JSON, for snapshots and `show`.
    ///
    /// # Errors
    /// Never for states made by `evolve`; the caller may treat one as a broken invariant.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Call(state) => serde_json::to_string(state),
            Self::Loop(state) => serde_json::to_string(state),
            Self::Collab(state) => serde_json::to_string(state),
            Self::Grant(state) => serde_json::to_string(state),
            Self::Turn(state) => serde_json::to_string(state),
            Self::Session(state) => serde_json::to_string(state),
            Self::Lifecycle(state) => serde_json::to_string(state),
        }
    }

    /// The state of a snapshot.
    ///
    /// # Errors
    /// When the text is not a state of that machine; a snapshot is a cache, so fold instead.
    pub fn from_json(kind: Kind, text: &str) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            Kind::Call => Self::Call(serde_json::from_str(text)?),
            Kind::Loop => Self::Loop(serde_json::from_str(text)?),
            Kind::Collab => Self::Collab(serde_json::from_str(text)?),
            Kind::Grant => Self::Grant(serde_json::from_str(text)?),
            Kind::Turn => Self::Turn(serde_json::from_str(text)?),
            Kind::Session => Self::Session(serde_json::from_str(text)?),
            Kind::Lifecycle => Self::Lifecycle(serde_json::from_str(text)?),
        })
    }
}

impl Event {
    /// The fact's name and its data, as recorded.
    ///
    /// # Errors
    /// Never for events made by `decide`.
    pub fn to_record(&self) -> Result<(&'static str, String), serde_json::Error> {
        Ok(match self {
            Self::Call(event) => (event.name(), serde_json::to_string(event)?),
            Self::Loop(event) => (event.name(), serde_json::to_string(event)?),
            Self::Collab(event) => (event.name(), serde_json::to_string(event)?),
            Self::Grant(event) => (event.name(), serde_json::to_string(event)?),
            Self::Turn(event) => (event.name(), serde_json::to_string(event)?),
            Self::Session(event) => (event.name(), serde_json::to_string(event)?),
            Self::Lifecycle(event) => (event.name(), serde_json::to_string(event)?),
        })
    }

    /// A recorded fact.
    ///
    /// # Errors
    /// When the text is not a fact of that machine.
    pub fn from_record(kind: Kind, body: &str) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            Kind::Call => Self::Call(serde_json::from_str(body)?),
            Kind::Loop => Self::Loop(serde_json::from_str(body)?),
            Kind::Collab => Self::Collab(serde_json::from_str(body)?),
            Kind::Grant => Self::Grant(serde_json::from_str(body)?),
            Kind::Turn => Self::Turn(serde_json::from_str(body)?),
            Kind::Session => Self::Session(serde_json::from_str(body)?),
            Kind::Lifecycle => Self::Lifecycle(serde_json::from_str(body)?),
        })
    }
}

fn foreign(kind: Kind) -> Refused {
    Refused {
        machine: kind.name(),
        reason: "invalid_args",
        allowed: Vec::new(),
        details: Value::Null,
    }
}

/// Which shape of states a snapshot holds. A snapshot of another shape is folded again. Changed by
/// hand whenever a test says that the states' JSON has changed.
pub const SNAPSHOT_FINGERPRINT: &str = "2";
