//! How long a displaced edit is looked at before it is judged, and when its bytes may go. What it
//! means is the caller's to say; where its bytes are kept is [`Displaced`]'s.

use std::collections::BTreeSet;
use std::path::Path;

use super::displaced::{Displaced, Look, NotYet};
use super::lease::Writer;
use crate::redact::Redactor;

/// A half-written file is looked at again after this long.
pub const AGAIN_MS: u64 = 200;
/// Looks at a file that can't be read: one may have met a writer between two writes.
const UNREADABLE_LOOKS: u32 = 2;
/// Looks at a file that somebody keeps open for writing: five seconds, then it is moved aside, and
/// what is written later arrives there.
const OPEN_LOOKS: u32 = 25;

/// An edit on its way. It keeps its name on disk until its commands are durable or its bytes are
/// set aside.
#[derive(Debug)]
pub struct Pending {
    displaced: Displaced,
    base: Option<Vec<u8>>,
    looks: u32,
    stage: Stage,
}

/// How far an edit is.
#[derive(Debug)]
enum Stage {
    /// Not understood yet.
    Found,
    /// Its commands were handed out at this position of the run; later facts make them durable.
    Asked { bytes: Vec<u8>, seq: u64 },
}

/// Why an edit is refused without judging it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Too large, or no plain file.
    NoText,
    /// Somebody keeps it open for writing.
    Open,
}

/// What the caller says of an edit's bytes.
#[derive(Debug)]
pub enum Verdict<O> {
    /// It looks half written.
    Half,
    /// It is refused, at least in part.
    Refuse(O),
    /// It asks for nothing.
    Nothing,
    /// It asks for something.
    Ask(O),
}

/// What became of an edit.
#[derive(Debug)]
pub enum Fate<O> {
    /// Nothing is left of it.
    Gone,
    /// It is looked at again.
    Wait(Pending),
    /// Its commands are handed out; it stays until they are durable.
    Asked(Pending, O),
    /// It is refused, at least in part: keep its bytes and tell.
    Refused(Pending, O),
}

impl Pending {
    /// An edit, and what was drawn there before it, for one that does not say what it started from.
    pub const fn new(displaced: Displaced, base: Option<Vec<u8>>) -> Self {
        Self { displaced, base, looks: 0, stage: Stage::Found }
    }

    /// What was drawn there before.
    pub fn base(&self) -> Option<&[u8]> {
        self.base.as_deref()
    }

    /// Whether nobody has looked at it yet.
    pub const fn is_new(&self) -> bool {
        self.looks == 0
    }

    /// Whether its commands are handed out.
    pub const fn is_asked(&self) -> bool {
        matches!(self.stage, Stage::Asked { .. })
    }

    /// Whether it may still be half written, so that bytes that can't be read are no edit yet.
    pub const fn may_be_half(&self) -> bool {
        self.looks < UNREADABLE_LOOKS
    }

    /// Looks at it. `seq` is where its run stands; `judge` sees bytes that nobody writes any more
    /// and that are not what was drawn.
    pub fn settle<O>(
        mut self,
        seq: u64,
        unfit: impl FnOnce(Unfit) -> O,
        judge: impl FnOnce(&Self, &[u8]) -> Verdict<O>,
    ) -> Fate<O> {
        if let Stage::Asked { bytes, seq: asked } = &self.stage {
            if seq <= *asked {
                return Fate::Wait(self);
            }
            let bytes = bytes.clone();
            return self.remove(&bytes);
        }
        self.looks += 1;
        let (bytes, writer) = match self.displaced.look() {
            Ok(Look::Bytes { bytes, writer }) => (bytes, writer),
            Ok(Look::TooLarge | Look::NotAFile) => {
                return Fate::Refused(self, unfit(Unfit::NoText));
            }
            Err(_) if self.may_be_half() => return Fate::Wait(self),
            // Unreadable now; it stays where it is and is found again at the next start.
            Err(_) => return Fate::Gone,
        };
        if writer == Writer::Open {
            return match self.looks < OPEN_LOOKS {
                true => Fate::Wait(self),
                false => Fate::Refused(self, unfit(Unfit::Open)),
            };
        }
        if self.base() == Some(&bytes[..]) {
            return self.remove(&bytes);
        }
        match judge(&self, &bytes) {
            Verdict::Half => Fate::Wait(self),
            Verdict::Refuse(outcome) => Fate::Refused(self, outcome),
            Verdict::Nothing => self.remove(&bytes),
            Verdict::Ask(outcome) => {
                self.stage = Stage::Asked { bytes, seq };
                Fate::Asked(self, outcome)
            }
        }
    }

    /// Whether a line that was not there before holds a secret: what is taken in is recorded.
    pub fn adds_secret(&self, bytes: &[u8], redactor: &Redactor) -> bool {
        let lines = |bytes| <[u8]>::split(bytes, |byte| *byte == b'\n');
        let known: BTreeSet<&[u8]> = lines(self.base().unwrap_or_default()).collect();
        lines(bytes).any(|line| !known.contains(line) && redactor.redact(line) != line)
    }

