//! What reproducing a problem showed: the end of what was printed, and the debug lines that
//! instrumented code left. Lines join the loop's own log; the journal keeps counts and a few. What
//! they mean is an agent's to say, and checked against these.

use std::path::Path;

use kernel::call::{Ended, Exit};
use kernel::loops::{ERROR_MAX, Mark, Seen, cut};

use super::pool::Desk;
use crate::engine::Ran;
use crate::redact::Redactor;
use crate::shim::{durable, files};
use crate::views::debug_lines::{self, Line};
use crate::views::debug_log;

/// Lines of a hypothesis that are shown.
const SAMPLES_MAX: usize = 5;
/// A sample is a line to look at, not a dump.
const SAMPLE_BYTES_MAX: usize = 1024;
/// The end of each stream that is told.
const TAIL_BYTES: u64 = (ERROR_MAX / 2) as u64;

/// What the reproducing call of a loop left. `known` are the hypotheses there are.
pub(super) fn read(desk: &Desk, run: &str, call: &str, ran: &Ran, known: &[String]) -> Seen {
    let dir = desk.call_dir(call);
    let redactor = &desk.plan.redactor;
    let bytes = debug_lines::collected(&dir);
    let lines = debug_lines::read(&bytes, known, call, redactor);
    // Shown to people: without it debugging goes on just the same.
    let _ = debug_lines::append(&debug_log(&desk.plan.loop_dir, run), &lines);
    let sha256 = (!bytes.is_empty()).then(|| kernel::hash::sha256_hex(&bytes));
    Seen {
        call: call.to_owned(),
        ended: ended(&ran.exit),
        tail: tail(&dir, redactor),
        sha256,
        marks: marks(&lines),
    }
}

fn ended(exit: &Exit) -> String {
    match (exit.ended, exit.exit_code, exit.signal) {
        (Ended::Deadline | Ended::Idle, _, _) => "timed out".to_owned(),
        (_, Some(code), _) => format!("exit {code}"),
        (_, None, Some(signal)) => format!("signal {signal}"),
        (_, None, None) => "not started".to_owned(),
    }
}

/// The end of both streams, without secrets.
fn tail(dir: &Path, redactor: &Redactor) -> String {
    let of = |name: &str| {
        let bytes = durable::read_tail(&dir.join(name), TAIL_BYTES);
        redactor.redact_text(&String::from_utf8_lossy(&bytes))
    };
    let text = [of(files::STDOUT), of(files::STDERR)].join("\n");
    cut(text.trim(), ERROR_MAX)
}

fn marks(lines: &[Line]) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for line in lines {
        let Some(hid) = &line.hid else { continue };
        let at = marks.iter().position(|mark| mark.hid == *hid).unwrap_or_else(|| {
            marks.push(Mark { hid: hid.clone(), lines: 0, samples: Vec::new() });
            marks.len() - 1
        });
        marks[at].lines += 1;
        if marks[at].samples.len() < SAMPLES_MAX {
            marks[at].samples.push(cut(&line.text, SAMPLE_BYTES_MAX));
        }
    }
    marks.sort_by(|a, b| a.hid.cmp(&b.hid));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Secrets;

    fn known() -> Vec<String> {
        vec!["H1".to_owned(), "H2".to_owned()]
    }

    fn read_lines(text: &str) -> Vec<Line> {
        let redactor = Redactor::new(&Secrets::default()).expect("no patterns");
        debug_lines::read(text.as_bytes(), &known(), "call-1", &redactor)
    }

    #[test]
    fn lines_are_counted_by_hypothesis_and_the_first_are_shown() {
        let text: String = (0..9).map(|n| format!("{{\"hid\":\"H2\",\"ts\":{n}}}\n")).collect();
        let marks = marks(&read_lines(&format!("{text}{{\"hid\":\"H1\"}}\n{{\"hid\":\"H7\"}}")));
        let counted: Vec<_> =
            marks.iter().map(|m| (m.hid.as_str(), m.lines, m.samples.len())).collect();
        assert_eq!(counted, [("H1", 1, 1), ("H2", 9, SAMPLES_MAX)]);
    }
}
