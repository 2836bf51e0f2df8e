//! What is asked of an agent, and what its process proved. Shared by the machines that launch
//! agents; it is no machine itself. How a request becomes a process, and bytes become a report, is
//! the hands' business.

mod ask;
mod report;
mod words;

pub use ask::{Access, Ask, BAD_ANSWER_BYTES_MAX, Kind, PROMPT_BYTES_MAX, Part, Talk, Tools};
pub use report::{
    Answer, Error, Facts, FileClaim, FileKind, Issue, Report, Spooled, Structured, Usage,
    UsageShown,
};
pub use words::{ISSUES_MAX, ask_json, corrected_anew, earlier_answer, wrong_form};
