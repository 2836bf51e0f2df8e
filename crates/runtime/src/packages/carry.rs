//! An operation within its call: planned whole with every old byte saved before it starts, carried
//! out path by path, and taken up again after a crash where it stopped. A copy that has to be there
//! first is looked at, file by file, before anything else is touched.

use std::path::Path;

use kernel::packages::name::Name;
use kernel::packages::report::Report;
use kernel::packages::{Text, Tongue, XMeans, kb};
use kernel::paths::{Class, Names};
use serde_json::{Value, json};

use super::arranged::Arranged;
use super::checked::verified;
use super::found::placed;
use super::operation::{Operation, Wish};
use super::place::{KbRoot, Marker};
use super::refusal::Refusal;
use super::shelf::Shelf;
use super::{archiving, creating, initing, small, upgrading};
use crate::change::{self, NotActed, Pass, Probed, Problem, Record, Steps, Swap};
use crate::files::{Fault, HardLinks, Root};
use crate::shim::durable;

/// The report that will be given, kept beside the call until then.
pub(crate) const REPORT: &str = "report.json";
/// It names paths.
const REPORT_BYTES_MAX: u64 = 16 << 20;
/// The record of the copies, below the call's directory.
const BACKUP: &str = "backup";

/// What an operation is planned from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) workspace: &'a Path,
    pub(super) base: &'a KbRoot,
    pub(super) shelf: &'a Shelf,
    pub(super) lang: Tongue,
    pub(super) x: XMeans,
}

impl Scene<'_> {
    /// Nothing is written into somebody else's directory.
    pub(super) fn not_taken(&self) -> Result<(), Refusal> {
        match self.base.marker {
            Marker::Other if !self.is_old() => {
                let path = self.base.path.as_str();
                Err(Refusal::new("kb_root_taken", json!({ "path": path })))
            }
            Marker::Other | Marker::Nothing | Marker::Ours => Ok(()),
        }
    }

    pub(super) fn is_old(&self) -> bool {
        self.shelf.top().iter().any(|name| kb::OLD.contains(&name.as_str()))
    }

    /// A document that is there.
    pub(super) fn read(&self, path: &str, bytes: &[u8]) -> Result<Text, Refusal> {
        Text::read(bytes).map_err(|why| {
            let details = json!({ "path": self.base.join(path), "byte": why.offset });
            Refusal::new("unreadable", details)
        })
    }

    /// Why a package is not among those to come.
    pub(super) fn absent(&self, name: &Name) -> Refusal {
        let archived = format!("{}/{}/{name}", kb::ARCHIVE, name.month());
        let word = if self.shelf.has(&archived) { "package_archived" } else { "no_package" };
        Refusal::new(word, json!({ "found": name.to_string() }))
    }
}

/// Plans an operation.
pub(super) fn arranged(
    root: &Root,
    wish: &Wish,
    x: XMeans,
    checks: &[String],
) -> Result<Arranged, Refusal> {
    let base = placed(root.path(), &wish.root)?;
    let shelf = Shelf::read(root, &base.path)?;
    let scene = Scene { workspace: root.path(), base: &base, shelf: &shelf, lang: wish.lang, x };
    match &wish.operation {
        Operation::Create { feature, minute, draft } => {
            creating::plan(&scene, feature, minute, draft)
        }
        Operation::Redraft { name, draft } => creating::again(&scene, name, draft),
        Operation::Archive { name, status, at } => archiving::one(&scene, name, *status, at),
        Operation::Clean { names, at } => archiving::several(&scene, names, at),
        Operation::Init { how, at, stamp } => initing::plan(&scene, *how, at, stamp, checks),
        Operation::Upgrade { plan_hash, at, stamp } => {
            upgrading::plan(&scene, plan_hash, at, stamp)
        }
        Operation::Changelog { version, date, passed, entry } => {
            small::changelog(&scene, (version, passed), date, entry)
        }
        Operation::Adopt { name, x } => small::adopt(&scene, name, *x),
        Operation::RolledBack { names, at } => archiving::taken_back(&scene, names, at),
        Operation::Mark { name, tasks } => small::mark(&scene, name, tasks),
        Operation::Sync { archived, at } => small::sync(&scene, archived.as_deref(), at),
    }
}

