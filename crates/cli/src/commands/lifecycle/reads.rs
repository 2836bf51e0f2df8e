//! What can be read of a lifecycle without an engine: how it stands, what comes next, why it stands
//! still, its tasks, failures, evidence, history and page.

use edge::lifecycles::{self, Seen};
use journal::Journal as _;
use kernel::errors::{Machine, nearest};
use kernel::lifecycle::document::context::history_line;
use kernel::lifecycle::view::View;
use kernel::lifecycle::{self, Attempt, Phase, Status, Task};
use kernel::machine::At;
use kernel::run::State;
use runtime::query;
use runtime::views::{local_minute, notices};
use serde_json::{Value, json};

use super::super::known::{self, Known};
use super::super::loops::page::notice;
use super::feed::Feed;
use super::lines::{first, verdict, word};
use super::{page, which};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// How the ids of lifecycles begin; no task of a plan document is named so.
const RUN: &str = "lc-";
/// Letters of a hash that tell it from others on a page.
const SHORT: usize = 12;

fn seen(ctx: &Ctx, run: Option<&str>) -> Result<Seen, Trouble> {
    let known = which::run(ctx, run)?;
    let folded = query::fold(&known.journal, &known.head, None);
    Seen::folded(known, folded.map_err(|why| trouble::of_query(&why))?)
}

/// An answer without secrets, in both forms.
fn told(ctx: &Ctx, data: &Value, text: &str) -> Result<Reply, Trouble> {
    let redactor = ctx.redactor()?;
    known::redacted(ctx, data, |_| redactor.redact_text(text))
}

/// How one stands.
pub fn status(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    standing(ctx, &Feed::read(which::run(ctx, run)?)?)
}

/// The same of one that is looked at already.
pub fn standing(ctx: &Ctx, feed: &Feed) -> Result<Reply, Trouble> {
    let head = &feed.known.head;
    let data = feed.shown(ctx.lang)?;
    let open = feed.open_questions()?;
    let mut lines = match (feed.state().life(), lifecycle::shown(feed.state(), None)) {
        (Some(life), Some(view)) => {
            let mut lines = page::pointer(ctx, life, &view, &open);
            let rows = rows(&view);
            if !rows.is_empty() {
                lines.push(String::new());
                lines.push(table::draw(&ctx.heading(["task", "state", "waits", "title"]), &rows));
            }
            lines
        }
        (_, _) => vec![page::state(ctx, feed.state().name())],
    };
    for question in &open {
        lines.push(String::new());
        lines.extend(page::asked_lines(ctx, feed.state(), question));
    }
    for one in notices(&feed.known.dir.path, &head.run) {
        lines.push(notice(ctx, &one));
    }
    if feed.state().at_work() && matches!(desk::running(ctx), Ok(None)) {
        let (label, why) = (ctx.say("cli-notice"), ctx.say("lc-no-engine"));
        lines.push(ctx.tell("cli-line", &[("label", &label), ("text", &why)]));
        lines.push(ctx.tell("lifecycle-no-engine-next", &[("id", &head.run)]));
    }
    told(ctx, &data, &lines.join("\n"))
}

fn rows(view: &View) -> Vec<Vec<String>> {
    let row = |task: &lifecycle::view::TaskView| {
        let Task { spec, status, .. } = &task.task;
        let waits = task.waiting_on.join(",");
        vec![spec.id.clone(), status.said().to_owned(), waits, spec.title.clone()]
    };
    view.tasks.iter().map(row).collect()
}

