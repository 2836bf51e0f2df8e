//! The snapshot of a run: the seed's keys first and in the seed's order, everything else in `ext`.
//! It can be read back; a reader of the seed's keys alone needs nothing else.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::SerializeMap as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::super::participant::{Participant, Phase};
use super::super::plan::Member;
use super::super::state::{Run, Stage, State};
use super::progress::percent;
use super::shown::{Meta, detail, error_code, everyone, level, missing, moment, shortfall, times};
use crate::machine::At;

/// Version of what is in `ext`.
const VERSION: u32 = 1;

/// A run as its file shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the keys are the seed's own")]
pub struct Snapshot {
    pub state: String,
    pub degraded_level: Option<String>,
    pub missing_dimensions: Vec<String>,
    pub started_at: Option<String>,
    /// In the plan's order; each is a key of the file.
    pub participants: Vec<(String, ParticipantView)>,
    /// In the plan's order.
    pub retries: Vec<(String, u32)>,
    pub degraded_reason: Option<String>,
    pub ext: SnapshotExt,
}

/// One participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys are the seed's own")]
pub struct ParticipantView {
    pub task_id: Option<String>,
    pub status: String,
    pub session_id: Option<String>,
    pub ext: ParticipantExt,
}

/// What the seed does not know of a participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ParticipantExt {
    pub dimension: String,
    pub agent: String,
    pub launch: u32,
    pub since: Option<String>,
    pub due_at: Option<String>,
    pub captured: Option<String>,
    pub errors: Vec<ErrorView>,
    pub call_dir: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_unproven: Vec<String>,
}

/// What went wrong on a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ErrorView {
    pub code: String,
    pub launch: u32,
    pub at: String,
    pub detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reset_at: Option<String>,
}

/// What the seed does not know of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct SnapshotExt {
    pub v: u32,
    pub run_id: String,
    pub parent: Option<String>,
    pub seq: u64,
    pub updated_at: String,
    pub mode: String,
    pub gate: String,
    pub lite: bool,
    pub role: String,
    pub participants: Vec<String>,
    pub due_at: Option<String>,
    pub percent: u64,
    pub cancelling: bool,
    pub error_code: Option<String>,
    pub cause: Option<String>,
    pub degraded_class: Option<String>,
    pub question: Option<QuestionView>,
}

/// The open question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct QuestionView {
    pub id: String,
    pub hash: String,
    pub expires_at: Option<String>,
}

impl Serialize for Snapshot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("state", &self.state)?;
        map.serialize_entry("degraded_level", &self.degraded_level)?;
        map.serialize_entry("missing_dimensions", &self.missing_dimensions)?;
        map.serialize_entry("started_at", &self.started_at)?;
        for (name, one) in &self.participants {
            map.serialize_entry(name, one)?;
        }
        map.serialize_entry("retries", &InOrder(&self.retries))?;
        map.serialize_entry("degraded_reason", &self.degraded_reason)?;
        map.serialize_entry("ext", &self.ext)?;
        map.end()
    }
}

/// Pairs as an object, in their order.
struct InOrder<'a>(&'a [(String, u32)]);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name, count)))
    }
}

impl<'de> Deserialize<'de> for Snapshot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(deserializer)?;
        let ext: SnapshotExt = take(&mut map, "ext")?;
        let counts: BTreeMap<String, u32> = take(&mut map, "retries")?;
        let mut participants = Vec::new();
        let mut retries = Vec::new();
        for name in &ext.participants {
            participants.push((name.clone(), take(&mut map, name)?));
            retries.push((name.clone(), counts.get(name).copied().unwrap_or_default()));
        }
        Ok(Self {
            state: take(&mut map, "state")?,
            degraded_level: take(&mut map, "degraded_level")?,
            missing_dimensions: take(&mut map, "missing_dimensions")?,
            started_at: take(&mut map, "started_at")?,
            participants,
            retries,
            degraded_reason: take(&mut map, "degraded_reason")?,
            ext,
        })
    }
}

