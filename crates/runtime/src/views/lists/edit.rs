//! Edits of running lists that drawings displaced, until they are settled: what each claims was
//! tried on a copy of the run, and what is not a mark is refused.

use kernel::lifecycle::{Command, Status};
use kernel::machine::At;
use kernel::packages::tasks::Tasks;
use kernel::packages::{self, Text, XMeans, claims};

use super::keeper::Driver;
use crate::view_file::{Displaced, Look, NotYet, Writer};
use crate::views::PageLine;
use crate::views::context::{Copy, Outcome};

/// A half-written file is looked at again after this long.
pub(super) const AGAIN_MS: u64 = 200;
/// Looks at a file that somebody keeps open for writing: five seconds, then it is moved aside, and
/// what is written later arrives there.
const OPEN_LOOKS: u32 = 25;

/// One displaced edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub run: String,
    pub displaced: Displaced,
    /// What was drawn there before.
    pub base: Vec<u8>,
    pub looks: u32,
    /// The bytes whose claims were handed out, and the position of the run then; later facts make
    /// them durable.
    pub asked: Option<(Vec<u8>, u64)>,
}

/// What became of an edit.
pub(super) enum Fate {
    /// Nothing is left of it.
    Gone,
    /// It is looked at again.
    Wait(Edit),
    /// Its commands are handed out; it stays until they are durable.
    Asked(Edit, Outcome),
    /// It is refused, at least in part: keep its bytes and tell.
    Refused(Edit, Outcome),
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
    /// Looks at it.
    pub(super) fn settle(mut self, driver: &Driver<'_>, seq: u64, at: At) -> Fate {
        if let Some((bytes, asked)) = &self.asked {
            if seq <= *asked {
                return Fate::Wait(self);
            }
            let bytes = bytes.clone();
            return self.remove(&bytes);
        }
        self.looks += 1;
        let (bytes, writer) = match self.displaced.look() {
            Ok(Look::Bytes { bytes, writer }) => (bytes, writer),
            Ok(Look::TooLarge | Look::NotAFile) => return self.whole("view_only"),
            // Unreadable now; it stays where it is and is found again at the next start.
            Err(_) => return Fate::Gone,
        };
        if writer == Writer::Open {
            return match self.looks < OPEN_LOOKS {
                true => Fate::Wait(self),
                false => self.whole("conflict"),
            };
        }
        if self.base == bytes {
            return self.remove(&bytes);
        }
        let Some(outcome) = judge(&self.base, &bytes, driver, at) else {
            return self.whole("use_amend");
        };
        if !outcome.refused.is_empty() {
            return Fate::Refused(self, outcome);
        }
        if outcome.commands.is_empty() {
            return self.remove(&bytes);
        }
        self.asked = Some((bytes, seq));
        Fate::Asked(self, outcome)
    }

    fn whole(self, reason: &str) -> Fate {
        Fate::Refused(self, Outcome::whole(reason))
    }

    /// Removes bytes that are ours or taken in; if they have changed, it is another edit.
    fn remove(self, bytes: &[u8]) -> Fate {
        match self.displaced.taken_in(bytes) {
            Ok(()) => Fate::Gone,
            Err(NotYet(displaced)) => Fate::Wait(Self { displaced, asked: None, ..self }),
        }
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
