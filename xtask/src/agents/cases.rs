//! The cases: what the model is made to do, what the agent is told, and how it has to end. A table
//! and its exceptions; judging is done elsewhere.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::cli::{Access, Cli};
use super::launch::Stop;

/// One case: scenarios of the server, and the launches of one conversation.
pub struct Case {
    pub name: &'static str,
    pub scenarios: &'static str,
    pub legs: &'static [Leg],
}

/// One launch of a case. The second and later ones resume the session of the first.
pub struct Leg {
    pub task: Task,
    pub access: Access,
    pub wall: Duration,
    pub stop: Stop,
    pub want: Want,
    pub files: Files,
}

/// What the agent is told.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// These words.
    Words(&'static str),
    /// A long text with everything in it that a shell, an argument list or a decoder may spoil.
    Long,
    /// The name of a file outside the work tree, as a mention.
    Mention,
}

/// How it has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// With the scripted answer.
    Answered,
    /// With an error of its own.
    Failed,
    /// Only by our deadline.
    Deadline,
    /// By our SIGKILL.
    Killed,
}

/// What has to have become of the work tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Files {
    /// Nothing.
    Same,
    /// The file that the model wrote is there.
    Made,
    /// That one is there; what a command would have written only where commands are the one tool.
    MadeNotByShell,
    /// The mark of the endless command.
    Started,
}

/// For whatever ends by itself, on a busy machine.
const LONG: Duration = Duration::from_secs(150);
/// For whatever does not: several times what the slowest CLI needs to start.
const SHORT: Duration = Duration::from_secs(25);

const PLAIN: Leg = Leg {
    task: Task::Words("Say hello."),
    access: Access::Read,
    wall: LONG,
    stop: Stop::AtDeadline,
    want: Want::Answered,
    files: Files::Same,
};
const MORE: Leg = Leg { task: Task::Words("And once more."), ..PLAIN };
const FAILS: Leg = Leg { want: Want::Failed, ..PLAIN };
const HANGS: Leg = Leg { want: Want::Deadline, wall: SHORT, ..PLAIN };
const KILLED: Leg = Leg {
    access: Access::Full,
    stop: Stop::InMidTool,
    want: Want::Killed,
    files: Files::Started,
    ..PLAIN
};

const fn says(words: &'static str) -> Leg {
    Leg { task: Task::Words(words), ..PLAIN }
}

const fn case(name: &'static str, scenarios: &'static str, legs: &'static [Leg]) -> Case {
    Case { name, scenarios, legs }
}

/// Every case.
pub const CASES: &[Case] = &[
    case("new", "text", &[PLAIN]),
    case("resume", "text", &[PLAIN, MORE, MORE]),
    case("read", "edit-shell", &[PLAIN]),
    case("edit", "edit", &[Leg { access: Access::Edit, files: Files::Made, ..PLAIN }]),
    case(
        "edit-shell",
        "edit-shell",
        &[Leg { access: Access::Edit, files: Files::MadeNotByShell, ..PLAIN }],
    ),
    case("http401", "http401", &[FAILS]),
    case("http429", "http429", &[FAILS]),
    case("http429-after", "http429-after", &[FAILS]),
    case("http500", "http500", &[FAILS]),
    case("one500", "one500", &[PLAIN]),
    case("half", "half", &[FAILS]),
    case("html", "html", &[FAILS]),
    case("empty", "empty", &[FAILS]),
    case("drop", "drop", &[FAILS]),
    case("fail-resume", "http401+text", &[FAILS, MORE]),
    case("no-headers", "no-headers", &[HANGS]),
    case("stall", "stall", &[HANGS]),
    case("kill-resume", "slow+text", &[KILLED, MORE]),
    case("long", "text", &[Leg { task: Task::Long, ..PLAIN }]),
    case("help", "text", &[says("--help")]),
    case("flag", "text", &[says("-x")]),
    case("bang", "text", &[says("!touch x")]),
    case("slash", "text", &[says("/clear")]),
    case("mention", "text", &[Leg { task: Task::Mention, ..PLAIN }]),
];

/// Where a CLI ends otherwise than the table says, with the pinned version.
const EXCEPTIONS: &[(&str, Cli, Want)] = &[];

/// How a launch of a CLI has to end.
pub fn want(case: &Case, leg: &Leg, cli: Cli) -> Want {
    let found = EXCEPTIONS.iter().find(|(name, whose, _)| *name == case.name && *whose == cli);
    found.map_or(leg.want, |(.., want)| *want)
}

/// How long a launch may take. Whatever ends only by our deadline need not be waited for.
pub fn wall(case: &Case, leg: &Leg, cli: Cli) -> Duration {
    if want(case, leg, cli) == Want::Deadline { SHORT } else { leg.wall }
}

impl Task {
    /// The words, in a home where a file has been put that can be mentioned.
    pub fn words(self, home: &Path) -> String {
        match self {
            Self::Words(words) => words.to_owned(),
            Self::Long => long(),
            Self::Mention => format!("see @{}", home.join("hostname").display()),
        }
    }
}

/// 300 KiB is beyond what one argument of a program may hold.
const LONG_BYTES: usize = 300 << 10;

fn long() -> String {
    let mut text = String::from("Read this and say hello.\n");
    let mut line = 0_u32;
    while text.len() < LONG_BYTES {
        line += 1;
        writeln!(
            text,
            "{line}: 中文，日本語、한국어 \"double\" 'single' `touch x` $(touch x) ${{HOME}} %s \\n \
             \t tab    blanks a@b.example <b>&amp;</b> {{\"json\": [1]}} 🦀 é e\u{301}"
        )
        .expect("a string takes everything");
    }
    text.push_str("the end of it");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_exceptions_are_about_cases() {
        let mut names: Vec<_> = CASES.iter().map(|case| case.name).collect();
        for (name, ..) in EXCEPTIONS {
            assert!(names.contains(name), "{name}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CASES.len());
    }

    #[test]
    fn the_long_text_is_long() {
        assert!(long().len() > LONG_BYTES);
        assert!(long().len() < LONG_BYTES + (1 << 10));
    }
}