fn take<T: for<'a> Deserialize<'a>, E: serde::de::Error>(
    map: &mut Map<String, Value>,
    key: &str,
) -> Result<T, E> {
    let value = map.remove(key).ok_or_else(|| E::custom(format!("no {key}")))?;
    serde_json::from_value(value).map_err(|why| E::custom(format!("{key}: {why}")))
}

impl Snapshot {
    /// The bytes of the file: LF at the end.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The snapshot of a run as it is looked at now; none if it is not there.
#[must_use]
pub fn snapshot(state: &State, meta: &Meta, now: At) -> Option<Snapshot> {
    let run = state.run()?;
    let all = everyone(state);
    let pairs = || all.iter().zip(&run.plan.participants);
    let view = |(one, member)| (Participant::clone(one).name, participant(one, member));
    Some(Snapshot {
        state: state.name().to_string(),
        degraded_level: level(state),
        missing_dimensions: missing(state),
        started_at: times(state).0.map(moment),
        participants: pairs().map(view).collect(),
        retries: all.iter().map(|one| (one.name.clone(), one.retries)).collect(),
        degraded_reason: shortfall(state).map(|one| one.reason.clone()),
        ext: ext(state, run, meta, now),
    })
}

fn participant(one: &Participant, member: &Member) -> ParticipantView {
    let (since, due_at) = match &one.phase {
        Phase::Running { since, due, .. } => (Some(moment(*since)), Some(moment(*due))),
        Phase::Backoff { until, .. } => (None, Some(moment(*until))),
        Phase::Stopping { stop_by, .. } => (None, Some(moment(*stop_by))),
        Phase::Pending | Phase::Starting { .. } | Phase::Ended { .. } => (None, None),
    };
    let error = |fault: &super::super::participant::Fault| ErrorView {
        code: fault.code.clone(),
        launch: fault.launch,
        at: moment(fault.at),
        detail: detail(fault),
        reset_at: fault.reset_at.map(moment),
    };
    ParticipantView {
        task_id: one.last_call.clone(),
        status: one.status().to_string(),
        session_id: one.proven().cloned(),
        ext: ParticipantExt {
            dimension: member.dimension.clone(),
            agent: member.agent.clone(),
            launch: one.launches,
            since,
            due_at,
            captured: one.captured.clone(),
            errors: one.errors.iter().map(error).collect(),
            call_dir: one.last_call.as_ref().map(|call| format!(".loop/calls/{call}")),
            stop_unproven: one.stop_unproven.clone(),
        },
    }
}

fn ext(state: &State, run: &Run, meta: &Meta, now: At) -> SnapshotExt {
    let (due, cancelling) = match state {
        State::Running { due, cancelling, .. } => (Some(*due), cancelling.is_some()),
        State::Init { stage: Stage::Launching { cancelling, .. }, .. } => {
            (None, cancelling.is_some())
        }
        State::New
        | State::Init { stage: Stage::Checking, .. }
        | State::Degraded { .. }
        | State::Success { .. }
        | State::Failed { .. } => (None, false),
    };
    let question = match state {
        State::Degraded { question, .. } => Some(QuestionView {
            id: question.id.clone(),
            hash: question.hash.clone(),
            expires_at: question.expires_at.map(moment),
        }),
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Success { .. }
        | State::Failed { .. } => None,
    };
    let plan = &run.plan;
    SnapshotExt {
        v: VERSION,
        run_id: meta.run_id.clone(),
        parent: meta.parent.clone(),
        seq: meta.seq,
        updated_at: moment(meta.updated_at),
        mode: plan.mode.word().to_string(),
        gate: plan.gate.word().to_string(),
        lite: plan.lite,
        role: plan.role.clone(),
        participants: plan.participants.iter().map(|one| one.name.clone()).collect(),
        due_at: due.map(moment),
        percent: percent(state, now),
        cancelling,
        error_code: error_code(state),
        cause: state.cause().map(|cause| cause.word().to_string()),
        degraded_class: shortfall(state).map(|one| one.class.word().to_string()),
        question,
    }
}
