//! The settings and door flags that a unit is started with. Recorded with it, so that a fold needs
//! no configuration and a later change of a setting touches no unit that runs.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::agent;
use crate::turn::ChangeLimit;

/// Who drives DEVELOP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the setting's own")]
pub enum Driver {
    Lifecycle,
    Loop,
}

/// What becomes of the other tasks when one has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the words are the setting's own")]
pub enum OnFailure {
    ByMode,
    Stop,
    Continue,
}

/// Where a person sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// At a terminal, where questions can be answered at once.
    Terminal,
    /// Elsewhere: questions are printed and answered later.
    Headless,
}

/// An agent that is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// Its configured name.
    pub name: String,
    /// Its adapter.
    pub kind: agent::Kind,
    /// Its model, if one is named.
    pub model: Option<String>,
    /// Wall limit of one question to it.
    pub deadline_ms: u64,
    /// Silence limit; none = off.
    pub idle_ms: Option<u64>,
}

/// A tool of the person's own: a command that is called by its prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Registered {
    /// Its name.
    pub name: String,
    /// What an input that calls it begins with.
    pub prefix: String,
    /// Program and words; what is typed behind the prefix is added to them.
    pub argv: Vec<String>,
    /// How long it may run.
    pub deadline_ms: u64,
}

/// Settings and flags in force for a unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Setup {
    pub lang: String,
    pub kb_mode: u8,
    pub bilingual: u8,
    pub gate: u8,
    pub clarify_rounds: u32,
    pub on_task_failure: OnFailure,
    pub driver: Driver,
    /// Who designs, analyses and reviews; none if no agent is configured.
    pub designer: Option<Agent>,
    /// Those who design and review together, where the settings name several.
    #[serde(default)]
    pub designers: Vec<String>,
    /// The tools that people may call by their prefixes.
    #[serde(default)]
    pub tools: Vec<Registered>,
    /// Words of extremely high risk that the workspace adds.
    pub extra: Vec<String>,
    pub replace_expiry_ms: u64,
    pub cancel_grace_ms: u64,
    pub tweak: ChangeLimit,
    /// How long the tests after a tweak may take.
    pub tweak_test_ms: u64,
    /// Kinds of questions that a guest may answer.
    pub guest_answers: Vec<String>,
    pub seat: Seat,
    /// `--replace`.
    pub replace: bool,
    /// `--yes`.
    pub yes: bool,
    /// `--answer kind=key`.
    pub answers: BTreeMap<String, String>,
}

impl Setup {
    /// What holds where nobody has said anything else.
    #[must_use]
    pub fn standard(lang: &str) -> Self {
        Self {
            lang: lang.into(),
            kb_mode: 2,
            bilingual: 1,
            gate: 7,
            clarify_rounds: 5,
            on_task_failure: OnFailure::ByMode,
            driver: Driver::Lifecycle,
            designer: None,
            designers: Vec::new(),
            tools: Vec::new(),
            extra: Vec::new(),
            replace_expiry_ms: 600_000,
            cancel_grace_ms: 30_000,
            tweak: ChangeLimit { files: 2, lines: 30, modules: 1 },
            tweak_test_ms: 30_000,
            guest_answers: Vec::from(["clarify".into()]),
            seat: Seat::Terminal,
            replace: false,
            yes: false,
            answers: BTreeMap::new(),
        }
    }
}
