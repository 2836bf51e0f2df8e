//! The ten keys of the page's front matter: the seed's four first, then ours, marked `x_`. Drawn in
//! one order and one spelling; read by meaning.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};

use super::front::Front;
use super::scalar::{Scalar, quoted};

/// Every key, in the order of drawing.
pub const KEYS: [&str; 10] = [
    "session_id",
    "task_status",
    "auto_fix_attempts",
    "last_checkpoint",
    "x_run_id",
    "x_seq",
    "x_paused",
    "x_current_task",
    "x_next_action",
    "x_last_session_end",
];

/// What the front matter says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the keys")]
pub struct Head {
    pub session_id: String,
    /// The state's name, which is never translated.
    pub task_status: String,
    pub auto_fix_attempts: u32,
    pub last_checkpoint: Option<String>,
    pub run_id: String,
    pub seq: u64,
    pub paused: bool,
    pub current_task: Option<String>,
    pub next_action: String,
    pub last_session_end: Option<String>,
}

impl Head {
    /// The value of a key as it is drawn.
    pub(super) fn drawn(&self, key: &str) -> String {
        let nullable =
            |text: &Option<String>| text.as_deref().map_or_else(|| "null".to_owned(), quoted);
        match key {
            "session_id" => quoted(&self.session_id),
            "task_status" => self.task_status.clone(),
            "auto_fix_attempts" => self.auto_fix_attempts.to_string(),
            "last_checkpoint" => nullable(&self.last_checkpoint),
            "x_run_id" => quoted(&self.run_id),
            "x_seq" => self.seq.to_string(),
            "x_paused" => self.paused.to_string(),
            "x_current_task" => nullable(&self.current_task),
            "x_next_action" => quoted(&self.next_action),
            _last => nullable(&self.last_session_end),
        }
    }

    /// The lines between the fences.
    pub(super) fn draw(&self) -> String {
        KEYS.iter().map(|key| format!("{key}: {}\n", self.drawn(key))).collect()
    }

    /// What a key would be read as where nobody changed it.
    pub(super) fn meant(&self, key: &str) -> Scalar {
        let nullable = |text: &Option<String>| text.clone().map_or(Scalar::Null, Scalar::Text);
        match key {
            "session_id" => Scalar::Text(self.session_id.clone()),
            "last_checkpoint" => nullable(&self.last_checkpoint),
            "x_run_id" => Scalar::Text(self.run_id.clone()),
            "x_current_task" => nullable(&self.current_task),
            "x_next_action" => Scalar::Text(self.next_action.clone()),
            "x_last_session_end" => nullable(&self.last_session_end),
            _number_or_word => Scalar::Text(self.drawn(key)),
        }
    }

    /// Reads all ten keys.
    ///
    /// # Errors
    /// The first key that is missing or has no such value.
    pub(super) fn read(front: &Front) -> Result<Self, &'static str> {
        let scalar = |key: &'static str| front.pair(key).map(|pair| &pair.value).ok_or(key);
        let text = |key| match scalar(key)? {
            Scalar::Text(text) => Ok(text.clone()),
            Scalar::Null => Err(key),
        };
        let nullable = |key| {
            scalar(key).map(|scalar| match scalar {
                Scalar::Text(text) => Some(text.clone()),
                Scalar::Null => None,
            })
        };
        Ok(Self {
            session_id: text("session_id")?,
            task_status: text("task_status")?,
            auto_fix_attempts: number(text("auto_fix_attempts")?, "auto_fix_attempts")?,
            last_checkpoint: nullable("last_checkpoint")?,
            run_id: text("x_run_id")?,
            seq: number(text("x_seq")?, "x_seq")?,
            paused: number(text("x_paused")?, "x_paused")?,
            current_task: nullable("x_current_task")?,
            next_action: text("x_next_action")?,
            last_session_end: nullable("x_last_session_end")?,
        })
    }
}

fn number<T: core::str::FromStr>(text: String, key: &'static str) -> Result<T, &'static str> {
    text.parse().map_err(|_| key)
}
