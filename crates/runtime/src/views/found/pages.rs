//! The parts of a document, read back from the headings and lists of its pages: the last resort
//! where journal, document and comment lines are all lost. What a page never showed stays unsaid.

use serde_json::{Map, Value, json};

use crate::words::{Lang, say};

/// The value of `**Name**: value`.
pub(super) fn field(page: &str, name: &str) -> Option<String> {
    let prefix = format!("**{name}**:");
    let value = page.lines().find_map(|line| line.strip_prefix(&prefix))?.trim();
    (!value.is_empty() && value != "-").then(|| value.to_owned())
}

/// The part of this name by its page; what the document keeps elsewhere goes there.
pub(super) fn part(name: &str, page: &str, skill: &mut Map<String, Value>) -> Option<Value> {
    match name {
        "develop" => Some(develop(page)),
        "debug" => Some(debug(page)),
        "validate" => {
            let (part, ext) = validate(page)?;
            skill.insert("ext".to_owned(), json!({ "validate": ext }));
            Some(part)
        }
        _ => None,
    }
}

/// How many actions were counted, by what the pages show: the highest number, or as many as are
/// shown. Rounds of debugging have numbers of their own.
pub(super) fn iterations<'a>(pages: impl Iterator<Item = (&'a str, &'a str)>) -> u64 {
    let (mut highest, mut shown) = (0, 0);
    for (name, page) in pages {
        for heading in page.lines().filter_map(heading) {
            if name != "debug" {
                highest = highest.max(heading.n);
                shown += 1;
            } else if heading.what == "Evidence Analysis" {
                shown += 1;
            }
        }
    }
    highest.max(shown)
}

/// `### Iteration N - what (time)`
struct Heading<'a> {
    n: u64,
    what: &'a str,
    time: Option<&'a str>,
}

fn heading(line: &str) -> Option<Heading<'_>> {
    let rest = line.trim_start_matches('#').strip_prefix(" Iteration ")?;
    if !line.starts_with("##") {
        return None;
    }
    let (n, what) = rest.split_once(" - ")?;
    let timed = what.strip_suffix(')').and_then(|what| what.rsplit_once(" ("));
    let (what, time) = timed.map_or((what, None), |(what, time)| (what, Some(time)));
    Some(Heading { n: n.parse().ok()?, what, time })
}

/// `- **Name**: value`
fn item<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.strip_prefix("- **")?.strip_prefix(name)?.strip_prefix("**:").map(str::trim)
}

/// What the timeline tells of one action.
#[derive(Default)]
struct Acted {
    text: String,
    time: Option<String>,
    id: Option<String>,
    tool: Option<String>,
    mode: Option<String>,
    files: Vec<String>,
    completed: bool,
}

fn develop(page: &str) -> Value {
    let acted = timeline(page);
    let mut used: Vec<String> = acted.iter().filter_map(|one| one.id.clone()).collect();
    let mut tasks = Vec::new();
    let listed = page.lines().skip_while(|line| *line != "## Task List").skip(1);
    for line in listed.take_while(|line| !line.starts_with('#')) {
        let Some((mark, text)) = listed_task(line) else { continue };
        let known = |one: &&Acted| one.text == text;
        let of = acted.iter().rev().find(known);
        let id = of.and_then(|one| one.id.clone()).unwrap_or_else(|| unused(&mut used));
        let done = acted.iter().rev().find(|one| known(one) && one.completed);
        let files: Vec<&String> = acted.iter().filter(known).flat_map(|one| &one.files).collect();
        tasks.push(json!({
            "id": id, "description": text, "status": mark,
            "tool": of.and_then(|one| one.tool.clone()),
            "mode": of.and_then(|one| one.mode.clone()),
            "files_changed": files,
            "completed_at": done.filter(|_| mark == "completed").and_then(|one| one.time.clone()),
        }));
    }
    let last = acted.last().and_then(|one| one.time.clone());
    json!({ "tasks": tasks, "last_progress_at": last })
}

/// `1. [x] text`
fn listed_task(line: &str) -> Option<(&'static str, &str)> {
    let (n, rest) = line.split_once(". [")?;
    n.parse::<u32>().ok()?;
    let (mark, text) = rest.split_once("] ")?;
    let status = match mark {
        "x" => "completed",
        "!" => "failed",
        " " => "pending",
        _ => return None,
    };
    Some((status, text))
}

/// The lowest number that no task has.
pub(super) fn unused(used: &mut Vec<String>) -> String {
    let free = (1..=used.len() + 1).map(|n| format!("task-{n:03}")).find(|id| !used.contains(id));
    let id = free.unwrap_or_default();
    used.push(id.clone());
    id
}

fn timeline(page: &str) -> Vec<Acted> {
    let mut all: Vec<Acted> = Vec::new();
    let mut files = false;
    for line in page.lines() {
        if let Some(found) = heading(line) {
            let time = found.time.map(str::to_owned);
            all.push(Acted { text: found.what.to_owned(), time, ..Acted::default() });
        }
        let Some(now) = all.last_mut() else { continue };
        if line.starts_with('#') {
            files = line == "#### Files Changed";
            now.completed |= line == "#### Status: COMPLETED";
        }
        let known = |value: &str| (value != "-").then(|| value.to_owned());
        if let Some(id) = item(line, "ID") {
            now.id = known(id);
        } else if let Some(tool) = item(line, "Tool") {
            now.tool = known(tool);
        } else if let Some(mode) = item(line, "Mode") {
            now.mode = known(mode);
        } else if let (true, Some(path)) = (files, line.strip_prefix("- `")) {
            now.files.extend(path.strip_suffix('`').map(str::to_owned));
        }
    }
    all
}

