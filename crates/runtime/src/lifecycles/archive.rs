//! What remains of a run: its record, the month's page of tasks, and the plan as a document. The
//! same state gives the same bytes at the same paths, so that writing again changes nothing.

use std::collections::BTreeSet;
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use kernel::lifecycle::document::archive::{Entry, Words, block_of, page_name, with_run};
use kernel::lifecycle::document::plan::{Labels, Outline, draw};
use kernel::lifecycle::{CloseWhy, Life, Outcome, Phase, Plan, Source, State, Task, shown};
use kernel::machine::At;
use serde_json::json;

use super::form::Around;
use crate::shim::durable;
use crate::tree;
use crate::view_file;
use crate::views::context::local_minute;
use crate::views::{Notice, Page, Shared, keep_notice};
use crate::words::{self, Lang};

/// A page of a month that is longer is nobody's.
const PAGE_BYTES_MAX: u64 = 64 << 20;

/// A record that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Where, below the root.
    pub path: String,
}

/// Writes the record and the month's page.
///
/// # Errors
/// What the disk says.
pub fn write(life: &Life, since: At, around: &Around) -> io::Result<Record> {
    let month: String = local_minute(since).chars().take(7).collect();
    let dir = around.loop_dir.join("archive").join(&month);
    make(&dir)?;
    let id = &life.body.begin.id;
    let name = format!("{id}.json");
    put(&dir, &name, &record(life))?;
    if let Some(notice) = page(life, &month, around)? {
        keep_notice(&around.loop_dir, &notice);
    }
    Ok(Record { path: format!(".loop/archive/{month}/{name}") })
}

/// The same of a run that ended without passing its archive: the files are only views then, and
/// nothing is written of one that has its record.
///
/// # Errors
/// What the disk says.
pub fn draw_end(life: &Life, around: &Around) -> io::Result<()> {
    let Some(ended) = life.phase.ended() else { return Ok(()) };
    if ended.archive.is_some() {
        return Ok(());
    }
    write(life, ended.at, around).map(drop)
}

/// Writes what is not there just so already.
fn put(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let same = durable::read(&dir.join(name), PAGE_BYTES_MAX).is_ok_and(|there| there == bytes);
    if same { Ok(()) } else { durable::replace(dir, name, bytes) }
}

fn make(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

fn record(life: &Life) -> Vec<u8> {
    let view = shown(&State::Alive(Box::new(life.clone())), None);
    let mut value = json!({ "view": view, "notes": life.body.notes, "usage": life.body.spent });
    match (life.phase.work(), planned(life)) {
        (Some(work), _) => {
            let all = work.tasks.iter().flat_map(|task| &task.files_changed);
            let files: BTreeSet<&String> = all.collect();
            value["plan"] = json!(work.plan);
            value["evidence"] = json!(work.evidence);
            value["attempts"] = json!(work.attempts);
            value["checkpoints"] = json!(work.checkpoints);
            value["files_changed"] = json!(files);
            value["unknown_calls"] = json!(work.unknown_calls);
        }
        (None, plan) => value["plan"] = json!(plan),
    }
    format!("{value:#}\n").into_bytes()
}

/// What was planned and never came to work.
fn planned(life: &Life) -> Option<&Plan> {
    life.phase.ended().and_then(|ended| ended.plan.as_deref())
}

/// Its tasks, worked at or only planned, with where the plan stands.
fn tasks(life: &Life) -> (Vec<Task>, Option<&str>) {
    match (life.phase.work(), planned(life)) {
        (Some(work), _) => {
            (work.tasks.iter().map(|task| (**task).clone()).collect(), work.plan.path.as_deref())
        }
        (None, Some(plan)) => {
            (plan.tasks.iter().cloned().map(Task::new).collect(), plan.path.as_deref())
        }
        (None, None) => (Vec::new(), None),
    }
}

/// Puts the run's block into the month's page; what is to be told of an edit that it met.
fn page(life: &Life, month: &str, around: &Around) -> io::Result<Option<Notice>> {
    let (tasks, prd) = tasks(life);
    if tasks.is_empty() {
        return Ok(None);
    }
    let dir = around.root.join(&around.settings.history_dir);
    make(&dir)?;
    let name = page_name(month);
    let before = match durable::read(&dir.join(&name), PAGE_BYTES_MAX) {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData)?,
        Err(why) if why.kind() == io::ErrorKind::NotFound => String::new(),
        Err(why) => return Err(why),
    };
    let words = if is_chinese(life) { Words::ZH } else { Words::EN };
    let commit = tree::head(&around.root).commit;
    let left = left(life);
    let lang = if is_chinese(life) { Lang::Zh } else { Lang::En };
    let one = |task: &Task| entry(task, (left, lang), (prd, commit.as_deref()));
    let entries: Vec<Entry> = tasks.iter().map(one).collect();
    let run = &life.body.begin.id;
    let after = with_run(&before, month, run, &entries, words);
    if after == before {
        return Ok(None);
    }
    let shown = around.settings.history_dir.trim_end_matches('/');
    let seq = life.body.seq;
    let page = Shared { loop_dir: &around.loop_dir, run, seq, dir: (&dir, shown), name: &name };
    let (was, is) = (block_of(&before, run), block_of(&after, run));
    page.draw((before.as_bytes(), was), (after.as_bytes(), is)).map_err(|why| match why {
        view_file::Error::Io(why) => why,
        other => io::Error::other(other.to_string()),
    })
}

/// How the work was left, for tasks that nobody closed.
fn left(life: &Life) -> &'static str {
    let working = || match &life.phase {
        Phase::Archiving(now) => Outcome::from(now.result).word(),
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Confirming(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_) => "",
    };
    life.phase.ended().map_or_else(working, |ended| ended.outcome.word())
}

fn entry(
    task: &Task,
    (left, lang): (&str, Lang),
    (prd, commit): (Option<&str>, Option<&str>),
) -> Entry {
    let word = task.status.word().to_owned();
    let with = |key: &str| format!("{word} ({})", words::say(lang, key, &[]));
    let result = match task.closed {
        Some(CloseWhy::Evidence) => word,
        Some(CloseWhy::Person) => with("lifecycle-closed-person"),
        Some(CloseWhy::Dependency) => with("lifecycle-closed-dependency"),
        Some(CloseWhy::Policy) => with("lifecycle-closed-policy"),
        None => with(&format!("lifecycle-outcome-{left}")),
    };
    Entry {
        id: task.spec.id.clone(),
        title: task.spec.title.clone(),
        completed: task.ended_at.map(local_minute),
        commit: commit.map(str::to_owned),
        files: task.files_changed.clone(),
        summary: task.summary.clone(),
        prd: prd.map(str::to_owned),
        result,
    }
}

fn is_chinese(life: &Life) -> bool {
    life.body.begin.options.lang.starts_with("zh")
}

/// The plan of a requirement that was words, as its document; a person's own is never written.
#[must_use]
pub fn plan_page(life: &Life) -> Option<Page> {
    if life.body.ask.source != Source::Text {
        return None;
    }
    let shown = if let Phase::Confirming(now) = &life.phase { Some(&now.plan) } else { None };
    let plan = shown.or_else(|| life.phase.work().map(|work| &work.plan))?;
    let labels = if is_chinese(life) { Labels::ZH } else { Labels::EN };
    let bytes = draw(&Outline::of(plan), labels).into_bytes();
    Some(Page { file: format!("{}.md", life.body.begin.id), bytes })
}
