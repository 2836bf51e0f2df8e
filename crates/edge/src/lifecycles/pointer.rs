//! What is shown first of a lifecycle: state, task i of n, attempt, last checkpoint, open question,
//! stale evidence, what comes next and its command. How it is laid out is the doors' business.

use kernel::lifecycle::view::View;
use kernel::lifecycle::{Life, Phase, Status};
use runtime::query::{self, OpenQuestion};
use runtime::words::{Lang, say};

/// A state in the reader's language, with its own word.
#[must_use]
pub fn state(lang: Lang, word: &str) -> String {
    let key = format!("lifecycle-state-{}", word.to_lowercase().replace('_', "-"));
    format!("{} ({word})", say(lang, &key, &[]))
}

/// The sentence for one who comes back, if there is one, and the facts with their names.
#[must_use]
pub fn pointer(
    lang: Lang,
    life: &Life,
    view: &View,
    open: &[OpenQuestion],
) -> (Option<String>, Vec<(String, String)>) {
    let fact = |name: &str| say(lang, &format!("lifecycle-fact-{name}"), &[]);
    let mut rows =
        vec![(fact("run"), view.run_id.clone()), (fact("state"), state(lang, &view.task_status))];
    if let Some(outcome) = view.outcome {
        let told = say(lang, &format!("lifecycle-outcome-{}", outcome.word()), &[]);
        rows.push((fact("outcome"), told));
    }
    if let Some(hold) = &view.hold {
        rows.push((fact("held"), query::told_by(&hold.by, lang)));
    }
    if let Some(at) = position(view) {
        rows.push((fact("task"), at));
    }
    if view.auto_fix_attempts > 0 {
        let told = format!("{}/{}", view.auto_fix_attempts, view.auto_fix_limit);
        rows.push((fact("attempt"), told));
    }
    rows.push((fact("checkpoint"), view.last_checkpoint.clone().unwrap_or_default()));
    rows.push((fact("question"), open.first().map(|one| one.id.clone()).unwrap_or_default()));
    rows.push((fact("stale"), stale(life).join(", ")));
    let (sentence, command) = next(lang, view, open);
    rows.push((fact("next"), sentence));
    rows.push((fact("command"), command.unwrap_or_default()));
    rows.retain(|(_, value)| !value.is_empty());
    (resumed(lang, life), rows)
}

/// What comes next and its command. What asks may be below it: then nothing goes on before that has
/// its answer.
#[must_use]
pub fn next(lang: Lang, view: &View, open: &[OpenQuestion]) -> (String, Option<String>) {
    let below = open.iter().find(|one| one.run != view.run_id);
    match below.filter(|_| view.waiting.is_none()) {
        Some(one) => (say(lang, "lifecycle-next-answer", &[]), Some(one.command())),
        None => {
            let sentence = query::next_sentence(&view.next_action, lang);
            (sentence, view.next_action.command.clone())
        }
    }
}

/// Tasks that are done and whose proof no longer is one: they are checked again before the end.
fn stale(life: &Life) -> Vec<&str> {
    let Some(work) = life.phase.work() else { return Vec::new() };
    let stale = work
        .tasks
        .iter()
        .filter(|task| task.status == Status::Done && work.missing(task).is_some());
    stale.map(|task| task.spec.id.as_str()).collect()
}

/// `T-102, 2 of 4`
fn position(view: &View) -> Option<String> {
    let id = view.current_task.as_deref()?;
    let at = view.tasks.iter().position(|task| task.task.spec.id == id)?;
    Some(format!("{id}, {}/{}", at + 1, view.tasks.len()))
}

/// The sentence for one who comes back.
fn resumed(lang: Lang, life: &Life) -> Option<String> {
    match &life.phase {
        Phase::Confirming(_) => Some(say(lang, "lifecycle-pointer-plan", &[])),
        Phase::Blocked(blocked) => {
            let task = blocked.task.as_deref()?;
            Some(say(lang, "lifecycle-pointer-stuck", &[("task", &task)]))
        }
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Archiving(_) => None,
    }
}
