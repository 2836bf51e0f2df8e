//! Long proofs: what the tests show in seconds, shown for hours, and what needs the real binary.
//! One file a proof; a new one adds a line to the list.

mod agent_children;
mod autos;
mod change_kills;
mod children;
mod claims;
mod collab_kills;
mod debug_kills;
mod edits;
mod engine;
mod explore;
mod faults;
mod flips;
mod hostile;
mod import_kills;
mod kills;
mod list;
mod package_kills;
mod packages;
mod parsers;
mod patch;
mod progress;
mod races;
mod random;
mod real;
mod rollback;
mod save_faults;
mod save_kills;
mod scenarios;
mod session_kills;
mod shim_kills;
mod skill_kills;
mod streams;
mod tested;

pub use list::run;
