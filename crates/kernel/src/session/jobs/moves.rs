//! The moves that all jobs share: asking, working, trying again, leaving; and which job's own file
//! an answer or an outcome goes to.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::{Value, json};

use super::super::asked::{Asked, Kind};
use super::super::bounds::{BRANCH_CHANGED, STEP_TRIES_MAX};
use super::super::draft::Draft;
use super::super::ended::{Gave, Outcome};
use super::super::event::{Event, Place};
use super::super::job::{Found, Job, Kind as JobKind, Phase, Step};
use super::super::refusal::Refusal;
use super::super::rows;
use super::super::setup::Seat;
use super::super::state::{Base, How, Verdict};
use super::{base, commit, review, rollback, test};
use crate::call::Failure;

/// A job at its place.
pub(super) struct At<'a> {
    pub(super) place: Place,
    pub(super) job: &'a Job,
}

impl At<'_> {
    /// Works on.
    pub(super) fn work(&self, d: &mut Draft, found: Found, step: Step) {
        d.job(self.place, Phase::Working { found, step, k: 1, cut: false });
    }

    /// Asks about what was found; an answer that was given before is taken at once.
    pub(super) fn ask(
        &self,
        d: &mut Draft,
        (kind, options): (Kind, &[&str]),
        about: Value,
        found: Found,
    ) -> Result<(), Refusal> {
        let approves = matches!(kind, Kind::CommitHow | Kind::RollbackRisk | Kind::UpgradePlan);
        let q = if approves {
            let hash = crate::hash::of_json(&about);
            d.ask_for(kind, options, about, hash)
        } else {
            d.ask(kind, options, about)
        };
        d.job(self.place, Phase::Asking { found: found.clone(), q: q.clone() });
        match self.before(kind, options) {
            Some(key) => self.take(d, Phase::Asking { found, q: q.clone() }, &q, &key),
            None => Ok(()),
        }
    }

    /// Shows what came of it, where there is something to choose.
    pub(super) fn result(
        &self,
        d: &mut Draft,
        (kind, options): (Kind, &[&str]),
        told: Value,
        green: bool,
    ) -> Result<(), Refusal> {
        let q = d.ask(kind, options, told.clone());
        let phase = Phase::Result { told, green, q: q.clone() };
        d.job(self.place, phase.clone());
        // Without a terminal nothing is left to choose where the report alone stays.
        let alone = self.job.setup.seat == Seat::Headless && options.contains(&"report");
        let alone = alone.then(|| "report".to_string());
        match self.before(kind, options).or(alone) {
            Some(key) => self.take(d, phase, &q, &key),
            None => Ok(()),
        }
    }

    fn before(&self, kind: Kind, options: &[&str]) -> Option<String> {
        let given = self.job.setup.answers.get(kind.word());
        let given = given.filter(|key| kind.answerable_before() && options.contains(&key.as_str()));
        given.cloned()
    }

    fn take(&self, d: &mut Draft, phase: Phase, q: &Asked, key: &str) -> Result<(), Refusal> {
        let by = d.by.clone();
        let (id, key) = (q.id.clone(), key.to_string());
        let mut tried = d.clone();
        tried.push(Event::QuestionAnswered { id, key: key.clone(), text: None, by });
        let job = Job { phase, ..self.job.clone() };
        // One that needs words, or does not fit, leaves its question open.
        if answered(&mut tried, self.place, &job, q, &key, None).is_ok() {
            *d = tried;
        }
        Ok(())
    }

    /// The job is done.
    pub(super) fn over(&self, d: &mut Draft, told: Value, green: bool) {
        self.judged(d, told, if green { Verdict::Passed } else { Verdict::Failed });
    }

    /// The job is done, with this verdict.
    fn judged(&self, d: &mut Draft, told: Value, verdict: Verdict) {
        let slot = self.job.kind.word().to_string();
        d.push(Event::StepDone { slot, told: told.clone() });
        match self.place {
            Place::Base => d.complete(Some(verdict)),
            Place::Frame(_) => self.leave(d, told, verdict != Verdict::Failed),
        }
    }

    fn leave(&self, d: &mut Draft, told: Value, green: bool) {
        d.job(self.place, Phase::Over { told, green });
        d.pop_over();
    }

    /// The job has failed.
    pub(super) fn fail(&self, d: &mut Draft, code: &str) {
        match self.place {
            Place::Base => d.fail(code),
            Place::Frame(_) => self.leave(d, json!({ "code": code }), false),
        }
    }

    /// A person ended it.
    pub(super) fn cancel(&self, d: &mut Draft) {
        let by = d.by.clone();
        match self.place {
            Place::Base => d.cancel(How::Cancelled { by }),
            Place::Frame(_) => self.leave(d, json!({ "cancelled": by }), false),
        }
    }

    /// Another branch is checked out: where it stands is kept, and a person decides.
    fn hold(&self, d: &mut Draft, at: Phase) {
        d.push(Event::Interrupted { cause: BRANCH_CHANGED.into() });
        let about = json!({ "cause": BRANCH_CHANGED });
        let q = d.ask(Kind::Interrupted, &["continue", "retry", "cancel"], about);
        d.job(self.place, Phase::Held { at: Box::new(at), q });
    }

    /// Another job takes its place.
    pub(super) fn instead(&self, d: &mut Draft, kind: JobKind) -> Result<(), Refusal> {
        let what = super::super::state::What::Job { kind, arg: String::new(), flags: Vec::new() };
        let request = super::super::state::Request { what, setup: self.job.setup.clone() };
        self.cancel(d);
        rows::exclusive(d, request)
    }
}

