//! A workspace and a home in a temporary directory, and the real binary in them. It starts what it
//! is told to and clears up after itself; it asserts nothing about loops.

use std::fs::{self, File, Permissions};
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::broken::{Broken, ensure};
use super::procs;

/// How long any one command may take: a machine that is busy with other work included.
pub const PATIENCE: Duration = Duration::from_secs(120);
/// Between two looks.
pub const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The user that owns nothing.
pub const NOBODY: u32 = 65534;

/// Whose house it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tenant {
    /// Whoever runs the proof.
    Us,
    /// An unprivileged user; whoever runs the proof, if that is one already.
    Unprivileged,
}

/// A workspace, its home, and the program.
pub struct House {
    _temp: tempfile::TempDir,
    /// What holds both, without links.
    pub top: PathBuf,
    /// The work tree.
    pub work: PathBuf,
    exe: PathBuf,
    tenant: Tenant,
    count: AtomicU32,
}

/// What a command answered.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code; -1 if a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    /// Its answer as JSON, null if it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_default()
    }
}

impl House {
    /// A house with these settings, not yet trusted.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new(exe: &Path, settings: &str, tenant: Tenant) -> Result<Self, Broken> {
        let temp = tempfile::tempdir()?;
        let top = temp.path().canonicalize()?;
        let work = top.join("work");
        for dir in [top.join("home"), top.join("said"), work.clone()] {
            fs::create_dir_all(dir)?;
        }
        fs::write(work.join("loopwright.toml"), settings)?;
        let count = AtomicU32::new(0);
        let mut house = Self { _temp: temp, top, work, exe: exe.to_owned(), tenant, count };
        if house.lowers() {
            // The build's own directory need not be open to everybody.
            let copy = house.top.join("loopwright");
            fs::copy(&house.exe, &copy)?;
            house.exe = copy;
            for path in ["", "home", "work", "work/loopwright.toml"] {
                house.give(&house.top.join(path))?;
            }
        }
        Ok(house)
    }

    /// Whether commands run as another user than this process.
    #[must_use]
    pub fn lowers(&self) -> bool {
        self.tenant == Tenant::Unprivileged && rustix::process::geteuid().is_root()
    }

    /// Gives a path to the tenant.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn give(&self, path: &Path) -> Result<(), Broken> {
        if self.lowers() {
            chown(path, Some(NOBODY), Some(NOBODY))?;
        }
        Ok(())
    }

    /// Puts an executable script into the work tree.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn script(&self, name: &str, text: &str) -> Result<(), Broken> {
        let path = self.work.join(name);
        fs::write(&path, text)?;
        fs::set_permissions(&path, Permissions::from_mode(0o755))?;
        self.give(&path)
    }

    /// Writes the settings of the home's owner.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn configure(&self, settings: &str) -> Result<(), Broken> {
        let dir = self.top.join("home/.config/loopwright");
        fs::create_dir_all(&dir)?;
        Ok(fs::write(dir.join("config.toml"), settings)?)
    }

    /// The directory of our files.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.work.join(".loop")
    }

    /// The program's own words before its arguments, as this house's tenant.
    fn words(&self) -> Vec<PathBuf> {
        let mut words = Vec::new();
        if self.lowers() {
            let user = NOBODY.to_string();
            words = ["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups", "--"]
                .map(PathBuf::from)
                .to_vec();
        }
        words.push(self.exe.clone());
        words
    }

    /// A command of the program, behind `before` (a tracer, say).
    #[must_use]
    pub fn command_behind(&self, before: &[String], args: &[&str]) -> Command {
        let mut words: Vec<PathBuf> = before.iter().map(PathBuf::from).collect();
        words.extend(self.words());
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .args(args)
            .current_dir(&self.work)
            .stdin(Stdio::null())
            .env_clear()
            .env("HOME", self.top.join("home"))
            .env("PATH", "/usr/bin:/bin");
        command
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// When it does not end.
    pub fn run(&self, args: &[&str]) -> Result<Ran, Broken> {
        self.run_within(args, PATIENCE)?
            .ok_or_else(|| Broken(format!("`{}` did not end", args.join(" "))))
    }

    /// Runs a command; none when it had to be cut off.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn run_within(&self, args: &[&str], patience: Duration) -> Result<Option<Ran>, Broken> {
        let n = self.count.fetch_add(1, Ordering::SeqCst);
        let path = |what: &str| self.top.join("said").join(format!("{n}.{what}"));
        let mut command = self.command_behind(&[], args);
        command.stdout(File::create(path("out"))?).stderr(File::create(path("err"))?);
        let mut child = command.spawn().map_err(|why| needs("util-linux (setpriv)", &why))?;
        let Some(status) = ended(&mut child, patience)? else {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        };
        let text = |what| fs::read(path(what)).map(|b| String::from_utf8_lossy(&b).into_owned());
        Ok(Some(Ran { code: status.code().unwrap_or(-1), out: text("out")?, err: text("err")? }))
    }

    /// Runs a command that must be answered, and gives the answer's data.
    ///
    /// # Errors
    /// When it is refused.
    pub fn ask(&self, args: &[&str]) -> Result<Value, Broken> {
        let ran = self.run(&[args, &["--json"]].concat())?;
        let value = ran.json();
        ensure(value["ok"] == json!(true), || format!("`{}`: {ran:?}", args.join(" ")))?;
        Ok(value["data"].clone())
    }

    /// Asks the engine to leave and waits until nothing lives here.
    ///
    /// # Errors
    /// When something stays alive.
    pub fn empty(&self) -> Result<(), Broken> {
        self.run(&["engine", "stop"])?;
        let give_up = Instant::now() + PATIENCE;
        while !procs::living(&self.top).is_empty() {
            ensure(Instant::now() < give_up, || {
                format!("still alive: {:?}", procs::living(&self.top))
            })?;
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }
}

