//! Tasks as people and files write them, checked and turned into the kernel's form. Which task runs
//! when is not known here.

use kernel::loops::{NewTask, OnError, Origin, Run, Settings, TaskMode, TaskPatch};
use kernel::machine::At;
use kernel::policy::grant::Pin;
use serde::Deserialize;

/// Characters that make a command line more than words: a shell would act on them.
const SHELL_CHARACTERS: &[char] =
    &[';', '&', '|', '<', '>', '(', ')', '$', '`', '*', '?', '~', '\n', '{', '}', '[', '#', '!'];

/// The tool of a command line.
const COMMAND_TOOL: &str = "bash";
/// Agents that are known everywhere, whether they are installed here or not.
const WELL_KNOWN: &[&str] = &["codex", "gemini", "claude", "qwen"];

/// Who can do a task here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tools {
    /// Who does a task that names nobody.
    pub default: String,
    /// The names of the configured agents.
    pub agents: Vec<String>,
}

impl Tools {
    /// Those that a loop's settings know.
    #[must_use]
    pub fn of_loop(settings: &Settings) -> Self {
        let agents = settings.agents.iter().map(|agent| agent.name.clone()).collect();
        Self { default: settings.default_tool.clone(), agents }
    }

    /// Those of these settings.
    #[must_use]
    pub fn of(settings: &crate::config::Settings) -> Self {
        let default = settings.loops.develop.default_tool.clone();
        Self { default, agents: settings.agents.keys().cloned().collect() }
    }

    /// Every name that a task may have, each once.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let known = WELL_KNOWN.iter().copied().chain([COMMAND_TOOL, &self.default]);
        let mut all: Vec<&str> = known.chain(self.agents.iter().map(String::as_str)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Who is meant by a name, if anybody is.
    fn named(&self, name: String) -> Result<String, TaskError> {
        let tool = if ["", "ai"].contains(&name.as_str()) { self.default.clone() } else { name };
        if self.names().contains(&tool.as_str()) {
            return Ok(tool);
        }
        Err(bad("tool", &tool, "bash, or the name of an agent"))
    }
}

/// A task as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct Form {
    pub description: String,
    #[serde(default)]
    pub tool: Option<String>,
    #[serde(default)]
    pub mode: Option<String>,
    #[serde(default)]
    pub prompt_template: Option<String>,
    #[serde(default)]
    pub command: Option<String>,
    #[serde(default)]
    pub on_error: Option<String>,
}

/// Changed fields as written; an empty text clears a field that may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the task's own")]
pub struct Patch {
    pub description: Option<String>,
    pub tool: Option<String>,
    pub mode: Option<String>,
    pub prompt_template: Option<String>,
    pub command: Option<String>,
    pub on_error: Option<String>,
}

/// A field that can't be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields say what they are")]
pub struct TaskError {
    pub field: &'static str,
    pub found: String,
    pub expected: &'static str,
}

/// A line of a task file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields say what they are")]
pub struct LineError {
    /// Counted from 1.
    pub line: usize,
    pub field: &'static str,
    pub found: String,
    pub expected: &'static str,
}

/// The kernel's form of a new task.
///
/// # Errors
/// The field that can't be taken, what was found and what is expected.
pub fn new_task(form: Form, task_id: String, tools: &Tools) -> Result<NewTask, TaskError> {
    if form.description.trim().is_empty() {
        return Err(bad("description", &form.description, "a text that is not empty"));
    }
    if form.command.as_deref().is_some_and(|text| text.trim().is_empty()) {
        return Err(bad("command", "", "a command line that is not empty"));
    }
    let command = form.command;
    let tool = match form.tool {
        None if command.is_some() => COMMAND_TOOL.to_owned(),
        None => tools.named(String::new())?,
        Some(tool) => tools.named(tool)?,
    };
    if tool == COMMAND_TOOL && command.is_none() {
        return Err(bad("command", "", "a command line, for tool bash"));
    }
    let run = command.as_deref().map(split_command).transpose()?;
    Ok(NewTask {
        task_id,
        description: form.description,
        tool,
        mode: form.mode.as_deref().map_or(Ok(TaskMode::Write), read_mode)?,
        prompt_template: form.prompt_template.filter(|text| !text.is_empty()),
        command,
        run,
        on_error: form.on_error.as_deref().map(read_on_error).transpose()?,
        origin: Origin::Queue,
        pin: Pin::default(),
    })
}

