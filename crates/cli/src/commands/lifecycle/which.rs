//! Which run a command means: the one that is named, else the one of the checked-out branch, else
//! the newest.

use journal::Head;
use kernel::errors::Machine;
use kernel::lifecycle::Life;
use kernel::run::{Kind, State};
use runtime::query::{self, Filter};
use serde_json::json;

use super::super::known::{self, Known};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// The run that is meant.
///
/// # Errors
/// An unknown one, or none at all.
pub fn run(ctx: &Ctx, named: Option<&str>) -> Result<Known, Trouble> {
    if let Some(id) = named {
        return known::run_of(ctx, id, Kind::Lifecycle);
    }
    let none = || trouble::refused(Machine::Lifecycle, "no_run", json!({}));
    let Some((dir, journal)) = ctx.journal()? else { return Err(none()) };
    let heads = all(&journal)?;
    let branch = runtime::tree::head(&ctx.root()?.path).branch;
    let mut here = None;
    for head in heads.iter().filter(|head| !head.ended) {
        let folded = query::fold(&journal, head, None).map_err(|why| trouble::of_query(&why))?;
        let State::Lifecycle(state) = &folded.state else { continue };
        let on = |life: &Life| life.body.begin.head.branch == branch;
        if state.life().is_some_and(on) {
            here = Some(head.clone());
            break;
        }
    }
    let head = here.or_else(|| heads.into_iter().next()).ok_or_else(none)?;
    Ok(Known { dir, journal, head })
}

/// Every lifecycle, the newest first.
///
/// # Errors
/// A journal that cannot be read.
pub fn all(journal: &journal::Reader) -> Result<Vec<Head>, Trouble> {
    let filter = Filter { machine: Some(Kind::Lifecycle.name().to_owned()), ..Filter::default() };
    let mut heads = query::runs(journal, &filter).map_err(|why| trouble::of_query(&why))?;
    heads.sort_by(|a, b| (b.created_ms, &b.run).cmp(&(a.created_ms, &a.run)));
    Ok(heads)
}
