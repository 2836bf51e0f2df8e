//! Where one case plays: a home, a work tree and a scripted server of its own, so that no case can
//! disturb another. It launches no agent.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use sim::real::procs;

use super::cases::{MENTIONED, TOOLS};
use super::cli::Cli;
use super::install::Installed;
use super::server::Server;
use crate::root::root;

/// What stands in files that are mentioned, and nowhere else.
pub const SECRET: &str = "words-that-only-the-file-has-5d1f";

/// The place of one case.
pub struct Stage {
    pub cli: Cli,
    pub case: &'static str,
    product: PathBuf,
    pub home: PathBuf,
    pub work: PathBuf,
    /// Where the product's socket lies: a path that is short enough for one.
    run: PathBuf,
    pub server: Server,
    /// Base URL of the scenarios.
    pub base: String,
    /// Where raw output is kept.
    pub streams: PathBuf,
    _temp: tempfile::TempDir,
}

impl Stage {
    /// Builds the place; leftovers of an earlier run go.
    pub fn new(
        cli: Cli,
        case: &'static str,
        scenarios: &str,
        installed: &Installed,
        top: &Path,
    ) -> Result<Self> {
        let home = top.join("home").join(cli.name()).join(case);
        if home.exists() {
            std::fs::remove_dir_all(&home)?;
        }
        std::fs::create_dir_all(home.join("tmp"))?;
        cli.settle(&home)?;
        std::fs::write(home.join("hostname"), SECRET)?;
        let temp = tempfile::tempdir()?;
        let work = temp.path().canonicalize()?.join("work");
        std::fs::create_dir(&work)?;
        std::fs::write(work.join("README.md"), "hello\n")?;
        for at in 0..MENTIONED {
            std::fs::write(home.join(format!("hostname-{at}")), format!("{SECRET}-out-{at}-"))?;
            std::fs::write(work.join(format!("noted-{at}.txt")), format!("{SECRET}-in-{at}-"))?;
        }
        let git = Command::new("git").args(["init", "--quiet"]).current_dir(&work).status();
        ensure!(git.context("git")?.success(), "git init failed");
        let streams = top.join("streams");
        std::fs::create_dir_all(&streams)?;
        let server = Server::start(&work)?;
        let base = server.base(scenarios);
        let run = temp.path().join("run");
        let config = home.join(".config/loopwright");
        std::fs::create_dir_all(&config)?;
        let mut settings = cli.settings(&installed.bin, &base);
        if case == TOOLS {
            settings.push_str("tools = true\n");
        }
        std::fs::write(config.join("config.toml"), settings)?;
        let product = root().join("target/debug/loopwright");
        let stage =
            Self { cli, case, product, home, work, run, server, base, streams, _temp: temp };
        let trusted = stage.product(&["workspace", "trust", "--json"])?;
        ensure!(trusted["ok"] == true, "the work tree is not trusted: {trusted}");
        Ok(stage)
    }

    /// The product, as a person would start it here.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.product);
        command.args(args).current_dir(&self.work).env_clear().stdin(Stdio::null());
        for name in ["PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command.env("HOME", &self.home).env("XDG_RUNTIME_DIR", &self.run);
        command.envs([("LANG", "C.UTF-8"), ("TERM", "dumb")]);
        command.envs(self.cli.env(&self.base)).envs(self.cli.as_root());
        command
    }

    /// Runs the product to its end; what it said, if it was JSON.
    pub fn product(&self, args: &[&str]) -> Result<Value> {
        let mut command = self.command(args);
        let output = command.output().with_context(|| format!("{command:?}"))?;
        Ok(serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
    }

    /// The work tree, without what is git's or ours.
    pub fn files(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut all = BTreeMap::new();
        below(&self.work, &self.work, &mut all)?;
        Ok(all)
    }

    /// Whatever of this case still lives, by its command line.
    pub fn living(&self) -> Vec<String> {
        let places = [&self.home, &self.work];
        let mut all: Vec<_> = places.into_iter().flat_map(|place| procs::living(place)).collect();
        all.sort_by_key(|one| one.pid);
        all.dedup();
        all.into_iter().map(|one| format!("{} {}", one.pid, one.line)).collect()
    }

    /// Ends whatever of this case still lives, except the product's own processes.
    pub fn clear_but_ours(&self) {
        let ours = self.product.display().to_string();
        let places = [&self.home, &self.work];
        for one in places.into_iter().flat_map(|place| procs::living(place)) {
            if let Some(pid) = Pid::from_raw(one.pid).filter(|_| !one.line.starts_with(&ours)) {
                // Gone already is as good.
                let _ = kill_process(pid, Signal::KILL);
            }
        }
    }

    /// Ends whatever of this case still lives.
    pub fn clear(&self) {
        procs::clear(&self.home);
        procs::clear(&self.work);
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.clear();
    }
}

fn below(top: &Path, dir: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.strip_prefix(top)?.display().to_string();
        if [".git", ".loop"].contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            below(top, &path, all)?;
        } else {
            // A link to nowhere is a file that somebody made.
            all.insert(name, std::fs::read(&path).unwrap_or_default());
        }
    }
    Ok(())
}
