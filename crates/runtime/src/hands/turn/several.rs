//! Several agents at a step: the question they are asked, and what the turn hears of their answers.
//! Who they are and how long they have is said by the settings; when their run has ended is the
//! machine's own to say, and a degraded result is one only once a person took it.

use kernel::collab::{self, State};
use kernel::hash;
use kernel::turn::{CheckError, Ended, Fault, Payload, Spent, StepFacts};

use super::super::pool::Desk;
use super::evidence;
use super::left::CLAIM_CHARS_MAX;
use super::run::fault;
use crate::collab::{Form, PlanError, plan, texts};
use crate::engine::{Heard, Ready, Scene, Stopped, spent_by_several};
use crate::turns;

/// Their plan.
pub(super) fn ready(desk: &Desk, scene: &Scene) -> Result<Ready, Box<Fault>> {
    let life = &scene.life;
    let (task, context) = turns::to_several(life).ok_or_else(|| fault("E_INTERNAL", "no_step"))?;
    let step = life.position().and_then(|at| life.body.step(at));
    let form = Form {
        task,
        context,
        with: step.and_then(|step| step.agent.clone()).map(|name| vec![name]),
        accept: Some(collab::Accept::Ask.word().to_owned()),
        lang: Some(life.body.start.lang.clone()),
        ..Form::default()
    };
    match plan(form, &desk.plan.collab) {
        Ok(plan) => Ok(Ready::Collab(Box::new(plan))),
        Err(PlanError::NoSuchAgent { .. }) => Err(fault("E001", "missing")),
        Err(PlanError::Invalid { field, .. }) => Err(fault("E_INVALID_ARGS", field)),
        Err(PlanError::Role(_)) => Err(fault("E_INVALID_ARGS", "role")),
    }
}

/// What the turn hears of their run.
pub(super) fn read(desk: &Desk, scene: &Scene, heard: &Heard) -> (Ended, Spent) {
    (ended(desk, scene, heard), spent_by_several(&heard.state))
}

fn ended(desk: &Desk, scene: &Scene, heard: &Heard) -> Ended {
    let Heard { child, state, stopped } = heard;
    let State::Failed { cause, code, .. } = state else {
        return Ended::Ok(Box::new(Payload::Step(Box::new(facts(desk, scene, child, state)))));
    };
    match stopped {
        Stopped::ByOwner => return Ended::Never,
        Stopped::No => {}
    }
    let mut found = fault(code, cause.word());
    let message = format!("{}: .loop/collab/{child}.takeover.json", cause.word());
    let (file, line, column, context) = (None, None, None, None);
    found.errors = vec![CheckError { file, line, column, message, context }];
    Ended::Failed(found)
}

/// What they answered, put together; they change nothing.
fn facts(desk: &Desk, scene: &Scene, child: &str, state: &State) -> StepFacts {
    let texts = texts(state, &desk.plan.loop_dir, &desk.plan.redactor);
    let merged = collab::view::merged(state, &texts).unwrap_or_default();
    let digest = desk.mark().map(|mark| evidence::digest(&scene.life, &[], &mark));
    StepFacts {
        call_id: child.to_owned(),
        result_hash: hash::sha256_hex(merged.as_bytes()),
        note: Some(merged.chars().take(CLAIM_CHARS_MAX).collect()),
        digest: digest.unwrap_or_default(),
        ..StepFacts::default()
    }
}
