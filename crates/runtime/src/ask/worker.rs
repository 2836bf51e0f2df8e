//! The port's own thread: it compares the questions that are open with the ones that are being
//! asked, starts the difference, stops the rest, and tells what it hears. Slow looks and stubborn
//! processes hold up nobody but this thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;

use serde_json::Value;

use super::asking::{self, Asking, Found, Stage};
use super::reply::{self, Reply};
use super::request::{PREFIX, ZhiPlan, call_id};
use crate::query::OpenQuestion;
use crate::shim::files::Ticket;
use crate::shim::watch::Watcher;

/// How often a person who answered something else is asked again.
pub const ZHI_REASK_MAX: u32 = 3;
/// Starts that a crash kept from happening are made up for, but not for ever.
const LAUNCHES_MAX: u32 = 2 * (ZHI_REASK_MAX + 1);
/// Notes and comments are kept up to this; the whole reply stays in the call's spool.
const NOTE_BYTES_MAX: usize = 4 << 10;
/// The option that a cancelled window stands for, where it is offered.
const CANCEL: &str = "cancel";

/// What the port has heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// An answer, to be given to the machine as a person's. Say [`super::Zhi::taken`] or
    /// [`super::Zhi::refused`] once it is known what became of it.
    Answered {
        /// The question's id.
        question: String,
        /// The key.
        choice: String,
        /// What was written beside it.
        note: Option<String>,
    },
    /// Words that are no answer.
    Comment {
        /// The question's id.
        question: String,
        /// The words; empty when nothing was written.
        text: String,
        /// What the port does now.
        then: Then,
    },
    /// The person closed the window, and the question offers nothing that would mean that.
    Dismissed {
        /// The question's id.
        question: String,
    },
    /// The server failed or went away. The question stays open elsewhere.
    Gone {
        /// The question's id.
        question: String,
        /// Why, in a technical word or two.
        why: String,
    },
}

/// What follows a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The person is asked again.
    AskAgain,
    /// The port is silent; other doors stay open.
    Silent,
}

/// What the thread is told.
pub(super) enum Task {
    /// These questions are open, and no others.
    Open(Vec<OpenQuestion>),
    /// A shim has ended, or is late.
    Look(Ticket),
    /// An answer was taken, though its question may still be open.
    Taken(String),
    /// An answer was refused.
    Refused(String),
    /// The host has left; what is being asked goes on under its shim.
    Leave,
}

pub(super) struct Worker {
    pub(super) plan: ZhiPlan,
    pub(super) watcher: Watcher,
    pub(super) tell: Box<dyn Fn(Heard) + Send>,
    pub(super) live: Arc<AtomicUsize>,
    pub(super) asked: BTreeMap<String, Asking>,
    pub(super) swept: Swept,
}

/// Whether leftovers of earlier engines were looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swept {
    No,
    Yes,
}

impl Worker {
    pub(super) fn run(mut self, tasks: &Receiver<Task>) {
        while let Ok(task) = tasks.recv() {
            match task {
                Task::Open(open) => self.open(open),
                Task::Look(ticket) => self.ended(&ticket),
                Task::Taken(id) => self.taken(&id),
                Task::Refused(id) => self.refused(&id),
                Task::Leave => return,
            }
            let running = self.asked.values().filter(|one| one.stage == Stage::Running).count();
            self.live.store(running, Ordering::SeqCst);
        }
    }

    fn open(&mut self, open: Vec<OpenQuestion>) {
        let wanted: BTreeSet<String> = open.iter().map(call_id).collect();
        self.asked.retain(|call, asking| {
            let keep = wanted.contains(call);
            if !keep && asking.stage == Stage::Running {
                asking.stop();
            }
            keep
        });
        if self.swept == Swept::No {
            self.swept = Swept::Yes;
            self.sweep(&wanted);
        }
        for question in open {
            let call = call_id(&question);
            if let Some(known) = self.asked.get_mut(&call) {
                known.question = question;
            } else {
                let asking = Asking::new(&self.plan, question);
                self.asked.insert(call.clone(), asking);
                self.look(&call);
            }
        }
    }

