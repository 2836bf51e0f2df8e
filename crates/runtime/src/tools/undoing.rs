//! What taking calls back would do, worked out and told: nothing is written, in the tree or beside
//! it. Whether a call may be taken back at all is the kernel's to say, and asked there.

use std::path::Path;

use serde::Serialize;

use super::fits::Misfit;
use super::marks::{self, Trees};
use crate::change::{self, Force, Left, NotOurs, Plan, Problem, Record, Saved, Saves, Source};
use crate::checkpoints::Keeper;
use crate::files::Root;
use crate::rollback;

/// How well a call is taken back whose bytes lie in a mark.
const BEST_EFFORT: &str = "best_effort";
/// How well a tool of ours is.
const EXACT: &str = "exact";

/// A call to be taken back.
#[derive(Debug, Clone)]
pub struct Taken {
    /// Where its records are.
    pub record: Record,
    /// The marks of a process; a tool has none.
    pub trees: Option<Trees>,
}

/// What would be done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Would {
    /// How well: that of the call that can be taken back least.
    pub level: &'static str,
    /// What happens to each path; where there are conflicts, what happens if it is forced.
    pub plan: Plan,
    /// The paths that hold something else by now: unless forced, nothing at all is done.
    pub conflicts: Vec<NotOurs>,
    /// The paths that stay as they are.
    pub not_undone: Vec<Left>,
}

/// Works out how calls, the newest first, would be taken back as one.
///
/// # Errors
/// When bytes or records that it needs are gone.
pub fn would_undo(
    root: &Root,
    keeper: &mut Keeper,
    marks: &Path,
    calls: &[Taken],
) -> Result<Would, Misfit> {
    let problem = |problem: Problem| Misfit::from(&problem);
    let (mut sources, mut not_undone, mut level) = (Vec::new(), Vec::new(), EXACT);
    for Taken { record, trees } in calls {
        let (manifest, saved) = match trees {
            None => match rollback::begun(&record.dir).map_err(|why| Misfit::from(&why))? {
                Some(begun) => {
                    let drawn = marks::drawn_back(keeper, root, record, &begun, Saves::Nothing)?;
                    not_undone.extend(drawn.left);
                    (drawn.manifest, Saved::InMark)
                }
                None => (record.read().map_err(problem)?, Saved::Beside),
            },
            Some(trees) => {
                let now = &mut || keeper.look().ok();
                let changed = marks::changes(marks, record, *trees, now).map_err(problem)?;
                let drawn = marks::drawn(keeper, root, record, &changed, Saves::Nothing)?;
                not_undone.extend(drawn.left);
                level = BEST_EFFORT;
                (drawn.manifest, Saved::InMark)
            }
        };
        sources.push(Source { record: record.clone(), manifest, saved });
    }
    let conflicts = match change::plan(root, &sources, Force::No) {
        Ok(_) => Vec::new(),
        Err(Problem::Undo(paths)) => paths,
        Err(other) => return Err(problem(other)),
    };
    let plan = change::plan(root, &sources, Force::Aside).map_err(problem)?;
    Ok(Would { level, plan, conflicts, not_undone })
}