/// What a job's owed step gave. One that was cut meanwhile begins nothing more.
pub fn told(d: &mut Draft, place: Place, job: &Job, outcome: Outcome) -> Result<(), Refusal> {
    ended(d, place, job, outcome)?;
    if let (Phase::Working { cut: true, .. }, Base::Job { job: now }) = (&job.phase, d.life.base())
        && now.n == job.n
        && !now.interrupted()
    {
        let now = now.clone();
        withdraw(d, &now);
        At { place, job: &now }.hold(d, now.phase.clone());
    }
    Ok(())
}

/// Another branch is checked out: nothing is begun there. What runs is let end.
pub fn cut(d: &mut Draft, job: &Job) {
    match &job.phase {
        Phase::Working { found, step, k, .. } => {
            let (found, step, k) = (found.clone(), step.clone(), *k);
            d.job(Place::Base, Phase::Working { found, step, k, cut: true });
        }
        Phase::Detecting { .. } | Phase::Asking { .. } | Phase::Result { .. } => {
            withdraw(d, job);
            At { place: Place::Base, job }.hold(d, job.phase.clone());
        }
        Phase::Held { .. } | Phase::Over { .. } => {}
    }
}

fn withdraw(d: &mut Draft, job: &Job) {
    if let Some(id) = job.question().map(|q| q.id.clone()) {
        d.push(Event::QuestionWithdrawn { id });
    }
}

fn ended(d: &mut Draft, place: Place, job: &Job, outcome: Outcome) -> Result<(), Refusal> {
    let at = At { place, job };
    let gave = match outcome {
        Outcome::Ok(gave) => *gave,
        Outcome::Failed(failure) if failure.code == BRANCH_CHANGED => {
            at.hold(d, job.phase.clone().uncut());
            return Ok(());
        }
        Outcome::Failed(failure) => {
            if !rollback::unlogged(d, &at, &failure) {
                again(d, &at, &failure);
            }
            return Ok(());
        }
        Outcome::Stopped => {
            at.cancel(d);
            return Ok(());
        }
    };
    match &job.phase {
        Phase::Detecting { .. } => {
            let Gave::Found(found) = gave else { return Err(rows::misfit()) };
            detected(d, &at, found)
        }
        Phase::Working { found, step, .. } => {
            let (found, step) = (found.clone(), step.clone());
            worked(d, &at, (found, step), gave)
        }
        Phase::Asking { .. } | Phase::Result { .. } | Phase::Held { .. } | Phase::Over { .. } => {
            Ok(())
        }
    }
}

