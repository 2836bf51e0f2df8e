//! The form every machine has: `decide`, `evolve`, `owed`, and the envelope around a command.
//! It holds no machine and no list of machines; that list is in `run`.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::owed::Owed;

/// A moment in milliseconds since 1970-01-01 UTC. It arrives from outside; the kernel has no clock.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct At(pub u64);

impl At {
    /// The moment `ms` milliseconds later; saturates, so a huge limit means "never" and not "now".
    #[must_use]
    pub const fn plus(self, ms: u64) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Milliseconds since `earlier`; zero if the clock stepped back in between.
    #[must_use]
    pub const fn since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Who says a command. Descent from a shim makes an agent, whatever the speaker says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// Someone at a door who is neither a guest nor below a shim.
    Person,
    /// A connection that is no person's and not below a shim.
    Guest,
    /// Whatever descends from the shim of this call.
    Agent {
        /// The call it runs under; empty when only the descent is known.
        call: String,
    },
    /// The run that owns this one.
    Parent {
        /// Its run id.
        run: String,
    },
    /// An edit of a view file; it counts as an agent.
    File,
    /// A deadline that fell due.
    Timer,
    /// The engine reporting what it saw of the world.
    Engine,
}

impl By {
    /// The word stored with a record and shown in logs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Guest => "guest",
            Self::Agent { .. } => "agent",
            Self::Parent { .. } => "parent",
            Self::File => "file",
            Self::Timer => "timer",
            Self::Engine => "engine",
        }
    }

    /// Whether this speaker may approve, force or override.
    #[must_use]
    pub const fn may_approve(&self) -> bool {
        match self {
            Self::Person => true,
            Self::Guest
            | Self::Agent { .. }
            | Self::Parent { .. }
            | Self::File
            | Self::Timer
            | Self::Engine => false,
        }
    }
}

/// The one envelope around a command: who, when, what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said<C> {
    /// The speaker.
    pub by: By,
    /// When it was taken from the inbox.
    pub at: At,
    /// What was said.
    pub command: C,
}

/// A command that is not possible now. It changes nothing and is recorded nowhere.
///
/// Scalar fields of `details` become variables of the message of the same name, so a field is
/// named as the catalogue names it: `path`, `holder`, `max`, `expected`, `actual`.
pub trait Refusal {
    /// The reason's word, without the machine's prefix (`not_now`).
    fn reason(&self) -> &'static str;
    /// Every command that would be accepted now; empty where the reason is about something else.
    fn allowed(&self) -> Vec<&'static str>;
    /// Data for the sentence and for `details`.
    fn details(&self) -> Value;
}

/// Three pure functions over plain enums.
pub trait Machine {
    /// The machine's name in ids, codes and records.
    const NAME: &'static str;
    /// Where a run stands. `Default` is "not yet there".
    type State: Clone + Default + Serialize + for<'de> Deserialize<'de>;
    /// What can be said to it.
    type Command;
    /// The facts that are recorded.
    type Event: Clone + Serialize + for<'de> Deserialize<'de>;
    /// Why a command is not possible.
    type Refusal: Refusal;

    /// Accepts a command by naming the facts it makes true, or refuses it.
    ///
    /// # Errors
    /// The refusal, with everything that is allowed instead.
    fn decide(
        state: &Self::State,
        said: &Said<Self::Command>,
    ) -> Result<Vec<Self::Event>, Self::Refusal>;
    /// Makes a recorded fact true. Total: a recorded fact is never refused.
    fn evolve(state: &mut Self::State, event: &Self::Event, at: At);
    /// What the world still owes this state.
    fn owed(state: &Self::State) -> Vec<Owed>;
}
