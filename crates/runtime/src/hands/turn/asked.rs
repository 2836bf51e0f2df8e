//! From what a turn asks for to the request of a call. Arguments and variables are kept in files of
//! ours; what is recorded names them. Nothing is judged and nothing started here.

use kernel::call::{self, OnUnknown, Request};
use kernel::hash;
use kernel::policy::{self, Asker};
use kernel::turn::{Ask, Fault, Life, Phase, Source, Summary};
use serde_json::{Map, Value, json};

use super::super::commits::CommitArgs;
use super::super::pool::Desk;
use super::run::fault;
use super::{several, words};
use crate::change;
use crate::engine::{Ready, Scene, Wanted};
use crate::tools::{self, Misfit};
use crate::tree::{self, Hash};
use crate::turns::{gate, store};

/// The tool whose arguments say what a file holds.
const PATCH: &str = "apply_patch";
/// What was read of the files that a call changes.
const EXPECT: &str = "expect";

/// Makes it ready to begin.
pub(super) fn ready(desk: &Desk, scene: &Scene, ask: &Ask) -> Result<Ready, Box<Fault>> {
    match ask {
        Ask::Collab { .. } => several::ready(desk, scene),
        Ask::Planner { .. }
        | Ask::Tool { .. }
        | Ask::Agent { .. }
        | Ask::Check { .. }
        | Ask::Checkpoint
        | Ask::Undo { .. }
        | Ask::Answer { .. }
        | Ask::Commit => wanted(desk, scene, ask).map(Ready::Call),
    }
}

fn wanted(desk: &Desk, scene: &Scene, ask: &Ask) -> Result<Wanted, Box<Fault>> {
    if changes(ask) {
        same_branch(desk, scene)?;
    }
    match ask {
        Ask::Tool { name, args } => tool(desk, scene, name, args),
        Ask::Check { argv, deadline_ms } => Ok(bare(check(argv, *deadline_ms))),
        Ask::Checkpoint => checkpoint(desk, scene),
        Ask::Planner { .. } | Ask::Agent { .. } | Ask::Answer { .. } => {
            words::request(desk, scene, ask).map(bare)
        }
        Ask::Commit => commit(desk, scene),
        // Neither is made here: the one is a run, the other is known to the engine.
        Ask::Collab { .. } | Ask::Undo { .. } => Err(fault("E_INTERNAL", "no_call")),
    }
}

/// Whether it may change the tree, as the work itself and not to take it back.
fn changes(ask: &Ask) -> bool {
    match ask {
        Ask::Tool { name, .. } => {
            !call::named(name).is_some_and(|tool| tool.acts == call::Acts::Reads)
        }
        Ask::Agent { .. } => true,
        // A commit looks for itself, and at more than the branch.
        Ask::Planner { .. }
        | Ask::Collab { .. }
        | Ask::Check { .. }
        | Ask::Checkpoint
        | Ask::Undo { .. }
        | Ask::Answer { .. }
        | Ask::Commit => false,
    }
}

/// Work that was begun on one branch is not gone on with on another. Where nothing was checked out
/// when it began there is nothing to hold it to.
fn same_branch(desk: &Desk, scene: &Scene) -> Result<(), Box<Fault>> {
    let then = &scene.life.body.start.head;
    if then.commit.is_none() && then.branch.is_none() {
        return Ok(());
    }
    if tree::head(&desk.plan.root).branch == then.branch {
        return Ok(());
    }
    Err(fault("E_CONFLICT", "branch_changed"))
}

fn bare(request: Request) -> Wanted {
    Wanted { request: Box::new(request), judged_as: None }
}

/// A call as its template says.
fn tool(
    desk: &Desk,
    scene: &Scene,
    name: &str,
    args: &Map<String, Value>,
) -> Result<Wanted, Box<Fault>> {
    let mut args = Value::Object(args.clone());
    let tool = call::named(name).ok_or_else(|| fault("E_INVALID_ARGS", "unknown_tool"))?;
    if tool.name == call::RUN {
        return command(desk, scene, &args);
    }
    tools::check(tool, &args).map_err(|misfit| of_misfit(&misfit))?;
    if tool.acts == call::Acts::Changes {
        expects(desk, &scene.life, tool.name, &mut args);
    }
    let standing = desk.plan.judge.standing();
    let judged_as = match tool.acts {
        call::Acts::Reads | call::Acts::Changes => {
            let act = tools::act_of(tool, &args, &standing).map_err(|misfit| of_misfit(&misfit))?;
            let given = Some(hash::of_json(&args));
            Some(Box::new(policy::Request { act, by: asker(scene), given }))
        }
        call::Acts::Converges | call::Acts::Arranges | call::Acts::Commits | call::Acts::Runs => {
            None
        }
    };
    let request = own(desk, tool.name, &args)?;
    Ok(Wanted { request: Box::new(request), judged_as })
}

