//! Operations on a real directory: what they leave, what they refuse, and that a crash at any step
//! loses nothing.

mod commits;
mod kills;
mod operations;
mod reads;
mod yard;
