//! Which conversations earlier calls have had, read from the journal. It remembers nothing: the
//! journal is the memory, and a conversation is asked for seldom.

use std::path::{Path, PathBuf};

use journal::{Journal as _, Sqlite};
use kernel::agent::{Answer, Usage};
use kernel::call;
use kernel::run::State;

use crate::engine::fold;

/// A conversation as the journal knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The agent that had it.
    pub agent: String,
    /// The directory it was had in, relative to the root.
    pub cwd: String,
    /// The newest call of it.
    pub call: String,
    /// Whether that call may still be using it.
    pub live: bool,
    /// What all its calls cost; a number that one did not tell is not known.
    pub usage: Usage,
}

/// The conversations of one workspace.
#[derive(Debug)]
pub struct Sessions {
    journal: PathBuf,
}

impl Sessions {
    /// Those that the journal in this directory tells of.
    #[must_use]
    pub fn of(journal: &Path) -> Self {
        Self { journal: journal.to_owned() }
    }

    /// What is known of a conversation; none if no call of ours had it.
    #[must_use]
    pub fn seen(&self, session: &str) -> Option<Seen> {
        let journal = Sqlite::open_reader(&self.journal).ok()?;
        let mut found: Option<Seen> = None;
        for head in journal.heads().ok()?.into_iter().filter(|head| head.machine == "call") {
            let Ok(run) = fold(&journal, &head, None) else { continue };
            let State::Call(state) = run.state else { continue };
            let Some(one) = of_call(&head.run, &state, session) else { continue };
            found = Some(match found {
                None => one,
                Some(before) => Seen { usage: sum(before.usage, one.usage), ..one },
            });
        }
        found
    }

    /// What the calls of a conversation cost so far, if this agent had it.
    #[must_use]
    pub fn totals(&self, agent: &str, session: &str) -> Option<Usage> {
        self.seen(session).filter(|seen| seen.agent == agent).map(|seen| seen.usage)
    }
}

fn of_call(call: &str, state: &call::State, session: &str) -> Option<Seen> {
    let facts = state.facts()?;
    let ask = facts.request.agent.as_ref()?;
    let report = state.report();
    let had = report.and_then(|report| match &report.answer {
        Answer::Answered { session, .. } | Answer::Failed { session, .. } => session.as_deref(),
    });
    if had != Some(session) && ask.resume.as_deref() != Some(session) {
        return None;
    }
    let live = !state.ended();
    let usage = report.map_or_else(Usage::default, |report| report.facts.usage);
    let (agent, cwd) = (ask.agent.clone(), facts.request.cwd.clone());
    Some(Seen { agent, cwd, call: call.to_owned(), live, usage })
}

/// The sum of what two calls told; what one did not tell is not known.
fn sum(one: Usage, two: Usage) -> Usage {
    let add = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
    Usage {
        input_tokens: add(one.input_tokens, two.input_tokens),
        output_tokens: add(one.output_tokens, two.output_tokens),
        cached_tokens: add(one.cached_tokens, two.cached_tokens),
        reasoning_tokens: add(one.reasoning_tokens, two.reasoning_tokens),
        cost_micros: add(one.cost_micros, two.cost_micros),
    }
}