/// One retry, then the failure.
fn again(d: &mut Draft, at: &At<'_>, failure: &Failure) {
    // What the world could not do may go well the next time; what is refused stays refused.
    let may = failure.code.starts_with("E_");
    match &at.job.phase {
        Phase::Detecting { k } if *k < STEP_TRIES_MAX && may => {
            d.job(at.place, Phase::Detecting { k: k + 1 });
        }
        Phase::Working { step, k, .. } if *k < STEP_TRIES_MAX && may && step.repeats() => {
            d.job(at.place, at.job.phase.clone().uncut().again());
        }
        Phase::Detecting { .. }
        | Phase::Working { .. }
        | Phase::Asking { .. }
        | Phase::Result { .. }
        | Phase::Held { .. }
        | Phase::Over { .. } => {
            let told = json!({ "code": failure.code, "detail": failure.detail });
            d.push(Event::StepDone { slot: at.job.kind.word().to_string(), told });
            at.fail(d, &failure.code);
        }
    }
}

impl Step {
    /// Whether it may be tried again by itself.
    const fn repeats(&self) -> bool {
        match self {
            Self::Package { .. }
            | Self::Review { .. }
            | Self::Validate { .. }
            | Self::Plan { .. }
            | Self::TakenBack { .. }
            | Self::Changelog { .. } => true,
            Self::Check { .. }
            | Self::Commit { .. }
            | Self::Rollback { .. }
            | Self::Restore { .. } => false,
        }
    }
}

fn detected(d: &mut Draft, at: &At<'_>, found: Found) -> Result<(), Refusal> {
    match found {
        Found::Init { .. } | Found::Upgrade { .. } | Found::Clean { .. } => {
            base::detected(d, at, found)
        }
        Found::Test { .. } => test::detected(d, at, found),
        Found::Commit { .. } => commit::detected(d, at, found),
        Found::Review { .. } | Found::Validate => review::detected(d, at, found),
        Found::Rollback { .. } => rollback::detected(d, at, found),
    }
}

fn worked(
    d: &mut Draft,
    at: &At<'_>,
    (found, step): (Found, Step),
    gave: Gave,
) -> Result<(), Refusal> {
    match at.job.kind {
        JobKind::Init | JobKind::Upgrade | JobKind::Clean => base::worked(d, at, found, gave),
        JobKind::Test => test::worked(d, at, (found, step), gave),
        JobKind::Commit => commit::worked(d, at, gave),
        JobKind::Review | JobKind::Validate => review::worked(d, at, gave),
        JobKind::Rollback => rollback::worked(d, at, (found, step), gave),
    }
}

/// What a person answered to a job.
pub fn answered(
    d: &mut Draft,
    place: Place,
    job: &Job,
    q: &Asked,
    key: &str,
    text: Option<&str>,
) -> Result<(), Refusal> {
    let at = At { place, job };
    if key == "cancel" {
        at.cancel(d);
        return Ok(());
    }
    match &job.phase {
        Phase::Asking { found, .. } => {
            let found = found.clone();
            match job.kind {
                JobKind::Init | JobKind::Upgrade | JobKind::Clean => {
                    base::answered(d, &at, found, (q.kind, key, text))
                }
                JobKind::Test => test::answered(d, &at, (q.kind, key, text)),
                JobKind::Commit => commit::answered(d, &at, found, (key, text)),
                JobKind::Review | JobKind::Validate => {
                    review::answered(d, &at, found, (q.kind, key, text))
                }
                JobKind::Rollback => rollback::answered(d, &at, found, (q.kind, key)),
            }
        }
        Phase::Result { told, green, .. } => {
            let (told, green) = (told.clone(), *green);
            match (q.kind, key) {
                (Kind::UpgradeFailed, "restore") => base::restore(d, &at, &told),
                // What is left over is left to a person, now or later.
                (Kind::UpgradeFailed, _) if green => {
                    at.judged(d, told, Verdict::Partial);
                    Ok(())
                }
                (_, _) => {
                    at.over(d, told, green);
                    Ok(())
                }
            }
        }
        Phase::Held { at: stood, .. } => {
            let stood = if key == "retry" { stood.clone().again() } else { (**stood).clone() };
            d.push(Event::Recovered { how: key.into() });
            d.job(place, stood);
            Ok(())
        }
        Phase::Detecting { .. } | Phase::Working { .. } | Phase::Over { .. } => Ok(()),
    }
}

/// The words that a key needs.
pub(super) fn words(text: Option<&str>) -> Result<&str, Refusal> {
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    text.ok_or_else(|| Refusal::InvalidArgs { path: "/text".into(), expected: "words" })
}
