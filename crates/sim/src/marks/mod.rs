//! The proving ground of checkpoints and rollback: real repositories, real files, a run and a user
//! who both change them, and the law that no byte of the user's is ever lost.

pub mod case;
pub mod doors;
pub mod hostile;
pub mod kills;
mod law;
mod mess;
mod odd;
mod template;
mod yard;

pub use law::{Held, held};
pub use yard::Yard;
