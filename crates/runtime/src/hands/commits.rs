//! A commit within its call: it is looked at before it starts, made, known again by its trailer if
//! its start was lost, and taken back only while the branch still ends with it. What git does with
//! it is said elsewhere.

use std::time::{Duration, Instant};

use kernel::call::Failure;
use kernel::turn::{CheckedOut, Fault};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::pool::Desk;
use super::prepare::of_io;
use super::tool::Failed;
use crate::change::{self, Probed, Record, Saves};
use crate::checkpoints::Git;
use crate::shim::durable;
use crate::turns::{self, Commit};

/// What a commit left, kept beside its call: by it, it is taken back.
const LEFT: &str = "commit.json";
/// It names paths.
const LEFT_BYTES_MAX: u64 = 4 << 20;
/// A commit runs a person's hooks, and they may take their time.
const COMMIT_MAX: Duration = Duration::from_secs(120);

/// What a commit is asked with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CommitArgs {
    /// What has to be checked out.
    pub(super) head: CheckedOut,
    /// The message, without its trailer.
    pub(super) message: String,
    /// The paths, below the root.
    pub(super) paths: Vec<String>,
    /// The hash of what was staged, where that is what is committed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) staged: Option<String>,
}

/// What a commit left.
#[derive(Debug, Serialize, Deserialize)]
struct Left {
    commit: String,
    head: CheckedOut,
    paths: Vec<String>,
}

/// Looks whether it can be made. Its record says that it changes no file.
pub(super) fn prepare(desk: &Desk, call: &str, args: &Value) -> Result<(), Failed> {
    let args = read(args)?;
    with(desk, call, &args, |commit| turns::may_commit(commit).map_err(failed))?;
    let record = Record { dir: desk.call_dir(call), call_id: call.to_owned() };
    change::unchanged(&record, Saves::All)
        .map(drop)
        .map_err(|problem| super::tool::of_misfit(&(&problem).into()))
}

/// Makes it; a commit of this call that is there already is that one.
pub(super) fn make(desk: &Desk, call: &str, args: &Value) -> Result<Value, Failed> {
    let args = read(args)?;
    let commit = with(desk, call, &args, |commit| match turns::committed(commit) {
        Some(made) => Ok(made),
        None => turns::git_commit(commit).map_err(failed),
    })?;
    let left = Left { commit: commit.clone(), head: args.head, paths: args.paths };
    durable::replace(&desk.call_dir(call), LEFT, json!(left).to_string().as_bytes())
        .map_err(|why| (of_io(&why), json!({ "path": LEFT })))?;
    Ok(json!({ "commit": commit }))
}

/// Looks at what a lost one left: the branch tells. While the index is locked, somebody may be at
/// it still.
pub(super) fn probe(desk: &Desk, call: &str, args: &Value) -> Result<Probed, String> {
    let args = read(args).map_err(|(failure, _)| failure.kind)?;
    let found = with(desk, call, &args, |commit| {
        if turns::committed(commit).is_some() {
            return Ok(Some(Probed::Happened));
        }
        let still = turns::checked_out(commit.root) == args.head && turns::unlocked_now(commit);
        Ok(still.then_some(Probed::DidNotHappen))
    });
    match found {
        Ok(Some(probed)) => Ok(probed),
        Ok(None) => Err("head_moved".to_owned()),
        Err((failure, _)) => Err(failure.kind),
    }
}

/// Takes the commit of a call back, if it made one: the branch ends where it did, the files stay.
pub(super) fn take_back(desk: &Desk, call: &str) -> Result<(), Failed> {
    let Ok(bytes) = durable::read(&desk.call_dir(call).join(LEFT), LEFT_BYTES_MAX) else {
        return Ok(());
    };
    let left: Left = serde_json::from_slice(&bytes).map_err(|_| unread())?;
    let (head, paths) = (left.head, left.paths);
    let args = CommitArgs { head, message: String::new(), paths, staged: None };
    with(desk, call, &args, |commit| turns::uncommit(commit, &left.commit).map_err(failed))
}

fn read(args: &Value) -> Result<CommitArgs, Failed> {
    CommitArgs::deserialize(args).map_err(|_| unread())
}

fn unread() -> Failed {
    failed(Fault::new("E_IO", "undo_bytes_missing"))
}

/// The program.
pub(super) fn git(desk: &Desk) -> Result<Git, Failed> {
    let plan = &desk.plan;
    let search = std::env::var_os("PATH").unwrap_or_default();
    Git::find(Some(&plan.keeping.git), &search, &plan.root)
        .map_err(|_| failed(Fault::new("E_IO", "not_found")))
}

fn with<T>(
    desk: &Desk,
    call: &str,
    args: &CommitArgs,
    work: impl FnOnce(&Commit<'_>) -> Result<T, Failed>,
) -> Result<T, Failed> {
    let plan = &desk.plan;
    let git = git(desk)?;
    let call_dir = desk.call_dir(call);
    work(&Commit {
        git: &git,
        root: &plan.root,
        call_dir: &call_dir,
        call_id: call,
        head: &args.head,
        message: &args.message,
        paths: &args.paths,
        staged: args.staged.as_deref(),
        names: &plan.tools.names,
        extra: &plan.extra,
        until: Instant::now() + COMMIT_MAX,
    })
}

fn failed(fault: Fault) -> Failed {
    let Fault { code, kind, errors, .. } = fault;
    let detail = errors.into_iter().next().map(|error| error.message).unwrap_or_default();
    let details = json!({ "kind": kind, "said": detail });
    (Failure { code, kind, detail }, details)
}
