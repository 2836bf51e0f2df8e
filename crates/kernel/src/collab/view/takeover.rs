//! The bundle that a failed run hands to its caller: what was asked, what went wrong, what can be
//! gone on with. Nothing is done silently in the models' place.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::Serialize;

use super::super::conclude;
use super::super::participant::Participant;
use super::super::plan::Member;
use super::super::state::State;
use super::super::words;
use super::result::takeover_path;
use super::shown::{Meta, detail, error_code, left, missing, moment, ours};
use super::snapshot::ErrorView;

/// What is handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct Takeover {
    pub run_id: String,
    pub cause: Option<String>,
    pub code: Option<String>,
    pub task: String,
    pub context: String,
    pub role: String,
    pub workdir: String,
    pub created_at: String,
    pub missing_dimensions: Vec<String>,
    pub participants: Vec<TakeoverParticipant>,
    pub next_steps: NextSteps,
}

/// One participant of the bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct TakeoverParticipant {
    pub name: String,
    pub dimension: String,
    pub status: String,
    pub errors: Vec<ErrorView>,
    /// The proven conversation.
    pub session_id: Option<String>,
    /// A conversation that can be gone on with, proven or only seen.
    pub resume: Option<String>,
    pub output_path: Option<String>,
}

/// What the caller can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct NextSteps {
    pub zh: &'static str,
    pub en: &'static str,
}

impl Takeover {
    /// The bytes of the file: LF at the end.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The bundle of a run that failed or asked nobody; none for any other.
#[must_use]
pub fn takeover(state: &State, meta: &Meta) -> Option<Takeover> {
    takeover_path(state, &meta.run_id)?;
    let run = state.run()?;
    let plan = &run.plan;
    let all = state.participants();
    let pairs = all.iter().zip(&plan.participants);
    let participants: Vec<_> = pairs.map(|(one, member)| participant(one, member)).collect();
    let resumable = participants.iter().any(|one| one.resume.is_some());
    let (zh, en) = if resumable { words::GO_ON } else { words::BEGIN_ANEW };
    let named = missing(state);
    Some(Takeover {
        run_id: meta.run_id.clone(),
        cause: state.cause().map(|cause| cause.word().to_string()),
        code: error_code(state),
        task: plan.task.clone(),
        context: plan.context.clone(),
        role: plan.role.clone(),
        workdir: plan.workdir.clone(),
        created_at: moment(run.created_at),
        missing_dimensions: if named.is_empty() { conclude::missing(plan, all) } else { named },
        participants,
        next_steps: NextSteps { zh, en },
    })
}

fn participant(one: &Participant, member: &Member) -> TakeoverParticipant {
    let error = |fault: &super::super::participant::Fault| ErrorView {
        code: fault.code.clone(),
        launch: fault.launch,
        at: moment(fault.at),
        detail: detail(fault),
        reset_at: fault.reset_at.map(moment),
    };
    TakeoverParticipant {
        name: one.name.clone(),
        dimension: member.dimension.clone(),
        status: one.status().to_string(),
        errors: one.errors.iter().map(error).collect(),
        session_id: one.proven().cloned(),
        resume: one
            .proven()
            .or(one.captured.as_ref())
            .cloned()
            .filter(|_| member.talks().resumes()),
        output_path: left(one).map(|output| ours(&output.text.path)),
    }
}
