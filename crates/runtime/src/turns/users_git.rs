//! Git in the user's own work tree. A look leaves every byte of it as it was, the index's stamps
//! too, and runs nothing that the repository names: no hook, no monitor, no filter, no transport.
//! An act, which is a commit that was asked for, runs as the person's own would.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use kernel::turn::Fault;

use super::commit::fault;
use crate::checkpoints::Git;
use crate::child_env::{self, Declared, Extra};
use crate::tree;

/// Between two looks at a child.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// What is kept of git's words: a file that is looked through, or a list of paths.
const SAID_BYTES_MAX: u64 = 4 << 20;
/// Settings that win over the repository's while it is only looked at. Those that name a program
/// and are not here belong to commands that are no look.
const LOOKS: [&str; 6] = [
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "diff.external=",
    "submodule.recurse=false",
    "safe.bareRepository=explicit",
    "column.ui=never",
];
/// Where a filter comes from that the repository names, and not the user.
const OF_REPOSITORY: [&str; 2] = ["local", "worktree"];

/// The program, and where it runs.
#[derive(Debug, Clone, Copy)]
pub(super) struct UsersGit<'a> {
    /// The program.
    pub git: &'a Git,
    /// The work tree, or a directory in it.
    pub root: &'a Path,
    /// What of our environment passes.
    pub extra: &'a Extra,
    /// When it is given up.
    pub until: Instant,
}

impl UsersGit<'_> {
    /// What git says to a question.
    pub(super) fn look(&self, words: &[&str]) -> Result<Vec<u8>, Fault> {
        let mut command = self.looking();
        let (verb, rest) = words.split_first().map_or(("", words), |(verb, rest)| (*verb, rest));
        let own: &[&str] = match verb {
            // A submodule's git would be asked in turn, by settings of its own.
            "diff" => &["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"],
            "status" => &["--ignore-submodules=dirty"],
            _ => &[],
        };
        if !own.is_empty() {
            self.without_filters(&mut command)?;
        }
        said(self.run(command.arg(verb).args(own).args(rest))?, "not_found")
    }

    /// Has git do something.
    pub(super) fn act(&self, words: &[&str]) -> Result<(), Fault> {
        // Only the commit itself runs what a person set up; all else fails for git's own reasons.
        let kind = if words.first() == Some(&"commit") { "not_applied" } else { "not_found" };
        said(self.run(self.command().args(words))?, kind).map(drop)
    }

    /// The same, with an index of its own: the user's stays as it is.
    pub(super) fn act_in(&self, index: &Path, words: &[&str]) -> Result<(), Fault> {
        let mut command = self.command();
        said(self.run(command.env("GIT_INDEX_FILE", index).args(words))?, "not_applied").map(drop)
    }

    fn command(&self) -> Command {
        let declared = Declared::default();
        let env: Vec<(OsString, OsString)> =
            child_env::passed(std::env::vars_os(), self.extra, &declared, self.root);
        let mut command = Command::new(self.git.path());
        command
            .args(["-c", "core.fsmonitor=false", "--literal-pathspecs"])
            .env_clear()
            .envs(env)
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_EDITOR", "true")
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn looking(&self) -> Command {
        let mut command = self.command();
        command.args(LOOKS.iter().flat_map(|setting| ["-c", setting]));
        command
            .env("GIT_OPTIONAL_LOCKS", "0")
            // Before 2.45 git knows of no `GIT_NO_LAZY_FETCH`, and would have a promisor remote's
            // program bring what is missing. Every version keeps to a list of no transports.
            .env("GIT_ALLOW_PROTOCOL", "");
        // The settings may say that another directory is the work tree.
        if let Some(top) = tree::top(self.root) {
            command.env("GIT_WORK_TREE", top);
        }
        command
    }

    /// Takes the filters away that the repository names: comparing a file whose stamp is new would
    /// run them. Such a file then counts as changed if its bytes, unfiltered, are not those that
    /// were committed.
    fn without_filters(&self, command: &mut Command) -> Result<(), Fault> {
        let words =
            ["config", "--null", "--show-scope", "--name-only", "--get-regexp", r"^filter\."];
        // It answers 1 where there is none.
        let (status, told, err) = self.run(self.looking().args(words))?;
        if !status.success() && status.code() != Some(1) {
            return said((status, told, err), "not_found").map(drop);
        }
        let told = String::from_utf8_lossy(&told).into_owned();
        let words: Vec<&str> = told.split('\0').collect();
        for pair in words.chunks_exact(2).filter(|pair| OF_REPOSITORY.contains(&pair[0])) {
            let Some((driver, _)) = pair[1].rsplit_once('.') else { continue };
            // On the command line a name ends with the first of these.
            if driver.contains('=') {
                return Err(fault("E_POLICY_DENIED", "protected", driver));
            }
            for setting in ["clean=", "smudge=", "process=", "required=false"] {
                command.args(["-c", &format!("{driver}.{setting}")]);
            }
        }
        Ok(())
    }

    /// How a git ended, and what it said on both streams.
    fn run(&self, command: &mut Command) -> Result<Ended, Fault> {
        let spawned = command.spawn();
        let mut child = spawned.map_err(|why| fault("E_IO", "spawn", &why.to_string()))?;
        let (out, err) = (reading(child.stdout.take()), reading(child.stderr.take()));
        let status = self.wait(&mut child)?;
        let said = |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
        Ok((status, said(out), said(err)))
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, Fault> {
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if Instant::now() < self.until => std::thread::sleep(LOOK_EVERY),
                Ok(None) => {
                    // It may have ended meanwhile; then there is nobody to end.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(fault("E_TOOL_TIMEOUT", "deadline", "git"));
                }
                Err(why) => return Err(fault("E_IO", "interrupted", &why.to_string())),
            }
        }
    }
}

type Ended = (ExitStatus, Vec<u8>, Vec<u8>);

/// What it answered, or why it did not.
fn said((status, out, err): Ended, kind: &str) -> Result<Vec<u8>, Fault> {
    if status.success() {
        return Ok(out);
    }
    let words = String::from_utf8_lossy(if err.is_empty() { &out } else { &err }).into_owned();
    Err(fault("E_IO", kind, &words))
}

/// Reads a pipe to its end on a thread of its own, so that a chatty hook never blocks.
fn reading(pipe: Option<impl io::Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What can't be read was not said.
            let _ = pipe.by_ref().take(SAID_BYTES_MAX).read_to_end(&mut bytes);
            let _ = io::copy(&mut pipe, &mut io::sink());
        }
        bytes
    })
}
