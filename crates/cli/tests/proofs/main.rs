//! The short forms of the proofs against the real binary. The long forms are `cargo xtask prove`;
//! both drive the same code.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

mod agent_children;
mod children;
mod claims;
mod edits;
mod faults;
mod flips;
mod hostile;
mod kills;
mod uid;

/// The program under proof.
fn exe() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_BIN_EXE_loopwright"))
}
