//! What the world still owes a session: looks, calls, its children, its questions, its deadlines.
//! Effects hang on states; what is no longer owed is stopped.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::json;

use super::acts::{Act, Ask};
use super::asked::Asked;
use super::event::Place;
use super::frames::{acts, chat_slot, of_chat, of_tool, tool_slot};
use super::job::{Found, Job, Phase, Step};
use super::prompt;
use super::rows;
use super::setup::Setup;
use super::stage::{Gather, Record, Stage, Tested};
use super::state::{Base, Flow, Frame, Life, Said, State, Unit};
use crate::agent::{Access, Ask as AgentAsk, Part, Tools};
use crate::call::{self, OnUnknown, Request};
use crate::loops::Check;
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};
use crate::turn::{Profile, Wish};

/// Slot of the deadline of a unit that is ending.
pub const ENDING: &str = "ending";

/// Slot of a question's deadline.
#[must_use]
pub fn expiry(question: &str) -> String {
    format!("{question}/expiry")
}

/// What a session started is taken back whole or not at all: its person is asked about the rest.
fn take_back(run: &str) -> ChildAsk {
    ChildAsk::TakeBack { run: run.to_string(), foreign: call::Foreign::Refuse }
}

/// What the world still owes.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    let State::Live(life) = state else { return Vec::new() };
    let mut all = match &life.unit {
        Unit::Ending { due, .. } => {
            return vec![Owed::Timer { slot: ENDING.into(), due: *due }];
        }
        Unit::At { base, frames } => of_unit(life, base, frames),
    };
    for q in life.questions() {
        all.push(Owed::Question { slot: q.id.clone(), question: question(q) });
        all.extend(q.expires_at.map(|due| Owed::Timer { slot: expiry(&q.id), due }));
    }
    all
}

fn question(q: &Asked) -> Question {
    Question {
        kind: format!("session.{}", q.kind.word()),
        about: q.about.to_string(),
        options: q.options.clone(),
        takes_text: true,
        hash: q.hash.clone(),
    }
}

fn of_unit(life: &Life, base: &Base, frames: &[Frame]) -> Vec<Owed> {
    let posture = if life.suspended() { Posture::Hold } else { Posture::Run };
    let mut all = Vec::new();
    match base {
        Base::Idle { .. } => {}
        Base::Flow { flow, stage } => all.extend(of_stage(flow, stage, posture)),
        Base::Job { job } => all.extend(of_job(job, posture)),
    }
    for frame in frames {
        match frame {
            Frame::Embedded { job, open: true } => all.extend(of_job(job, Posture::Run)),
            Frame::Tool(tool) => all.extend(of_tool(tool)),
            Frame::Chat(chat) => all.extend(of_chat(chat)),
            Frame::Embedded { open: false, .. }
            | Frame::Relating { .. }
            | Frame::Replacing { .. } => {}
        }
    }
    all
}

/// Every slot whose end is waited for, and by whom.
#[must_use]
pub fn slots(life: &Life) -> Vec<(String, Place)> {
    let Unit::At { base, frames } = &life.unit else { return Vec::new() };
    let own = match base {
        Base::Idle { .. } => None,
        Base::Flow { flow, stage } => stage_slot(flow, stage),
        Base::Job { job } => job.slot(),
    };
    let mut all: Vec<(String, Place)> = own.map(|slot| (slot, Place::Base)).into_iter().collect();
    for (at, frame) in frames.iter().enumerate() {
        let slot = match frame {
            Frame::Embedded { job, open: true } => job.slot(),
            Frame::Tool(tool) => acts(tool).then(|| tool_slot(tool)),
            Frame::Chat(chat) => (!chat.over).then(|| chat_slot(chat)),
            Frame::Embedded { open: false, .. }
            | Frame::Relating { .. }
            | Frame::Replacing { .. } => None,
        };
        all.extend(slot.map(|slot| (slot, Place::Frame(at))));
    }
    all
}

/// The slot of a turn that is stopped so that its edits can be taken back.
#[must_use]
pub fn recalled(life: &Life) -> Option<String> {
    let Unit::At { base: Base::Flow { flow, stage }, .. } = &life.unit else { return None };
    matches!(**stage, Stage::Recalling { .. }).then(|| stage_slot(flow, stage)).flatten()
}

