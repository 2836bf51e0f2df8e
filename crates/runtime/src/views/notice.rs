//! What people are told without being asked: of an edit that was not taken in, of an agent that is
//! silent, of one that said what it may not. Kept until their commands ask. The words are the
//! catalogue's; here are only facts.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::context::PageTold;
use super::word::Word;
use crate::words::{Lang, say};

/// Notices kept: people look at the newest; the refused bytes themselves have their own place.
pub const NOTICES_KEPT: usize = 200;
/// Refused paths named in one notice; a garbage file could name thousands.
pub const LINES_MAX: usize = 20;
/// The file grows to this many kept lengths before it is cut, so that most notices only append.
const CUT_FACTOR: usize = 2;

/// Why a change was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The field belongs to somebody else.
    Owned,
    /// It moved meanwhile, or its state does not allow it.
    Conflict,
    /// The engine drives this loop, so an outside skill may not say this.
    EngineDrives,
    /// It can't be read or does not fit.
    Invalid,
    /// It holds a secret, which must not be recorded.
    Secret,
    /// Nothing was refused: the view could not be drawn.
    NotDrawn,
    /// Nothing was refused: of lines that were lost only samples are left.
    Samples,
}

/// Who may change a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// People, by command.
    Control,
    /// Whoever drives the actions.
    Skill,
    /// The engine computes it.
    Engine,
}

/// One change that was not taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Which field, or which line.
    pub path: String,
    /// Why not.
    pub reason: Reason,
    /// Who may.
    pub owner: Owner,
    /// The command to use instead; empty if there is none.
    pub command: String,
}

/// What people are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// The loop.
    pub loop_id: String,
    /// The code of its first reason.
    pub code: String,
    /// The view, as seen from the loop directory.
    pub file: String,
    /// Where the refused bytes are, as seen from the loop directory.
    pub kept: Option<String>,
    /// What was refused, at most [`LINES_MAX`].
    pub lines: Vec<Line>,
    /// How many more were.
    pub more: usize,
    /// Someone who says nothing, where that is what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Silent>,
    /// What an agent said and may not, where that is what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tried: Option<Tried>,
    /// What became of an edit of a page of working memory, where that is what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageTold>,
    /// What was heard and is in no record, where that is what it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub word: Option<Word>,
    /// When it was kept; 0 before that.
    #[serde(default)]
    pub at_ms: u64,
}

/// What a process below a shim said at a door and was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Its call; empty where it could not be seen.
    pub call: String,
    /// What it said.
    pub word: String,
    /// The run it said it to; empty where there is none.
    pub to: String,
}

/// A participant that has said nothing for long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silent {
    /// The participant.
    pub participant: String,
    /// For how long.
    pub silent_ms: u64,
}

impl Reason {
    /// Its word, as pages name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Owned => "owned",
            Self::Conflict => "conflict",
            Self::EngineDrives => "engine_drives",
            Self::Invalid => "invalid",
            Self::Secret => "secret",
            Self::NotDrawn => "not_drawn",
            Self::Samples => "samples",
        }
    }

    /// The code that explains it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Owned => "loop.owned",
            Self::Conflict => "loop.conflict",
            Self::EngineDrives => "loop.engine_drives",
            Self::Invalid | Self::Secret => "loop.invalid_args",
            Self::NotDrawn | Self::Samples => "E_IO",
        }
    }
}

impl Owner {
    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Skill => "skill",
            Self::Engine => "engine",
        }
    }
}

impl Notice {
    /// A notice about these changes of one view.
    pub(super) fn new(loop_id: &str, file: String, kept: Option<String>, lines: Vec<Line>) -> Self {
        let code = lines.first().map_or(Reason::Invalid, |line| line.reason).code().to_owned();
        let more = lines.len().saturating_sub(LINES_MAX);
        let mut lines = lines;
        lines.truncate(LINES_MAX);
        let loop_id = loop_id.to_owned();
        Self {
            loop_id,
            code,
            file,
            kept,
            lines,
            more,
            silence: None,
            tried: None,
            page: None,
            word: None,
            at_ms: 0,
        }
    }

