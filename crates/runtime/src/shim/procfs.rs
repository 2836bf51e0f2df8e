//! Reads `/proc`: who descends from whom, when a process started, what its first environment
//! was. A process that vanishes while it is read is simply not there. It signals nobody.

use std::collections::HashMap;
use std::path::PathBuf;

use super::files::{Named, Process};

/// The variable that marks every process of a call.
pub const CALL_ID_VAR: &str = "LOOPWRIGHT_CALL_ID";

/// One line of `/proc/PID/stat`, as far as it is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    /// Its pid.
    pub pid: i32,
    /// Command name, as the kernel cuts it.
    pub name: String,
    /// State letter; `Z` and `X` are dead.
    pub state: char,
    /// Its parent.
    pub parent: i32,
    /// When it started, in ticks since boot.
    pub start_ticks: u64,
}

impl Stat {
    /// Its identity within this boot and pid namespace.
    pub fn process(&self) -> Process {
        Process { pid: self.pid, start_ticks: self.start_ticks }
    }

    /// As it is named in a record.
    pub fn named(&self) -> Named {
        Named { pid: self.pid, start_ticks: self.start_ticks, name: self.name.clone() }
    }

    /// Whether it only waits to be reaped.
    pub fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }
}

/// The path of `name` in the directory of `pid`.
pub fn path(pid: i32, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/{name}"))
}

/// Reads one process.
pub fn stat(pid: i32) -> Option<Stat> {
    parse(pid, &std::fs::read(path(pid, "stat")).ok()?)
}

/// The name may hold blanks and parentheses, so the fields are counted from the last `)`.
fn parse(pid: i32, line: &[u8]) -> Option<Stat> {
    /// Of the fields after the name: state, parent, then the 20th is the start time.
    const START_TICKS: usize = 19;
    let text = String::from_utf8_lossy(line);
    let (head, rest) = text.rsplit_once(')')?;
    let (_, name) = head.split_once('(')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    Some(Stat {
        pid,
        name: name.to_owned(),
        state: fields.first()?.chars().next()?,
        parent: fields.get(1)?.parse().ok()?,
        start_ticks: fields.get(START_TICKS)?.parse().ok()?,
    })
}

/// Every pid that can be seen.
pub fn pids() -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// All that descend from any of `roots`, the roots themselves left out, dead ones included.
pub fn descendants(roots: &[i32]) -> Vec<Stat> {
    let mut children: HashMap<i32, Vec<Stat>> = HashMap::new();
    for stat in pids().into_iter().filter_map(stat) {
        children.entry(stat.parent).or_default().push(stat);
    }
    let mut found = Vec::new();
    let mut parents = roots.to_vec();
    while let Some(parent) = parents.pop() {
        let below = children.remove(&parent).unwrap_or_default();
        parents.extend(below.iter().map(|stat| stat.pid));
        found.extend(below.into_iter().filter(|stat| !roots.contains(&stat.pid)));
    }
    found
}

/// What a look into a process's first environment showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallMark {
    /// It belongs to this call.
    Of(String),
    /// It has no mark.
    None,
    /// It may not be read, or is gone.
    Unreadable,
}

/// The call a process was started for, by the environment it began with.
pub fn call_mark(pid: i32) -> CallMark {
    let Ok(environ) = std::fs::read(path(pid, "environ")) else { return CallMark::Unreadable };
    for entry in environ.split(|byte| *byte == 0) {
        let value = entry.strip_prefix(CALL_ID_VAR.as_bytes()).and_then(|e| e.strip_prefix(b"="));
        if let Some(value) = value {
            return CallMark::Of(String::from_utf8_lossy(value).into_owned());
        }
    }
    CallMark::None
}

/// Living processes whose first environment names the call, and all that descends from them.
pub fn marked(call_id: &str) -> Vec<Stat> {
    let own = std::process::id().cast_signed();
    let mine = |pid: &i32| *pid != own && call_mark(*pid) == CallMark::Of(call_id.to_owned());
    let roots: Vec<i32> = pids().into_iter().filter(mine).collect();
    if roots.is_empty() {
        return Vec::new();
    }
    let below = descendants(&roots).into_iter().filter(|stat| stat.pid != own);
    let mut all: Vec<Stat> = roots.iter().filter_map(|pid| stat(*pid)).chain(below).collect();
    all.retain(|stat| !stat.is_dead());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_and_parentheses_are_read() {
        let rest = "S 7 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 1 1";
        for name in ["sh", "a b", "x) S 1 (y", ")"] {
            let line = format!("12 ({name}) {rest}");
            let stat = parse(12, line.as_bytes()).expect("a full line");
            assert_eq!((stat.name.as_str(), stat.parent, stat.start_ticks), (name, 7, 4242));
        }
        for broken in ["", "12 (sh", "12 (sh) S", "12 (sh) S x 1"] {
            assert_eq!(parse(12, broken.as_bytes()), None, "{broken}");
        }
    }

    #[test]
    fn a_child_of_ours_is_a_descendant() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let below = descendants(&[std::process::id().cast_signed()]);
        assert!(below.iter().any(|stat| stat.pid == child.id().cast_signed()));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