/// The slots of the base's children, which have to stop before it is over.
#[must_use]
pub fn children(life: &Life) -> Vec<String> {
    let owed = match life.base() {
        Base::Idle { .. } => None,
        Base::Flow { flow, stage } => of_stage(flow, stage, Posture::Run),
        Base::Job { job } => of_job(job, Posture::Run),
    };
    match owed {
        Some(Owed::Child { slot, .. }) => vec![slot],
        Some(Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. }) | None => vec![],
    }
}

/// The slot of what a stage waits for.
#[must_use]
pub fn stage_slot(flow: &Flow, stage: &Stage) -> Option<String> {
    let n = flow.n;
    Some(match stage {
        Stage::Gathering { part: Gather::Kb, k, .. } => format!("flow/{n}/kb/{k}"),
        Stage::Gathering { part: Gather::Make | Gather::Rebuild, k, .. } => {
            format!("flow/{n}/kb-make/{k}")
        }
        Stage::Gathering { part: Gather::Context, k, .. } => format!("flow/{n}/context/{k}"),
        Stage::Drafting { round, k, .. } => format!("flow/{n}/design/{round}/{k}"),
        Stage::Writing { k, .. } => format!("flow/{n}/package/{k}"),
        Stage::Checking { k } => format!("flow/{n}/check/{k}"),
        Stage::Listing { k, .. } => format!("flow/{n}/list/{k}"),
        Stage::Opening { k, .. } => format!("flow/{n}/open/{k}"),
        Stage::Marking { n: nth, k, .. } => format!("flow/{n}/marks/{nth}/{k}"),
        Stage::Running { .. } => format!("flow/{n}"),
        Stage::Closing { step, k, .. } => format!("flow/{n}/close/{step}/{k}"),
        Stage::Testing { of, checks, so_far, k } => {
            let of = match of {
                Tested::Closing { .. } => "close/9",
                Tested::Recording { .. } => "record/tests",
            };
            let at = checks.as_ref().map_or(0, |_| so_far.ran.len() + 1);
            format!("flow/{n}/{of}/{k}/{at}")
        }
        Stage::Fixing { fixes, .. } => format!("flow/{n}/fix/{fixes}"),
        // The turn that was begun is still waited for while it is stopped.
        Stage::Editing { k, .. } | Stage::Recalling { k } => format!("flow/{n}/tweak/{k}"),
        Stage::Undoing { k, .. } => format!("flow/{n}/undo/{k}"),
        Stage::Recording { step, k, .. } => match step {
            Record::Changelog => format!("flow/{n}/record/changelog/{k}"),
            Record::Leftovers => format!("flow/{n}/record/leftovers/{k}"),
        },
        Stage::Accepting { k, .. } => format!("flow/{n}/accept/{k}"),
        Stage::Scoring { .. }
        | Stage::Clarifying { .. }
        | Stage::Confirming { .. }
        | Stage::AskKb { .. }
        | Stage::Gated { .. }
        | Stage::Approving { .. }
        | Stage::Picking { .. }
        | Stage::AskType { .. }
        | Stage::AskMarkers { .. }
        | Stage::CloseAsk { .. }
        | Stage::Outgrown { .. }
        | Stage::Held { .. } => return None,
    })
}

impl Stage {
    /// Whether a child runs here that can be held.
    #[must_use]
    pub const fn runs(&self) -> bool {
        matches!(self, Self::Running { .. } | Self::Editing { .. })
    }

    /// Whether its child stands between two tasks.
    #[must_use]
    pub const fn held(&self) -> bool {
        matches!(self, Self::Running { held: true, .. } | Self::Editing { held: true, .. })
    }
}

/// What is owed: a look, or a child.
enum Need {
    Look(Act),
    Child(ChildAsk),
}

fn of_stage(flow: &Flow, stage: &Stage, posture: Posture) -> Option<Owed> {
    if let Stage::Held { at, .. } = stage {
        return of_stage(flow, at, Posture::Hold).filter(|_| at.runs());
    }
    let slot = stage_slot(flow, stage)?;
    Some(match need(flow, stage)? {
        Need::Look(act) => Owed::Effect { slot, effect: Effect::Session(Box::new(act)) },
        Need::Child(ask) => Owed::Child { slot, ask, posture, begun: Begun::Told },
    })
}

