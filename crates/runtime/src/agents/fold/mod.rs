//! Folding what an agent prints into facts: one incremental folder for each kind of stream, pure,
//! so that any split of the same bytes gives the same facts. It opens no file and passes no
//! judgement on how the process ended.

mod heard;
mod plan;

pub use heard::{Heard, Retry, Verdict};
pub use plan::{CommandShape, FinalWhen, FoldPlan, Output, SessionFrom};
