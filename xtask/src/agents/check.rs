//! Judges one launch: how it ended, what the server was sent, what became of the files, who lived
//! on. It changes nothing and launches nothing.

use std::collections::BTreeMap;

use super::cases::{Files, Want};
use super::cli::{Cli, Mentions};
use super::launch::{Ran, sent};
use super::read::Outcome;
use super::server::{MADE, SHELL, STARTED, Said, Seen, answer};
use super::stage::SECRET;

/// A work tree: paths and contents.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// Everything that a launch is judged by.
pub struct Evidence<'a> {
    pub cli: Cli,
    pub task: &'a str,
    pub want: Want,
    pub files: Files,
    /// Tools that the model asks for before it answers.
    pub tools: usize,
    /// Which launch of its case, from 1.
    pub number: usize,
    /// The session that was to be resumed.
    pub session: Option<&'a str>,
    pub ran: &'a Ran,
    pub before: &'a Tree,
    pub after: &'a Tree,
    /// What the server was sent during this launch.
    pub seen: &'a [Seen],
    /// How each earlier launch of the case had to end.
    pub earlier: &'a [Want],
}

/// Everything that differs from what was expected; nothing, if all is well.
pub fn check(evidence: &Evidence) -> Vec<String> {
    let mut wrong = Vec::new();
    outcome(evidence, &mut wrong);
    if evidence.want == Want::Unknown {
        unasked(evidence, &mut wrong);
    } else {
        arrived(evidence, &mut wrong);
        session(evidence, &mut wrong);
    }
    files(evidence, &mut wrong);
    for one in &evidence.ran.survivors {
        wrong.push(format!("lives on: {one}"));
    }
    wrong
}

fn outcome(evidence: &Evidence, wrong: &mut Vec<String>) {
    let ran = &evidence.ran.outcome;
    let as_wanted = match (evidence.want, ran) {
        (Want::Answered, Outcome::Answered(text)) => *text == answer(evidence.number),
        (Want::Failed | Want::Unknown, Outcome::Failed(_))
        | (Want::Deadline, Outcome::Deadline)
        | (Want::Killed, Outcome::Killed) => true,
        (
            Want::Answered | Want::Failed | Want::Deadline | Want::Killed | Want::Unknown,
            Outcome::Answered(_) | Outcome::Failed(_) | Outcome::Deadline | Outcome::Killed,
        ) => false,
    };
    if !as_wanted {
        wrong.push(format!("{:?} was wanted, not {ran:?}", evidence.want));
    }
}

/// A session that is not known leads to no model.
fn unasked(evidence: &Evidence, wrong: &mut Vec<String>) {
    if evidence.seen.iter().any(|seen| seen.task.is_some()) {
        wrong.push("the model was asked".to_owned());
    }
}

/// The prompt has to arrive as it was sent, and a mentioned file must not come with it.
fn arrived(evidence: &Evidence, wrong: &mut Vec<String>) {
    let tasks: Vec<_> = evidence.seen.iter().filter_map(|seen| seen.task.as_ref()).collect();
    if tasks.is_empty() {
        wrong.push("the model was never asked".to_owned());
    }
    let expected = sent(evidence.cli, evidence.task);
    for task in tasks {
        if plain(evidence.cli, &task.text) != plain(evidence.cli, &expected) {
            wrong.push(format!("arrived: {:?}", shortened(&task.text, &expected)));
            break;
        }
    }
    let last = evidence.seen.iter().rev().find_map(|seen| seen.task.as_ref());
    if let (Want::Answered, Some(last)) = (evidence.want, last)
        && last.done != evidence.tools
    {
        wrong.push(format!("{} tools answered, not {}", last.done, evidence.tools));
    }
    if evidence.seen.iter().any(|seen| seen.body.contains(SECRET)) {
        wrong.push("the mentioned file's content was sent".to_owned());
    }
}

/// A prompt without what keeps mentions from acting: how many of them are marked is not judged
/// here, but whether a file came along is.
fn plain(cli: Cli, text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.trim_end().chars() {
        if letter == '@' && cli.mentions() != Mentions::Nowhere {
            plain.truncate(plain.trim_end_matches('\\').len());
        }
        plain.push(letter);
    }
    plain
}

/// From a little before the first difference, and not much of it.
fn shortened(got: &str, expected: &str) -> String {
    let same = got.chars().zip(expected.chars()).take_while(|(one, two)| one == two).count();
    got.chars().skip(same.saturating_sub(20)).take(120).collect()
}

