//! What a person asks of a turn, before settings have filled the gaps, and the start it becomes.
//! What is kept of it is complete, so no later change of a setting or file changes the turn.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use kernel::policy::Backing;
use kernel::turn::{
    CheckedOut, Checkpoints, Git, Limits, Mode, OnFailure, Planner, Profile, Risk, Start,
    VerificationPolicy, VerifyMode, split,
};
use serde::{Deserialize, Serialize};

use super::{gate, store};
use crate::agents::config::AgentConfig;
use crate::agents::schema;
use crate::checks::Sources;
use crate::config::{self, Settings, TurnCheckpoint, TurnGit, TurnOnFailure};
use crate::form::{self, Unfit, invalid, known, word};
use crate::plan_file::{self, PlanFileError};
use crate::policy::{Flow, Judge};
use crate::tree;
use crate::words::Lang;

/// Planners that are no agents.
const FILE: &str = "file";
pub(super) const DIRECT: &str = "direct";

/// A request; what is not said is taken from the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(missing_docs, reason = "the names are the command's own")]
pub struct Form {
    pub request: String,
    pub constraints: Vec<String>,
    pub expected_output: Option<String>,
    /// `write`, `analysis` or `plan`.
    pub mode: Option<String>,
    /// A plan file, absolute or relative to the root.
    pub plan: Option<PathBuf>,
    /// JSON Schema of an answer, as text.
    pub answer_schema: Option<String>,
    /// `low`, `medium` or `high`.
    pub risk_max: Option<String>,
    /// An agent, `file` or `direct`.
    pub planner: Option<String>,
    pub agents: Option<Vec<String>>,
    /// Command lines of checks.
    pub verify: Vec<String>,
    /// `none`, `lint`, `test`, `build` or `custom`.
    pub verify_mode: Option<String>,
    pub fixes: Option<u32>,
    pub replans: Option<u32>,
    pub deadline_ms: Option<u64>,
    pub budget_micros: Option<u64>,
    pub budget_tokens: Option<u64>,
    /// `off`, `message` or `commit`.
    pub git: Option<String>,
    /// `stop` or `continue`.
    pub on_failure: Option<String>,
    /// `turn`, `step` or `off`.
    pub checkpoint: Option<String>,
    pub conversation: Option<String>,
    /// A turn that is over, to go on from.
    pub continues: Option<String>,
    pub lang: Option<String>,
}

/// What a start is made in.
#[derive(Clone, Debug)]
pub struct Around {
    /// `[turn]`
    pub settings: config::Turn,
    /// `verify.timeout`
    pub verify_ms: u64,
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
    /// Who judges what an agent may do here.
    pub judge: Judge,
}

/// Names that a start is given.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the names are the start's own")]
pub struct Named<'a> {
    pub id: &'a str,
    pub trace_id: &'a str,
    pub session_id: &'a str,
}

/// Why a request can't become a start.
#[derive(Debug)]
pub enum FormError {
    /// A word of it does not fit.
    Unfit(Unfit),
    /// A plan file that can't be used.
    Plan(PlanFileError),
    /// The copy of the plan file can't be kept.
    Io(io::Error),
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
            settings: settings.turn.clone(),
            verify_ms: settings.verify.timeout_ms,
            checks: Sources::of(settings),
            agents: settings.agents.clone(),
            root: root.to_owned(),
            loop_dir: loop_dir.to_owned(),
            lang,
            judge,
        }
    }

    /// Limits of the settings.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let (turn, most) =
            (&self.settings, |number: u64| u32::try_from(number).unwrap_or(u32::MAX));
        Limits {
            fixes: most(turn.fixes),
            replans: most(turn.replans),
            revisions: most(turn.revisions),
            steps: most(turn.steps),
            step_calls: most(turn.step_calls),
            calls: most(turn.calls),
            clarify_rounds: most(turn.clarify_rounds),
            active_ms: turn.deadline_ms,
            question_expiry_ms: turn.question_expiry_ms,
            budget_tokens: turn.budget_tokens,
            budget_micros: turn.budget_micros,
            intake_ms: turn.timeout.intake_ms,
            context_ms: turn.timeout.context_ms,
            plan_ms: turn.timeout.plan_ms,
            step_ms: turn.timeout.step_ms,
            verify_ms: self.verify_ms,
            summary_ms: turn.timeout.summary_ms,
            change: None,
            confine: Vec::new(),
            checks_ms: BTreeMap::new(),
        }
    }
}

