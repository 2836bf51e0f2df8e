//! The way from a command to the engine: workspace ready, trust given, engine answering. It says
//! nothing to the engine itself.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::io::IsTerminal as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::thread;
use std::time::{Duration, Instant};

use edge::door::{self, Ask, Client, ClientError, Launcher, LoopSay, Refusal, Reply, Taken};
use edge::problem::{Place, Raised};
use kernel::errors::{Class, Code, Machine};
use kernel::machine::At;
use runtime::io_kind;
use runtime::shim::speaker::{Speaker, speaker};
use runtime::workspace::{self, Root, StateDir, Trust};
use serde_json::json;

use crate::commands::{Answer, Lists, ask_trust, give_trust};
use crate::ctx::Ctx;
use crate::trouble::{self, Trouble};

/// An engine that has said it leaves writes what it holds and is gone: moments, on a busy machine
/// too. Who starts next waits for the journal in any case.
const LEAVE_WAIT: Duration = Duration::from_secs(5);
/// Between two looks whether it is gone.
const LEAVE_LOOK_EVERY: Duration = Duration::from_millis(10);

/// A connection to this workspace's engine, and where its files are.
pub struct Desk {
    client: Client,
    /// The state directory.
    pub dir: StateDir,
    trace: String,
}

/// Asks for trust where it is missing, makes the workspace ready, and connects to its engine,
/// starting one when none answers.
///
/// # Errors
/// When the workspace can't be used, nobody trusts it, or no engine answers.
pub fn open(ctx: &Ctx) -> Result<Desk, Trouble> {
    // From behind the walls of a call neither key nor trust is seen. Whoever is there can only
    // speak to an engine that runs, which knows whom it hears.
    if matches!(own_speaker(), Speaker::Agent { .. }) {
        return steer(ctx);
    }
    trusted(ctx, &ctx.root()?)?;
    started(ctx)
}

fn own_speaker() -> Speaker {
    speaker(std::process::id().cast_signed())
}

/// Below a shim nobody is a person, and who cannot be seen is not taken for one. What was tried is
/// told to the engine, if one runs.
///
/// # Errors
/// That it takes a person.
pub fn person(ctx: &Ctx, machine: Machine, word: &str) -> Result<(), Trouble> {
    match own_speaker() {
        Speaker::Person => return Ok(()),
        Speaker::Agent { .. } | Speaker::Unseen => {}
    }
    if let Ok(Some(mut desk)) = running(ctx) {
        let (trace, word) = (desk.trace(), word.to_owned());
        // An engine that goes away meanwhile changes nothing about the refusal.
        drop(desk.ask(&Ask::Tried { trace, machine: machine.name().to_owned(), word }));
    }
    Err(trouble::refused(machine, "needs_person", json!({})))
}

/// The same for what takes nothing into hands that has not been taken already: to hold, end or
/// judge work needs no trust, least of all when the work itself has changed the settings.
///
/// # Errors
/// When the workspace can't be used, or no engine answers.
pub fn steer(ctx: &Ctx) -> Result<Desk, Trouble> {
    let Some(dir) = ctx.state_dir()? else { return started(ctx) };
    let Some(socket) = ctx.places()?.socket(&dir.workspace_id) else { return started(ctx) };
    match door::connect_running(&socket) {
        Ok(client) => Ok(Desk { client, dir, trace: ctx.asked.trace_id.clone() }),
        Err(ClientError::Silent) => Err(silent(&dir)),
        Err(_) => started(ctx),
    }
}

/// A desk for these words: trust is asked for when one of them lets more happen than before.
///
/// # Errors
/// As [`open`] and [`steer`].
pub fn for_says(ctx: &Ctx, says: &[LoopSay]) -> Result<Desk, Trouble> {
    if says.iter().any(widens) { open(ctx) } else { steer(ctx) }
}

/// Whether a word lets more happen than before.
const fn widens(say: &LoopSay) -> bool {
    match say {
        LoopSay::Create { .. }
        | LoopSay::Edit { .. }
        | LoopSay::AddTask { .. }
        | LoopSay::EditTask { .. }
        | LoopSay::RequeueTask { .. }
        | LoopSay::Start { .. }
        | LoopSay::Resume
        | LoopSay::Retry
        | LoopSay::Reopen
        | LoopSay::Signal { .. }
        | LoopSay::Report { .. }
        | LoopSay::Import { .. } => true,
        LoopSay::Delete
        | LoopSay::RemoveTask { .. }
        | LoopSay::ReorderTasks { .. }
        | LoopSay::Mode { .. }
        | LoopSay::Pause { .. }
        | LoopSay::Stop { .. }
        | LoopSay::Answer { .. }
        | LoopSay::Complete { .. } => false,
    }
}