/// A resumed session keeps its id, and the model sees what it said before.
fn session(evidence: &Evidence, wrong: &mut Vec<String>) {
    let got = evidence.ran.session.as_deref();
    match (evidence.session, got) {
        (_, None) => wrong.push("no session id".to_owned()),
        (Some(asked), Some(got)) if asked != got => {
            wrong.push(format!("session {asked} became {got}"));
        }
        (_, Some(_)) => {}
    }
    let Some(last) = evidence.seen.iter().rfind(|seen| seen.task.is_some()) else { return };
    if last.task.as_ref().is_some_and(|task| task.number != evidence.number) {
        wrong.push(format!("not the conversation's task {}", evidence.number));
    }
    for (at, want) in evidence.earlier.iter().enumerate() {
        let said = |one: &Said| matches!(one, Said::Model(text) if *text == answer(at + 1));
        if *want == Want::Answered && !last.said.iter().any(said) {
            wrong.push(format!("answer {} is not in the request", at + 1));
        }
    }
}

fn files(evidence: &Evidence, wrong: &mut Vec<String>) {
    let mut expected = evidence.before.clone();
    let mut add = |(name, text): (&str, &str)| {
        expected.insert(name.to_owned(), text.as_bytes().to_vec());
    };
    match evidence.files {
        Files::Same => {}
        Files::Made => add(MADE),
        Files::MadeNotByShell => {
            add(MADE);
            // Codex has no other tool: what it may edit, its commands may edit.
            if evidence.cli == Cli::Codex {
                add(SHELL);
            }
        }
        Files::Started => add((STARTED, "")),
    }
    let names = evidence.after.keys().chain(expected.keys());
    let differ = names.filter(|name| evidence.after.get(*name) != expected.get(*name));
    let mut differ: Vec<_> = differ.map(String::as_str).collect();
    differ.dedup();
    if !differ.is_empty() {
        wrong.push(format!("files differ: {}", differ.join(" ")));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::server::Task;
    use super::*;

    fn seen(number: usize, text: &str, said: Vec<Said>) -> Seen {
        let task = Some(Task { number, done: 1, text: text.to_owned() });
        Seen { line: String::new(), headers: vec![], body: String::new(), said, task }
    }

    fn ran(outcome: Outcome, session: Option<&str>) -> Ran {
        let session = session.map(str::to_owned);
        let took = Duration::ZERO;
        Ran { outcome, session, took, survivors: vec![] }
    }

    /// A second launch that went well, changed by `change`; what is found wrong.
    fn judged(change: impl FnOnce(&mut Ran, &mut Vec<Seen>, &mut Tree)) -> Vec<String> {
        let mut ran = ran(Outcome::Answered(answer(2)), Some("id"));
        let said = vec![Said::Model(answer(1))];
        let mut seen = vec![seen(2, "Task for claude:\nsee \\@x", said)];
        let before = Tree::from([("a".to_owned(), vec![1])]);
        let mut after = before.clone();
        change(&mut ran, &mut seen, &mut after);
        check(&Evidence {
            cli: Cli::Claude,
            task: "see @x",
            want: Want::Answered,
            files: Files::Same,
            tools: 1,
            number: 2,
            session: Some("id"),
            ran: &ran,
            before: &before,
            after: &after,
            seen: &seen,
            earlier: &[Want::Answered],
        })
    }

    #[test]
    fn only_marks_before_mentions_are_looked_away_from() {
        let table =
            [(Cli::Qwen, "a\\@b \\\\@c \\d\n", "a@b @c \\d"), (Cli::Codex, "a\\@b", "a\\@b")];
        for (cli, text, expected) in table {
            assert_eq!(plain(cli, text), expected);
        }
    }

    #[test]
    fn every_difference_is_found() {
        type Change = fn(&mut Ran, &mut Vec<Seen>, &mut Tree);
        let table: [(&str, Change); 13] = [
            ("", |_, _, _| {}),
            ("was wanted", |ran, _, _| ran.outcome = Outcome::Failed("x".to_owned())),
            ("was wanted", |ran, _, _| ran.outcome = Outcome::Answered(answer(1))),
            ("no session", |ran, _, _| ran.session = None),
            ("became other", |ran, _, _| ran.session = Some("other".to_owned())),
            ("lives on", |ran, _, _| ran.survivors.push("1 sleep".to_owned())),
            ("never asked", |_, seen, _| seen.clear()),
            ("arrived", |_, seen, _| seen[0] = super::tests::seen(2, "Task for x", vec![])),
            ("not in the request", |_, seen, _| seen[0].said.clear()),
            ("0 tools", |_, seen, _| seen[0].task.as_mut().unwrap().done = 0),
            ("content was sent", |_, seen, _| seen[0].body = SECRET.to_owned()),
            ("differ: b", |_, _, after| drop(after.insert("b".to_owned(), vec![]))),
            ("differ: a", |_, _, after| drop(after.remove("a"))),
        ];
        for (expected, change) in table {
            let got = judged(change).join("; ");
            assert!(got.contains(expected), "{expected}: {got}");
            assert_eq!(got.is_empty(), expected.is_empty(), "{got}");
        }
    }
}
