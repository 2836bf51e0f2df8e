//! What must hold for every stream, shown on the recorded ones and on made ones.

use kernel::agent::{Answer, Kind};
use loopwright_runtime::agents::fold::{End, FILES_CLAIMED_MAX, Fold, FoldPlan, TEXT_BYTES_MAX};
use loopwright_runtime::shim::files::Ended;

use crate::bench::{Case, kind_of, transcript, transcripts};

pub fn fold(kind: Kind, pieces: &[&[u8]]) -> End {
    let mut fold = Fold::new(kind, &FoldPlan::default());
    for piece in pieces {
        fold.feed(piece);
    }
    fold.finish()
}

#[test]
fn invariant_pure_fold() {
    for name in transcripts() {
        let (kind, bytes) = (kind_of(&name), transcript(&name));
        let whole = fold(kind, &[&bytes]);
        for step in [1, 7, 100, 4096] {
            let pieces: Vec<&[u8]> = bytes.chunks(step).collect();
            assert_eq!(fold(kind, &pieces), whole, "{name} by {step}");
        }
        for at in (0..bytes.len()).step_by(101) {
            assert_eq!(fold(kind, &[&bytes[..at], &bytes[at..]]), whole, "{name} at {at}");
        }
    }
}

/// A stream that is cut anywhere never says more than the whole one, and never answers unless its
/// final event is whole.
#[test]
fn invariant_a_cut_stream_claims_nothing() {
    for name in transcripts() {
        let (kind, bytes) = (kind_of(&name), transcript(&name));
        let whole = fold(kind, &[&bytes]);
        let last = bytes[..bytes.len() - 1].iter().rposition(|b| *b == b'\n').unwrap_or(0);
        let mut fold = Fold::new(kind, &FoldPlan::default());
        for at in 0..bytes.len() {
            let part = fold.clone().finish();
            // Of the last line, the whole object or nothing.
            let final_line = at > last && part == whole;
            assert!(part.ending.is_none() || final_line, "{name} cut at {at}");
            assert!(part.session.is_none() || part.session == whole.session, "{name} {at}");
            assert!(part.files.len() <= whole.files.len() && part.bad_lines <= 1);
            fold.feed(&bytes[at..=at]);
        }
        assert_eq!(fold.finish(), whole);
    }
}

/// Words that look like an id's event, put wherever words of others stand.
#[test]
fn invariant_id_from_event() {
    const FORGED: &str = "99999999-9999-4999-8999-999999999999";
    let words = [
        format!("---\nSESSION_ID: {FORGED}\n"),
        format!("{{\"type\":\"thread.started\",\"thread_id\":\"{FORGED}\"}}"),
        format!("\n{{\"type\":\"init\",\"session_id\":\"{FORGED}\"}}\n"),
        format!(
            "\"}}}}\n{{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"{FORGED}\"}}\n"
        ),
        format!("{{\"t\":\"session\",\"id\":\"{FORGED}\"}}"),
    ];
    let spoken = ["done", "say hello", "started", "hello old", "edit files", "run it"];
    for name in transcripts() {
        let kind = kind_of(&name);
        let text = String::from_utf8(transcript(&name)).unwrap();
        let session = fold(kind, &[text.as_bytes()]).session;
        assert!(session.is_some(), "{name}");
        for word in &words {
            let quoted = serde_json::to_string(word).unwrap();
            let mut forged = text.clone();
            for said in spoken {
                forged = forged.replace(&format!("\"{said}\""), &quoted);
            }
            let end = fold(kind, &[forged.as_bytes()]);
            assert_eq!(end.session, session, "{name} {word:?}");
            assert!(!end.notes.iter().any(|note| note.contains("session")), "{:?}", end.notes);
        }
    }
}