fn hands(ask: Ask) -> Need {
    Need::Child(ChildAsk::Session(Box::new(ask)))
}

fn need(flow: &Flow, stage: &Stage) -> Option<Need> {
    Some(match stage {
        Stage::Gathering { part, .. } => gather(flow, *part)?,
        Stage::Drafting { wish, .. } => {
            let words = prompt::design(flow, wish.as_deref());
            asked(&flow.setup, words, flow.context.clone(), prompt::DRAFT_SCHEMA)?
        }
        Stage::Writing { draft, .. } => hands(Ask::Create { draft: draft.clone() }),
        Stage::Checking { .. } => Need::Look(Act::Package { name: package(flow)?, marks: None }),
        Stage::Listing { .. } => Need::Look(Act::List),
        Stage::Opening { marks, .. } => {
            Need::Look(Act::Package { name: package(flow)?, marks: *marks })
        }
        Stage::Marking { marks, .. } => hands(Ask::Adopt { name: package(flow)?, marks: *marks }),
        Stage::Running { .. } => hands(Ask::Develop),
        Stage::Closing { step, .. } => closing(flow, *step)?,
        Stage::Testing { checks: None, .. } => Need::Look(Act::Checks),
        Stage::Testing { of, checks: Some(checks), so_far, .. } => {
            let next = checks.get(so_far.ran.len())?;
            let most = match of {
                Tested::Closing { .. } => next.timeout_ms,
                Tested::Recording { .. } => next.timeout_ms.min(flow.setup.tweak_test_ms),
            };
            Need::Child(check(&Check { timeout_ms: most, ..next.clone() }))
        }
        Stage::Fixing { why, .. } => turn(flow, Profile::Closing, prompt::fix(flow, why), false),
        Stage::Editing { limited, hint, .. } => {
            let words = prompt::tweak(flow, hint.as_deref());
            turn(flow, Profile::Tweak, words, *limited)
        }
        Stage::Undoing { turn, .. } => Need::Child(take_back(turn)),
        Stage::Recording { step: Record::Changelog, forced, .. } => {
            let kind = if *forced { "forced" } else { "tweak" }.to_string();
            hands(Ask::Changelog { kind, target: None })
        }
        Stage::Recording { step: Record::Leftovers, .. } => Need::Look(Act::Leftovers),
        Stage::Accepting { .. } => Need::Look(Act::Accept),
        Stage::Scoring { .. }
        | Stage::Clarifying { .. }
        | Stage::Confirming { .. }
        | Stage::AskKb { .. }
        | Stage::Gated { .. }
        | Stage::Approving { .. }
        | Stage::Picking { .. }
        | Stage::AskType { .. }
        | Stage::AskMarkers { .. }
        | Stage::CloseAsk { .. }
        | Stage::Recalling { .. }
        | Stage::Outgrown { .. }
        | Stage::Held { .. } => return None,
    })
}

fn gather(flow: &Flow, part: Gather) -> Option<Need> {
    Some(match part {
        Gather::Kb => Need::Look(Act::Kb),
        Gather::Make => hands(Ask::Package(json!({ "operation": "init", "how": "create" }))),
        Gather::Rebuild => hands(Ask::Package(json!({ "operation": "init", "how": "rebuild" }))),
        Gather::Context => Need::Child(agent(&flow.setup, prompt::context(flow), None)?),
    })
}

fn closing(flow: &Flow, step: u8) -> Option<Need> {
    Some(match step {
        rows::SECURITY => Need::Look(Act::Scan { paths: flow.changed.clone() }),
        rows::SYNC => hands(Ask::Sync),
        rows::CHANGELOG => {
            let kind = if flow.developed.is_some() { "develop" } else { "overview" };
            hands(Ask::Changelog { kind: kind.into(), target: None })
        }
        rows::MARKS => hands(Ask::Mark { name: package(flow)? }),
        rows::ARCHIVE => hands(Ask::Archive { name: package(flow)? }),
        rows::LEFTOVERS => Need::Look(Act::Leftovers),
        _no_step => return None,
    })
}

/// The package that a flow works on, or made.
fn package(flow: &Flow) -> Option<String> {
    flow.current.as_ref().or(flow.created.as_ref()).map(|package| package.name.clone())
}

