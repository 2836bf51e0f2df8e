//! The facts of a run and everything below it, read from the journal and from the marks of calls.

use std::collections::BTreeMap;
use std::path::Path;

use journal::{Head, Journal};
use kernel::run::{Kind, State};
use runtime::query::{self, Filter, Refusal};
use runtime::words::Lang;
use serde_json::Value;

use super::own;
use super::parts::{CallLine, Change, Line, Moment, Report};

/// Reads them; `marks` is where the marks of calls lie. Open questions come in the reader's
/// language; secrets are taken out where it is shown.
///
/// # Errors
/// A journal that cannot be read.
pub fn report(
    journal: &dyn Journal,
    head: &Head,
    marks: &Path,
    lang: Lang,
) -> Result<Report, Refusal> {
    let replayed = query::replay(journal, head)?;
    let folded = query::fold(journal, head, None)?;
    let mut report = Report {
        run_id: head.run.clone(),
        machine: head.machine.clone(),
        state: replayed.state.to_owned(),
        ended: replayed.ended,
        created_at: query::at_ms(head.created_ms),
        updated_at: query::at_ms(folded.updated_ms),
        trace_id: folded.trace.clone(),
        ..Report::default()
    };
    for step in replayed.steps {
        if report.passed.last().map(String::as_str) != Some(step.state) {
            report.passed.push(step.state.to_owned());
        }
        let query::Logged { seq, at, by, kind, summary, .. } = step.entry;
        report.timeline.push(Moment { seq, at, by, event: kind, summary });
    }
    own::add(&mut report, &folded.state);
    calls(&mut report, journal, &head.run)?;
    changes(&mut report, &query::diff(journal, head, marks)?);
    for question in query::questions(journal, Some(&head.run))? {
        report.open.push(Line { text: question.text(lang), id: question.id });
    }
    Ok(report)
}

/// Every call below the run, oldest first, and how those that can be are taken back.
fn calls(report: &mut Report, journal: &dyn Journal, run: &str) -> Result<(), Refusal> {
    let filter = Filter {
        machine: Some(Kind::Call.name().to_owned()),
        below: Some(run.to_owned()),
        ..Filter::default()
    };
    for head in query::runs(journal, &filter)? {
        let State::Call(state) = query::fold(journal, &head, None)?.state else { continue };
        let view = query::call_view(&head.run, &state);
        let text = |pointer: &str| view.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let changed = view.pointer("/result/artifacts/files_changed").and_then(Value::as_array);
        let level = text("/undo/level");
        let back = matches!(level.as_deref(), Some("exact" | "best_effort"));
        if back && changed.is_some_and(|files| !files.is_empty()) {
            report.undo.push(format!("loopwright undo {}", head.run));
        }
        report.calls.push(CallLine {
            tool: text("/name").unwrap_or_default(),
            about: text("/about").unwrap_or_default(),
            state: state.name().to_owned(),
            outcome: text("/outcome"),
            code: text("/result/error/code"),
            id: head.run,
        });
    }
    report.calls.reverse();
    Ok(())
}

/// Each path once, from what it was before the first change to what it is after the last.
fn changes(report: &mut Report, diff: &query::Diff) {
    let mut all: BTreeMap<&str, (bool, &query::Changed)> = BTreeMap::new();
    for change in &diff.changes {
        let was = all.get(change.path.as_str()).map_or(change.before.is_some(), |known| known.0);
        all.insert(&change.path, (was, change));
    }
    for (path, (was, last)) in all {
        let known = last.hashes == query::Hashes::Known;
        let action = match (known, was, last.after.is_some()) {
            (false, _, _) => "changed",
            (true, false, true) => "added",
            (true, true, true) => "modified",
            (true, true, false) => "removed",
            // Made and gone again: nothing is left of it.
            (true, false, false) => continue,
        };
        report.changed.push(Change {
            path: path.to_owned(),
            action: action.to_owned(),
            call: last.call.clone(),
        });
    }
    for call in &diff.open {
        report.open.push(Line { id: call.call.clone(), text: call.state.to_owned() });
    }
}
