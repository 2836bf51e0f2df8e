//! The corpus: commands that must never run unasked, everyday ones that must not be asked, and
//! ones that are never done. It is data, so that other judges can be held against it.

use alloc::string::String;
use alloc::vec::Vec;

use serde::Deserialize;

use super::kit::{facts, run, script};
use crate::policy::grant::Scope;
use crate::policy::{Rules, Word, judge};

#[derive(Deserialize)]
struct Corpus {
    never_allowed: Vec<String>,
    never_allowed_scripts: Vec<String>,
    not_asked: Vec<String>,
    never_denied: Vec<String>,
    denied: Vec<String>,
}

fn corpus() -> Corpus {
    serde_json::from_str(include_str!("corpus.json")).unwrap()
}

/// Those that got another word than wanted, with the rule that decided.
fn others(lines: &[String], wanted: impl Fn(Word) -> bool) -> Vec<String> {
    let rules = Rules::built_in();
    let facts = facts(&rules);
    let judged = |line: &String| (line.clone(), judge(&run(line), &facts).verdict);
    let all = lines.iter().map(judged);
    let wrong = all.filter(|(_, verdict)| !wanted(verdict.word()));
    wrong.map(|(line, verdict)| alloc::format!("{line}: {verdict:?}")).collect()
}

#[test]
fn bypasses_are_never_allowed() {
    let corpus = corpus();
    assert!(corpus.never_allowed.len() + corpus.never_allowed_scripts.len() >= 150);
    let none: [String; 0] = [];
    assert_eq!(others(&corpus.never_allowed, |word| word > Word::Allow), none);
    let rules = Rules::built_in();
    for text in &corpus.never_allowed_scripts {
        let verdict = judge(&script(text), &facts(&rules)).verdict;
        assert!(verdict.word() > Word::Allow, "{text}: {verdict:?}");
    }
}

#[test]
fn everyday_commands_are_not_asked() {
    let none: [String; 0] = [];
    assert_eq!(others(&corpus().not_asked, |word| word == Word::Allow), none);
}

#[test]
fn ordinary_commands_are_never_denied() {
    let none: [String; 0] = [];
    assert_eq!(others(&corpus().never_denied, |word| word < Word::Deny), none);
}

#[test]
fn what_is_never_done_is_denied() {
    let none: [String; 0] = [];
    assert_eq!(others(&corpus().denied, |word| word == Word::Deny), none);
}

#[test]
fn length_hides_nothing() {
    let rules = Rules::built_in();
    let many = ["ls;"; 50].concat() + "rm -rf x";
    let far = alloc::format!("ls{}; rm -rf x", " ".repeat(1 << 20));
    let bombs = "(){".repeat(1 << 16);
    for text in [many, far, bombs] {
        assert_eq!(judge(&script(&text), &facts(&rules)).verdict.word(), Word::Ask);
        let shell = alloc::format!("sh -c '{text}'");
        assert_eq!(judge(&run(&shell), &facts(&rules)).verdict.word(), Word::Ask);
    }
    let nul = run("curl 'http://a\u{0}b'");
    assert_eq!(judge(&nul, &facts(&rules)).widest, Scope::Once);
}
