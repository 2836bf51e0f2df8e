//! A few threads that take jobs from one queue. A slow look at one call holds up no other.

use std::collections::HashMap;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use journal::Sqlite;
use kernel::{call, loops};

use super::listen::Listener;
use super::saved::RollbackArgs;
use crate::agents::config::AgentConfig;
use crate::agents::fold::{Retry, cut};
use crate::agents::sessions::Sessions;
use crate::checkpoints::{Keeper, Keeping, UntilTold};
use crate::child_env::Extra;
use crate::clock::Clock;
use crate::config::TurnContext;
use crate::engine::{Job, Saying};
use crate::files::{Fault, Root};
use crate::host::handle::Msg;
use crate::policy::Judge;
use crate::query;
use crate::redact::Redactor;
use crate::rollback::Wanted;
use crate::sandbox::Walls;
use crate::shim::files::Ticket;
use crate::shim::watch::{Report, Watcher};
use crate::tree::Stamp;
use crate::views::{Notice, Word};
use crate::{tools, tree, workspace};

/// Threads of the pool: enough that a probe, which may wait some seconds, delays nothing; jobs are
/// milliseconds otherwise.
const WORKERS: usize = 4;
/// Where the journal is, below the directory of our files.
const JOURNAL: &str = "journal";
/// Told of why a program asks again.
const RETRY_BYTES_MAX: usize = 400;

/// What the hands need to know.
#[derive(Clone, Debug)]
pub struct HandsPlan {
    /// The work tree, absolute and without links.
    pub root: PathBuf,
    /// The same, as the directory that was found there: in another one nothing is done.
    pub found: workspace::Root,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// Our own program, started again as the shim.
    pub exe: PathBuf,
    /// Where it is kept what agents' programs said of themselves.
    pub agent_cache: PathBuf,
    /// What passes into children beyond the standing list.
    pub extra: Extra,
    /// Cap of each spool.
    pub spool_bytes: u64,
    /// What hides secrets in anything that is stored.
    pub redactor: Arc<Redactor>,
    /// Settings a loop's start records.
    pub loop_settings: loops::Settings,
    /// Where checks come from.
    pub checks: crate::checks::Sources,
    /// Files below the root that coverage is read from.
    pub coverage_paths: Vec<String>,
    /// How the tree is kept.
    pub keeping: Keeping,
    /// What tools are held to.
    pub tools: tools::Bounds,
    /// What a context pack is held to.
    pub turn_context: TurnContext,
    /// What the turns of other runs are made in.
    pub turns: Arc<crate::turns::Around>,
    /// What the units of sessions are started in.
    pub sessions: Arc<crate::sessions::Around>,
    /// What lifecycles are made in.
    pub lifecycles: Arc<crate::lifecycles::Around>,
    /// What several agents at a step are asked in.
    pub collab: Arc<crate::collab::Around>,
    /// The configured agents.
    pub agents: Arc<Vec<AgentConfig>>,
    /// Who knows the program that was judged.
    pub judge: Judge,
    /// What holds calls.
    pub walls: Arc<Walls>,
    /// Hosts and ports that a start gate tries to reach; none = the network is not looked at.
    pub network_probe: Vec<String>,
}

impl HandsPlan {
    /// The work tree, held.
    ///
    /// # Errors
    /// When another directory stands there, or it cannot be opened.
    pub(super) fn hold(&self) -> Result<Root, Fault> {
        Root::hold(&self.found)
    }
}

/// One shim that is waited for.
#[derive(Clone, Debug)]
pub(super) struct Watching {
    pub(super) key: String,
    pub(super) tree_before: Option<String>,
    pub(super) facts: Box<call::Facts>,
    /// The tree as it was left, if it was looked at already; locked by whoever looks.
    pub(super) after: Arc<Mutex<Option<tree::Mark>>>,
    /// By which long work of the engine's own is told to stop.
    pub(super) told: UntilTold,
}

