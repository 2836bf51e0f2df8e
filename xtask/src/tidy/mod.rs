//! The style rules a script can check, and nothing that needs a judge of taste. Reads the text of
//! the repository only: it compiles nothing, so that it is quick and runs on broken code too.

mod exceptions;
mod finding;
mod lines;
mod mask;
mod messages;
mod modfile;
mod names;
mod places;
mod rooms;
mod size;
mod source;
mod walk;

pub use walk::run;
