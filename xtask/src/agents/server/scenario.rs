//! What the model does with a task: a name in the base URL, a list of steps, or a fault. One name
//! for each task of a conversation, joined by `+`; the last one holds for all that follow.

use std::path::Path;

use super::talk::Task;

/// How the model, or the way to it, behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// Answers with text.
    Text,
    /// Writes a file with the CLI's own tool, then answers.
    Edit,
    /// Runs a command that writes a file, then answers.
    Shell,
    /// Tries both, then answers.
    EditShell,
    /// Makes a plan where one is wanted; else writes a file and says that the step is done.
    Plan,
    /// The same, but the file is written by a tool of ours.
    Tools,
    /// Runs a command that does not end.
    Slow,
    /// Refuses the key.
    Http401,
    /// Refuses for now.
    Http429,
    /// Refuses for now and says how long.
    Http429After,
    /// Fails.
    Http500,
    /// Fails once, then answers with text.
    One500,
    /// Breaks off in the middle of the answer.
    Half,
    /// Sends a web page.
    Html,
    /// Sends a stream without an event.
    Empty,
    /// Closes the connection without a word.
    Drop,
    /// Never answers.
    NoHeaders,
    /// Begins to answer and falls silent.
    Stall,
}

/// One thing that a model does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Says this and ends its turn.
    Text(String),
    /// Has this file written.
    Write { path: String, text: String },
    /// Has this file written by a tool of ours; the path is the workspace's own.
    Ours { path: String, text: String },
    /// Has this command run.
    Shell(String),
}

/// What is written, and by which means.
pub const MADE: (&str, &str) = ("made.txt", "made by the model\n");
pub const SHELL: (&str, &str) = ("shell.txt", "from-shell\n");
/// What the prompt for a plan has, and no other.
pub const PLANS: &str = "Plan the request below.";
/// The plan that is made then: one step for an agent, and a check of it.
const PLAN: &str = r#"{"type":"FullPlan","goal":"Make a file","steps":[{"id":"s1",
"description":"Write it","runner":"agent",
"expected_artifacts":[{"type":"file","value":"made.txt"}]}],
"verification":{"mode":"custom","commands":["grep -q model made.txt"],"required":true,
"stop_on_fail":true}}"#;
/// How an agent ends its step.
const DONE: &str = r#"{"control":"step_done"}"#;
/// Says that the endless command has begun.
pub const STARTED: &str = "started.txt";
/// Told with a refusal for now.
pub const RETRY_AFTER_S: u32 = 3600;

impl Scenario {
    const ALL: [Self; 18] = [
        Self::Text,
        Self::Edit,
        Self::Shell,
        Self::EditShell,
        Self::Plan,
        Self::Tools,
        Self::Slow,
        Self::Http401,
        Self::Http429,
        Self::Http429After,
        Self::Http500,
        Self::One500,
        Self::Half,
        Self::Html,
        Self::Empty,
        Self::Drop,
        Self::NoHeaders,
        Self::Stall,
    ];

    /// Its name in a base URL.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Edit => "edit",
            Self::Shell => "shell",
            Self::EditShell => "edit-shell",
            Self::Plan => "plan",
            Self::Tools => "tools",
            Self::Slow => "slow",
            Self::Http401 => "http401",
            Self::Http429 => "http429",
            Self::Http429After => "http429-after",
            Self::Http500 => "http500",
            Self::One500 => "one500",
            Self::Half => "half",
            Self::Html => "html",
            Self::Empty => "empty",
            Self::Drop => "drop",
            Self::NoHeaders => "no-headers",
            Self::Stall => "stall",
        }
    }

    /// The scenario of the `number`th task, counted from 1, in `text+http500`.
    pub fn of(names: &str, number: usize) -> Option<Self> {
        let last = names.split('+').take(number.max(1)).last()?;
        Self::ALL.into_iter().find(|scenario| scenario.name() == last)
    }

    /// What the model does after so many of its tools have answered.
    pub fn step(self, task: &Task, workdir: &Path) -> Step {
        let write = || Step::Write {
            path: workdir.join(MADE.0).display().to_string(),
            text: MADE.1.to_owned(),
        };
        let shell = || Step::Shell(format!("printf '{}\\n' > {}", SHELL.1.trim_end(), SHELL.0));
        match (self, task.done) {
            (Self::Plan | Self::Tools, _) if task.text.contains(PLANS) => {
                Step::Text(PLAN.to_owned())
            }
            (Self::Tools, 0) => Step::Ours { path: MADE.0.to_owned(), text: MADE.1.to_owned() },
            (Self::Edit | Self::EditShell | Self::Plan, 0) => write(),
            (Self::Plan | Self::Tools, _) => Step::Text(DONE.to_owned()),
            (Self::Shell, 0) | (Self::EditShell, 1) => shell(),
            // Two of the CLIs refuse a bare `sleep`.
            (Self::Slow, 0) => Step::Shell(format!("touch {STARTED}; tail -f /dev/null")),
            (_, _) => Step::Text(answer(task.number)),
        }
    }
}

/// How many tools the model asks for in the `number`th task before it answers.
pub fn tools(names: &str, number: usize) -> usize {
    let Some(scenario) = Scenario::of(names, number) else { return 0 };
    let asks = |done: &usize| {
        let task = Task { number, done: *done, text: String::new() };
        !matches!(scenario.step(&task, Path::new("")), Step::Text(_))
    };
    (0..).take_while(asks).count()
}

/// What the model says to the `number`th task of a conversation.
pub fn answer(number: usize) -> String {
    format!("This is the scripted answer number {number}: 好的, \"done\".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_and_the_last_holds() {
        for scenario in Scenario::ALL {
            assert_eq!(Scenario::of(scenario.name(), 1), Some(scenario));
        }
        let table = [
            ("slow+text", 1, Some(Scenario::Slow)),
            ("slow+text", 2, Some(Scenario::Text)),
            ("slow+text", 9, Some(Scenario::Text)),
            ("slow+text", 0, Some(Scenario::Slow)),
            ("nonsense", 1, None),
        ];
        for (names, number, expected) in table {
            assert_eq!(Scenario::of(names, number), expected, "{names} {number}");
        }
    }

    #[test]
    fn tools_are_counted_task_by_task() {
        for (number, expected) in [(1, 2), (2, 0), (3, 1), (4, 1)] {
            assert_eq!(tools("edit-shell+text+edit", number), expected, "{number}");
        }
    }

    #[test]
    fn tools_come_first_and_text_ends() {
        let here = Path::new("/w");
        let table = [
            (Scenario::Text, 0, "text"),
            (Scenario::Edit, 0, "write"),
            (Scenario::Edit, 1, "text"),
            (Scenario::EditShell, 0, "write"),
            (Scenario::EditShell, 1, "shell"),
            (Scenario::EditShell, 2, "text"),
            (Scenario::Plan, 0, "write"),
            (Scenario::Plan, 1, "text"),
            (Scenario::Tools, 0, "ours"),
            (Scenario::Tools, 1, "text"),
            (Scenario::Slow, 0, "shell"),
            (Scenario::Stall, 0, "text"),
        ];
        for (scenario, done, expected) in table {
            let task = Task { number: 1, done, text: String::new() };
            let got = match scenario.step(&task, here) {
                Step::Text(_) => "text",
                Step::Write { .. } => "write",
                Step::Ours { .. } => "ours",
                Step::Shell(_) => "shell",
            };
            assert_eq!(got, expected, "{scenario:?} {done}");
        }
    }
}
