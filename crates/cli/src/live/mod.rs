//! The live view: a run as it goes on, in lines or as a block that is drawn again in place. It
//! reads the journal and holds the engine's door open; what it shows is never state.

mod block;
mod feed;
mod follow;
pub mod interrupt;
pub mod keep;
mod lines;
mod people;
pub mod prompt;
mod screen;
mod tail;
mod wait;
mod watch_all;

pub use edge::news::News;
pub use follow::{Follow, follow};
pub use people::People;
pub use wait::{Wait, told as wait_told};
pub use watch_all::watch_all;
