//! `debug.md`: what was suspected, what was found, and what is understood now. The state keeps each
//! hypothesis as it stands, not its history, so an analysis shows the verdict of today.

use kernel::loops::view::{Document, rfc3339};
use kernel::loops::{ActionRecord, Body, Hypothesis, HypothesisStatus, Kind, Phase, Work};
use kernel::machine::At;

use super::sheet::{Sheet, flat, of_kind};
use crate::words::Lang;

/// Draws the page.
pub(in super::super) fn debug(
    body: &Body,
    phase: &Phase,
    document: &Document,
    lang: Lang,
) -> String {
    let mut sheet = Sheet::new(lang);
    let empty = Work::default();
    let found = &body.work().unwrap_or(&empty).debug;
    sheet.heading("# Understanding Document");
    sheet.field("Loop ID", &body.id);
    match &found.active_bug {
        Some(bug) => sheet.field("Bug Description", bug),
        None => {
            let none = crate::words::say(lang, "view-page-no-bug", &[]);
            sheet.field("Bug Description", &none);
        }
    }
    sheet.field("Started", &rfc3339(body.created_at));
    sheet.heading("## Exploration Timeline");
    let records = of_kind(body, Kind::Debug);
    let groups = groups(&found.hypotheses);
    sheet.bounds(body, records.len().max(groups.len()));
    // Actions that are no longer shown were counted all the same.
    let earlier = usize::try_from(found.iteration).unwrap_or(0).saturating_sub(records.len());
    let groups = groups.get(earlier..).unwrap_or_default();
    for k in 0..records.len().max(groups.len()) {
        let n = earlier + k + 1;
        let record = records.get(k).copied();
        if let Some(group) = groups.get(k) {
            let time = record.map_or_else(|| begun(body, phase), |record| record.started_at);
            explored(&mut sheet, n, time, group);
        }
        if let Some(record) = record {
            analysed(&mut sheet, n, record, groups.get(k).or(groups.last()).copied());
        }
    }
    understood(&mut sheet, &found.hypotheses, found.confirmed.as_deref());
    sheet.close("debug", document.skill_state.as_ref().map(|skill| &skill.debug))
}

/// Since when the round that has not ended is under way.
fn begun(body: &Body, phase: &Phase) -> At {
    match phase.action() {
        Some(action) if action.kind == Kind::Debug => action.started_at,
        Some(_) | None => {
            body.work().and_then(|work| work.debug.last_analysis_at).unwrap_or(body.created_at)
        }
    }
}

/// Hypotheses by the round that made them, in order.
fn groups(all: &[Hypothesis]) -> Vec<&[Hypothesis]> {
    all.chunk_by(|one, next| one.problem == next.problem && one.round == next.round).collect()
}

fn explored(sheet: &mut Sheet, n: usize, time: At, group: &[Hypothesis]) {
    sheet.heading(&format!("### Iteration {n} - Initial Exploration ({})", rfc3339(time)));
    sheet.line("#### Hypotheses");
    for one in group {
        sheet.blank();
        sheet.line(&format!("**{}**: {}", flat(&one.id), flat(&one.description)));
        sheet.blank();
        sheet.line(&format!("- Testable condition: {}", flat(&one.testable_condition)));
        sheet.line(&format!("- Logging point: {}", flat(&one.logging_point)));
        sheet.line(&format!("- Likelihood: {}", one.likelihood));
    }
}

fn analysed(sheet: &mut Sheet, n: usize, record: &ActionRecord, group: Option<&[Hypothesis]>) {
    let time = rfc3339(record.ended_at);
    sheet.heading(&format!("### Iteration {n} - Evidence Analysis ({time})"));
    sheet.line("#### Log Analysis Results");
    sheet.blank();
    let group = group.unwrap_or_default();
    let mut judged = 0;
    for one in group {
        let Some(verdict) = verdict(one.status) else { continue };
        judged += 1;
        sheet.blank();
        let evidence = one.evidence.as_ref().map_or_else(|| "null".into(), ToString::to_string);
        sheet.line(&format!("**{}**: {verdict}", flat(&one.id)));
        sheet.blank();
        sheet.line(&format!("- Evidence: {}", flat(&evidence)));
        let reason = one.verdict_reason.as_deref().unwrap_or_default();
        sheet.line(format!("- Reasoning: {}", flat(reason)).trim_end());
    }
    if judged == 0 {
        sheet.outcome(record);
    }
    match group.iter().find(|one| one.status == HypothesisStatus::Confirmed) {
        Some(one) => {
            sheet.heading("#### Root Cause Identified");
            root_cause(sheet, one);
        }
        None => {
            sheet.heading("#### Next Steps");
            sheet.say("view-page-next-round", &[]);
        }
    }
}

fn root_cause(sheet: &mut Sheet, one: &Hypothesis) {
    let text = flat(&one.description);
    sheet.say("view-page-root-cause", &[("id", &one.id), ("text", &text)]);
}

const fn verdict(status: HypothesisStatus) -> Option<&'static str> {
    match status {
        HypothesisStatus::Pending => None,
        HypothesisStatus::Confirmed => Some("CONFIRMED"),
        HypothesisStatus::Rejected => Some("REJECTED"),
        HypothesisStatus::Inconclusive => Some("INCONCLUSIVE"),
    }
}

fn understood(sheet: &mut Sheet, all: &[Hypothesis], confirmed: Option<&str>) {
    sheet.heading("## Current Consolidated Understanding");
    if all.is_empty() {
        return sheet.say("view-page-understanding-none", &[]);
    }
    let count = |status| all.iter().filter(|one| one.status == status).count();
    let (yes, no) = (count(HypothesisStatus::Confirmed), count(HypothesisStatus::Rejected));
    let open = all.len() - yes - no;
    sheet
        .say("view-page-understanding", &[("confirmed", &yes), ("rejected", &no), ("open", &open)]);
    if let Some(one) = confirmed.and_then(|id| all.iter().find(|one| one.id == id)) {
        root_cause(sheet, one);
        sheet.say("view-page-fix", &[]);
    }
}