fn started(ctx: &Ctx) -> Result<Desk, Trouble> {
    if matches!(own_speaker(), Speaker::Agent { .. }) {
        return Err(needs_person());
    }
    let (root, places) = (ctx.root()?, ctx.places()?);
    let dir = workspace::create(&root, &places).map_err(|why| trouble::of_workspace(&why))?;
    // Broken settings are told here and not by an engine that does not start.
    ctx.settings()?;
    let launcher = launcher(ctx, &root, &dir)?;
    let client = door::connect_or_start(&launcher).map_err(|why| of_client(&why, &dir))?;
    Ok(Desk { client, dir, trace: ctx.asked.trace_id.clone() })
}

/// Connects to an engine that runs; none when none does.
///
/// # Errors
/// When the workspace can't be read, or the engine is of another build.
pub fn running(ctx: &Ctx) -> Result<Option<Desk>, Trouble> {
    let Some(dir) = ctx.state_dir()? else { return Ok(None) };
    let Some(socket) = ctx.places()?.socket(&dir.workspace_id) else { return Ok(None) };
    match door::connect_running(&socket) {
        Ok(client) => Ok(Some(Desk { client, dir, trace: ctx.asked.trace_id.clone() })),
        Err(ClientError::NotRunning) => Ok(None),
        Err(why) => Err(of_client(&why, &dir)),
    }
}

/// Whether there was an engine to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// One did.
    Engine,
    /// None ran.
    NoEngine,
}

/// Asks an engine that runs to leave, and waits until it has; what its calls run goes on.
///
/// # Errors
/// When it does not answer, or is of another build.
pub fn leave(ctx: &Ctx) -> Result<Left, Trouble> {
    let Some(mut desk) = running(ctx)? else { return Ok(Left::NoEngine) };
    let pid = desk.engine().pid;
    desk.ask(&Ask::Leave)?;
    drop(desk);
    let over = Instant::now() + LEAVE_WAIT;
    let stays = || matches!(running(ctx), Ok(Some(desk)) if desk.engine().pid == pid);
    while Instant::now() < over && stays() {
        thread::sleep(LEAVE_LOOK_EVERY);
    }
    Ok(Left::Engine)
}

impl Desk {
    /// The trace of this command chain.
    #[must_use]
    pub fn trace(&self) -> String {
        self.trace.clone()
    }

    /// The engine as it was when we connected.
    #[must_use]
    pub const fn engine(&self) -> &runtime::host::EngineStatus {
        &self.client.engine
    }

    /// Asks; a refusal is trouble.
    ///
    /// # Errors
    /// The refusal, or that the engine went away.
    pub fn ask(&mut self, ask: &Ask) -> Result<Reply, Trouble> {
        match self.client.ask(ask).map_err(|why| of_client(&why, &self.dir))? {
            Reply::Refused(refusal) | Reply::Taken { refused: Some(refusal), .. } => {
                Err(of_refusal(&refusal))
            }
            reply @ (Reply::Hello { .. }
            | Reply::Status(_)
            | Reply::Left
            | Reply::Noted
            | Reply::Told(_)
            | Reply::Taken { refused: None, .. }) => Ok(reply),
        }
    }

    /// Says something and hears what was taken.
    ///
    /// # Errors
    /// The refusal, or that the engine went away.
    pub fn take(&mut self, ask: &Ask) -> Result<Vec<Taken>, Trouble> {
        match self.ask(ask)? {
            Reply::Taken { taken, .. } => Ok(taken),
            Reply::Hello { .. }
            | Reply::Status(_)
            | Reply::Left
            | Reply::Noted
            | Reply::Told(_)
            | Reply::Refused(_) => Err(of_client(&ClientError::Gone, &self.dir)),
        }
    }
}

/// Asks a person once, inline, on a terminal; elsewhere it waits for `workspace trust`. Nothing is
/// made before the answer.
fn trusted(ctx: &Ctx, root: &Root) -> Result<(), Trouble> {
    let places = ctx.places()?;
    // Foreign state is told as that, and not as one that nobody trusts.
    ctx.state_dir()?;
    let standing = workspace::standing(root, &places).map_err(|why| trouble::of_workspace(&why))?;
    match standing.trust {
        Trust::Trusted => return Ok(()),
        Trust::Untrusted | Trust::Changed => {}
    }
    let mut details = json!({ "path": root.path.display().to_string() });
    if standing.trust == Trust::Changed {
        details["kind"] = json!("changed");
    }
    let untrusted = || trouble::refused(Machine::Workspace, "untrusted", details.clone());
    let at_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if !at_terminal {
        return Err(untrusted());
    }
    let lists = Lists::of(&standing, &places).map_err(|why| trouble::of_workspace(&why))?;
    if ask_trust(ctx, root, &standing, &lists) == Answer::No {
        return Err(untrusted());
    }
    give_trust(ctx, root, &places, (&standing, &lists)).map(drop)
}

