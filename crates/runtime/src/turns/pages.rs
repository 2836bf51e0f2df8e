//! The pages of a turn that people read: its plan and its summary. Facts come from the models; the
//! words around them from the catalogue.

use std::fmt::Write as _;

use kernel::turn::{Missing, Plan, Status, Summary};

use crate::words::{Lang, say};

/// A question that intake asks, in words.
#[must_use]
pub fn asked(lang: Lang, missing: Missing) -> String {
    let key = match missing {
        Missing::Goal => "turn-ask-goal",
        Missing::Referent => "turn-ask-referent",
    };
    say(lang, key, &[])
}

/// A heading and its lines; nothing where there are none.
fn section(page: &mut String, lang: Lang, key: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    page.push_str(&format!("\n## {}\n\n", say(lang, key, &[])));
    for line in lines {
        page.push_str(&format!("- {line}\n"));
    }
}

/// The mark of a step in a list.
#[must_use]
pub const fn mark(status: Status) -> &'static str {
    match status {
        Status::Pending => "[ ]",
        Status::InProgress => "[?]",
        Status::Done => "[√]",
        Status::Blocked => "[X]",
        Status::Skipped => "[-]",
    }
}

/// The readable twin of a plan.
#[must_use]
pub fn plan_sheet(lang: Lang, plan: &Plan) -> String {
    let mut page = format!("# {}\n", plan.goal);
    section(&mut page, lang, "turn-page-constraints", &plan.constraints);
    let _ = write!(page, "\n## {}\n\n", say(lang, "turn-page-steps", &[]));
    for step in &plan.steps {
        let _ = writeln!(page, "- {} {} {}", mark(step.status), step.step_id, step.title);
        if !step.intent.is_empty() {
            let _ = writeln!(page, "  {}", step.intent.replace('\n', "\n  "));
        }
        for call in &step.tool_calls {
            let _ = writeln!(page, "  - `{}`", call.name);
        }
        for command in &step.verify {
            let _ = writeln!(page, "  - {}: `{command}`", say(lang, "turn-page-verify", &[]));
        }
    }
    let checks: Vec<String> =
        plan.verification.commands.iter().map(|command| format!("`{command}`")).collect();
    section(&mut page, lang, "turn-page-checks", &checks);
    section(&mut page, lang, "turn-page-assumptions", &plan.assumptions);
    section(&mut page, lang, "turn-page-risks", &plan.risks);
    page
}

/// The readable twin of a summary.
#[must_use]
pub fn summary_sheet(lang: Lang, summary: &Summary) -> String {
    let mut page = format!("# {}\n\n", summary.goal);
    let outcome = say(lang, "turn-page-outcome", &[("outcome", &summary.outcome)]);
    let verified = summary.verified.state.word();
    let _ = writeln!(page, "{outcome}");
    let _ = writeln!(page, "{}", say(lang, "turn-page-verified", &[("verified", &verified)]));
    if !summary.why.is_empty() {
        let _ = writeln!(page, "\n{}", summary.why);
    }
    let changed = summary.changed.iter();
    let changed: Vec<String> = changed
        .map(|one| format!("`{}` {} +{} -{}", one.path, one.action, one.added, one.removed))
        .collect();
    section(&mut page, lang, "turn-page-changed", &changed);
    let quoted = |all: &[String]| all.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>();
    section(&mut page, lang, "turn-page-checks", &quoted(&summary.verified.commands));
    let warned =
        |word: &String| say(lang, &format!("turn-warning-{}", word.replace('_', "-")), &[]);
    let warnings: Vec<String> = summary.warnings.iter().map(warned).collect();
    section(&mut page, lang, "turn-page-warnings", &warnings);
    section(&mut page, lang, "turn-page-risks", &summary.risks);
    section(&mut page, lang, "turn-page-manual", &summary.manual_steps);
    section(&mut page, lang, "turn-page-unknown", &quoted(&summary.unknown_calls));
    let back = summary.rollback.iter();
    let back: Vec<String> = back.map(|one| format!("`{}` ({})", one.command, one.level)).collect();
    section(&mut page, lang, "turn-page-rollback", &back);
    section(&mut page, lang, "turn-page-next", &quoted(&summary.next_steps));
    if !summary.commit_message.is_empty() {
        let _ = write!(page, "\n## {}\n\n", say(lang, "turn-page-commit", &[]));
        for line in summary.commit_message.lines() {
            let _ = writeln!(page, "    {line}");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use kernel::turn::{Seen, Warning, samples, summed};

    use super::*;

    #[test]
    fn a_summary_is_told_in_both_languages() {
        let states = samples::sample_states();
        let (_, state) = states.into_iter().find(|(name, _)| *name == "summarizing").unwrap();
        let mut summary = summed(state.life().unwrap(), &Seen::default()).unwrap();
        let all = [
            Warning::NotVerified,
            Warning::VerificationFailed,
            Warning::RequiredFailed,
            Warning::NoTestsRan,
            Warning::BareWord,
            Warning::ContextCut,
            Warning::OutcomeUnknown,
            Warning::NotCommitted,
        ];
        summary.warnings = all.map(|one| one.word().to_owned()).to_vec();
        let (en, zh) = (summary_sheet(Lang::En, &summary), summary_sheet(Lang::Zh, &summary));
        assert!(en.contains("completed") && zh.contains("completed"), "identifiers stay");
        assert!(en.contains("cargo test") && zh.contains("cargo test"));
        let (said, told) = (en.lines().count(), zh.lines().count());
        assert_eq!(said, told, "{en}\n{zh}");
        assert_ne!(en, zh);
    }

    #[test]
    fn a_plan_is_told_step_by_step() {
        let states = samples::sample_states();
        let (_, state) = states.into_iter().find(|(name, _)| *name == "verifying").unwrap();
        let plan = &state.life().unwrap().body.work.as_ref().unwrap().plan;
        let page = plan_sheet(Lang::En, plan);
        assert!(page.contains("- [√] s1 s1\n") && page.contains("- [√] s2 s2\n"), "{page}");
        assert_ne!(asked(Lang::En, Missing::Goal), asked(Lang::Zh, Missing::Goal));
    }
}
