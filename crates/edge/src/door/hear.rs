//! From the wire to the kernel: parse at the door, carry typed commands inward. Whether a command
//! is possible is not known here; whether this speaker may say such a thing at all is.

use kernel::call::{self, Answered, Foreign, SettleAs, StopWhy, TakeBack};
use kernel::loops::{self, Driver, LabelsPatch, Mode, PauseHow, Place, Priority, TaskPatch};
use kernel::machine::{At, By};
use runtime::ids;
use runtime::tasks::{self, TaskError, Tools};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::loop_wire::{LabelForm, LoopSay, Shown, TaskForm, TaskFormPatch};
use super::outside;
use super::wire::{CallSay, Refusal, SettleWord};

/// What the door knows of its engine's surroundings.
pub(super) struct Room<'a> {
    pub(super) now: At,
    pub(super) tools: &'a Tools,
    pub(super) default_mode: Mode,
    pub(super) max_iterations: u32,
    pub(super) max_iterations_ceiling: u32,
    pub(super) course: &'a dyn Fn() -> (loops::Settings, Vec<loops::Check>),
    /// A loop as it is, and its position.
    pub(super) standing: &'a dyn Fn(&str) -> Option<(loops::State, u64)>,
    /// The prompt and request hash that a call shows.
    pub(super) prompt: &'a dyn Fn(&str) -> Option<(String, String)>,
}

/// Whether this speaker may say this to a loop at all. An agent may only signal, report and add
/// tasks to the loop it works for.
pub(super) fn loop_needs_person(by: &By, own_loop: bool, say: &LoopSay) -> bool {
    let agent = matches!(by, By::Agent { .. });
    let open_to_agents =
        matches!(say, LoopSay::Signal { .. } | LoopSay::Report { .. } | LoopSay::AddTask { .. });
    agent && !(open_to_agents && own_loop)
}

/// The commands of one word to a loop; a report may be several.
pub(super) fn loop_commands(
    run: &str,
    say: LoopSay,
    room: &Room<'_>,
) -> Result<Vec<loops::Command>, Refusal> {
    let command = match say {
        LoopSay::Create { title, description, max_iterations } => loops::Command::Create {
            id: run.to_owned(),
            description: description.unwrap_or_else(|| title.clone()),
            title,
            max_iterations: max_iterations.unwrap_or(room.max_iterations),
            max_iterations_ceiling: room.max_iterations_ceiling,
            parent: None,
        },
        LoopSay::Edit { title, description, max_iterations, labels } => loops::Command::Edit {
            title,
            description,
            max_iterations,
            max_iterations_ceiling: room.max_iterations_ceiling,
            labels: read_labels(labels)?,
        },
        LoopSay::Delete => loops::Command::Delete,
        LoopSay::AddTask { task, first } => loops::Command::AddTask {
            task: new_task(task, room)?,
            place: if first { Place::First } else { Place::Last },
        },
        LoopSay::EditTask { task, patch } => {
            loops::Command::EditTask { task, patch: task_patch(patch, room)? }
        }
        LoopSay::RemoveTask { task } => loops::Command::RemoveTask { task },
        LoopSay::ReorderTasks { tasks } => loops::Command::ReorderTasks { tasks },
        LoopSay::RequeueTask { task } => loops::Command::RequeueTask { task },
        LoopSay::Start { mode, external, runner, lang } => {
            let driver = if external { Driver::External { runner } } else { Driver::Engine };
            start(mode, driver, lang, room)?
        }
        LoopSay::Mode { mode } => loops::Command::SetMode { mode: read_mode(&mode)? },
        LoopSay::Pause { now } => {
            loops::Command::Pause { how: if now { PauseHow::Now } else { PauseHow::Finish } }
        }
        LoopSay::Resume => loops::Command::Resume { busy_with: None },
        LoopSay::Stop { why } => loops::Command::Stop { why },
        LoopSay::Retry => loops::Command::Retry { busy_with: None },
        LoopSay::Reopen => loops::Command::Reopen { busy_with: None },
        LoopSay::Answer { key, text, to } => answer(run, key, text, to, room),
        LoopSay::Complete { force } => loops::Command::Complete { force },
        LoopSay::Signal { runner } => loops::Command::Signal { runner },
        LoopSay::Report { runner, told } => return outside::reports(run, &runner, &told, room),
        LoopSay::Import { document, source, why } => {
            outside::import(run, &document, (&source, why), room)?
        }
    };
    Ok(vec![command])
}

