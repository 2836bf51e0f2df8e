//! A person's question becomes a plan: settings fill the gaps, role files are read once, names are
//! looked up. What is kept is complete, so no later change of a file can change a launch.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use kernel::agent::Access;
use kernel::collab::{Accept, Lang as KernelLang, Member, Merge, Mode, Plan, Rule};

use super::form::Form;
use super::roles::{self, Names, RoleError};
use crate::agents::config::AgentConfig;
use crate::agents::schema;
use crate::config::{self, Settings};
use crate::words::Lang;

/// What a plan is made in.
#[derive(Clone, Debug)]
pub struct Around {
    /// `[collab]`
    pub settings: config::Collab,
    /// The configured agents.
    pub agents: BTreeMap<String, AgentConfig>,
    /// The work tree.
    pub root: PathBuf,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// The language of those who say none.
    pub lang: Lang,
    /// Between TERM and KILL.
    pub grace_ms: u64,
}

impl Around {
    /// What the settings say.
    #[must_use]
    pub fn of(settings: &Settings, (root, loop_dir): (&Path, &Path), lang: Lang) -> Self {
        Self {
            settings: settings.collab.clone(),
            agents: settings.agents.clone(),
            root: root.to_owned(),
            loop_dir: loop_dir.to_owned(),
            lang,
            grace_ms: settings.call.grace_ms,
        }
    }
}

/// Why a question can't become a plan.
#[derive(Debug, PartialEq, Eq)]
pub enum PlanError {
    /// An agent that nobody configured.
    NoSuchAgent {
        /// Its name.
        name: String,
        /// Those that are.
        known: Vec<String>,
    },
    /// A value that does not fit.
    Invalid {
        /// Which.
        field: &'static str,
        /// What was given.
        found: String,
        /// What fits.
        expected: String,
    },
    /// A role file that can't be used.
    Role(RoleError),
}

fn invalid(field: &'static str, found: &str, expected: &str) -> PlanError {
    PlanError::Invalid { field, found: found.to_owned(), expected: expected.to_owned() }
}

/// Makes the plan of a question.
///
/// # Errors
/// What does not fit.
pub fn plan(form: Form, around: &Around) -> Result<Plan, PlanError> {
    let settings = &around.settings;
    let lang = form.lang.as_deref().map_or(Ok(around.lang), |asked| {
        Lang::parse(asked).map_err(|_| invalid("lang", asked, "en, zh-CN"))
    })?;
    let (workdir, cwd) = directory(form.workdir.as_deref(), &around.root)?;
    let role = form.role.clone().unwrap_or_else(|| settings.role.clone());
    let names = form.with.clone().unwrap_or_else(|| settings.participants.clone());
    let mut resume = resumes(form.resume, &names)?;
    let participants = names
        .iter()
        .map(|name| member(name, &role, &workdir, lang, resume.remove(name), around))
        .collect::<Result<Vec<_>, _>>()?;
    let schema = form.schema.map(|text| {
        schema::valid_schema(&text)
            .map(schema::Canonical::into_text)
            .map_err(|why| invalid("schema", &why.to_string(), "a JSON Schema"))
    });
    Ok(Plan {
        task: form.task,
        context: form.context,
        role,
        lang: match lang {
            Lang::En => KernelLang::En,
            Lang::Zh => KernelLang::Zh,
        },
        workdir,
        cwd,
        participants,
        mode: word("mode", form.mode, settings.mode.word(), Mode::named, "parallel, serial")?,
        gate: word("gate", form.gate, settings.gate.word(), Rule::named, "or, and")?,
        timeout_ms: form.timeout_ms.unwrap_or(settings.timeout_ms),
        max_retries: form
            .max_retries
            .unwrap_or_else(|| u32::try_from(settings.max_retries).unwrap_or(u32::MAX)),
        lite: form.lite.unwrap_or(settings.lite),
        core_dimensions: form.core_dimensions.map(BTreeSet::from_iter),
        schema: schema.transpose()?,
        accept: word(
            "accept",
            form.accept,
            settings.accept.word(),
            Accept::named,
            "ask, acceptable",
        )?,
        confirm_timeout_ms: form.confirm_timeout_ms.unwrap_or(settings.confirm_timeout_ms),
        merge: word("merge", form.merge, settings.merge.word(), Merge::named, "sections")?,
        grace_ms: around.grace_ms,
    })
}

