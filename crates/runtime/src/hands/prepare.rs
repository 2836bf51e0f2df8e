//! Getting a call ready: find its program, mark the tree, write its request. It touches nothing
//! outside `.loop/`, so it may be repeated and may fail without a trace in the work tree.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use kernel::agent::Access;
use kernel::call::{Class, Facts, Failure, Prep};
use kernel::policy::grant::Pin;

use super::pool::Desk;
use super::{agent, held, start};
use crate::agents::{detect, render};
use crate::checkpoints::{self, Always, Need};
use crate::io_kind;
use crate::policy;
use crate::query;
use crate::shim::files::{self, Request, Stdin};
use crate::shim::launch::PrepareError;
use crate::shim::{self};
use crate::{checks, tree};

/// Prepares one attempt.
pub(super) fn prepare(
    desk: &Desk,
    (call, trace): (&str, &str),
    attempt: u32,
    facts: &Facts,
) -> Result<Prep, Failure> {
    let wanted = &facts.request;
    has_room(desk)?;
    let cwd = working_directory(desk, &wanted.cwd)?;
    let ready = match &wanted.agent {
        Some(ask) => Some(agent::ready(desk, call, facts, ask, &cwd)?),
        None => None,
    };
    let (program, argv) = command_line(desk, call, facts, ready.as_ref(), &cwd)?;
    same_program(desk, call, facts, Path::new(&program))?;
    start::variables(desk, facts).map_err(|why| of_io(&why))?;
    let sandbox = desk.plan.walls.measured.level.word().to_owned();
    // Two looks at the same tree that need nothing of each other.
    let (walls, before) = std::thread::scope(|beside| {
        let mark = beside.spawn(|| marked(desk, call, facts, &sandbox));
        let walls = held::plan(desk, call, facts, ready.as_ref(), Path::new(&program));
        (walls, mark.join().expect("a look does not panic"))
    });
    let (walls, Before { digest: tree_before, unkept }) = (walls?, before?);
    let now = desk.clock.now();
    let boot = shim::clock::boot_ms();
    let wall_ms = ready.as_ref().map_or(wanted.deadline_ms, |ready| ready.launch.wall_ms);
    let request = Request {
        format: files::FORMAT,
        call_id: call.to_owned(),
        key: facts.key.clone(),
        attempt,
        epoch: desk.epoch,
        argv,
        workspace: text(&desk.plan.root)?,
        cwd: text(&cwd)?,
        env_names: wanted.env_names.clone(),
        stdin: ready.as_ref().map_or(Stdin::Null, stdin),
        deadline_wall_ms: now.plus(wall_ms).0,
        deadline_boot_ms: Some(boot.saturating_add(wall_ms)),
        boot_id: shim::identity::Place::here().ok().map(|place| place.boot_id),
        // An agent's silence is judged where its open tools are known.
        idle_ms: if ready.is_some() { None } else { wanted.idle_ms },
        grace_ms: wanted.grace_ms,
        spool_bytes: ready.as_ref().map_or(desk.plan.spool_bytes, |ready| ready.spool_bytes),
        tail_bytes: files::TAIL_BYTES,
        collect: wanted.collect.clone(),
        sandbox: Some(walls),
        tool_call: {
            let mut asked = query::asked_for(call, trace, facts);
            asked["tree_before"] = tree_before.clone().into();
            asked
        },
    };
    shim::launch::prepare(&desk.call_dir(call), &request).map_err(unprepared)?;
    if let Some(ready) = &ready {
        agent::keep_read(desk, call, ready).map_err(|why| of_io(&why))?;
    }
    Ok(Prep { tree_before, program: Some(program), sandbox, unkept })
}

/// That the disk has room above the floor: a program that fills it takes our records with it.
fn has_room(desk: &Desk) -> Result<(), Failure> {
    let floor = desk.plan.keeping.disk_floor_bytes;
    checkpoints::enough(&desk.plan.loop_dir, 0, floor).map_err(|why| {
        let (class, kind) = why.class();
        let (code, kind) = (class.name().to_owned(), kind.to_owned());
        Failure { code, kind, detail: "run.disk_floor".to_owned() }
    })
}

const fn stdin(ready: &agent::Ready) -> Stdin {
    match ready.launch.stdin {
        render::Stdin::Prompt => Stdin::Prompt,
        render::Stdin::Null => Stdin::Null,
    }
}

fn unprepared(why: PrepareError) -> Failure {
    match why {
        PrepareError::Busy => io_failure("busy", "a shim of an earlier attempt still lives"),
        PrepareError::Invalid { field } => Failure {
            code: "E_INVALID_ARGS".to_owned(),
            kind: "request".to_owned(),
            detail: field.to_owned(),
        },
        PrepareError::Io(why) => of_io(&why),
    }
}

/// The program, absolute, and the whole command line of a call.
fn command_line(
    desk: &Desk,
    call: &str,
    facts: &Facts,
    ready: Option<&agent::Ready>,
    cwd: &Path,
) -> Result<(String, Vec<String>), Failure> {
    if let Some(ready) = ready {
        let program = ready.program.clone();
        let mut argv = vec![program.clone()];
        argv.extend(ready.launch.argv.iter().cloned());
        return Ok((program, argv));
    }
    let words = &facts.request.argv;
    let program = match &facts.pin {
        Some(pin) => judged_program(desk, &words[0], pin)?,
        None => find_program(desk, &words[0], cwd)?,
    };
    let tmp = text(&desk.call_dir(call).join(files::TMP))?;
    let mut argv: Vec<String> =
        words.iter().map(|word| word.replace(checks::TMP_MARK, &tmp)).collect();
    argv[0].clone_from(&program);
    Ok((program, argv))
}

