//! The twins of the `~` commands, plain words, and what stands: each says one thing to the session
//! of this branch and follows it to its end, or to the next question.

mod args;
mod follow;
mod outside;
mod page;
mod repl;
mod said;
mod shown;
mod twins;
mod typed;

pub use args::{
    BareArgs, CancelArgs, CleanArgs, CommitArgs, ExecArgs, Flags, ReviewArgs, SayArgs, StatusArgs,
    TestArgs, TextArgs, ValidateArgs,
};
pub use repl::run as repl;
pub use said::{Wanted, said};
pub use shown::{sessions, status};
pub use twins::{
    auto, cancel, clean, commit, exec, init, plan, review, rollback, say, test, upgrade, validate,
};
