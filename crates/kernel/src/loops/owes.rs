//! What the world still owes a loop: its leg's child, its question, its timers, the removal of its
//! files. Effects hang on states, so stopping something is no more than not owing it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::again::{Again, again, narrowed};
use super::inquiry::{self, ANALYZE_SCHEMA, EXPLORE_SCHEMA};
use super::people::{MENU_KEYS, PAUSED_KEYS, unverified_keys};
use super::phase::{self, Action, Leg, PauseReason, Paused, Phase, Subject};
use super::problem::problem;
use super::prompt::{self, BREAKDOWN_SCHEMA};
use super::state::{Body, Course, Files, Life, State, Work};
use super::steer;
use super::task::{Run, Task, TaskMode};
use super::validation::Check;
use crate::agent::{Access, Ask, Part, Talk, Tools};
use crate::call::{Class, Foreign, OnUnknown, Request};
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};
use crate::policy::Granted;
use crate::turn::{Profile, Wish};

/// The one slot of a deleted loop.
pub const DEL_SLOT: &str = "del";
/// What changes files for a loop, as failures name it.
pub const TURN: &str = "turn";
/// The kind of a leg that was not begun because another branch is checked out; its detail begins
/// with it.
pub const BRANCH_CHANGED: &str = "branch_changed";
/// The file in a call's own directory that instrumented code appends to.
pub const DEBUG_LOG: &str = "debug.log";
/// Version of the tools that a loop asks for.
const TOOL_VERSION: &str = "1.0.0";

/// Slot of a lease's timer.
pub(super) fn lease_slot(n: u32) -> String {
    format!("lease/{n}")
}

/// Slot of the timer that resumes after a rate limit.
pub(super) fn reset_slot(n: u32) -> String {
    format!("reset/{n}")
}

/// What the world still owes.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    match state {
        State::New | State::Deleted { files: Files::Removed, .. } => vec![],
        State::Deleted { files: Files::Left, .. } => {
            vec![Owed::Effect { slot: DEL_SLOT.into(), effect: Effect::RemoveViews }]
        }
        State::Alive(life) => of_life(life),
    }
}

fn of_life(life: &Life) -> Vec<Owed> {
    match &life.phase {
        Phase::Created | Phase::Completed { .. } | Phase::Failed { .. } => vec![],
        Phase::Acting(action) => leg(&life.body, action, Posture::Run).into_iter().collect(),
        Phase::Choosing { q } => vec![menu(&life.body, *q)],
        Phase::Lent { n, lease_until, .. } => {
            vec![Owed::Timer { slot: lease_slot(*n), due: *lease_until }]
        }
        Phase::Paused(paused) => of_pause(&life.body, paused),
    }
}

/// A held child may finish; one that is cut is no longer owed, and so is stopped. A child that was
/// ordered before the pause and not told of yet is held too: posture hold starts nothing, so a leg
/// that was never ordered stays unordered.
fn of_pause(body: &Body, paused: &Paused) -> Vec<Owed> {
    let mut all = Vec::new();
    if let Some(held) = paused.held.as_ref().filter(|held| !held.cut)
        && held.action.leg() != Some(&Leg::Seal)
    {
        all.extend(leg(body, &held.action, Posture::Hold));
    }
    if let Some(q) = paused.open() {
        all.push(if paused.reason == PauseReason::Unverified {
            unverified(body, q)
        } else {
            stands_still(paused, q)
        });
    }
    if let Some(reset) = paused.reset
        && let Some(n) = reset.wake
    {
        all.push(Owed::Timer { slot: reset_slot(n), due: reset.at });
    }
    all
}

fn leg(body: &Body, action: &Action, posture: Posture) -> Option<Owed> {
    let leg = action.leg()?;
    let slot = action.slot(leg);
    if *leg == Leg::Seal {
        return Some(Owed::Effect { slot, effect: Effect::Seal });
    }
    let ask = match (leg, turn(body, action, leg)) {
        (Leg::Restore, _) => {
            let run = body.work()?.debug.restore_owed.clone()?;
            ChildAsk::TakeBack { run, foreign: Foreign::Keep }
        }
        (_, Some(wish)) => ChildAsk::NewTurn(Box::new(wish)),
        (_, None) => ChildAsk::Call(Box::new(request(body, action, leg)?)),
    };
    let begun = match action.child {
        Some(_) => Begun::Told,
        None => Begun::NotYet,
    };
    Some(Owed::Child { slot, ask, posture, begun })
}

