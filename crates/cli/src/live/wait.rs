//! What a loop waits for that only a person can give: a menu, a judgement, a word about a call.
//! Read from state; it asks nobody.

use kernel::call::{self, UnknownGate};
use kernel::loops::{Life, MENU_KEYS, Phase, UNVERIFIED_KEYS, Work};

use crate::ctx::Ctx;

/// A question to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// The menu of an interactive loop.
    Menu { q: u32 },
    /// The checks proved nothing; a person judges.
    Unverified { q: u32, keys: Vec<&'static str> },
    /// A command needs a person's word.
    Asked { call: String, argv: String, rule: String },
    /// Nobody knows what a command did.
    Unknown { call: String, evidence: String },
}

impl Wait {
    /// What a loop waits for, given the child of its action.
    pub fn of(life: &Life, child: Option<(&str, &call::State)>) -> Option<Self> {
        match &life.phase {
            Phase::Choosing { q } => return Some(Self::Menu { q: *q }),
            Phase::Paused(paused) => {
                if let Some(q) = paused.q {
                    return Some(Self::Unverified { q, keys: unverified_keys(life) });
                }
            }
            Phase::Created
            | Phase::Acting(_)
            | Phase::Lent { .. }
            | Phase::Completed { .. }
            | Phase::Failed { .. } => {}
        }
        of_call(child?)
    }

    /// The question's id: what an answer names.
    pub fn id(&self) -> String {
        match self {
            Self::Menu { q } | Self::Unverified { q, .. } => format!("q{q}"),
            Self::Asked { call, .. } | Self::Unknown { call, .. } => call.clone(),
        }
    }

    /// What it is about, as recorded.
    pub fn text(&self) -> String {
        match self {
            Self::Menu { .. } => MENU_KEYS.join(" "),
            Self::Unverified { keys, .. } => keys.join(" "),
            Self::Asked { argv, rule, .. } => format!("{argv} ({rule})"),
            Self::Unknown { evidence, .. } => evidence.clone(),
        }
    }

    /// The keys that an answer may have, in their order.
    pub fn keys(&self) -> Vec<&'static str> {
        match self {
            Self::Menu { .. } => MENU_KEYS.to_vec(),
            Self::Unverified { keys, .. } => keys.clone(),
            Self::Asked { .. } | Self::Unknown { .. } => Vec::new(),
        }
    }

    /// The question in words, and how it is answered from another shell.
    pub fn told(&self, ctx: &Ctx, run: &str) -> Vec<String> {
        match self {
            Self::Menu { .. } => {
                let mut lines = vec![ctx.say("loop-menu-title")];
                lines.extend(self.options(ctx, "loop-menu"));
                lines.push(ctx.tell("lc-answer-with", &[("id", &run)]));
                lines
            }
            Self::Unverified { .. } => {
                let mut lines = self.options(ctx, "loop-unverified");
                lines.push(ctx.tell("lc-answer-with", &[("id", &run)]));
                lines
            }
            Self::Asked { call, argv, rule } => vec![
                ctx.tell("lc-asked", &[("argv", argv), ("rule", rule)]),
                ctx.tell("lc-asked-next", &[("call", call)]),
            ],
            Self::Unknown { call, evidence } => vec![
                ctx.tell("lc-unknown", &[("call", call), ("evidence", evidence)]),
                ctx.tell("lc-unknown-next", &[("call", call)]),
            ],
        }
    }

    fn options(&self, ctx: &Ctx, words: &str) -> Vec<String> {
        let line = |(at, key): (usize, &str)| {
            format!("  {}. {key}  {}", at + 1, ctx.say(&format!("{words}-{key}")))
        };
        self.keys().into_iter().enumerate().map(line).collect()
    }
}

fn of_call((id, state): (&str, &call::State)) -> Option<Wait> {
    match state {
        call::State::Asked { facts, .. } => Some(Wait::Asked {
            call: id.to_owned(),
            argv: facts.request.argv.join(" "),
            rule: rule(facts),
        }),
        call::State::Unknown { gate: UnknownGate::AskPerson { evidence }, .. } => {
            Some(Wait::Unknown { call: id.to_owned(), evidence: evidence.clone() })
        }
        call::State::Unknown { gate: UnknownGate::Probe | UnknownGate::Wait { .. }, .. }
        | call::State::New
        | call::State::Denied { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Settled { .. }
        | call::State::Undoing { .. }
        | call::State::Undone { .. } => None,
    }
}

fn rule(facts: &call::Facts) -> String {
    use kernel::policy::Verdict;
    match &facts.verdict {
        Verdict::Allow { rule } | Verdict::Ask { rule } | Verdict::Deny { rule } => rule.clone(),
    }
}

/// The answers that the question about an unverified end offers now.
fn unverified_keys(life: &Life) -> Vec<&'static str> {
    let may = life.body.work().and_then(Work::fresh).is_some_and(|found| found.acceptable);
    UNVERIFIED_KEYS.into_iter().filter(|key| may || *key != "accept").collect()
}
