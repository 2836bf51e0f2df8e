//! The lines that instrumented code left, in the form of a loop's log, and the log itself. Others
//! append to it, so it is added to and never drawn; what was lost of it is added again from what
//! the calls collected.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use kernel::loops::{Body, DEBUG_LOG};
use serde_json::{Map, Value, json};

use super::names::debug_log;
use crate::redact::Redactor;
use crate::shim::{durable, files};

/// The most that one run's debug lines may be, and a loop's log; what is beyond it is not read.
const LOG_BYTES_MAX: u64 = 8 << 20;
/// A longer line is no debug line.
const LINE_BYTES_MAX: usize = 64 << 10;

/// One debug line, in the form of the loop's log.
pub(crate) struct Line {
    /// The hypothesis, if it is one that there is.
    pub(crate) hid: Option<String>,
    /// All of it.
    pub(crate) text: String,
}

/// The lines that are JSON objects, each in the one form. A hypothesis that nobody has stays null.
pub(crate) fn read(bytes: &[u8], known: &[String], call: &str, redactor: &Redactor) -> Vec<Line> {
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

/// What a call collected.
pub(crate) fn collected(call_dir: &Path) -> Vec<u8> {
    durable::read_tail(&call_dir.join(files::COLLECTED).join(DEBUG_LOG), LOG_BYTES_MAX)
}

/// Adds the lines that are not there yet: an engine that died before it could tell reads them
/// again. A log that is full gets no more, or what no longer fits its tail would be added at every
/// start.
pub(crate) fn append(path: &Path, lines: &[Line]) -> std::io::Result<()> {
    let there = durable::read_tail(path, LOG_BYTES_MAX);
    let mut known: HashMap<&[u8], usize> = HashMap::new();
    for line in there.split(|byte| *byte == b'\n') {
        *known.entry(line).or_default() += 1;
    }
    let torn = there.last().is_some_and(|byte| *byte != b'\n');
    let mut text = String::from(if torn { "\n" } else { "" });
    let mut room = LOG_BYTES_MAX.saturating_sub(there.len() as u64);
    for line in lines {
        // The same line twice in a run is two lines.
        match known.get_mut(line.text.as_bytes()).filter(|left| **left > 0) {
            Some(left) => *left -= 1,
            None => {
                let Some(rest) = room.checked_sub(line.text.len() as u64 + 1) else { break };
                room = rest;
                text.push_str(&line.text);
                text.push('\n');
            }
        }
    }
    if text.trim().is_empty() {
        return Ok(());
    }
    let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// Whether all that was lost could be put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refilled {
    /// Yes, or nothing was lost.
    Whole,
    /// A call's own log is gone: only the lines that the journal keeps are there.
    Samples,
}

/// Puts back what is missing of a loop's log.
pub(super) fn refill(loop_dir: &Path, body: &Body, redactor: &Redactor) -> Refilled {
    let mut refilled = Refilled::Whole;
    let Some(work) = body.work() else { return refilled };
    let known: Vec<String> = work.debug.hypotheses.iter().map(|one| one.id.clone()).collect();
    let path = debug_log(loop_dir, &body.id);
    for log in &work.debug.logs {
        let bytes = collected(&loop_dir.join("calls").join(&log.call));
        let whole = kernel::hash::sha256_hex(&bytes) == log.sha256;
        let lines = if whole {
            read(&bytes, &known, &log.call, redactor)
        } else {
            let sample = |text: &String| Line { hid: None, text: text.clone() };
            log.samples.iter().map(sample).collect()
        };
        let before = durable::read_tail(&path, LOG_BYTES_MAX);
        // What can't be written now is tried again at the next start.
        let _ = append(&path, &lines);
        let changed = durable::read_tail(&path, LOG_BYTES_MAX) != before;
        if !whole && changed {
            refilled = Refilled::Samples;
        }
    }
    refilled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Secrets;

    fn read_lines(text: &str) -> Vec<Line> {
        let redactor = Redactor::new(&Secrets::default()).expect("no patterns");
        read(text.as_bytes(), &["H1".to_owned(), "H2".to_owned()], "call-1", &redactor)
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
    fn a_call_is_added_once_and_what_others_wrote_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join(DEBUG_LOG);
        std::fs::write(&path, "theirs\n").expect("written");
        let found = read_lines(r#"{"hid":"H1","msg":"m"}"#);
        for _ in 0..2 {
            append(&path, &found).expect("added");
        }
        let text = std::fs::read_to_string(&path).expect("there");
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.starts_with("theirs\n"));
    }

    /// Two runs that each fill the log: at every start each was missed in the other's tail.
    #[test]
    fn reg_a_full_log_does_not_grow_and_is_filled_in_one_go() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join(DEBUG_LOG);
        let run = |name: &str| -> Vec<Line> {
            let text = |n: usize| format!("{{\"hid\":\"H1\",\"ts\":{n:060},\"func\":\"{name}\"}}");
            (0..50_000).map(|n| Line { hid: None, text: text(n) }).collect()
        };
        let (first, second) = (run("first"), run("second"));
        for _ in 0..3 {
            append(&path, &first).expect("added");
            append(&path, &second).expect("added");
        }
        let text = std::fs::read_to_string(&path).expect("there");
        assert!(text.len() as u64 <= LOG_BYTES_MAX, "{} bytes", text.len());
        let of = |name: &str| text.lines().filter(|line| line.contains(name)).count();
        assert_eq!(of("first"), first.len(), "each once");
        assert!((1..second.len()).contains(&of("second")), "as far as there is room");
    }

    #[test]
    fn what_is_missing_is_added_and_a_torn_end_is_no_ones_beginning() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join(DEBUG_LOG);
        let text = "{\"hid\":\"H1\",\"ts\":1}\n{\"hid\":\"H1\",\"ts\":1}\n{\"hid\":\"H2\"}\n";
        let found = read_lines(text);
        append(&path, &found).expect("added");
        let whole = std::fs::read_to_string(&path).expect("there");
        assert_eq!(whole.lines().count(), 3, "{whole}");
        std::fs::write(&path, &whole[..whole.len() - 4]).expect("cut");
        append(&path, &found).expect("added");
        let again = std::fs::read_to_string(&path).expect("there");
        assert!(again.ends_with(&format!("\n{}\n", found[2].text)), "{again}");
        assert_eq!(again.lines().count(), 4, "{again}");
    }
}
