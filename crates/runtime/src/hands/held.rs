//! The walls around a call: which plan it gets, what is kept beside it where protected names cannot
//! be carved out, and what the walls came to. Putting them up is the shim's child's.

use std::path::{Path, PathBuf};

use kernel::agent::Access;
use kernel::call::{Facts, Failure, Held, NotBegun};
use kernel::policy::{self, argv::git_writes, glob};

use super::agent::Ready;
use super::pool::Desk;
use super::prepare::{io_failure, of_io};
use crate::config::SandboxMode;
use crate::engine::Start;
use crate::sandbox::detected::{self, Look, Remedy, Settings, Watch};
use crate::sandbox::names::Secrets;
use crate::sandbox::places::{self, Git, Site};
use crate::sandbox::{Carve, Level, May, Network, Plan};
use crate::shim::files::{self, ExitRecord};
use crate::workspace::Places;

/// The rule by which a person is asked about a command that names settings of agents.
const SETTINGS_ASK: &str = "agent-settings-asks";

/// The plan of a call. Where the work tree stays writable, the protected names in it are noted
/// first: one that is not there cannot be carved out of it. Where none can, what they hold is
/// copied.
pub(super) fn plan(
    desk: &Desk,
    call: &str,
    facts: &Facts,
    ready: Option<&Ready>,
    program: &Path,
) -> Result<Plan, Failure> {
    let walls = &desk.plan.walls;
    let wanted = &walls.wanted;
    match (wanted.mode, walls.measured.level) {
        (SandboxMode::Require, Level::None) => {
            return Err(io_failure("sandbox_unavailable", "sandbox.mode=require"));
        }
        (SandboxMode::Require, Level::Walled) | (SandboxMode::Prefer | SandboxMode::Off, _) => {}
    }
    let (work, secrets) = (work(facts), secrets(desk, facts));
    let plan = places::plan(
        &Site {
            root: &desk.plan.root,
            loop_dir: &desk.plan.loop_dir,
            tmp: &desk.call_dir(call).join(files::TMP),
            program,
            work,
            within: within(&desk.plan.root, facts).as_deref(),
            git: git(facts),
            secrets,
            own: ready.map_or(&[], |ready| &ready.launch.own_state),
            own_reads: &own_reads(desk, ready),
            network: if ready.is_some() { Network::Open } else { reach(facts, wanted.network) },
            memory_bytes: Some(wanted.memory_bytes),
            standing: &walls.places,
        },
        &walls.measured,
    );
    let look = match plan.carve {
        Carve::Mount => Look::Names,
        Carve::Detected => Look::Whole,
        Carve::None => return Ok(plan),
    };
    if work == May::Write {
        let watch = Watch { look, secrets, settings: settings(facts) };
        guarded(desk, call, |site| detected::before(site, watch)).map_err(|why| of_io(&why))?;
    }
    Ok(plan)
}

/// A person's own command that names settings of agents was asked about by this rule, and let; an
/// agent's is never.
fn settings(facts: &Facts) -> Settings {
    let asked = facts.request.agent.is_none() && facts.verdict.rule() == SETTINGS_ASK;
    if asked { Settings::Let } else { Settings::Kept }
}

/// How far a command may reach: as far as was asked for and allowed, else as far as all may. One
/// that is to reach this machine alone cannot be held to that yet, and was judged so.
fn reach(facts: &Facts, all: Network) -> Network {
    match facts.request.given.as_ref().and_then(|given| given.network) {
        Some(policy::Network::None) => Network::None,
        Some(policy::Network::Loopback | policy::Network::Open) => Network::Open,
        None => all,
    }
}

/// What a call must be able to read of its own: what its adapter says, and, to speak to us as an
/// agent may, our program and the settings it reads. The key of our marks is not among them.
fn own_reads(desk: &Desk, ready: Option<&Ready>) -> Vec<PathBuf> {
    let of_agent = ready.map(|ready| ready.launch.own_reads.clone()).unwrap_or_default();
    let settings = Places::from_env().ok().map(|places| places.user_settings());
    of_agent.into_iter().chain([desk.plan.exe.clone()]).chain(settings).collect()
}

/// What a call may do with the work tree.
fn work(facts: &Facts) -> May {
    match facts.request.agent.as_ref().map(|ask| ask.access) {
        Some(Access::Read) => May::Read,
        Some(Access::Edit | Access::Full) | None => May::Write,
    }
}

