//! A trusted tree, a home of its own, and the program as people get it. It drives the program from
//! outside and measures nothing by itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// Builds these as releases; the directory they lie in.
///
/// # Errors
/// When something does not build.
pub fn release(packages: &[&[&str]]) -> Result<PathBuf> {
    let root = crate::root::root();
    for what in packages {
        let args = [&["build", "--release", "-p"], *what].concat();
        let built = Command::new("cargo").args(&args).current_dir(&root).status()?;
        ensure!(built.success(), "cargo {} failed", args.join(" "));
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release"))
}

/// Where the program runs.
pub struct Ground {
    /// The program.
    bin: PathBuf,
    /// The work tree.
    pub tree: PathBuf,
    /// The home, which has the settings.
    pub home: PathBuf,
}

impl Ground {
    /// An empty tree and an empty home.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new(dir: &Path, bin: PathBuf) -> Result<Self> {
        let (tree, home) = (dir.join("tree"), dir.join("home"));
        for made in [&tree, &home] {
            std::fs::create_dir_all(made)?;
        }
        Ok(Self { bin, tree, home })
    }

    /// Writes the settings of this home's owner.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn configure(&self, settings: &str) -> Result<()> {
        let dir = self.home.join("config/loopwright");
        std::fs::create_dir_all(&dir)?;
        Ok(std::fs::write(dir.join("config.toml"), settings)?)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.bin);
        command
            .args(args)
            .arg("--json")
            .current_dir(&self.tree)
            .stdin(Stdio::null())
            .env("HOME", &self.home)
            .env("XDG_STATE_HOME", self.home.join("state"))
            .env("XDG_CONFIG_HOME", self.home.join("config"))
            .env("XDG_RUNTIME_DIR", self.home.join("run"));
        command
    }

    /// Fills the tree with so many small files, ten folders of them.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn fill(&self, files: usize) -> Result<()> {
        for folder in 0..10 {
            let folder = self.tree.join(format!("src{folder}"));
            std::fs::create_dir_all(&folder)?;
            for file in 0..files / 10 {
                std::fs::write(folder.join(format!("f{file}.rs")), "fn f() {}\n".repeat(50))?;
            }
        }
        Ok(())
    }

    /// Runs a command that must succeed; its answer.
    ///
    /// # Errors
    /// When it is refused.
    pub fn call(&self, args: &[&str]) -> Result<Value> {
        let value = self.any(args)?;
        ensure!(value["ok"] == json!(true), "{args:?}: {value}");
        Ok(value)
    }

    /// Runs a command, which may end as it likes; its answer.
    ///
    /// # Errors
    /// When it gives none.
    pub fn any(&self, args: &[&str]) -> Result<Value> {
        let output = self.command(args).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().unwrap_or_default();
        serde_json::from_str(last).with_context(|| {
            format!("{args:?}: {text} {}", String::from_utf8_lossy(&output.stderr))
        })
    }

    /// What the engine says of itself, and its peak memory.
    ///
    /// # Errors
    /// When none runs.
    pub fn engine(&self) -> Result<(Value, u64)> {
        let status = self.call(&["engine", "status"])?;
        let pid = status["data"]["pid"].as_u64().context("the engine's pid")?;
        let memory = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let peak = memory
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
            .context("peak memory")?;
        Ok((status["data"].clone(), peak.trim().parse::<u64>()? / 1024))
    }
}
