//! The agents that could be asked, as every door shows them, and whether they could be launched
//! here. Asking one is a call.

mod doctor;
mod list;

pub use doctor::{Looked, doctor};
pub use list::{list, measuring_room, named, place, show};
