//! Launching a recorded start, finding one again, stopping one. Every way ends in a look at the
//! call's directory; what is found there is the only truth.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use kernel::call::{Command as CallCommand, Facts, Finding, Launch};

use super::listen::Attend;
use super::pool::{Desk, Watching};
use super::work::of_call;
use super::{agent, exited, held};
use crate::checkpoints::UntilTold;
use crate::child_env::{self, Declared, Place};
use crate::engine::Start;
use crate::policy;
use crate::shim::files::{self, Ticket};
use crate::shim::launch::launch as launch_shim;
use crate::shim::look::{Look, look};
use crate::shim::stop::{Stop, stop};
use crate::shim::watch::Watched;
use crate::tools;
use crate::tree::Stamp;

/// How often a shim that has not written its identity yet is asked again to stop.
const STOP_ASKS: u32 = 100;
/// Between two such asks.
const STOP_EVERY: Duration = Duration::from_millis(50);

pub(super) fn ticket(start: &Start) -> Ticket {
    Ticket { call_id: start.run.clone(), attempt: start.attempt, epoch: start.epoch }
}

pub(super) fn watching(start: &Start) -> Watching {
    Watching {
        key: start.key.clone(),
        tree_before: start.prep.tree_before.clone(),
        facts: start.facts.clone(),
        after: Arc::default(),
        told: UntilTold::default(),
    }
}

/// Looks at the tree as a call has left it, while its shim still writes down how it ended.
pub(super) fn marked(desk: &Desk, ticket: &Ticket) {
    let Some(watched) = desk.watching().get(ticket).cloned() else { return };
    if watched.tree_before.is_none() {
        return;
    }
    // Held while it is taken, so that whoever comes for it waits instead of looking twice.
    let mut after = watched.after();
    *after = desk.mark().ok();
}

/// Reads along with an agent's start.
fn listen(desk: &Desk, start: &Start) {
    let Some(ask) = &start.facts.request.agent else { return };
    let workdir = desk.plan.root.join(&start.facts.request.cwd);
    desk.listener.attend(Attend {
        ticket: ticket(start),
        dir: desk.call_dir(&start.run),
        kind: ask.kind,
        plan: agent::fold_plan(desk, &start.run, ask, &workdir),
        idle_ms: start.facts.request.idle_ms,
    });
}

/// What an adapter declares for its child, or who asked for a command gave it.
fn declared(desk: &Desk, start: &Start) -> Declared {
    let Some(ask) = &start.facts.request.agent else {
        // They could be read a moment ago; if not now, the child misses them and says so.
        let set = variables(desk, &start.facts).unwrap_or_default();
        return Declared::of_command(set);
    };
    let workdir = desk.plan.root.join(&start.facts.request.cwd);
    // What could be rendered a moment ago can be now; if not, the child misses a key and says so.
    agent::declared(desk, &start.run, &start.facts, ask, &workdir).unwrap_or_default()
}

/// The variables that a command was given, with their values.
pub(super) fn variables(desk: &Desk, facts: &Facts) -> io::Result<Vec<(String, String)>> {
    let given = facts.request.given.as_ref().and_then(|given| given.env_sha256.as_deref());
    let Some(sha256) = given else { return Ok(Vec::new()) };
    Ok(tools::load_env(&desk.plan.loop_dir, sha256)?.into_iter().collect())
}

/// Launches a start that this life recorded. If the spawn fails, or the program is no longer what
/// it was when the call was made ready, the look takes the token, so that nothing can start any
/// more, and says that nothing was launched; made ready anew, it is held against what was judged.
pub(super) fn launch(desk: &Desk, start: &Start) {
    let ticket = ticket(start);
    let dir = desk.call_dir(&start.run);
    let tmp = dir.join(files::TMP);
    let place = Place {
        root: &desk.plan.root,
        tmp: &tmp,
        call: &start.run,
        run: start.facts.parent.as_deref().unwrap_or(&start.run),
        trace: start.trace.strip_prefix("trace_").unwrap_or_default(),
    };
    let declared = declared(desk, start);
    let env = child_env::build_declared(std::env::vars_os(), &desk.plan.extra, &declared, &place);
    desk.watching().insert(ticket.clone(), watching(start));
    let seen = desk.ready().remove(&start.run);
    if is_exchanged(start.prep.program.as_deref(), seen) {
        return looked_at(desk, &ticket);
    }
    match launch_shim(&desk.plan.exe, &dir, &ticket, &env) {
        Ok(launched) => {
            desk.watcher.watch(dir, ticket, Watched::Launched(launched));
            listen(desk, start);
        }
        Err(_) => looked_at(desk, &ticket),
    }
}

