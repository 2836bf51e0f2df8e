//! The process that owns a workspace's journal: one thread that turns the engine, and the inbox
//! everything else speaks to. It knows no socket and no JSON; doors do.

mod folders;
pub(crate) mod handle;
mod life;
mod lists;
mod memory;
mod news;
mod plan;
mod port;
mod pulse;
mod sheets;
mod turn;

pub use handle::{ClientGuard, Down, EngineStatus, Handle};
pub use life::{Host, HostError, HostPlan};
pub use plan::{Place, plan};
pub use pulse::Pace;
