//! `cargo xtask bench loop`: a loop of instant commands through the real program, against the same
//! commands spawned plainly with their output synced.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

/// Commands of the loop.
const TASKS: usize = 500;
/// Files of the tree it runs in.
const FILES: usize = 200;
/// Starts compared for the cold start.
const STARTS: usize = 60;

/// Measures and returns the result as JSON.
///
/// # Errors
/// When the program can't be built or its loop does not complete.
pub fn run() -> Result<Value> {
    let bins = build()?;
    let dir = tempfile::tempdir()?;
    let ground = Ground::new(dir.path(), bins.loopwright.clone())?;
    let plain = plainly(&dir.path().join("plain"))?;
    let looped = ground.run_loop()?;
    let plain = (plain + plainly(&dir.path().join("plain2"))?) / 2;
    let ratio = plain.as_secs_f64() / looped.took.as_secs_f64();
    Ok(json!({
        "tasks": TASKS,
        "plain_ms_per_task": per_task_ms(plain),
        "loop_ms_per_task": per_task_ms(looped.took),
        "spawn_ratio": rounded(ratio),
        "rss_mb": looped.rss_mb,
        "redraws_per_s": rounded(looped.redraws / looped.took.as_secs_f64()),
        "cold_start_ratio": rounded(cold_start(&bins)?),
    }))
}

fn per_task_ms(took: Duration) -> f64 {
    rounded(took.as_secs_f64() * 1000.0 / TASKS as f64)
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

struct Bins {
    loopwright: PathBuf,
    minimal: PathBuf,
}

/// The program as people get it, and the least a program with an argument parser can be.
fn build() -> Result<Bins> {
    let root = crate::root::root();
    for args in [
        &["build", "--release", "-p", "loopwright"][..],
        &["build", "--release", "-p", "xtask", "--example", "minimal_clap"][..],
    ] {
        let built = Command::new("cargo").args(args).current_dir(&root).status()?;
        ensure!(built.success(), "cargo {} failed", args.join(" "));
    }
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    let release = target.join("release");
    Ok(Bins {
        loopwright: release.join("loopwright"),
        minimal: release.join("examples/minimal_clap"),
    })
}

/// The same commands, one after the other, each with its output in synced files.
fn plainly(dir: &Path) -> Result<Duration> {
    std::fs::create_dir_all(dir)?;
    let start = Instant::now();
    for index in 0..TASKS {
        let out = File::create(dir.join(format!("{index}.out")))?;
        let err = File::create(dir.join(format!("{index}.err")))?;
        let ended = Command::new("true")
            .arg(index.to_string())
            .stdin(Stdio::null())
            .stdout(out.try_clone()?)
            .stderr(err.try_clone()?)
            .status()?;
        ensure!(ended.success());
        out.sync_all()?;
        err.sync_all()?;
    }
    Ok(start.elapsed())
}

struct Ground {
    bin: PathBuf,
    tree: PathBuf,
    home: PathBuf,
}

struct Looped {
    took: Duration,
    rss_mb: u64,
    redraws: f64,
}

impl Ground {
    fn new(dir: &Path, bin: PathBuf) -> Result<Self> {
        let (tree, home) = (dir.join("tree"), dir.join("home"));
        for folder in 0..10 {
            let folder = tree.join(format!("src{folder}"));
            std::fs::create_dir_all(&folder)?;
            for file in 0..FILES / 10 {
                std::fs::write(folder.join(format!("f{file}.rs")), "fn f() {}\n".repeat(50))?;
            }
        }
        std::fs::create_dir_all(&home)?;
        let check = "[[loop.validate.commands]]\nargv = [\"true\"]\nparser = \"exit\"\n";
        std::fs::write(tree.join("loopwright.toml"), check)?;
        let tasks: String = (0..TASKS)
            .map(|n| format!("{{\"description\":\"t{n}\",\"command\":\"true {n}\"}}\n"))
            .collect();
        std::fs::write(dir.join("tasks.jsonl"), tasks)?;
        let ground = Self { bin, tree, home };
        ground.call(&["workspace", "trust"])?;
        Ok(ground)
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

    fn call(&self, args: &[&str]) -> Result<Value> {
        let output = self.command(args).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().unwrap_or_default();
        let value: Value = serde_json::from_str(last).with_context(|| {
            format!("{args:?}: {text} {}", String::from_utf8_lossy(&output.stderr))
        })?;
        ensure!(value["ok"] == json!(true), "{args:?}: {value}");
        Ok(value)
    }

    fn run_loop(&self) -> Result<Looped> {
        let tasks = self.tree.parent().context("a parent")?.join("tasks.jsonl");
        let tasks = tasks.to_str().context("a plain path")?;
        let start = Instant::now();
        let args = ["loop", "run", "bench", "--auto", "--max-iterations", "1000", "--tasks", tasks];
        self.call(&args)?;
        let took = start.elapsed();
        let status = self.call(&["engine", "status"])?;
        let pid = status["data"]["pid"].as_u64().context("the engine's pid")?;
        let memory = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
        let peak = memory
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
            .context("peak memory")?;
        let redraws = status["data"]["redraws"].as_f64().context("redraws")?;
        self.call(&["engine", "stop"])?;
        Ok(Looped { took, rss_mb: peak.trim().parse::<u64>()? / 1024, redraws })
    }
}

/// How long `--version` takes, against the least a program with an argument parser can; medians,
/// taken in turns.
fn cold_start(bins: &Bins) -> Result<f64> {
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..STARTS {
        for (bin, took) in [&bins.loopwright, &bins.minimal].into_iter().zip(&mut took) {
            let start = Instant::now();
            ensure!(Command::new(bin).arg("--version").stdout(Stdio::null()).status()?.success());
            took.push(start.elapsed());
        }
    }
    let [ours, least] = took.map(|mut took| {
        took.sort();
        took[took.len() / 2].as_secs_f64()
    });
    Ok(ours / least)
}
