//! `search_semantic`: an adapter that answers, and every way in which one does not.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use serde_json::json;

use super::super::search::{self, Adapter, Source, WhyFallback};
use super::ground::GroundIn;
use crate::child_env::Extra;

fn sample() -> GroundIn {
    GroundIn::with(&[
        ("a.rs", "one\nthe retry delay is here\nfour\n"),
        ("b.rs", "delay\n"),
        ("c.rs", "retry\n"),
        ("d.rs", "nothing\n"),
        (".env", "retry delay\n"),
    ])
}

/// A program that stands outside the workspace.
fn program(ground: &GroundIn, body: &str) -> Adapter {
    let path = ground.outside.join("adapter");
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let argv = vec!["sh".to_owned(), path.to_str().unwrap().to_owned()];
    Adapter { argv, extra: Extra::default(), time_max: Duration::from_secs(20) }
}

fn ask(ground: &GroundIn, adapter: Option<&Adapter>) -> search::Payload {
    let args = search::Semantic::parse(&json!({ "query": "Retry delay?" })).unwrap();
    search::search_semantic(&ground.desk(), &args, adapter).unwrap()
}

#[test]
fn an_adapter_names_places_and_we_show_them() {
    let ground = sample();
    let answer = r#"{"hits":[{"path":"a.rs","line":2,"score":0.9},{"path":"../outside/secret.txt",
        "line":1},{"path":".env","line":1},{"path":"a.rs","line":99},
        {"path":"/etc/passwd","line":1},
        {"path":"d.rs","line":1,"score":7}]}"#;
    let adapter = program(
        &ground,
        &format!(
            "read asked\ncase $asked in *'Retry delay?'*) ;; *) exit 1;; esac\n\
             cat <<'X'\n{answer}\nX"
        ),
    );
    let payload = ask(&ground, Some(&adapter));
    let shown: Vec<(&str, &str, f64)> =
        payload.hits.iter().map(|hit| (&*hit.path, &*hit.text, hit.score)).collect();
    assert_eq!(shown, [("a.rs", "the retry delay is here", 0.9), ("d.rs", "nothing", 1.0)]);
    assert!(payload.fallback.is_none());
    assert!(payload.hits.iter().all(|hit| hit.source == Source::Semantic));
    assert_eq!(payload.files, 2);
}

#[test]
fn every_way_to_fail_falls_back_to_words() {
    let ground = sample();
    let missing = Adapter {
        argv: vec!["/nowhere/adapter".to_owned()],
        extra: Extra::default(),
        time_max: Duration::from_secs(20),
    };
    let quick =
        |body: &str| Adapter { time_max: Duration::from_millis(300), ..program(&ground, body) };
    assert_eq!(why(&ground, None), WhyFallback::Absent);
    assert_eq!(why(&ground, Some(&missing)), WhyFallback::Absent);
    let table = [
        ("exit 3", WhyFallback::Failed),
        ("kill -9 $$", WhyFallback::Failed),
        ("echo '{\"hits\":[]}'", WhyFallback::Empty),
        ("echo '{\"hits\":[{\"path\":\".env\",\"line\":1}]}'", WhyFallback::Empty),
        ("echo not json", WhyFallback::Unreadable),
        ("true", WhyFallback::Unreadable),
    ];
    for (body, expected) in table {
        assert_eq!(why(&ground, Some(&program(&ground, body))), expected, "{body}");
    }
    for body in ["sleep 60", "sleep 60 >/dev/null & sleep 60", "sleep 60 & exit 0"] {
        assert_eq!(why(&ground, Some(&quick(body))), WhyFallback::Timeout, "{body}");
    }
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
