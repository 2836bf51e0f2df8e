//! What a person asks of a lifecycle, before settings have filled the gaps, and the start it
//! becomes. What is kept of it is complete, so no later change of a setting changes the run.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use kernel::hash;
use kernel::lifecycle::{Ask, Begin, Budget, OnFailure, Options, PRD_BYTES_MAX, Source, Switch};
use kernel::policy::Backing;
use serde::{Deserialize, Serialize};

use super::plan::digest_of;
use crate::agents::config::AgentConfig;
use crate::checkpoints;
use crate::checks::Sources;
use crate::config::{self, Settings, TurnOnFailure};
use crate::form::{self, Unfit, invalid};
use crate::policy::Judge;
use crate::turns::checked_out;
use crate::words::Lang;

/// The list of tasks in a package.
const TASKS: &str = "tasks.md";

/// A requirement; what is not said is taken from the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Form {
    /// The words.
    pub text: Option<String>,
    /// A plan document, absolute or relative to the root.
    pub prd: Option<PathBuf>,
    /// A package's directory.
    pub package: Option<PathBuf>,
    /// `stop` or `continue`.
    pub on_failure: Option<String>,
    /// What a person allowed before.
    pub grant: Option<String>,
    /// The language of what people and agents are told.
    pub lang: Option<String>,
    /// Who works: the first, then those it falls back to.
    pub agents: Option<Vec<String>>,
}

/// What a start is made in.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names are the settings' own")]
pub struct Around {
    pub settings: config::Lifecycle,
    pub fix: config::Fix,
    pub allow_self_modifying: bool,
    pub checkpoint_required: bool,
    /// Who works where nobody is named.
    pub workers: Vec<String>,
    /// Where checks come from.
    pub checks: Sources,
    /// The configured agents.
    pub agents: BTreeMap<String, AgentConfig>,
    /// The work tree.
    pub root: PathBuf,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// The language of those who say none.
    pub lang: Lang,
    /// Who judges what checks may do here.
    pub judge: Judge,
}

/// Names that a start is given.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are the start's own")]
pub struct Named<'a> {
    pub id: &'a str,
    pub trace_id: &'a str,
}

/// Why a request can't become a start.
#[derive(Debug)]
pub enum FormError {
    /// A word of it does not fit.
    Unfit(Unfit),
    /// A document that can't be read.
    Io {
        /// Which.
        path: String,
        /// What the system said.
        error: io::Error,
    },
}

impl From<Unfit> for FormError {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

impl Around {
    /// What the settings say.
    #[must_use]
    pub fn of(
        settings: &Settings,
        (root, loop_dir): (&Path, &Path),
        judge: Judge,
        lang: Lang,
    ) -> Self {
        Self {
            settings: settings.lifecycle.clone(),
            fix: settings.fix,
            allow_self_modifying: settings.verify.allow_self_modifying,
            checkpoint_required: match settings.checkpoint.required {
                config::Required::Said => true,
                config::Required::Unsaid => checkpoints::has_git(&settings.git.path, root),
                config::Required::No => false,
            },
            workers: settings.turn.agents.clone(),
            checks: Sources::of(settings),
            agents: settings.agents.clone(),
            root: root.to_owned(),
            loop_dir: loop_dir.to_owned(),
            lang,
            judge,
        }
    }
}

/// Makes the start. A grant is a fact of the journal: whoever can read that puts it in.
///
/// # Errors
/// What does not fit.
pub fn start(form: Form, named: Named<'_>, around: &Around) -> Result<Begin, FormError> {
    let Form { text, prd, package, on_failure, grant: _, lang, agents } = form;
    let ask = ask(text, prd.as_deref(), package.as_deref(), around)?;
    let agents = agents.unwrap_or_else(|| around.workers.clone());
    form::known(&agents, &around.agents)?;
    let on_failure = match on_failure.as_deref() {
        None => around.settings.on_failure,
        Some(word) => TurnOnFailure::named(word)
            .ok_or_else(|| invalid("on_failure", word, &TurnOnFailure::WORDS.join(", ")))?,
    };
    let lang = form::lang(lang.as_deref(), around.lang)?;
    let options = options(around, on_failure, agents, lang);
    Ok(Begin {
        id: named.id.to_owned(),
        parent: None,
        session_id: None,
        ask,
        options,
        grant: None,
        backing: Backing::None,
        head: checked_out(&around.root),
    })
}

fn options(around: &Around, on_failure: TurnOnFailure, agents: Vec<String>, lang: Lang) -> Options {
    let switch = |on: bool| if on { Switch::On } else { Switch::Off };
    let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let waited = around.agents.values().filter(|agent| agent.resume_at_reset);
    Options {
        on_failure: match on_failure {
            TurnOnFailure::Stop => OnFailure::Stop,
            TurnOnFailure::Continue => OnFailure::Continue,
        },
        fix_limit: whole(around.fix.limit),
        stop_on_repeat: switch(around.fix.stop_on_repeat),
        fix_total_per_task: whole(around.fix.total_per_task),
        fix_total_per_run: whole(around.fix.total_per_run),
        allow_self_modifying: switch(around.allow_self_modifying),
        checkpoint_required: switch(around.checkpoint_required),
        confirm_expiry_ms: around.settings.confirm_expiry_ms,
        budget: Budget {
            turns: whole(around.settings.budget_turns),
            wall_ms: around.settings.budget_wall_ms,
            cost_micros: around.settings.budget_micros,
        },
        agents,
        resume_at_reset: waited.map(|agent| agent.name.clone()).collect(),
        lang: lang.to_string(),
    }
}

fn ask(
    text: Option<String>,
    prd: Option<&Path>,
    package: Option<&Path>,
    around: &Around,
) -> Result<Ask, FormError> {
    let text = text.unwrap_or_default();
    match (prd, package) {
        (Some(prd), None) => document(Source::File, prd, text, around),
        (None, Some(package)) => document(Source::Package, &package.join(TASKS), text, around),
        (Some(_), Some(_)) => Err(invalid("package", "prd and package", "one of them").into()),
        (None, None) if text.trim().is_empty() => Err(invalid("text", "", "a requirement").into()),
        (None, None) => {
            let digest = hash::sha256_hex(text.as_bytes());
            Ok(Ask { text, earlier: Vec::new(), source: Source::Text, path: None, digest })
        }
    }
}

/// A document below the root, named as people see it.
fn document(source: Source, path: &Path, text: String, around: &Around) -> Result<Ask, FormError> {
    let shown = path.display().to_string();
    let io = |error| FormError::Io { path: shown.clone(), error };
    let full = around.root.join(path).canonicalize().map_err(io)?;
    let root = around.root.canonicalize().map_err(io)?;
    let below = full
        .strip_prefix(&root)
        .map_err(|_| invalid("prd", &shown, "a file below the workspace"))?;
    let below = below.to_str().ok_or_else(|| invalid("prd", &shown, "a name in UTF-8"))?;
    let size = full.metadata().map_err(io)?.len();
    if size > u64::try_from(PRD_BYTES_MAX).unwrap_or(u64::MAX) {
        return Err(invalid("prd", &shown, "at most 1 MiB").into());
    }
    let digest =
        digest_of(&root, below).ok_or_else(|| invalid("prd", &shown, "a file that can be read"))?;
    let text = if text.trim().is_empty() { below.to_owned() } else { text };
    Ok(Ask { text, earlier: Vec::new(), source, path: Some(below.to_owned()), digest })
}