/// Makes the start of a request by a person. A plan file is read, checked for its form and copied.
///
/// # Errors
/// What does not fit.
pub fn start(form: Form, named: Named<'_>, around: &Around) -> Result<Start, FormError> {
    let lang = form::lang(form.lang.as_deref(), around.lang)?;
    let agents = form.agents.clone().unwrap_or_else(|| around.settings.agents.clone());
    known(&agents, &around.agents)?;
    let planner = planner(&form, &agents, around)?;
    let answer_schema = form.answer_schema.as_deref().map(|text| {
        schema::valid_schema(text)
            .map(schema::Canonical::into_text)
            .map_err(|why| invalid("answer_schema", &why.to_string(), "a JSON Schema"))
    });
    let settings = &around.settings;
    let mode = word("mode", form.mode.as_deref().unwrap_or("write"), &MODES)?;
    let git = word("git", form.git.as_deref().unwrap_or(settings.git.word()), &GIT)?;
    let kept = form.checkpoint.as_deref().unwrap_or(settings.checkpoint.word());
    let on_failure = form.on_failure.as_deref().unwrap_or(settings.on_failure.word());
    let limits = limits(&form, around)?;
    let verification = verification(&form)?;
    let risk_max =
        form.risk_max.as_deref().map(|risk| word("risk_max", risk, &RISKS)).transpose()?;
    let agent_step = gate::agent_step(&agents, &around.judge, &Flow::default(), Backing::None);
    Ok(Start {
        id: named.id.to_owned(),
        parent: None,
        trace_id: named.trace_id.to_owned(),
        session_id: named.session_id.to_owned(),
        conversation_id: form.conversation,
        continues: form.continues,
        request: form.request,
        constraints: form.constraints,
        expected_output: form.expected_output,
        mode,
        planner,
        answer_schema: answer_schema.transpose()?,
        agents,
        risk_max,
        verification,
        detected: gate::detected(&around.root, &around.checks),
        profile: Profile::Person,
        limits,
        agent_step,
        // Who speaks is the engine's to say.
        backing: Backing::None,
        git,
        checkpoints: word("checkpoint", kept, &KEPT)?,
        on_failure: word("on_failure", on_failure, &ON_FAILURE)?,
        lang: lang.to_string(),
        head: checked_out(&around.root),
        covers: Vec::new(),
    })
}

/// The session of a run that nobody's session asked for: one of its own.
#[must_use]
pub fn session_of(run: &str) -> String {
    format!("s-{}", run.split_once('-').map_or(run, |(_, id)| id))
}

/// What a repository has checked out now.
#[must_use]
pub fn checked_out(root: &Path) -> CheckedOut {
    let tree::Head { commit, branch } = tree::head(root);
    CheckedOut { commit, branch }
}

const MODES: [(&str, Mode); 3] =
    [("write", Mode::Write), ("analysis", Mode::Analysis), ("plan", Mode::Plan)];
const RISKS: [(&str, Risk); 3] =
    [("low", Risk::Low), ("medium", Risk::Medium), ("high", Risk::High)];
const GIT: [(&str, Git); 3] = [
    (TurnGit::Off.word(), Git::Off),
    (TurnGit::Message.word(), Git::Message),
    (TurnGit::Commit.word(), Git::Commit),
];
const KEPT: [(&str, Checkpoints); 3] = [
    (TurnCheckpoint::Turn.word(), Checkpoints::Turn),
    (TurnCheckpoint::Step.word(), Checkpoints::Step),
    (TurnCheckpoint::Off.word(), Checkpoints::Off),
];
const ON_FAILURE: [(&str, OnFailure); 2] = [
    (TurnOnFailure::Stop.word(), OnFailure::Stop),
    (TurnOnFailure::Continue.word(), OnFailure::Continue),
];
const VERIFY: [(&str, VerifyMode); 5] = [
    ("none", VerifyMode::None),
    ("lint", VerifyMode::Lint),
    ("test", VerifyMode::Test),
    ("build", VerifyMode::Build),
    ("custom", VerifyMode::Custom),
];

