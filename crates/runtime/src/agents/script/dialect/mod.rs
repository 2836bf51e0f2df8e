//! How the scripted agent talks: like our own drivers (`stream/1`), or like one of the CLIs, line
//! by line as recorded streams of them show it. A dialect prints; it does nothing else.

mod claude;
mod claude_lines;
mod codex;
mod gemini;
mod qwen;
mod said;
mod stream1;
mod tongue;
mod wrapper;

pub(super) use said::{Act, Failed, Retried, ToolUse, Turn};
pub(super) use tongue::Dialect;
pub use tongue::Tongue;
