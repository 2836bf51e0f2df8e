//! Questions to the journal: which runs there are, how one stands or stood, what it recorded, what
//! it changed. Everything here only reads; it needs no engine and starts none.

mod asked_for;
mod call_view;
mod diff;
mod find;
mod fold;
mod grants;
mod kept;
mod lifecycle_view;
mod log;
mod noted;
mod output;
mod questions;
mod refusal;
mod replay;
mod show;
mod spent;
mod turn_view;
mod usage;

pub use asked_for::asked_for;
pub use call_view::{brief, call_view};
pub use diff::{Changed, Diff, Hashes, OpenCall, diff};
pub use find::{Filter, at_work, resolve, runs};
pub use fold::{Below, Folded, fold, go_on, step, unborn};
pub use grants::{Given, TakenBack, Which, grants};
pub use kept::{call_facts, texts, told};
pub use lifecycle_view::{lifecycle_view, next_sentence, told_summary};
pub use log::{Logged, audit, audited, log};
pub use noted::{told_by, told_detail, told_note, told_warning};
pub use output::{Output, Pipe, SHOWN_BYTES_MAX, exit_recorded, output, read_from};
pub use questions::{OpenQuestion, Unpicked, of_owed, of_run, pick, questions};
pub use refusal::{Refusal, code_of_fault, of_fault};
pub use replay::{Agrees, Replayed, Stepped, replay};
pub use show::{at_ms, facts, listed, show, trace_of};
pub use spent::{Own, Spent, Told, of_call, sum_up};
pub use turn_view::turn_view;
pub use usage::{ByAgent, Row, Usage, usage};
