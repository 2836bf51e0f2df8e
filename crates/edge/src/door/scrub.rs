//! Secrets stop at the door. Words that are only read lose them; a command that holds one is
//! refused, because what is recorded must be what runs. Both ends do this: each knows secrets of
//! its own environment.

use kernel::loops::Command;
use runtime::collab::Form;
use runtime::redact::Redactor;
use runtime::trace;
use runtime::views::SkillTold;
use serde_json::json;

use super::hear;
use super::loop_wire::{LabelForm, LoopSay, TaskForm, TaskFormPatch};
use super::wire::{CallSay, CollabSay, Refusal};

/// What is said to a loop, without secrets.
///
/// # Errors
/// A command that holds one.
pub fn scrub(says: Vec<LoopSay>, redactor: &Redactor) -> Result<Vec<LoopSay>, Refusal> {
    says.into_iter().map(|say| of_loop(say, redactor)).collect()
}

fn of_loop(say: LoopSay, redactor: &Redactor) -> Result<LoopSay, Refusal> {
    let clean = |text: String| redactor.redact_text(&text);
    Ok(match say {
        LoopSay::Create { title, description, max_iterations } => LoopSay::Create {
            title: clean(title),
            description: description.map(clean),
            max_iterations,
        },
        LoopSay::Edit { title, description, max_iterations, labels } => LoopSay::Edit {
            title: title.map(clean),
            description: description.map(clean),
            max_iterations,
            labels: LabelForm {
                tags: labels.tags.map(|tags| tags.into_iter().map(clean).collect()),
                priority: labels.priority,
                notes: labels.notes.map(clean),
            },
        },
        LoopSay::AddTask { task, first } => {
            LoopSay::AddTask { task: of_task(task, redactor)?, first }
        }
        LoopSay::EditTask { task, patch } => {
            LoopSay::EditTask { task, patch: of_patch(patch, redactor)? }
        }
        LoopSay::Stop { why } => LoopSay::Stop { why: why.map(clean) },
        LoopSay::Answer { key, text, to } => LoopSay::Answer { key, text: text.map(clean), to },
        LoopSay::Complete { force } => LoopSay::Complete { force: force.map(clean) },
        LoopSay::Report { runner, told } => {
            let message = clean(told.message.clone());
            let skill_state =
                told.skill_state.as_ref().map(|value| trace::redacted(value, redactor));
            let told = Box::new(SkillTold { message, skill_state, ..*told });
            LoopSay::Report { runner, told }
        }
        LoopSay::Import { document, source, why } => {
            let document = Box::new(trace::redacted(&document, redactor));
            LoopSay::Import { document, source, why }
        }
        say @ (LoopSay::Delete
        | LoopSay::RemoveTask { .. }
        | LoopSay::ReorderTasks { .. }
        | LoopSay::RequeueTask { .. }
        | LoopSay::Start { .. }
        | LoopSay::Mode { .. }
        | LoopSay::Pause { .. }
        | LoopSay::Resume
        | LoopSay::Retry
        | LoopSay::Reopen
        | LoopSay::Signal { .. }) => say,
    })
}

fn of_task(task: TaskForm, redactor: &Redactor) -> Result<TaskForm, Refusal> {
    Ok(TaskForm {
        command: task.command.map(|text| runnable(text, redactor)).transpose()?,
        description: redactor.redact_text(&task.description),
        prompt_template: task.prompt_template.map(|text| redactor.redact_text(&text)),
        ..task
    })
}

fn of_patch(patch: TaskFormPatch, redactor: &Redactor) -> Result<TaskFormPatch, Refusal> {
    Ok(TaskFormPatch {
        command: patch.command.map(|text| runnable(text, redactor)).transpose()?,
        description: patch.description.map(|text| redactor.redact_text(&text)),
        prompt_template: patch.prompt_template.map(|text| redactor.redact_text(&text)),
        ..patch
    })
}

