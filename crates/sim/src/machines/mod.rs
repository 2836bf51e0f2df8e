//! The machines as subjects: one file a machine, or a folder where its alphabet is large.

pub mod call;
pub mod collab;
pub mod lifecycle;
pub mod loops;
pub mod session;
pub mod turn;
