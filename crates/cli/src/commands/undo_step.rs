//! Which calls an undo of a run or a step means: those whose keys lie below the run or the named
//! part of it, with all that they started. It reads the journal; taking back is done elsewhere.

use edge::calls::{may, refused, state, taken};
use journal::{Head, Journal as _};
use kernel::call::Refusal;
use kernel::errors::{Code, Machine};
use kernel::run::Kind;
use runtime::query;
use runtime::tools::Taken;
use serde_json::{Value, json};

use super::known::{self, Known};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// The calls of a step.
pub struct Step {
    /// Those to be taken back, the newest first.
    pub calls: Vec<Taken>,
    /// Those that left nothing to take back, each with why.
    pub skipped: Vec<Value>,
}

/// The calls below a part of a run; below all of it, where no part is named.
///
/// # Errors
/// No such run or part, a call that is still at work or can't be taken back, or none that can.
pub fn calls(ctx: &Ctx, run: &str, part: &str) -> Result<Step, Trouble> {
    let top = known::run(ctx, run)?;
    let heads = top.journal.heads().map_err(|fault| trouble::of_query(&fault.into()))?;
    let key = format!("{}/{part}", top.head.run);
    let key = key.trim_end_matches('/').to_owned();
    let mut found = below(&heads, &key);
    // People know a turn's steps by the plan's ids.
    if found.is_empty() && top.head.machine == Kind::Turn.name() {
        found = below(&heads, &format!("{}/step/{part}", top.head.run));
    }
    if found.is_empty() && !part.is_empty() {
        let nearest = parts(&heads, &top.head.run);
        let none = query::Refusal::NoSuch { id: key, nearest };
        return Err(trouble::of_query(&none));
    }
    let mut step = Step { calls: Vec::new(), skipped: Vec::new() };
    for head in found.into_iter().rev().filter(|head| head.machine == Kind::Call.name()) {
        add(&known::run_of(ctx, &head.run, Kind::Call)?, &mut step)?;
    }
    if step.calls.is_empty() {
        let details = json!({ "step": key, "skipped": step.skipped });
        return Err(trouble::refused(Machine::Call, "nothing_to_undo", details));
    }
    Ok(step)
}

fn add(known: &Known, step: &mut Step) -> Result<(), Trouble> {
    let state = state(known)?;
    let Err(refusal) = may(known, &state) else {
        step.calls.push(taken(known, &state));
        return Ok(());
    };
    let id = &known.head.run;
    let nothing = matches!(refusal, Refusal::NothingToUndo | Refusal::Ended { .. });
    // Nothing in the workspace is its doing, whatever else it did.
    let harmless = matches!(refusal, Refusal::CannotUndo { .. }) && !state.changed_files();
    if !nothing && !harmless {
        return Err(refused(id, &state, &refusal));
    }
    let code = Code::refused(Machine::Call, kernel::machine::Refusal::reason(&refusal));
    step.skipped.push(json!({ "call": id, "why": code.to_string() }));
    Ok(())
}

/// Every run started under the key or below it, and all that those started, in the order in which
/// they began. What takes a call back is no part of the step.
fn below<'a>(heads: &'a [Head], key: &str) -> Vec<&'a Head> {
    let mut found: Vec<&Head> = Vec::new();
    for head in heads {
        let rest = head.key.as_deref().and_then(|own| own.strip_prefix(key));
        let named = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']));
        let started = head.parent.as_deref().is_some_and(|parent| {
            found.iter().any(|up| up.run == parent && up.machine != Kind::Call.name())
        });
        if named || started {
            found.push(head);
        }
    }
    found
}

/// The last parts of a run that have calls, for somebody who named none of them.
fn parts(heads: &[Head], run: &str) -> Vec<String> {
    let own = |head: &&Head| head.parent.as_deref() == Some(run);
    let keys = heads.iter().rev().filter(own).filter_map(|head| head.key.clone());
    keys.take(PARTS_MAX).collect()
}

/// As many as a sentence can name.
const PARTS_MAX: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    fn head(run: &str, machine: &str, parent: &str, key: &str) -> Head {
        Head {
            run: run.to_owned(),
            machine: machine.to_owned(),
            parent: (!parent.is_empty()).then(|| parent.to_owned()),
            key: (!key.is_empty()).then(|| key.to_owned()),
            seq: 1,
            pos: 1,
            status: String::new(),
            ended: true,
            created_ms: 0,
            updated_ms: 0,
        }
    }

    #[test]
    fn a_step_is_what_its_key_and_its_children_name() {
        let heads = [
            head("loop-1", "loop", "", ""),
            head("call-a", "call", "loop-1", "loop-1/a1/develop"),
            head("call-b", "call", "loop-1", "loop-1/a1/develop.r1"),
            head("call-u", "call", "call-a", "call-a/undo/1"),
            head("call-c", "call", "loop-1", "loop-1/a10/develop"),
            head("collab-1", "collab", "loop-1", "loop-1/a2/ask"),
            head("call-d", "call", "collab-1", "collab-1/x/1"),
        ];
        let cases = [
            ("loop-1", &["call-a", "call-b", "call-c", "collab-1", "call-d"][..]),
            ("loop-1/a1", &["call-a", "call-b"]),
            ("loop-1/a1/develop", &["call-a", "call-b"]),
            ("loop-1/a1/validate", &[]),
            ("loop-1/a10", &["call-c"]),
            ("loop-1/a2", &["collab-1", "call-d"]),
            ("loop-1/a3", &[]),
        ];
        for (key, runs) in cases {
            let found: Vec<&str> =
                below(&heads, key).iter().map(|head| head.run.as_str()).collect();
            assert_eq!(found, runs, "{key}");
        }
    }
}
