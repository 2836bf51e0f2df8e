//! A question of a turn on the terminal: everything one has to know first, then a moment for a
//! line. An answer given elsewhere is seen meanwhile.

use std::time::Duration;

use kernel::turn::State;
use runtime::query::OpenQuestion;
use runtime::redact::Redactor;

use super::page;
use crate::asked;
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::live::prompt::{self, Asked, Typed};
use crate::out;

/// Whether somebody is still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Here {
    Yes,
    /// The input was closed.
    No,
}

/// Shows the question once and waits a moment for a line.
pub fn ask(
    ctx: &Ctx,
    desk: &mut Desk,
    (state, question): (&State, &OpenQuestion),
    shown: &mut Option<OpenQuestion>,
    (redactor, patience): (&Redactor, Duration),
) -> Here {
    if shown.as_ref() != Some(question) {
        let lines = match state.life() {
            Some(life) if question.machine == "turn" => page::question_lines(ctx, life, question),
            Some(_) | None => {
                let mut lines = vec![question.text(ctx.lang)];
                lines.extend(asked::options(ctx, question));
                lines
            }
        };
        for line in lines.into_iter().chain(prompt::hint(ctx, question)) {
            out::notice(&redactor.redact_text(&line));
        }
        *shown = Some(question.clone());
    }
    match prompt::typed(patience) {
        Typed::Nothing => Here::Yes,
        Typed::Line(line) => {
            if prompt::answer(ctx, desk, question, &line) != Asked::Answered {
                // It is shown once more.
                *shown = None;
            }
            Here::Yes
        }
        Typed::End => Here::No,
    }
}
