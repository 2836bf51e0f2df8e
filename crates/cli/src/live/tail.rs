//! The last line a running call printed, without secrets; looked at now and then, not at every
//! drawing.

use std::time::{Duration, Instant};

use runtime::query::{self, Pipe};
use runtime::redact::Redactor;
use runtime::workspace::StateDir;
use serde_json::Value;

/// How often the spool is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// A line that says something to a person. Agents speak in objects for programs; of these, what
/// they say.
fn worth(line: &str) -> Option<String> {
    let line = line.trim();
    let object = serde_json::from_str::<Value>(line).ok().filter(Value::is_object);
    let said = match &object {
        None => line,
        Some(object) => {
            let inner = [object, &object["item"], &object["message"]];
            let names = ["text", "content", "message"];
            let mut all = inner.iter().flat_map(|one| names.map(|name| one[name].as_str()));
            all.find_map(|text| text)?
        }
    };
    // Words for the engine stand at an answer's end.
    let said = said.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('{'));
    said.map(str::to_owned)
}

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
            self.line = output.and_then(|output| output.text.lines().rev().find_map(worth));
        }
        self.line.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_somebody_says() {
        let table = [
            ("compiling", Some("compiling")),
            ("  ", None),
            (r#"{"t":"session","id":"242eec81"}"#, None),
            (r#"{"t":"delta","text":"changing src/lib.rs"}"#, Some("changing src/lib.rs")),
            (r#"{"type":"item.completed","item":{"text":"done it"}}"#, Some("done it")),
            (r#"{"t":"say","text":"{\"control\":\"step_done\"}"}"#, None),
            (r#"{"t":"say","text":"All good.\n{\"control\":\"step_done\"}"}"#, Some("All good.")),
            ("{ half", None),
        ];
        for (line, expected) in table {
            assert_eq!(worth(line).as_deref(), expected, "{line}");
        }
    }
}
