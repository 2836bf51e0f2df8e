//! The launches of agents that a turn asks for: a planner and one that answers only read, one that
//! does a step may change files. What they are told is made where words are.

use kernel::agent::{self, Access, Part, Tools};
use kernel::call::{self, OnUnknown, Request};
use kernel::loops::cut;
use kernel::turn::{Ask, ContextPack, Fault, Life};

use super::super::answer;
use super::super::pool::Desk;
use super::left::answered;
use super::run::fault;
use crate::engine::Scene;
use crate::turns::{self, Ground, changes};

/// Bytes of an answer that is shown to whoever corrects it.
const BAD_BYTES_MAX: usize = 32 * 1024;

/// The request that launches one.
pub(super) fn request(desk: &Desk, scene: &Scene, ask: &Ask) -> Result<Request, Box<Fault>> {
    let life = &scene.life;
    let limits = &life.body.start.limits;
    match ask {
        Ask::Planner { agent, form } => {
            let (standing, pack) = (desk.plan.judge.standing(), pack(desk, life));
            let bad = bad(desk, scene);
            let ground = Ground { pack: pack.as_ref(), standing: &standing, bad: bad.as_deref() };
            let words = turns::to_planner(life, *form, ground);
            launch(desk, life, agent, (Access::Read, words), limits.plan_ms)
        }
        Ask::Agent { agent, .. } => {
            let diff = diff(desk, scene);
            let words = turns::to_agent(life, diff.as_deref());
            let words = words.ok_or_else(|| fault("E_INTERNAL", "no_step"))?;
            let mut made = launch(desk, life, agent, (Access::Edit, words), limits.step_ms)?;
            confine(&mut made, &limits.confine);
            Ok(made)
        }
        Ask::Answer { agent } => {
            let (pack, bad) = (pack(desk, life), bad(desk, scene));
            let words = turns::to_answerer(life, pack.as_ref(), bad.as_deref());
            launch(desk, life, agent, (Access::Read, words), limits.summary_ms)
        }
        Ask::Tool { .. }
        | Ask::Collab { .. }
        | Ask::Check { .. }
        | Ask::Checkpoint
        | Ask::Undo { .. }
        | Ask::Commit => Err(fault("E_INTERNAL", "no_agent")),
    }
}

/// The answer that was not taken: the last of an agent that only reads.
fn bad(desk: &Desk, scene: &Scene) -> Option<String> {
    turns::wrong(&scene.life)?;
    let last = scene.calls.iter().rev().find_map(|(_, state)| {
        let agent = state.facts()?.request.agent.as_ref()?;
        let call::State::Settled { exit: Some(exit), .. } = state else { return None };
        answered(exit).filter(|_| agent.access == Access::Read)
    });
    let text = answer::load(&desk.plan.loop_dir, last?).ok()?;
    Some(cut(&desk.plan.redactor.redact_text(&text), BAD_BYTES_MAX))
}

/// What was changed before a repair.
fn diff(desk: &Desk, scene: &Scene) -> Option<String> {
    let plan = &desk.plan;
    let root = plan.hold().ok().filter(|_| !scene.calls.is_empty())?;
    let keeper = desk.keeper();
    let places = changes::Places { loop_dir: &plan.loop_dir, root: &root, keeper: Some(&*keeper) };
    Some(changes::diff(&scene.calls, places, &plan.redactor))
}

/// The pack that was built; where none was in time, what is known at once. One that is gone is told
/// as none.
fn pack(desk: &Desk, life: &Life) -> Option<ContextPack> {
    let plan = &desk.plan;
    if let Some(kept) = life.body.pack.as_ref() {
        return turns::load_pack(&plan.loop_dir, kept);
    }
    // Mere talk has nothing to do with the workspace.
    let root = plan.hold().ok().filter(|_| life.body.next.context > 0)?;
    let sight = turns::Sight {
        desk: plan.tools.desk(&root),
        semantic: None,
        redactor: &plan.redactor,
        bounds: plan.turn_context,
        earlier: &[],
        actions: &[],
    };
    Some(turns::bare(life, &sight))
}

/// Keeps a call to what the turn is kept to.
pub(super) fn confine(request: &mut Request, globs: &[String]) {
    if !globs.is_empty() {
        request.given.get_or_insert_default().confine = Some(globs.to_vec());
    }
}

fn launch(
    desk: &Desk,
    life: &Life,
    name: &str,
    (access, words): (Access, String),
    deadline_ms: u64,
) -> Result<Request, Box<Fault>> {
    let known = desk.plan.agents.iter().find(|agent| agent.name == name);
    let config = known.ok_or_else(|| fault("E001", "missing"))?;
    let ask = agent::Ask {
        agent: name.to_owned(),
        kind: config.kind(),
        talk: config.talk(),
        access,
        model: config.model.clone(),
        resume: None,
        prompt: vec![Part::Text(words)],
        schema: None,
        lang: life.body.start.lang.clone(),
        // Who only reads has nothing that would have to be judged.
        tools: match access {
            Access::Edit | Access::Full if config.tools => Tools::Ours,
            Access::Read | Access::Edit | Access::Full => Tools::Own,
        },
    };
    Ok(Request {
        agent: Some(Box::new(ask)),
        idle_ms: (config.idle_ms > 0).then_some(config.idle_ms),
        // Whichever is the shorter: the turn's limit of this place, or the agent's own.
        ..call::process(call::AGENT, deadline_ms.min(config.wall_ms), OnUnknown::Tell)
    })
}