impl Drop for House {
    fn drop(&mut self) {
        procs::clear(&self.top);
    }
}

/// A missing tool, by the Debian package it comes in.
#[must_use]
pub fn needs(package: &str, why: &std::io::Error) -> Broken {
    Broken(format!("{why}: install the Debian package {package}"))
}

/// Waits for a child; none when it is still there after that time.
///
/// # Errors
/// When the system can't say.
pub fn ended(child: &mut Child, patience: Duration) -> Result<Option<ExitStatus>, Broken> {
    let give_up = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() > give_up {
            return Ok(None);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// An engine that we started ourselves, as a client would.
pub struct Engine {
    /// The process we started: the engine, or its tracer.
    pub child: Child,
    /// The line it said, empty if it died before.
    pub line: String,
}

impl Engine {
    /// Starts one behind `before` and waits for its line.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn start(house: &House, before: &[String]) -> Result<Self, Broken> {
        let root = house.work.to_string_lossy().into_owned();
        let args = ["engine", "--workspace", &root, "--lang", "en"];
        let log = File::create(house.top.join("said").join("engine.err"))?;
        let mut command = house.command_behind(before, &args);
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        Ok(Self { child, line })
    }

    /// Waits until its threads have their names: each takes its own when it first runs.
    ///
    /// # Errors
    /// When they do not get them.
    pub fn named(&self) -> Result<Vec<(i32, String)>, Broken> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let threads = procs::threads(self.pid());
            let nameless = |(tid, name): &(i32, String)| *tid != self.pid() && name == "loopwright";
            let complete = threads.iter().any(|(_, name)| name == "door");
            if complete && !threads.iter().any(nameless) {
                return Ok(threads);
            }
            ensure(Instant::now() < give_up, || format!("threads of the engine: {threads:?}"))?;
            std::thread::sleep(LOOK_EVERY);
        }
    }

    /// Its pid.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A proof that fails leaves nothing running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
