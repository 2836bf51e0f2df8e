//! The files that show a turn: its plan, context, checks, summary and audit log. Drawn whole from
//! its state and from texts that were kept by hash; nothing is ever read back from them.

use std::path::Path;

use journal::{Fault, Journal};
use kernel::run::{Event, Kind, State as Any};
use kernel::turn::{
    self, Life, Phase, Round, Seen, State, Summary, Verified, Verifying, audit, settled, summed,
};
use serde_json::{Value, json};

use super::intake::language;
use super::pages::{plan_sheet, summary_sheet};
use super::store;
use crate::lines::{Lines, Taken};
use crate::redact::Redactor;
use crate::trace::redacted;
use crate::views::Page;

/// The file that tells every fact.
pub const AUDIT_FILE: &str = "audit.jsonl";
/// The file that tells how it ended.
pub const SUMMARY_FILE: &str = "summary.json";
/// The same for people.
pub const SUMMARY_PAGE: &str = "summary.md";

/// The audit log of one turn so far.
#[derive(Debug)]
pub struct Audit(Lines);

impl Default for Audit {
    fn default() -> Self {
        Self(Lines::of(Kind::Turn))
    }
}

impl Audit {
    /// Takes in the records that came since the last look. One that cannot be read has no line;
    /// whoever folds the run says so.
    ///
    /// # Errors
    /// A journal that cannot be read.
    pub fn go_on(
        &mut self,
        journal: &dyn Journal,
        run: &str,
        redactor: &Redactor,
    ) -> Result<(), Fault> {
        self.0.go_on(journal, run, |taken| line(&taken, redactor))
    }

    /// All lines.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.text()
    }
}

/// What a record says in the audit log.
fn line(taken: &Taken<'_>, redactor: &Redactor) -> Option<String> {
    let (Any::Turn(state), Event::Turn(event)) = (taken.state, taken.event) else { return None };
    let entry = audit(state, event, taken.seq, taken.at)?;
    Some(redacted(&json!(entry), redactor).to_string())
}

/// The pages of a turn as it stands.
#[must_use]
pub fn pages(state: &State, log: &Audit, loop_dir: &Path, redactor: &Redactor) -> Vec<Page> {
    let Some(life) = state.life() else { return Vec::new() };
    let lang = language(&life.body.start);
    let page = |file: &str, text: String| Page { file: file.to_owned(), bytes: text.into_bytes() };
    let data = |file: &str, value: &Value| page(file, data_text(value, redactor));
    let mut pages = Vec::new();
    if let Some(pack) = &life.body.pack
        && let Ok(text) = store::load(loop_dir, &pack.sha256)
    {
        pages.push(page("context.json", text + "\n"));
    }
    if let Some(work) = life.body.work.as_deref() {
        pages.push(data("plan.json", &json!(work.plan)));
        pages.push(page("plan.md", redactor.redact_text(&plan_sheet(lang, &work.plan))));
        pages.push(data("verification.json", &verification(life)));
    }
    if let Some(summary) = summary(life, loop_dir) {
        pages.push(data(SUMMARY_FILE, &json!(summary)));
        pages.push(page(SUMMARY_PAGE, redactor.redact_text(&summary_sheet(lang, &summary))));
    }
    // The last one: whoever finds it at a record finds the others there too.
    pages.push(page(AUDIT_FILE, log.text().to_owned()));
    pages
}

fn data_text(value: &Value, redactor: &Redactor) -> String {
    format!("{:#}\n", redacted(value, redactor))
}

/// Which checks, what they came to round by round, and what they came to in the end.
fn verification(life: &Life) -> Value {
    let work = life.body.work.as_deref();
    let mut rounds: Vec<Round> = work.map(|work| work.rounds.clone()).unwrap_or_default();
    if let Phase::Verifying(now) = &life.phase {
        let Verifying { round, results, .. } = &**now;
        rounds.push(Round { round: *round, results: results.clone() });
    }
    json!({
        "policy": work.map(|work| &work.plan.verification),
        "rounds": rounds,
        "verified": verified(life).map(Verified::word),
    })
}

