//! The table: one file a state.

mod checking;
mod degraded;
mod ended;
mod fresh;
mod launching;
mod running;
mod shared;

pub use checking::row as checking;
pub use degraded::row as degraded;
pub use ended::row as ended;
pub use fresh::row as fresh;
pub use launching::row as launching;
pub use running::row as running;
