//! The trail of what the scripted agent did to the world: one line for each effect, each written by
//! a single append, so that a test can count them whatever crashed in between. A line is written
//! when its effect begins.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

use super::object::Object;

/// The file, and whose effects these are.
pub(super) struct Effects {
    /// Absolute, or relative to the working directory; none: nobody counts.
    pub(super) file: Option<PathBuf>,
    /// The call.
    pub(super) call: String,
    /// The launch.
    pub(super) launch: u32,
    /// The rule, from 1.
    pub(super) rule: usize,
}

impl Effects {
    /// Leaves a line for one effect. Process and moment make it unlike every other.
    pub(super) fn note(&self, step: usize, act: &str, what: &str) -> io::Result<()> {
        let Some(path) = &self.file else { return Ok(()) };
        let mut line = Object::new()
            .put("call", &self.call)
            .put("launch", self.launch)
            .put("rule", self.rule)
            .put("step", step)
            .put("act", act)
            .put("what", what)
            .put("pid", std::process::id())
            .put("at_ns", jiff::Timestamp::now().as_nanosecond().to_string())
            .finish();
        line.push('\n');
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        // Exactly one write: several would let lines of two agents mix.
        let written = file.write(line.as_bytes())?;
        if written == line.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
    }
}
