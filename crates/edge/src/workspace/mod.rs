//! The workspace itself, as every door shows and changes it: whose state it holds, whether its
//! owner trusts it, what lies in it, and what of it can go.

mod gc;
mod look;
mod trust;

pub use gc::{Sweep, Swept, sweep};
pub use look::{map, search};
pub use trust::{Lists, adopt, before_trust, give, status};
