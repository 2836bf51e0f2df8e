//! What the world still owes a lifecycle: turns, calls, reads, questions and timers. Effects hang
//! on states, so stopping something is no more than not owing it.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use serde_json::json;

use super::check::Check;
use super::help;
use super::phase::{
    Archive, Archiving, Blocked, Confirming, Doing, Draft, Executing, FixStep, Phase, Rolling, Step,
};
use super::plan::Source;
use super::prompt;
use super::slot;
use super::state::{Life, State, Work};
use crate::call::{self, Args, OnUnknown, Request};
use crate::hash;
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};
use crate::turn::{Profile, Wish};

/// An act of the hands that is no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Read the plan from its document.
    Import,
    /// Read the digest of each set of covered files.
    Digest,
    /// Look at a task's files.
    Look,
    /// Draw the plan of a rollback.
    RollbackPlan,
    /// Write the record, once no child is alive.
    Archive,
}

/// What the world still owes.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    let Some(life) = state.life() else { return vec![] };
    let mut all: Vec<Owed> = step(life).into_iter().collect();
    if let Some(hold) = &life.body.hold {
        all.retain(|owed| hold.keep.iter().any(|key| key == slot_of(owed)));
        return all;
    }
    all.extend(question(life));
    all.extend(timer(life));
    all
}

fn slot_of(owed: &Owed) -> &str {
    match owed {
        Owed::Child { slot, .. }
        | Owed::Timer { slot, .. }
        | Owed::Question { slot, .. }
        | Owed::Effect { slot, .. } => slot,
    }
}

/// The effect of the step under way.
fn step(life: &Life) -> Option<Owed> {
    let slot = life.phase.step_key()?;
    let act = |act| Some(Owed::Effect { slot: slot.clone(), effect: Effect::Lifecycle(act) });
    let child = |ask| {
        let (slot, posture, begun) = (slot.clone(), Posture::Run, Begun::Told);
        Some(Owed::Child { slot, ask, posture, begun })
    };
    match &life.phase {
        Phase::Planning(now) => match (life.body.ask.source, &now.step) {
            (Source::Text, Draft::Drafting { correction, .. }) => {
                child(ChildAsk::NewTurn(Box::new(planner(life, now, correction.as_deref()))))
            }
            (Source::File | Source::Package, Draft::Drafting { .. }) => act(Act::Import),
            (_, Draft::Stuck { .. }) => None,
        },
        Phase::Executing(now) => match &now.doing {
            Doing::Seal { .. } => act(Act::Digest),
            doing @ (Doing::Task { .. } | Doing::SealCheck { .. }) => {
                match asked(life, now, doing)? {
                    Asked::Look => act(Act::Look),
                    Asked::Child(ask) => child(ask),
                }
            }
        },
        Phase::AutoFix(now) => {
            let task = now.work.task(&now.task)?;
            match &now.step {
                FixStep::Turn { .. } => {
                    let words = prompt::fix(life, now, task);
                    child(ChildAsk::NewTurn(Box::new(worker(life, &now.work, &now.task, words))))
                }
                FixStep::Check { i, .. } => {
                    let checks = now.work.checks_of(task);
                    match check_ask(checks.get(usize::try_from(*i).ok()?)?) {
                        Asked::Look => act(Act::Look),
                        Asked::Child(ask) => child(ask),
                    }
                }
            }
        }
        Phase::Blocked(now) => match now.rolling.as_ref()? {
            Rolling::Plan { .. } => act(Act::RollbackPlan),
            Rolling::Run { .. } => child(ChildAsk::Call(Box::new(roll_back(now)?))),
            Rolling::Ask { .. } => None,
        },
        Phase::Archiving(_) => act(Act::Archive),
        Phase::Idle(_) | Phase::Confirming(_) => None,
    }
}

enum Asked {
    Look,
    Child(ChildAsk),
}

fn asked(life: &Life, now: &Executing, doing: &Doing) -> Option<Asked> {
    Some(match doing {
        Doing::Task { task, step: Step::Save { .. } } => {
            Asked::Child(ChildAsk::Call(Box::new(checkpoint(task)?)))
        }
        Doing::Task { task, step: Step::Turn { guidance, .. } } => {
            let words = prompt::task(life, &now.work, now.work.task(task)?, guidance.as_deref());
            Asked::Child(ChildAsk::NewTurn(Box::new(worker(life, &now.work, task, words))))
        }
        Doing::Task { task, step: Step::Check { i, .. } } => {
            let checks = now.work.checks_of(now.work.task(task)?);
            check_ask(checks.get(usize::try_from(*i).ok()?)?)
        }
        Doing::SealCheck { i, stale, .. } => {
            let id = stale.get(usize::try_from(*i).ok()?)?;
            check_ask(&now.work.check(id)?.0)
        }
        Doing::Seal { .. } => return None,
    })
}

fn check_ask(check: &Check) -> Asked {
    if check.is_look() {
        return Asked::Look;
    }
    let bare = call::process(call::RUN, check.deadline_ms(), OnUnknown::Tell);
    let request = Request { argv: check.argv.clone(), cwd: check.cwd.clone(), ..bare };
    Asked::Child(ChildAsk::Call(Box::new(request)))
}

