//! Looks at processes through `/proc`: who lives in a house, how large somebody is, which threads
//! there are. Signals are sent only to processes of the house that asks.

use std::path::Path;

use runtime::shim::procfs;
use rustix::process::{Pid, Signal, kill_process};

/// A living process of a house: its pid and its command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Living {
    /// Its pid.
    pub pid: i32,
    /// Its arguments, for whoever reads the report.
    pub line: String,
}

/// Everything that lives in this directory: started with a path of it in the environment, or
/// working below it. A process that threw away both is found by neither.
#[must_use]
pub fn living(top: &Path) -> Vec<Living> {
    let own = std::process::id().cast_signed();
    let inside = |pid: &i32| *pid != own && lives_in(*pid, top);
    procfs::pids().into_iter().filter(inside).map(|pid| Living { pid, line: line(pid) }).collect()
}

fn lives_in(pid: i32, top: &Path) -> bool {
    if procfs::stat(pid).is_none_or(|stat| stat.is_dead()) {
        return false;
    }
    let below = std::fs::read_link(procfs::path(pid, "cwd")).is_ok_and(|dir| dir.starts_with(top));
    let text = top.as_os_str().as_encoded_bytes();
    let environ = std::fs::read(procfs::path(pid, "environ")).unwrap_or_default();
    below || environ.windows(text.len()).any(|part| part == text)
}

fn line(pid: i32) -> String {
    let bytes = std::fs::read(procfs::path(pid, "cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// Living processes anywhere that have this very argument.
#[must_use]
pub fn with_argument(word: &str) -> Vec<Living> {
    let alive = |pid: &i32| procfs::stat(*pid).is_some_and(|stat| !stat.is_dead());
    let all = procfs::pids().into_iter().filter(alive);
    let all = all.map(|pid| Living { pid, line: line(pid) });
    all.filter(|one| one.line.split(' ').any(|had| had == word)).collect()
}

/// Ends everything that lives in this directory.
pub fn clear(top: &Path) {
    for left in living(top) {
        if let Some(pid) = Pid::from_raw(left.pid) {
            // Gone already is as good.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// One number of `/proc/PID/status` in KiB (`VmHWM`, `VmRSS`).
#[must_use]
pub fn memory_kib(pid: i32, name: &str) -> Option<u64> {
    field(&procfs::path(pid, "status"), name)?.split_whitespace().next()?.parse().ok()
}

fn field(path: &Path, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(rest.trim().to_owned())
}

/// The threads of a process in the order they were started, with their names.
#[must_use]
pub fn threads(pid: i32) -> Vec<(i32, String)> {
    let tasks = std::fs::read_dir(procfs::path(pid, "task")).into_iter().flatten().flatten();
    let mut tids: Vec<i32> =
        tasks.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    tids.sort_unstable();
    let name = |tid: &i32| {
        let path = procfs::path(pid, &format!("task/{tid}/comm"));
        std::fs::read_to_string(path).unwrap_or_default().trim().to_owned()
    };
    tids.iter().map(|tid| (*tid, name(tid))).collect()
}

/// Whether somebody traces this thread.
#[must_use]
pub fn traced(pid: i32, tid: i32) -> bool {
    field(&procfs::path(pid, &format!("task/{tid}/status")), "TracerPid")
        .is_some_and(|tracer| tracer != "0")
}
