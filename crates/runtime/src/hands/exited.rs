//! Reading what a process left: its exit record, and what changed in the tree meanwhile. What an
//! agent says of itself is never asked.

use kernel::agent;
use kernel::call::{Ended, Exit, Facts};
use kernel::machine::At;

use super::pool::Desk;
use super::{held, prepare};
use crate::agents;
use crate::checkpoints::{self, FileChange, Named};
use crate::shim::files::{self, ExitRecord};
use crate::shim::look::Remains;
use crate::tree::{self, Hash, Mark};

/// Changed paths kept in the journal; the whole list is a file beside the call.
const FILES_KEPT: usize = 200;
/// Changed paths named in evidence; the rest is counted.
const PATHS_TOLD: usize = 8;
/// Evidence shown to a person, in characters.
const EVIDENCE_CHARS: usize = 400;

/// The journal's form of an exit record, with the tree as it was before and after. If it was not
/// looked at since, or something was put back, it is looked at now.
pub(super) fn measure(
    desk: &Desk,
    record: &ExitRecord,
    (tree_before, after): (Option<&str>, Option<Mark>),
    facts: &Facts,
) -> Exit {
    let held = held::of_record(desk, record);
    let unmarked = tree_before.is_none() && held::only_reads(facts, &record.sandbox);
    let look = || if unmarked { None } else { desk.mark().ok() };
    let after = after.filter(|_| held.put_back.is_empty()).or_else(look);
    let agent = facts.request.agent.as_ref().map(|ask| Box::new(heard(desk, record, facts, ask)));
    let named = named(&facts.request.cwd, agent.as_deref());
    let looked = after.as_ref();
    let changed = looked.map(|after| changed(desk, &record.call_id, tree_before, after, &named));
    let Changed { paths, sha256 } = changed.unwrap_or_default();
    Exit {
        ended: ended(record.ended),
        exit_code: record.exit_code,
        signal: record.signal,
        started_at: moment(&record.started_at),
        ended_at: moment(&record.ended_at),
        stdout_bytes: record.stdout_bytes,
        stderr_bytes: record.stderr_bytes,
        dropped_bytes: record.dropped_bytes,
        sandbox: record.sandbox.clone(),
        held: Box::new(held),
        survivors: record
            .survivors
            .iter()
            .map(|left| format!("{} {}", left.pid, left.name))
            .collect(),
        tree_after: after.as_ref().and_then(|mark| prepare::keep(desk, mark)),
        files_changed: paths,
        changes: sha256.map(|hash| hash.to_string().into()),
        agent,
        done: None,
    }
}

/// The paths that an agent's stream named. Whether they changed is not its to say.
fn named(cwd: &str, report: Option<&agent::Report>) -> Named {
    let below = |path: &str| match cwd.trim_matches('/') {
        "" | "." => path.to_owned(),
        dir => format!("{dir}/{path}"),
    };
    let claims = report.iter().flat_map(|report| &report.facts.files);
    Named { reported: claims.map(|claim| below(&claim.path).into()).collect(), ..Named::default() }
}

/// What an agent's stream proved, from its first byte.
fn heard(desk: &Desk, record: &ExitRecord, facts: &Facts, ask: &agent::Ask) -> agent::Report {
    let dir = desk.call_dir(&record.call_id);
    let workdir = desk.plan.root.join(&facts.request.cwd);
    let plan = super::agent::fold_plan(desk, &record.call_id, ask, &workdir);
    let now = desk.clock.now();
    agents::read::report(&dir, ask, record, &plan, &desk.plan.redactor, now)
        .unwrap_or_else(|why| unreadable(&why))
}

/// A stream that can't be read proves nothing.
fn unreadable(why: &std::io::Error) -> agent::Report {
    let failure = prepare::of_io(why);
    let error = agent::Error {
        code: failure.code,
        kind: failure.kind,
        detail: failure.detail,
        retry_after_ms: None,
        reset_at: None,
    };
    let answer = agent::Answer::Failed { error, session: None, partial: None };
    agent::Report { answer, facts: agent::Facts::default() }
}

/// What a call changed.
#[derive(Default)]
struct Changed {
    /// The first of the paths.
    paths: Vec<String>,
    /// The hash of the file that lists them all. Without it they are drawn again from both marks.
    sha256: Option<Hash>,
}

/// What differs between the mark taken before the call and the tree now. Where nothing does, no
/// file is needed: both marks have one digest.
fn changed(desk: &Desk, call: &str, before: Option<&str>, after: &Mark, named: &Named) -> Changed {
    let found = difference(desk, before, after, named).filter(|changes| !changes.is_empty());
    found.map_or_else(Changed::default, |changes| recorded(desk, call, changes))
}

/// None where the tree was not marked before the call, or that mark is gone.
fn difference(
    desk: &Desk,
    before: Option<&str>,
    after: &Mark,
    named: &Named,
) -> Option<Vec<FileChange>> {
    let digest = before.and_then(Hash::from_hex)?;
    if digest == after.digest {
        return Some(Vec::new());
    }
    let before = tree::store::load(&desk.marks_dir(), digest).ok().flatten()?;
    Some(checkpoints::changed(&before, after, named))
}

fn recorded(desk: &Desk, call: &str, changes: Vec<FileChange>) -> Changed {
    let paths = changes.iter().take(FILES_KEPT).map(|change| change.path.text()).collect();
    let sha256 = checkpoints::record(&desk.call_dir(call), call, changes).ok();
    Changed { paths, sha256 }
}

const fn ended(ended: files::Ended) -> Ended {
    match ended {
        files::Ended::Exit => Ended::Exit,
        files::Ended::Signal => Ended::Signal,
        files::Ended::Deadline => Ended::Deadline,
        files::Ended::Idle => Ended::Idle,
        files::Ended::Stopped => Ended::Stopped,
        files::Ended::SpawnFailed => Ended::SpawnFailed,
    }
}

fn moment(text: &str) -> At {
    let ms = text.parse::<jiff::Timestamp>().map_or(0, |time| time.as_millisecond());
    At(u64::try_from(ms).unwrap_or(0))
}

/// What a lost start left, in one redacted line for a person: the end of its output, and the paths
/// that differ from the tree before it.
pub(super) fn tell(desk: &Desk, call: &str, before: Option<&str>, remains: &Remains) -> String {
    let end = if remains.stdout_end.is_empty() { &remains.stderr_end } else { &remains.stdout_end };
    let clean = desk.plan.redactor.redact(end);
    let text = String::from_utf8_lossy(&clean);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let skip = line.chars().count().saturating_sub(EVIDENCE_CHARS);
    let output: String = line.chars().skip(skip).collect();
    let after = desk.mark().ok();
    let seen = after.and_then(|after| difference(desk, before, &after, &Named::default()));
    // Also where nothing differs: no second mark is recorded of such a call, so the file is the
    // only word that its tree was looked at.
    let seen = seen.map(|changes| recorded(desk, call, changes));
    let changed = seen.unwrap_or_default().paths;
    let shown = changed.iter().take(PATHS_TOLD).cloned().collect::<Vec<_>>().join(", ");
    let (put_back, _) = held::left(desk, call);
    let guarded = if put_back.is_empty() {
        String::new()
    } else {
        format!(" protected=[{}]", put_back.join(", "))
    };
    format!("output={output:?} changed=[{shown}] ({}){guarded}", changed.len())
}
