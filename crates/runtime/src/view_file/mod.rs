//! View files: drawn whole, so that a reader never sees half of one and no edit made by somebody
//! else slips through unseen. What an edit means is not decided here: it is handed to the caller,
//! and stays on disk until the caller has taken it in or refused it.

mod bases;
mod displaced;
mod draw;
mod late;
mod lease;
mod pending;
mod refused;
mod sweep;
mod temp;

pub use bases::{BASES_KEPT, Bases};
pub use displaced::{Displaced, EDIT_BYTES_MAX, Look, NotYet, plain};
pub use draw::{Drawn, Error, Found, Swap, draw, draw_from, draw_with, settle};
pub use late::{Age, Kept, Late};
pub use lease::Writer;
pub(crate) use lease::writer;
pub use pending::{AGAIN_MS, Fate, Pending, Unfit, Verdict};
pub use refused::{REFUSED_KEPT, refuse};
pub use sweep::{Left, sweep};
pub(crate) use temp::is_temp_of;
