//! Collabs as every door reads them and speaks to them. Pages for people are the command line's
//! own.

mod read;
mod say;

pub use read::{Part, Seen, Wanted, gate, list, output, result, show, takeover};
pub use say::{BACKENDS, backends, mode_of, said, start, starting, verb};
