//! What is kept of a failure that somebody may have to look into: the command, the code, the facts
//! and what the failing part said itself. Refusals and mistakes in a command keep nothing, and a
//! trace that cannot be written costs only itself.

use std::ffi::OsString;

use kernel::errors::Class;
use runtime::redact::{Redactor, Secrets};
use runtime::trace;
use serde_json::json;

use crate::ctx::{self, Ctx, Early};
use crate::trouble::Trouble;

/// Keeps it below `.loop`, if there is one of ours.
pub fn keep(early: &Early, argv: &[OsString], trouble: &Trouble) {
    if !matches!(trouble.code.class(), Class::Internal | Class::Io | Class::Journal) {
        return;
    }
    let Ok(Some(dir)) = Ctx::early(early, argv).state_dir() else { return };
    let Ok(redactor) = Redactor::new(&Secrets { env: ctx::env(), ..Secrets::default() }) else {
        return;
    };
    let words: Vec<String> = argv.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let detail = json!({
        "at": early.asked.at, "version": env!("CARGO_PKG_VERSION"), "pid": std::process::id(),
        "argv": words, "code": trouble.code.to_string(), "details": trouble.details,
        "source": trouble.source,
    });
    // Without it the failure is told all the same.
    drop(trace::note(&dir.path, &early.asked.trace_id, &detail, &redactor));
}
