//! Calls that the agent of a turn's step asks for: whether it is that agent who asks, and what
//! policy says to it. What becomes of the call is the machine's to say.

use journal::Journal;
use kernel::call;
use kernel::hash;
use kernel::machine::By;
use kernel::policy::{Act, Request};
use kernel::run::State;
use kernel::turn::{self, Args, Asked, Permission, Reach};
use serde_json::json;

use super::job::Wanted;
use super::step::Engine;

/// Why a yes to one call is for that one alone.
const ONE_CALL: &str = "call";

impl<J: Journal> Engine<J> {
    /// Fills in what no agent may say of its call.
    pub(super) fn fill_asked(&self, id: &str, by: &By, asked: &mut Asked) {
        let Some(run) = self.runs.get(id) else { return };
        if !self.is_at_work(id, by) {
            let (path, expected) = ("/by".to_owned(), "the agent of the step".to_owned());
            asked.args = Args::Bad { path, expected };
            return;
        }
        let State::Turn(state) = &run.state else { return };
        let Args::Fit(request) = &mut asked.args else { return };
        let confine = state.life().map(|life| &life.body.start.limits.confine);
        if let Some(globs) = confine.filter(|globs| !globs.is_empty() && !request.argv.is_empty()) {
            request.given.get_or_insert_default().confine = Some(globs.clone());
        }
        let wanted = Wanted { request: request.clone(), judged_as: asked.about.clone() };
        let judged = self.judge(id, &wanted, run.updated_at);
        asked.judged = turn::Judged {
            verdict: judged.verdict,
            reach: reach(request, asked.about.as_deref()),
            hash: hash_of(request),
            definitions: std::collections::BTreeMap::new(),
        };
    }

    /// Whether the speaker is the agent that a turn waits for.
    fn is_at_work(&self, id: &str, by: &By) -> bool {
        let By::Agent { call } = by else { return false };
        let Some(State::Turn(state)) = self.runs.get(id).map(|run| &run.state) else {
            return false;
        };
        let awaited = state.life().and_then(turn::awaited);
        let key = awaited.map(|slot| format!("{id}/{slot}"));
        self.runs.get(call).is_some_and(|run| run.key.is_some() && run.key == key)
    }
}

/// The same for the same call.
fn hash_of(request: &call::Request) -> String {
    let args = request.args.as_ref().map(|args| &args.sha256);
    hash::of_json(&json!({
        "name": request.name, "args": args, "argv": request.argv, "cwd": request.cwd,
        "env_names": request.env_names, "given": request.given,
    }))
}

/// What a yes to it would cover.
fn reach(request: &call::Request, about: Option<&Request>) -> Reach {
    let permission = match about.map(|about| &about.act) {
        Some(Act::Look { .. }) => Permission::FsRead,
        Some(Act::Change { .. }) => Permission::FsWrite,
        Some(Act::Delete { .. }) => Permission::FsDelete,
        Some(Act::Run(_) | Act::Agent { .. }) | None => Permission::ProcExec,
    };
    let paths = about.map(|about| about.paths().iter().map(|touched| touched.path.clone()));
    let shown = || vec![request.name.clone(), paths_of(about)];
    Reach {
        permissions: vec![permission],
        paths: paths.map(Iterator::collect).unwrap_or_default(),
        argv: vec![if request.argv.is_empty() { shown() } else { request.argv.clone() }],
        once_only: vec![ONE_CALL.to_owned()],
        ..Reach::default()
    }
}

fn paths_of(about: Option<&Request>) -> String {
    let paths = about.map(|about| about.paths().iter().map(|touched| touched.path.as_str()));
    paths.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
