//! Files of rules: examples are checked, a file that fails is refused whole, and a workspace may
//! only tighten unless its rules were shown.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::kit::{facts, run};
use crate::policy::rules::{File, Listed, Source, Wrong};
use crate::policy::{Rule, Rules, judge};

fn file(source: Source, json: &str) -> File {
    let rules: Vec<Rule> = serde_json::from_str(json).unwrap();
    File { source, name: "f".to_string(), rules }
}

fn verdict(rules: &Rules, text: &str) -> String {
    let verdict = judge(&run(text), &facts(rules)).verdict;
    alloc::format!("{} {}", verdict.word().name(), verdict.rule())
}

#[test]
fn a_wrong_example_refuses_the_whole_file() {
    let json = r#"[
        {"id":"good","tool":"run","argv":["npm","run","**"],"verdict":"allow",
         "match":["npm run x"]},
        {"id":"bad","tool":"run","argv":["make",["a","b"]],"verdict":"allow","match":["make c"],
         "not_match":["make a"]}]"#;
    let rules = Rules::load(&[file(Source::User, json)], Listed::No);
    let wrong: Vec<&Wrong> = rules.failures().iter().map(|failure| &failure.wrong).collect();
    let misses = Wrong::Misses { example: "make c".to_string() };
    let hits = Wrong::Hits { example: "make a".to_string() };
    assert_eq!(wrong, [&misses, &hits]);
    let table = [
        ("npm run x", "deny rule_examples"),
        ("npm test", "deny rule_examples"),
        ("make", "deny rule_examples"),
        ("sudo make x", "deny rule_examples"),
        ("git status", "allow git-read"),
    ];
    for (text, expected) in table {
        assert_eq!(verdict(&rules, text), expected, "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_rule() {
    let table = [
        (r#"{"id":"A","tool":"run","verdict":"ask","match":["x"]}"#, Wrong::Id),
        (r#"{"id":"git-read","tool":"run","verdict":"ask","match":["x"]}"#, Wrong::Taken),
        (r#"{"id":"a","tool":"run","argv":["**","x"],"verdict":"ask","match":[]}"#, Wrong::Rest),
        (r#"{"id":"a","tool":"run","verdict":"ask"}"#, Wrong::NoExample),
    ];
    for (json, expected) in table {
        let rules = Rules::load(&[file(Source::User, &alloc::format!("[{json}]"))], Listed::No);
        assert_eq!(rules.failures().first().map(|f| &f.wrong), Some(&expected), "{json}");
    }
    let unknown = r#"[{"id":"a","tool":"run","verdict":"ask","match":["x"],"wat":1}]"#;
    assert!(serde_json::from_str::<Vec<Rule>>(unknown).is_err());
}

#[test]
fn a_workspace_may_only_tighten() {
    let json = r#"[
        {"id":"w-allow","tool":"run","argv":["npm","**"],"verdict":"allow","match":["npm x"]},
        {"id":"w-deny","tool":"run","argv":["git","log","**"],"verdict":"deny",
         "match":["git log"]}]"#;
    let files = [file(Source::Workspace, json)];
    let unseen = Rules::load(&files, Listed::No);
    assert_eq!(verdict(&unseen, "npm test"), "ask run-asks");
    assert_eq!(verdict(&unseen, "git log"), "deny w-deny");
    assert_eq!(verdict(&unseen, "sudo git log"), "deny w-deny");
    assert_eq!(unseen.idle().len(), 1);
    let shown = Rules::load(&files, Listed::Yes);
    assert_eq!(verdict(&shown, "npm test"), "allow w-allow");
}

#[test]
fn forbidden_words_are_known_in_every_spelling() {
    let json = r#"[{"id":"a","tool":"run","argv":["t","**"],"forbid":["-x","--danger*"],
        "verdict":"allow","match":["t -a"],
        "not_match":["t -x","t -ax","t -xvalue","t --danger","t --danger=1","t --dan",
        "t --dangerous"]}]"#;
    let rules = Rules::load(&[file(Source::User, json)], Listed::No);
    assert_eq!(rules.failures(), []);
    let json = json.replace("\"allow\"", "\"deny\"").replace(r#","t -ax","t -xvalue""#, "");
    let json = json.replace(r#","t --dan","#, ",");
    let rules = Rules::load(&[file(Source::User, &json)], Listed::No);
    assert_eq!(rules.failures(), []);
    assert_eq!(verdict(&rules, "t -ax"), "deny a", "a rule that denies gives way to less");
}
