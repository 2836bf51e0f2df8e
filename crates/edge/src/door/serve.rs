//! The engine process: owns the journal, turns the host, and listens on its socket. Which workspace
//! and which settings is decided by its starter.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use journal::{Fault, Journal, Owner, Sqlite};
use kernel::loops::Mode;
use kernel::machine::{At, By};
use kernel::run::{Command, State};
use runtime::agents::sessions::Sessions;
use runtime::collab::Around;
use runtime::engine::{Link, Run, fold};
use runtime::host::{Handle, Host, HostError, HostPlan};
use runtime::redact::Redactor;
use runtime::tasks::Tools;
use serde_json::json;

use super::answers::{collect, refused};
use super::hear::{self, Room};
use super::loop_wire::LoopSay;
use super::rehearse;
use super::scrub;
use super::tried::Told;
use super::who::{lesser, who};
use super::wire::{Ask, PROTOCOL, Refusal, Reply, VERSION};

/// Longest line a client may send: a batch of the largest task list fits.
const LINE_BYTES_MAX: u64 = 16 << 20;
/// How long news of a run is waited for: a client looks up now and then, to hear its own person.
const NEWS_WAIT: Duration = Duration::from_millis(100);

/// What the engine process needs to know.
pub struct EnginePlan {
    /// The host's own plan.
    pub host: HostPlan,
    /// Where the journal is.
    pub journal_dir: PathBuf,
    /// Where to listen.
    pub socket: PathBuf,
    /// Default mode of a loop's start.
    pub default_mode: Mode,
    /// Default bound of a new loop.
    pub max_iterations: u32,
    /// Highest bound a loop may have.
    pub max_iterations_ceiling: u32,
    /// What a collab's plan is made in.
    pub around: Around,
    /// What a turn's start is made in.
    pub turns: runtime::turns::Around,
}

/// The one line an engine prints when it is ready, or when it can't be.
#[derive(Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Ready {
    Ready,
    Fault { kind: String, details: serde_json::Value },
}

/// Why an engine process ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The engine stopped.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The socket could not be made.
    #[error("socket: {0}")]
    Socket(#[from] std::io::Error),
}

impl From<Fault> for ServeError {
    fn from(fault: Fault) -> Self {
        Self::Host(fault.into())
    }
}

/// What each client's thread has.
pub(super) struct Shop {
    pub(super) handle: Handle,
    pub(super) plan: ShopPlan,
    pub(super) told: Told,
}

pub(super) struct ShopPlan {
    pub(super) journal_dir: PathBuf,
    tools: Tools,
    default_mode: Mode,
    max_iterations: u32,
    max_iterations_ceiling: u32,
    pub(super) root: PathBuf,
    pub(super) loop_dir: PathBuf,
    settings: kernel::loops::Settings,
    pub(super) checks: runtime::checks::Sources,
    pub(super) around: Around,
    pub(super) turns: runtime::turns::Around,
    pub(super) lifecycles: Arc<runtime::lifecycles::Around>,
    pub(super) judge: runtime::policy::Judge,
    pub(super) rules: kernel::call::Rules,
    pub(super) sessions: Sessions,
    pub(super) units: Arc<runtime::sessions::Around>,
    pub(super) redactor: Arc<Redactor>,
    pub(super) extra: runtime::child_env::Extra,
    pub(super) limits: runtime::tools::Limits,
}

/// Runs an engine until it leaves. `ready` is called once clients can connect.
///
/// # Errors
/// Why it could not start or had to stop.
pub fn serve(plan: EnginePlan, since: At, ready: impl FnOnce()) -> Result<(), ServeError> {
    let owner = Owner { pid: std::process::id(), version: VERSION.to_owned(), since_ms: since.0 };
    let journal = Sqlite::open(&plan.journal_dir, &owner)?;
    let sessions = Sessions::of(&plan.journal_dir);
    let shop_plan = ShopPlan {
        journal_dir: plan.journal_dir,
        tools: Tools::of_loop(&plan.host.hands.loop_settings),
        default_mode: plan.default_mode,
        max_iterations: plan.max_iterations,
        max_iterations_ceiling: plan.max_iterations_ceiling,
        root: plan.host.hands.root.clone(),
        loop_dir: plan.host.loop_dir.clone(),
        settings: plan.host.hands.loop_settings.clone(),
        checks: plan.host.hands.checks.clone(),
        around: plan.around,
        turns: plan.turns,
        lifecycles: Arc::clone(&plan.host.hands.lifecycles),
        judge: plan.host.standing.judge.clone(),
        rules: plan.host.standing.rules.clone(),
        sessions,
        units: Arc::clone(&plan.host.hands.sessions),
        redactor: Arc::clone(&plan.host.hands.redactor),
        extra: plan.host.hands.extra.clone(),
        limits: plan.host.hands.tools.limits,
    };
    let host = Host::start(plan.host, journal)?;
    let listener = listen(&plan.socket)?;
    ready();
    let told = Told::default();
    let shop = Arc::new(Shop { handle: host.handle.clone(), plan: shop_plan, told });
    std::thread::Builder::new().name("door".into()).spawn(move || {
        for stream in listener.incoming().flatten() {
            let shop = Arc::clone(&shop);
            // No thread to be had: the client sees its connection close and says so.
            drop(std::thread::Builder::new().spawn(move || shop.attend(&stream)));
        }
    })?;
    let ended = host.wait();
    // The next engine makes its own; a client that comes meanwhile finds nobody and starts one.
    drop(std::fs::remove_file(&plan.socket));
    Ok(ended?)
}

