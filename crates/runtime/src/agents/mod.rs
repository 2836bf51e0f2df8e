//! Agents: how a request becomes a process, and a process's bytes become facts. What may start and
//! what an outcome means for a run is decided elsewhere.

pub mod script;
