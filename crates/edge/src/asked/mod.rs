//! Open questions as every door answers them: which one is meant, which words answer it, and how
//! far a yes reaches. Who may answer is the engine's to say.

mod answer;
mod lifecycle;
mod take;

pub use answer::{CLARIFY, PROCEED, Say, key, say_answer, send};
pub use lifecycle::CONFIRM;
pub use take::{Answered, Form, Reach, answer, read};
