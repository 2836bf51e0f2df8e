//! The engine's door: a socket that every other door speaks through. It reads JSON, finds out who
//! speaks, and passes commands on; it decides nothing about them.

mod agents;
mod answers;
mod bound;
mod calls;
mod client;
mod hear;
mod inner;
mod lifecycle_wire;
mod lifecycles;
mod looks;
mod loop_wire;
mod outside;
mod rehearse;
mod scrub;
mod serve;
mod session_wire;
mod sessions;
mod tickets;
mod tools;
mod tried;
mod turn_scrub;
mod turns;
mod who;
mod wire;

pub use client::{Client, ClientError, Launcher, connect_or_start, connect_running};
pub use lifecycle_wire::LifecycleSay;
pub use loop_wire::{LabelForm, LoopSay, Shown, TaskForm, TaskFormPatch};
pub use scrub::scrub;
pub use serve::{EnginePlan, Ready, ServeError, serve};
pub use session_wire::SessionSay;
pub use wire::{
    AgentForm, Ask, CallSay, CollabSay, PROTOCOL, Refusal, Reply, SettleWord, Speaks, Taken,
    ToolForm, TurnSay, VERSION, YesNo,
};