/// The turn that changes files for a leg; none for a leg that changes none. Attempts and checks
/// are the loop's own.
fn turn(body: &Body, action: &Action, leg: &Leg) -> Option<Wish> {
    let settings = &body.course()?.settings;
    let (tool, limit_ms, words) = match (leg, &action.subject) {
        (Leg::Work, Subject::Task { id }) => {
            let task = body.task(id).filter(|task| writes(task))?;
            let words = prompt::work(body, task, &settings.lang);
            (&task.tool, settings.develop_timeout_ms, words)
        }
        (Leg::Instrument, _) => {
            let words = inquiry::instrument(body, action, &settings.lang);
            (&settings.default_tool, settings.debug_timeout_ms, words)
        }
        (
            Leg::Work
            | Leg::Breakdown
            | Leg::Explore
            | Leg::Reproduce
            | Leg::Analyze
            | Leg::Restore
            | Leg::Check(_)
            | Leg::Seal,
            _,
        ) => return None,
    };
    Some(Wish {
        agents: vec![tool.clone()],
        step_ms: Some(limit_ms),
        lang: Some(settings.lang.clone()),
        ..Wish::new(Profile::Loop, words)
    })
}

/// Whether an agent does the task and changes files for it.
fn writes(task: &Task) -> bool {
    match (&task.run, task.tool.as_str(), task.mode) {
        (Some(_), "bash", _) | (_, _, TaskMode::Analysis | TaskMode::Review) => false,
        (_, _, TaskMode::Write) => true,
    }
}

/// What the leg's child is asked to do.
fn request(body: &Body, action: &Action, leg: &Leg) -> Option<Request> {
    let course = body.course()?;
    let settings = &course.settings;
    Some(match leg {
        Leg::Work => match &action.subject {
            Subject::Task { id } => work(body, course, body.task(id)?),
            Subject::Loop | Subject::Problem { .. } => return None,
        },
        Leg::Check(k) => {
            let index = usize::try_from(*k).ok()?.checked_sub(1)?;
            check(course, course.checks.get(index)?)
        }
        Leg::Reproduce => {
            let timeout_ms = settings.debug_timeout_ms;
            let bare = match again(body, &action.subject)? {
                Again::Task(command) => run(course, words(command), timeout_ms),
                Again::Check { check, argv } => {
                    Request { cwd: check.cwd.clone(), ..run(course, argv, timeout_ms) }
                }
            };
            Request { collect: vec![DEBUG_LOG.into()], ..bare }
        }
        Leg::Breakdown | Leg::Explore | Leg::Analyze => inquiry(body, course, action, leg),
        Leg::Instrument | Leg::Restore | Leg::Seal => return None,
    })
}

/// A command, or an agent that only reads: what changes files is a turn's.
fn work(body: &Body, course: &Course, task: &Task) -> Request {
    match (&task.run, task.tool.as_str()) {
        (Some(command), "bash") => run(course, words(command), course.settings.develop_timeout_ms),
        (_, tool) => {
            let prompt = prompt::analysis(body, task, &course.settings.lang);
            agent(course, tool, |_| Said { prompt, resume: None, schema: None })
        }
    }
}

/// Asks the default agent for a value of the leg's form, or once more for one.
fn inquiry(body: &Body, course: &Course, action: &Action, leg: &Leg) -> Request {
    let lang = course.settings.lang.as_str();
    let (first, schema, limit) = match leg {
        Leg::Explore => (inquiry::explore(body, action, lang), EXPLORE_SCHEMA, Limit::Debug),
        Leg::Analyze => (inquiry::analyze(body, action, lang), ANALYZE_SCHEMA, Limit::Debug),
        Leg::Breakdown
        | Leg::Work
        | Leg::Instrument
        | Leg::Reproduce
        | Leg::Restore
        | Leg::Check(_)
        | Leg::Seal => (prompt::breakdown(body, lang), BREAKDOWN_SCHEMA, Limit::Develop),
    };
    let request = agent(course, &course.settings.default_tool, |talk| {
        let (resume, prompt) = match &action.bad {
            Some(bad) if action.reask > 0 => prompt::correction((bad, schema), talk, first, lang),
            Some(_) | None => (None, first),
        };
        Said { prompt, resume, schema: Some(schema) }
    });
    match limit {
        Limit::Debug => Request { deadline_ms: course.settings.debug_timeout_ms, ..request },
        Limit::Develop => request,
    }
}

/// Whose time a question takes.
enum Limit {
    Develop,
    Debug,
}

fn words(command: &Run) -> Vec<String> {
    match command {
        Run::Argv(argv) => argv.clone(),
        Run::Script(text) => vec!["sh".into(), "-c".into(), text.clone()],
    }
}

fn check(course: &Course, check: &Check) -> Request {
    Request {
        cwd: check.cwd.clone(),
        collect: check.collect.clone(),
        ..run(course, check.argv.clone(), check.timeout_ms)
    }
}

fn run(course: &Course, argv: Vec<String>, deadline_ms: u64) -> Request {
    ask(course, "run", argv, deadline_ms)
}

