//! The short forms of the proofs against the real binary. The long forms are `cargo xtask prove`;
//! both drive the same code.

mod kills;