/// What the calls of an approved plan change is what it was when the plan was judged, or what an
/// earlier call of the turn left: anybody else's change since then is met by a conflict. A patch of
/// a file that was not there then says by its own lines what it changes, so that is read now.
fn expects(desk: &Desk, life: &Life, tool: &str, args: &mut Value) {
    if args.get(EXPECT).is_some() {
        return;
    }
    let root = desk.plan.hold().ok();
    let Some(now) = root.and_then(|root| change::read_now(&root, tool, args).ok()) else { return };
    let known = |path: &str| left_or_judged(life, path).cloned();
    if tool == PATCH {
        let hash = |(path, now): (String, Hash)| {
            let hash = known(&path).unwrap_or_else(|| now.to_string());
            (path, Value::from(hash))
        };
        args[EXPECT] = Value::Object(now.into_iter().map(hash).collect());
    } else if let Some(hash) = now.first().and_then(|(path, _)| known(path)) {
        args[EXPECT] = Value::from(hash);
    }
}

/// What the turn left at a path, else what was there when its plan was judged.
fn left_or_judged<'a>(life: &'a Life, path: &str) -> Option<&'a String> {
    let work = life.body.work.as_deref()?;
    let last = work.writes.iter().rfind(|wrote| wrote.files.iter().any(|file| file == path));
    let left = last.and_then(|last| {
        let mut steps = work.plan.steps.iter().chain(&work.fixes);
        let step = steps.find(|step| step.step_id == last.step)?;
        let mut files = step.evidence.iter().flat_map(|evidence| &evidence.files_changed);
        files.find(|file| file.path == path)?.after.as_ref()
    });
    left.or_else(|| gate::file_then(&work.definitions, path))
}

fn own(desk: &Desk, name: &str, args: &Value) -> Result<Request, Box<Fault>> {
    let kept = tools::keep(&desk.plan.loop_dir, args).map_err(|_| fault("E_IO", "write"))?;
    let request = desk.plan.tools.limits.request(name, kept);
    request.ok_or_else(|| fault("E_INVALID_ARGS", "unknown_tool"))
}

fn command(desk: &Desk, scene: &Scene, args: &Value) -> Result<Wanted, Box<Fault>> {
    let plan = &desk.plan;
    let tools::Wanted { mut request, env } = tools::command(args, &plan.extra, plan.tools.limits)
        .map_err(|misfit| of_misfit(&misfit))?;
    if !env.is_empty() {
        let kept = tools::keep_env(&plan.loop_dir, &env).map_err(|_| fault("E_IO", "write"))?;
        request.given.get_or_insert_default().env_sha256 = Some(kept);
    }
    words::confine(&mut request, &scene.life.body.start.limits.confine);
    Ok(bare(request))
}

/// A file's plan is a person's own.
fn asker(scene: &Scene) -> Asker {
    match scene.life.body.work.as_deref().map(|work| work.plan.source) {
        Some(Source::File) => Asker::Person,
        Some(Source::Planner | Source::Direct) | None => Asker::Agent,
    }
}

fn checkpoint(desk: &Desk, scene: &Scene) -> Result<Wanted, Box<Fault>> {
    own(desk, call::CHECKPOINT, &json!({ "label": scene.run })).map(bare)
}

/// The commit of what the summary lists, and of nothing else.
fn commit(desk: &Desk, scene: &Scene) -> Result<Wanted, Box<Fault>> {
    let life = &scene.life;
    let Phase::Summarizing(now) = &life.phase else {
        return Err(fault("E_INTERNAL", "no_summary"));
    };
    let kept = now.summary.as_deref().and_then(|kept| store::load(&desk.plan.loop_dir, kept).ok());
    let summary: Option<Summary> = kept.and_then(|text| serde_json::from_str(&text).ok());
    let summary = summary.ok_or_else(|| fault("E_IO", "not_found"))?;
    let args = CommitArgs {
        head: life.body.start.head.clone(),
        message: summary.commit_message,
        paths: summary.changed.into_iter().map(|file| file.path).collect(),
        staged: None,
    };
    own(desk, call::GIT_COMMIT, &json!(args)).map(bare)
}

fn check(argv: &[String], deadline_ms: u64) -> Request {
    let bare = call::process(call::RUN, deadline_ms, OnUnknown::Tell);
    Request { argv: argv.to_vec(), ..bare }
}

fn of_misfit(misfit: &Misfit) -> Box<Fault> {
    let kind = if misfit.kind.is_empty() { "request" } else { misfit.kind };
    fault(&misfit.code.to_string(), kind)
}