    /// A notice about an edit of a page of working memory.
    pub(super) fn of_page(run: &str, file: String, kept: Option<String>, page: PageTold) -> Self {
        let nothing = Self::new(run, file, kept, Vec::new());
        Self { code: page.code(), page: Some(page), ..nothing }
    }

    /// A notice that somebody who is no person said what only a person may.
    #[must_use]
    pub fn tried(run: &str, code: String, tried: Tried) -> Self {
        let nothing = Self::new(run, String::new(), None, Vec::new());
        Self { code, tried: Some(tried), ..nothing }
    }

    /// A notice that a participant of a collab says nothing. It is no question: the run goes on.
    #[must_use]
    pub fn silent(run: &str, participant: &str, silent_ms: u64) -> Self {
        let silence = Some(Silent { participant: participant.to_owned(), silent_ms });
        let nothing = Self::new(run, String::new(), None, Vec::new());
        Self { code: String::new(), silence, ..nothing }
    }

    /// A notice of what was heard about a run and is in no record.
    #[must_use]
    pub fn heard(run: &str, word: Word) -> Self {
        let nothing = Self::new(run, String::new(), None, Vec::new());
        Self { code: String::new(), word: Some(word), ..nothing }
    }

    /// What happened, in words.
    #[must_use]
    pub fn message(&self, lang: Lang) -> String {
        if let Some(word) = &self.word {
            return word.message(&self.loop_id, lang);
        }
        if let Some(Silent { participant, silent_ms }) = &self.silence {
            let seconds = silent_ms / 1000;
            let args: [(&str, &dyn std::fmt::Display); 3] =
                [("id", &self.loop_id), ("name", participant), ("seconds", &seconds)];
            return say(lang, "collab-silent", &args);
        }
        if let Some(Tried { call, word, to }) = &self.tried {
            let said = format!("{word} {to}");
            let args: [(&str, &dyn std::fmt::Display); 3] =
                [("call", call), ("said", &said.trim_end()), ("code", &self.code)];
            let key = if call.is_empty() { "view-tried-unseen" } else { "view-tried" };
            return say(lang, key, &args);
        }
        if let Some(page) = &self.page {
            return page.message(&self.file, lang);
        }
        let mut parts: Vec<String> = self.lines.iter().map(|line| line.text(lang)).collect();
        if self.more > 0 {
            parts.push(say(lang, "view-more", &[("n", &self.more)]));
        }
        let what = parts.join(&say(lang, "view-and", &[]));
        say(lang, "view-notice", &[("file", &self.file), ("what", &what)])
    }

    /// What to do, in words.
    #[must_use]
    pub fn next_step(&self, lang: Lang) -> String {
        if let Some(word) = &self.word {
            return word.next_step(lang);
        }
        if let Some(Silent { participant, .. }) = &self.silence {
            let args: [(&str, &dyn std::fmt::Display); 2] =
                [("id", &self.loop_id), ("name", participant)];
            return say(lang, "collab-silent-next", &args);
        }
        if let Some(Tried { call, .. }) = &self.tried {
            let key = if call.is_empty() { "view-tried-unseen-next" } else { "view-tried-next" };
            return say(lang, key, &[("call", call)]);
        }
        let command = self.lines.iter().find(|line| !line.command.is_empty());
        let mut text = match (&self.page, command) {
            (Some(page), _) => page.next_step(&self.loop_id, lang),
            (None, Some(line)) => say(lang, "view-next-command", &[("command", &line.command)]),
            (None, None) => say(lang, "view-next-look", &[("id", &self.loop_id)]),
        };
        if let Some(kept) = &self.kept {
            text.push(' ');
            text.push_str(&say(lang, "view-next-kept", &[("kept", kept)]));
        }
        text
    }
}

impl Line {
    fn text(&self, lang: Lang) -> String {
        let key = format!("view-reason-{}", self.reason.word());
        let owner = say(lang, &format!("view-owner-{}", self.owner.word()), &[]);
        let why = say(lang, &key, &[]);
        say(lang, "view-line", &[("path", &self.path), ("why", &why), ("owner", &owner)])
    }
}

fn place(loop_dir: &Path) -> PathBuf {
    loop_dir.join("cache").join("notices.jsonl")
}