/// What comes next, and the command for it.
pub fn next(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    let seen = seen(ctx, run)?;
    let view = &seen.view;
    let open = seen.open()?;
    let (text, command) = lifecycles::next(ctx.lang, view, &open);
    let ready: Vec<&str> = view
        .tasks
        .iter()
        .filter(|task| task.ready)
        .map(|task| task.task.spec.id.as_str())
        .collect();
    // A task that waits for a person is not what comes next.
    let task = view.current_task.as_ref().filter(|_| view.blocked.is_none());
    let data = json!({
        "run_id": view.run_id, "state": view.task_status, "text": text, "command": command,
        "task": task, "ready": ready, "blocked": view.blocked.as_ref().map(|blocked| blocked.why),
        "questions": open.iter().map(|one| &one.id).collect::<Vec<_>>(),
    });
    let lines = std::iter::once(text).chain(command);
    let lines = lines.chain(ahead(ctx, view, &ready));
    told(ctx, &data, &lines.collect::<Vec<_>>().join("\n"))
}

/// Which tasks may start, or what those that may not wait for.
fn ahead(ctx: &Ctx, view: &View, ready: &[&str]) -> Vec<String> {
    if view.outcome.is_some() {
        return Vec::new();
    }
    if !ready.is_empty() {
        return vec![ctx.tell("lifecycle-next-ready", &[("tasks", &ready.join(", "))])];
    }
    let pending = view.tasks.iter().filter(|task| task.task.status == Status::Pending);
    let line = |task: &lifecycle::view::TaskView| {
        let (id, on) = (&task.task.spec.id, task.waiting_on.join(", "));
        ctx.tell("lifecycle-next-waits", &[("task", id), ("on", &on)])
    };
    pending.map(line).collect()
}

/// Why it stands still, or why one task does.
pub fn why(ctx: &Ctx, run: Option<&str>, task: Option<&str>) -> Result<Reply, Trouble> {
    // A run is named where the other verbs have theirs, too.
    let (task, run) = match task {
        Some(word) if run.is_none() && word.starts_with(RUN) => (None, task),
        Some(_) | None => (task, run),
    };
    let seen = seen(ctx, run)?;
    let (life, view) = (&seen.life, &seen.view);
    if let Some(id) = task {
        return why_task(ctx, view, id);
    }
    let open = seen.open()?;
    let mut lines = vec![lifecycles::next(ctx.lang, view, &open).0];
    if let Phase::Blocked(blocked) = &life.phase {
        lines.extend(page::stuck(ctx, blocked));
        lines.extend(tried(ctx, &seen.known, &blocked.work.attempts)?);
        lines.extend(page::kept(ctx, view));
        lines.extend(ways(ctx, view, &blocked.way_on()));
    } else if let Phase::Planning(now) = &life.phase {
        lines.extend(page::unplanned(ctx, &now.step));
    }
    lines.extend(open.iter().map(|one| ctx.tell("questions-by", &[("command", &one.command())])));
    let shown = query::show(&seen.known.head, &seen.folded, ctx.lang);
    let questions: Vec<Value> = open.iter().map(|one| one.view(ctx.lang)).collect();
    let data = json!({
        "run_id": view.run_id, "state": view.task_status, "blocked": shown["blocked"],
        "failure": shown["failure"], "next_action": shown["next_action"], "questions": questions,
    });
    told(ctx, &data, &lines.join("\n"))
}

/// Fixes that failed, each with what it changed and the command that shows it.
fn tried(ctx: &Ctx, known: &Known, attempts: &[Attempt]) -> Result<Vec<String>, Trouble> {
    let run = &known.head.run;
    let mut lines = Vec::new();
    for one in attempts {
        let why = query::told_summary(&first(&one.failure.summary), ctx.lang);
        let files = match one.files_changed.is_empty() {
            true => ctx.say("lifecycle-page-no-files"),
            false => one.files_changed.join(", "),
        };
        let args: [(&str, &dyn std::fmt::Display); 4] =
            [("k", &one.k), ("task", &one.task), ("why", &why), ("files", &files)];
        lines.push(ctx.tell("lifecycle-page-attempt", &args));
        let key = format!("{run}/fix/{}/{}", one.task, one.k);
        let turn = known.journal.find_key(&key);
        let turn = turn.map_err(|fault| trouble::of_query(&fault.into()))?;
        let turn = turn.filter(|_| !one.files_changed.is_empty());
        lines.extend(turn.map(|turn| format!("  loopwright diff {turn}")));
    }
    Ok(lines)
}

