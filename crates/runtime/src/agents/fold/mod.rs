//! Folding what an agent prints into facts: one incremental folder for each kind of stream, pure,
//! so that any split of the same bytes gives the same facts. It opens no file and passes no
//! judgement on how the process ended.

mod blocks;
mod claude;
mod codex;
mod command;
mod draft;
mod field;
mod gemini;
mod heard;
mod paths;
mod plan;
mod qwen;
mod raw;
mod stream1;
mod voice;
mod wrapper;

pub(crate) use draft::cut;
pub use draft::{BAD_LINES_NOTED, End, Ending, FILES_CLAIMED_MAX, Said, TEXT_BYTES_MAX, Turn};
pub use heard::{Heard, Retry, Verdict};
pub use plan::{CommandShape, FinalWhen, FoldPlan, Output, SessionFrom};
pub use voice::Fold;
pub(crate) use voice::spoken;
pub(crate) use wrapper::captured;
