//! The legs of actions: which there are, which comes next, and what the end of one means in each
//! place it can arrive. What the end of the whole action means is in `finish`.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::again::again;
use super::bounds::{BREAKDOWN_MAX, REASK_MAX, TASKS_MAX};
use super::command::{Command, Found, Gave, LegEnd};
use super::draft::{Decision, Draft};
use super::event::{Event, Place};
use super::finish;
use super::phase::{Action, Kind, Leg, Paused, Phase, Subject};
use super::refusal::Refusal;
use super::state::{Body, Hypothesis, HypothesisStatus, Life};
use super::task::Origin;
use super::tasks;
use crate::call::Failure;
use crate::machine::Said;
use crate::turn::CheckedOut;

/// Where the end of a leg arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The action is under way.
    Acting,
    /// A pause holds it.
    Held,
    /// A pause stops it.
    Cut,
    /// The loop has failed; only the child's end was awaited.
    Tail,
}

impl Standing {
    /// Whether the action goes on, now or when the pause is over.
    const fn goes_on(self) -> bool {
        match self {
            Self::Acting | Self::Held => true,
            Self::Cut | Self::Tail => false,
        }
    }

    pub(super) const fn of(phase: &Phase) -> Self {
        match phase {
            Phase::Paused(Paused { held: Some(held), .. }) if held.cut => Self::Cut,
            Phase::Paused(_) => Self::Held,
            Phase::Failed { .. } => Self::Tail,
            Phase::Created
            | Phase::Acting(_)
            | Phase::Choosing { .. }
            | Phase::Lent { .. }
            | Phase::Completed { .. } => Self::Acting,
        }
    }
}

/// The legs an action may have, in order; those that turn out to have nothing to do are skipped
/// when their turn comes. A tree that debugging left changed is put back before anything else.
pub(super) fn plan(body: &Body, kind: Kind, subject: &Subject) -> Vec<Leg> {
    let mut legs = match kind {
        Kind::Init if body.tasks.is_empty() => vec![Leg::Breakdown],
        Kind::Init => vec![],
        Kind::Develop => vec![Leg::Work],
        Kind::Debug => {
            vec![Leg::Explore, Leg::Instrument, Leg::Reproduce, Leg::Analyze, Leg::Restore]
        }
        Kind::Validate => {
            let checks = body.course().map_or(0, |course| course.checks.len());
            (1..=u32::try_from(checks).unwrap_or(u32::MAX)).map(Leg::Check).collect()
        }
        Kind::Complete => vec![Leg::Seal],
    };
    if kind == Kind::Debug && open_of(body, subject).next().is_some() {
        legs.retain(|leg| *leg != Leg::Explore);
        // Without an exploration its successors are judged now, by the same rules.
        while legs.first().is_some_and(|leg| skipped(body, subject, leg)) {
            legs.remove(0);
        }
    }
    if body.work().is_some_and(|work| work.debug.restore_owed.is_some()) {
        legs.insert(0, Leg::Restore);
    }
    legs
}

fn sig_of(subject: &Subject) -> Option<&str> {
    match subject {
        Subject::Problem { sig, .. } => Some(sig),
        Subject::Loop | Subject::Task { .. } => None,
    }
}

/// The task whose failure is looked into.
pub(super) fn problem_of(subject: &Subject) -> Option<&str> {
    sig_of(subject)?.strip_prefix("task:")
}

/// The hypotheses about the problem that are neither confirmed nor rejected.
pub(super) fn open_of<'a>(
    body: &'a Body,
    subject: &'a Subject,
) -> impl Iterator<Item = &'a Hypothesis> {
    let all = body.work().map_or(&[][..], |work| &work.debug.hypotheses);
    let sig = sig_of(subject);
    all.iter().filter(move |h| Some(h.problem.as_str()) == sig && open(h.status))
}

const fn open(status: HypothesisStatus) -> bool {
    match status {
        HypothesisStatus::Pending | HypothesisStatus::Inconclusive => true,
        HypothesisStatus::Confirmed | HypothesisStatus::Rejected => false,
    }
}

/// Whether a debug leg has nothing to do.
fn skipped(body: &Body, subject: &Subject, leg: &Leg) -> bool {
    let Some(work) = body.work() else { return false };
    match leg {
        Leg::Instrument => open_of(body, subject).all(|h| h.logging_point.trim().is_empty()),
        Leg::Reproduce => again(body, subject).is_none(),
        Leg::Restore => work.debug.restore_owed.is_none(),
        Leg::Breakdown | Leg::Work | Leg::Explore | Leg::Analyze | Leg::Check(_) | Leg::Seal => {
            false
        }
    }
}