/// Keeps a notice for people's commands. It is a courtesy of ours: a disk that refuses it stops no
/// work, and the refused bytes are safe without it.
pub fn keep_notice(loop_dir: &Path, notice: &Notice) {
    let path = place(loop_dir);
    let at_ms = jiff::Timestamp::now().as_millisecond();
    let stamped = Notice { at_ms: u64::try_from(at_ms).unwrap_or(0), ..notice.clone() };
    let Ok(line) = serde_json::to_string(&stamped) else { return };
    let written = || -> std::io::Result<()> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(loop_dir.join("cache"))?;
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&path)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        cut(&path)
    };
    // Told by nobody: there is nowhere left to tell it.
    let _ = written();
}

fn cut(path: &Path) -> std::io::Result<()> {
    let text = fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().collect();
    if lines.len() < NOTICES_KEPT * CUT_FACTOR {
        return Ok(());
    }
    let kept: String =
        lines[lines.len() - NOTICES_KEPT..].iter().map(|line| format!("{line}\n")).collect();
    let fresh = path.with_extension("jsonl.new");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    file.write_all(kept.as_bytes())?;
    fs::rename(&fresh, path)
}

/// The kept notices of a run, oldest first. A torn line is passed over.
#[must_use]
pub fn notices(loop_dir: &Path, run: &str) -> Vec<Notice> {
    let mut all = all_notices(loop_dir);
    all.retain(|notice| notice.loop_id == run);
    all
}

/// The kept notices of all runs, oldest first.
#[must_use]
pub fn all_notices(loop_dir: &Path) -> Vec<Notice> {
    let text = fs::read_to_string(place(loop_dir)).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(NOTICES_KEPT)..]
        .iter()
        .filter_map(|line| serde_json::from_str::<Notice>(line).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, reason: Reason) -> Line {
        let command = "loopwright loop edit loop-a".into();
        Line { path: path.into(), reason, owner: Owner::Control, command }
    }

    #[test]
    fn the_newest_notices_of_a_run_are_found_again() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(notices(dir.path(), "loop-a"), []);
        for n in 0..NOTICES_KEPT * CUT_FACTOR + 3 {
            let lines = vec![line(&format!("p{n}"), Reason::Owned)];
            keep_notice(dir.path(), &Notice::new("loop-a", "loop-a.json".into(), None, lines));
        }
        let lines = vec![line("b", Reason::Invalid)];
        keep_notice(dir.path(), &Notice::new("loop-b", "loop-b.json".into(), None, lines));
        let found = notices(dir.path(), "loop-a");
        assert_eq!(found.len(), NOTICES_KEPT - 1);
        assert_eq!(found.last().unwrap().lines[0].path, "p402");
        assert!(found[0].at_ms > 0);
        assert_eq!(notices(dir.path(), "loop-b")[0].code, "loop.invalid_args");
    }

    #[test]
    fn a_silence_is_kept_with_the_ways_to_go_on() {
        let dir = tempfile::tempdir().unwrap();
        keep_notice(dir.path(), &Notice::silent("collab-a", "codex", 46_000));
        let found = notices(dir.path(), "collab-a");
        assert_eq!(found.len(), 1);
        for lang in Lang::ALL {
            let text = found[0].message(lang);
            assert!(text.contains("codex") && text.contains("46"), "{text}");
            let next = found[0].next_step(lang);
            for command in ["extend collab-a", "cancel collab-a codex", "cancel collab-a`"] {
                assert!(next.contains(command), "{next}");
            }
        }
    }

    #[test]
    fn a_notice_names_path_reason_owner_and_next_step() {
        let lines = (0..LINES_MAX + 2).map(|n| line(&format!("f{n}"), Reason::Owned)).collect();
        let notice = Notice::new("loop-a", "loop-a.json".into(), Some("refused/x".into()), lines);
        for lang in Lang::ALL {
            let text = notice.message(lang);
            assert!(text.contains("loop-a.json") && text.contains("f19") && text.contains('2'));
            assert!(!text.contains("f20"), "{text}");
            let next = notice.next_step(lang);
            assert!(next.contains("loopwright loop edit loop-a") && next.contains("refused/x"));
        }
    }
}