/// Who plans: the file that is given, else whoever is named, else the first of those who work. The
/// others of these are who a planner falls back to.
fn planner(form: &Form, agents: &[String], around: &Around) -> Result<Planner, FormError> {
    let named = form.planner.as_deref();
    if let Some(path) = &form.plan {
        if named.is_some_and(|name| name != FILE) {
            return Err(
                invalid("planner", named.unwrap_or(""), "file, where a plan is given").into()
            );
        }
        let file = plan_file::load(&around.root.join(path)).map_err(FormError::Plan)?;
        let sha256 = store::keep(&around.loop_dir, &file.copy).map_err(FormError::Io)?;
        return Ok(Planner::File { sha256 });
    }
    match named.or(around.settings.planner.as_deref()) {
        Some(FILE) if named.is_some() => {
            Err(invalid("planner", FILE, "a plan file with it").into())
        }
        Some(DIRECT) => Ok(Planner::Direct),
        None | Some(FILE) => Ok(Planner::Agents(agents.to_vec())),
        Some(name) => {
            let mut all = vec![name.to_owned()];
            known(&all, &around.agents)?;
            all.extend(agents.iter().filter(|one| *one != name).cloned());
            Ok(Planner::Agents(all))
        }
    }
}

fn limits(form: &Form, around: &Around) -> Result<Limits, FormError> {
    let mut limits = around.limits();
    for (field, asked, kept) in
        [("fixes", form.fixes, &mut limits.fixes), ("replans", form.replans, &mut limits.replans)]
    {
        let most = kernel::turn::TRIES_CEILING;
        if asked.is_some_and(|asked| asked > most) {
            let expected = format!("0..{most}");
            return Err(invalid(field, &asked.unwrap_or(0).to_string(), &expected).into());
        }
        *kept = asked.unwrap_or(*kept);
    }
    limits.active_ms = form.deadline_ms.unwrap_or(limits.active_ms);
    limits.budget_micros = form.budget_micros.or(limits.budget_micros);
    limits.budget_tokens = form.budget_tokens.or(limits.budget_tokens);
    Ok(limits)
}

