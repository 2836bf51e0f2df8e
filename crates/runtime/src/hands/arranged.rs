//! An operation on packages within its call: made ready with every old byte saved, carried out, and
//! after a crash taken up again where it stopped.

use kernel::call::Failure;
use serde_json::{Value, json};

use super::pool::Desk;
use super::tool::{Failed, args, of_misfit, record};
use crate::change::{Pass, Steps};
use crate::checks;
use crate::engine::Start;
use crate::files::Root;
use crate::packages::{self, Bound, Refusal, Wish};

/// Makes it ready.
pub(super) fn prepare(desk: &Desk, call: &str, args: &Value) -> Result<(), Failed> {
    let root = desk.plan.hold().map_err(|fault| of_misfit(&(&fault).into()))?;
    let in_force = checks::for_loop(&desk.plan.root, &desk.plan.checks);
    let checks: Vec<String> = in_force.iter().map(|check| check.argv.join(" ")).collect();
    let bound = Bound {
        names: &desk.plan.tools.names,
        links: desk.plan.tools.links,
        x: desk.plan.tools.x,
        checks: &checks,
    };
    packages::prepare(&root, &record(desk, call), args, &bound, Steps::UNWATCHED)
        .map_err(|why| failed(&why))
}

/// Carries it out. Only the first attempt meets names that nobody had taken.
pub(super) fn act(desk: &Desk, start: &Start, root: &Root) -> Result<(Value, Vec<String>), Failed> {
    let pass = if start.attempt == 1 { Pass::First } else { Pass::Again };
    if pass == Pass::First {
        // What was begun is brought to its end; before that, a package is its session's.
        let wish = args(desk, &start.facts)
            .and_then(|args| Wish::read(&args).map_err(|misfit| of_misfit(&misfit)))?;
        wish.is_free(&start.held).map_err(|why| failed(&why))?;
    }
    packages::act(root, &record(desk, &start.run), pass, Steps::UNWATCHED).map_err(
        |(why, report)| {
            let (failure, mut details) = failed(&why);
            if !report.is_null() {
                details["report"] = report;
            }
            (failure, details)
        },
    )
}

fn failed(why: &Refusal) -> (Failure, Value) {
    let (failure, mut details) = of_misfit(why.misfit());
    if details.is_null() {
        details = json!({});
    }
    (failure, details)
}
