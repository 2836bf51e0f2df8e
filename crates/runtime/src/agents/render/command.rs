//! Any program, by its template.

use std::path::Path;

use super::launch::{Asked, Draft, RenderError, Stdin};
use crate::agents::config::{Slot, StdinFrom, Template, fill};
use crate::shim::files::PROMPT;

/// The kernel takes no argument above 128 KiB; the rest of the word needs room as well.
const PROMPT_ARGUMENT_BYTES_MAX: usize = 100 * 1024;

pub(super) fn draft(asked: &Asked<'_>, template: &Template) -> Result<Draft, RenderError> {
    let words = match (asked.resume, &template.argv_resume) {
        (None, _) => &template.argv,
        (Some(_), Some(words)) => words,
        (Some(_), None) => return Err(RenderError::NoResume),
    };
    let filled: Result<Vec<String>, RenderError> =
        words.iter().map(|word| fill(word, |slot| value(asked, slot))).collect();
    let mut filled = filled?.into_iter();
    let program = filled.next().ok_or(RenderError::Unfit { what: "argv" })?;
    let stdin = match template.stdin {
        StdinFrom::Prompt => Stdin::Prompt,
        StdinFrom::Nothing => Stdin::Null,
    };
    Ok(Draft { stdin, ..Draft::plain(program, filled.collect()) })
}

fn value(asked: &Asked<'_>, slot: Slot) -> Result<String, RenderError> {
    match slot {
        Slot::PromptFile => text("call_dir", &asked.place.call_dir.join(PROMPT)),
        Slot::Prompt => prompt(asked.place.prompt),
        Slot::Workdir => asked.workdir(),
        Slot::Model => asked.model.map(str::to_owned).ok_or(RenderError::NoModel),
        Slot::Session => asked.resume.map(str::to_owned).ok_or(RenderError::NoResume),
        Slot::CallDir => text("call_dir", asked.place.call_dir),
    }
}

fn prompt(prompt: &str) -> Result<String, RenderError> {
    if prompt.len() > PROMPT_ARGUMENT_BYTES_MAX {
        return Err(RenderError::PromptTooLong { bytes: prompt.len() });
    }
    if prompt.contains('\0') {
        return Err(RenderError::Unfit { what: "prompt" });
    }
    Ok(prompt.to_owned())
}

pub(super) fn text(what: &'static str, path: &Path) -> Result<String, RenderError> {
    path.to_str().map(str::to_owned).ok_or(RenderError::Unfit { what })
}
