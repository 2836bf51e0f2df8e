//! Policy: what may be done unasked, what a person is asked, what is never done. Pure functions
//! from a request and what is known to a verdict; it reads no file and asks nobody itself.

pub mod argv;
mod builtin;
mod deny;
mod facts;
pub mod glob;
pub mod grant;
mod judge;
mod named;
pub mod path;
mod request;
pub mod risk;
mod rule;
pub mod rules;
mod shown;
pub mod spelled;
mod start;
mod subject;
#[cfg(test)]
mod tests;
mod verdict;
mod weigh;
mod weigh_run;

pub use facts::{ChangeLimit, Changed, FILES_ASK, Facts, Limits, Sandbox};
pub use grant::Grant;
pub use judge::{Ask, Judgement, Need, judge};
pub use named::NAMED;
pub use path::{Ground, Names, PathClass};
pub use request::{
    Act, Asker, Command, Network, Program, Repo, Request, Run, Safety, Tool, Touched,
};
pub use rule::{Case, Pattern, Reason, Repeat, Rule};
pub use rules::Rules;
pub use shown::{Flow, Shown};
pub use start::{Backing, judge_commit, judge_inner, judge_undo};
pub use verdict::{Granted, Trust, Verdict, Word};
pub use weigh_run::names_secret;
