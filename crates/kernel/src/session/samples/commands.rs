//! Every command with every guard of the table, with data that suits the given state. What is told
//! is told to the last slot that waits, in every way that fits it.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::super::asked::{Kind, Stop};
use super::super::command::Command;
use super::super::decide::decide;
use super::super::ended::Outcome;
use super::super::name::Name;
use super::super::owes::{ENDING, expiry, slots};
use super::super::refusal::Refusal;
use super::super::setup::{Seat, Setup};
use super::super::stage::ChildAsking;
use super::super::state::{Caller, Life, State, Unit};
use super::made::{NOW, by_engine, by_person, run, setup, typed};
use super::outcomes::outcomes;
use crate::machine::{At, By, Said};

type Sample = (&'static str, Said<Command>);

/// Option keys and how an answer with each is called.
const ANSWERS: &[(&str, &str)] = &[
    ("current", "Answer current"),
    ("new", "Answer new"),
    ("keep", "Answer keep"),
    ("replace", "Answer replace"),
    ("supplement", "Answer supplement"),
    ("proceed", "Answer proceed"),
    ("start", "Answer start"),
    ("silent", "Answer silent"),
    ("interactive", "Answer interactive"),
    ("adjust", "Answer adjust"),
    ("direct", "Answer direct"),
    ("force", "Answer force"),
    ("confirm", "Answer confirm"),
    ("init", "Answer init"),
    ("skip", "Answer skip"),
    ("fix", "Answer fix"),
    ("stop", "Answer stop"),
    ("run", "Answer run"),
    ("save", "Answer save"),
    ("archive", "Answer archive"),
    ("package_1", "Answer package_1"),
    ("view", "Answer view"),
    ("failed", "Answer failed"),
    ("done", "Answer done"),
    ("continue", "Answer continue"),
    ("path", "Answer path"),
    ("upgrade", "Answer upgrade"),
    ("retry", "Answer retry"),
    ("resume", "Answer resume"),
    ("drop", "Answer drop"),
    ("rebuild", "Answer rebuild"),
    ("details", "Answer details"),
    ("restore", "Answer restore"),
    ("manual", "Answer manual"),
    ("ignore", "Answer ignore"),
    ("all", "Answer all"),
    ("select", "Answer select"),
    ("command", "Answer command"),
    ("report", "Answer report"),
    ("local", "Answer local"),
    ("edit", "Answer edit"),
    ("recent", "Answer recent"),
    ("staged", "Answer staged"),
    ("kb", "Answer kb"),
    ("packages", "Answer packages"),
    ("version_1", "Answer version_1"),
    ("theirs", "Answer theirs"),
    ("mine", "Answer mine"),
    ("cancel", "Answer cancel"),
];

/// How each `~` command is called.
const RUNS: [(Name, &str); 13] = [
    (Name::Auto, "~auto"),
    (Name::Plan, "~plan"),
    (Name::Exec, "~exec"),
    (Name::Init, "~init"),
    (Name::Upgrade, "~upgrade"),
    (Name::Clean, "~clean"),
    (Name::Test, "~test"),
    (Name::Commit, "~commit"),
    (Name::Review, "~review"),
    (Name::Validate, "~validate"),
    (Name::Rollback, "~rollback"),
    (Name::Help, "~help"),
    (Name::Status, "~status"),
];

/// Commands that suit this state, labelled with their guard.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<Sample> {
    let mut all = vec![("Open", by_person(Command::Open { key: "git:main".to_string() }))];
    all.extend(runs());
    all.extend(words());
    all.extend(answers(state.life()));
    all.extend(told(state));
    all.extend(others(state.life()));
    all
}

fn runs() -> Vec<Sample> {
    let mut all: Vec<Sample> = RUNS
        .iter()
        .map(|(name, label)| (*label, by_person(run(*name, "add x to src/a.rs", setup()))))
        .collect();
    let headless = Setup { seat: Seat::Headless, ..setup() };
    let replace = Setup { replace: true, ..headless.clone() };
    all.push(("~auto, headless", by_person(run(Name::Auto, "x", headless))));
    all.push(("~auto, replacing", by_person(run(Name::Auto, "x", replace))));
    let agent = By::Agent { call: "call-1".to_string() };
    all.push((
        "~auto, by an agent",
        Said { by: agent, ..by_person(run(Name::Auto, "x", setup())) },
    ));
    all
}