/// The kernel's form of a change.
///
/// # Errors
/// The field that can't be taken.
pub fn patch(form: Patch, tools: &Tools) -> Result<TaskPatch, TaskError> {
    let cleared = |text: String| Some(text).filter(|text| !text.is_empty());
    Ok(TaskPatch {
        description: form.description,
        tool: form.tool.map(|tool| tools.named(tool)).transpose()?,
        mode: form.mode.as_deref().map(read_mode).transpose()?,
        prompt_template: form.prompt_template.map(cleared),
        command: match form.command.map(cleared) {
            None => None,
            Some(None) => Some(None),
            Some(Some(text)) => {
                let run = split_command(&text)?;
                Some(Some((text, run)))
            }
        },
        on_error: match form.on_error.map(cleared) {
            None => None,
            Some(None) => Some(None),
            Some(Some(word)) => Some(Some(read_on_error(&word)?)),
        },
        pin: Pin::default(),
    })
}

/// Splits a command line into words; one that a shell would have to act on is a script, which is
/// asked about each time.
///
/// # Errors
/// When quotes do not close or nothing is left.
pub fn split_command(text: &str) -> Result<Run, TaskError> {
    let Some(words) = shlex::split(text).filter(|words| !words.is_empty()) else {
        return Err(bad("command", text, "a command line with closed quotes"));
    };
    if text.contains('\0') {
        return Err(bad("command", text, "a text without NUL"));
    }
    let assigns = words[0].split_once('=').is_some_and(|(name, _)| !name.contains('/'));
    if assigns || outside_quotes(text).any(|c| SHELL_CHARACTERS.contains(&c)) {
        return Ok(Run::Script(text.to_owned()));
    }
    Ok(Run::Argv(words))
}

/// The characters a shell would act on. Inside double quotes `$` and backquotes still act.
fn outside_quotes(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut quote = None;
    let mut escaped = false;
    text.chars().filter(move |c| {
        if escaped {
            escaped = false;
            return false;
        }
        match (quote, *c) {
            (None, '\\') | (Some('"'), '\\') => {
                escaped = true;
                false
            }
            (None, '\'' | '"') => {
                quote = Some(*c);
                false
            }
            (Some(open), c) if open == c => {
                quote = None;
                false
            }
            (Some('"'), '$' | '`') => true,
            (Some(_), _) => false,
            (None, _) => true,
        }
    })
}

fn read_mode(word: &str) -> Result<TaskMode, TaskError> {
    match word {
        "write" | "create" | "modify" | "" => Ok(TaskMode::Write),
        "analysis" | "read" => Ok(TaskMode::Analysis),
        "review" => Ok(TaskMode::Review),
        _ => Err(bad("mode", word, "analysis, write, review")),
    }
}

fn read_on_error(word: &str) -> Result<OnError, TaskError> {
    match word {
        "continue" => Ok(OnError::Continue),
        "pause" | "stop" => Ok(OnError::Pause),
        "fail_fast" | "abort" => Ok(OnError::FailFast),
        _ => Err(bad("on_error", word, "continue, pause, fail_fast")),
    }
}

fn bad(field: &'static str, found: &str, expected: &'static str) -> TaskError {
    TaskError { field, found: found.chars().take(80).collect(), expected }
}

/// Reads a task file: one JSON object a line. A line that can't be taken is named by its number
/// and left out; the rest is loaded.
#[must_use]
pub fn read_jsonl(text: &str, tools: &Tools, now: At) -> (Vec<NewTask>, Vec<LineError>) {
    let mut tasks = Vec::new();
    let mut errors = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let task = serde_json::from_str::<Form>(line)
            .map_err(|_| bad("line", line, "one JSON object with a description"))
            .and_then(|form| new_task(form, crate::ids::task_id(now), tools));
        match task {
            Ok(task) => tasks.push(task),
            Err(TaskError { field, found, expected }) => {
                errors.push(LineError { line: index + 1, field, found, expected });
            }
        }
    }
    (tasks, errors)
}

/// What a line may say: the fields that are taken, and those that a drawn task file holds beside
/// them.
const FIELDS: [&str; 11] = [
    "description",
    "tool",
    "mode",
    "prompt_template",
    "command",
    "on_error",
    "task_id",
    "order",
    "created_at",
    "updated_at",
    "ext",
];

