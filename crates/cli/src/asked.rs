//! An answer typed at a terminal: how its options are shown, and the desk it is given at. What it
//! says to whom is the same for every door.

pub use edge::asked::{CLARIFY, Say, key, say_answer, send};
use runtime::query::OpenQuestion;

use crate::ctx::Ctx;
use crate::desk::{self, Desk};
use crate::trouble::Trouble;

/// A desk for the answer: what lets more happen than before needs trust.
///
/// # Errors
/// When the workspace can't be used, nobody trusts it, or no engine answers.
pub fn desk_for(ctx: &Ctx, say: &Say) -> Result<Desk, Trouble> {
    if say.widens() { desk::open(ctx) } else { desk::steer(ctx) }
}

/// The options by number, one a line.
pub fn options(ctx: &Ctx, question: &OpenQuestion) -> Vec<String> {
    let line = |(at, (key, label)): (usize, (String, String))| {
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("n", &(at + 1)), ("key", &key), ("label", &label)];
        format!("  {}", ctx.tell("questions-option", &args))
    };
    question.options(ctx.lang).into_iter().enumerate().map(line).collect()
}