/// Whether a program differs from the one that was made ready, or was never looked at.
fn is_exchanged(program: Option<&str>, seen: Option<Stamp>) -> bool {
    let Some(program) = program else { return false };
    seen.is_none() || policy::stamp(Path::new(program)).ok() != seen
}

/// Finds out what became of a start of an earlier life.
pub(super) fn attach(desk: &Desk, start: &Start) {
    let ticket = ticket(start);
    desk.watching().insert(ticket.clone(), watching(start));
    listen(desk, start);
    looked_at(desk, &ticket);
}

/// Tells the shim to stop its tree; its end comes by the watcher. Before that it may have to be
/// found again.
pub(super) fn kill(desk: &Desk, start: &Start) {
    let ticket = ticket(start);
    desk.ready().remove(&start.run);
    let known = desk.watching().contains_key(&ticket);
    if !known {
        attach(desk, start);
    }
    let dir = desk.call_dir(&start.run);
    for _ in 0..STOP_ASKS {
        if !desk.watching().contains_key(&ticket) {
            return;
        }
        match stop(&dir, &ticket) {
            Ok(Stop::Told | Stop::Gone) => return,
            Ok(Stop::NotYet) | Err(_) => std::thread::sleep(STOP_EVERY),
        }
    }
}

/// Looks at a lost call once more.
pub(super) fn probe(desk: &Desk, start: &Start, n: u32) {
    let ticket = ticket(start);
    let dir = desk.call_dir(&start.run);
    let finding = match look(&dir, &ticket).map(|seen| seen.look) {
        Ok(Look::Exited(record)) => {
            let before = start.prep.tree_before.as_deref();
            let exit = exited::measure(desk, &record, (before, None), &start.facts);
            let (attempt, epoch) = (start.attempt, start.epoch);
            let command = CallCommand::Exited { attempt, epoch, exit: Box::new(exit) };
            return desk.land(of_call(start.run.clone(), start.key.clone(), command));
        }
        Ok(Look::NeverLaunched) => Finding::NeverLaunched,
        Ok(Look::Running { .. }) => Finding::Running,
        Ok(Look::Gone(_)) if held::only_read(start) => Finding::DidNotHappen,
        Ok(Look::Gone(remains)) => {
            let before = start.prep.tree_before.as_deref();
            Finding::Inconclusive { evidence: exited::tell(desk, &start.run, before, &remains) }
        }
        Err(why) => Finding::Inconclusive { evidence: why.kind().to_string() },
    };
    let command = CallCommand::Probed { attempt: start.attempt, n, finding };
    desk.land(of_call(start.run.clone(), start.key.clone(), command));
}

/// Looks at a start whose shim has ended, or that an earlier life began, and reports what it finds.
pub(super) fn looked_at(desk: &Desk, ticket: &Ticket) {
    let Some(watched) = desk.watching().get(ticket).cloned() else { return };
    let dir = desk.call_dir(&ticket.call_id);
    let command = match look(&dir, ticket).map(|seen| seen.look) {
        Ok(Look::Exited(record)) => {
            let before = watched.tree_before.as_deref();
            let after = watched.after().take();
            let exit = exited::measure(desk, &record, (before, after), &watched.facts);
            let (attempt, epoch) = (ticket.attempt, ticket.epoch);
            CallCommand::Exited { attempt, epoch, exit: Box::new(exit) }
        }
        Ok(Look::Running { pid }) => {
            let found = pid.map_or(Watched::Unnamed, Watched::Found);
            return desk.watcher.watch(dir, ticket.clone(), found);
        }
        Ok(Look::NeverLaunched) => {
            CallCommand::Lost { attempt: ticket.attempt, launch: Launch::Never }
        }
        Ok(Look::Gone(_)) | Err(_) => {
            CallCommand::Lost { attempt: ticket.attempt, launch: Launch::Perhaps }
        }
    };
    desk.watching().remove(ticket);
    desk.listener.over(ticket);
    desk.land(of_call(ticket.call_id.clone(), watched.key, command));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_under_the_name_of_a_program_is_seen() {
        let temp = tempfile::tempdir().unwrap();
        let (path, other) = (temp.path().join("x"), temp.path().join("y"));
        std::fs::write(&path, "one").unwrap();
        std::fs::write(&other, "two").unwrap();
        let program = path.to_str();
        let seen = policy::stamp(&path).ok();
        assert!(seen.is_some() && !is_exchanged(program, seen));
        std::fs::rename(&other, &path).unwrap();
        assert!(is_exchanged(program, seen), "another inode");
        let seen = policy::stamp(&path).ok();
        std::fs::write(&path, "longer").unwrap();
        assert!(is_exchanged(program, seen), "other bytes");
        std::fs::remove_file(&path).unwrap();
        assert!(is_exchanged(program, seen) && is_exchanged(program, None));
        assert!(!is_exchanged(None, None), "a call without a program");
    }
}