/// What the settings say about packages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound<'a> {
    pub(crate) names: &'a Names,
    pub(crate) links: HardLinks,
    pub(crate) x: XMeans,
    pub(crate) checks: &'a [String],
}

/// Makes an operation ready. A record that an earlier attempt wrote stands: its plan is fixed.
///
/// # Errors
/// Why it can't be done; nothing was touched.
pub(crate) fn prepare(
    root: &Root,
    record: &Record,
    args: &Value,
    bound: &Bound<'_>,
    steps: Steps<'_>,
) -> Result<(), Refusal> {
    let wish = Wish::read(args)?;
    if record.is_written() {
        return Ok(());
    }
    let plan = arranged(root, &wish, bound.x, bound.checks)?;
    let all = || plan.backup.iter().chain(&plan.wanted);
    if let Some(wanted) = all().find(|it| bound.names.classes(it.path.as_str()).has(Class::Control))
    {
        let path = wanted.path.as_str().to_owned();
        return Err(Fault::Protected { path, class: Class::Control }.into());
    }
    let text = json!(plan.report).to_string();
    if !plan.backup.is_empty() {
        let record = beside(record);
        change::prepare(root, &record, &plan.backup, bound.links, steps)?;
    }
    durable::replace(&record.dir, REPORT, text.as_bytes()).map_err(Problem::Record)?;
    // Written last: with it, all of the above is there.
    change::prepare(root, record, &plan.wanted, bound.links, steps)?;
    Ok(())
}

fn beside(record: &Record) -> Record {
    Record { dir: record.dir.join(BACKUP), call_id: record.call_id.clone() }
}

/// Carries it out, and answers its report and the paths that it changed.
///
/// # Errors
/// Why it did not happen, with the report as far as it came.
pub(crate) fn act(
    root: &Root,
    record: &Record,
    pass: Pass,
    steps: Steps<'_>,
) -> Result<(Value, Vec<String>), (Refusal, Value)> {
    let unread = |why| (Refusal::from(Problem::Record(why)), Value::Null);
    let bytes = durable::read(&record.dir.join(REPORT), REPORT_BYTES_MAX).map_err(unread)?;
    let report: Report =
        serde_json::from_slice(&bytes).map_err(|why| unread(std::io::Error::other(why)))?;
    let mut paths = Vec::new();
    let copies = beside(record);
    let backed_up = copies.is_written();
    if backed_up {
        let made = copied(root, &copies, pass, steps);
        paths.extend(made.map_err(|why| stopped(why, &report, false))?);
    }
    let acted = change::act(root, record, pass, Swap::Exchange, steps);
    let acted = acted.map_err(|NotActed { why, .. }| stopped(why.into(), &report, backed_up))?;
    paths.extend(acted.changed);
    let report = verified(root, report);
    Ok((json!(report), paths))
}

/// Makes the copies and looks at every one of them.
fn copied(
    root: &Root,
    record: &Record,
    pass: Pass,
    steps: Steps<'_>,
) -> Result<Vec<String>, Refusal> {
    let acted = change::act(root, record, pass, Swap::Exchange, steps)
        .map_err(|NotActed { why, .. }| Refusal::from(why))?;
    match change::probe(root, record)? {
        Probed::Happened => Ok(acted.changed),
        Probed::DidNotHappen | Probed::Inconclusive(_) => Err(Problem::Damaged.into()),
    }
}

/// What was begun was taken back, but for the copies.
fn stopped(why: Refusal, report: &Report, backed_up: bool) -> (Refusal, Value) {
    let told = format!("{}: {}", why.misfit().code, why.misfit().details);
    let report = report.stopped(|step| backed_up && step.step == BACKUP, &told);
    (why, json!(report))
}
