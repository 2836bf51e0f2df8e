//! What the jobs do with what they find, what they are answered, and what their work gave. The
//! moves that all of them share are in one file; each job's own way is in its own.

mod base;
mod commit;
mod moves;
mod review;
mod rollback;
mod test;

use moves::{At, words};
pub use moves::{answered, cut, told};
