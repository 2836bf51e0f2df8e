//! What a state still needs of the world: the one list of effects. Nothing here runs anything;
//! `runtime` compares this with what is in flight, starts the difference and stops the rest.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::machine::At;
use crate::{call, lifecycle, session, turn};

/// Something owed, named by its slot: the path below the run id that makes its key unique for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owed {
    /// A child run, asked for once per key.
    Child {
        /// Path below the run id; with it, the child's key.
        slot: String,
        /// What to ask for if the key is not known yet.
        ask: ChildAsk,
        /// Whether it may go on.
        posture: Posture,
        /// Whether this run has already been told that the child exists.
        begun: Begun,
    },
    /// A deadline; fires at most once as the machine's own timeout command.
    Timer {
        /// Path below the run id.
        slot: String,
        /// Absolute moment.
        due: At,
    },
    /// A question that a person may answer.
    Question {
        /// Path below the run id.
        slot: String,
        /// What is asked.
        question: Question,
    },
    /// An act of the hands.
    Effect {
        /// Path below the run id.
        slot: String,
        /// What to do.
        effect: Effect,
    },
}

/// The child that a slot stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChildAsk {
    /// One effect on the world.
    Call(alloc::boxed::Box<call::Request>),
    /// What a turn needs; who starts it makes the request of it.
    Turn(alloc::boxed::Box<turn::Ask>),
    /// The undo of what a run changed last and has not taken back yet.
    TakeBack {
        /// That run.
        run: alloc::string::String,
        /// What becomes of content that is not what the run left.
        foreign: call::Foreign,
    },
    /// A turn of its own; who starts it fills in what its owner does not say.
    NewTurn(alloc::boxed::Box<turn::Wish>),
    /// What a session needs; the hands make it ready.
    Session(alloc::boxed::Box<session::Ask>),
}

/// Whether an owed child may go on or only finish what it has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posture {
    /// It runs.
    Run,
    /// A started call runs to its end; nothing new starts.
    Hold,
}

/// Whether the owner knows its child's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It has to be told.
    NotYet,
    /// It was told.
    Told,
}

/// Everything the hands can be asked to do. One executor matches on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Get a call ready; writes only below `.loop/`.
    Prepare {
        /// Which attempt.
        attempt: u32,
    },
    /// Let a prepared call act, or find out what became of it.
    Act {
        /// Which attempt.
        attempt: u32,
        /// The engine life that recorded the start.
        epoch: u64,
    },
    /// Stop a started call's process tree.
    Kill {
        /// Which attempt.
        attempt: u32,
        /// The engine life that recorded the start.
        epoch: u64,
    },
    /// Look at what is left of a lost call; reads only.
    Probe {
        /// Which attempt.
        attempt: u32,
        /// The engine life that recorded the start.
        epoch: u64,
        /// Which look this is.
        n: u32,
    },
    /// Look whether a run of several agents can start; reads only.
    Gate,
    /// Read the digest of the work tree.
    Seal,
    /// Remove the view files of a deleted run.
    RemoveViews,
    /// What a turn needs that is no call.
    Turn(turn::Act),
    /// What a session needs that is no call.
    Session(alloc::boxed::Box<session::Act>),
    /// What a lifecycle needs that is no run of its own.
    Lifecycle(lifecycle::Act),
}

/// A question to people: data, answered at any door, first valid answer wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What kind of decision it is; also the message key of its text.
    pub kind: String,
    /// Facts for the text.
    pub about: String,
    /// Stable answer keys in their fixed order.
    pub options: Vec<String>,
    /// Whether an answer may carry text.
    pub takes_text: bool,
    /// Hash of what is being approved.
    pub hash: Option<String>,
}