    /// Stops what earlier engines asked and nobody waits for any more.
    fn sweep(&self, wanted: &BTreeSet<String>) {
        let Ok(calls) = std::fs::read_dir(self.plan.loop_dir.join("calls")) else { return };
        for entry in calls.flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with(PREFIX) && !wanted.contains(&name) {
                asking::end(&entry.path());
            }
        }
    }

    fn ended(&mut self, ticket: &Ticket) {
        let current = |asking: &Asking| {
            asking.stage == Stage::Running && asking.ticket.as_ref() == Some(ticket)
        };
        if self.asked.get(&ticket.call_id).is_some_and(current) {
            self.look(&ticket.call_id);
        }
    }

    /// Sees what became of the last start and goes on from there.
    fn look(&mut self, call: &str) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        match asking.find(&self.watcher) {
            Found::Running => asking.stage = Stage::Running,
            Found::Reply(value) => self.heard(call, &value),
            Found::Failed(why) => self.gone(call, why),
            Found::NeverLaunched => {
                let ask = asking.asks.max(1);
                self.ask(call, ask);
            }
        }
    }

    fn ask(&mut self, call: &str, ask: u32) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        let launches = asking.ticket.as_ref().map_or(0, |ticket| ticket.attempt);
        if launches >= LAUNCHES_MAX {
            return self.gone(call, String::from("launches"));
        }
        if let Err(why) = asking.launch(&self.plan, &self.watcher, ask) {
            self.gone(call, why.to_string());
        }
    }

    fn heard(&mut self, call: &str, value: &Value) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        let told = asking.was_told();
        let question = asking.question.id.clone();
        let offers_cancel = asking.question.question.options.iter().any(|key| key == CANCEL);
        let choice = match reply::read(value, &asking.question) {
            Reply::Choice { key, note } => (key, note),
            Reply::Cancel if offers_cancel => (CANCEL.to_owned(), None),
            Reply::Cancel => {
                asking.stage = Stage::Silent;
                if !told {
                    (self.tell)(Heard::Dismissed { question });
                    asking.set_told();
                }
                return;
            }
            Reply::Comment(text) => {
                let text = clean(&self.plan, &text);
                return self.comment(call, text);
            }
        };
        if told {
            asking.stage = Stage::Silent;
            return;
        }
        asking.stage = Stage::Handed;
        let note = choice.1.map(|note| clean(&self.plan, &note));
        (self.tell)(Heard::Answered { question, choice: choice.0, note });
    }

    fn comment(&mut self, call: &str, text: String) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        let question = asking.question.id.clone();
        let then = if asking.asks <= ZHI_REASK_MAX { Then::AskAgain } else { Then::Silent };
        if !asking.was_told() {
            (self.tell)(Heard::Comment { question, text, then });
            asking.set_told();
        }
        self.again(call);
    }

    /// Asks once more, or never again.
    fn again(&mut self, call: &str) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        let asks = asking.asks;
        asking.stage = Stage::Silent;
        if asks <= ZHI_REASK_MAX {
            self.ask(call, asks + 1);
        }
    }

    fn gone(&mut self, call: &str, why: String) {
        let Some(asking) = self.asked.get_mut(call) else { return };
        asking.stage = Stage::Silent;
        if !asking.was_told() {
            let question = asking.question.id.clone();
            (self.tell)(Heard::Gone { question, why: clean(&self.plan, &why) });
            asking.set_told();
        }
    }

    fn taken(&mut self, id: &str) {
        let handed =
            |asking: &&mut Asking| asking.question.id == id && asking.stage == Stage::Handed;
        if let Some(asking) = self.asked.values_mut().find(handed) {
            asking.set_told();
            asking.stage = Stage::Silent;
        }
    }

    fn refused(&mut self, id: &str) {
        let handed = |(_, asking): &(&String, &Asking)| {
            asking.question.id == id && asking.stage == Stage::Handed
        };
        let call = self.asked.iter().find(handed).map(|(call, _)| call.clone());
        if let Some(call) = call {
            if let Some(asking) = self.asked.get(&call) {
                asking.set_told();
            }
            self.again(&call);
        }
    }
}

/// Without secrets, and not longer than a record wants it.
fn clean(plan: &ZhiPlan, text: &str) -> String {
    let text = plan.redactor.redact_text(text);
    text[..text.floor_char_boundary(NOTE_BYTES_MAX)].to_owned()
}
