//! Settings: built-in, the user's file, a trusted workspace's file, environment, flags; the last
//! that speaks wins, and each value knows who spoke. It reads no file and no environment itself,
//! and it does not decide whether a workspace is trusted.

mod between;
mod choices;
mod collab;
mod families;
mod fault;
mod forms;
mod kb;
mod keeping;
mod keys;
mod layers;
mod lifecycle;
mod loops;
mod named;
mod policy;
mod raw;
mod session;
mod settings;
mod shapes;
mod turn;
mod walls;

pub use choices::{
    AdoptForeign, CollabAccept, CollabGate, CollabMerge, CollabMode, EdgeRemote, Fallback,
    LoopMode, NoTests, OnError, SandboxMode, SandboxNetwork, TurnCheckpoint, TurnGit,
    TurnOnFailure,
};
pub use collab::{Ask, Collab, Participant, Zhi};
pub(crate) use families::KINDS;
pub use families::{AGENTS, FAMILIES, Family, Member, PARTICIPANTS, ROLES, TOOLS, member};
pub use fault::{Fault, Problem, Warning};
pub(crate) use forms::is_program;
pub use forms::micros;
pub use kb::{Commit, Kb, Output, Package, Paths};
pub use keeping::{Checkpoint, Git, Required, Rollback, Search, conflicts};
pub use keys::{KEYS, Key, key};
pub use layers::{File, Held, Layers, Resolved, Source, resolve, user_file};
pub use lifecycle::{Fix, Lifecycle};
pub use loops::{Debug, Develop, Loops, Validate};
pub use named::named;
pub use policy::Policy;
pub use session::{Session, Tool};
pub use settings::{
    Call, Edge, Engine, Env, Redact, Run, Sandbox, Settings, Timeouts, Trace, Verify,
};
pub use shapes::{CheckCommand, Shape, Value, duration_ms};
pub use turn::{Turn, TurnContext, TurnTimeouts};
pub use walls::{Loosened, loosened, loosened_hash};
