//! `cargo xtask bench loop`: a loop of instant commands through the real program, against the same
//! commands spawned plainly with their output synced.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::ground::{self, Ground};

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
    let ground = prepare(dir.path(), bins.loopwright.clone())?;
    let plain = plainly(&dir.path().join("plain"))?;
    let looped = run_loop(&ground, &dir.path().join("tasks.jsonl"))?;
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
    let release = ground::release(&[&["loopwright"], &["xtask", "--example", "minimal_clap"]])?;
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

struct Looped {
    took: Duration,
    rss_mb: u64,
    redraws: f64,
}

/// A tree of many files, one check and a list of tasks.
fn prepare(dir: &Path, bin: PathBuf) -> Result<Ground> {
    let ground = Ground::new(dir, bin)?;
    ground.fill(FILES)?;
    let check = "[[loop.validate.commands]]\nargv = [\"true\"]\nparser = \"exit\"\n";
    std::fs::write(ground.tree.join("loopwright.toml"), check)?;
    let tasks: String = (0..TASKS)
        .map(|n| format!("{{\"description\":\"t{n}\",\"command\":\"true {n}\"}}\n"))
        .collect();
    std::fs::write(dir.join("tasks.jsonl"), tasks)?;
    ground.call(&["workspace", "trust"])?;
    Ok(ground)
}

fn run_loop(ground: &Ground, tasks: &Path) -> Result<Looped> {
    let tasks = tasks.to_str().context("a plain path")?;
    let start = Instant::now();
    let args = ["loop", "run", "bench", "--auto", "--max-iterations", "1000", "--tasks", tasks];
    ground.call(&args)?;
    let took = start.elapsed();
    let (status, rss_mb) = ground.engine()?;
    let redraws = status["redraws"].as_f64().context("redraws")?;
    ground.call(&["engine", "stop"])?;
    Ok(Looped { took, rss_mb, redraws })
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
