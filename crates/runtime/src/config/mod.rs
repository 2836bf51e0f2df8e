//! Settings: built-in, the user's file, a trusted workspace's file, environment, flags; the last
//! that speaks wins, and each value knows who spoke. It reads no file and no environment itself,
//! and it does not decide whether a workspace is trusted.

mod choices;
mod fault;
mod keys;
mod layers;
mod raw;
mod settings;
mod shapes;

pub use choices::{AdoptForeign, Fallback, LoopMode, NoTests, OnError, SandboxMode};
pub use fault::{Fault, Problem, Warning};
pub use keys::{KEYS, Key, key};
pub use layers::{File, Held, Layers, Resolved, Source, resolve, user_file};
pub use settings::{
    Call, Debug, Develop, Engine, Env, Loops, Output, Redact, Run, Sandbox, Settings, Timeouts,
    Trace, Validate, Verify,
};
pub use shapes::{CheckCommand, Shape, Value};