    /// Keeps its bytes among the refused ones of a run. Answers where they are, seen from the loop
    /// directory; none if it can't be moved: it stays under the name it has, and is found at the
    /// next start.
    pub fn refuse(self, loop_dir: &Path, run: &str, seq: u64, view: &str) -> Option<String> {
        let kept = self.displaced.refuse(&loop_dir.join("refused"), run, seq, view).ok()?;
        Some(kept.strip_prefix(loop_dir).unwrap_or(&kept).to_string_lossy().into_owned())
    }

    /// Removes bytes that are ours or taken in; if they have changed, it is another edit.
    fn remove<O>(self, bytes: &[u8]) -> Fate<O> {
        match self.displaced.taken_in(bytes) {
            Ok(()) => Fate::Gone,
            Err(NotYet(displaced)) => Fate::Wait(Self { displaced, stage: Stage::Found, ..self }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};

    use super::*;

    fn pending(dir: &Path, bytes: &[u8], base: &[u8]) -> Pending {
        let path = dir.join("page.displaced");
        fs::write(&path, bytes).unwrap();
        Pending::new(Displaced::at(path), Some(base.to_vec()))
    }

    fn told(fate: &Fate<&'static str>) -> String {
        match fate {
            Fate::Gone => "gone".to_owned(),
            Fate::Wait(edit) => format!("wait, asked {}", edit.is_asked()),
            Fate::Asked(_, what) => format!("asked {what}"),
            Fate::Refused(_, what) => format!("refused {what}"),
        }
    }

    fn unfit(why: Unfit) -> &'static str {
        match why {
            Unfit::NoText => "no text",
            Unfit::Open => "open",
        }
    }

    fn judge(edit: &Pending, bytes: &[u8]) -> Verdict<&'static str> {
        match bytes {
            b"half" if edit.may_be_half() => Verdict::Half,
            b"half" => Verdict::Refuse("half"),
            b"nothing" => Verdict::Nothing,
            _ => Verdict::Ask("done"),
        }
    }

    #[test]
    fn each_look_by_what_is_found() {
        let table = [
            ("drawn", "drawn", vec!["gone"]),
            ("nothing", "drawn", vec!["gone"]),
            ("half", "drawn", vec!["wait, asked false", "refused half"]),
            ("mark", "drawn", vec!["asked done", "wait, asked true"]),
        ];
        for (bytes, base, expected) in table {
            let dir = tempfile::tempdir().unwrap();
            let mut edit = Some(pending(dir.path(), bytes.as_bytes(), base.as_bytes()));
            for expected in expected {
                let fate = edit.take().expect(expected).settle(7, unfit, judge);
                assert_eq!(told(&fate), expected, "{bytes}");
                edit = match fate {
                    Fate::Gone => None,
                    Fate::Wait(edit) | Fate::Asked(edit, _) | Fate::Refused(edit, _) => Some(edit),
                };
            }
            let there = dir.path().join("page.displaced").exists();
            assert_eq!(there, edit.is_some(), "{bytes}: only what is gone may be off the disk");
        }
    }

    #[test]
    fn invariant_what_was_asked_goes_once_it_is_durable_and_unchanged() {
        for (later, expected) in [("mark", "gone"), ("mark again", "wait, asked false")] {
            let dir = tempfile::tempdir().unwrap();
            let Fate::Asked(edit, _) = pending(dir.path(), b"mark", b"").settle(7, unfit, judge)
            else {
                panic!("it asks");
            };
            fs::write(dir.path().join("page.displaced"), later).unwrap();
            assert_eq!(told(&edit.settle(8, unfit, judge)), expected);
        }
    }

    #[test]
    fn a_file_that_stays_open_is_set_aside_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let mut edit = pending(dir.path(), b"mark", b"");
        let _writer = OpenOptions::new().append(true).open(edit.displaced.path()).unwrap();
        for _ in 1..OPEN_LOOKS {
            let Fate::Wait(again) = edit.settle(7, unfit, judge) else { panic!("it is open") };
            edit = again;
        }
        let fate = edit.settle(7, unfit, judge);
        assert_eq!(told(&fate), "refused open");
        let Fate::Refused(edit, _) = fate else { panic!("refused") };
        let kept = edit.refuse(dir.path(), "run", 7, "page").expect("kept");
        assert_eq!(fs::read(dir.path().join(kept)).unwrap(), b"mark");
    }

    #[test]
    fn what_is_no_text_is_refused_and_what_is_not_there_is_waited_for_once() {
        let dir = tempfile::tempdir().unwrap();
        let edit = Pending::new(Displaced::at(dir.path().to_owned()), None);
        assert_eq!(told(&edit.settle(7, unfit, judge)), "refused no text");
        let edit = Pending::new(Displaced::at(dir.path().join("missing")), None);
        let Fate::Wait(edit) = edit.settle(7, unfit, judge) else { panic!("once more") };
        assert_eq!(told(&edit.settle(7, unfit, judge)), "gone");
    }
}
