//! What a scenario says: its file and the log beside it, read and nothing more. Unknown words are
//! refused, so that no expectation is passed over.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// One directory of `scenarios/`.
#[derive(Debug)]
pub struct Scenario {
    pub name: String,
    pub dir: PathBuf,
    pub said: Said,
    /// The expected lines.
    pub log: Vec<String>,
}

/// `scenario.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    pub title: String,
    /// What is played: `turn`, or `lifecycle`.
    #[serde(default)]
    pub machine: Machine,
    /// Rows of the machine's table that are seen.
    pub rows: Vec<String>,
    #[serde(default)]
    pub git: bool,
    /// Path to text.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Agent to the script beside the scenario.
    #[serde(default)]
    pub agents: BTreeMap<String, String>,
    /// Agents whose rate limit is waited out.
    #[serde(default)]
    pub waits: Vec<String>,
    /// The user's settings besides the agents.
    #[serde(default)]
    pub settings: String,
    /// What follows `turn start` or `lifecycle start`.
    pub start: Vec<String>,
    #[serde(default)]
    pub steps: Vec<Step>,
    pub end: End,
}

/// What is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Machine {
    #[default]
    Turn,
    Lifecycle,
}

/// One thing done from outside; what is named is done in this order.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// The state that is waited for.
    pub until: Option<String>,
    /// The line of the file `effects` that is waited for.
    pub effect: Option<String>,
    /// The line of the log that is waited for.
    pub log: Option<String>,
    /// The kind of question, asked by the turn or by those below it, that is waited for.
    pub asked: Option<String>,
    /// A file that is written: path and text.
    pub write: Option<(String, String)>,
    pub kill: bool,
    /// A command; `@` is the turn.
    pub run: Vec<String>,
    pub exit: i32,
    /// The code it is refused with.
    pub code: String,
}

/// How it ends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    pub outcome: String,
    pub verified: Option<String>,
    pub code: Option<String>,
    pub detail: Option<String>,
    /// Lines of the file `effects`: what really ran, in order.
    #[serde(default)]
    pub effects: Vec<String>,
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Paths that are not there.
    #[serde(default)]
    pub absent: Vec<String>,
    /// The paths of each commit, the newest first.
    pub commits: Option<Vec<Vec<String>>>,
}

/// All of them in order; only those whose name begins so if `SCENARIO` says.
pub fn all() -> Vec<Scenario> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let only = std::env::var("SCENARIO").unwrap_or_default();
    let dirs = std::fs::read_dir(top).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<Scenario> = dirs.filter(|dir| dir.is_dir()).map(read).collect();
    all.retain(|one| one.name.starts_with(&only));
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

fn read(dir: PathBuf) -> Scenario {
    let name = dir.file_name().unwrap().to_string_lossy().into_owned();
    let text = |file: &str| {
        std::fs::read_to_string(dir.join(file)).unwrap_or_else(|why| panic!("{name}/{file}: {why}"))
    };
    let said = toml::from_str(&text("scenario.toml")).unwrap_or_else(|why| panic!("{name}: {why}"));
    let log = text("expected.log").lines().map(str::to_owned).collect();
    Scenario { name, dir, said, log }
}