/// The first leg behind the present one that has something to do.
fn following(body: &Body, action: &Action) -> Option<Leg> {
    let from = usize::try_from(action.at).unwrap_or(usize::MAX).saturating_add(1);
    let rest = action.legs.get(from..)?;
    rest.iter().find(|leg| !skipped(body, &action.subject, leg)).cloned()
}

/// A child was made for the leg at work. The first that may write says on which branch.
pub(super) fn began(
    life: &Life,
    (n, leg): (u32, &Leg),
    child: &str,
    head: Option<&CheckedOut>,
) -> Decision {
    let action = matching(life, n, leg)?;
    if action.child.as_deref() == Some(child) || matches!(life.phase, Phase::Failed { .. }) {
        // Told again after a restart, or told to a loop that only waits for its end.
        return Ok(vec![]);
    }
    let head = head.filter(|_| leg.writes() && life.body.head.is_none()).cloned();
    Ok(vec![Event::LegBegan { n, leg: leg.clone(), child: child.into(), head }])
}

fn matching<'a>(life: &'a Life, n: u32, leg: &Leg) -> Result<&'a Action, Refusal> {
    life.phase
        .action()
        .filter(|action| action.n == n && action.leg() == Some(leg))
        .ok_or_else(|| Refusal::NotOwed { what: format!("a{n}/{}", leg.word()) })
}

/// The leg at work ended.
pub(super) fn ended(
    life: &Life,
    said: &Said<Command>,
    (n, leg): (u32, &Leg),
    end: &LegEnd,
) -> Decision {
    let action = matching(life, n, leg)?;
    let standing = Standing::of(&life.phase);
    let end = fitting(&life.body, action, end);
    let again = action.reask < REASK_MAX;
    let mut draft = Draft::new(life, said);
    draft.push(Event::LegEnded { n, leg: leg.clone(), end: Box::new(end.clone()) });
    match &end {
        LegEnd::Ok(Gave::Restored { left: true, .. }) => took_some_back(&mut draft, standing),
        LegEnd::Ok(Gave::Restored { .. }) if theirs(&draft).is_some() => {
            let theirs = theirs(&draft).unwrap_or_default();
            finish::blocked(&mut draft, standing, &conflict(theirs), None);
        }
        LegEnd::Ok(gave) => {
            add_tasks(&mut draft, gave);
            went_well(&mut draft, standing);
        }
        LegEnd::Unusable { .. } if again && standing.goes_on() => {
            draft.push(Event::LegChosen { n, leg: leg.clone(), reask: REASK_MAX });
        }
        LegEnd::Failed { failure, .. }
        | LegEnd::TimedOut { failure, .. }
        | LegEnd::Unusable { failure, .. } => restored_first(&mut draft, standing, |draft| {
            finish::failed(draft, standing, failure);
        }),
        LegEnd::Blocked { failure, reset_at } => restored_first(&mut draft, standing, |draft| {
            finish::blocked(draft, standing, failure, *reset_at);
        }),
        LegEnd::Cancelled => finish::dropped(&mut draft, standing),
    }
    draft.done()
}

/// What came back, if it fits the leg; a result of another leg is no result.
fn fitting(body: &Body, action: &Action, end: &LegEnd) -> LegEnd {
    let (LegEnd::Ok(gave), Some(leg)) = (end, action.leg()) else { return end.clone() };
    if let (Leg::Analyze, Gave::Analysis(found)) = (leg, gave) {
        let judged = verdicts(body, &action.subject, found);
        return judged.map_or_else(|| no_form(leg), |all| LegEnd::Ok(Gave::Analysis(all)));
    }
    let fits = match (leg, gave) {
        (Leg::Breakdown, Gave::Tasks(tasks)) => {
            (1..=BREAKDOWN_MAX).contains(&tasks.len())
                && tasks.iter().all(|task| super::bounds::new_task(task).is_ok())
        }
        (Leg::Explore, Gave::Hypotheses(found)) => !found.is_empty(),
        (Leg::Work, Gave::Work { .. })
        | (Leg::Instrument, Gave::Instrumented { .. })
        | (Leg::Reproduce, Gave::Reproduced(_))
        | (Leg::Restore, Gave::Restored { .. })
        | (Leg::Check(_), Gave::Check(_))
        | (Leg::Seal, Gave::Digest(_)) => true,
        (
            Leg::Breakdown
            | Leg::Explore
            | Leg::Work
            | Leg::Instrument
            | Leg::Reproduce
            | Leg::Analyze
            | Leg::Restore
            | Leg::Check(_)
            | Leg::Seal,
            _,
        ) => false,
    };
    if fits { end.clone() } else { no_form(leg) }
}

