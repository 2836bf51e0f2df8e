//! `search_semantic` where no adapter runs. What one that does may do is tried with the real shim.

use serde_json::json;

use super::super::search::{self, Adapter, Source, WhyFallback};
use super::ground::GroundIn;
use crate::config::SandboxMode;

fn sample() -> GroundIn {
    GroundIn::with(&[
        ("a.rs", "one\nthe retry delay is here\nfour\n"),
        ("b.rs", "delay\n"),
        ("c.rs", "retry\n"),
        ("d.rs", "nothing\n"),
        (".env", "retry delay\n"),
    ])
}

fn ask(ground: &GroundIn, adapter: Option<&Adapter>) -> search::Payload {
    let args = search::Semantic::parse(&json!({ "query": "Retry delay?" })).unwrap();
    search::search_semantic(&ground.desk(), &args, adapter).unwrap()
}

#[test]
fn a_program_that_is_not_there_or_that_nothing_holds_is_not_run() {
    let ground = sample();
    let unheld = |program: &str, mode| why(&ground, Some(&Adapter::unheld(&[program], mode)));
    assert_eq!(why(&ground, None), WhyFallback::Absent);
    assert_eq!(unheld("/nowhere/adapter", SandboxMode::Off), WhyFallback::Absent);
    for mode in [SandboxMode::Require, SandboxMode::Prefer] {
        assert_eq!(unheld("sh", mode), WhyFallback::SandboxUnavailable, "{mode:?}");
    }
    assert_eq!(unheld("sh", SandboxMode::Off), WhyFallback::Failed, "there is no shim here");
}

/// Why it fell back; the hits must be those of the words, ranked.
fn why(ground: &GroundIn, adapter: Option<&Adapter>) -> WhyFallback {
    let payload = ask(ground, adapter);
    let shown: Vec<(&str, f64)> = payload.hits.iter().map(|hit| (&*hit.path, hit.score)).collect();
    assert_eq!(shown, [("a.rs", 1.0), ("b.rs", 0.5), ("c.rs", 0.5)]);
    assert!(payload.hits.iter().all(|hit| hit.source == Source::Grep));
    let told = serde_json::to_value(payload.fallback).unwrap();
    assert_eq!((&told["from"], &told["to"]), (&json!("semantic"), &json!("grep")));
    payload.fallback.unwrap().why
}

#[test]
fn the_best_lines_win_over_the_first() {
    let ground = GroundIn::new();
    ground.write("a.txt", &b"retry\n".repeat(2000));
    ground.write("z.txt", b"delay the retry\n");
    let args = search::Semantic::parse(&json!({ "query": "retry delay", "limit": 2 })).unwrap();
    let payload = search::search_semantic(&ground.desk(), &args, None).unwrap();
    assert_eq!(payload.hits[0].path, "z.txt");
    assert_eq!((payload.hits.len(), &payload.truncated[..]), (2, &[search::Bound::Hits][..]));
}
