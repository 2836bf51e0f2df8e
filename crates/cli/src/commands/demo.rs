//! `demo`: a small project in a temporary directory, a loop of shell tasks on it, kill -9 of the
//! engine in the middle, and the proof that nothing ran twice. It uses the program as a person
//! would, from outside, and needs no agent, key or network.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use kernel::errors::{Class, Exit};
use serde_json::{Value, json};

use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// Steps of the demo's loop.
const STEPS: usize = 5;
/// The engine dies once so many steps have begun.
const KILL_AFTER: usize = 2;
/// How long anything may take before the demo gives up and says so.
const PATIENCE: Duration = Duration::from_secs(40);
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// One step of the demo's project: leaves a line, and takes long enough to be caught in the middle.
const STEP_SCRIPT: &str = "#!/bin/sh\necho \"step $1\" >> ran.log\nsleep 0.6\n";
/// Its check: every step exactly once, in order.
const CHECK_SCRIPT: &str = "#!/bin/sh\nfor n in 1 2 3 4 5; do\n  [ \"$(grep -cx \"step $n\" \
                            ran.log)\" = 1 ] || { echo \"step $n did not run exactly once\"; exit \
                            1; }\ndone\necho \"every step ran exactly once\"\n";
const SETTINGS: &str = "[[loop.validate.commands]]\nargv = [\"./check.sh\"]\nparser = \"exit\"\n";

/// Shows it.
///
/// # Errors
/// When the temporary project can't be made or a step of the story does not come true.
pub fn run(ctx: &Ctx) -> Result<Reply, Trouble> {
    let stage = Stage::set(ctx)?;
    let ended = stage.play();
    // The engine of a failed demo must not outlive it.
    drop(stage.call(&["engine", "stop"]));
    let story = ended?;
    drop(std::fs::remove_dir_all(&stage.dir));
    Ok(match ctx.form {
        Form::Json => Reply::new(story, "").ended(Exit::OK, "completed"),
        Form::Text => Reply::printed(Exit::OK),
    })
}

struct Stage<'a> {
    ctx: &'a Ctx,
    exe: PathBuf,
    dir: PathBuf,
    project: PathBuf,
}

fn made<T>(path: &Path, result: std::io::Result<T>) -> Result<T, Trouble> {
    result.map_err(|why| desk::io(&path.display().to_string(), &why))
}

fn write_script(path: &Path, text: &str) -> Result<(), Trouble> {
    made(path, std::fs::write(path, text))?;
    made(path, std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)))
}

