//! A state for every case that the rules tell apart, each reached by commands from the first one,
//! so that no sample is a state that cannot be.

use alloc::vec;
use alloc::vec::Vec;

use super::super::command::Command;
use super::super::decide::decide;
use super::super::evolve::evolve;
use super::super::name::Name;
use super::super::owes::slots;
use super::super::setup::Setup;
use super::super::state::{Caller, Life, State};
use super::made::{by_engine, by_person, run, setup, typed};
use super::outcomes::outcomes;
use crate::machine::Said;

/// One step of the way to a sample.
enum Step {
    Run(Name, &'static str),
    Say(&'static str),
    /// Answers the one open question, or the last of several.
    Answer(&'static str),
    Told(&'static str),
    Tool(Caller),
    Held,
    Cancel,
    Undo,
}

use Step::{Answer, Cancel, Held, Run, Told, Tool, Undo};

const TWEAK: &str = "Rename `load_cfg` to `load_config` in src/config.rs";
const LIGHT: &str = "Add a `--json` flag to the status command; it should print one JSON object \
     and exit code must be 0, errors should go to stderr, only touch the cli module, no new \
     dependencies";

/// Says one thing and makes it true; what is refused stays unsaid.
fn go(state: &mut State, said: &Said<Command>) {
    for event in decide(state, said).unwrap_or_default() {
        evolve(state, &event, said.at);
    }
}

fn step(state: &mut State, step: &Step, n: usize) {
    let id = ["i1", "i2", "i3", "i4", "i5", "i6", "i7", "i8", "i9"][n % 9];
    let said = match step {
        Run(name, text) => {
            let command = match run(*name, text, setup()) {
                Command::Run { name, text, flags, setup, .. } => {
                    Command::Run { name, text, flags, input_id: id.into(), setup }
                }
                kept @ (Command::Open { .. }
                | Command::Say { .. }
                | Command::Answer { .. }
                | Command::Cancel { .. }
                | Command::Told { .. }
                | Command::ChildNow { .. }
                | Command::ToolOpened { .. }
                | Command::ToolClosed { .. }
                | Command::Timeout { .. }
                | Command::Noticed { .. }) => kept,
            };
            by_person(command)
        }
        Step::Say(text) => by_person(typed(text, id, setup())),
        Answer(key) => {
            let life = state.life();
            let question = life.and_then(|life| life.questions().last().map(|q| q.id.clone()));
            let question = question.unwrap_or_default();
            let text = match *key {
                "supplement" | "adjust" => Some("light".into()),
                _plain => None,
            };
            let key = (*key).into();
            by_person(Command::Answer { question, key, text, hash: None })
        }
        Told(label) => {
            let slot = state.life().and_then(|life| slots(life).pop()).map(|(slot, _)| slot);
            let outcome = outcomes().into_iter().find(|(known, _)| known == label);
            let Some((_, outcome)) = outcome else { return };
            by_engine(Command::Told { slot: slot.unwrap_or_default(), outcome })
        }
        Tool(caller) => {
            let (name, kind, setup): (_, _, Setup) = ("codex".into(), "agent".into(), setup());
            let (caller, input, setup) = (*caller, "look".into(), setup.into());
            by_person(Command::ToolOpened { name, kind, caller, input, call: None, setup })
        }
        Held => {
            let slot = state.life().and_then(|life| slots(life).into_iter().next());
            let slot = slot.map(|(slot, _)| slot).unwrap_or_default();
            by_engine(Command::ChildNow { slot, asking: Vec::new(), held: true })
        }
        Cancel => by_person(Command::Cancel { undo: false, all: false }),
        Undo => by_person(Command::Cancel { undo: true, all: false }),
    };
    go(state, &said);
}

/// The way to each sample.
fn ways() -> Vec<(&'static str, Vec<Step>)> {
    let mut all = begun();
    all.extend(designed());
    all.extend(developed());
    all.extend(tweaks());
    all.extend(jobs());
    all.extend(frames());
    all
}

/// The first steps of a silent flow, so far that a draft is owed.
fn drafting(name: Name) -> Vec<Step> {
    let mut steps = vec![Run(name, LIGHT), Answer("silent"), Told("Told kb ok")];
    steps.push(Told("Told words"));
    steps
}

fn with(mut steps: Vec<Step>, more: Vec<Step>) -> Vec<Step> {
    steps.extend(more);
    steps
}

/// A silent flow that has written its package.
fn checked() -> Vec<Step> {
    with(drafting(Name::Auto), vec![Told("Told draft"), Told("Told report done")])
}

/// A silent flow whose driver runs.
fn running() -> Vec<Step> {
    with(checked(), vec![Told("Told package executable"), Told("Told package executable")])
}

fn begun() -> Vec<(&'static str, Vec<Step>)> {
    let risky = "delete rows with `DELETE FROM users` in prod; it should return 0 and errors must \
                 show, only in src/db.rs, no new dependency";
    let silent = || vec![Run(Name::Auto, LIGHT), Answer("silent")];
    vec![
        ("idle", vec![]),
        ("clarifying", vec![Run(Name::Auto, "优化代码")]),
        ("clarifying nothing", vec![Run(Name::Plan, "")]),
        ("confirming silent", vec![Run(Name::Auto, LIGHT)]),
        ("confirming words", vec![Step::Say(LIGHT)]),
        ("confirming plan tweak", vec![Run(Name::Plan, TWEAK)]),
        ("confirming risk", vec![Run(Name::Auto, risky)]),
        ("gathering", silent()),
        ("making the base", with(silent(), vec![Told("Told kb absent")])),
        ("asking for context", with(silent(), vec![Told("Told kb ok")])),
        ("drafting", drafting(Name::Auto)),
    ]
}

fn designed() -> Vec<(&'static str, Vec<Step>)> {
    let written = || vec![Told("Told draft"), Told("Told report done")];
    let asked = || {
        let start = vec![Step::Say(LIGHT), Answer("start"), Told("Told kb ok")];
        with(with(start, vec![Told("Told words")]), written())
    };
    vec![
        ("writing", with(drafting(Name::Auto), vec![Told("Told draft")])),
        ("checking", checked()),
        ("gated", with(checked(), vec![Told("Told package invalid")])),
        ("gated softly", with(checked(), vec![Told("Told package not executable")])),
        ("risk in tasks", with(checked(), vec![Told("Told package risky")])),
        ("approving", with(asked(), vec![Told("Told package executable")])),
        ("approving overview", with(asked(), vec![Told("Told package overview")])),
        ("opening approved", with(asked(), vec![Told("Told package executable"), Answer("run")])),
        ("interrupted", with(checked(), vec![Told("Told failed"), Told("Told failed")])),
        (
            "accepting",
            with(drafting(Name::Plan), with(written(), vec![Told("Told package executable")])),
        ),
    ]
}

fn developed() -> Vec<(&'static str, Vec<Step>)> {
    let opening = || vec![Run(Name::Exec, ""), Told("Told one package")];
    let looked = || with(opening(), vec![Told("Told package executable")]);
    let opened = || with(looked(), vec![Told("Told kb ok"), Told("Told package executable")]);
    let closed = || with(running(), vec![Told("Told developed"), Told("Told no risks")]);
    let red = || with(closed(), vec![Told("Told checks"), Told("Told tests red")]);
    vec![
        ("listing", vec![Run(Name::Exec, "")]),
        ("picking", vec![Run(Name::Exec, ""), Told("Told two packages")]),
        ("opening", opening()),
        ("overview", with(opening(), vec![Told("Told package overview")])),
        ("markers", with(opening(), vec![Told("Told package marks")])),
        ("running", running()),
        ("running, held", with(running(), vec![Held])),
        ("marking", with(opening(), vec![Told("Told package of others")])),
        ("the base of a package", looked()),
        ("making the base of a package", with(looked(), vec![Told("Told kb absent")])),
        ("failures", with(opened(), vec![Told("Told developed in part")])),
        ("closing security", with(running(), vec![Told("Told developed")])),
        ("testing", closed()),
        ("testing a check", with(closed(), vec![Told("Told checks")])),
        ("test blocking", red()),
        ("fixing", with(red(), vec![Answer("fix")])),
        ("closing sync", with(closed(), vec![Told("Told no checks")])),
        ("ending", with(running(), vec![Cancel])),
    ]
}

fn tweaks() -> Vec<(&'static str, Vec<Step>)> {
    let editing = || vec![Step::Say(TWEAK), Answer("start")];
    vec![
        ("editing", editing()),
        ("recalling", with(editing(), vec![Undo])),
        ("editing silently", vec![Run(Name::Auto, TWEAK), Answer("silent")]),
        ("outgrown", with(editing(), vec![Told("Told turn outgrown")])),
        ("outgrown by a risk", with(editing(), vec![Told("Told turn risky")])),
        ("lost", with(editing(), vec![Told("Told turn lost")])),
        ("undoing", with(editing(), vec![Told("Told turn outgrown"), Answer("cancel")])),
        ("recording", with(editing(), vec![Told("Told turn done"), Told("Told no checks")])),
    ]
}

/// An upgrade that was carried out, with what it told.
fn upgraded(told: &'static str) -> Vec<Step> {
    vec![Run(Name::Upgrade, ""), Told("Told upgrade"), Answer("run"), Told(told)]
}

fn jobs() -> Vec<(&'static str, Vec<Step>)> {
    vec![
        ("init", vec![Run(Name::Init, "")]),
        ("init old", vec![Run(Name::Init, ""), Told("Told init old")]),
        ("init complete", vec![Run(Name::Init, ""), Told("Told init complete")]),
        ("init at work", vec![Run(Name::Init, ""), Told("Told init absent")]),
        ("upgrade", vec![Run(Name::Upgrade, "")]),
        ("upgrade plan", vec![Run(Name::Upgrade, ""), Told("Told upgrade")]),
        ("upgrade failed", upgraded("Told report failed")),
        ("upgrade left something", upgraded("Told report left")),
        ("clean", vec![Run(Name::Clean, "")]),
        ("clean scope", vec![Run(Name::Clean, ""), Told("Told clean")]),
        ("test", vec![Run(Name::Test, "")]),
        ("test command", vec![Run(Name::Test, ""), Told("Told no checks")]),
        ("test at work", vec![Run(Name::Test, ""), Told("Told checks")]),
        ("test failed", vec![Run(Name::Test, ""), Told("Told checks"), Told("Told tests red")]),
        ("commit", vec![Run(Name::Commit, "")]),
        ("commit how", vec![Run(Name::Commit, ""), Told("Told commit")]),
        ("commit at work", vec![Run(Name::Commit, ""), Told("Told commit"), Answer("local")]),
        ("review scope", vec![Run(Name::Review, ""), Told("Told review")]),
        ("review at work", vec![Run(Name::Review, "src"), Told("Told review")]),
        ("validate scope", vec![Run(Name::Validate, ""), Told("Told validate")]),
        ("validate at work", vec![Run(Name::Validate, "all"), Told("Told validate")]),
        ("rollback", vec![Run(Name::Rollback, "")]),
        ("rollback target", vec![Run(Name::Rollback, ""), Told("Told targets")]),
        ("rollback plan", vec![Run(Name::Rollback, "cp-1"), Told("Told targets")]),
        (
            "rollback conflict",
            vec![Run(Name::Rollback, "cp-1"), Told("Told targets"), Told("Told conflicts")],
        ),
        (
            "rollback risk",
            vec![Run(Name::Rollback, "cp-1"), Told("Told targets"), Told("Told done")],
        ),
        (
            "rollback at work",
            vec![
                Run(Name::Rollback, "cp-1"),
                Told("Told targets"),
                Told("Told done"),
                Answer("confirm"),
            ],
        ),
    ]
}

fn frames() -> Vec<(&'static str, Vec<Step>)> {
    let editing = || vec![Step::Say(TWEAK), Answer("start")];
    vec![
        ("replacing", with(editing(), vec![Run(Name::Plan, LIGHT)])),
        ("relating", with(editing(), vec![Step::Say("also add a test")])),
        ("validate above a flow", with(editing(), vec![Run(Name::Validate, "")])),
        ("commit waits", with(editing(), vec![Run(Name::Commit, "")])),
        ("commit open", with(editing(), vec![Run(Name::Commit, ""), Held])),
        ("tool in a stage", with(editing(), vec![Tool(Caller::InStage)])),
        ("tool by a person", with(editing(), vec![Tool(Caller::UserInterrupt)])),
        ("tools nested", with(editing(), vec![Tool(Caller::InStage), Tool(Caller::InStage)])),
        ("resume asked", with(editing(), vec![Tool(Caller::UserInterrupt), Told("Told words")])),
        ("tool above idle", vec![Tool(Caller::UserInterrupt)]),
        ("validate above idle's commit", vec![Run(Name::Commit, ""), Run(Name::Validate, "")]),
    ]
}

/// A state for every case that the rules tell apart.
#[must_use]
pub fn sample_states() -> Vec<(&'static str, State)> {
    let mut all = vec![("new", State::New)];
    for (label, steps) in ways() {
        let mut state = State::New;
        go(&mut state, &by_person(Command::Open { key: "git:main".into() }));
        for (n, one) in steps.iter().enumerate() {
            step(&mut state, one, n);
        }
        all.push((label, state));
    }
    all
}

/// The sample sessions that are there, without their labels.
#[must_use]
pub fn lives() -> Vec<Life> {
    sample_states().iter().filter_map(|(_, state)| state.life().cloned()).collect()
}
