//! Who is at a door: whatever descends from one of our shims is an agent, whatever it says of
//! itself. Judged by the kernel's word on the peer and its ancestors. What a speaker may do is
//! not decided here.

use std::os::unix::fs::MetadataExt;

use super::files::Process;
use super::procfs::{self, CallMark};
use super::run::SUBCOMMAND;

/// More ancestors than any machine has; a guard against a `/proc` that changes while we walk.
const ANCESTORS_MAX: usize = 4096;
/// How often a line of ancestors that moved under our eyes is read again.
const WALKS_MAX: u32 = 8;

/// Who speaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Speaker {
    /// Nothing of ours is above it.
    Person,
    /// It runs under a shim, or was started under one that is dead.
    Agent {
        /// The call.
        call_id: String,
    },
    /// It cannot be judged: gone, hidden, or of another pid namespace. Never to be taken for a
    /// person.
    Unseen,
}

/// Judges a peer by its pid, as the kernel names it.
pub fn speaker(pid: i32) -> Speaker {
    for _ in 0..WALKS_MAX {
        let line = ancestry(pid);
        let verdict = judge_line(&line);
        // A parent that ended meanwhile has handed its children on, maybe to a shim: only a line
        // that stood still while it was read speaks for a person.
        let stood_still = line.last().is_some_and(|top| top.parent == 0) && line == ancestry(pid);
        match verdict {
            Speaker::Agent { .. } => return verdict,
            Speaker::Person | Speaker::Unseen if stood_still => return verdict,
            Speaker::Person | Speaker::Unseen => {}
        }
    }
    Speaker::Unseen
}

/// The process and its ancestors, as far as they can be read.
fn ancestry(pid: i32) -> Vec<Link> {
    let mut line = Vec::new();
    let mut next = pid;
    while next > 0 && line.len() < ANCESTORS_MAX {
        let Some(stat) = procfs::stat(next) else { break };
        next = stat.parent;
        line.push(Link { process: stat.process(), parent: stat.parent });
    }
    line
}

#[derive(Debug, PartialEq, Eq)]
struct Link {
    process: Process,
    parent: i32,
}

/// What is highest speaks: everything below our shim may be of the agent's own making, a mark of
/// another call and a second shim among it.
fn judge_line(line: &[Link]) -> Speaker {
    let mut verdict = Speaker::Unseen;
    let (mut shim, mut mark) = (None, None);
    for (depth, link) in line.iter().enumerate() {
        match judge(link.process.pid) {
            Judged::Shim(call_id) => shim = Some(call_id),
            Judged::Marked(call_id) => mark = Some(call_id),
            // Who hides its own environment cannot be vouched for; an ancestor may: init does.
            Judged::Plain if depth == 0 => verdict = Speaker::Person,
            Judged::Plain | Judged::Hidden => {}
        }
    }
    match shim.or(mark) {
        Some(call_id) => Speaker::Agent { call_id },
        None => verdict,
    }
}

enum Judged {
    Shim(String),
    Marked(String),
    Hidden,
    Plain,
}

fn judge(pid: i32) -> Judged {
    if let Some(call_id) = shim_of(pid) {
        return Judged::Shim(call_id);
    }
    match procfs::call_mark(pid) {
        CallMark::Of(call_id) => Judged::Marked(call_id),
        CallMark::None => Judged::Plain,
        CallMark::Unreadable => Judged::Hidden,
    }
}

/// The call of our own program, running as a shim.
fn shim_of(pid: i32) -> Option<String> {
    let cmdline = std::fs::read(procfs::path(pid, "cmdline")).ok()?;
    let call_id = call_of_shim(&cmdline)?;
    is_ours(pid).then_some(call_id)
}

fn is_ours(pid: i32) -> bool {
    let file = |path| std::fs::metadata(path).map(|file| (file.dev(), file.ino()));
    match (
        file(procfs::path(std::process::id().cast_signed(), "exe")),
        file(procfs::path(pid, "exe")),
    ) {
        (Ok(own), Ok(theirs)) => own == theirs,
        // From behind walls a shim's program cannot be looked at; its command says enough.
        (_, Err(why)) => why.kind() == std::io::ErrorKind::PermissionDenied,
        (Err(_), Ok(_)) => false,
    }
}

/// `PROGRAM shim DIR ATTEMPT EPOCH`, as the engine writes it; the word alone may be anybody's. The
/// directory has the call's name.
fn call_of_shim(cmdline: &[u8]) -> Option<String> {
    let args: Vec<&[u8]> = cmdline.split(|byte| *byte == 0).collect();
    let number = |arg: &[u8]| !arg.is_empty() && arg.iter().all(u8::is_ascii_digit);
    let [_, word, dir, attempt, epoch, b""] = args.as_slice() else { return None };
    let word = *word == SUBCOMMAND.as_bytes();
    let whole = word && dir.starts_with(b"/") && number(attempt) && number(epoch);
    let name = dir.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    whole.then(|| String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    /// A process that has been asleep since its exec, so that its environment is its own.
    fn sleeper(mark: Option<&str>) -> Child {
        let mut command = Command::new("sleep");
        command.arg("60").env_clear();
        if let Some(mark) = mark {
            command.env(procfs::CALL_ID_VAR, mark);
        }
        command.spawn().unwrap()
    }

    #[test]
    fn a_shim_is_known_by_its_whole_command() {
        let table = [
            ("loopwright\0shim\0/w/.loop/calls/c\x001\x007\0", Some("c")),
            ("loopwright\0shim\0", None),
            ("loopwright\0shim\0/c\0one\x007\0", None),
            ("loopwright\0shim\0c\x001\x007\0", None),
            ("loopwright\0mcp\0/c\x001\x007\0", None),
            ("", None),
        ];
        for (cmdline, expected) in table {
            let found = call_of_shim(cmdline.as_bytes());
            assert_eq!(found.as_deref(), expected, "{cmdline:?}");
        }
    }

    #[test]
    fn the_mark_makes_an_agent_and_nothing_makes_a_person() {
        for (mark, expected) in
            [(None, Speaker::Person), (Some("call-1"), Speaker::Agent { call_id: "call-1".into() })]
        {
            let mut child = sleeper(mark);
            assert_eq!(speaker(child.id().cast_signed()), expected);
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(speaker(child.id().cast_signed()), Speaker::Unseen, "gone");
        }
        for nobody in [0, -1, i32::MAX] {
            assert_eq!(speaker(nobody), Speaker::Unseen);
        }
    }
}
