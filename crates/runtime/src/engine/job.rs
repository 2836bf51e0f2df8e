//! The one list of things the hands can be asked to do. The engine makes these; `hands` runs them
//! and reports each end as a command. A job is not a promise: the state that owes it is.

use std::collections::BTreeMap;

use kernel::call::{Exit, Facts, Prep};
use kernel::loops::{self, Check, Leg};
use kernel::{call, collab, lifecycle, policy, run, session, turn};

use super::answered::Spoken;
use crate::policy::Flow;

/// A recorded start of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Names the job while it is in flight.
    pub key: String,
    /// The call.
    pub run: String,
    /// Which attempt.
    pub attempt: u32,
    /// The engine life that recorded the start.
    pub epoch: u64,
    /// What was asked.
    pub facts: Box<Facts>,
    /// What preparing found.
    pub prep: Prep,
    /// Trace of the chain it belongs to.
    pub trace: String,
    /// Packages that sessions hold to which this call does not belong, each with its session; only
    /// of a call that moves packages.
    pub held: BTreeMap<String, String>,
}

/// Work for the hands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields are named by the machines' own records")]
pub enum Job {
    /// Get a call ready: resolve, mark the tree, write its request. Ends as Prepared or
    /// PrepareFailed.
    Prepare { key: String, run: String, attempt: u32, facts: Box<Facts>, trace: String },
    /// Launch a start that this engine life recorded. Ends as Exited or Lost.
    Launch { start: Start },
    /// Find out what became of a start recorded by an earlier life. Ends as Exited or Lost.
    Attach { start: Start },
    /// Stop the process tree. Ends as Exited or Lost.
    Kill { start: Start },
    /// Look at a lost call. Ends as Probed or Exited.
    Probe { start: Start, n: u32 },
    /// Read the digest of the tree for a loop's seal. Ends as LegEnded.
    Seal { key: String, run: String, n: u32 },
    /// Read what a command of a loop printed. Ends as LegEnded.
    Report { key: String, run: String, n: u32, leg: Leg, look: Look, child: String, ran: Box<Ran> },
    /// Look whether a collab can start; reads only. Ends as GateChecked.
    Gate { key: String, run: String, plan: Box<collab::Plan> },
    /// Read what an agent answered. Ends as LegEnded.
    ReadAnswer { key: String, run: String, n: u32, leg: Leg, spoken: Box<Spoken> },
    /// Remove a deleted loop's files. Ends as ViewsRemoved.
    RemoveViews { key: String, run: String },
    /// Do for a turn what is no call. Ends as ToolCallResult.
    TurnAct { scene: Box<Scene>, act: turn::Act },
    /// Make the start of a turn that a run owes. Ends as [`Made`].
    TurnStart { key: String, owner: Owner, wish: Box<turn::Wish> },
    /// Make ready what a turn asks for. Ends as [`Made`].
    TurnAsk { scene: Box<Scene>, ask: Box<turn::Ask> },
    /// Read what several agents came to at a step of a turn. Ends as ToolCallResult.
    TurnHear { scene: Box<Scene>, heard: Box<Heard> },
    /// Look at something for a session. Ends as Told.
    SessionAct { sitting: Box<Sitting>, act: Box<session::Act> },
    /// Make ready what a session asks for. Ends as [`Made`].
    SessionAsk { sitting: Box<Sitting>, ask: Box<session::Ask> },
    /// Read what a call left that a session waits for. Ends as Told.
    SessionRead { sitting: Box<Sitting>, left: Box<Left> },
    /// Read what several agents came to that a session asked. Ends as Told.
    SessionHear { sitting: Box<Sitting>, heard: Box<Heard> },
    /// Read what a call left that a turn waits for. Ends as ToolCallResult.
    TurnRead { scene: Box<Scene>, ask: Option<Box<turn::Ask>>, left: Box<Left> },
    /// Do for a lifecycle what is no run of its own. Ends as the command of its act.
    LifecycleAct { scene: Box<LifeScene>, act: lifecycle::Act },
    /// Read what a child of a lifecycle left. Ends as the command of its step.
    LifecycleRead { scene: Box<LifeScene>, child: Box<Child> },
}

/// Who owes a turn that is begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The run.
    pub run: String,
    /// What it owes, below its id.
    pub slot: String,
    /// The key of the branch that it belongs to, where it is a session.
    pub branch: Option<String>,
}

/// What the hands know of a turn when they act for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Names the job while it is in flight.
    pub key: String,
    /// The turn.
    pub run: String,
    /// What it owes, below its id.
    pub slot: String,
    /// Where it stands.
    pub life: turn::Life,
    /// What was granted to it.
    pub flow: Flow,
    /// The turn that it goes on from.
    pub earlier: Option<turn::State>,
    /// The turns before it in its conversation, the oldest first; only where its context is built.
    pub before: Vec<(String, turn::State)>,
    /// Its calls, the oldest first, where it is summed up or repaired; the last ones before it,
    /// where its context is built.
    pub calls: Vec<(String, call::State)>,
}

