//! The tools of the engine's own, as calls use them: their arguments kept out of the record, and
//! one match that lets them act. What each does to a file is written where files are.

mod declared;
mod fits;
mod kept;
mod reading;

pub use declared::declared;
pub use fits::check;
pub use kept::{keep, load};
pub use reading::read;
