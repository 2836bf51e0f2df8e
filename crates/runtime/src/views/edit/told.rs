//! What an edit comes to: commands, in order, and refusals. Changes are collected one by one, each
//! tried first, so that one that does not fit takes no other down with it.

use kernel::loops::{Change, Command, EndedAction, Report};

use super::super::notice::{Line, Owner, Reason};
use super::scratch::Scratch;

/// What an edit asks for. The host makes commands of them: a start needs settings and checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// An outside skill takes the loop.
    StartExternal,
    /// The loop is said to be done; the engine validates first.
    Complete,
    /// A command as it is.
    Command(Box<Command>),
}

/// What an edit comes to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Outcome {
    pub wishes: Vec<Wish>,
    pub refused: Vec<Line>,
}

impl Outcome {
    pub(super) fn refuse(&mut self, path: &str, reason: Reason, owner: Owner, command: String) {
        self.refused.push(Line { path: path.into(), reason, owner, command });
    }

    /// The whole edit refused for one reason.
    pub(in super::super) fn whole(path: &str, reason: Reason, owner: Owner) -> Self {
        let mut outcome = Self::default();
        outcome.refuse(path, reason, owner, String::new());
        outcome
    }
}

/// The parts of one report, collected.
#[derive(Debug, Default)]
pub(super) struct Told {
    rev: Option<u64>,
    /// What can be said of the loop as it is.
    first: Vec<Change>,
    /// What is about things that the first part adds.
    second: Vec<Change>,
    ended: Vec<EndedAction>,
    commands: Vec<Command>,
    /// Fields the state does not keep; they still show that the author is at work.
    alive: bool,
}

impl Told {
    pub(super) fn new(rev: Option<u64>) -> Self {
        Self { rev, ..Self::default() }
    }

    /// A change of the loop as it is.
    pub(super) fn change(&mut self, scratch: &mut Scratch, change: Change) -> Result<(), Reason> {
        scratch.report(self.report(vec![change.clone()], vec![]))?;
        self.first.push(change);
        Ok(())
    }

    /// A change of something that this report itself adds.
    pub(super) fn then(&mut self, scratch: &mut Scratch, change: Change) -> Result<(), Reason> {
        scratch.report(self.report(vec![change.clone()], vec![]))?;
        self.second.push(change);
        Ok(())
    }

    /// An action that ended.
    pub(super) fn end(&mut self, scratch: &mut Scratch, ended: EndedAction) -> Result<(), Reason> {
        scratch.report(self.report(vec![], vec![ended.clone()]))?;
        self.ended.push(ended);
        Ok(())
    }

    /// A command beside the report.
    pub(super) fn command(&mut self, scratch: &mut Scratch, said: Command) -> Result<(), Reason> {
        scratch.say(said.clone())?;
        self.commands.push(said);
        Ok(())
    }

    /// A sign of life; one whose loop is over gives none.
    pub(super) fn alive(&mut self, scratch: &mut Scratch) -> Result<(), Reason> {
        scratch.report(self.report(vec![], vec![]))?;
        self.alive = true;
        Ok(())
    }

    /// Whether anything was said that the loop takes in.
    pub(super) const fn says_something(&self) -> bool {
        !self.first.is_empty()
            || !self.second.is_empty()
            || !self.ended.is_empty()
            || !self.commands.is_empty()
    }

    /// The commands, in the order they were tried.
    pub(super) fn wishes(self) -> Vec<Wish> {
        let rev = self.rev;
        let report = |changes, ended| {
            let report = Report { runner: None, base_rev: rev, changes, ended };
            Command::Report(Box::new(report))
        };
        let mut commands = Vec::new();
        let more = !self.second.is_empty() || !self.ended.is_empty();
        if !self.first.is_empty() || (self.alive && !more) {
            commands.push(report(self.first, vec![]));
        }
        commands.extend(self.commands);
        if more {
            commands.push(report(self.second, self.ended));
        }
        commands.into_iter().map(|command| Wish::Command(Box::new(command))).collect()
    }

    fn report(&self, changes: Vec<Change>, ended: Vec<EndedAction>) -> Report {
        Report { runner: None, base_rev: self.rev, changes, ended }
    }
}
