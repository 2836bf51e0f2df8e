//! The way from a door to a workspace's engine: who asks, under which trace, and how an engine is
//! had when none answers. It says nothing to the engine itself.

use std::ffi::OsString;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::thread;
use std::time::{Duration, Instant};

use kernel::errors::{Class, Code, Machine};
use kernel::machine::At;
use runtime::shim::speaker::{Speaker, speaker};
use runtime::workspace::{self, OwnerRule, StateDir, Trust};
use serde_json::json;

use super::place::Site;
use super::raise;
use crate::door::{self, Ask, Client, ClientError, Launcher, Refusal, Reply, Speaks, Taken};
use crate::problem::{Place, Raised};

/// An engine that has said it leaves writes what it holds and is gone: moments, on a busy machine
/// too. Who starts next waits for the journal in any case.
const LEAVE_WAIT: Duration = Duration::from_secs(5);
/// Between two looks whether it is gone.
const LEAVE_LOOK_EVERY: Duration = Duration::from_millis(10);

/// Whether there was an engine to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// One did.
    Engine,
    /// None ran.
    NoEngine,
}

/// A connection to this workspace's engine, and where its files are.
pub struct Desk {
    client: Client,
    /// The state directory.
    pub dir: StateDir,
    trace: String,
}

/// Someone who wants to speak to a workspace's engine.
#[derive(Debug, Clone)]
pub struct Visit<'a> {
    /// The workspace.
    pub site: &'a Site,
    /// Whom the door speaks for.
    pub speaks: Speaks,
    /// The trace of this chain of commands.
    pub trace: String,
}

/// Who runs this very process.
#[must_use]
pub fn own_speaker() -> Speaker {
    speaker(std::process::id().cast_signed())
}

