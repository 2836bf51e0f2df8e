//! The cases: what the model is made to do, what the agent is told, and how it has to end. A table
//! and its exceptions; judging is done elsewhere.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::cli::{Access, Cli};
use super::launch::Stop;

/// One case: scenarios of the server, and the launches of one conversation. One without launches is
/// a whole turn.
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
    /// Mentions in every place of a text where a CLI might look for one.
    Mentions,
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
    /// At once, because the session is not known; the model is never asked.
    Unknown,
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
const LONG: Duration = Duration::from_secs(240);
/// For whatever does not: several times what the slowest CLI needs to start.
const SHORT: Duration = Duration::from_secs(45);

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

/// The case that needs our own tools in the hands of the CLI.
pub const TOOLS: &str = "tools";

/// Whether a case can be played with a CLI: not all can be given a server of tools.
pub fn is_for(case: &Case, cli: Cli) -> bool {
    case.name != TOOLS || cli.takes_tools()
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
    case("no-headers", "no-headers+text", &[HANGS, MORE]),
    case("stall", "stall+text", &[HANGS, MORE]),
    case("kill-resume", "slow+text", &[KILLED, MORE]),
    case("long", "text", &[Leg { task: Task::Long, ..PLAIN }]),
    case("help", "text", &[says("--help")]),
    case("flag", "text", &[says("-x")]),
    case("bang", "text", &[says("!touch x")]),
    case("slash", "text", &[says("/clear")]),
    case("mention", "text", &[Leg { task: Task::Mention, ..PLAIN }]),
    case("mentions", "text", &[Leg { task: Task::Mentions, ..PLAIN }]),
    case("turn", "plan", &[]),
    case(TOOLS, "tools", &[]),
];

/// Where a CLI ends otherwise than the table says, with the pinned version: case, launch, CLI.
const EXCEPTIONS: &[(&str, usize, Cli, Want)] = &[
    // They wait as long as they are told to, or a minute, again and again.
    ("http429-after", 1, Cli::Codex, Want::Deadline),
    ("http429-after", 1, Cli::Qwen, Want::Deadline),
    ("http429", 1, Cli::Qwen, Want::Deadline),
    ("drop", 1, Cli::Qwen, Want::Deadline),
    // It forgets a conversation that failed before its first answer.
    ("fail-resume", 2, Cli::Gemini, Want::Unknown),
];

/// How a launch of a CLI, counted from 1, has to end.
pub fn want(case: &Case, number: usize, cli: Cli) -> Want {
    let this = |(name, launch, whose, _): &&(&str, usize, Cli, Want)| {
        *name == case.name && *launch == number && *whose == cli
    };
    let exception = EXCEPTIONS.iter().find(this).map(|(.., want)| *want);
    exception.unwrap_or_else(|| case.legs[number - 1].want)
}

/// How long a launch may take. Whatever ends only by our deadline need not be waited for.
pub fn wall(case: &Case, number: usize, cli: Cli) -> Duration {
    if want(case, number, cli) == Want::Deadline { SHORT } else { case.legs[number - 1].wall }
}

impl Task {
    /// The words, in a home where a file has been put that can be mentioned.
    pub fn words(self, home: &Path) -> String {
        match self {
            Self::Words(words) => words.to_owned(),
            Self::Long => long(),
            Self::Mention => format!("see @{}", home.join("hostname").display()),
            Self::Mentions => mentions(home),
        }
    }
}

/// Where a mention may stand; `P` is the path. A file a line, so that a request shows which one.
const PLACES: [&str; 15] = [
    "@P", "x@P", "x@P.", "(@P)", "\"@P\"", "@\"P\"", "中@P", "，@P", "\u{a0}@P", "@@P", "<@P>",
    "x:@P", "`@P`", "\\@P", "\\\\@P",
];

/// Each place twice: with a file of the work tree and with one outside.
fn mentions(home: &Path) -> String {
    let line = |(at, place): (usize, &&str)| {
        let outside = home.join(format!("hostname-{at}")).display().to_string();
        let inside = place.replace('P', &format!("noted-{at}.txt"));
        format!("{at}\n{inside}\n{}", place.replace('P', &outside))
    };
    PLACES.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// How many files a text may mention.
pub const MENTIONED: usize = PLACES.len();

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
        for (name, launch, ..) in EXCEPTIONS {
            let case = CASES.iter().find(|case| case.name == *name);
            assert!(case.is_some_and(|case| case.legs.len() >= *launch), "{name}");
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
