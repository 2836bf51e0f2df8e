//! What the hands do for turns: acts that are no calls, requests of calls, and reading what calls
//! left. Each ends as one command to the turn; what it means there is the machine's to say.

mod acted;
mod asked;
pub(super) mod checked;
mod evidence;
mod left;
mod run;
mod several;
mod words;

pub(super) use evidence::{mark, payload};
pub(super) use run::{act, ask, hear, read, start};