/// The directories of the work tree that a call is kept to, by what it said it would write and by
/// what its owner keeps it to; none if nobody said anything.
fn within(root: &Path, facts: &Facts) -> Option<Vec<PathBuf>> {
    let given = facts.request.given.as_deref()?;
    let said = [&given.writes, &given.confine].into_iter().flatten();
    said.map(|globs| rooms(root, globs)).reduce(|one, two| places::common(&one, &two))
}

/// The deepest directories that are there now and hold whatever the globs fit.
fn rooms(root: &Path, globs: &[String]) -> Vec<PathBuf> {
    let room = |pattern: &String| {
        let named = root.join(glob::room(pattern));
        let mut above = named.ancestors().take_while(|path| path.starts_with(root));
        let there = above.find_map(|path| path.canonicalize().ok().filter(|real| real.is_dir()));
        there.filter(|real| real.starts_with(root)).unwrap_or_else(|| root.to_owned())
    };
    globs.iter().map(room).collect()
}

/// A git command that was allowed may write what git writes; one inside a script may not.
fn git(facts: &Facts) -> Git {
    let argv = &facts.request.argv;
    let writes = argv.first().is_some_and(|word| word == "git") && git_writes(argv);
    if writes { Git::Writes } else { Git::Reads }
}

/// A command that names a secret was asked about, and let; nothing else is let at one.
fn secrets(desk: &Desk, facts: &Facts) -> Secrets {
    let request = &facts.request;
    if request.agent.is_some() {
        return Secrets::Kept;
    }
    let standing = desk.plan.judge.standing();
    let ground = policy::Ground { root: &standing.root, home: &standing.home };
    let run = policy::Run::argv(request.argv.clone(), &request.cwd);
    let named = policy::names_secret(&run, ground, &|path| standing.leads(path));
    if named { Secrets::Let } else { Secrets::Kept }
}

/// Whether a start could change nothing: walls held it, and it was let read only.
pub(super) fn only_read(start: &Start) -> bool {
    only_reads(&start.facts, &start.prep.sandbox)
}

/// The same of a call, by the level of the walls around it.
pub(super) fn only_reads(facts: &Facts, sandbox: &str) -> bool {
    sandbox == Level::Walled.word() && work(facts) == May::Read
}

fn guarded<T>(
    desk: &Desk,
    call: &str,
    act: impl FnOnce(&detected::Site<'_>) -> std::io::Result<T>,
) -> std::io::Result<T> {
    let keep: PathBuf = desk.plan.walls.guarded.join(call);
    act(&detected::Site { root: &desk.plan.root, loop_dir: &desk.plan.loop_dir, keep: &keep, call })
}

/// How a call was held, from its record and from what it left.
pub(super) fn of_record(desk: &Desk, record: &ExitRecord) -> Held {
    let (put_back, moved) = match record.carve_out {
        Carve::Mount | Carve::Detected => left(desk, &record.call_id),
        Carve::None => (Vec::new(), Vec::new()),
    };
    Held {
        carve_out: record.carve_out.word().to_owned(),
        put_back,
        moved,
        not_begun: record.spawn_error.as_ref().map(|why| NotBegun {
            step: why.step.word().to_owned(),
            error: std::io::Error::from_raw_os_error(why.errno).to_string(),
        }),
    }
}

/// The protected paths that a call left otherwise than it found them: those that were put back, and
/// those that moved on. A look that fails says so as a path of its own: nothing was proven.
pub(super) fn left(desk: &Desk, call: &str) -> (Vec<String>, Vec<String>) {
    let found = match guarded(desk, call, detected::after) {
        Ok(found) => found,
        Err(why) => return (vec![format!("? ({})", why.kind())], Vec::new()),
    };
    let (back, told): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|found| found.remedy == Remedy::PutBack);
    let paths = |found: Vec<detected::Found>| found.into_iter().map(|found| found.path).collect();
    (paths(back), paths(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_kept_to_the_deepest_directories_that_are_there() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("docs/api")).unwrap();
        std::fs::write(root.join("docs/a.md"), "").unwrap();
        std::os::unix::fs::symlink("/", root.join("away")).unwrap();
        let table = [
            ("docs/api/**", "docs/api"),
            ("docs/a.md", "docs"),
            ("docs/new/deep/*.md", "docs"),
            ("**/*.md", ""),
            ("a.md", ""),
            // What a link leads to is no part of the tree.
            ("away/etc/*", ""),
        ];
        for (pattern, expected) in table {
            let found = rooms(&root, &[pattern.to_owned()]);
            assert_eq!(found, [root.join(expected)], "{pattern}");
        }
        assert!(rooms(&root, &[]).is_empty(), "it said it writes nothing");
    }
}
