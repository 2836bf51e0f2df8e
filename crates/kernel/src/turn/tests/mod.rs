//! The machine against its table, its page's examples, and what must always hold.

mod invariants;
mod plans;
mod profiles;
mod regs;
mod repairs;
mod stories;
mod table;
mod waits;
mod world;
