//! Which conversations earlier calls have had, read from the journal. The journal is the memory; of
//! a call that has ended it is remembered what it had, since that is not going to change.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use journal::{Journal as _, Sqlite};
use kernel::agent::{Answer, Kind, Usage};
use kernel::call;
use kernel::run::State;

use super::fold::FoldPlan;
use super::read::Live;
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
    /// Calls that have ended; none of those that were no agent's.
    over: Mutex<HashMap<String, Option<Had>>>,
}

/// What a call was asked for and what came of it.
#[derive(Clone, Debug)]
struct Had {
    agent: String,
    kind: Kind,
    cwd: String,
    resumed: Option<String>,
    session: Option<String>,
    usage: Usage,
}

impl Sessions {
    /// Those that the journal in this directory tells of.
    #[must_use]
    pub fn of(journal: &Path) -> Self {
        Self { journal: journal.to_owned(), over: Mutex::default() }
    }

    /// What is known of a conversation; none if no call of ours had it.
    #[must_use]
    pub fn seen(&self, session: &str) -> Option<Seen> {
        self.but(session, None)
    }

    /// The same, as if one call had never been asked for.
    fn but(&self, session: &str, left_out: Option<&str>) -> Option<Seen> {
        let journal = Sqlite::open_reader(&self.journal).ok()?;
        let mut found: Option<Seen> = None;
        let mut over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let calls = journal.heads().ok()?.into_iter().filter(|head| head.machine == "call");
        for head in calls.filter(|head| left_out != Some(head.run.as_str())) {
            let (had, live) = match over.get(&head.run) {
                Some(had) => (had.clone(), false),
                None => {
                    let Ok(run) = fold(&journal, &head, None) else { continue };
                    let State::Call(state) = run.state else { continue };
                    let had = had(&state);
                    if state.ended() {
                        over.insert(head.run.clone(), had.clone());
                        (had, false)
                    } else {
                        (had.map(|had| self.spoken(&head.run, had)), true)
                    }
                }
            };
            let Some(had) = had.filter(|had| had.concerns(session)) else { continue };
            let Had { agent, cwd, usage, .. } = had;
            let usage = found.map_or(usage, |before| sum(before.usage, usage));
            found = Some(Seen { agent, cwd, call: head.run, live, usage });
        }
        found
    }

    /// What a call that may still run has named in its stream so far: until it has ended nothing
    /// else tells which conversation it has.
    fn spoken(&self, call: &str, mut had: Had) -> Had {
        if had.session.is_none()
            && let Some(loop_dir) = self.journal.parent()
        {
            let dir = loop_dir.join("calls").join(call);
            let mut live = Live::new(&dir, had.kind, &FoldPlan::default());
            had.session = live.poll().ok().and_then(|_| live.heard().session.clone());
        }
        had
    }

    /// What a conversation had cost before this call of it, if this agent had it. The call itself
    /// is not counted: it has told nothing yet.
    #[must_use]
    pub fn totals(&self, agent: &str, session: &str, call: &str) -> Option<Usage> {
        let before = self.but(session, Some(call));
        before.filter(|seen| seen.agent == agent).map(|seen| seen.usage)
    }
}

impl Had {
    fn concerns(&self, session: &str) -> bool {
        [&self.session, &self.resumed].into_iter().flatten().any(|id| id == session)
    }
}

fn had(state: &call::State) -> Option<Had> {
    let facts = state.facts()?;
    let ask = facts.request.agent.as_ref()?;
    let report = state.report();
    let session = report.and_then(|report| match &report.answer {
        Answer::Answered { session, .. } | Answer::Failed { session, .. } => session.clone(),
    });
    Some(Had {
        agent: ask.agent.clone(),
        kind: ask.kind,
        cwd: facts.request.cwd.clone(),
        resumed: ask.resume.clone(),
        session,
        usage: report.map_or_else(Usage::default, |report| report.facts.usage),
    })
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
