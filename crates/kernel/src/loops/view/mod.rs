//! What people and outside skills see of a loop: the seed's document, the task lines, the signal,
//! derived numbers and the checks of a document. Drawn from state alone; nothing here is state.

mod check;
mod derived;
mod document;
mod draw;
mod history;
mod signal;
mod tasks;
mod time;

pub use check::check;
pub use derived::{Derived, derived};
pub use document::{
    ActionExt, Completion, CountsExt, Criteria, DebugState, DevelopState, DevelopTask, Document,
    ErrorEntry, HypothesisExt, HypothesisView, LoopExt, PauseExt, ProblemExt, SkillExt, SkillState,
    TaskExt, Tenths, TestResultView, ValidateExt, ValidateState, Waiting,
};
pub use draw::{document, draw, draw_text};
pub use history::{HistoryRow, history};
pub use signal::{Signal, SignalExt, signal, unreadable};
pub use tasks::tasks_jsonl;
pub use time::rfc3339;