fn listen(path: &std::path::Path) -> std::io::Result<UnixListener> {
    if let Some(dir) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    }
    // The journal's lock is ours, so whoever left this socket is gone.
    drop(std::fs::remove_file(path));
    let listener = UnixListener::bind(path)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

impl Shop {
    /// Serves one client until it goes away.
    fn attend(&self, stream: &UnixStream) {
        let _present = self.handle.client();
        let seen = who(stream);
        let mut by = seen.clone();
        let mut lines = BufReader::new(std::io::Read::take(stream, LINE_BYTES_MAX));
        loop {
            lines.get_mut().set_limit(LINE_BYTES_MAX);
            let mut line = Vec::new();
            match lines.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            let ask = serde_json::from_slice::<Ask>(&line);
            if let Ok(Ask::Hello { speaks, .. }) = &ask {
                by = lesser(&seen, speaks);
            }
            let reply = match ask {
                Ok(ask) => self.watched(&by, ask),
                Err(why) => Some(Reply::Refused(hear::invalid(
                    "door.invalid_args",
                    json!({"expected": why.to_string()}),
                ))),
            };
            let Some(reply) = reply else { return };
            let mut text = serde_json::to_vec(&reply).expect("replies are plain data");
            text.push(b'\n');
            if (&*stream).write_all(&text).is_err() {
                return;
            }
        }
    }

    /// The answer, or none when the engine has left: the connection then closes.
    pub(super) fn answer(&self, by: &By, ask: Ask) -> Option<Reply> {
        match ask {
            Ask::Hello { .. } => Some(Reply::Hello {
                version: VERSION.to_owned(),
                protocol: PROTOCOL,
                status: self.handle.status().ok()?,
            }),
            Ask::Status => Some(Reply::Status(self.handle.status().ok()?)),
            Ask::News { run, seq } => {
                self.handle.news(&run, seq, NEWS_WAIT).ok()?;
                Some(Reply::Noted)
            }
            Ask::Redraw { run } => {
                self.handle.redraw(&run).ok()?;
                Some(Reply::Noted)
            }
            Ask::Leave => {
                if !by.may_approve() {
                    return Some(Reply::Refused(hear::invalid("door.needs_person", json!({}))));
                }
                self.handle.leave().ok()?;
                Some(Reply::Left)
            }
            Ask::Loop { run, trace, says, at } => self.to_loop(by, (&run, at), &trace, says),
            Ask::Call { run, trace, say } => self.to_call(by, &run, &trace, say),
            Ask::Collab { run, trace, say } => self.to_collab(by, &run, &trace, say),
            Ask::Turn { run, trace, say } => self.to_turn(by, (&run, Link::Alone), &trace, say),
            Ask::Lifecycle { run, trace, say } => {
                self.to_lifecycle(by, (&run, Link::Alone), &trace, say)
            }
            Ask::At { seq, ask } => self.to_one_at(by, Link::At(seq), *ask),
            Ask::Session { run, trace, say } => self.to_session(by, &run, &trace, say),
            Ask::Agent { run, trace, form } => self.to_agent(by, &run, &trace, form),
            Ask::Tool { run, trace, form } => self.to_tool(by, &run, &trace, &form),
            Ask::Inner { trace, form, known } => self.to_inner(by, &trace, &form, known),
            Ask::Heard { key } => Some(self.to_heard(by, &key)),
            Ask::InTurn { run, trace, form } => self.to_inner_of(by, &run, &trace, &form),
            Ask::Revoke { run, trace } => {
                if !by.may_approve() {
                    return Some(refused("policy.needs_person", &run));
                }
                let revoke = Command::Grant(kernel::grant::Command::Revoke);
                self.say_one(by, &run, &trace, Ok(revoke))
            }
            Ask::Tried { .. } => Some(Reply::Noted),
            Ask::Check { run, trace, check } => self.to_check(by, &run, &trace, *check),
        }
    }

