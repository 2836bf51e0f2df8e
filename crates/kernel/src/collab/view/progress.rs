//! How far a run is, as numbers and rows; the words around them are the doors' business.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::participant::{How, Participant, Phase};
use super::super::state::State;
use super::shown::{everyone, level, missing, times};
use crate::machine::At;

/// Cells of the bar.
const CELLS: u64 = 10;
/// The most that a run shows which has not succeeded.
const ALMOST: u64 = 99;

/// How far a run is: by time, and by how many have ended. Only a success is whole. The time is
/// measured against what was planned, so that an extension never makes it fall.
#[must_use]
pub fn percent(state: &State, now: At) -> u64 {
    let Some(run) = state.run() else { return 0 };
    let (Some(started), ended) = times(state) else { return 0 };
    if matches!(state, State::Success { .. }) {
        return 100;
    }
    let total = run.plan.timeout_ms.max(1);
    let elapsed = ended.unwrap_or(now).since(started).min(total);
    let all = state.participants();
    let count = all.len() as u64;
    let over = all.iter().filter(|one| one.ended_at().is_some()).count() as u64;
    let percent = if count <= 1 {
        100 * elapsed / total
    } else {
        (50 * over * total + 50 * elapsed * count) / (count * total)
    };
    percent.min(ALMOST)
}

/// The bar of a percentage: ten cells.
#[must_use]
pub fn bar(percent: u64) -> String {
    let full = (percent / CELLS).min(CELLS);
    (0..CELLS).map(|cell| if cell < full { '▓' } else { '░' }).collect()
}

/// The sign before a participant's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Sign {
    Running,
    Waiting,
    Slow,
    Done,
    TimedOut,
    Failed,
    Cancelled,
    Skipped,
}

impl Sign {
    /// The sign itself.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Running => "🟢",
            Self::Waiting | Self::Slow => "🟡",
            Self::Done => "✅",
            Self::TimedOut => "⏱️",
            Self::Failed | Self::Cancelled => "❌",
            Self::Skipped => "–",
        }
    }

    /// Its word, in both languages: Chinese and English.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Running => ("运行中", "running"),
            Self::Waiting => ("等待中", "waiting"),
            Self::Slow => ("响应缓慢", "slow"),
            Self::Done => ("完成", "done"),
            Self::TimedOut => ("超时", "timeout"),
            Self::Failed => ("失败", "failed"),
            Self::Cancelled => ("已取消", "cancelled"),
            Self::Skipped => ("跳过", "skipped"),
        }
    }
}

/// One line of the progress table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The participant.
    pub name: String,
    /// Its sign.
    pub sign: Sign,
    /// The snapshot's status word.
    pub status: &'static str,
    /// Since its first start, until its end or now; none before it started.
    pub elapsed_ms: Option<u64>,
    /// Its proven conversation, or the one that was seen.
    pub session: Option<String>,
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// In percent.
    pub percent: u64,
    /// The same as ten cells.
    pub bar: String,
    /// Since the run started.
    pub elapsed_ms: u64,
    /// The participants, in the plan's order.
    pub rows: Vec<Row>,
}

/// How far a run is now; `silent` names those that have said nothing for too long.
#[must_use]
pub fn progress(state: &State, now: At, silent: &[String]) -> Progress {
    let percent = percent(state, now);
    let (started, ended) = times(state);
    let elapsed_ms = started.map_or(0, |from| ended.unwrap_or(now).since(from));
    let rows = everyone(state).iter().map(|one| row(one, now, silent)).collect();
    Progress { percent, bar: bar(percent), elapsed_ms, rows }
}

fn row(one: &Participant, now: At, silent: &[String]) -> Row {
    Row {
        name: one.name.clone(),
        sign: sign(one, silent),
        status: one.status(),
        elapsed_ms: one.started_at.map(|from| one.ended_at().unwrap_or(now).since(from)),
        session: one.proven().or(one.captured.as_ref()).cloned(),
    }
}

fn sign(one: &Participant, silent: &[String]) -> Sign {
    match &one.phase {
        Phase::Pending | Phase::Starting { .. } | Phase::Backoff { .. } => Sign::Waiting,
        Phase::Running { .. } if silent.contains(&one.name) => Sign::Slow,
        Phase::Running { .. } | Phase::Stopping { .. } => Sign::Running,
        Phase::Ended { how, .. } => match how {
            How::Answered { .. } => Sign::Done,
            How::TimedOut { .. } => Sign::TimedOut,
            How::Cancelled { .. } => Sign::Cancelled,
            How::Skipped { .. } => Sign::Skipped,
            How::Unproven { .. } | How::Poor { .. } | How::Failed { .. } => Sign::Failed,
        },
    }
}

/// The table at the end of a run: key and value.
#[must_use]
pub fn metadata(state: &State) -> Vec<(String, String)> {
    let mut rows = Vec::from([
        ("dual_model_status".to_string(), state.name().to_string()),
        ("degraded_level".to_string(), level(state).unwrap_or_default()),
        ("missing_dimensions".to_string(), missing(state).join(", ")),
    ]);
    for one in everyone(state).iter() {
        let key = format!("{}_SESSION", one.name.to_uppercase());
        rows.push((key, one.proven().cloned().unwrap_or_default()));
    }
    rows
}