impl Visit<'_> {
    /// Makes the workspace ready and connects to its engine, starting one when none answers; only
    /// where a person has said that the workspace may be worked in.
    ///
    /// # Errors
    /// When the workspace can't be used, nobody trusts it, or no engine answers.
    pub fn open(&self) -> Result<Desk, Raised> {
        // From behind the walls of a call neither key nor trust is seen. Whoever is there can only
        // speak to an engine that runs, which knows whom it hears.
        if self.below_a_shim() {
            return self.steer();
        }
        self.trusted()?;
        self.started()
    }

    /// The same for what takes nothing into hands that has not been taken already: to hold, end or
    /// judge work needs no trust, least of all when the work itself has changed the settings.
    ///
    /// # Errors
    /// When the workspace can't be used, or no engine answers.
    pub fn steer(&self) -> Result<Desk, Raised> {
        let Some(dir) = self.site.state_dir()? else { return self.started() };
        let Some(socket) = self.site.places.socket(&dir.workspace_id) else {
            return self.started();
        };
        match door::connect_running(&socket, &self.speaks) {
            Ok(client) => Ok(self.desk(client, dir)),
            Err(ClientError::Silent) => Err(silent(&dir)),
            Err(_) => self.started(),
        }
    }

    /// Connects to an engine that runs; none when none does.
    ///
    /// # Errors
    /// When the workspace can't be read, or the engine is of another build.
    pub fn running(&self) -> Result<Option<Desk>, Raised> {
        let Some(dir) = self.site.state_dir()? else { return Ok(None) };
        let Some(socket) = self.site.places.socket(&dir.workspace_id) else { return Ok(None) };
        match door::connect_running(&socket, &self.speaks) {
            Ok(client) => Ok(Some(self.desk(client, dir))),
            Err(ClientError::NotRunning) => Ok(None),
            Err(why) => Err(of_client(&why, &dir)),
        }
    }

    /// Whether a person has said that this workspace may be worked in.
    ///
    /// # Errors
    /// That nobody has, or that it cannot be told.
    pub fn trusted(&self) -> Result<(), Raised> {
        // Foreign state is told as that, and not as one that nobody trusts.
        self.site.state_dir()?;
        let standing = workspace::standing(&self.site.root, &self.site.places);
        let standing = standing.map_err(|why| raise::of_workspace(&why))?;
        let mut details = json!({ "path": self.site.root.path.display().to_string() });
        match standing.trust {
            Trust::Trusted => return Ok(()),
            Trust::Untrusted => {}
            Trust::Changed => details["kind"] = json!("changed"),
        }
        Err(raise::refused(Machine::Workspace, "untrusted", details))
    }

    /// Makes the workspace ready and connects, starting an engine when none answers.
    ///
    /// # Errors
    /// When the workspace can't be used, or no engine answers.
    pub fn started(&self) -> Result<Desk, Raised> {
        if self.below_a_shim() {
            return Err(needs_person());
        }
        // An engine that runs has looked when it started.
        if !matches!(self.running(), Ok(Some(_))) {
            workspace::untracked(&self.site.root).map_err(|why| raise::of_workspace(&why))?;
        }
        let dir = workspace::create(&self.site.root, &self.site.places);
        let dir = dir.map_err(|why| raise::of_workspace(&why))?;
        // Broken settings are told here and not by an engine that does not start.
        self.site.settings()?;
        let launcher = launcher(self.site, &dir)?;
        let client = door::connect_or_start(&launcher, &self.speaks);
        Ok(self.desk(client.map_err(|why| of_client(&why, &dir))?, dir))
    }

    /// That a person speaks: nobody below a shim is one, nor who cannot be seen. What was tried is
    /// told to the engine, if one runs.
    ///
    /// # Errors
    /// That it takes a person.
    pub fn person(&self, machine: Machine, word: &str) -> Result<(), Raised> {
        if self.speaks == Speaks::Person && matches!(own_speaker(), Speaker::Person) {
            return Ok(());
        }
        if let Ok(Some(mut desk)) = self.running() {
            let (trace, word) = (desk.trace(), word.to_owned());
            // An engine that goes away meanwhile changes nothing about the refusal.
            drop(desk.ask(&Ask::Tried { trace, machine: machine.name().to_owned(), word }));
        }
        Err(raise::refused(machine, "needs_person", json!({})))
    }

    /// Asks an engine that runs to leave, and waits until it has; what its calls run goes on.
    ///
    /// # Errors
    /// When it does not answer, or is of another build.
    pub fn leave(&self) -> Result<Left, Raised> {
        let Some(mut desk) = self.running()? else { return Ok(Left::NoEngine) };
        let pid = desk.engine().pid;
        desk.ask(&Ask::Leave)?;
        drop(desk);
        let over = Instant::now() + LEAVE_WAIT;
        let stays = || matches!(self.running(), Ok(Some(desk)) if desk.engine().pid == pid);
        while Instant::now() < over && stays() {
            thread::sleep(LEAVE_LOOK_EVERY);
        }
        Ok(Left::Engine)
    }

    fn below_a_shim(&self) -> bool {
        matches!(self.speaks, Speaks::Agent { .. })
            || matches!(own_speaker(), Speaker::Agent { .. })
    }

    fn desk(&self, client: Client, dir: StateDir) -> Desk {
        Desk { client, dir, trace: self.trace.clone() }
    }
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

    /// Asks; a refusal is an error.
    ///
    /// # Errors
    /// The refusal, or that the engine went away.
    pub fn ask(&mut self, ask: &Ask) -> Result<Reply, Raised> {
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
    pub fn take(&mut self, ask: &Ask) -> Result<Vec<Taken>, Raised> {
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

fn launcher(site: &Site, dir: &StateDir) -> Result<Launcher, Raised> {
    let exe = std::env::current_exe().map_err(|why| raise::io("loopwright", &why))?;
    let too_long = || raise::class(Class::Io, json!({"kind": "too_large", "path": "socket"}));
    let socket = site.places.socket(&dir.workspace_id).ok_or_else(too_long)?;
    let cache = dir.path.join("cache");
    let made = DirBuilder::new().recursive(true).mode(0o700).create(&cache);
    made.map_err(|why| raise::io(".loop/cache", &why))?;
    let mut args: Vec<OsString> = vec!["engine".into(), "--workspace".into()];
    args.push(site.root.path.clone().into());
    args.extend(["--lang".into(), site.lang.tag().into()]);
    if site.owner == OwnerRule::Anyone {
        args.push("--allow-foreign-owner".into());
    }
    Ok(Launcher { exe, args, socket, log: cache.join("engine.log") })
}

/// A refusal of the engine as an error object.
pub fn of_refusal(refusal: &Refusal) -> Raised {
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

fn of_client(why: &ClientError, dir: &StateDir) -> Raised {
    match why {
        ClientError::NeedsPerson => needs_person(),
        ClientError::Version { ours, theirs, in_flight } => raise::refused(
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
            raise::class(Class::Journal, json!({ "kind": "engine_gone" }))
        }
        ClientError::Silent => silent(dir),
        ClientError::Io(why) => raise::io("socket", why),
    }
}

fn needs_person() -> Raised {
    raise::refused(Machine::Door, "needs_person", json!({}))
}

/// An engine that holds the journal and does not answer is named, so that a person can wake or end
/// that process and no other.
fn silent(dir: &StateDir) -> Raised {
    let Some(owner) = journal::owner(&dir.journal()) else {
        return raise::refused(Machine::Journal, "locked", json!({}));
    };
    let details = json!({
        "kind": "silent", "pid": owner.pid, "version": owner.version,
        "since": kernel::loops::view::rfc3339(At(owner.since_ms)),
        "help": format!("kill -CONT {}", owner.pid),
    });
    raise::refused(Machine::Journal, "locked", details)
}