    fn to_loop(
        &self,
        by: &By,
        (run, at): (&str, Option<u64>),
        trace: &str,
        says: Vec<LoopSay>,
    ) -> Option<Reply> {
        let own = self.works_for(by, run);
        if says.iter().any(|say| hear::loop_needs_person(by, own, say)) {
            let mut refusal = hear::invalid("loop.needs_person", json!({}));
            refusal.run = Some(run.to_owned());
            return Some(Reply::Refused(refusal));
        }
        let commands = scrub::scrub(says, &self.plan.redactor).and_then(|says| {
            self.with_room(|room| {
                let mut commands = Vec::new();
                for say in says {
                    for command in hear::loop_commands(run, say, room)? {
                        commands.push(scrub::checks(command, &self.plan.redactor)?);
                    }
                }
                Ok(commands)
            })
        });
        let commands = commands
            .map_err(|refusal| Refusal { run: Some(run.to_owned()), ..refusal })
            .and_then(|commands| rehearse::whole(by, now(), commands));
        match commands {
            Err(refusal) => Some(Reply::Refused(refusal)),
            Ok(commands) => {
                let commands = commands.into_iter().map(Command::Loop).collect();
                let link = at.map_or(Link::Alone, Link::At);
                let answers = self.handle.say_all(by.clone(), run, trace, (link, commands)).ok()?;
                let mut reply = collect(answers, trace);
                if let Reply::Taken { refused: Some(refusal), .. } = &mut reply {
                    self.name_kin(refusal);
                }
                Some(reply)
            }
        }
    }

    /// Names whom a refusal's next step is about: the loop whose task is not known, or the call
    /// that was stopped and left nobody knowing whether it happened, so that waiting ends nothing.
    fn name_kin(&self, refusal: &mut Refusal) {
        if refusal.code == "loop.no_such" && refusal.details["what"] == "task" {
            refusal.details["task_of"] = json!(refusal.run);
        }
        if refusal.code != "loop.still_closing" {
            return;
        }
        let Some(child) = refusal.details["child"].as_str().map(str::to_owned) else { return };
        if let Some(State::Call(kernel::call::State::Unknown { .. })) = self.state(&child) {
            refusal.details["kind"] = json!("unknown");
            refusal.details["unknown"] = json!(child);
        }
    }

    /// Whether an agent's call belongs to this run, itself or through a turn of it.
    pub(super) fn works_for(&self, by: &By, run: &str) -> bool {
        let By::Agent { call } = by else { return true };
        let Ok(journal) = Sqlite::open_reader(&self.plan.journal_dir) else { return false };
        let above = |id: &String| journal.head(id).ok().flatten().and_then(|head| head.parent);
        std::iter::successors(Some(call.clone()), above).skip(1).any(|parent| parent == run)
    }

    /// A run as the journal has it.
    pub(super) fn run(&self, run: &str) -> Option<Run> {
        let journal = Sqlite::open_reader(&self.plan.journal_dir).ok()?;
        let head = journal.head(run).ok()??;
        fold(&journal, &head, None).ok()
    }

    /// Where it stands.
    pub(super) fn state(&self, run: &str) -> Option<State> {
        self.run(run).map(|run| run.state)
    }

    pub(super) fn with_room<T>(&self, work: impl FnOnce(&Room<'_>) -> T) -> T {
        let plan = &self.plan;
        work(&Room {
            now: now(),
            tools: &plan.tools,
            default_mode: plan.default_mode,
            max_iterations: plan.max_iterations,
            max_iterations_ceiling: plan.max_iterations_ceiling,
            course: &|| {
                let checks = runtime::checks::for_loop(&plan.root, &plan.checks);
                (plan.settings.clone(), checks)
            },
            standing: &|run| {
                let known = self.run(run)?;
                match known.state {
                    State::Loop(state) => Some((state, known.seq)),
                    State::Call(_)
                    | State::Collab(_)
                    | State::Grant(_)
                    | State::Turn(_)
                    | State::Lifecycle(_)
                    | State::Session(_) => None,
                }
            },
            prompt: &|run| match self.state(run)? {
                State::Call(kernel::call::State::Asked { facts, prompt, .. }) => {
                    Some((prompt, facts.request_hash))
                }
                State::Call(_)
                | State::Loop(_)
                | State::Collab(_)
                | State::Grant(_)
                | State::Turn(_)
                | State::Lifecycle(_)
                | State::Session(_) => None,
            },
        })
    }
}

fn now() -> At {
    runtime::clock::Clock::start(At(0)).now()
}