impl Watching {
    /// That look. A worker that panicked over it left none.
    pub(super) fn after(&self) -> std::sync::MutexGuard<'_, Option<tree::Mark>> {
        self.after.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the pool works on: jobs of the engine, and shims the watcher reports.
#[derive(Debug)]
pub(super) enum Task {
    Job(Box<Job>),
    Mark(Ticket),
    Look(Ticket),
}

/// What every worker has.
pub(super) struct Desk {
    pub(super) plan: HandsPlan,
    pub(super) epoch: u64,
    pub(super) clock: Clock,
    pub(super) tree: Mutex<tree::Cache>,
    pub(super) watching: Mutex<HashMap<Ticket, Watching>>,
    pub(super) watcher: Watcher,
    pub(super) listener: Listener,
    pub(super) sessions: Sessions,
    /// Conversations that calls of this life were made ready to go on with, by the call.
    talks: Mutex<HashMap<String, String>>,
    /// What the programs of calls that are ready looked like.
    ready: Mutex<HashMap<String, Stamp>>,
    keeper: OnceLock<Mutex<Keeper>>,
    pub(super) inbox: Sender<Msg>,
}

impl Desk {
    /// Reports an end to the engine. One that has left looks again when it starts.
    pub(super) fn land(&self, saying: Saying) {
        drop(self.inbox.send(Msg::Landed(Box::new(saying))));
    }

    /// The directory of a call.
    pub(super) fn call_dir(&self, call: &str) -> PathBuf {
        self.plan.loop_dir.join("calls").join(call)
    }

    /// Where marks of the tree are kept.
    pub(super) fn marks_dir(&self) -> PathBuf {
        self.plan.loop_dir.join(tree::store::DIR)
    }

    /// What is known of a rollback that is asked for, calls and journal included.
    pub(super) fn wanted(&self, args: &RollbackArgs, id: &str) -> Result<Wanted, query::Refusal> {
        let journal = Sqlite::open_reader(&self.plan.loop_dir.join(JOURNAL))?;
        args.wanted(id, &self.plan.loop_dir.join("calls"), &journal)
    }

    /// The map of shims that are waited for; a worker that panicked left it as whole as it was.
    pub(super) fn watching(&self) -> std::sync::MutexGuard<'_, HashMap<Ticket, Watching>> {
        self.watching.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the programs of calls that are ready looked like; as whole as the map above.
    pub(super) fn ready(&self) -> std::sync::MutexGuard<'_, HashMap<String, Stamp>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a conversation for a call that is made ready.
    ///
    /// # Errors
    /// The other call that has it. One that was launched is known from the journal, one that is
    /// only ready from here; both are looked at under one lock, so that of two only one is ready.
    pub(super) fn take_talk(&self, session: &str, call: &str) -> Result<(), String> {
        let mut talks = self.talks.lock().unwrap_or_else(PoisonError::into_inner);
        let ready = talks.get(session).filter(|holder| *holder != call);
        let ready = ready.filter(|holder| !self.sessions.is_over(holder)).cloned();
        if let Some(holder) = ready.or_else(|| self.sessions.holder(session, call)) {
            return Err(holder);
        }
        talks.insert(session.to_owned(), call.to_owned());
        Ok(())
    }

