//! Asking people through a program of theirs. A question is open at every door whatever happens
//! here: this is one more door, and it can neither close a question nor approve by itself.

mod asking;
pub mod reply;
mod request;
mod worker;
mod zhi;

pub use request::{REQUEST_BYTES_MAX, ZhiPlan, call_id};
pub use worker::{Heard, Then, ZHI_REASK_MAX};
pub use zhi::Zhi;
