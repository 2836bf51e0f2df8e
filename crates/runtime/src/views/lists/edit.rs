//! Edits of running lists that drawings displaced, until they are settled: what each claims was
//! tried on a copy of the run, and what is not a mark is refused.

use kernel::lifecycle::{Command, Status};
use kernel::machine::At;
use kernel::packages::tasks::Tasks;
use kernel::packages::{self, Text, XMeans, claims};

use super::keeper::Driver;
use crate::view_file::{Displaced, Pending, Unfit, Verdict};
use crate::views::PageLine;
use crate::views::context::{Copy, Outcome};

/// One displaced edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub run: String,
    pub way: Pending,
}

/// A list as it is read while it is run.
pub(super) fn read(bytes: &[u8]) -> Option<Tasks> {
    // Picking it made its marks ours.
    Some(Tasks::read(Text::read(bytes).ok()?, XMeans::Failed))
}

/// The mark of a task that stands so.
pub(super) const fn mark_of(status: Status) -> packages::Status {
    match status {
        Status::Pending | Status::InProgress => packages::Status::Pending,
        Status::Done => packages::Status::Completed,
        Status::Failed => packages::Status::Failed,
        Status::Blocked => packages::Status::Uncertain,
        Status::Skipped => packages::Status::Skipped,
    }
}

/// What a mark says of its task.
const fn claimed(status: packages::Status) -> Status {
    match status {
        packages::Status::Pending => Status::Pending,
        packages::Status::Completed => Status::Done,
        packages::Status::Failed => Status::Failed,
        packages::Status::Skipped => Status::Skipped,
        packages::Status::Uncertain => Status::Blocked,
    }
}

impl Edit {
    pub(super) const fn new(run: String, displaced: Displaced, base: Vec<u8>) -> Self {
        Self { run, way: Pending::new(displaced, Some(base)) }
    }
}

/// What is refused unread.
pub(super) fn unfit(why: Unfit) -> Outcome {
    Outcome::whole(match why {
        Unfit::NoText => "view_only",
        Unfit::Open => "conflict",
    })
}

/// What it means that somebody changed the list so.
pub(super) fn verdict(
    edit: &Pending,
    bytes: &[u8],
    driver: &Driver<'_>,
    at: At,
) -> Verdict<Outcome> {
    match judge(edit.base().unwrap_or_default(), bytes, driver, at) {
        None => Verdict::Refuse(Outcome::whole("use_amend")),
        Some(outcome) if !outcome.refused.is_empty() => Verdict::Refuse(outcome),
        Some(outcome) if outcome.commands.is_empty() => Verdict::Nothing,
        Some(outcome) => Verdict::Ask(outcome),
    }
}

/// What an edit comes to; none where it can't be read.
fn judge(base: &[u8], edit: &[u8], driver: &Driver<'_>, at: At) -> Option<Outcome> {
    let found = claims(&read(base)?, &read(edit)?);
    let mut outcome = Outcome::default();
    let amend = |line: usize, what: &str| PageLine {
        line,
        reason: "use_amend".to_owned(),
        what: what.to_owned(),
        found: String::new(),
    };
    match driver {
        Driver::Lifecycle(state) => {
            let mut copy = Copy::of(state, at);
            for claim in &found.marks {
                let (task, status) = (claim.task.clone(), claimed(claim.status));
                let command = Command::UpdateProgress { task, status, summary: None };
                copy.ask(&claim.task, claim.line, command, &mut outcome);
            }
        }
        // Its tasks are done when all of it is validated: nobody's word changes that.
        Driver::Loop => {
            outcome.refused.extend(found.marks.iter().map(|claim| amend(claim.line, &claim.task)));
        }
    }
    outcome.refused.extend(found.more.map(|line| amend(line, "tasks.md")));
    Some(outcome)
}