impl<'a> Stage<'a> {
    /// Makes the project and a home of its own, so that nothing of the person's is touched.
    fn set(ctx: &'a Ctx) -> Result<Self, Trouble> {
        let exe = made(Path::new("loopwright"), std::env::current_exe())?;
        let name = format!("loopwright-demo-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let project = dir.join("project");
        made(&project, std::fs::create_dir_all(&project))?;
        made(&dir, std::fs::create_dir_all(dir.join("home")))?;
        write_script(&project.join("step.sh"), STEP_SCRIPT)?;
        write_script(&project.join("check.sh"), CHECK_SCRIPT)?;
        let settings = project.join("loopwright.toml");
        made(&settings, std::fs::write(&settings, SETTINGS))?;
        let ignored = project.join(".gitignore");
        made(&ignored, std::fs::write(&ignored, "ran.log\n"))?;
        Ok(Self { ctx, exe, dir, project })
    }

    fn play(&self) -> Result<Value, Trouble> {
        let began = Instant::now();
        self.narrate("demo-project", &[("dir", &self.project.display())]);
        self.call(&["workspace", "trust"])?;
        let id = self.start()?;
        self.wait_for("demo-wait-steps", || self.lines().len() >= KILL_AFTER)?;
        self.show_lines();
        let pid = self.kill_engine()?;
        self.narrate("demo-orphan", &[]);
        std::thread::sleep(Duration::from_millis(300));
        self.narrate("demo-again", &[]);
        self.follow(&id)?;
        let proof = self.prove(&id, pid)?;
        let seconds = began.elapsed().as_secs();
        self.narrate("demo-end", &[("seconds", &seconds)]);
        Ok(proof)
    }

    fn start(&self) -> Result<String, Trouble> {
        let mut args = vec!["loop".to_owned(), "create".to_owned(), "--title".to_owned()];
        args.push(self.ctx.say("demo-title"));
        for step in 1..=STEPS {
            args.extend(["--task".to_owned(), format!("./step.sh {step}")]);
        }
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let created = self.call(&words)?;
        let id = created["data"]["loop_id"].as_str().unwrap_or_default().to_owned();
        self.narrate("demo-start", &[("id", &id), ("steps", &STEPS)]);
        self.call(&["loop", "start", &id, "--auto", "--detach"])?;
        Ok(id)
    }

    /// kill -9, as an out-of-memory killer or a crash would.
    fn kill_engine(&self) -> Result<i64, Trouble> {
        let status = self.call(&["engine", "status"])?;
        let pid = status["data"]["pid"].as_i64().unwrap_or_default();
        let raw = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
        let Some(raw) = raw else { return Err(self.failed("demo-kill")) };
        // Ours: we started it a moment ago and it has answered under this pid.
        rustix::process::kill_process(raw, rustix::process::Signal::KILL)
            .map_err(|_| self.failed("demo-kill"))?;
        self.narrate("demo-kill", &[("pid", &pid)]);
        Ok(pid)
    }

    /// A new engine reads the journal, finds the running command again, and goes on.
    fn follow(&self, id: &str) -> Result<(), Trouble> {
        let mut follow = self.command(&["loop", "watch", id]);
        if self.ctx.form == Form::Json {
            follow.stdout(Stdio::null());
        }
        let ended = made(&self.exe, follow.status())?;
        if ended.success() { Ok(()) } else { Err(self.failed("demo-follow")) }
    }

    /// What the world saw and what the journal says, side by side.
    fn prove(&self, id: &str, killed: i64) -> Result<Value, Trouble> {
        let lines = self.lines();
        self.narrate("demo-proof", &[]);
        self.show_lines();
        let calls = self.call(&["call", "list", "--run", id])?;
        let calls = calls["data"].as_array().cloned().unwrap_or_default();
        let verified = self.call(&["journal", "verify"])?;
        let once = (1..=STEPS)
            .all(|step| lines.iter().filter(|line| **line == format!("step {step}")).count() == 1);
        if !once || lines.len() != STEPS {
            return Err(self.failed("demo-proof"));
        }
        let records = verified["data"]["records"].as_u64().unwrap_or_default();
        self.narrate("demo-journal", &[("records", &records), ("calls", &calls.len())]);
        Ok(json!({
            "loop_id": id, "killed_engine": killed, "ran": lines, "calls": calls.len(),
            "records": records, "each_step_once": true,
        }))
    }

    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.project.join("ran.log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn show_lines(&self) {
        for line in self.lines() {
            self.print(&format!("    ran.log | {line}"));
        }
    }

    fn wait_for(&self, what: &str, come: impl Fn() -> bool) -> Result<(), Trouble> {
        let give_up = Instant::now() + PATIENCE;
        while !come() {
            if Instant::now() > give_up {
                return Err(self.failed(what));
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    fn failed(&self, step: &str) -> Trouble {
        let dir = self.dir.display().to_string();
        trouble::class(Class::Internal, json!({ "step": step, "path": dir }))
    }

    fn narrate(&self, key: &str, args: &[(&str, &dyn std::fmt::Display)]) {
        self.print(&format!("▸ {}", self.ctx.tell(key, args)));
    }

    fn print(&self, text: &str) {
        if self.ctx.form == Form::Text {
            // A reader that has gone away ends the story, not the proof.
            drop(out::line(text));
            drop(std::io::stdout().flush());
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let home = self.dir.join("home");
        let mut command = Command::new(&self.exe);
        command
            .args(args)
            .args(["--lang", self.ctx.lang.tag()])
            .current_dir(&self.project)
            .stdin(Stdio::null())
            .env("HOME", &home)
            .env("XDG_STATE_HOME", home.join("state"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_RUNTIME_DIR", home.join("run"));
        command
    }

    fn call(&self, args: &[&str]) -> Result<Value, Trouble> {
        let output = made(&self.exe, self.command(args).arg("--json").output())?;
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if value["ok"] == json!(true) {
            Ok(value)
        } else {
            let step = format!("{}: {}", args.join(" "), value["error"]["message"]);
            Err(self.failed(&step))
        }
    }
}
