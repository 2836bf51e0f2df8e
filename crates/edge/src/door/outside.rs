//! Loops that others drive or made: what an outside skill reports, and documents that are taken in.
//! What of it is possible is the machine's business.

use kernel::loops::{self, Course, Driver, Import, Mode};
use kernel::policy::Backing;
use runtime::views::{Beside, NotTold, Reason, SkillTold, Why, found, reported};
use serde_json::{Value, json};

use super::hear::{Room, invalid};
use super::wire::Refusal;

/// The commands of a skill's report.
pub(super) fn reports(
    run: &str,
    runner: &str,
    told: &SkillTold,
    room: &Room<'_>,
) -> Result<Vec<loops::Command>, Refusal> {
    let standing = (room.standing)(run);
    let Some((life, seq)) = standing.as_ref().and_then(|(state, seq)| Some((state.life()?, *seq)))
    else {
        return Err(invalid("loop.no_such", json!({ "what": "loop", "id": run })));
    };
    reported((life, seq), room.tools, runner, told).map_err(|why| match why {
        NotTold::Field { field, found, expected } => {
            let details = json!({ "field": field, "found": found, "expected": expected });
            invalid("loop.invalid_args", details)
        }
        NotTold::Refused(lines) => {
            let code = match lines.first().map(|line| line.reason) {
                Some(Reason::Owned) => "loop.owned",
                Some(Reason::EngineDrives) => "loop.engine_drives",
                Some(Reason::Conflict) => "loop.conflict",
                Some(Reason::Invalid | Reason::Secret | Reason::NotDrawn | Reason::Samples)
                | None => "loop.invalid_args",
            };
            let fields: Vec<&str> = lines.iter().map(|line| line.path.as_str()).collect();
            invalid(code, json!({ "field": fields.join(", "), "found": run, "expected": "" }))
        }
    })
}

/// A loop that the journal does not know, by its document. It starts nothing.
pub(super) fn import(
    run: &str,
    document: &Value,
    (source, why): (&str, Why),
    room: &Room<'_>,
) -> Result<loops::Command, Refusal> {
    let (settings, checks) = (room.course)();
    let (grants, backing) = (Vec::new(), Backing::None);
    let (driver, mode) = (Driver::Engine, Mode::Interactive);
    let course = Course { driver, mode, grants, settings, checks, backing };
    let beside = Beside { id: run, source, why, tools: room.tools, now: room.now };
    let found = found(document, beside, course).ok_or_else(|| {
        let details = json!({ "field": "loop_id", "found": run, "expected": "loop-…" });
        invalid("loop.invalid_args", details)
    })?;
    Ok(loops::Command::Import(Box::new(Import { id: run.to_owned(), ..found.import })))
}
