//! The engine: one loop over one inbox. It decides, appends, evolves, and says what the hands have
//! to do; it starts no process, writes no file but the journal and reads no clock.

mod answered;
mod around;
mod book;
mod budget;
mod children;
mod grace;
mod granted;
mod history;
mod holder;
mod inner;
mod job;
mod lent;
mod lifecycles;
mod outcome;
mod owner;
mod reconcile;
mod restore;
mod saying;
mod session_ends;
mod session_tools;
mod sessions;
mod shelf;
mod step;
mod timers;
mod turns;
mod twin;

pub use answered::Spoken;
pub(crate) use answered::unusable;
pub use book::{Halt, Run, fold};
pub(crate) use budget::spent as spent_by_several;
pub use job::{
    Child, Heard, Job, Left, LifeScene, Look, Made, Owner, Ran, Ready, Scene, Sitting, Start,
    Stopped, Wanted,
};
pub use saying::{Accepted, Answer, Link, Origin, RefusedAt, Saying, Ticket};
pub use step::{Engine, Ids, Standing, Step, Touched};
