//! Plain words: an answer to what is open, a command, or an intent. Each input is routed once.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::{Asked, Kind};
use super::super::bounds::INPUT_BYTES_MAX;
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::intent::{Intent, Relation, intent, relation};
use super::super::name::Name;
use super::super::refusal::Refusal;
use super::super::setup::Setup;
use super::super::shape::{Shape, shape};
use super::super::state::{Base, Chat, Frame, Life, Origin, Request, What};
use super::super::text::Text;
use super::{answer, join, run, tool};

/// Words that say yes to a question that is marked for them.
const YES: [&str; 8] = ["go", "yes", "y", "ok", "确认", "执行", "继续", "好"];
/// Words that say no.
const NO: [&str; 2] = ["cancel", "取消"];

/// Routes what a person typed.
pub fn say(
    d: &mut Draft,
    (text, meant): (&str, &[(Kind, String)]),
    input_id: &str,
    setup: Setup,
) -> Result<(), Refusal> {
    if text.len() > INPUT_BYTES_MAX {
        return Err(Refusal::InvalidArgs { path: "/text".into(), expected: "at most 64 KiB" });
    }
    if d.life.body.inputs.iter().any(|known| known == input_id) {
        return Ok(());
    }
    d.push(Event::Heard { input_id: input_id.into(), text: text.into() });
    let routed = |d: &mut Draft, to: &str| {
        d.push(Event::Routed { input_id: input_id.into(), to: to.into() });
    };
    let found = shape(text);
    if found == Shape::Words
        && let Some((id, key, words)) = to_open(&d.life, text, meant)
    {
        routed(d, "answer");
        return answer::answered(d, &id, &key, words.as_deref());
    }
    match found {
        Shape::Command { name, text } => {
            routed(d, name.word());
            run::run(d, name, (text, Vec::new()), setup)
        }
        Shape::Unknown { word, nearest } => Err(Refusal::UnknownCommand { word, nearest }),
        Shape::Ambiguous { first, second } => {
            Err(Refusal::AmbiguousCommand { first: first.word(), second: second.word() })
        }
        Shape::Words => match tool::called(text, &setup)? {
            Some(called) => {
                routed(d, "tool");
                tool::opened(d, called, setup)
            }
            None => words(d, text, setup, routed),
        },
    }
}

/// Words that only want an answer get one where an agent is there to give it. What runs goes on.
fn chat(d: &mut Draft, text: &str, setup: Setup) -> Result<(), Refusal> {
    if setup.designer.is_none() {
        return Ok(());
    }
    let n = d.life.body.units + 1;
    let chat = Chat { n, input: text.trim().to_string(), over: false, setup };
    run::push(d, Frame::Chat(Box::new(chat)))
}

fn words(
    d: &mut Draft,
    text: &str,
    setup: Setup,
    routed: impl Fn(&mut Draft, &str),
) -> Result<(), Refusal> {
    let said = Text::of(text);
    let active = !matches!(d.life.base(), Base::Idle { .. });
    if active {
        return match relation(&said) {
            Relation::Chat => {
                routed(d, "chat");
                chat(d, text, setup)
            }
            Relation::Unsure => {
                routed(d, "relation");
                if d.frames().iter().any(|frame| matches!(frame, Frame::Relating { .. })) {
                    let holder = "relation".to_string();
                    return Err(Refusal::Busy { holder, allowed: Vec::new() });
                }
                let about = json!({ "input": text });
                // A job takes no words in.
                let all: &[&str] = &["current", "new", "cancel"];
                let job = matches!(d.life.base(), Base::Job { .. });
                let q = d.ask(Kind::Relation, if job { &all[1..] } else { all }, about);
                let (input, setup) = (text.to_string(), Box::new(setup));
                run::push(d, Frame::Relating { input, setup, q })
            }
        };
    }
    wanted(d, text, &said, setup, routed)
}

