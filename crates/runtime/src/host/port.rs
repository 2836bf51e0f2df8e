//! The zhi port inside the host: it is shown the open questions of collabs after each step, and its
//! answers become a person's commands. Every other door stays open beside it.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use journal::Journal;
use kernel::collab::{self, Choice};
use kernel::machine::By;
use kernel::run::{Command, State};

use super::handle::Msg;
use crate::ask::{Heard, Then, Zhi, ZhiPlan};
use crate::engine::{Engine, Saying};
use crate::hands::Hands;
use crate::query::{self, OpenQuestion};
use crate::views::{Notice, Word};

/// What people are told of what the port heard; nothing of an answer, which is recorded.
fn notice(heard: &Heard) -> Option<Notice> {
    let (question, word) = match heard {
        Heard::Answered { .. } => return None,
        Heard::Comment { question, text, then: Then::AskAgain | Then::Silent } => {
            (question, Word::Comment { text: text.clone() })
        }
        Heard::Dismissed { question } => (question, Word::Dismissed),
        Heard::Gone { question, why } => (question, Word::Gone { why: why.clone() }),
    };
    let (run, _) = question.rsplit_once('/')?;
    Some(Notice::heard(run, word))
}

/// What became of an answer that was handed to the machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    /// It closes the question if it is taken.
    Closing,
    /// It is taken and the question stays.
    Deferring,
}

/// The port; nothing at all unless it is configured.
pub(super) struct Port {
    zhi: Option<Zhi>,
    /// Answers on their way, by question.
    said: BTreeMap<String, Said>,
}

impl Port {
    pub(super) fn new(plan: Option<ZhiPlan>, inbox: Sender<Msg>) -> std::io::Result<Self> {
        let start = |plan| {
            Zhi::start(plan, move |heard| {
                // A host that has left hears it again from the files.
                drop(inbox.send(Msg::Zhi(heard)));
            })
        };
        Ok(Self { zhi: plan.map(start).transpose()?, said: BTreeMap::new() })
    }

    /// Whether somebody is being asked.
    pub(super) fn live(&self) -> bool {
        self.zhi.as_ref().is_some_and(|zhi| zhi.live() > 0)
    }

    /// Shows the port what is open now, and tells it what became of its answers.
    pub(super) fn reconcile<J: Journal>(&mut self, engine: &Engine<J>) {
        let Some(zhi) = &mut self.zhi else { return };
        let open: Vec<OpenQuestion> = engine
            .live()
            .filter(|(_, run)| matches!(run.state, State::Collab(_)))
            .flat_map(|(id, run)| query::of_run(id, &run.state))
            .collect();
        for (question, said) in std::mem::take(&mut self.said) {
            let stands = open.iter().any(|one| one.id == question);
            if stands && said == Said::Closing {
                zhi.refused(&question);
            } else {
                zhi.taken(&question);
            }
        }
        zhi.reconcile(&open);
    }

    /// The command that an answer is; of comments and failures only people are told.
    pub(super) fn heard<J: Journal>(
        &mut self,
        heard: Heard,
        engine: &Engine<J>,
        hands: &Hands,
    ) -> Option<Saying> {
        if let Some(notice) = notice(&heard) {
            hands.note(&notice);
        }
        let Heard::Answered { question, choice, note } = heard else { return None };
        let (run, id) = question.rsplit_once('/')?;
        let State::Collab(state) = &engine.run(run)?.state else { return None };
        let (_, hash) = state.open_question()?;
        let choice = Choice::named(&choice)?;
        let said = if choice == Choice::Wait { Said::Deferring } else { Said::Closing };
        self.said.insert(question.clone(), said);
        let command = collab::Command::Answer { question: id.to_owned(), hash, choice, note };
        Some(Saying::own(run, By::Person, Command::Collab(command)))
    }
}