fn debug(page: &str) -> Value {
    let mut hypotheses: Vec<Value> = Vec::new();
    let (mut rounds, mut last, mut confirmed) = (0, None, Value::Null);
    let mut judging = false;
    let mut at: Option<usize> = None;
    for line in page.lines() {
        if let Some(found) = heading(line) {
            judging = found.what == "Evidence Analysis";
            if judging {
                rounds = found.n;
                last = found.time.map(str::to_owned).or(last);
            }
        }
        if line.starts_with('#') {
            at = None;
            continue;
        }
        if let Some((id, rest)) = named(line) {
            at = position(&mut hypotheses, id);
            let Some(one) = at.map(|at| &mut hypotheses[at]) else { continue };
            if judging {
                one["status"] = Value::from(rest.to_ascii_lowercase());
                if rest == "CONFIRMED" {
                    confirmed = one["id"].clone();
                }
            } else {
                one["description"] = Value::from(rest);
            }
            continue;
        }
        if let (Some(at), Some((name, value))) =
            (at, line.strip_prefix("- ").and_then(|l| l.split_once(':')))
        {
            told(&mut hypotheses[at], name, value.trim());
        }
    }
    let bug = field(page, "Bug Description")
        .filter(|bug| !Lang::ALL.iter().any(|lang| say(*lang, "view-page-no-bug", &[]) == *bug));
    json!({
        "active_bug": bug, "hypotheses": hypotheses, "confirmed_hypothesis": confirmed,
        "iteration": rounds, "last_analysis_at": last,
    })
}

/// `**H1**: text`
fn named(line: &str) -> Option<(&str, &str)> {
    let (id, rest) = line.strip_prefix("**")?.split_once("**: ")?;
    let number = id.strip_prefix('H')?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then(|| (id, rest.trim()))
}

/// Where the hypothesis of this id is; a new one is put last.
fn position(all: &mut Vec<Value>, id: &str) -> Option<usize> {
    let known = all.iter().position(|one| one["id"] == id);
    if known.is_none() {
        all.push(json!({ "id": id, "status": "pending" }));
    }
    known.or_else(|| all.len().checked_sub(1))
}

fn told(one: &mut Value, name: &str, value: &str) {
    match name {
        "Testable condition" => one["testable_condition"] = Value::from(value),
        "Logging point" => one["logging_point"] = Value::from(value),
        "Likelihood" => one["likelihood"] = Value::from(value.parse::<u64>().unwrap_or(0)),
        "Evidence" => one["evidence"] = serde_json::from_str(value).unwrap_or_default(),
        "Reasoning" => one["verdict_reason"] = Value::from(value),
        _ => {}
    }
}

/// The last run that is shown whole, and what the document keeps of it under `ext`.
fn validate(page: &str) -> Option<(Value, Value)> {
    let run = page.rsplit_once("### Test Execution Summary")?.1;
    let items = |name: &str| run.lines().find_map(|line| item(line, name));
    let number = |name: &str| items(name).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    let percent = |text: &str| text.strip_suffix('%').and_then(|text| text.parse::<f64>().ok());
    let rate = items("Pass Rate").and_then(percent);
    let coverage = field(run, "Overall Coverage").as_deref().and_then(percent);
    let failed = failures(run);
    let names: Vec<Value> = failed.iter().map(|one| one["test_name"].clone()).collect();
    let duration = items("Duration").and_then(|text| text.strip_suffix(" ms"));
    let part = json!({
        "pass_rate": rate.unwrap_or(0.0), "coverage": coverage.unwrap_or(0.0),
        "test_results": failed, "failed_tests": names,
        "passed": field(run, "Result").as_deref() == Some("PASS"),
        "last_run_at": field(page, "Validated"),
    });
    let ext = json!({
        "pass_rate_known": rate.is_some(), "coverage_available": coverage.is_some(),
        "counts": { "total": number("Total Tests"), "passed": number("Passed"),
                    "failed": number("Failed"), "skipped": number("Skipped") },
        "duration_ms": duration.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0),
    });
    Some((part, ext))
}

fn failures(run: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    let mut into = None;
    let shown = run.lines().skip_while(|line| *line != "### Failed Tests").skip(1);
    for line in shown.take_while(|line| !line.starts_with("## ")) {
        if let Some(name) = line.strip_prefix("#### ") {
            into = None;
            all.push(json!({ "test_name": name, "suite": "", "status": "failed",
                "duration_ms": 0, "error_message": null, "stack_trace": null }));
        }
        let Some(one) = all.last_mut() else { continue };
        if let Some(suite) = item(line, "Suite") {
            one["suite"] = Value::from(suite);
        } else if item(line, "Error").is_some() {
            into = Some("error_message");
        } else if item(line, "Stack").is_some() {
            into = Some("stack_trace");
        } else if let (Some(name), Some(text)) = (into, line.strip_prefix('>')) {
            let text = text.strip_prefix(' ').unwrap_or(text);
            let before = one[name].as_str().map(|before| format!("{before}\n{text}"));
            one[name] = Value::from(before.unwrap_or_else(|| text.to_owned()));
        }
    }
    all
}
