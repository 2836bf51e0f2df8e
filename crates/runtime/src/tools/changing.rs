//! Lets a tool change files, in the parts that a call has: what it will do is worked out and every
//! old byte saved before the start is recorded; then it acts; a lost start is told by the files.

use std::path::Path;

use kernel::patch::{ApplyPatch, Delete, Write};
use serde_json::{Value, json};

use crate::change::{
    self, Force, Left, NotActed, Pass, Problem, Record, Saved, Source, Steps, Swap, Work,
};
use crate::files::{HardLinks, Root};
use crate::shim::durable;

/// What a change will give once it has happened, kept until then.
const PLANNED: &str = "planned.json";
/// An undo may speak of every file of the largest tree, with a few words of each.
const PLANNED_BYTES_MAX: u64 = 256 << 20;

/// Whether the arguments fit.
pub(super) fn check(name: &str, args: &Value) -> Result<(), Problem> {
    change::touched(name, args).map(drop)
}

/// Works out a change and saves what it will replace. Nothing outside the call's directory is
/// touched.
///
/// # Errors
/// Why it can't be done; nothing was.
pub fn prepare(
    root: &Root,
    record: &Record,
    name: &str,
    args: &Value,
    links: HardLinks,
) -> Result<(), Problem> {
    let nothing_read = |_: &str| None;
    let mut dry = false;
    let work: Work = match name {
        "apply_patch" => {
            let args = ApplyPatch::read(args)?;
            dry = args.dry_run;
            change::apply_patch(root, &args, &nothing_read, links)?
        }
        "write" => change::write(root, &Write::read(args)?, &nothing_read, links)?,
        _ => change::delete(root, &Delete::read(args)?, &nothing_read)?,
    };
    let wanted = if dry { &[][..] } else { &work.wanted[..] };
    change::prepare(root, record, wanted, links, Steps::UNWATCHED)?;
    let mut payload = work.payload();
    if dry {
        payload["dry_run"] = json!(true);
    }
    keep_planned(record, &payload)
}

/// Works out how a call is taken back, and saves what that will replace. `left` is told and stays.
///
/// # Errors
/// Every path that holds something else by now, or whose old bytes are gone; nothing was changed.
pub fn prepare_undo(
    root: &Root,
    record: &Record,
    undone: &Record,
    force: Force,
    aside: &Path,
    left: &[Left],
) -> Result<(), Problem> {
    let manifest = undone.read()?;
    let level = manifest.level.clone();
    let source = Source { record: undone.clone(), manifest, saved: Saved::Beside };
    let plan = change::plan(root, &[source], force)?;
    change::prepare_undo(root, record, &plan, aside, Steps::UNWATCHED)?;
    let moved = plan.paths.iter().any(|planned| planned.aside);
    let aside = moved.then(|| aside.to_string_lossy().into_owned());
    let payload = json!({
        "call": undone.call_id, "level": level, "plan": plan, "aside": aside, "not_undone": left,
    });
    keep_planned(record, &payload)
}

fn keep_planned(record: &Record, payload: &Value) -> Result<(), Problem> {
    durable::replace(&record.dir, PLANNED, payload.to_string().as_bytes()).map_err(Problem::Record)
}

/// Carries out what was prepared, and answers what it gave and which paths it changed.
///
/// # Errors
/// Why it did not happen, or not wholly.
pub fn act(root: &Root, record: &Record, pass: Pass) -> Result<(Value, Vec<String>), NotActed> {
    let untouched = |why| NotActed { why, mixed: Vec::new() };
    let planned = durable::read(&record.dir.join(PLANNED), PLANNED_BYTES_MAX)
        .map_err(|why| untouched(Problem::Record(why)))?;
    let acted = change::act(root, record, pass, Swap::Exchange, Steps::UNWATCHED)?;
    let mut payload: Value = serde_json::from_slice(&planned).unwrap_or_default();
    if !acted.cas {
        payload["cas"] = json!(false);
    }
    Ok((payload, acted.changed))
}
