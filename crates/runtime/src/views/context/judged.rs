//! What an edit of the page means for the run as it is: which changes become commands, which are
//! refused and why. Every command was tried on a copy of the state, so that the machine's own word
//! decides and nothing is promised that it would refuse. It touches no file.

use kernel::lifecycle::document::context::{
    Change, Edits, No, Page, Refused, added, compare, merge_scratch, read,
};
use kernel::lifecycle::{Command, NoteKind, State, decide, evolve};
use kernel::machine::{At, By, Refusal as _, Said};

use super::told::PageLine;

/// What an edit comes to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Outcome {
    pub commands: Vec<Command>,
    pub refused: Vec<PageLine>,
    pub doubts: Vec<PageLine>,
    /// The scratchpad that is asked for, if it changes.
    pub scratch: Option<Vec<String>>,
}

impl Outcome {
    /// The whole edit refused for one reason.
    pub(in super::super) fn whole(reason: &str) -> Self {
        let line = PageLine {
            line: 0,
            reason: reason.to_owned(),
            what: String::new(),
            found: String::new(),
        };
        Self { refused: vec![line], ..Self::default() }
    }
}

/// The pages an edit is judged against.
pub(super) struct Pages<'a> {
    /// The one it was made from.
    pub base: &'a Page,
    /// The one that is drawn now.
    pub now: &'a Page,
    /// The scratchpad with what other edits have asked for already.
    pub scratch: &'a [String],
}

/// Whether a file can be read at all; one that cannot may be half written.
pub(super) fn readable(bytes: &[u8]) -> bool {
    read(bytes).is_ok()
}

/// Decides an edit.
pub(super) fn judge(pages: &Pages<'_>, bytes: &[u8], state: &State, at: At) -> Outcome {
    let Edits { progress, scratch, refused, .. } = compare(pages.base, pages.now, bytes);
    let mut outcome = Outcome::default();
    outcome.refused.extend(refused.into_iter().map(line));
    let mut copy = Copy::of(state, at);
    for change in progress {
        claim(change, &mut copy, &mut outcome);
    }
    if let Some(edit) = scratch {
        let merged = added(&merge_scratch(&pages.base.scratch, &edit, pages.scratch), &[]);
        if merged != pages.scratch {
            let text = merged.join("\n");
            outcome.scratch = Some(merged);
            let note = Command::Note { kind: NoteKind::Scratch, task: None, text };
            copy.ask("Scratchpad", 0, note, &mut outcome);
        }
    }
    outcome
}

fn line(refused: Refused) -> PageLine {
    let reason = refused.no.reason().to_owned();
    let (what, found) = match refused.no {
        No::Unparsable(why) => (why.word().to_owned(), refused.what),
        No::UseCommand | No::UseAmend | No::ViewOnly | No::TooLong => (refused.what, String::new()),
    };
    PageLine { line: refused.line, reason, what, found }
}

fn claim(change: Change, copy: &mut Copy, outcome: &mut Outcome) {
    let Change { line, task, status, odd, marked } = change;
    if let Some(odd) = odd {
        outcome.doubts.push(PageLine {
            line,
            reason: odd.word().to_owned(),
            what: status.said().to_owned(),
            found: marked,
        });
    }
    let command = Command::UpdateProgress { task: task.clone(), status, summary: None };
    copy.ask(&task, line, command, outcome);
}

/// A copy of a run on which commands are tried. Nothing of it is recorded.
pub(in super::super) struct Copy {
    state: State,
    at: At,
}

impl Copy {
    /// Of a run as it stands.
    pub(in super::super) fn of(state: &State, at: At) -> Self {
        Self { state: state.clone(), at }
    }

    /// Tries a command; one that changes nothing need not be asked for.
    pub(in super::super) fn ask(
        &mut self,
        what: &str,
        line: usize,
        command: Command,
        outcome: &mut Outcome,
    ) {
        let said = Said { by: By::File, at: self.at, command };
        match decide(&self.state, &said) {
            Ok(events) => {
                for event in &events {
                    evolve(&mut self.state, event, self.at);
                }
                if !events.is_empty() {
                    outcome.commands.push(said.command);
                }
            }
            Err(refusal) => outcome.refused.push(PageLine {
                line,
                reason: "refused".to_owned(),
                what: what.to_owned(),
                found: format!("lifecycle.{}", refusal.reason()),
            }),
        }
    }
}