/// What words want that belong to nothing that runs.
fn wanted(
    d: &mut Draft,
    text: &str,
    said: &Text,
    setup: Setup,
    routed: impl Fn(&mut Draft, &str),
) -> Result<(), Refusal> {
    match intent(said) {
        Intent::Change => {
            routed(d, "change");
            begin(d, text, setup)
        }
        Intent::Commit => {
            routed(d, "commit");
            run::run(d, Name::Commit, (String::new(), Vec::new()), setup)
        }
        Intent::Chat => {
            routed(d, "chat");
            chat(d, text, setup)
        }
    }
}

/// Words become a flow of their own.
pub fn begin(d: &mut Draft, text: &str, setup: Setup) -> Result<(), Refusal> {
    let what = What::Flow { origin: Origin::Words, text: text.trim().to_string() };
    run::exclusive(d, Request { what, setup })
}

/// What words say to the one question that is open: its id, the key, and the text.
#[must_use]
pub fn to_open(
    life: &Life,
    text: &str,
    meant: &[(Kind, String)],
) -> Option<(String, String, Option<String>)> {
    let open = life.questions();
    let [q] = open.as_slice() else { return None };
    let word = text.trim();
    let lower = word.to_lowercase();
    let found = |key: &str| Some((q.id.clone(), key.to_string(), None));
    if q.offers(&lower) {
        return found(&lower);
    }
    let number = word.parse::<usize>().ok().and_then(|n| q.options.get(n.checked_sub(1)?));
    if let Some(key) = number {
        return found(key);
    }
    let called = meant.iter().find(|(kind, key)| *kind == q.kind && q.offers(key));
    if let Some(key) = called.map(|(_, key)| key.clone()).or_else(|| named(q, word)) {
        return found(&key);
    }
    if marked(q) {
        if YES.contains(&lower.as_str()) {
            return q.options.first().and_then(|key| found(key));
        }
        if NO.contains(&lower.as_str()) && q.offers("cancel") {
            return found("cancel");
        }
    }
    let key = q.kind.text_key().filter(|key| q.offers(key) && !word.is_empty())?;
    Some((q.id.clone(), key.to_string(), Some(word.to_string())))
}

/// The option that stands for a package or a checkpoint of this name.
fn named(q: &Asked, word: &str) -> Option<String> {
    let lists = [("packages", "name", "package"), ("targets", "id", "version")];
    lists.iter().find_map(|(list, name, option)| {
        let at = q.about[*list].as_array()?.iter().position(|one| one[*name] == word)?;
        Some(alloc::format!("{option}_{}", at + 1)).filter(|key| q.offers(key))
    })
}

/// Whether bare words answer: never where a risk is shown, and never where two ways lead on.
fn marked(q: &Asked) -> bool {
    match q.kind {
        Kind::Complexity => q.hash.is_none() && !q.offers("direct"),
        Kind::DesignDone => true,
        Kind::Relation
        | Kind::Replace
        | Kind::Clarify
        | Kind::Risk
        | Kind::KbMissing
        | Kind::PackageGate
        | Kind::PackagePick
        | Kind::Overview
        | Kind::Markers
        | Kind::Failures
        | Kind::TestBlocking
        | Kind::Locate
        | Kind::Escalate
        | Kind::Interrupted
        | Kind::ToolFailed
        | Kind::ResumeStage
        | Kind::InitSwitch
        | Kind::InitMismatch
        | Kind::InitRebuild
        | Kind::UpgradePlan
        | Kind::UpgradeFailed
        | Kind::CleanScope
        | Kind::TestCommand
        | Kind::TestFailed
        | Kind::CommitHow
        | Kind::ReviewScope
        | Kind::ReviewResult
        | Kind::ValidateScope
        | Kind::ValidateResult
        | Kind::RollbackTarget
        | Kind::RollbackConflict
        | Kind::RollbackRisk => false,
    }
}

/// What becomes of words that may belong to what runs.
pub fn related(d: &mut Draft, input: &str, setup: Setup, key: &str) -> Result<(), Refusal> {
    d.push(Event::FramePopped);
    match key {
        "current" => join::joined(d, input),
        "new" => begin(d, input, setup),
        _cancel => Ok(()),
    }
}
