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
        /// The call, where its mark could be read.
        call_id: Option<String>,
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

fn judge_line(line: &[Link]) -> Speaker {
    let mut verdict = Speaker::Unseen;
    for (depth, link) in line.iter().enumerate() {
        match judge(link.process.pid) {
            Judged::Agent(call_id) => return Speaker::Agent { call_id },
            // Who hides its own environment cannot be vouched for; an ancestor may: init does.
            Judged::Plain if depth == 0 => verdict = Speaker::Person,
            Judged::Plain | Judged::Hidden => {}
        }
    }
    verdict
}

enum Judged {
    Agent(Option<String>),
    Hidden,
    Plain,
}

fn judge(pid: i32) -> Judged {
    match procfs::call_mark(pid) {
        CallMark::Of(call_id) => Judged::Agent(Some(call_id)),
        CallMark::None | CallMark::Unreadable if is_shim(pid) => Judged::Agent(None),
        CallMark::None => Judged::Plain,
        CallMark::Unreadable => Judged::Hidden,
    }
}

/// Our own program, running as a shim.
fn is_shim(pid: i32) -> bool {
    let Ok(cmdline) = std::fs::read(procfs::path(pid, "cmdline")) else { return false };
    if !is_shim_cmdline(&cmdline) {
        return false;
    }
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

/// `PROGRAM shim DIR ATTEMPT EPOCH`, as the engine writes it; the word alone may be anybody's.
fn is_shim_cmdline(cmdline: &[u8]) -> bool {
    let args: Vec<&[u8]> = cmdline.split(|byte| *byte == 0).collect();
    let number = |arg: &[u8]| !arg.is_empty() && arg.iter().all(u8::is_ascii_digit);
    match args.as_slice() {
        [_, word, dir, attempt, epoch, b""] => {
            let word = *word == SUBCOMMAND.as_bytes();
            word && dir.starts_with(b"/") && number(attempt) && number(epoch)
        }
        _ => false,
    }
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
            ("loopwright\0shim\0/w/.loop/calls/c\x001\x007\0", true),
            ("loopwright\0shim\0", false),
            ("loopwright\0shim\0/c\0one\x007\0", false),
            ("loopwright\0shim\0c\x001\x007\0", false),
            ("loopwright\0mcp\0/c\x001\x007\0", false),
            ("", false),
        ];
        for (cmdline, expected) in table {
            assert_eq!(is_shim_cmdline(cmdline.as_bytes()), expected, "{cmdline:?}");
        }
    }

    #[test]
    fn the_mark_makes_an_agent_and_nothing_makes_a_person() {
        for (mark, expected) in [
            (None, Speaker::Person),
            (Some("call-1"), Speaker::Agent { call_id: Some("call-1".into()) }),
        ] {
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