/// The ways out, as exact commands.
fn ways(ctx: &Ctx, view: &View, on: &str) -> Vec<String> {
    let id = &view.run_id;
    let Some(blocked) = &view.blocked else { return Vec::new() };
    let line = |way: &String| {
        let verb = match way.as_str() {
            "fix" => format!("fix {id} {on}"),
            word => format!("{word} {id}"),
        };
        ctx.tell("lifecycle-page-way", &[("command", &format!("loopwright lifecycle {verb}"))])
    };
    blocked.options.iter().map(line).collect()
}

fn why_task(ctx: &Ctx, view: &View, id: &str) -> Result<Reply, Trouble> {
    let Some(found) = view.tasks.iter().find(|task| task.task.spec.id == id) else {
        let near = nearest(id, view.tasks.iter().map(|task| task.task.spec.id.as_str()));
        let details = json!({ "what": "task", "id": id, "near": near.join(", ") });
        return Err(trouble::refused(Machine::Lifecycle, "no_such", details));
    };
    let fact = |name: &str| ctx.say(&format!("lifecycle-fact-{name}"));
    let task = &found.task;
    let records: Vec<String> = found
        .records
        .iter()
        .map(|record| {
            let fresh = if record.fresh { "" } else { "*" };
            format!("{} {}{fresh}", record.id, verdict(ctx, record.verdict))
        })
        .collect();
    let mut rows = vec![
        (fact("task"), format!("{} {}", task.spec.id, task.spec.title)),
        (fact("state"), task.status.said().to_owned()),
        (fact("waits"), found.waiting_on.join(", ")),
        (fact("claim"), task.claim.map(|claim| claim.said().to_owned()).unwrap_or_default()),
        (fact("closed"), task.closed.map(|why| closed(ctx, why)).unwrap_or_default()),
        (fact("evidence"), records.join(", ")),
        (fact("summary"), task.summary.clone().unwrap_or_default()),
    ];
    rows.retain(|(_, value)| !value.is_empty());
    told(ctx, &json!(found), &table::pairs(&rows))
}

/// Why a task is closed.
fn closed(ctx: &Ctx, why: lifecycle::CloseWhy) -> String {
    ctx.say(&format!("lifecycle-closed-{}", word(&json!(why))))
}

/// Its tasks; those of a plan that waits for a yes too.
pub fn tasks(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    let seen = seen(ctx, run)?;
    let rows = match &seen.life.phase {
        Phase::Confirming(now) => {
            let row = |spec: &lifecycle::Spec| {
                vec![spec.id.clone(), "PENDING".into(), spec.depends.join(","), spec.title.clone()]
            };
            now.plan.tasks.iter().map(row).collect()
        }
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_)
        | Phase::Archiving(_) => rows(&seen.view),
    };
    let data = lifecycles::tasks(&seen, ctx.lang);
    let text = match rows.is_empty() {
        true => ctx.say("lifecycle-no-tasks"),
        false => table::draw(&ctx.heading(["task", "state", "waits", "title"]), &rows),
    };
    told(ctx, &data, &text)
}

/// What failed: now, and at each fix that was tried.
pub fn errors(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    let seen = seen(ctx, run)?;
    let (failures, data) = lifecycles::errors(&seen);
    let attempts = seen.life.phase.work().map_or(&[][..], |work| &work.attempts);
    let mut lines: Vec<String> =
        failures.into_iter().flat_map(|one| page::failed(ctx, Some(one))).collect();
    lines.extend(tried(ctx, &seen.known, attempts)?);
    if lines.is_empty() {
        lines.push(ctx.say("lifecycle-no-errors"));
    }
    told(ctx, &data, &lines.join("\n"))
}

