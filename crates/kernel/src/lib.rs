//! The rules: machines as pure functions over plain enums. It does no I/O, reads no clock and
//! makes no ids; whatever needs the world is owed as a value and carried out by `runtime`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod agent;
pub mod base64;
pub mod call;
pub mod collab;
pub mod errors;
pub mod grant;
pub mod hash;
pub mod lifecycle;
pub mod loops;
pub mod machine;
pub mod owed;
pub mod packages;
pub mod patch;
pub mod paths;
pub mod policy;
pub mod rollback;
pub mod run;
pub mod session;
mod stars;
pub mod table;
pub mod turn;
pub mod walk;
