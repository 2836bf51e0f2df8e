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
    /// A call of it that has not ended.
    pub live: Option<String>,
    /// A call of it that was launched and has not ended.
    pub launched: Option<String>,
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
            let (had, stage) = match over.get(&head.run) {
                Some(had) => (had.clone(), Stage::Over),
                None => {
                    let Ok(run) = fold(&journal, &head, None) else { continue };
                    let State::Call(state) = run.state else { continue };
                    let (had, stage) = (had(&state), stage(&state));
                    match stage {
                        Stage::Over => {
                            over.insert(head.run.clone(), had.clone());
                            (had, stage)
                        }
                        Stage::Waits | Stage::Launched => {
                            (had.map(|had| self.spoken(&head.run, had)), stage)
                        }
                    }
                }
            };
            let Some(had) = had.filter(|had| had.concerns(session)) else { continue };
            let Had { agent, cwd, usage, .. } = had;
            let (mut live, mut launched) = (None, None);
            let mut sums = usage;
            if let Some(before) = found {
                (live, launched) = (before.live, before.launched);
                sums = before.usage.and(usage);
            }
            match stage {
                Stage::Over => {}
                Stage::Waits => live = Some(head.run),
                Stage::Launched => (live, launched) = (Some(head.run.clone()), Some(head.run)),
            }
            found = Some(Seen { agent, cwd, live, launched, usage: sums });
        }
        found
    }

    /// Another call than this one that was launched and may be using a conversation.
    #[must_use]
    pub fn holder(&self, session: &str, call: &str) -> Option<String> {
        self.but(session, Some(call))?.launched
    }

    /// Whether a call has ended; one that the journal does not know has.
    #[must_use]
    pub fn is_over(&self, call: &str) -> bool {
        let journal = Sqlite::open_reader(&self.journal).ok();
        let head = journal.and_then(|journal| journal.head(call).ok().flatten());
        head.is_none_or(|head| head.ended)
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

/// How far a call is, as far as its conversation is concerned.
#[derive(Clone, Copy)]
enum Stage {
    /// Not launched yet, or being taken back.
    Waits,
    /// Its process may be there.
    Launched,
    /// It has ended.
    Over,
}

const fn stage(state: &call::State) -> Stage {
    match state {
        call::State::New
        | call::State::Asked { .. }
        | call::State::Allowed { .. }
        | call::State::Undoing { .. } => Stage::Waits,
        call::State::Started { .. } | call::State::Unknown { .. } => Stage::Launched,
        call::State::Denied { .. } | call::State::Settled { .. } | call::State::Undone { .. } => {
            Stage::Over
        }
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
