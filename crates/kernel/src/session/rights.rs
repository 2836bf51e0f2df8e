//! Who may say what to a session. A process below a shim, or an edit of a file, starts, answers and
//! cancels nothing; a guest starts what asks a person before it acts, and answers the kinds that
//! the settings name.

use alloc::string::String;

use super::asked::{Asked, Kind};
use super::command::Command;
use super::lists::NO_MORE_QUESTIONS;
use super::name::{Beside, Name};
use super::refusal::Refusal;
use super::rows;
use super::setup::Setup;
use super::shape::{Shape, shape};
use super::state::{Base, Frame, Life};
use super::text::Text;
use crate::machine::By;

/// Kinds that approve, force or override: never a guest's, whatever the settings say.
const PERSONS: [Kind; 20] = [
    Kind::Complexity,
    Kind::Risk,
    Kind::PackageGate,
    Kind::DesignDone,
    Kind::Replace,
    Kind::TestBlocking,
    Kind::Escalate,
    Kind::CommitHow,
    Kind::RollbackConflict,
    Kind::RollbackRisk,
    Kind::UpgradePlan,
    Kind::InitRebuild,
    Kind::InitSwitch,
    Kind::InitMismatch,
    Kind::UpgradeFailed,
    Kind::CleanScope,
    Kind::TestCommand,
    Kind::Failures,
    Kind::Interrupted,
    Kind::ToolFailed,
];

/// Refuses what a speaker may not say at all.
pub fn check(life: Option<&Life>, by: &By, command: &Command) -> Result<(), Refusal> {
    if may(life, by, command) {
        return Ok(());
    }
    Err(Refusal::NeedsPerson { command: command.name(), speaker: by.word() })
}

fn may(life: Option<&Life>, by: &By, command: &Command) -> bool {
    match command {
        Command::Open { .. } => matches!(by, By::Person | By::Guest | By::Engine),
        Command::Run { name, text, flags, .. } => match by {
            By::Person => true,
            By::Guest => asks_first(*name, text, flags),
            By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => {
                name.beside() == Beside::Answered
            }
        },
        Command::Say { text, meant, setup, .. } => match by {
            By::Person => true,
            By::Guest => life.is_none_or(|life| guest_says(life, text, meant, setup)),
            By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => false,
        },
        Command::Cancel { undo, .. } => match by {
            By::Person => true,
            By::Guest => !undo,
            By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => false,
        },
        Command::Answer { question, key, text, .. } => match by {
            By::Person => true,
            By::Guest => life.is_some_and(|life| guest(life, question, (key, text.as_deref()))),
            By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => false,
        },
        Command::ToolOpened { .. } | Command::ToolClosed { .. } => {
            matches!(by, By::Person | By::Engine)
        }
        Command::Told { .. }
        | Command::ChildNow { .. }
        | Command::Timeout { .. }
        | Command::Noticed { .. } => matches!(by, By::Engine | By::Timer),
    }
}

/// Whether a command asks a person before it changes or runs anything.
fn asks_first(name: Name, text: &str, flags: &[String]) -> bool {
    match name {
        Name::Auto
        | Name::Plan
        | Name::Upgrade
        | Name::Commit
        | Name::Review
        | Name::Validate
        | Name::Rollback
        | Name::Help
        | Name::Status => true,
        Name::Clean => text.trim().is_empty() && flags.is_empty(),
        // Typing these is the yes to what they do.
        Name::Exec | Name::Init | Name::Test => false,
    }
}

/// Whether a guest may say these words: what they answer or start is judged as if it were said so.
fn guest_says(life: &Life, text: &str, meant: &[(Kind, String)], setup: &Setup) -> bool {
    match shape(text) {
        Shape::Command { name, text } => asks_first(name, &text, &[]),
        Shape::Unknown { .. } | Shape::Ambiguous { .. } => true,
        Shape::Words => match rows::to_open(life, text, meant) {
            Some((id, key, words)) => guest(life, &id, (&key, words.as_deref())),
            // A tool that is called by its prefix is run unasked.
            None => !matches!(rows::called(text, setup), Ok(Some(_))),
        },
    }
}

/// What a speaker's settings and flags are worth: a guest's say yes to nothing.
pub fn setup(by: &By, given: &Setup) -> Setup {
    match by {
        By::Guest => {
            let answers = alloc::collections::BTreeMap::new();
            Setup { yes: false, replace: false, answers, ..given.clone() }
        }
        By::Person | By::Agent { .. } | By::Parent { .. } | By::File | By::Timer | By::Engine => {
            given.clone()
        }
    }
}

/// Whether a guest may give this answer. One to a question that nobody asks is no secret: it is
/// closed for everybody.
fn guest(life: &Life, question: &str, (key, text): (&str, Option<&str>)) -> bool {
    let Some(q) = life.ask(question) else { return true };
    let Some(setup) = asker(life, q) else { return false };
    // Going on below the gate is a waiver, by its key or by words that say the same.
    let waives = q.kind == Kind::Clarify
        && (key == "proceed" || text.is_some_and(|text| Text::of(text).has(NO_MORE_QUESTIONS)));
    let named = setup.guest_answers.iter().any(|word| word == q.kind.word());
    named && !waives && !PERSONS.contains(&q.kind)
}

/// The settings of whoever asks it.
fn asker<'a>(life: &'a Life, q: &Asked) -> Option<&'a Setup> {
    let above = life.frames().iter().find_map(|frame| match frame {
        Frame::Relating { setup, q: own, .. } => (own.id == q.id).then_some(&**setup),
        Frame::Replacing { request, q: own } => (own.id == q.id).then_some(&request.setup),
        Frame::Embedded { job, .. } => {
            job.question().filter(|own| own.id == q.id).map(|_| &job.setup)
        }
        Frame::Tool(tool) => tool.q.as_ref().filter(|own| own.id == q.id).map(|_| &tool.setup),
        Frame::Chat(_) => None,
    });
    above.or(match life.base() {
        Base::Flow { flow, .. } => Some(&flow.setup),
        Base::Job { job } => Some(&job.setup),
        Base::Idle { .. } => None,
    })
}
