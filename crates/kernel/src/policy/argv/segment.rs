//! A command taken apart into what it really runs: the command itself and, inside `sudo`, `env`,
//! `find -exec` and their like, the command within. What of it is risky or allowed is not said.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::Serialize;

use super::inline;
use super::shell;
use super::unwrap::{self, Inside};

/// More commands in one request than this are no longer looked at one by one.
pub const SEGMENTS_MAX: usize = 50;
/// Wrappers in wrappers: deeper than this nobody writes by hand.
pub const NEST_MAX: usize = 8;

/// Wrappers that name nothing of their own but variables.
const WRAPPERS: [&str; 8] =
    ["sudo", "doas", "env", "nohup", "setsid", "busybox", "xargs", "command"];

/// What a segment is to the command as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A command of its own.
    Command,
    /// It only runs what is inside it, so what is inside speaks for it.
    Carrier,
    /// It runs what is inside it in another way: another user, environment, place or host.
    Changer,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Segment {
    /// Program and arguments.
    pub words: Vec<String>,
    /// What it is to the whole.
    pub role: Role,
    /// The program its output goes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<String>,
}

/// Why a command cannot be seen through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Opaque {
    /// A text for a shell.
    Script,
    /// A program written out in an argument.
    Inline,
    /// An option names a program to run.
    NamesProgram,
    /// Its words come from elsewhere when it runs.
    Dynamic,
    /// Its own flags are not understood, so what it runs is not known.
    Unparsed,
    /// Wrappers in wrappers, too deep.
    TooDeep,
    /// Too many commands.
    TooMany,
    /// A word holds NUL.
    Nul,
}

impl Opaque {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Inline => "inline",
            Self::NamesProgram => "names_program",
            Self::Dynamic => "dynamic",
            Self::Unparsed => "unparsed",
            Self::TooDeep => "too_deep",
            Self::TooMany => "too_many",
            Self::Nul => "nul",
        }
    }
}

/// A text that is dangerous as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bomb {
    /// It is none.
    #[default]
    No,
    /// A function that pipes into itself.
    Fork,
}

/// A command taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// Every command in it, the outermost first.
    pub segments: Vec<Segment>,
    /// Why it cannot be seen through; empty if it can.
    pub opaque: Vec<Opaque>,
    /// Whether a text in it is a bomb.
    pub bomb: Bomb,
}

/// Takes an argument vector apart.
#[must_use]
pub fn of_argv(argv: &[String]) -> Parsed {
    let mut parsed = Parsed::default();
    parsed.take(argv, None, 0);
    parsed.settle()
}

/// Takes a script apart. It stays opaque, whatever is seen in it.
#[must_use]
pub fn of_script(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    parsed.text(text, 0);
    parsed.settle()
}

impl Parsed {
    fn settle(mut self) -> Self {
        self.opaque.sort();
        self.opaque.dedup();
        self
    }

    fn take(&mut self, words: &[String], into: Option<String>, depth: usize) {
        if words.first().is_none_or(String::is_empty) {
            return self.opaque.push(Opaque::Unparsed);
        }
        if words.iter().any(|word| word.contains('\0')) {
            self.opaque.push(Opaque::Nul);
        }
        if depth > NEST_MAX {
            return self.opaque.push(Opaque::TooDeep);
        }
        if self.segments.len() >= SEGMENTS_MAX {
            return self.opaque.push(Opaque::TooMany);
        }
        let Inside { role, commands, texts, opaque } = unwrap::inside(words);
        self.opaque.extend(opaque);
        self.opaque.extend(inline::opaque(words));
        self.segments.push(Segment { words: words.to_vec(), role, into });
        for command in commands {
            self.take(&command, None, depth + 1);
        }
        for text in texts {
            self.text(&text, depth + 1);
        }
    }

    fn text(&mut self, text: &str, depth: usize) {
        self.opaque.push(Opaque::Script);
        if text.contains('\0') {
            self.opaque.push(Opaque::Nul);
        }
        if shell::is_fork_bomb(text) {
            self.bomb = Bomb::Fork;
        }
        for command in shell::commands(text).unwrap_or_default() {
            if self.segments.len() >= SEGMENTS_MAX {
                return self.opaque.push(Opaque::TooMany);
            }
            self.take(&command.words, command.into, depth);
        }
    }

    /// Whether a rule may allow it at all.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.opaque.is_empty() && self.bomb == Bomb::No
    }

    /// The programs of all its commands, by bare name.
    pub fn programs(&self) -> impl Iterator<Item = String> + '_ {
        self.segments.iter().map(Segment::program)
    }
}

impl Segment {
    /// Its program's bare name.
    #[must_use]
    pub fn program(&self) -> String {
        self.words.first().map(|word| super::flags::base_name(word)).unwrap_or_default()
    }

    /// Whether everything it names is named by the command inside it as well.
    #[must_use]
    pub fn only_wraps(&self) -> bool {
        match self.role {
            Role::Command => false,
            Role::Carrier => true,
            Role::Changer => WRAPPERS.contains(&self.program().as_str()),
        }
    }

    /// A word of it by number, empty if there is none.
    #[must_use]
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// Its words in one line, for people.
    #[must_use]
    pub fn line(&self) -> String {
        let quote = |word: &String| {
            let plain = |c: char| c.is_alphanumeric() || "_./=,:@%+-".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                word.to_string()
            } else {
                alloc::format!("'{}'", word.replace('\'', "'\\''"))
            }
        };
        self.words.iter().map(quote).collect::<Vec<_>>().join(" ")
    }
}
