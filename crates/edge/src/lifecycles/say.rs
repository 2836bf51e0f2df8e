//! What is said to a lifecycle, bound to what it shows now. Whether it is possible is the machine's
//! to say.

use kernel::errors::Machine;
use kernel::lifecycle::document::{WORDS, status_word};
use kernel::lifecycle::{Budget, DERIVED, Life, Phase, Scope};
use kernel::machine::At;
use kernel::rollback::Conflicts;
use runtime::engine::Ids as _;
use runtime::ids::RandomIds;
use runtime::lifecycles::Form;
use runtime::query;
use runtime::words::Lang;
use serde_json::{Value, json};

use super::amend::amending;
use super::read::Seen;
use crate::asked::CONFIRM;
use crate::door::{Ask, LifecycleSay};
use crate::loops::Fields;
use crate::problem::{Place, Raised};
use crate::site::{Visit, refused};

/// A requirement, from the fields of a request. Documents and packages are the workspace's own.
///
/// # Errors
/// The field that cannot be taken.
pub fn starting(lang: Lang, mut fields: Fields) -> Result<LifecycleSay, Raised> {
    let (prd, package) = (fields.inside("prd")?, fields.inside("package")?);
    let form: Form = fields.form()?;
    let lang = form.lang.clone().or_else(|| Some(lang.tag().to_owned()));
    Ok(LifecycleSay::Start { form: Box::new(Form { prd, package, lang, ..form }) })
}

/// Begins a run and answers its id.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn start(visit: &Visit<'_>, say: LifecycleSay) -> Result<String, Raised> {
    let mut desk = visit.open()?;
    let id = RandomIds.new_id("lc-", runtime::clock::Clock::start(At(0)).now());
    let ask = Ask::Lifecycle { run: id.clone(), trace: desk.trace(), say };
    // A run that was refused was never made, so it is no place to look at.
    desk.take(&ask).map_err(|raised| raised.at(Place::default()))?;
    Ok(id)
}

/// Says it to a run; with `at` only if it has recorded nothing since. Answers its last record.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn said(
    visit: &Visit<'_>,
    (run, at): (&str, Option<u64>),
    say: LifecycleSay,
) -> Result<u64, Raised> {
    let mut desk = if say.widens() { visit.open()? } else { visit.steer()? };
    let ask = Ask::Lifecycle { run: run.to_owned(), trace: desk.trace(), say };
    let ask = match at {
        None => ask,
        Some(seq) => Ask::At { seq, ask: Box::new(ask) },
    };
    let taken = desk.take(&ask)?;
    Ok(taken.last().map(|taken| taken.seq).unwrap_or_default())
}

/// A yes to exactly the plan that is shown; to the question and the hash that were seen, where they
/// are named.
#[must_use]
pub fn confirming(
    seen: &Seen,
    (question, hash): (Option<String>, Option<String>),
    scope: Scope,
) -> LifecycleSay {
    let open = query::of_run(&seen.known.head.run, &seen.folded.state);
    let shown = open.iter().find(|open| open.question.kind == CONFIRM);
    let now = shown.map(|open| open.slot.clone()).unwrap_or_default();
    let known = shown.and_then(|open| open.question.hash.clone()).unwrap_or_default();
    let (question, hash) = (question.unwrap_or(now), hash.unwrap_or(known));
    LifecycleSay::Confirm { question, hash, scope }
}

/// The command that ends a run in its state.
fn cancelling(seen: &Seen) -> LifecycleSay {
    let works = |life: &Life| match &life.phase {
        Phase::Executing(_) | Phase::AutoFix(_) | Phase::Blocked(_) => true,
        Phase::Idle(_) | Phase::Planning(_) | Phase::Confirming(_) | Phase::Archiving(_) => false,
    };
    match works(&seen.life) {
        true => LifecycleSay::Abort { reason: None },
        false => LifecycleSay::Cancel,
    }
}

