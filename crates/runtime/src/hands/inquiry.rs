//! Reading what an agent said about a problem: hypotheses, and verdicts on them. A verdict is an
//! agent's word; what it rests on is looked up here, and only that is kept as evidence.

use std::io::Read as _;
use std::path::Path;

use kernel::agent::Issue;
use kernel::loops::{Found, Gave, Hypothesis, HypothesisStatus, LegEnd, Seen};
use kernel::paths::Rel;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::Reading;
use crate::engine::unusable;
use crate::files::Root;
use crate::shim::{durable, files};

/// A quote from a larger file than this is not looked up.
const QUOTED_BYTES_MAX: u64 = 4 << 20;

#[derive(Deserialize)]
struct Explored {
    hypotheses: Vec<Guess>,
}

#[derive(Deserialize)]
struct Guess {
    description: String,
    testable_condition: String,
    #[serde(default)]
    logging_point: String,
    evidence_criteria: Criteria,
    likelihood: u32,
}

#[derive(Deserialize)]
struct Criteria {
    confirm: String,
    reject: String,
}

#[derive(Deserialize)]
struct Analysed {
    verdicts: Vec<Judged>,
}

#[derive(Deserialize)]
struct Judged {
    id: String,
    status: HypothesisStatus,
    reason: String,
    #[serde(default)]
    quotes: Vec<Quote>,
}

#[derive(Deserialize)]
struct Quote {
    path: String,
    text: String,
}

/// The hypotheses of an exploration. Their numbers are the loop's to give.
pub(super) fn hypotheses(reading: &Reading<'_>, text: &str) -> LegEnd {
    let Ok(found) = serde_json::from_str::<Explored>(text) else {
        return misread(reading, "/hypotheses");
    };
    let clean = |text: &str| (reading.clean)(text.trim());
    let new = |guess: Guess| Hypothesis {
        id: String::new(),
        description: clean(&guess.description),
        testable_condition: clean(&guess.testable_condition),
        logging_point: clean(&guess.logging_point),
        confirm: clean(&guess.evidence_criteria.confirm),
        reject: clean(&guess.evidence_criteria.reject),
        likelihood: guess.likelihood,
        status: HypothesisStatus::Pending,
        evidence: None,
        verdict_reason: None,
        problem: String::new(),
        round: 0,
    };
    LegEnd::Ok(Gave::Hypotheses(found.hypotheses.into_iter().map(new).collect()))
}

/// The verdicts of an analysis, each with the evidence that was found to be there.
pub(super) fn verdicts(reading: &Reading<'_>, root: &Path, text: &str) -> LegEnd {
    let Ok(found) = serde_json::from_str::<Analysed>(text) else {
        return misread(reading, "/verdicts");
    };
    let seen = reading.spoken.seen.as_deref();
    let judged = |judged: Judged| Found {
        evidence: evidence(reading, root, seen, &judged),
        id: judged.id,
        status: judged.status,
        reason: (reading.clean)(judged.reason.trim()),
    };
    LegEnd::Ok(Gave::Analysis(found.verdicts.into_iter().map(judged).collect()))
}

fn misread(reading: &Reading<'_>, pointer: &str) -> LegEnd {
    let expected = "a list of the form that was asked for".to_owned();
    let issue = Issue { pointer: pointer.to_owned(), expected, found: String::new() };
    unusable(reading.spoken, "schema", vec![issue])
}

/// What of a verdict can be found: debug lines of its hypothesis, and quotes that stand where they
/// are said to. None if nothing can.
fn evidence(
    reading: &Reading<'_>,
    root: &Path,
    seen: Option<&Seen>,
    judged: &Judged,
) -> Option<Value> {
    let mark = seen.and_then(|seen| seen.marks.iter().find(|mark| mark.hid == judged.id));
    let quotes: Vec<Value> = judged
        .quotes
        .iter()
        .filter_map(|quote| {
            let line = found(reading.loop_dir, root, seen, quote)?;
            let (path, text) = (&quote.path, (reading.clean)(quote.text.trim()));
            Some(json!({ "path": path, "line": line, "text": text }))
        })
        .collect();
    if mark.is_none() && quotes.is_empty() {
        return None;
    }
    Some(json!({
        "lines": mark.map_or(0, |mark| mark.lines),
        "samples": mark.map(|mark| mark.samples.clone()).unwrap_or_default(),
        "quotes": quotes,
        "log": mark.and(seen).map(|seen| format!(".loop/calls/{}", seen.call)),
        "sha256": mark.and(seen).and_then(|seen| seen.sha256.clone()),
    }))
}