fn turn(flow: &Flow, profile: Profile, words: String, limited: bool) -> Need {
    let agents = flow.setup.designer.iter().map(|agent| agent.name.clone()).collect();
    let change = limited.then_some(flow.setup.tweak);
    let lang = Some(flow.setup.lang.clone());
    let wish = Wish { agents, change, lang, ..Wish::new(profile, words) };
    Need::Child(ChildAsk::NewTurn(Box::new(wish)))
}

/// A question that is answered in a form: by several at once where the settings name them.
fn asked(setup: &Setup, words: String, context: Option<Said>, schema: &str) -> Option<Need> {
    if setup.designers.len() > 1 {
        let schema = schema.to_string();
        return Some(hands(Ask::Several { words, context, schema }));
    }
    let parts = prompt::with_form(&setup.lang, words, context, schema);
    Some(Need::Child(agent(setup, parts, Some(schema))?))
}

/// A question to the agent that designs, analyses and reviews.
pub(super) fn agent(setup: &Setup, prompt: Vec<Part>, schema: Option<&str>) -> Option<ChildAsk> {
    let one = setup.designer.as_ref()?;
    let asked = AgentAsk {
        agent: one.name.clone(),
        kind: one.kind,
        talk: None,
        access: Access::Read,
        model: one.model.clone(),
        resume: None,
        prompt,
        schema: schema.map(ToString::to_string),
        lang: setup.lang.clone(),
        tools: Tools::Own,
    };
    let bare = call::process(call::AGENT, one.deadline_ms, OnUnknown::Wait);
    Some(ChildAsk::Call(Box::new(Request {
        argv: vec![one.name.clone()],
        agent: Some(Box::new(asked)),
        idle_ms: one.idle_ms,
        ..bare
    })))
}

fn check(check: &Check) -> ChildAsk {
    let bare = call::process(call::RUN, check.timeout_ms, OnUnknown::Wait);
    ChildAsk::Call(Box::new(Request {
        argv: check.argv.clone(),
        cwd: check.cwd.clone(),
        collect: check.collect.clone(),
        ..bare
    }))
}

fn of_job(job: &Job, posture: Posture) -> Option<Owed> {
    let slot = job.slot()?;
    let need = match &job.phase {
        Phase::Detecting { .. } => Need::Look(Act::Detect(job.kind)),
        Phase::Working { found, step, .. } => job_step(job, found, step)?,
        Phase::Asking { .. } | Phase::Result { .. } | Phase::Held { .. } | Phase::Over { .. } => {
            return None;
        }
    };
    Some(match need {
        Need::Look(act) => Owed::Effect { slot, effect: Effect::Session(Box::new(act)) },
        Need::Child(ask) => Owed::Child { slot, ask, posture, begun: Begun::Told },
    })
}

fn job_step(job: &Job, found: &Found, step: &Step) -> Option<Need> {
    Some(match step {
        Step::Package { operation } => hands(Ask::Package(operation.clone())),
        Step::Check { index, .. } => {
            let Found::Test { checks } = found else { return None };
            Need::Child(check(checks.get(*index)?))
        }
        Step::Commit { message } => {
            let Found::Commit { commit, message: first, .. } = found else { return None };
            let message = message.clone().unwrap_or_else(|| first.clone());
            hands(Ask::Commit { commit: commit.clone(), message })
        }
        Step::Review { scope, path } => {
            let words = prompt::review(&job.setup.lang, scope, path.as_deref());
            asked(&job.setup, words, None, prompt::REVIEW_SCHEMA)?
        }
        Step::Validate { scope } => Need::Look(Act::Validate { scope: scope.clone() }),
        Step::Plan { target } => Need::Look(Act::RollbackPlan { target: target.clone() }),
        Step::Rollback { target, foreign } => {
            hands(Ask::Rollback { target: target.clone(), foreign: foreign.clone() })
        }
        Step::TakenBack { target, .. } => hands(Ask::RolledBack { target: target.clone() }),
        Step::Changelog { target, .. } => {
            hands(Ask::Changelog { kind: "rollback".into(), target: Some(target.clone()) })
        }
        Step::Restore { call } => Need::Child(take_back(call)),
    })
}
