//! The result of a run, from the moment it is degraded or over. The answers' texts come from
//! outside: they are files, and this draws only.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::super::bounds::RESULT_OUTPUT_MAX;
use super::super::conclude;
use super::super::participant::Participant;
use super::super::plan::Member;
use super::super::state::State;
use super::merged::merged;
use super::shown::{
    Meta, detail, error_code, left, level, missing, moment, ours, shortfall, times, unverified,
};
use crate::agent::UsageShown;

/// A result: the seed's keys first, two of them for each participant.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ResultView {
    pub status: String,
    pub degraded_level: Option<String>,
    pub missing_dimensions: Vec<String>,
    /// Name, proven conversation, usable answer; in the plan's order.
    pub participants: Vec<(String, Option<String>, Option<String>)>,
    pub duration_ms: u64,
    pub degraded_reason: Option<String>,
    pub ext: ResultExt,
}

/// What the seed does not know of a result.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ResultExt {
    pub run_id: String,
    pub degraded: bool,
    #[serde(rename = "override")]
    pub overridden: bool,
    pub lite: bool,
    pub error_code: Option<String>,
    pub cause: Option<String>,
    pub errors: Vec<ErrorRow>,
    pub redundancy_lost: Vec<String>,
    pub merged: Option<String>,
    pub conflicts: Vec<String>,
    pub conflicts_checked: bool,
    pub takeover_path: Option<String>,
    pub participants: BTreeMap<String, ParticipantResult>,
}

/// What went wrong, and whose it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ErrorRow {
    pub participant: String,
    pub code: String,
    pub launch: u32,
    pub detail: String,
    /// When its provider's limit ends, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reset_at: Option<String>,
}

/// What became of a participant.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the keys say it")]
pub struct ParticipantResult {
    pub status: String,
    pub dimension: String,
    pub call: Option<String>,
    pub session_kind: Option<&'static str>,
    pub launches: u32,
    pub duration_ms: u64,
    pub usage: Option<UsageShown>,
    pub output_path: Option<String>,
    pub output_truncated: bool,
    pub unverified_output_path: Option<String>,
}

impl Serialize for ResultView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("status", &self.status)?;
        map.serialize_entry("degraded_level", &self.degraded_level)?;
        map.serialize_entry("missing_dimensions", &self.missing_dimensions)?;
        for (name, session, output) in &self.participants {
            map.serialize_entry(&format!("{name}_session"), session)?;
            map.serialize_entry(&format!("{name}_output"), output)?;
        }
        map.serialize_entry("duration_ms", &self.duration_ms)?;
        map.serialize_entry("degraded_reason", &self.degraded_reason)?;
        map.serialize_entry("ext", &self.ext)?;
        map.end()
    }
}

impl ResultView {
    /// The bytes of the file: LF at the end.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The result, from the texts of the usable answers by participant; none before there is one.
#[must_use]
pub fn result(state: &State, meta: &Meta, texts: &BTreeMap<String, String>) -> Option<ResultView> {
    let run = state.run()?;
    let (started, ended) = times(state);
    let ended = ended?;
    let all = state.participants();
    let of = |one: &Participant| {
        let text = texts.get(&one.name).filter(|_| one.usable());
        let output = text.map(|text| cut(text).to_string());
        (one.name.clone(), one.proven().cloned(), output)
    };
    let pairs = all.iter().zip(&run.plan.participants);
    Some(ResultView {
        status: state.name().to_string(),
        degraded_level: level(state),
        missing_dimensions: missing(state),
        participants: all.iter().map(of).collect(),
        duration_ms: started.map_or(0, |from| ended.since(from)),
        degraded_reason: shortfall(state).map(|one| one.reason.clone()),
        ext: ResultExt {
            run_id: meta.run_id.clone(),
            degraded: shortfall(state).is_some(),
            overridden: overridden(state),
            lite: run.plan.lite,
            error_code: error_code(state),
            cause: state.cause().map(|cause| cause.word().to_string()),
            errors: all.iter().flat_map(errors).collect(),
            redundancy_lost: redundancy_lost(state),
            merged: merged(state, texts),
            conflicts: Vec::new(),
            conflicts_checked: false,
            takeover_path: takeover_path(state, &meta.run_id),
            participants: pairs
                .map(|(one, member)| (one.name.clone(), participant(one, member, texts)))
                .collect(),
        },
    })
}

/// The beginning of a text that a result carries; the rest is read from its file.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(RESULT_OUTPUT_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn overridden(state: &State) -> bool {
    match state {
        State::Success { mark, .. } => mark.as_ref().is_some_and(|mark| mark.overridden),
        State::New
        | State::Init { .. }
        | State::Running { .. }
        | State::Degraded { .. }
        | State::Failed { .. } => false,
    }
}

fn errors(one: &Participant) -> Vec<ErrorRow> {
    let row = |fault: &super::super::participant::Fault| ErrorRow {
        participant: one.name.clone(),
        code: fault.code.clone(),
        launch: fault.launch,
        detail: detail(fault),
        reset_at: fault.reset_at.map(moment),
    };
    one.errors.iter().map(row).collect()
}

/// Participants of no use whose dimension somebody else covers.
fn redundancy_lost(state: &State) -> Vec<String> {
    let Some(run) = state.run() else { return Vec::new() };
    let all = state.participants();
    let missing = conclude::missing(&run.plan, all);
    let twin = |member: &&Member| {
        let usable = state.participant(&member.name).is_some_and(Participant::usable);
        !usable && !missing.contains(&member.dimension)
    };
    run.plan.participants.iter().filter(twin).map(|member| member.name.clone()).collect()
}

/// Where the takeover bundle is, if there is one.
#[must_use]
pub fn takeover_path(state: &State, run_id: &str) -> Option<String> {
    let lite = state.run().is_some_and(|run| run.plan.lite);
    let wanted = match state {
        State::Failed { .. } => true,
        State::Degraded { .. } | State::Success { .. } => lite,
        State::New | State::Init { .. } | State::Running { .. } => false,
    };
    wanted.then(|| format!(".loop/collab/{run_id}.takeover.json"))
}

fn participant(
    one: &Participant,
    member: &Member,
    texts: &BTreeMap<String, String>,
) -> ParticipantResult {
    let long = texts.get(&one.name).is_some_and(|text| text.len() > RESULT_OUTPUT_MAX);
    let truncated = left(one).is_some_and(|output| output.truncated);
    ParticipantResult {
        status: one.status().to_string(),
        dimension: member.dimension.clone(),
        call: one.last_call.clone(),
        session_kind: one.proven().map(|_| member.talks().session_kind()),
        launches: one.launches,
        duration_ms: conclude::spent_ms(one),
        usage: one.usage.map(|usage| usage.shown()),
        output_path: one.answer().map(|(_, output)| ours(&output.text.path)),
        output_truncated: long || truncated,
        unverified_output_path: unverified(one),
    }
}