/// What its checks came to.
pub fn evidence(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    let seen = seen(ctx, run)?;
    let work = seen.life.phase.work();
    let all = work.map_or(&[][..], |work| &work.evidence);
    let fresh = |one: &lifecycle::Evidence| work.is_some_and(|work| work.fresh(one));
    let row = |one: &std::sync::Arc<lifecycle::Evidence>| {
        let stale = ctx.say(if fresh(one) { "lifecycle-fresh" } else { "lifecycle-stale" });
        let digest: String = one.digest.chars().take(SHORT).collect();
        let check = match one.argv.is_empty() {
            true => one.check_id.clone(),
            false => kernel::call::typed(&one.argv),
        };
        vec![
            one.task_id.clone().unwrap_or_default(),
            verdict(ctx, one.verdict),
            stale,
            digest,
            check,
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let text = match rows.is_empty() {
        true => ctx.say("lifecycle-no-evidence"),
        false => {
            let heading = ctx.heading(["task", "verdict", "fresh", "digest", "check"]);
            table::draw(&heading, &rows)
        }
    };
    told(ctx, &lifecycles::evidence(&seen), &text)
}

/// Runs that are over, the newest first.
pub fn history(ctx: &Ctx) -> Result<Reply, Trouble> {
    let Some((_, journal)) = ctx.journal()? else {
        return Ok(Reply::new(json!([]), ctx.say("lifecycle-none")));
    };
    let (lines, data) = over(&journal)?;
    let text = if lines.is_empty() { ctx.say("lifecycle-none") } else { lines.join("\n") };
    told(ctx, &Value::Array(data), &text)
}

/// Ends of runs, the newest first: the line of each, and what programs read.
fn over(journal: &journal::Reader) -> Result<(Vec<String>, Vec<Value>), Trouble> {
    let (mut lines, mut data) = (Vec::new(), Vec::new());
    for head in which::all(journal)?.iter().filter(|head| head.ended) {
        let folded = query::fold(journal, head, None).map_err(|why| trouble::of_query(&why))?;
        let State::Lifecycle(state) = &folded.state else { continue };
        let Some(life) = state.life() else { continue };
        let Some(ended) = life.phase.ended() else { continue };
        lines.push(history_line(life, ended, &|at: At| local_minute(at)));
        data.push(json!({
            "run_id": head.run, "outcome": ended.outcome, "at": query::at_ms(ended.at.0),
            "archive": ended.archive, "requirement": life.body.ask.whole(),
        }));
    }
    Ok((lines, data))
}

/// The pointer and the page of working memory.
pub fn context(ctx: &Ctx, run: Option<&str>) -> Result<Reply, Trouble> {
    let seen = seen(ctx, run)?;
    let pointer = page::pointer(ctx, &seen.life, &seen.view, &seen.open()?);
    let page = lifecycles::page(&seen, ctx.lang)?;
    let shown = query::show(&seen.known.head, &seen.folded, ctx.lang);
    let data = json!({ "pointer": pointer, "view": shown, "page": page });
    told(ctx, &data, &format!("{}\n\n{page}", pointer.join("\n")))
}

/// All of them, the newest first.
pub fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let none = || Reply::new(json!([]), ctx.say("lifecycle-none"));
    let Some((_, journal)) = ctx.journal()? else { return Ok(none()) };
    let heads = which::all(&journal)?;
    if heads.is_empty() {
        return Ok(none());
    }
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    for head in &heads {
        let folded = query::fold(&journal, head, None).map_err(|why| trouble::of_query(&why))?;
        let view = query::show(head, &folded, ctx.lang);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let end = text(&view["outcome"]);
        let state = format!("{} {end}", text(&view["task_status"])).trim_end().to_owned();
        let request = first(&text(&view["requirement"]["text"]));
        rows.push(vec![head.run.clone(), state, known::clock(head.updated_ms), request]);
        all.push(view);
    }
    let text = table::draw(&ctx.heading(["run", "state", "updated", "request"]), &rows);
    told(ctx, &Value::Array(all), &text)
}