/// Holds a program against the one that was judged, and keeps what it looks like for whoever
/// launches it. It is looked at before it is held, so that one that changes between shows later.
fn same_program(desk: &Desk, call: &str, facts: &Facts, program: &Path) -> Result<(), Failure> {
    let seen = policy::stamp(program).map_err(|why| of_io(&why))?;
    if facts.pin.as_ref().is_some_and(|pin| !desk.plan.judge.holds(pin)) {
        return Err(Failure {
            code: "E_CONFLICT".to_owned(),
            kind: "changed_since_read".to_owned(),
            detail: facts.request.argv[0].clone(),
        });
    }
    desk.ready().insert(call.to_owned(), seen);
    Ok(())
}

/// The tree before a call.
#[derive(Default)]
struct Before {
    digest: Option<String>,
    /// Why its bytes were not kept.
    unkept: Option<Box<str>>,
}

/// Marks the tree before the call. What may write gets the bytes kept as well, so that it can be
/// taken back; where that is not possible it is not started, unless the settings let it run all the
/// same, or nobody said anything and there is no git: then its undo says so. What can change
/// nothing needs no mark.
fn marked(desk: &Desk, call: &str, facts: &Facts, sandbox: &str) -> Result<Before, Failure> {
    if held::only_reads(facts, sandbox) {
        return Ok(Before::default());
    }
    let reads = facts.request.agent.as_ref().is_some_and(|ask| ask.access == Access::Read);
    let saves = facts.request.class == Class::Once && !reads;
    let (kept, digest) = match desk.mark().map_err(checkpoints::Error::from) {
        Ok(mark) => {
            let now = desk.clock.now();
            let kept = saves.then(|| desk.keeper().mark(&mark, call, now, &mut Always));
            // The look comes last: whoever takes marks away is done with it when this one is made.
            (kept.transpose().map(drop), keep(desk, &mark))
        }
        Err(why) if saves => (Err(why), None),
        Err(_) => (Ok(()), None),
    };
    let Err(why) = kept else { return Ok(Before { digest, unkept: None }) };
    let (class, kind) = why.class();
    let (code, kind) = (class.name().to_owned(), kind.to_owned());
    match (why, desk.plan.keeping.need) {
        (_, Need::Wished) | (checkpoints::Error::NoGit(_), Need::Usual) => {
            Ok(Before { digest, unkept: Some(kind.into()) })
        }
        (_, Need::Required | Need::Usual) => {
            let detail = format!("{kind}: checkpoint.required=true");
            Err(Failure { code, kind, detail })
        }
    }
}

/// Keeps a mark by its digest, so that what changed can be told after a crash as well.
pub(super) fn keep(desk: &Desk, mark: &tree::Mark) -> Option<String> {
    tree::store::save(&desk.marks_dir(), mark).ok()?;
    Some(mark.digest.to_string())
}

pub(super) fn working_directory(desk: &Desk, cwd: &str) -> Result<PathBuf, Failure> {
    let path = desk.plan.root.join(cwd);
    let real = path.canonicalize().map_err(|why| of_io(&why))?;
    if real.starts_with(&desk.plan.root) && real.is_dir() {
        Ok(real)
    } else {
        Err(Failure {
            code: "E_POLICY_DENIED".to_owned(),
            kind: "path".to_owned(),
            detail: cwd.to_owned(),
        })
    }
}

/// The very program that was judged, wherever its name would lead by now.
fn judged_program(desk: &Desk, name: &str, pin: &Pin) -> Result<String, Failure> {
    let path = pin.program.as_deref().ok_or_else(|| missing(name))?;
    let found = detect::find(path, OsStr::new(""), &desk.plan.root).map_err(|_| missing(name))?;
    text(&found)
}

/// The absolute program of a name that was recorded without one: from the absolute entries of PATH
/// outside the tree, or, with a slash in it, from the working directory.
fn find_program(desk: &Desk, name: &str, cwd: &Path) -> Result<String, Failure> {
    let full = if name.contains('/') { text(&cwd.join(name))? } else { name.to_owned() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = detect::find(&full, &path, &desk.plan.root).map_err(|_| missing(name))?;
    text(&found)
}

fn missing(name: &str) -> Failure {
    io_failure("not_found", &format!("not_found: {name}"))
}

fn text(path: &Path) -> Result<String, Failure> {
    path.to_str().map(str::to_owned).ok_or_else(|| io_failure("not_a_file", "name is not UTF-8"))
}

/// A failure of the file system, with its kind from the closed list.
pub(super) fn of_io(why: &std::io::Error) -> Failure {
    io_failure(io_kind(why).unwrap_or("spawn"), &why.kind().to_string())
}

/// A failure of class `E_IO`.
pub(super) fn io_failure(kind: &str, detail: &str) -> Failure {
    Failure { code: "E_IO".to_owned(), kind: kind.to_owned(), detail: detail.to_owned() }
}
