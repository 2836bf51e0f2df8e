//! Extremely high risk, found in parsed commands: what kind, how far it reaches, on what evidence.
//! Texts of people and differences of files are looked at elsewhere under the same names.

mod credentials;
mod destroy;
mod find;
mod finding;
mod outward;

pub use find::findings;
pub use finding::{Finding, Level, Reach, Risk, Subject, hash};
