//! The machine against its table, its page's examples, and what must always hold.

mod plans;
