//! Sums a turn up: facts from its state and from what its calls left, never from what anybody said
//! of them. Also what policy says of committing it.

use kernel::call;
use kernel::hash;
use kernel::policy::{Act, Asker, PathClass, Request, Run, Verdict, Word};
use kernel::turn::{
    COMMIT_LINES_MAX, ChangedFile, Git, Life, Permission, Reach, Seen, Summary, summed,
};
use serde_json::json;

use super::changes::{self, Places};
use super::intake::language;
use super::message::{Told, message};
use crate::policy::{Flow, Judge};
use crate::query;
use crate::words::{Lang, say};

/// The name of a verdict on a commit that is too large to be made unasked.
const MANY_LINES: &str = "many-lines";
/// The name of a verdict on a commit of what is looked at twice.
const SENSITIVE: &str = "sensitive-asks";

/// The summary of a turn whose outcome stands; none before that. `calls` are all of the turn, the
/// oldest first.
#[must_use]
pub fn sum_up(life: &Life, calls: &[(String, call::State)], places: Places<'_>) -> Option<Summary> {
    let (start, lang) = (&life.body.start, language(&life.body.start));
    let changed = changes::changed(calls, places);
    let spent = calls.iter().filter_map(|(_, state)| query::of_call(state));
    let spent = spent.fold(query::Spent::default(), query::Spent::plus);
    let agents = calls
        .iter()
        .any(|(_, state)| state.facts().is_some_and(|facts| facts.request.agent.is_some()));
    let unknown = calls.iter().filter(|(_, state)| matches!(state, call::State::Unknown { .. }));
    let mut seen = Seen {
        changed,
        undo_level: level(calls).to_owned(),
        unknown_calls: unknown.map(|(id, _)| id.clone()).collect(),
        tokens: (spent.tokens_in.sum, spent.tokens_out.sum),
        cost_usd: spent.cost_micros.whole().filter(|_| agents).map(dollars),
        commit_message: String::new(),
        pull_request: String::new(),
    };
    let plain = summed(life, &seen)?;
    if start.git != Git::Off && !seen.changed.is_empty() {
        let branch = start.head.branch.as_deref();
        let told = Told { goal: &plain.goal, why: &plain.why, changed: &plain.changed, branch };
        seen.commit_message = message(&told);
        seen.pull_request = pull_request(lang, &plain);
    }
    summed(life, &seen)
}

/// Exact below 9 billion dollars.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 millionths")]
fn dollars(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// The weakest promise of the calls that changed something.
fn level(calls: &[(String, call::State)]) -> &'static str {
    let mut weakest = "Exact";
    for (_, state) in calls {
        let call::State::Settled { undo, exit: Some(exit), .. } = state else { continue };
        match undo {
            _ if exit.files_changed.is_empty() => {}
            call::UndoLevel::Exact => {}
            call::UndoLevel::BestEffort => weakest = "BestEffort",
            call::UndoLevel::None(_) => return "None",
        }
    }
    weakest
}

fn pull_request(lang: Lang, summary: &Summary) -> String {
    let heading = |key: &str| format!("## {}\n\n", say(lang, key, &[]));
    let mut text = String::new();
    if !summary.why.is_empty() {
        text.push_str(&format!("{}\n\n", summary.why));
    }
    text.push_str(&heading("turn-page-changed"));
    for file in &summary.changed {
        text.push_str(&format!(
            "- `{}` {} +{} -{}\n",
            file.path, file.action, file.added, file.removed
        ));
    }
    let verified = summary.verified.state.word();
    text.push_str(&format!("\n{}\n", say(lang, "turn-page-verified", &[("verified", &verified)])));
    for command in &summary.verified.commands {
        text.push_str(&format!("- `{command}`\n"));
    }
    text
}

/// What policy says of committing this, what a yes covers, and the hash it is bound to. A large
/// commit and one of sensitive paths is asked about even where a grant would let it pass.
#[must_use]
pub fn judge_commit(summary: &Summary, judge: &Judge, flow: &Flow) -> (Verdict, Reach, String) {
    let argv = vec!["git".to_owned(), "commit".to_owned()];
    let run = Run::argv(argv.clone(), ".");
    let program = judge.program("git", ".");
    let request = Request::new(Act::Run(Run { program, ..run }), Asker::Person);
    let found = judge.weighed(&request, flow);
    let standing = judge.standing();
    let lines: u64 = summary.changed.iter().map(|file| file.added + file.removed).sum();
    let sensitive = |file: &ChangedFile| standing.class(&file.path) != PathClass::Ordinary;
    let special = if summary.changed.iter().any(sensitive) {
        Some(SENSITIVE)
    } else {
        (lines > COMMIT_LINES_MAX).then_some(MANY_LINES)
    };
    let verdict = match special {
        Some(rule) if found.verdict.word() == Word::Allow => Verdict::Ask { rule: rule.to_owned() },
        Some(_) | None => found.verdict,
    };
    let paths: Vec<String> = summary.changed.iter().map(|file| file.path.clone()).collect();
    let reach = Reach {
        permissions: vec![Permission::GitWrite],
        paths,
        argv: vec![argv],
        once_only: special.map(str::to_owned).into_iter().collect(),
        ..Reach::default()
    };
    let hash = hash::of_json(&json!({ "message": summary.commit_message, "scope": reach }));
    (verdict, reach, hash)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kernel::policy::{Sandbox, Trust};
    use kernel::turn::samples;

    use super::*;
    use crate::files::Root;
    use crate::policy::Standing;

    fn life() -> Life {
        let mut all = samples::sample_states().into_iter();
        let state = all.find(|(name, _)| *name == "summarizing").unwrap().1;
        state.life().unwrap().clone()
    }

    #[test]
    fn a_turn_without_changes_has_nothing_to_commit() {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::open(dir.path()).unwrap();
        let places = Places { loop_dir: dir.path(), root: &root, keeper: None };
        let summary = sum_up(&life(), &[], places).unwrap();
        assert_eq!((summary.changed.len(), summary.commit_message.as_str()), (0, ""));
        assert_eq!(summary.usage.cost_usd, None, "nobody told a cost");
    }

    #[test]
    fn a_commit_is_asked_about_and_bound_to_what_it_commits() {
        let standing = Standing {
            trust: Trust::Trusted,
            sandbox: Sandbox::Held,
            ..Standing::unknown(Path::new("/w"), Path::new("/home/nobody"))
        };
        let judge = Judge::fixed(standing);
        let mut summary = summed(&life(), &Seen::default()).unwrap();
        let file = |path: &str, added: u64| ChangedFile {
            path: path.to_owned(),
            action: "modified".to_owned(),
            added,
            removed: 0,
        };
        summary.changed = vec![file("src/a.rs", 1)];
        let (verdict, reach, hash) = judge_commit(&summary, &judge, &Flow::default());
        assert_eq!(verdict.word(), Word::Ask);
        assert!(reach.once_only.is_empty() && !reach.lasting(), "git is never for later");
        summary.changed = vec![file("src/a.rs", COMMIT_LINES_MAX + 1)];
        let (_, reach, other) = judge_commit(&summary, &judge, &Flow::default());
        assert_eq!(reach.once_only, [MANY_LINES]);
        summary.commit_message = "feat: x".to_owned();
        assert_ne!(judge_commit(&summary, &judge, &Flow::default()).2, other);
        assert_eq!(hash.len(), other.len());
        summary.changed = vec![file(".github/workflows/ci.yml", 1)];
        let (_, reach, _) = judge_commit(&summary, &judge, &Flow::default());
        assert_eq!(reach.once_only, [SENSITIVE]);
    }
}
