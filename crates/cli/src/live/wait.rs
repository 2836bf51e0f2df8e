//! What a loop waits for that only a person can give: its own question, or that of the call it
//! waits for. Read from state; it asks nobody.

use kernel::call;
use kernel::loops::{self, Loop};
use kernel::machine::Machine as _;
use runtime::query::{self, OpenQuestion};

use crate::asked;
use crate::ctx::Ctx;

/// A question to a person, and the rule that makes a call ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The question.
    pub question: OpenQuestion,
    rule: String,
}

impl Wait {
    /// What a loop waits for, given the child of its action.
    pub fn of(state: &loops::State, child: Option<(&str, &call::State)>) -> Option<Self> {
        let run = state.life().map(|life| life.body.id.as_str()).unwrap_or_default();
        let own = query::of_owed(run, Loop::NAME, &loops::owed(state)).into_iter().next();
        if let Some(question) = own {
            return Some(Self { question, rule: String::new() });
        }
        let (id, state) = child?;
        let question =
            query::of_owed(id, call::Call::NAME, &call::owed(state)).into_iter().next()?;
        Some(Self { question, rule: state.facts().map(rule).unwrap_or_default() })
    }

    /// Whether it is about a call that nobody knows the outcome of.
    pub fn unknown(&self) -> bool {
        self.question.question.kind == "call.settle"
    }

    /// What an answer names: the question's place in its loop, or the call.
    pub fn id(&self) -> String {
        if self.question.machine == Loop::NAME {
            self.question.slot.clone()
        } else {
            self.question.run.clone()
        }
    }

    /// What it is about, as recorded.
    pub fn text(&self) -> String {
        let asked = &self.question.question;
        match asked.kind.as_str() {
            "call.ask" => format!("{} ({})", asked.about, self.rule),
            "call.settle" => asked.about.clone(),
            _ => asked.options.join(" "),
        }
    }

    /// The question in words, its options by number, and how it is answered from another shell.
    pub fn told(&self, ctx: &Ctx) -> Vec<String> {
        let OpenQuestion { id, run, question, .. } = &self.question;
        let (about, rule) = (&question.about, &self.rule);
        let (first, last) = match question.kind.as_str() {
            "loop.menu" => {
                (Some(ctx.say("loop-menu-title")), ctx.tell("lc-answer-with", &[("id", run)]))
            }
            "loop.unverified" => (None, ctx.tell("lc-answer-with", &[("id", run)])),
            "call.ask" => (
                Some(ctx.tell("lc-asked", &[("argv", about), ("rule", rule)])),
                ctx.tell("lc-asked-next", &[("call", run)]),
            ),
            "call.settle" => (
                Some(ctx.tell("lc-unknown", &[("call", run), ("evidence", about)])),
                ctx.tell("lc-unknown-next", &[("call", run)]),
            ),
            _ => {
                (Some(self.question.text(ctx.lang)), ctx.tell("questions-with-text", &[("id", id)]))
            }
        };
        let mut lines: Vec<String> = first.into_iter().collect();
        lines.extend(asked::options(ctx, &self.question));
        lines.push(last);
        lines
    }
}

fn rule(facts: &call::Facts) -> String {
    use kernel::policy::Verdict;
    match &facts.verdict {
        Verdict::Allow { rule } | Verdict::Ask { rule } | Verdict::Deny { rule } => rule.clone(),
    }
}
