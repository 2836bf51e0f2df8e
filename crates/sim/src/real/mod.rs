//! The proving ground for the real binary: real engines, shims, disks and signals, driven from
//! outside as a person's shell would. Nothing here knows how the program is built.

pub mod agent_children;
pub mod asked;
pub mod broken;
pub mod census;
pub mod changes;
pub mod children;
pub mod claims;
pub mod collected;
pub mod debugged;
pub mod edits;
pub mod faults;
pub mod flips;
pub mod full_disk;
pub mod house;
pub mod kills;
pub mod packaged;
pub mod play;
pub mod procs;
pub mod saves;
pub mod script;
pub mod sessions;
pub mod skill;
pub mod taken_in;
pub mod tracer;
pub mod uid;
