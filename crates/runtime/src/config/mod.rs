//! Settings: built-in, the user's file, a trusted workspace's file, environment, flags; the last
//! that speaks wins, and each value knows who spoke. It reads no file and no environment itself,
//! and it does not decide whether a workspace is trusted.

mod fault;
mod keys;
mod layers;
mod raw;
mod settings;
mod shapes;

pub use fault::{Fault, Problem, Warning};
pub use keys::{KEYS, Key, key};
pub use layers::{File, Held, Layers, Resolved, Source, resolve, user_file};
pub use settings::{
    AdoptForeign, Call, Debug, Develop, Engine, Env, Fallback, LoopMode, Loops, NoTests, OnError,
    Output, Redact, Run, Sandbox, SandboxMode, Settings, Timeouts, Trace, Validate, Verify,
};
pub use shapes::{CheckCommand, Shape, Value};