/// A start whose checks hold no secret; these come from the settings, not from whoever asks.
pub(super) fn checks(command: Command, redactor: &Redactor) -> Result<Command, Refusal> {
    if let Command::Start { checks, .. } = &command {
        for word in checks.iter().flat_map(|check| &check.argv) {
            runnable(word.clone(), redactor)?;
        }
    }
    Ok(command)
}

/// A command without a secret in it.
///
/// # Errors
/// One that holds a secret.
pub(super) fn runnable(command: String, redactor: &Redactor) -> Result<String, Refusal> {
    let clean = redactor.redact_text(&command);
    if clean == command {
        return Ok(command);
    }
    let details = json!({
        "field": "command", "found": clean, "kind": "secret",
        "expected": "a command without a secret in it; hand secrets over by env.pass",
    });
    Err(hear::invalid("loop.invalid_args", details))
}

/// What is said to a call, without secrets.
pub(super) fn of_call(say: CallSay, redactor: &Redactor) -> CallSay {
    match say {
        CallSay::Deny { note, answers } => {
            CallSay::Deny { note: redactor.redact_text(&note), answers }
        }
        CallSay::Settle { how, note } => CallSay::Settle { how, note: redactor.redact_text(&note) },
        CallSay::Allow { scope, note } => {
            CallSay::Allow { scope, note: note.map(|note| redactor.redact_text(&note)) }
        }
        say @ (CallSay::Stop | CallSay::Undo { .. }) => say,
    }
}

/// What is said to a collab, without secrets.
pub(super) fn of_collab(say: CollabSay, redactor: &Redactor) -> CollabSay {
    let clean = |text: String| redactor.redact_text(&text);
    match say {
        CollabSay::Create { form } => CollabSay::Create {
            form: Box::new(Form {
                task: clean(form.task.clone()),
                context: clean(form.context.clone()),
                ..*form
            }),
        },
        CollabSay::Answer { key, note } => CollabSay::Answer { key, note: note.map(clean) },
        CollabSay::AnswerTo { question, hash, key, note } => {
            CollabSay::AnswerTo { question, hash, key, note: note.map(clean) }
        }
        say @ (CollabSay::Cancel { .. } | CollabSay::Extend { .. }) => say,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::loops::samples::{sample_check, sample_settings};
    use kernel::loops::{Check, Driver, Mode};
    use runtime::redact::Secrets;

    #[test]
    fn invariant_no_secret_passes_the_door() {
        let env = vec![("MY_TOKEN".to_owned(), "canary-12345".to_owned())];
        let redactor = Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap();
        let secret = || "say canary-12345".to_owned();
        let task = TaskForm { description: secret(), ..TaskForm::default() };
        let passed = [
            LoopSay::Create { title: secret(), description: Some(secret()), max_iterations: None },
            LoopSay::AddTask { task, first: false },
            LoopSay::Stop { why: Some(secret()) },
            LoopSay::Answer { key: "develop".to_owned(), text: Some(secret()), to: None },
            LoopSay::Complete { force: Some(secret()) },
        ];
        let passed = scrub(passed.to_vec(), &redactor).unwrap();
        let text = serde_json::to_string(&passed).unwrap();
        assert!(!text.contains("canary") && text.contains("redacted:env:MY_TOKEN"), "{text}");
        let command = Some("echo canary-12345".to_owned());
        let task = TaskForm { description: "x".to_owned(), command, ..TaskForm::default() };
        let refused = scrub(vec![LoopSay::AddTask { task, first: false }], &redactor).unwrap_err();
        assert_eq!(refused.code, "loop.invalid_args");
        assert!(!refused.details.to_string().contains("canary"));
        let check = |argv: &str| Check { argv: vec![argv.to_owned()], ..sample_check() };
        let start = |argv: &str| Command::Start {
            driver: Driver::Engine,
            mode: Mode::Auto,
            settings: Box::new(sample_settings()),
            checks: vec![check(argv)],
            programs: Vec::new(),
            busy_with: None,
        };
        assert!(checks(start("--token=canary-12345"), &redactor).is_err());
        assert!(checks(start("--token"), &redactor).is_ok());
    }
}
