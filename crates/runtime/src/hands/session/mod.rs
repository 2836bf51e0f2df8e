//! What the hands do for sessions: looks, requests that only they can make ready, and reading what
//! calls left.

mod acts;
mod asks;
mod base;
mod desk;
mod driven;
mod entry;
mod left;
mod report;
mod rolled;
mod several;

use desk::failed;
pub(super) use desk::{act, ask, elsewhere, hear, read};