    /// The keeper of checkpoints, made when it is first needed: it looks for git. One that a
    /// worker left in the middle finds its way by itself.
    pub(super) fn keeper(&self) -> std::sync::MutexGuard<'_, Keeper> {
        let plan = &self.plan;
        let keeper = || Keeper::of_workspace(&plan.found, &plan.loop_dir, &plan.keeping);
        let kept = self.keeper.get_or_init(|| Mutex::new(keeper()));
        kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a mark of the tree.
    pub(super) fn mark(&self) -> Result<tree::Mark, tree::Error> {
        let mut cache = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        tree::take(&self.plan.root, &mut cache)
    }
}

/// The pool.
pub struct Hands {
    tasks: Sender<Task>,
    desk: Arc<Desk>,
}

impl Hands {
    /// Starts the threads.
    ///
    /// # Errors
    /// When the system gives no thread or no event descriptor.
    pub(crate) fn start(
        plan: HandsPlan,
        epoch: u64,
        clock: Clock,
        inbox: Sender<Msg>,
    ) -> std::io::Result<Self> {
        for room in ["calls", "cache"] {
            DirBuilder::new().recursive(true).mode(0o700).create(plan.loop_dir.join(room))?;
        }
        // Half a mark of an engine that died; one that can't be removed is in nobody's way.
        drop(tree::store::sweep(&plan.loop_dir.join(tree::store::DIR)));
        let (tasks, queue) = channel();
        let looks = tasks.clone();
        let watcher = Watcher::start(move |report| {
            let task = match report {
                Report::Quiet(ticket) => Task::Mark(ticket),
                Report::Ended(ticket) | Report::StartLate(ticket) => Task::Look(ticket),
            };
            // Nobody left to look means that the engine has left; the next one looks.
            drop(looks.send(task));
        })?;
        let looks = tree::Cache::with_user_ignores().within(plan.keeping.scope);
        let looks = looks.beside(&plan.keeping.page);
        let sessions = Sessions::of(&plan.loop_dir.join(JOURNAL));
        let desk = Arc::new(Desk {
            plan,
            epoch,
            clock,
            tree: Mutex::new(looks),
            watching: Mutex::default(),
            watcher,
            listener: Listener::start(inbox.clone())?,
            sessions,
            talks: Mutex::default(),
            ready: Mutex::default(),
            keeper: OnceLock::new(),
            inbox,
        });
        let queue = Arc::new(Mutex::new(queue));
        for _ in 0..WORKERS {
            let (desk, queue) = (Arc::clone(&desk), Arc::clone(&queue));
            std::thread::Builder::new().name("hand".into()).spawn(move || toil(&desk, &queue))?;
        }
        Ok(Self { tasks, desk })
    }

    /// Gives the pool a job; its end comes to the inbox.
    pub(crate) fn start_job(&self, job: Job) {
        // The pool outlives the engine's thread, which is the only caller.
        drop(self.tasks.send(Task::Job(Box::new(job))));
    }

    /// What a loop's start records: settings in force and the checks of the tree as it is now.
    #[must_use]
    pub fn course(&self) -> (loops::Settings, Vec<loops::Check>) {
        let plan = &self.desk.plan;
        let mut checks = crate::checks::for_loop(&plan.root, &plan.checks);
        // A start by file is refused by nobody at a door: a secret is lost instead, and shows.
        for word in checks.iter_mut().flat_map(|check| &mut check.argv) {
            *word = plan.redactor.redact_text(word);
        }
        (plan.loop_settings.clone(), checks)
    }

    /// Tells people that the program of a call asks its provider again.
    pub(crate) fn retried(&self, run: &str, (call, retry): &(String, Retry)) {
        let number = |count: Option<u64>| count.map_or_else(|| "?".to_owned(), |n| n.to_string());
        let why = self.desk.plan.redactor.redact_text(&retry.why);
        let word = Word::Retry {
            call: call.clone(),
            count: format!("{}/{}", number(retry.attempt), number(retry.max)),
            why: cut(&why, RETRY_BYTES_MAX).to_owned(),
        };
        self.note(&Notice::heard(run, word));
    }

    /// The work tree as it was found when the engine started.
    pub(crate) fn root(&self) -> &workspace::Root {
        &self.desk.plan.found
    }

    /// Keeps a notice where people's commands find it.
    pub fn note(&self, notice: &Notice) {
        crate::views::keep_notice(&self.desk.plan.loop_dir, notice);
    }
}

fn toil(desk: &Desk, queue: &Mutex<Receiver<Task>>) {
    loop {
        let task = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        if desk.plan.found.is_there() {
            super::work::carry_out(desk, task);
        } else {
            // Nothing is done in another directory. The engine, once woken, looks too, and ends.
            drop(desk.inbox.send(Msg::Clients));
        }
    }
}