fn launcher(ctx: &Ctx, root: &Root, dir: &StateDir) -> Result<Launcher, Trouble> {
    let exe = std::env::current_exe().map_err(|why| io("loopwright", &why))?;
    let socket = ctx
        .places()?
        .socket(&dir.workspace_id)
        .ok_or_else(|| trouble::class(Class::Io, json!({"kind": "too_large", "path": "socket"})))?;
    let cache = dir.path.join("cache");
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&cache);
    made.map_err(|why| io(".loop/cache", &why))?;
    let mut args: Vec<OsString> = vec!["engine".into(), "--workspace".into()];
    args.push(root.path.clone().into());
    args.extend(["--lang".into(), ctx.lang.tag().into()]);
    if ctx.owner == workspace::OwnerRule::Anyone {
        args.push("--allow-foreign-owner".into());
    }
    Ok(Launcher { exe, args, socket, log: cache.join("engine.log") })
}

/// A failure of the file system, by the path it is about.
pub fn io(path: &str, why: &std::io::Error) -> Trouble {
    let kind = io_kind(why).unwrap_or("interrupted");
    trouble::class(Class::Io, json!({ "kind": kind, "path": path })).because(why)
}

/// A refusal of the door as trouble.
pub fn of_refusal(refusal: &Refusal) -> Trouble {
    let code = Code::parse(&refusal.code).unwrap_or(Code::Class(Class::Internal));
    let mut details = refusal.details.clone();
    if let (Some(map), Some(state)) = (details.as_object_mut(), &refusal.state) {
        map.entry("state").or_insert_with(|| json!(state));
    }
    let mut raised = Raised::new(code, details);
    raised.allowed.clone_from(&refusal.allowed);
    // A run that the refused command would have made is no place.
    let made = refusal.state.as_deref() != Some("New");
    match refusal.run.as_ref().filter(|_| made) {
        Some(run) => {
            let machine = refusal.code.split_once('.').map(|(machine, _)| machine.to_owned());
            let call = machine.as_deref() == Some(Machine::Call.name());
            raised.at(Place {
                run_id: Some(run.clone()),
                call_id: call.then(|| run.clone()),
                machine,
                state: refusal.state.clone(),
                ..Place::default()
            })
        }
        None => raised,
    }
}

fn of_client(why: &ClientError, dir: &StateDir) -> Trouble {
    match why {
        ClientError::NeedsPerson => needs_person(),
        ClientError::Version { ours, theirs, in_flight } => trouble::refused(
            Machine::Door,
            "version",
            json!({ "client": ours, "engine": theirs, "in_flight": in_flight }),
        ),
        ClientError::Fault { kind, details } => {
            let mut details = details.clone();
            if !details.is_object() {
                details = json!({});
            }
            let code = runtime::query::code_of_fault(kind);
            // The journal's own words are their code; the rest is told by its kind.
            if !matches!(code, Code::Refusal(_, _)) {
                details["kind"] = json!(kind);
            }
            Raised::new(code, details)
        }
        ClientError::Gone | ClientError::NotRunning => {
            trouble::class(Class::Journal, json!({ "kind": "engine_gone" }))
        }
        ClientError::Silent => silent(dir),
        ClientError::Io(why) => io("socket", why),
    }
}

fn needs_person() -> Trouble {
    trouble::refused(Machine::Door, "needs_person", json!({}))
}

/// An engine that holds the journal and does not answer is named, so that a person can wake or end
/// that process and no other.
fn silent(dir: &StateDir) -> Trouble {
    let Some(owner) = journal::owner(&dir.journal()) else {
        return trouble::refused(Machine::Journal, "locked", json!({}));
    };
    let details = json!({
        "kind": "silent", "pid": owner.pid, "version": owner.version,
        "since": kernel::loops::view::rfc3339(At(owner.since_ms)),
        "help": format!("kill -CONT {}", owner.pid),
    });
    trouble::refused(Machine::Journal, "locked", details)
}