/// Fields of a task file that mean nothing, by the line they stand in. Their lines are loaded.
#[must_use]
pub fn unknown_fields(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let Ok(fields) = serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(line) else {
            continue;
        };
        let names = fields.into_iter().map(|(name, _)| name);
        let unknown = names.filter(|name| !FIELDS.contains(&name.as_str()));
        found.extend(unknown.map(|name| (index + 1, name.chars().take(80).collect())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_words_or_scripts() {
        let argv = |words: &[&str]| Run::Argv(words.iter().map(|w| (*w).to_owned()).collect());
        let script = |text: &str| Run::Script(text.to_owned());
        for (text, expected) in [
            ("cargo test --workspace", argv(&["cargo", "test", "--workspace"])),
            ("grep -r 'a; b' .", argv(&["grep", "-r", "a; b", "."])),
            (r#"echo "two words""#, argv(&["echo", "two words"])),
            (r"echo a\;b", argv(&["echo", "a;b"])),
            ("./run.sh x=y", argv(&["./run.sh", "x=y"])),
            ("make && make test", script("make && make test")),
            ("echo $HOME", script("echo $HOME")),
            (r#"echo "$HOME""#, script(r#"echo "$HOME""#)),
            ("echo '$HOME'", argv(&["echo", "$HOME"])),
            ("A=1 make", script("A=1 make")),
            ("ls *.rs", script("ls *.rs")),
            ("cat < x", script("cat < x")),
        ] {
            assert_eq!(split_command(text), Ok(expected), "{text}");
        }
        for text in ["", "   ", "echo 'open", "a\0b"] {
            assert_eq!(split_command(text).unwrap_err().field, "command", "{text:?}");
        }
    }

    #[test]
    fn a_broken_line_is_named_and_the_rest_is_loaded() {
        let text = "\u{feff}{\"description\":\"a\",\"command\":\"true\"}\r\n\nnot json\n\
                    {\"description\":\"b\",\"tool\":\"bash\"}\n\
                    {\"description\":\"c\",\"tool\":\"ai\",\"mode\":\"read\",\
                    \"on_error\":\"stop\"}";
        let tools = Tools { default: "gemini".to_owned(), agents: Vec::new() };
        let (tasks, errors) = read_jsonl(text, &tools, At(5));
        let seen: Vec<_> =
            tasks.iter().map(|t| (t.description.as_str(), t.tool.as_str())).collect();
        assert_eq!(seen, [("a", "bash"), ("c", "gemini")]);
        assert_eq!(tasks[1].on_error, Some(OnError::Pause));
        let named: Vec<_> = errors.iter().map(|e| (e.line, e.field)).collect();
        assert_eq!(named, [(3, "line"), (4, "command")]);
    }

    #[test]
    fn a_tool_is_a_command_or_an_agent_that_is_known() {
        let tools = Tools { default: "mine".to_owned(), agents: vec!["other".to_owned()] };
        let table = [
            (None, Ok("mine")),
            (Some("ai"), Ok("mine")),
            (Some("other"), Ok("other")),
            (Some("codex"), Ok("codex")),
            (Some("bash"), Err("command")),
            (Some("nobody"), Err("tool")),
        ];
        for (tool, expected) in table {
            let tool = tool.map(str::to_owned);
            let form = Form { description: "a".to_owned(), tool, ..Form::default() };
            let made = new_task(form.clone(), "task-1".to_owned(), &tools);
            let found = made.as_ref().map(|task| task.tool.as_str()).map_err(|why| why.field);
            assert_eq!(found, expected, "{form:?}");
            // A change of the tool is held to the same; its command is the task's to have.
            let Some(name) = form.tool else { continue };
            let made = patch(Patch { tool: Some(name), ..Patch::default() }, &tools);
            let found = made.map(|patch| patch.tool).map_err(|why| why.field);
            let expected = if expected == Err("command") { Ok("bash") } else { expected };
            assert_eq!(found, expected.map(|tool| Some(tool.to_owned())));
        }
    }

    #[test]
    fn a_field_that_means_nothing_is_named() {
        let text = "{\"description\":\"a\",\"frob\":1}\n{oops\n{\"description\":\"b\",\"ext\":{}}";
        assert_eq!(unknown_fields(text), [(1, "frob".to_owned())]);
    }

    #[test]
    fn words_are_read_with_their_aliases() {
        for (word, mode) in [("create", TaskMode::Write), ("read", TaskMode::Analysis)] {
            assert_eq!(read_mode(word), Ok(mode));
        }
        assert!(read_mode("x").is_err() && read_on_error("x").is_err());
    }
}
