//! Checkpoints and rollbacks within their calls. Both may be repeated under their key and come to
//! the same end, so a lost start is simply run again.

use std::path::{Path, PathBuf};

use journal::Journal;
use kernel::rollback::{Conflicts, HeadRule};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pool::Desk;
use super::prepare::io_failure;
use super::tool::{Failed, of_misfit};
use crate::checkpoints::{Ask, Error, Until, UntilTold};
use crate::query;
use crate::rollback::{Call, Run, State, Wanted, rollback_id, run};
use crate::tools::Misfit;

/// What a rollback is asked with: a plan that was shown, by its hash, and all it was drawn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RollbackArgs {
    /// The checkpoint.
    pub checkpoint: String,
    /// Calls after it that may have changed files, oldest first.
    pub calls: Vec<String>,
    /// What is done with content that is not ours.
    pub conflicts: Conflicts,
    /// Whether another commit may be checked out.
    pub head_rule: HeadRule,
    /// The hash of the plan that was approved.
    pub approved: String,
}

impl RollbackArgs {
    /// The rollback of this id, with what the journal says of its calls, whose directories are
    /// below `calls`.
    ///
    /// # Errors
    /// A call that the journal does not know, or whose records cannot be read.
    pub fn wanted(
        &self,
        rollback_id: &str,
        calls: &Path,
        journal: &dyn Journal,
    ) -> Result<Wanted, query::Refusal> {
        let call = |id: &String| {
            Ok(Call { id: id.clone(), dir: calls.join(id), told: query::told(journal, id)? })
        };
        Ok(Wanted {
            rollback_id: rollback_id.to_owned(),
            checkpoint: self.checkpoint.clone(),
            calls: self.calls.iter().map(call).collect::<Result<_, query::Refusal>>()?,
            conflicts: self.conflicts,
            head_rule: self.head_rule,
        })
    }
}

/// What the journal says cannot be had.
fn unread(why: &query::Refusal) -> Failed {
    (io_failure("interrupted", &why.to_string()), json!({ "path": "journal" }))
}

/// Makes a checkpoint within its time. Half of one is swept by the next.
pub(super) fn make(desk: &Desk, call: &str, args: &Value) -> Result<Value, Failed> {
    let call_dir = desk.call_dir(call);
    let ask =
        Ask { call, call_dir: &call_dir, label: args["label"].as_str(), at: desk.clock.now() };
    let mut time = Until::within(desk.plan.keeping.time_max);
    let made = desk.keeper().make(ask, &mut time);
    made.map(|made| json!(made)).map_err(|error| match error {
        Error::Stopped if time.is_over() => of_misfit(&Misfit::late("checkpoint.timeout")),
        error @ (Error::NoGit(_)
        | Error::Git { .. }
        | Error::Io { .. }
        | Error::NoSpace { .. }
        | Error::Quota { .. }
        | Error::TooLarge { .. }
        | Error::RootReplaced
        | Error::NoSuch(_)
        | Error::Damaged(_)
        | Error::Stopped) => of_misfit(&Misfit::from(&error)),
    })
}

/// Carries out a rollback that was approved. One that stopped says where, and can be run again.
pub(super) fn roll_back(
    desk: &Desk,
    call: &str,
    args: &Value,
    told: &mut UntilTold,
) -> Result<(Value, Vec<String>), Failed> {
    let args: RollbackArgs = serde_json::from_value(args.clone())
        .map_err(|_| of_misfit(&Misfit::args("a plan that was shown")))?;
    let call_dir: PathBuf = desk.call_dir(call);
    let wanted = desk.wanted(&args, &rollback_id(call)).map_err(|why| unread(&why))?;
    let run_it = Run {
        wanted: &wanted,
        approved: &args.approved,
        call,
        call_dir: &call_dir,
        at: desk.clock.now(),
    };
    let report = run(&mut desk.keeper(), run_it, told)
        .map_err(|refused| of_misfit(&Misfit::from(&refused)))?;
    let changed = report.done.clone();
    match report.state {
        State::Done => Ok((json!(report), changed)),
        State::Stopped => {
            let (code, kind) = report.error.unwrap_or(("E_IO", "interrupted"));
            Err(of_misfit(&Misfit::stopped(code, kind, json!(report))))
        }
    }
}