/// What the hands know of a lifecycle when they act for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifeScene {
    /// Names the job while it is in flight.
    pub key: String,
    /// The lifecycle.
    pub run: String,
    /// What it owes, below its id.
    pub slot: String,
    /// Where it stands.
    pub life: lifecycle::Life,
    /// All its calls and those of its turns, the oldest first, where it goes back.
    pub calls: Vec<String>,
}

/// A child that has ended, or of which nobody can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// The run.
    pub run: String,
    /// Where it stands.
    pub state: run::State,
    /// Its calls, the oldest first.
    pub calls: Vec<(String, call::State)>,
}

/// What the hands know of a session when they act for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sitting {
    /// Names the job while it is in flight.
    pub key: String,
    /// The session.
    pub run: String,
    /// What it owes, below its id.
    pub slot: String,
    /// Where it stands.
    pub life: session::Life,
    /// The other sessions of the workspace.
    pub others: Vec<session::Life>,
    /// Every call, the oldest first; only where the way back to one is looked for.
    pub calls: Vec<String>,
    /// The calls of its flow, the oldest first; only where what it changed is looked at.
    pub changes: Vec<(String, call::State)>,
}

/// A run of several agents that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The run.
    pub child: String,
    /// How it ended.
    pub state: collab::State,
    /// Who ended it.
    pub stopped: Stopped,
}

/// Who ended a run of several agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The turn that owns it, so that nothing came of it.
    ByOwner,
    /// Nobody, or somebody else.
    No,
}

/// A call that has ended, or of which nobody can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The call.
    pub call: String,
    /// Where it stands.
    pub state: call::State,
}

/// What an owner asked for, made ready to begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// A call.
    Call(Wanted),
    /// A run of several agents.
    Collab(Box<collab::Plan>),
    /// A turn.
    Turn(Box<turn::Start>),
    /// A lifecycle.
    Lifecycle(Box<lifecycle::Begin>),
    /// A loop: that it is made, its tasks, and its start.
    Loop(Vec<loops::Command>),
}

/// What a turn wants done, made a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The request.
    pub request: Box<call::Request>,
    /// What policy is asked of it, for tools whose arguments are kept out of the record.
    pub judged_as: Option<Box<policy::Request>>,
}

/// The end of [`Job::TurnAsk`] and [`Job::TurnStart`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The job.
    pub job: String,
    /// The owner.
    pub run: String,
    /// What it owes.
    pub slot: String,
    /// What can begin, or why nothing can.
    pub ready: Result<Ready, Box<turn::Fault>>,
}

/// What is looked for in what a command printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// The results of this check.
    Check(Box<Check>),
    /// What it shows of a problem, and the debug lines of these hypotheses.
    Problem(Vec<String>),
}

impl Look {
    /// What this leg looks for, if it runs a command whose output counts whatever its end.
    pub(super) fn of(owner: &loops::State, leg: &Leg) -> Option<Self> {
        match leg {
            Leg::Check(index) => Some(Self::Check(Box::new(owner.check(*index)?.clone()))),
            Leg::Reproduce => Some(Self::Problem(owner.hypotheses())),
            Leg::Breakdown
            | Leg::Work
            | Leg::Explore
            | Leg::Instrument
            | Leg::Analyze
            | Leg::Restore
            | Leg::Seal => None,
        }
    }
}

/// What is known of a command's process when its output is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub exit: Exit,
    /// Digest of the tree before it.
    pub tree_before: Option<String>,
}

impl Job {
    /// The key that names this job while it is in flight.
    #[must_use]
    pub fn key(&self) -> &str {
        match self {
            Self::Launch { start }
            | Self::Attach { start }
            | Self::Kill { start }
            | Self::Probe { start, .. } => &start.key,
            Self::LifecycleAct { scene, .. } | Self::LifecycleRead { scene, .. } => &scene.key,
            Self::TurnAct { scene, .. }
            | Self::TurnAsk { scene, .. }
            | Self::TurnHear { scene, .. }
            | Self::TurnRead { scene, .. } => &scene.key,
            Self::SessionAct { sitting, .. }
            | Self::SessionAsk { sitting, .. }
            | Self::SessionHear { sitting, .. }
            | Self::SessionRead { sitting, .. } => &sitting.key,
            Self::Prepare { key, .. }
            | Self::Seal { key, .. }
            | Self::Report { key, .. }
            | Self::Gate { key, .. }
            | Self::ReadAnswer { key, .. }
            | Self::TurnStart { key, .. }
            | Self::RemoveViews { key, .. } => key,
        }
    }
}
