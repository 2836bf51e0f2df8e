//! The last line a running call printed, without secrets; looked at now and then, not at every
//! drawing.

use std::time::{Duration, Instant};

use runtime::query::{self, Pipe};
use runtime::redact::Redactor;
use runtime::workspace::StateDir;

/// How often the spool is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The tail of whatever call is at work.
#[derive(Default)]
pub struct Tail {
    line: Option<String>,
    looked: Option<Instant>,
}

impl Tail {
    /// The last line of the call at work, which is looked for as seldom as its line.
    pub fn of(
        &mut self,
        dir: &StateDir,
        call: impl FnOnce() -> Option<String>,
        redactor: &Redactor,
    ) -> Option<&str> {
        if self.looked.is_none_or(|at| at.elapsed() >= LOOK_EVERY) {
            self.looked = Some(Instant::now());
            let output = call()
                .and_then(|call| query::output(&dir.call(&call), Pipe::Stdout, redactor).ok());
            self.line = output.and_then(|output| {
                output.text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned)
            });
        }
        self.line.as_deref()
    }
}