/// What a command says, by the machine's name for it or the command line's.
///
/// # Errors
/// An unknown command, or an argument that cannot be taken.
pub fn command(seen: &Seen, name: &str, mut args: Fields) -> Result<LifecycleSay, Raised> {
    let say = match name {
        "confirm" | "USER_CONFIRM" => {
            let shown = (args.text("question")?, hash(&mut args)?);
            let scope = match args.word("scope", &["plan", "session"])? {
                None | Some("plan") => Scope::Plan,
                Some(_) => Scope::Session,
            };
            confirming(seen, shown, scope)
        }
        "modify" | "USER_MODIFY" => LifecycleSay::Modify { text: args.must("text")? },
        "amend" | "AMEND" => {
            let patch = amending("args", args.rest())?;
            return Ok(LifecycleSay::Amend { patch: Box::new(patch) });
        }
        "retry-plan" | "RETRY_PLAN" => LifecycleSay::RetryPlan,
        "cancel" => cancelling(seen),
        "USER_CANCEL" => LifecycleSay::Cancel,
        "abort" | "USER_ABORT" => LifecycleSay::Abort { reason: args.text("reason")? },
        "pause" | "PAUSE" => LifecycleSay::Pause { now: args.yes("now")? },
        "resume" | "RESUME" => LifecycleSay::Resume,
        "stop-fix" | "FORCE_STOP" => LifecycleSay::StopFix,
        "fix" | "HUMAN_INTERVENTION" => fixing(&mut args)?,
        "skip" | "SKIP_TASK" => {
            let run = args.word("dependants", &["skip", "run"])? == Some("run");
            LifecycleSay::Skip { run_dependants: args.yes("run_dependants")? || run }
        }
        "rollback" | "ROLLBACK" => LifecycleSay::Rollback {
            to: args.text("to")?,
            plan_hash: args.text("plan_hash")?,
            conflicts: match args.word("conflicts", &["aside", "keep"])? {
                None | Some("aside") => Conflicts::Aside,
                Some(_) => Conflicts::Keep,
            },
        },
        "ROLLBACK_CONFIRM" => LifecycleSay::RollbackConfirm {
            question: args.must("question")?,
            hash: hash(&mut args)?.ok_or_else(|| args.bad("plan_hash", &Value::Null, "string"))?,
            go: args.yes("go")?,
        },
        "reopen" => update(args.must("task")?, "PENDING", None)?,
        "update_progress" => return updating(args).map(|claim| claim.say),
        // Of a run that is there already: its machine says why not.
        "USER_INPUT_REQUIREMENT" => {
            return Ok(LifecycleSay::Start { form: Box::new(args.form()?) });
        }
        other => return Err(none(seen, other)),
    };
    args.done()?;
    Ok(say)
}

/// Why a name can't be said: it only follows from evidence, or it is none at all.
fn none(seen: &Seen, name: &str) -> Raised {
    let (word, allowed) = match DERIVED.contains(&name) {
        true => ("derived", Some(seen.view.allowed.iter().map(ToString::to_string).collect())),
        false => ("unknown_command", None),
    };
    let details = json!({ "command": name, "state": seen.view.task_status });
    Raised { allowed, ..refused(Machine::Lifecycle, word, details) }
}

/// The hash of what was shown, by the page's name for it or in short.
fn hash(args: &mut Fields) -> Result<Option<String>, Raised> {
    let (long, short) = (args.text("plan_hash")?, args.text("hash")?);
    Ok(long.or(short))
}

/// Advice, or that it is fixed, and what may be spent besides.
fn fixing(args: &mut Fields) -> Result<LifecycleSay, Raised> {
    let text = args.text("text")?;
    let kind = args.word("kind", &["guidance", "fixed"])?;
    let fixed = args.yes("fixed")? || kind == Some("fixed");
    if fixed == text.is_some() {
        return Err(args.bad("text", &Value::Null, "text, or fixed"));
    }
    let (turns, wall) = (args.whole("add_turns")?, args.ms("add_wall")?);
    let cost = args.text("add_cost_usd")?;
    let micros = |text: String| match runtime::config::micros(&text) {
        Some(micros) => Ok(micros),
        None => Err(args.bad("add_cost_usd", &Value::String(text), "\"2.50\"")),
    };
    let add_budget = added(turns, wall, cost.map(micros).transpose()?);
    let accept_definition = args.text("accept_definition")?;
    Ok(LifecycleSay::Fix { text, add_budget, accept_definition })
}

/// What may be spent besides; nothing where nothing is named.
#[must_use]
pub fn added(turns: Option<u32>, wall: Option<u64>, cost_micros: Option<u64>) -> Option<Budget> {
    let more = turns.is_some() || wall.is_some() || cost_micros.is_some();
    let (turns, wall_ms) = (turns.unwrap_or(0), wall.unwrap_or(0));
    more.then_some(Budget { turns, wall_ms, cost_micros })
}

/// How a task stands: a claim, which the engine checks.
///
/// # Errors
/// A word that is no status.
pub fn update(task: String, status: &str, summary: Option<String>) -> Result<LifecycleSay, Raised> {
    let Some(status) = status_word(status).filter(|_| !status.trim().is_empty()) else {
        return Err(crate::site::bad_value("STATUS", status, &WORDS));
    };
    Ok(LifecycleSay::Update { task, status, summary })
}

/// A claim that was taken.
pub struct Updated {
    /// The task.
    pub task: String,
    /// What is said.
    pub say: LifecycleSay,
}

/// A claim from the fields of a request.
///
/// # Errors
/// The field that cannot be taken.
pub fn updating(mut fields: Fields) -> Result<Updated, Raised> {
    let named = fields.text("task_id")?;
    let task = named.map_or_else(|| fields.must("task"), Ok)?;
    let status = fields.must("status")?;
    let summary = fields.text("summary")?;
    fields.done()?;
    Ok(Updated { say: update(task.clone(), &status, summary)?, task })
}

impl Updated {
    /// Says it, and answers how the task stands then.
    ///
    /// # Errors
    /// The refusal, or that no engine answers.
    pub fn say(self, visit: &Visit<'_>, run: &str) -> Result<Value, Raised> {
        let seq = said(visit, (run, None), self.say)?;
        let now = Seen::of(visit.site, run)?;
        let task = now.view.tasks.iter().find(|task| task.task.spec.id == self.task);
        let state = task.map(|task| task.task.status.said());
        Ok(json!({ "seq": seq, "task": self.task, "state": state }))
    }
}
