//! Starting a host: open the journal, fold what lives, begin to turn. Ending one is `turn`'s.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use journal::{Fault, Journal, Sqlite};
use kernel::machine::At;
use kernel::owed::Owed;

use super::folders::Folders;
use super::handle::{Handle, Msg};
use super::memory::Memory;
use super::port::Port;
use super::pulse::{Pace, Pulse};
use super::sheets::Sheets;
use super::turn::Turn;
use crate::ask::ZhiPlan;
use crate::clock::{Armed, Clock};
use crate::engine::{Engine, Halt, Standing};
use crate::hands::{Hands, HandsPlan};
use crate::ids::RandomIds;
use crate::tasks::Tools;
use crate::views::{self, Views};
use crate::words::Lang;

/// Everything a host needs to know before it starts.
#[derive(Debug)]
pub struct HostPlan {
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// What judging calls needs.
    pub standing: Standing,
    /// What the hands need.
    pub hands: HandsPlan,
    /// A program of the person's that is asked too, if one is configured.
    pub zhi: Option<ZhiPlan>,
    /// How often running collabs are looked at.
    pub pace: Pace,
    /// The language of pages.
    pub lang: Lang,
    /// How long to stay without work and clients.
    pub idle_exit_ms: u64,
    /// Build version, told to clients.
    pub version: String,
}

/// Why a host ended other than by leaving.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The engine stopped.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// Another directory stands where the root was: nothing more is done.
    #[error("another directory stands at {}", path.display())]
    RootReplaced {
        /// Where.
        path: PathBuf,
    },
    /// The hands could not be set up.
    #[error("the hands could not be set up: {0}")]
    Hands(#[from] std::io::Error),
}

impl From<Fault> for HostError {
    fn from(fault: Fault) -> Self {
        Self::Halt(Halt::Journal(fault))
    }
}

/// A running host.
#[derive(Debug)]
pub struct Host {
    /// How to speak to it.
    pub handle: Handle,
    thread: JoinHandle<Result<(), HostError>>,
}

impl Host {
    /// Folds the journal and starts to turn. The first turn reconciles everything that lives.
    ///
    /// # Errors
    /// When the journal can't be read or the hands can't be set up.
    pub fn start(plan: HostPlan, journal: Sqlite) -> Result<Self, HostError> {
        let seen = journal.heads()?.iter().map(|head| head.updated_ms).max().unwrap_or(0);
        let epoch = journal.epoch();
        let engine = Engine::open(journal, Box::new(RandomIds), plan.standing)?;
        let clock = Clock::of_engine(&plan.loop_dir.join("journal"), At(seen), armed(&engine));
        let (handle, inbox) = Handle::new();
        let redactor = Arc::clone(&plan.hands.redactor);
        let tools = Tools::of_loop(&plan.hands.loop_settings);
        let lifecycles = Arc::clone(&plan.hands.lifecycles);
        let units = Arc::clone(&plan.hands.sessions);
        let hands = Hands::start(plan.hands, epoch, clock, handle.inbox.clone())?;
        let outside = handle.inbox.clone();
        let watch =
            views::watch(&plan.loop_dir, move |name| outside.send(Msg::Outside(name)).is_ok())?;
        let sheets = Sheets::new(&plan.loop_dir, plan.lang, Arc::clone(&redactor));
        let folders = Folders::new(&plan.loop_dir, Arc::clone(&redactor), plan.lang, units);
        let memory = Memory::new(lifecycles, plan.lang, Arc::clone(&redactor));
        let pulse = Pulse::new(&plan.loop_dir, plan.pace);
        let port = Port::new(plan.zhi.map(|zhi| ZhiPlan { epoch, ..zhi }), handle.inbox.clone())?;
        let views = Views::new(plan.loop_dir, redactor).with_tools(tools);
        let turn = Turn::new(
            engine,
            hands,
            (views, (sheets, folders, memory), pulse, port, watch),
            clock,
            handle.clone(),
            inbox,
        )
        .known_as(plan.version, epoch, plan.idle_exit_ms);
        let thread = std::thread::Builder::new().name("engine".into()).spawn(|| turn.run())?;
        Ok(Self { handle, thread })
    }

    /// Waits until the host has left.
    ///
    /// # Errors
    /// Why it stopped, if it did not leave by itself.
    ///
    /// # Panics
    /// If the engine's thread panicked: a broken invariant stops the program.
    pub fn wait(self) -> Result<(), HostError> {
        drop(self.handle);
        self.thread
            .join()
            .expect("a panic of the engine is a broken invariant and ends the process")
    }
}

/// Whether a run that lives waits for a moment that an earlier engine named.
fn armed(engine: &Engine<Sqlite>) -> Armed {
    let timer = |owed: &Owed| match owed {
        Owed::Timer { .. } => true,
        Owed::Child { .. } | Owed::Question { .. } | Owed::Effect { .. } => false,
    };
    let some = engine.live().any(|(_, run)| run.state.owed().iter().any(timer));
    if some { Armed::Some } else { Armed::None }
}
