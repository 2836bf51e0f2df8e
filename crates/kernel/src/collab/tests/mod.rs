//! The machine against its table, its page's examples, and what must always hold.

mod ends;
mod invariants;
mod outcomes;
mod people;
mod plans;
mod prompts;
mod retries;
mod table;
mod times;
mod views;
mod world;
