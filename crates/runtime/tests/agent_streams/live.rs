//! A call that is still running, followed over its files.

use std::io::Write;

use kernel::agent::Kind;
use loopwright_runtime::agents::fold::{FoldPlan, Verdict};
use loopwright_runtime::agents::read::Live;

use crate::bench::{kind_of, transcript, transcripts};

#[test]
fn a_running_call_is_heard_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let mut live = Live::new(dir.path(), Kind::Codex, &FoldPlan::default());
    assert!(!live.poll().unwrap(), "no spool yet");
    let mut spool = std::fs::File::create(dir.path().join("stdout")).unwrap();
    assert!(!live.poll().unwrap(), "an empty one");
    let text = String::from_utf8(transcript("codex.edit")).unwrap();
    let mut open = Vec::new();
    let mut verdicts = Vec::new();
    for line in text.lines() {
        spool.write_all(line.as_bytes()).unwrap();
        assert!(live.poll().unwrap());
        spool.write_all(b"\n").unwrap();
        assert!(live.poll().unwrap());
        assert!(!live.poll().unwrap());
        open.push(live.heard().tools.len());
        verdicts.push(live.heard().verdict);
    }
    assert_eq!(open, [0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0]);
    assert_eq!(verdicts.iter().filter(|v| v.is_some()).count(), 1);
    assert_eq!(live.heard().verdict, Some(Verdict::Ok));
    assert!(live.heard().session.as_deref().unwrap().starts_with("01a1e07a"));
    assert_eq!(live.heard().bytes, text.len() as u64);
}

#[test]
fn retries_are_told() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("stdout"), transcript("claude.http401")).unwrap();
    let mut live = Live::new(dir.path(), Kind::Claude, &FoldPlan::default());
    assert!(live.poll().unwrap());
    let heard = live.heard();
    assert_eq!((heard.retries_seen, heard.verdict), (2, Some(Verdict::Error)));
    let last = heard.retries.last().unwrap();
    assert_eq!((last.attempt, last.max, last.delay_ms), (Some(2), Some(2), Some(1148)));
    assert_eq!(last.why, "401 authentication_failed");
}

/// The final event of a flood is in a tail that is replaced again and again.
#[test]
fn the_end_of_a_flood_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let show = |text: &str| {
        std::fs::write(dir.path().join("new"), text).unwrap();
        std::fs::rename(dir.path().join("new"), dir.path().join("stdout.tail")).unwrap();
    };
    std::fs::write(dir.path().join("stdout"), "{\"type\":\"thread.st").unwrap();
    let mut live = Live::new(dir.path(), Kind::Codex, &FoldPlan::default());
    assert!(live.poll().unwrap());
    show("noise\n");
    assert!(live.poll().unwrap());
    assert!(!live.poll().unwrap());
    assert_eq!(live.heard().verdict, None);
    show("noise\n{\"type\":\"turn.completed\"}\n");
    assert!(live.poll().unwrap());
    assert_eq!(live.heard().verdict, Some(Verdict::Ok));
}

#[test]
fn tools_are_closed_at_the_end_of_every_recorded_stream() {
    for name in transcripts() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("stdout"), transcript(&name)).unwrap();
        let mut live = Live::new(dir.path(), kind_of(&name), &FoldPlan::default());
        live.poll().unwrap();
        assert!(live.heard().tools.is_empty(), "{name} {:?}", live.heard().tools);
    }
}
