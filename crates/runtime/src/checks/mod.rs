//! Checks: which commands show that work is done, and what their output says. Commands are found
//! by reading files and are never run here; output is read from what a call left behind.

mod adds;
mod anchors;
mod approved;
mod auto;
mod cargo;
mod check;
mod cobertura;
mod coverage;
mod dart;
mod definition;
mod detect;
mod go;
mod go_text;
mod jest;
mod junit;
mod left;
mod mocha;
mod nextest;
mod parse;
mod pytest;
mod reports;
mod result;
mod scripts;
mod tally;
mod tap;
mod text;

pub use adds::adds;
pub use anchors::{place_in, told};
pub use approved::{
    REPORT_FILE, Sources, TMP_MARK, definition_now, detected, for_loop, of_settings, readable,
};
pub use check::{Check, EVERYTHING, Level, Parser, Source, TIMEOUT_MS};
pub use coverage::{Coverage, coverage, covered};
pub use definition::{definition, is_interpreted};
pub use detect::detect;
pub use left::{began, left};
pub use parse::{Ended, Output, REPORT_BYTES_MAX, parse};
pub use reports::written;
pub use result::{
    ANCHORS_MAX, Anchor, Counts, ERROR_BYTES_MAX, Parsed, RESULTS_KEPT, STACK_BYTES_MAX, Status,
    TestResult, Verdict,
};
pub use text::{LINE_BYTES_MAX, Stream};
