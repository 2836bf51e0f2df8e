//! Whether an agent could be launched here: its program, its version, its flags, and a hint about
//! its credentials. Nothing is asked of any model, and no credentials are read.

mod cache;
mod credentials;
mod find;
mod look;
mod probe;
mod told;
mod verdict;

pub use cache::cache_dir;
pub use find::{Missing, find};
pub use look::{Site, is_there, look, look_all, start_check, tool};
pub use verdict::{Found, Hint, State};

/// How long a program may take to say who it is. The slowest one known needs six seconds on a busy
/// machine.
pub const DOCTOR_WAIT: std::time::Duration = std::time::Duration::from_secs(20);
