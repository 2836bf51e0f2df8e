//! Whether arguments fit their tool, as far as words alone tell. The door asks before anything is
//! recorded; the tool reads them again when it acts.

use kernel::call::{Acts, Tool};
use kernel::errors::{Class, Code, Machine};
use serde_json::{Value, json};

use super::{changing, reading};
use crate::{change, checkpoints, files, packages, rollback};

/// Why arguments do not fit: a code and its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misfit {
    /// The code.
    pub code: Code,
    /// The detail word of its class; empty where there is none.
    pub kind: &'static str,
    /// The facts.
    pub details: Value,
}

impl From<&files::Fault> for Misfit {
    fn from(fault: &files::Fault) -> Self {
        Self { code: fault.code(), kind: fault.kind(), details: fault.details() }
    }
}

impl From<&change::Problem> for Misfit {
    fn from(problem: &change::Problem) -> Self {
        Self { code: problem.code(), kind: problem.kind(), details: problem.details() }
    }
}

impl From<&checkpoints::Error> for Misfit {
    fn from(error: &checkpoints::Error) -> Self {
        use checkpoints::{Error as E, Missing};
        let (class, kind) = error.class();
        let code = match error {
            E::NoSuch(_) => Code::refused(Machine::Workspace, "no_such"),
            E::Damaged(_) => Code::refused(Machine::Workspace, "damaged"),
            E::RootReplaced => Code::refused(Machine::Workspace, "root_replaced"),
            E::NoGit(_)
            | E::Git { .. }
            | E::Io { .. }
            | E::NoSpace { .. }
            | E::Quota { .. }
            | E::TooLarge { .. }
            | E::Stopped => Code::Class(class),
        };
        let details = match error {
            E::NoGit(Missing::NotFound) => json!({ "kind": kind }),
            E::NoGit(Missing::TooOld { version }) => json!({ "kind": kind, "found": version }),
            E::Io { path, .. } => json!({ "kind": kind, "path": path }),
            E::Quota { used, quota } => {
                json!({ "kind": kind, "used_bytes": used, "quota_bytes": quota })
            }
            E::TooLarge { directory } => json!({ "kind": kind, "path": directory }),
            E::NoSuch(name) => json!({ "what": "checkpoint", "found": name }),
            E::Damaged(what) => json!({ "what": "checkpoint", "found": what }),
            E::RootReplaced => json!({ "path": "." }),
            E::Git { .. } | E::NoSpace { .. } | E::Stopped => json!({ "kind": kind }),
        };
        Self { code, kind, details }
    }
}

impl From<&rollback::Refused> for Misfit {
    fn from(refused: &rollback::Refused) -> Self {
        use rollback::Refused as R;
        let own = |word| Code::refused(Machine::Workspace, word);
        match refused {
            R::HeadMoved(moved) => {
                let (base, present) = (&moved.base.head, &moved.present.head);
                let details = json!({
                    "kind": "head_moved", "expected": base, "found": present, "base": base,
                });
                Self { code: Code::Class(Class::Conflict), kind: "head_moved", details }
            }
            R::Checkpoint(error) => Self::from(error),
            R::Record { call, .. } => {
                let details = json!({ "kind": "undo_bytes_missing", "call": call, "path": call });
                Self { code: Code::Class(Class::Io), kind: "undo_bytes_missing", details }
            }
            R::PlanChanged(plan) => {
                let details = json!({ "plan_hash": plan.plan_hash });
                Self { code: own("plan_changed"), kind: "", details }
            }
        }
    }
}

impl Misfit {
    /// Arguments that are not what was expected.
    pub(crate) fn args(expected: &str) -> Self {
        let details = json!({ "path": "/args", "expected": expected });
        Self { code: Code::Class(Class::InvalidArgs), kind: "", details }
    }

    /// Work whose time, by this setting, was over.
    pub(crate) fn late(setting: &str) -> Self {
        let details = json!({ "kind": "deadline", "setting": setting });
        Self { code: Code::Class(Class::ToolTimeout), kind: "deadline", details }
    }

    /// Work that stopped in the middle, with its report.
    pub(crate) fn stopped(code: &str, kind: &'static str, report: Value) -> Self {
        let code = Code::parse(code).unwrap_or(Code::Class(Class::Io));
        Self { code, kind, details: json!({ "kind": kind, "report": report }) }
    }
}

/// Looks at the arguments of a tool.
///
/// # Errors
/// The first argument that does not fit.
pub fn check(tool: &Tool, args: &Value) -> Result<(), Misfit> {
    match (tool.acts, files::Tool::named(tool.name)) {
        (Acts::Reads, Some(reads)) => {
            reading::place(reads, args).map(drop).map_err(|fault| Misfit::from(&fault))
        }
        (Acts::Changes, _) => {
            changing::check(tool.name, args).map_err(|problem| Misfit::from(&problem))
        }
        (Acts::Arranges, _) => packages::Wish::read(args).map(drop),
        (Acts::Reads | Acts::Converges | Acts::Commits | Acts::Runs, _) => Ok(()),
    }
}