fn verified(life: &Life) -> Option<Verified> {
    if let Phase::Done(over) = &life.phase {
        return Some(over.verified);
    }
    let Phase::Summarizing(now) = &life.phase else { return None };
    Some(now.verified)
}

/// The summary that was kept; at the end, where none was, what the journal alone tells.
fn summary(life: &Life, loop_dir: &Path) -> Option<Summary> {
    let kept = |sha256: &Option<String>| -> Option<Summary> {
        serde_json::from_str(&store::load(loop_dir, sha256.as_deref()?).ok()?).ok()
    };
    if let Phase::Done(over) = &life.phase {
        let kept = kept(&over.summary).map(|summary| settled(summary, over));
        return kept.or_else(|| summed(life, &told(life)));
    }
    let Phase::Summarizing(now) = &life.phase else { return None };
    kept(&now.summary)
}

/// What the record itself says of the changes, without their lines.
fn told(life: &Life) -> Seen {
    let changed = life.body.work.as_deref().map(|work| work.changed.keys()).into_iter().flatten();
    let one = |path: &String| turn::ChangedFile {
        path: path.clone(),
        action: "changed".to_owned(),
        added: 0,
        removed: 0,
    };
    Seen { changed: changed.map(one).collect(), ..Seen::default() }
}

#[cfg(test)]
mod tests {
    use kernel::machine::At;
    use kernel::turn::{AuditLogEntry, Plan, samples};

    use super::*;
    use crate::redact::Secrets;

    fn drawn(name: &str) -> Vec<Page> {
        let dir = tempfile::tempdir().unwrap();
        let mut all = samples::sample_states().into_iter();
        let state = all.find(|(one, _)| *one == name).unwrap_or_else(|| panic!("{name}")).1;
        let redactor = Redactor::new(&Secrets::default()).unwrap();
        pages(&state, &Audit::default(), dir.path(), &redactor)
    }

    fn files(name: &str) -> Vec<String> {
        drawn(name).into_iter().map(|page| page.file).collect()
    }

    #[test]
    fn a_turn_shows_what_it_has() {
        assert_eq!(files("idle"), Vec::<String>::new());
        assert_eq!(files("intake"), ["audit.jsonl"]);
        let work = ["plan.json", "plan.md", "verification.json"];
        assert_eq!(files("verifying"), [&work[..], &["audit.jsonl"]].concat());
        assert_eq!(
            files("done"),
            [&work[..], &["summary.json", "summary.md", "audit.jsonl"]].concat()
        );
    }

    #[test]
    fn what_is_drawn_can_be_read() {
        let pages = drawn("done");
        let of = |file: &str| pages.iter().find(|page| page.file == file).unwrap().bytes.clone();
        let plan: Plan = serde_json::from_slice(&of("plan.json")).unwrap();
        assert_eq!(plan.goal, "Add --json to list");
        let summary: Summary = serde_json::from_slice(&of("summary.json")).unwrap();
        assert_eq!(summary.goal, plan.goal);
        let checks: Value = serde_json::from_slice(&of("verification.json")).unwrap();
        assert_eq!(checks["verified"], "passed");
        assert_eq!(checks["rounds"][0]["results"][0]["command"], "cargo test");
    }

    #[test]
    fn facts_become_lines_without_secrets() {
        let redactor = Redactor::new(&Secrets::default()).unwrap();
        let mut state = Kind::Turn.unborn();
        let mut start = samples::start();
        start.request = "use ghp_0123456789abcdefghijABCDEFGHIJ012345".to_owned();
        let event = Event::Turn(turn::Event::Asked { start: Box::new(start) });
        let at = At(1_000);
        state.evolve(&event, at);
        let text = line(&Taken { state: &state, event: &event, seq: 1, at }, &redactor).unwrap();
        let entry: AuditLogEntry = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (entry.event.as_str(), entry.seq, entry.run_id.as_str()),
            ("asked", 1, "turn-sample")
        );
        assert!(!text.contains("ghp_"), "{text}");
    }
}