fn answer(
    run: &str,
    key: String,
    text: Option<String>,
    to: Option<Shown>,
    room: &Room<'_>,
) -> loops::Command {
    let open = || (room.standing)(run)?.0.open_question();
    let (q, hash) = match to {
        Some(Shown { q: Some(q), hash }) => (q, hash),
        Some(Shown { q: None, hash }) => (open().map_or(0, |(q, _)| q), hash),
        None => open().unwrap_or((0, None)),
    };
    loops::Command::Answer { q, key, text, hash, task_id: ids::task_id(room.now) }
}

fn start(
    mode: Option<String>,
    driver: Driver,
    lang: Option<String>,
    room: &Room<'_>,
) -> Result<loops::Command, Refusal> {
    let mode = mode.map_or(Ok(room.default_mode), |mode| read_mode(&mode))?;
    let (mut settings, checks) = (room.course)();
    if let Some(asked) = lang {
        let known = Lang::parse(&asked).map_err(|_| {
            let details = json!({ "field": "lang", "found": asked, "expected": "en, zh-CN" });
            invalid("loop.invalid_args", details)
        })?;
        settings.lang = known.tag().to_owned();
    }
    let settings = Box::new(settings);
    // Programs and the tree's holder are the engine's to look up.
    let (programs, busy_with) = (Vec::new(), None);
    Ok(loops::Command::Start { driver, mode, settings, checks, programs, busy_with })
}

/// An empty word or text clears what it stands for.
fn read_labels(form: LabelForm) -> Result<LabelsPatch, Refusal> {
    let priority = |word: String| match word.as_str() {
        "" => Ok(None),
        known => Priority::named(known).map(Some).ok_or_else(|| {
            let expected = Priority::ALL.map(Priority::word).join(", ");
            let details = json!({ "field": "priority", "found": word, "expected": expected });
            invalid("loop.invalid_args", details)
        }),
    };
    Ok(LabelsPatch {
        tags: form.tags,
        priority: form.priority.map(priority).transpose()?,
        notes: form.notes.map(|text| Some(text).filter(|text| !text.is_empty())),
    })
}

fn read_mode(word: &str) -> Result<Mode, Refusal> {
    let modes = [Mode::Auto, Mode::Interactive];
    modes.into_iter().find(|mode| mode.word() == word).ok_or_else(|| {
        let expected = modes.map(|mode| mode.word()).join(", ");
        let details = json!({ "field": "mode", "found": word, "expected": expected });
        invalid("loop.invalid_args", details)
    })
}

fn new_task(form: TaskForm, room: &Room<'_>) -> Result<loops::NewTask, Refusal> {
    let form = tasks::Form {
        description: form.description,
        tool: form.tool,
        mode: form.mode,
        prompt_template: form.prompt_template,
        command: form.command,
        on_error: form.on_error,
    };
    tasks::new_task(form, ids::task_id(room.now), room.tools).map_err(|why| bad_task(&why))
}

fn task_patch(patch: TaskFormPatch, room: &Room<'_>) -> Result<TaskPatch, Refusal> {
    let form = tasks::Patch {
        description: patch.description,
        tool: patch.tool,
        mode: patch.mode,
        prompt_template: patch.prompt_template,
        command: patch.command,
        on_error: patch.on_error,
    };
    tasks::patch(form, room.tools).map_err(|why| bad_task(&why))
}

fn bad_task(why: &TaskError) -> Refusal {
    invalid(
        "loop.invalid_args",
        json!({"field": why.field, "found": why.found, "expected": why.expected}),
    )
}

/// A call's command.
pub(super) fn call_command(run: &str, say: CallSay, room: &Room<'_>) -> call::Command {
    let take_back = |foreign| TakeBack { call: run.to_owned(), foreign };
    match say {
        CallSay::Allow { scope, note } => {
            let (prompt, hash) = (room.prompt)(run).unwrap_or_default();
            call::Command::Allow(Answered { prompt, hash, scope, note })
        }
        CallSay::Deny { note, .. } => call::Command::Deny { note },
        CallSay::Settle { how, note } => {
            let how = match how {
                SettleWord::Happened => SettleAs::Happened,
                SettleWord::DidNotHappen => SettleAs::DidNotHappen,
                SettleWord::Undo => SettleAs::Undo,
            };
            call::Command::Settle { how, note, undo: take_back(Foreign::Refuse) }
        }
        CallSay::Undo { force: false } => call::Command::Undo(take_back(Foreign::Refuse)),
        CallSay::Undo { force: true } => call::Command::Undo(take_back(Foreign::Aside)),
        CallSay::Stop => call::Command::Stop(StopWhy::Asked),
    }
}

/// A refusal for something that could not be read or may not be said.
pub(super) fn invalid(code: &str, details: Value) -> Refusal {
    Refusal {
        code: code.to_owned(),
        allowed: None,
        run: None,
        state: None,
        details,
        trace: String::new(),
    }
}