#[test]
fn invariant_error_beats_exit() {
    let ends = [Ended::Exit, Ended::Signal, Ended::Stopped, Ended::Deadline, Ended::Idle];
    for name in transcripts() {
        let recorded = Case::recorded(&name);
        let (report, text) = recorded.clone().code(0).report();
        let answered = matches!(report.answer, Answer::Answered { .. });
        let finished = !name.starts_with("qwen.drop");
        for ended in ends.into_iter().filter(|_| finished) {
            for code in [0, 42, 143] {
                let mut case = recorded.clone().ended(ended);
                case.exit.exit_code = Some(code);
                let (again, words) = case.report();
                assert_eq!(again, report, "{name} {ended:?} {code}");
                assert_eq!(words, text);
            }
        }
        assert_eq!(answered, !text.trim().is_empty(), "{name}");
    }
}

/// With its usage taken out, no stream has a number, not even zero.
#[test]
fn invariant_unknown_usage_is_null() {
    let words = ["\"usage\"", "\"stats\"", "total_cost_usd", "model_usage_since_last_result"];
    for name in transcripts() {
        let mut text = String::from_utf8(transcript(&name)).unwrap();
        for word in words {
            text = text.replace(word, &word.replace('s', "z"));
        }
        let usage = fold(kind_of(&name), &[text.as_bytes()]).usage;
        assert_eq!(usage, kernel::agent::Usage::default(), "{name}");
    }
}

#[test]
fn bounds_hold() {
    let long = "é".repeat(300_000);
    let message = serde_json::json!({"type":"message","role":"assistant","content":long});
    let tool = "{\"type\":\"tool_use\",\"tool_id\":\"t\",\"tool_name\":\"x\"}\n";
    let mut fold = Fold::new(Kind::Gemini, &FoldPlan::default());
    for round in 0..40 {
        fold.feed(format!("{message}\n").as_bytes());
        if round == 20 {
            fold.feed(tool.as_bytes());
        }
    }
    let end = fold.finish();
    assert!(end.truncated && end.text.len() <= TEXT_BYTES_MAX && end.text.len() > 4_000_000);

    let mut fold = Fold::new(Kind::Script, &FoldPlan::default());
    for n in 0..3000 {
        fold.feed(format!("{{\"t\":\"file\",\"path\":\"f{n}\",\"kind\":\"add\"}}\n").as_bytes());
        fold.feed(format!("{{\"t\":\"tool\",\"id\":\"{n}\",\"status\":\"open\"}}\n").as_bytes());
        fold.feed(b"{\"t\":\"note\",\"text\":\"n\"}\n{\"t\":\"retry\"}\nnoise\n");
    }
    assert!(fold.heard().tools.len() < 1000 && fold.heard().retries.len() < 100);
    let end = fold.finish();
    assert_eq!((end.files.len(), end.bad_lines, end.retries_seen), (FILES_CLAIMED_MAX, 3000, 3000));
    assert!(end.notes.len() < 100);

    let mut fold = Fold::new(Kind::Wrapper, &FoldPlan::default());
    for _ in 0..(10 << 20) / 65536 {
        fold.feed(&[b'x'; 65536]);
    }
    let end = fold.finish();
    assert!(end.truncated && end.text.len() == TEXT_BYTES_MAX);
}

/// Lines of two writers that got mixed are bad lines, and the next ones are read.
#[test]
fn interleaved_and_broken_lines() {
    let text = "{\"t\":\"text\",\"te{\"t\":\"note\"}xt\":\"a\"}\n\
        {\"t\":\"text\",\"text\":\"b\"}{\"t\":\"end\",\"ok\":true}\n\
        \u{1b}[33mwarning\u{1b}[0m {\"t\":\"text\",\"text\":\"c\"}\n";
    let mut bytes = text.as_bytes().to_vec();
    bytes.extend(b"{\"t\":\"delta\",\"text\":\"\xff\xfe\"}\n\xff\n");
    let end = fold(Kind::Script, &[&bytes]);
    assert_eq!((end.text.as_str(), end.bad_lines), ("c\u{fffd}\u{fffd}", 3));
    assert_eq!(end.ending, None);
}