fn words() -> Vec<Sample> {
    let said = |text| by_person(typed(text, "i-words", setup()));
    vec![
        ("Say a change", said("fix the login in src/a.rs")),
        ("Say a question", said("what is this?")),
        ("Say commit", said("commit these changes")),
        ("Say yes", said("ok")),
        ("Say a command", said("~validate all")),
        ("Say an unknown command", said("~foo")),
        ("Say two commands", said("~auto x ~plan y")),
        ("Say to an agent", said("@codex look at it")),
    ]
}

fn answers(life: Option<&Life>) -> Vec<Sample> {
    let open = life.and_then(|life| life.questions().last().map(|q| (*q).clone()));
    let answer = |question: &str, key: &str, hash: Option<String>| {
        let text = Some("src/a.rs".to_string());
        let (question, key) = (question.to_string(), key.to_string());
        Command::Answer { question, key, text, hash }
    };
    let mut all = vec![("Answer, closed", by_person(answer("q/99", "cancel", None)))];
    let Some(q) = open else { return all };
    for (key, label) in ANSWERS.iter().filter(|(key, _)| q.offers(key)) {
        all.push((*label, by_person(answer(&q.id, key, q.hash.clone()))));
    }
    if q.kind == Kind::PackageGate && !q.offers("force") {
        all.push(("Answer, behind the gate", by_person(answer(&q.id, "force", None))));
    }
    all.push(("Answer, unknown option", by_person(answer(&q.id, "nonsense", None))));
    if q.hash.is_some() {
        let first = q.options.first().cloned().unwrap_or_default();
        let old = Some("old".to_string());
        all.push(("Answer, stale", by_person(answer(&q.id, &first, old))));
    }
    let guest = By::Guest;
    all.push((
        "Answer, by a guest",
        Said { by: guest, ..by_person(answer(&q.id, "cancel", None)) },
    ));
    all
}

fn told(state: &State) -> Vec<Sample> {
    let mut all = Vec::new();
    let other = Command::Told { slot: "other".to_string(), outcome: Outcome::Stopped };
    all.push(("Told, not owed", by_engine(other)));
    let Some(life) = state.life() else { return all };
    let slot = match &life.unit {
        Unit::Ending { children, .. } => children.first().cloned(),
        Unit::At { .. } => slots(life).pop().map(|(slot, _)| slot),
    };
    let Some(slot) = slot else { return all };
    for (label, outcome) in outcomes() {
        let said = by_engine(Command::Told { slot: slot.clone(), outcome });
        if !decide(state, &said).as_ref().is_err_and(Refusal::is_misfit) {
            all.push((label, said));
        }
    }
    all
}

fn others(life: Option<&Life>) -> Vec<Sample> {
    let base = life.and_then(|life| slots(life).into_iter().next()).map(|(slot, _)| slot);
    let slot = base.unwrap_or_default();
    let asking = vec![ChildAsking { id: "q-child".to_string(), stop: Stop::SBlocked }];
    let tool = |caller| Command::ToolOpened {
        name: "codex".to_string(),
        kind: "agent".to_string(),
        caller,
        input: "look".to_string(),
        call: None,
        setup: Box::new(setup()),
    };
    let closed = |name: &str, ok, cancelled| {
        let name = name.to_string();
        by_engine(Command::ToolClosed { name, ok, cancelled })
    };
    let late = At(NOW.0 + 10_000_000);
    let timer = |slot: String| Said { by: By::Timer, at: late, command: Command::Timeout { slot } };
    let q = life.and_then(|life| life.questions().last().map(|q| q.id.clone()));
    let noticed = |key: &str| by_engine(Command::Noticed { key: key.to_string() });
    let cancel = |undo, all| by_person(Command::Cancel { undo, all });
    let child = |slot: &str, held| {
        let (slot, asking) = (slot.to_string(), asking.clone());
        by_engine(Command::ChildNow { slot, asking, held })
    };
    vec![
        ("Cancel", cancel(false, false)),
        ("Cancel all", cancel(false, true)),
        ("Cancel and undo", cancel(true, false)),
        ("ChildNow asks", child(&slot, false)),
        ("ChildNow held", child(&slot, true)),
        ("ToolOpened in a stage", by_engine(tool(Caller::InStage))),
        ("ToolOpened by a person", by_person(tool(Caller::UserInterrupt))),
        ("ToolClosed ok", closed("codex", true, false)),
        ("ToolClosed failed", closed("codex", false, false)),
        ("ToolClosed cancelled", closed("codex", false, true)),
        ("ToolClosed, another", closed("other", true, false)),
        ("Timeout of a question", timer(expiry(&q.unwrap_or_default()))),
        ("Timeout of the end", timer(String::from(ENDING))),
        ("Noticed the same branch", noticed("git:main")),
        ("Noticed another branch", noticed("git:other")),
    ]
}