/// A choice by its word, the settings' if none is given.
fn word<T>(
    field: &'static str,
    asked: Option<String>,
    setting: &str,
    named: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<T, PlanError> {
    let word = asked.as_deref().unwrap_or(setting);
    named(word).ok_or_else(|| invalid(field, word, expected))
}

/// The directory as people see it, and relative to the root as calls need it. Whether it is there
/// is the start gate's to see.
fn directory(asked: Option<&str>, root: &Path) -> Result<(String, String), PlanError> {
    let asked = Path::new(asked.unwrap_or("."));
    let inside = asked.strip_prefix(root).unwrap_or(asked);
    let expected = "a directory inside the workspace, without `..`";
    let refuse = || invalid("workdir", &asked.to_string_lossy(), expected);
    // However it was written, it is one directory, and a conversation is known by it.
    let mut plain = PathBuf::new();
    for part in inside.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(refuse());
            }
        }
    }
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(refuse);
    if plain.as_os_str().is_empty() {
        return Ok((text(root)?, ".".to_owned()));
    }
    Ok((text(&root.join(&plain))?, text(&plain)?))
}

/// Conversations by participant; a bare one belongs to the only participant.
fn resumes(
    asked: BTreeMap<String, String>,
    names: &[String],
) -> Result<BTreeMap<String, String>, PlanError> {
    let mut by_name = BTreeMap::new();
    for (name, id) in asked {
        let owner = match (name.as_str(), names) {
            ("", [only]) => only.clone(),
            ("", _) => return Err(invalid("resume", &id, "NAME=ID with several participants")),
            (name, names) if names.iter().any(|known| known == name) => name.to_owned(),
            (name, names) => return Err(invalid("resume", name, &names.join(", "))),
        };
        by_name.insert(owner, id);
    }
    Ok(by_name)
}

fn member(
    name: &str,
    role: &str,
    workdir: &str,
    lang: Lang,
    resume: Option<String>,
    around: &Around,
) -> Result<Member, PlanError> {
    let settings = &around.settings;
    let agent_name = settings.agent_of(name);
    let agent = around.agents.get(agent_name).ok_or_else(|| PlanError::NoSuchAgent {
        name: agent_name.to_owned(),
        known: around.agents.keys().cloned().collect(),
    })?;
    let own = settings.participant.get(name);
    let dimension = own
        .and_then(|own| own.dimension.clone())
        .unwrap_or_else(|| usual_dimension(name).to_owned());
    let names = Names { workdir, role, dimension: &dimension, lang };
    let configured = settings.roles.get(role).map(|file| around.root.join(file));
    let role_text = roles::role_text(&around.loop_dir, configured.as_deref(), name, &names)
        .map_err(PlanError::Role)?;
    Ok(Member {
        name: name.to_owned(),
        agent: agent_name.to_owned(),
        kind: agent.kind(),
        talk: agent.talk(),
        dimension,
        core: own.and_then(|own| own.core),
        access: own.map_or(Access::Read, |own| own.access),
        model: agent.model.clone(),
        wall_ms: agent.wall_ms,
        idle_ms: (agent.idle_ms > 0).then_some(agent.idle_ms),
        role_text,
        resume,
    })
}

/// The side that the usual pair answers for; anyone else answers for their own.
fn usual_dimension(name: &str) -> &str {
    match name {
        "codex" => "backend",
        "gemini" => "frontend",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_directory_has_one_name() {
        let table = [
            (None, Some(("/w", "."))),
            (Some("."), Some(("/w", "."))),
            (Some("/w/"), Some(("/w", "."))),
            (Some("src"), Some(("/w/src", "src"))),
            (Some("src/"), Some(("/w/src", "src"))),
            (Some("./src"), Some(("/w/src", "src"))),
            (Some("/w/src//./a/"), Some(("/w/src/a", "src/a"))),
            (Some("../w/src"), None),
            (Some("src/../.."), None),
            (Some("/elsewhere"), None),
        ];
        for (asked, expected) in table {
            let found = directory(asked, Path::new("/w")).ok();
            let expected = expected.map(|(whole, cwd)| (whole.to_owned(), cwd.to_owned()));
            assert_eq!(found, expected, "{asked:?}");
        }
    }
}