fn checkpoint(task: &str) -> Option<Request> {
    let shown = json!({ "label": task });
    let sha256 = hash::of_json(&shown);
    let request = call::request(call::CHECKPOINT, Args { shown, sha256 })?;
    Some(Request { on_unknown: OnUnknown::Tell, ..request })
}

fn roll_back(now: &Blocked) -> Option<Request> {
    let Some(Rolling::Run { to, plan_hash, calls, conflicts, .. }) = &now.rolling else {
        return None;
    };
    let shown = json!({
        "checkpoint": to, "calls": calls, "conflicts": conflicts, "head_rule": "same",
        "approved": plan_hash,
    });
    let sha256 = hash::of_json(&shown);
    call::request(call::ROLLBACK, Args { shown, sha256 })
}

fn planner(life: &Life, now: &super::phase::Planning, correction: Option<&str>) -> Wish {
    Wish {
        lang: Some(life.body.begin.options.lang.clone()),
        ..Wish::new(Profile::LifecyclePlan, prompt::plan(life, now, correction))
    }
}

/// The turn of a task or a fix: its checks are those that can be run within it.
fn worker(life: &Life, work: &Work, task: &str, words: String) -> Wish {
    let options = &life.body.begin.options;
    let checks = work.task(task).map(|task| within_turn(&work.checks_of(task)));
    let checks = checks.unwrap_or_default();
    Wish {
        constraints: work.plan.constraints.clone(),
        agents: options.agents.clone(),
        covers: checks.first().map(|check| check.covers.clone()).unwrap_or_default(),
        checks: checks.iter().map(Check::line).collect(),
        checks_ms: checks.iter().map(|check| (check.line(), check.deadline_ms())).collect(),
        lang: Some(options.lang.clone()),
        ..Wish::new(Profile::LifecycleTask, words)
    }
}

/// The checks that a turn runs itself: those at the root that speak of the same files as the first
/// and have to pass. The others are run after it.
pub(super) fn within_turn(checks: &[Check]) -> Vec<Check> {
    let covers = checks.first().map(|check| check.covers.clone()).unwrap_or_default();
    let fits = |check: &&Check| {
        check.required && !check.is_look() && check.cwd == "." && check.covers == covers
    };
    checks.iter().filter(fits).cloned().collect()
}

impl Check {
    /// Its command as a person would type it.
    #[must_use]
    pub fn line(&self) -> String {
        call::typed(&self.argv)
    }

    /// Its time.
    #[must_use]
    pub const fn deadline_ms(&self) -> u64 {
        self.timeout_s.saturating_mul(1000)
    }
}

fn question(life: &Life) -> Option<Owed> {
    let slot = life.phase.question_key()?;
    let asked = |kind: &str, about: String, options: &[&str], hash| Question {
        kind: kind.into(),
        about,
        options: options.iter().map(|option| String::from(*option)).collect(),
        takes_text: true,
        hash,
    };
    let question = match &life.phase {
        Phase::Planning(now) => {
            let about = match &now.step {
                Draft::Stuck { failure, .. } => failure.summary.clone(),
                Draft::Drafting { .. } => return None,
            };
            asked("lifecycle.plan", about, &["retry", "modify", "cancel"], None)
        }
        Phase::Confirming(now) => {
            let Confirming { plan, hash, .. } = &**now;
            let (about, hash) = (plan.goal.clone(), Some(hash.clone()));
            asked("lifecycle.confirm", about, &["go", "modify", "cancel"], hash)
        }
        Phase::Blocked(now) => match &now.rolling {
            Some(Rolling::Ask { to, plan_hash, .. }) => {
                let hash = Some(plan_hash.clone());
                asked("lifecycle.rollback", to.clone(), &["go", "cancel"], hash)
            }
            Some(Rolling::Plan { .. } | Rolling::Run { .. }) => return None,
            None => {
                let about = now.why.word().into();
                asked("lifecycle.blocked", about, &ways_out(now), None)
            }
        },
        Phase::Idle(_) | Phase::Executing(_) | Phase::AutoFix(_) | Phase::Archiving(_) => {
            return None;
        }
    };
    Some(Owed::Question { slot, question })
}

/// What a person may answer to a blocked run.
pub(super) fn ways_out(now: &Blocked) -> Vec<&'static str> {
    let mut ways = vec!["fix"];
    if now.work.last_checkpoint.is_some() {
        ways.push("rollback");
    }
    if now.task.is_some() {
        ways.push("skip");
    }
    ways.push("abort");
    ways
}

fn timer(life: &Life) -> Option<Owed> {
    let (slot, due) = match &life.phase {
        Phase::Confirming(now) => (slot::expiry_key(now.plan.revision), now.expires?),
        Phase::Blocked(now) if now.rolling.is_none() && help::waits_out(life, now) => {
            (slot::reset_key(now.q), now.reset_at?)
        }
        Phase::Archiving(now) => match &**now {
            Archiving { step: Archive::Writing { tries, retry_at: Some(due) }, .. } => {
                (slot::retry_key(*tries), *due)
            }
            Archiving { step: Archive::Writing { .. } | Archive::Settling { .. }, .. } => {
                return None;
            }
        },
        Phase::Idle(_)
        | Phase::Planning(_)
        | Phase::Executing(_)
        | Phase::AutoFix(_)
        | Phase::Blocked(_) => return None,
    };
    Some(Owed::Timer { slot, due })
}
