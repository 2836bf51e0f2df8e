//! What reproducing a problem showed: the end of what was printed, and the debug lines that
//! instrumented code left. Lines join the loop's own log; the journal keeps counts and a few. What
//! they mean is an agent's to say, and checked against these.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use kernel::call::{Ended, Exit};
use kernel::loops::{DEBUG_LOG, ERROR_MAX, Mark, Seen, cut};
use serde_json::{Map, Value, json};

use super::pool::Desk;
use crate::engine::Ran;
use crate::redact::Redactor;
use crate::shim::{durable, files};
use crate::views::debug_log;

/// The most that one run's debug lines may be; what is beyond it is not read.
const LOG_BYTES_MAX: u64 = 8 << 20;
/// A longer line is no debug line.
const LINE_BYTES_MAX: usize = 64 << 10;
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
    let bytes = durable::read_tail(&dir.join(files::COLLECTED).join(DEBUG_LOG), LOG_BYTES_MAX);
    let lines = lines(&bytes, known, call, redactor);
    // Shown to people: without it debugging goes on just the same.
    let _ = append(&debug_log(&desk.plan.loop_dir, run), call, &lines);
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

/// One debug line, in the form of the loop's log.
struct Line {
    hid: Option<String>,
    text: String,
}

/// The lines that are JSON objects, each in the one form. A hypothesis that nobody has stays null.
fn lines(bytes: &[u8], known: &[String], call: &str, redactor: &Redactor) -> Vec<Line> {
    let clean = redactor.redact(bytes);
    let each = clean.split(|byte| *byte == b'\n').filter(|line| line.len() <= LINE_BYTES_MAX);
    each.filter_map(|line| serde_json::from_slice::<Map<String, Value>>(line).ok())
        .map(|mut found| {
            let mut take = |name: &str| found.remove(name).unwrap_or_default();
            let hid = take("hid").as_str().map(str::to_owned).filter(|hid| known.contains(hid));
            let (ts, func, data) = (take("ts"), take("func"), take("data"));
            let mut ext = Map::new();
            for name in ["sid", "loc", "msg"] {
                let value = take(name);
                if !value.is_null() {
                    ext.insert(name.to_owned(), value);
                }
            }
            ext.insert("call".to_owned(), json!(call));
            let line = json!({ "hid": hid, "ts": ts, "func": func, "data": data, "ext": ext });
            Line { hid, text: line.to_string() }
        })
        .collect()
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

/// Adds the lines of a call once: an engine that died before it could tell reads them again.
fn append(path: &Path, call: &str, lines: &[Line]) -> std::io::Result<()> {
    let there = durable::read_tail(path, LOG_BYTES_MAX);
    let of_call = |line: &[u8]| {
        serde_json::from_slice::<Value>(line).is_ok_and(|line| line["ext"]["call"] == call)
    };
    if lines.is_empty() || there.split(|byte| *byte == b'\n').any(of_call) {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    let text: String = lines.iter().map(|line| format!("{}\n", line.text)).collect();
    file.write_all(text.as_bytes())
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
        lines(text.as_bytes(), &known(), "call-1", &redactor)
    }

    #[test]
    fn each_form_of_a_line_becomes_the_one() {
        let table = [
            (
                r#"{"hid":"H1","ts":7,"func":"f","data":{"n":0}}"#,
                r#"{"data":{"n":0},"ext":{"call":"call-1"},"func":"f","hid":"H1","ts":7}"#,
            ),
            (
                r#"{"sid":"s","hid":"H2","loc":"a.rs:1","msg":"m","data":1,"ts":8}"#,
                concat!(
                    r#"{"data":1,"ext":{"call":"call-1","loc":"a.rs:1","msg":"m","sid":"s"},"#,
                    r#""func":null,"hid":"H2","ts":8}"#
                ),
            ),
            (
                r#"{"hid":"H9","ts":1}"#,
                r#"{"data":null,"ext":{"call":"call-1"},"func":null,"hid":null,"ts":1}"#,
            ),
        ];
        for (text, expected) in table {
            let found = read_lines(text);
            assert_eq!(found.len(), 1, "{text}");
            let value: Value = serde_json::from_str(&found[0].text).expect("JSON");
            assert_eq!(value, serde_json::from_str::<Value>(expected).expect("JSON"));
        }
        for text in ["", "no json", "[1]", "7", "{\"hid\":"] {
            assert!(read_lines(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn lines_are_counted_by_hypothesis_and_the_first_are_shown() {
        let text: String = (0..9).map(|n| format!("{{\"hid\":\"H2\",\"ts\":{n}}}\n")).collect();
        let marks = marks(&read_lines(&format!("{text}{{\"hid\":\"H1\"}}\n{{\"hid\":\"H7\"}}")));
        let counted: Vec<_> =
            marks.iter().map(|m| (m.hid.as_str(), m.lines, m.samples.len())).collect();
        assert_eq!(counted, [("H1", 1, 1), ("H2", 9, SAMPLES_MAX)]);
    }

    #[test]
    fn a_call_is_added_once_and_what_others_wrote_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join(DEBUG_LOG);
        std::fs::write(&path, "theirs\n").expect("written");
        let found = read_lines(r#"{"hid":"H1","msg":"m"}"#);
        for _ in 0..2 {
            append(&path, "call-1", &found).expect("added");
        }
        let text = std::fs::read_to_string(&path).expect("there");
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.starts_with("theirs\n"));
    }
}
