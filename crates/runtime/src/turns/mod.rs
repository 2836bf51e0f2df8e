//! What a turn says and reads: the start that a person's form becomes, what is told to planners and
//! agents and how their answers are read, what policy says of a plan, the pages that people read.
//! The machine is the kernel's; calls are run by the hands.

pub mod changes;
mod child;
mod commit;
mod context;
mod folder;
mod form;
pub mod gate;
pub mod granted;
mod inner;
mod intake;
mod message;
mod pages;
mod planner;
pub mod plans;
mod prompts;
mod said;
pub mod store;
mod sum;
mod users_git;

pub use child::{child, unfit};
pub use commit::{
    Commit, committed, git_commit, looked, may_commit, staged, uncommit, unlocked_now,
};
pub use context::{Sight, bare, context, keep_pack, load_pack};
pub use folder::{AUDIT_FILE, Audit, SUMMARY_FILE, SUMMARY_PAGE, pages};
pub use form::{Around, Form, FormError, Named, checked_out, session_of, start};
pub use inner::{Counter, asked as inner};
pub use intake::{intake, language};
pub use message::{Told as Committing, message};
pub use pages::{asked, mark, plan_sheet, summary_sheet};
pub use planner::{Brief, Replan, prompt};
pub use prompts::{Ground, answered, policy, to_agent, to_answerer, to_planner, to_several, wrong};
pub use said::{Closed, closing, planned};
pub use sum::{judge_commit, sum_up};