fn no_form(leg: &Leg) -> LegEnd {
    let failure = Failure { code: "E_MODEL".into(), kind: "schema".into(), detail: leg.word() };
    LegEnd::Unusable { failure, bad: None }
}

/// A verdict for each hypothesis that was asked about, and for no other: one that was passed over
/// is not decided. An answer that judges none of them is no analysis.
fn verdicts(body: &Body, subject: &Subject, found: &[Found]) -> Option<Vec<Found>> {
    let said = |h: &Hypothesis| found.iter().find(|one| one.id == h.id).cloned();
    open_of(body, subject).find_map(said)?;
    let passed_over = |h: &Hypothesis| Found {
        id: h.id.clone(),
        status: HypothesisStatus::Inconclusive,
        reason: "no verdict".into(),
        evidence: None,
    };
    let unjudged = |h: &Hypothesis| h.status == HypothesisStatus::Pending;
    let each = |h| said(h).or_else(|| unjudged(h).then(|| passed_over(h)));
    Some(open_of(body, subject).filter_map(each).collect())
}

/// A breakdown's tasks join the list whatever has become of the loop: they were paid for.
fn add_tasks(draft: &mut Draft<'_>, gave: &Gave) {
    let Gave::Tasks(new) = gave else { return };
    for task in new {
        if draft.life.body.tasks.len() < TASKS_MAX && draft.life.body.task(&task.task_id).is_none()
        {
            let made = tasks::make(draft, task, Origin::Breakdown);
            draft.push(Event::TaskAdded { task: Box::new(made), place: Place::Last });
        }
    }
}

fn went_well(draft: &mut Draft<'_>, standing: Standing) {
    let Some(action) = draft.life.phase.action() else { return };
    let n = action.n;
    match (following(&draft.life.body, action), standing) {
        (Some(leg), Standing::Acting | Standing::Held) => {
            draft.push(Event::LegChosen { n, leg, reask: 0 });
        }
        (Some(_), Standing::Cut | Standing::Tail) => draft.push(Event::ActionDropped { n }),
        (None, Standing::Acting | Standing::Held | Standing::Cut | Standing::Tail) => {
            finish::action(draft);
        }
    }
}

/// What was changed is taken back piece by piece, the last first.
fn took_some_back(draft: &mut Draft<'_>, standing: Standing) {
    let Some(action) = draft.life.phase.action() else { return };
    let (n, reask) = (action.n, action.reask.saturating_add(1));
    match standing {
        Standing::Acting | Standing::Held => {
            draft.push(Event::LegChosen { n, leg: Leg::Restore, reask });
        }
        Standing::Cut | Standing::Tail => draft.push(Event::ActionDropped { n }),
    }
}

/// A leg that did not go well ends the action, except that an instrumented tree is put back first.
fn restored_first(draft: &mut Draft<'_>, standing: Standing, end: impl FnOnce(&mut Draft<'_>)) {
    let Some(action) = draft.life.phase.action() else { return };
    let n = action.n;
    let restore = following(&draft.life.body, action).is_some()
        && action.legs.last() == Some(&Leg::Restore)
        && action.leg() != Some(&Leg::Restore)
        && !skipped(&draft.life.body, &action.subject, &Leg::Restore);
    match (restore, standing) {
        (true, Standing::Acting | Standing::Held) => {
            draft.push(Event::LegChosen { n, leg: Leg::Restore, reask: 0 });
        }
        (true, Standing::Cut | Standing::Tail) => draft.push(Event::ActionDropped { n }),
        (false, _) => end(draft),
    }
}

/// The paths that debugging changed and others since, once the rest of it is put back.
fn theirs(draft: &Draft<'_>) -> Option<String> {
    let kept = draft.life.body.work().map_or(&[][..], |work| &work.debug.kept);
    (!kept.is_empty()).then(|| kept.join(", "))
}

fn conflict(paths: String) -> Failure {
    Failure { code: "E_CONFLICT".into(), kind: "undo_conflict".into(), detail: paths }
}
