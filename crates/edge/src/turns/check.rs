//! Whether a plan file holds, what policy says of it and how dangerous it is. Nothing is run and no
//! engine is needed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use kernel::errors::Class;
use kernel::machine::At;
use kernel::policy::{Verdict, Word};
use kernel::turn::{
    Decision, Detected, Judged, Made, Plan, PolicyDecision, Source, VerificationPolicy, VerifyMode,
    Warning, risk_of,
};
use runtime::plan_file::{self, PlanFileError};
use runtime::policy::{self, Flow, Judge};
use runtime::sandbox::{Walls, Wanted};
use runtime::turns::{Around, gate};
use runtime::words::Lang;
use serde_json::{Value, json};

use crate::agents::measuring_room;
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::{Site, class, env, io};

/// The id of a plan that no turn has yet.
const NO_TURN: &str = "plan-none";

/// What a plan is looked at with.
#[derive(Debug, Default)]
pub struct With {
    /// Who works, if it is not those of the settings.
    pub agents: Option<Vec<String>>,
    /// Checks that win over the plan's.
    pub given: Option<VerificationPolicy>,
}

impl With {
    /// The checks that a request names.
    #[must_use]
    pub fn checks(verify: &[String], mode: Option<&str>) -> Option<VerificationPolicy> {
        if verify.is_empty() {
            return mode.map(|_| VerificationPolicy::none());
        }
        Some(VerificationPolicy {
            mode: VerifyMode::Custom,
            commands: verify.to_vec(),
            required: true,
            stop_on_fail: true,
        })
    }
}

/// A plan that holds.
pub struct Checked {
    /// The plan.
    pub plan: Plan,
    /// What policy says of it.
    pub judged: Judged,
}

/// A plan file that holds, by the path under which the engine finds it.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn found(site: &Site, lang: Lang, path: &Path, with: &With) -> Result<PathBuf, Raised> {
    let path = std::path::absolute(path).map_err(|why| io("--plan", &why))?;
    plan_of(lang, &path, &around(site, lang)?, with)?;
    Ok(path)
}

/// What is wrong with a plan file.
#[must_use]
pub fn bad_plan(lang: Lang, why: &PlanFileError) -> Raised {
    class(Class::InvalidArgs, why.details(lang))
}

/// Looks at a plan file.
///
/// # Errors
/// The first thing that is wrong with it, by line.
pub fn checked(site: &Site, lang: Lang, file: &Path) -> Result<Checked, Raised> {
    let around = around(site, lang)?;
    let (mut plan, detected) = plan_of(lang, file, &around, &With::default())?;
    let agents = &around.settings.agents;
    let judged = gate::judged(&plan, agents, &around.judge, &Flow::default(), &around.root);
    // What a planner or a file says of it can only raise it.
    plan.risk_level = risk_of(&judged.reach, &detected).max(plan.risk_level);
    Ok(Checked { plan, judged })
}

/// The same from the fields of a request: a file of the workspace.
///
/// # Errors
/// The field that cannot be taken, or the first thing that is wrong with the plan.
pub fn checked_json(site: &Site, lang: Lang, mut fields: Fields) -> Result<Value, Raised> {
    let Some(file) = fields.inside("plan")? else {
        return Err(fields.bad("plan", &Value::Null, "a path in the workspace"));
    };
    fields.done()?;
    Ok(checked(site, lang, &site.root.path.join(file))?.data())
}

impl Checked {
    /// What programs read of it.
    #[must_use]
    pub fn data(&self) -> Value {
        json!({
            "valid": true,
            "gate": decision(&self.judged.verdict),
            "risk_level": self.plan.risk_level,
            "reach": self.judged.reach,
            "warnings": self.warnings(),
            "plan": self.plan,
        })
    }

    /// What people should know before they start it.
    #[must_use]
    pub fn warnings(&self) -> Vec<&'static str> {
        match self.plan.verification.mode {
            VerifyMode::None => vec![Warning::NotVerified.word()],
            VerifyMode::Lint | VerifyMode::Test | VerifyMode::Build | VerifyMode::Custom => {
                Vec::new()
            }
        }
    }
}

fn plan_of(
    lang: Lang,
    file: &Path,
    around: &Around,
    with: &With,
) -> Result<(Plan, Vec<Detected>), Raised> {
    let detected = gate::detected(&around.root, &around.checks);
    let agents = with.agents.as_ref().unwrap_or(&around.settings.agents);
    let made = Made {
        plan_id: NO_TURN.to_owned(),
        at: runtime::clock::Clock::start(At(0)).now(),
        source: Source::File,
        request: "",
        constraints: &[],
        given: with.given.as_ref(),
        detected: &detected,
        on_failure: kernel::turn::OnFailure::Stop,
    };
    let plan = plan_file::load(file)
        .and_then(|file| file.plan(&made, around.limits().steps, agents))
        .map_err(|why| bad_plan(lang, &why))?;
    Ok((plan, detected))
}

/// The workspace as an engine would find it.
fn around(site: &Site, lang: Lang) -> Result<Around, Raised> {
    let (root, places) = (site.root.clone(), site.places.clone());
    let settings = site.settings()?.settings;
    let exe = std::env::current_exe().map_err(|why| io("loopwright", &why))?;
    let room = measuring_room(site)?;
    let walls = Walls::measure(Wanted::of(&settings), &exe, &room, &places.cache);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let (top, state) = (root.path.clone(), root.path.join(".loop"));
    let look = policy::looking(root, places, env(), walls.standing());
    let judge = Judge::new(Arc::new(look), top.clone(), path);
    Ok(Around::of(&settings, (&top, &state), judge, lang))
}

/// The policy's answer on the wire.
fn decision(verdict: &Verdict) -> PolicyDecision {
    let decision = match verdict.word() {
        Word::Allow => Decision::Allow,
        Word::Ask => Decision::RequireConfirmation,
        Word::Deny => Decision::Deny,
    };
    PolicyDecision { decision, reason: None, scope: None, rule: Some(verdict.rule().to_owned()) }
}
