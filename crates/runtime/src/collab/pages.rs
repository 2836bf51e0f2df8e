//! The files that show a collab: snapshot, result, page, takeover bundle, log. Drawn from state
//! and the answers it refers to; none of them is state.

use std::collections::BTreeMap;
use std::path::Path;

use kernel::collab::view::{self, Meta};
use kernel::collab::{Impact, Level, RESULT_OUTPUT_MAX, State};
use kernel::errors::{Class, Code};
use kernel::machine::At;
use serde_json::json;

use super::log::Log;
use crate::redact::Redactor;
use crate::shim::durable;
use crate::views::Page;
use crate::words::{Lang, Vars, say, tell};

/// What a page knows beyond the run's records.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// The time of the look.
    pub now: At,
    /// Those who have said nothing for too long.
    pub silent: &'a [String],
}

/// The pages of a run as it stands, with the answers read from their files.
#[must_use]
pub fn pages(
    state: &State,
    meta: &Meta,
    seen: Glance<'_>,
    lang: Lang,
    texts: &Texts,
    log: &Log,
) -> Vec<Page> {
    let id = &meta.run_id;
    let page =
        |kind: &str, text: String| Page { file: format!("{id}.{kind}"), bytes: text.into_bytes() };
    let mut all = Vec::new();
    if let Some(result) = view::result(state, meta, texts) {
        all.push(page("result.json", result.text()));
    }
    all.push(page("md", sheet(state, meta, seen, lang, texts)));
    all.push(page("log", log.text().to_owned()));
    if let Some(takeover) = view::takeover(state, meta) {
        all.push(page("takeover.json", takeover.text()));
    }
    // The last, so that where it stands at the last record all the others do.
    if let Some(snapshot) = view::snapshot(state, meta, seen.now) {
        all.push(page("json", snapshot.text()));
    }
    all
}

/// Answers by participant, without secrets.
pub type Texts = BTreeMap<String, String>;

/// Reads the answers of the usable participants, as much of each as a result carries.
#[must_use]
pub fn texts(state: &State, loop_dir: &Path, redactor: &Redactor) -> Texts {
    let usable = state.participants().iter().filter_map(|one| {
        let text = &one.answer()?.1.text;
        // One byte more, so that a cut answer is seen to be one.
        let cap = u64::try_from(RESULT_OUTPUT_MAX + 1).unwrap_or(u64::MAX);
        let bytes = durable::read_head(&loop_dir.join(&text.path), cap).ok()?;
        let clean = redactor.redact(&bytes);
        Some((one.name.clone(), String::from_utf8_lossy(&clean).into_owned()))
    });
    usable.collect()
}

/// The page for people: progress while it runs, the outcome and the answers at the end.
#[must_use]
pub fn sheet(state: &State, meta: &Meta, seen: Glance<'_>, lang: Lang, texts: &Texts) -> String {
    let mut page = format!("# {}\n\n{}\n", meta.run_id, table(state, seen, lang));
    let Some(shown) = view::result(state, meta, texts) else { return page };
    page.push('\n');
    page.push_str("| key | value |\n|---|---|\n");
    for (key, value) in view::metadata(state) {
        page.push_str(&format!("| `{key}` | {value} |\n"));
    }
    page.push_str(&ending(state, meta, lang).unwrap_or_default());
    if !shown.ext.errors.is_empty() {
        page.push_str(&format!("\n## {}\n\n", say(lang, "collab-errors", &[])));
        for error in &shown.ext.errors {
            let (who, launch) = (&error.participant, error.launch);
            let mut line = format!("- `{who}` {launch}: {} {}", error.code, error.detail);
            if let Some(at) = &error.reset_at {
                line.push_str(&format!(" ({})", say(lang, "collab-reset", &[("at", at)])));
            }
            page.push_str(&format!("{line}\n"));
        }
    }
    if let Some(shortfall) = view::shortfall(state) {
        page.push_str(&format!("\n## {}\n\n", say(lang, "collab-impact", &[])));
        for line in impact_lines(state, lang) {
            page.push_str(&format!("{line}\n"));
        }
        page.push_str(&format!("\n{}\n", shortfall.reason));
    }
    if let Some(merged) = shown.ext.merged {
        page.push('\n');
        page.push_str(&merged);
    }
    page
}

/// Of an end that is no success: its cause, in the words of its code, and what to do.
fn ending(state: &State, meta: &Meta, lang: Lang) -> Option<String> {
    let (cause, code, details) = match state {
        State::New | State::Init { .. } | State::Running { .. } | State::Success { .. } => {
            return None;
        }
        State::Degraded { .. } => {
            let lack = view::shortfall(state)?;
            let kind = match lack.level {
                Level::Acceptable => "acceptable",
                Level::Unacceptable => "unacceptable",
            };
            let missing = lack.missing.items();
            let details = json!({"kind": kind, "missing_dimensions": missing});
            (state.name(), Code::Class(Class::Degraded), details)
        }
        State::Failed { cause, code, flaw, .. } => {
            let (kind, detail) =
                flaw.as_ref().map_or(("", ""), |flaw| (flaw.kind.as_str(), flaw.detail.as_str()));
            let details = json!({"kind": kind, "detail": detail, "path": detail, "what": detail});
            (cause.word(), Code::parse(code).ok()?, details)
        }
    };
    let mut told = tell(lang, code, &Vars::of(&details).with("run_id", &meta.run_id));
    if matches!(state, State::Failed { .. }) {
        told.commands.push(format!("loopwright collab takeover {}", meta.run_id));
    }
    let title = say(lang, "collab-ending", &[]);
    let mut text = format!("\n## {title}\n\n`{cause}` {code}: {}\n", told.message);
    text.push_str(&format!("{}\n", told.next_step));
    told.commands.iter().for_each(|line| text.push_str(&format!("- `{line}`\n")));
    Some(text)
}

/// What each missing side means, one a line.
#[must_use]
pub fn impact_lines(state: &State, lang: Lang) -> Vec<String> {
    let told = |impact: &Impact| {
        let words = match lang {
            Lang::En => &impact.en,
            Lang::Zh => &impact.zh,
        };
        format!("- `{}`: {words}", impact.dimension)
    };
    let all = view::shortfall(state).map_or(&[][..], |shortfall| shortfall.impact.items());
    all.iter().map(told).collect()
}

/// The progress table of a run.
#[must_use]
pub fn table(state: &State, seen: Glance<'_>, lang: Lang) -> String {
    let progress = view::progress(state, seen.now, seen.silent);
    let mut text = format!(
        "{} {}% {}\n\n{}\n|---|---|---|---|\n",
        progress.bar,
        progress.percent,
        state.name(),
        say(lang, "collab-table", &[])
    );
    for row in progress.rows {
        let (zh, en) = row.sign.words();
        let word = match lang {
            Lang::En => en,
            Lang::Zh => zh,
        };
        let elapsed = row.elapsed_ms.map_or_else(|| "–".to_owned(), |ms| format!("{}s", ms / 1000));
        let session = row.session.unwrap_or_else(|| "–".to_owned());
        let sign = row.sign.symbol();
        text.push_str(&format!("| {} | {sign} {word} | {elapsed} | {session} |\n", row.name));
    }
    text
}