/// The line at which a quote stands, word for word, in a file of the tree or in what the
/// reproduction printed.
fn found(loop_dir: &Path, root: &Path, seen: Option<&Seen>, quote: &Quote) -> Option<u64> {
    let wanted = quote.text.trim();
    if wanted.is_empty() {
        return None;
    }
    let bytes = match (quote.path.as_str(), seen) {
        (stream @ (files::STDOUT | files::STDERR), Some(seen)) => {
            let path = loop_dir.join("calls").join(&seen.call).join(stream);
            durable::read_tail(&path, QUOTED_BYTES_MAX)
        }
        (path, _) => {
            let opened = Root::open(root).ok()?.open_file(&Rel::file(path).ok()?).ok()?;
            let mut bytes = Vec::new();
            opened.file.take(QUOTED_BYTES_MAX).read_to_end(&mut bytes).ok()?;
            bytes
        }
    };
    let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    let at = text.find(wanted)?;
    let lines = text[..at].bytes().filter(|byte| *byte == b'\n').count();
    u64::try_from(lines).ok().map(|before| before + 1)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use kernel::agent::Spooled;
    use kernel::loops::Mark;
    use kernel::machine::At;

    use super::*;
    use crate::engine::Spoken;

    /// Reads `text` in a tree that holds one file, after a reproduction that printed a line.
    fn heard(read: impl Fn(&Reading<'_>, &Path) -> LegEnd) -> LegEnd {
        let dir = tempfile::tempdir().expect("a directory");
        let (root, loop_dir) = (dir.path().join("tree"), dir.path().join("loop"));
        fs::create_dir_all(root.join("src")).expect("made");
        fs::create_dir_all(loop_dir.join("calls/call-1")).expect("made");
        fs::write(root.join("src/a.rs"), "fn f() {\r\n    g(0);\r\n}\n").expect("written");
        fs::write(loop_dir.join("calls/call-1").join(files::STDOUT), "boom: 0\n").expect("written");
        let mark = Mark { hid: "H1".into(), lines: 9, samples: vec!["{}".into()] };
        let seen = Seen { call: "call-1".into(), marks: vec![mark], ..Seen::default() };
        let text = Spooled { path: "calls/call-2/answer".into(), sha256: "ab".into(), bytes: 2 };
        let spoken = Spoken {
            call: "call-2".into(),
            text,
            value: None,
            session: None,
            files_changed: Vec::new(),
            tool: "gemini".into(),
            seen: Some(Box::new(seen)),
        };
        let clean = |text: &str| text.replace("secret", "[redacted]");
        let (loop_dir, spoken) = (&*loop_dir, &spoken);
        read(&Reading { loop_dir, spoken, clean: &clean, now: At(7) }, &root)
    }

    #[test]
    fn only_what_is_found_is_evidence() {
        let quote = |path: &str, text: &str| {
            json!({ "verdicts": [{ "id": "H2", "status": "confirmed", "reason": "a secret",
                "quotes": [{ "path": path, "line": 7, "text": text }] }] })
            .to_string()
        };
        let table = [
            (quote("src/a.rs", "g(0);"), Some(2)),
            (quote("src/a.rs", "fn f() {\n    g(0);"), Some(1)),
            (quote("stdout", "boom: 0"), Some(1)),
            (quote("src/a.rs", "g(1);"), None),
            (quote("src/b.rs", "g(0);"), None),
            (quote("../loop/calls/call-1/stdout", "boom: 0"), None),
            (quote("src/a.rs", "  "), None),
        ];
        for (text, line) in table {
            let end = heard(|reading, root| verdicts(reading, root, &text));
            let LegEnd::Ok(Gave::Analysis(found)) = end else { panic!("{text}: {end:?}") };
            assert_eq!(found[0].reason, "a [redacted]");
            let at = found[0].evidence.as_ref().map(|value| value["quotes"][0]["line"].clone());
            assert_eq!(at, line.map(Value::from), "{text}");
        }
    }

    #[test]
    fn debug_lines_of_the_hypothesis_itself_are_evidence() {
        for (id, lines) in [("H1", Some(9)), ("H2", None)] {
            let text = json!({ "verdicts": [{ "id": id, "status": "confirmed", "reason": "r" }] });
            let end = heard(|reading, root| verdicts(reading, root, &text.to_string()));
            let LegEnd::Ok(Gave::Analysis(found)) = end else { panic!("{end:?}") };
            let counted = found[0].evidence.as_ref().map(|value| value["lines"].clone());
            assert_eq!(counted, lines.map(Value::from), "{id}");
        }
    }

    #[test]
    fn an_exploration_gives_hypotheses_and_nothing_else_does() {
        let text = r#"{"hypotheses":[{"description":" a secret ","testable_condition":"c",
            "evidence_criteria":{"confirm":"y","reject":"n"},"likelihood":1}]}"#;
        let LegEnd::Ok(Gave::Hypotheses(found)) = heard(|reading, _| hypotheses(reading, text))
        else {
            panic!("no hypotheses");
        };
        assert_eq!((found[0].description.as_str(), found[0].likelihood), ("a [redacted]", 1));
        assert_eq!(found[0].logging_point, "");
        for text in ["", "{}", r#"{"hypotheses":[{}]}"#] {
            let end = heard(|reading, _| hypotheses(reading, text));
            assert!(matches!(end, LegEnd::Unusable { .. }), "{text}: {end:?}");
            let end = heard(|reading, root| verdicts(reading, root, text));
            assert!(matches!(end, LegEnd::Unusable { .. }), "{text}: {end:?}");
        }
    }
}