/// Checks that win over the plan's; none where nothing was said of them.
fn verification(form: &Form) -> Result<Option<VerificationPolicy>, FormError> {
    for line in &form.verify {
        split(line).map_err(|why| {
            invalid("verify", line, &format!("one program and its words, without {}", why.word()))
        })?;
    }
    let said = form.verify_mode.as_deref().map(|mode| word("verify_mode", mode, &VERIFY));
    let commands = form.verify.clone();
    Ok(match (said.transpose()?, commands.is_empty()) {
        (None, true) => None,
        (Some(VerifyMode::None), true) => Some(VerificationPolicy::none()),
        (Some(VerifyMode::None), false) => {
            return Err(invalid("verify_mode", "none", "lint, test, build, custom").into());
        }
        (Some(VerifyMode::Custom), true) => {
            return Err(invalid("verify_mode", "custom", "a command with it").into());
        }
        (mode, _) => {
            let mode = mode.unwrap_or(VerifyMode::Custom);
            Some(VerificationPolicy { mode, commands, required: true, stop_on_fail: true })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{File, Layers, resolve};
    use crate::policy::Standing;

    /// What is named, and what is wrong with the form.
    type Case = (&'static str, fn(&mut Form));

    const NAMED: Named<'_> = Named { id: "turn-1", trace_id: "trace_1", session_id: "s-1" };

    fn around(root: &Path, text: &str) -> Around {
        let workspace = Some(File { name: "w", text });
        let settings = resolve(&Layers { workspace, ..Layers::default() }).unwrap().settings;
        let judge = Judge::fixed(Standing::unknown(root, Path::new("/home/nobody")));
        Around::of(&settings, (root, &root.join(".loop")), judge, Lang::En)
    }

    #[test]
    fn settings_fill_the_gaps_and_the_form_wins() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("Cargo.toml"), "[package]\n").unwrap();
        let text = "[turn]\nagents = [\"codex\", \"claude\"]\nplanner = \"claude\"\nfixes = 1\n\
            budget_usd = 3\ngit = \"off\"\n[verify]\ntimeout = \"7s\"\n";
        let around = around(dir.path(), text);
        let form = Form { request: "Add a flag".into(), ..Form::default() };
        let made = start(form, NAMED, &around).unwrap();
        assert_eq!(made.planner, Planner::Agents(vec!["claude".into(), "codex".into()]));
        assert_eq!((made.limits.fixes, made.limits.replans, made.git), (1, 2, Git::Off));
        assert_eq!((made.limits.budget_micros, made.limits.verify_ms), (Some(3_000_000), 7_000));
        let found: Vec<&str> = made.detected.iter().map(|one| one.command.as_str()).collect();
        assert_eq!(found, ["cargo check --workspace --all-targets", "cargo test --workspace"]);
        assert_eq!((made.verification, made.mode), (None, Mode::Write));
        let form = Form {
            request: "Add a flag".into(),
            planner: Some("direct".into()),
            agents: Some(vec!["gemini".into()]),
            verify: vec!["npm run lint".into()],
            verify_mode: Some("lint".into()),
            fixes: Some(0),
            git: Some("commit".into()),
            risk_max: Some("medium".into()),
            ..Form::default()
        };
        let made = start(form, NAMED, &around).unwrap();
        assert_eq!((made.planner, made.agents), (Planner::Direct, vec!["gemini".to_owned()]));
        assert_eq!((made.limits.fixes, made.git), (0, Git::Commit));
        let checks = made.verification.unwrap();
        assert_eq!((checks.mode, checks.required), (VerifyMode::Lint, true));
    }

    #[test]
    fn a_session_is_named_after_its_run() {
        for (run, session) in [("turn-01JC", "s-01JC"), ("loop-v2-1", "s-v2-1"), ("x", "s-x")] {
            assert_eq!(session_of(run), session);
        }
    }

    #[test]
    fn a_plan_file_is_copied_at_its_hash() {
        let dir = tempfile::tempdir().unwrap();
        let plan = "goal = \"g\"\n[[steps]]\ntitle = \"t\"\ntool_calls = [{ name = \"read\", \
            args_hint = { path = \"a\" } }]\n";
        std::fs::write(dir.path().join("plan.toml"), plan).unwrap();
        let around = around(dir.path(), "");
        let form = Form { plan: Some("plan.toml".into()), ..Form::default() };
        let made = start(form, NAMED, &around).unwrap();
        let Planner::File { sha256 } = made.planner else { panic!("{:?}", made.planner) };
        std::fs::write(dir.path().join("plan.toml"), "goal = 7").unwrap();
        let copy = store::load(&around.loop_dir, &sha256).unwrap();
        assert!(plan_file::read_copy(&copy, &sha256).is_some());
        let form = Form { plan: Some("plan.toml".into()), ..Form::default() };
        let Err(FormError::Plan(why)) = start(form, NAMED, &around) else { panic!("read") };
        assert_eq!(why.problem.word(), "schema");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let around = around(dir.path(), "");
        let with = |change: fn(&mut Form)| {
            let mut form = Form { request: "x".into(), ..Form::default() };
            change(&mut form);
            match start(form, NAMED, &around) {
                Err(FormError::Unfit(Unfit::Invalid { field, .. })) => field,
                Err(FormError::Unfit(Unfit::NoSuchAgent { .. })) => "no agent",
                Err(FormError::Plan(_)) => "plan file",
                Err(FormError::Io(_)) => "io",
                Ok(_) => "fits",
            }
        };
        let table: [Case; 11] = [
            ("mode", |f| f.mode = Some("rush".into())),
            ("risk_max", |f| f.risk_max = Some("none".into())),
            ("verify", |f| f.verify = vec!["npm test; rm -rf /".into()]),
            ("verify_mode", |f| f.verify_mode = Some("custom".into())),
            ("fixes", |f| f.fixes = Some(11)),
            ("git", |f| f.git = Some("branch".into())),
            ("planner", |f| f.planner = Some("file".into())),
            ("answer_schema", |f| f.answer_schema = Some("{".into())),
            ("no agent", |f| f.agents = Some(vec!["nobody".into()])),
            ("plan file", |f| f.plan = Some("gone.toml".into())),
            ("fits", |f| f.verify = vec!["npm run lint".into()]),
        ];
        for (expected, change) in table {
            assert_eq!(with(change), expected);
        }
    }
}