/// What an agent is told.
struct Said {
    prompt: Vec<Part>,
    resume: Option<String>,
    schema: Option<&'static str>,
}

/// A launch that only reads. An agent that is not there stays a bare name, which is refused as
/// missing.
fn agent(course: &Course, tool: &str, say: impl FnOnce(Talk) -> Said) -> Request {
    let settings = &course.settings;
    let known = settings.agents.iter().find(|agent| agent.name == tool);
    let asked = known.map(|known| {
        let said = say(known.kind.talks(known.talk));
        Box::new(Ask {
            agent: known.name.clone(),
            kind: known.kind,
            talk: known.talk,
            access: Access::Read,
            model: known.model.clone(),
            resume: said.resume,
            prompt: said.prompt,
            schema: said.schema.map(String::from),
            lang: settings.lang.clone(),
            tools: Tools::Own,
        })
    });
    let bare = ask(course, "agent", vec![tool.into()], settings.develop_timeout_ms);
    Request { agent: asked, idle_ms: known.and_then(|known| known.idle_ms), ..bare }
}

fn ask(course: &Course, name: &str, argv: Vec<String>, deadline_ms: u64) -> Request {
    Request {
        name: name.into(),
        version: TOOL_VERSION.into(),
        argv,
        agent: None,
        args: None,
        cwd: ".".into(),
        env_names: vec![],
        collect: vec![],
        class: Class::Once,
        deadline_ms,
        idle_ms: None,
        grace_ms: course.settings.grace_ms,
        on_unknown: OnUnknown::Wait,
        given: None,
    }
}

fn menu(body: &Body, q: u32) -> Owed {
    let question = Question {
        kind: "loop.menu".into(),
        about: problem(body).map_or_else(|| body.title.clone(), |found| found.text),
        options: MENU_KEYS.iter().map(|key| String::from(*key)).collect(),
        takes_text: true,
        hash: None,
    };
    Owed::Question { slot: format!("q{q}"), question }
}

fn stands_still(paused: &Paused, q: u32) -> Owed {
    let word = paused.reason.word();
    let detail = [paused.code.as_deref().unwrap_or_default(), &paused.detail];
    let detail = detail.into_iter().filter(|part| !part.is_empty());
    let question = Question {
        kind: "loop.paused".into(),
        about: [word].into_iter().chain(detail).collect::<Vec<_>>().join(": "),
        options: PAUSED_KEYS.map(String::from).to_vec(),
        takes_text: true,
        hash: None,
    };
    Owed::Question { slot: format!("q{q}"), question }
}

fn unverified(body: &Body, q: u32) -> Owed {
    let found = body.work().and_then(Work::fresh);
    let question = Question {
        kind: "loop.unverified".into(),
        about: found.map_or("not_run", |found| found.verdict.word()).into(),
        options: unverified_keys(body).into_iter().map(String::from).collect(),
        takes_text: true,
        hash: found.map(|found| found.accept_hash.clone()),
    };
    Owed::Question { slot: format!("q{q}"), question }
}

impl State {
    /// Exact commands that a person's word covers now: the checks that Start listed, and the tasks
    /// whose command nobody else has touched since a person granted it.
    #[must_use]
    pub fn grants(&self) -> Vec<Granted> {
        let Some(life) = self.life() else { return vec![] };
        let Some(course) = life.body.course() else { return vec![] };
        let checks = course.checks.iter().filter_map(|check| {
            course.grants.iter().find(|granted| granted.is_of(&check.argv, &check.cwd)).cloned()
        });
        let tasks =
            life.body.tasks.iter().filter(|task| task.granted).filter_map(|task| match &task.run {
                Some(Run::Argv(argv)) => {
                    Some(Granted { pin: task.pin.clone(), ..Granted::new(argv, ".") })
                }
                Some(Run::Script(_)) | None => None,
            });
        let debugging = life.phase.action().filter(|action| action.kind == phase::Kind::Debug);
        let again = debugging.and_then(|action| narrowed(&life.body, &action.subject));
        let mut all: Vec<Granted> = checks.chain(tasks).chain(again).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The commands that a Start with these checks would list, or with those it has, which an
    /// action under way keeps.
    #[must_use]
    pub fn lists(&self, checks: &[Check]) -> Vec<Granted> {
        let Some(life) = self.life() else { return vec![] };
        let held = life.body.course().map_or(&[][..], |course| &course.checks);
        steer::listed(life, checks.iter().chain(held))
    }

    /// What is in flight, in the seed's word.
    #[must_use]
    pub fn current_action(&self) -> Option<phase::Kind> {
        let action = self.life()?.phase.action();
        action.map(|action| action.kind)
    }
}
