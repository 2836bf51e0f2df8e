//! A workspace and a home of its own for each test, with the real binary in it. When it is dropped
//! its engine leaves and whatever it started is let go. Asserts nothing about loops.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything here takes on a machine that is busy with seven other builds.
pub const PATIENCE: Duration = Duration::from_secs(90);
const EVERY: Duration = Duration::from_millis(20);

/// Appends to a log when it begins and when it ends, and waits for a file in between. It gives up
/// by itself, so that nothing outlives a failed test for long.
const GATE: &str = "echo $1 began >> log\nn=0\n\
    while [ ! -e go ] && [ $n -lt 2400 ]; do sleep 0.05; n=$((n+1)); done\necho $1 ended >> log\n";

/// A workspace and its home.
pub struct House {
    _temp: tempfile::TempDir,
    pub home: PathBuf,
    pub work: PathBuf,
    /// System calls that do not exist for whatever is started here, as on an older kernel.
    pub lacks: Vec<libc::c_long>,
}

/// What the binary answered.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// The one JSON value.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn of(child: Child) -> Self {
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let code = output.status.code().expect("it exits by itself");
        Self { code, out: text(&output.stdout), err: text(&output.stderr) }
    }
}

impl House {
    /// A trusted workspace whose only check is that the file `proof` is there.
    pub fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (home, work) = (top.join("home"), top.join("work"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        let house = Self { _temp: temp, home, work, lacks: Vec::new() };
        house.write("gate.sh", GATE);
        house.write(
            "loopwright.toml",
            "[loop.validate]\n\
             commands = [{ argv = [\"test\", \"-f\", \"proof\"], parser = \"exit\" }]\n",
        );
        assert_eq!(house.run(&["workspace", "trust"]).code, 0);
        house
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.args(args).current_dir(&self.work).env_clear().env("HOME", &self.home);
        for (name, dir) in
            [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_RUNTIME_DIR", "run")]
        {
            command.env(name, self.home.join(dir));
        }
        command.env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        if !self.lacks.is_empty() {
            let filter = lacking(&self.lacks);
            // SAFETY: between fork and exec it makes two system calls on memory that is its own.
            unsafe { command.pre_exec(move || put_up(&filter)) };
        }
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.spawn(args))
    }

    pub fn spawn(&self, args: &[&str]) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The data of a command that must succeed.
    pub fn data(&self, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--json"]].concat());
        let value = ran.json();
        assert_eq!(value["ok"], true, "{args:?}: {ran:?}");
        value["data"].clone()
    }

    /// A new loop with these command lines.
    pub fn create(&self, lines: &[&str]) -> String {
        let mut args = vec!["loop", "create", "--title", "work"];
        args.extend(lines.iter().flat_map(|line| ["--task", line]));
        self.data(&args)["loop_id"].as_str().unwrap().to_owned()
    }

    /// The same, started and left alone.
    pub fn started(&self, lines: &[&str]) -> String {
        let id = self.create(lines);
        self.data(&["loop", "start", &id, "--auto", "--detach"]);
        id
    }

    pub fn show(&self, id: &str) -> Value {
        self.data(&["loop", "show", id])
    }

    pub fn status(&self, id: &str) -> String {
        self.show(id)["status"].as_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.work.join(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.work.join(name)).unwrap_or_default()
    }

    pub fn has(&self, name: &str) -> bool {
        self.work.join(name).exists()
    }

    /// Waits until a gated task has begun.
    pub fn until_began(&self, name: &str) {
        until("a task begins", || self.read("log").contains(&format!("{name} began")));
    }

    /// Waits until a loop has this status.
    pub fn until_status(&self, id: &str, status: &str) {
        until(status, || self.status(id) == status);
    }

    pub fn engine_pid(&self) -> i32 {
        let pid = self.data(&["engine", "status"])["pid"].as_i64().expect("an engine runs");
        i32::try_from(pid).unwrap()
    }

    fn engine_runs(&self) -> bool {
        self.run(&["engine", "status", "--json"]).out.contains("\"running\":true")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        // Gated tasks end by themselves once they may.
        drop(std::fs::write(self.work.join("go"), ""));
        let over = Instant::now() + PATIENCE;
        while self.engine_runs() && Instant::now() < over {
            self.run(&["engine", "stop"]);
            std::thread::sleep(EVERY);
        }
    }
}

/// A filter that says of these system calls that they do not exist.
fn lacking(calls: &[libc::c_long]) -> Vec<libc::sock_filter> {
    let step = |code: u16, jt: u8, k: u32| libc::sock_filter { code, jt, jf: 0, k };
    let (load, equal, answer) = (0x20, 0x15, 0x06);
    let (absent, allow) = (0x0005_0000 | libc::ENOSYS.cast_unsigned(), 0x7fff_0000);
    let mut steps = vec![step(load, 0, 0)];
    for (at, call) in calls.iter().enumerate() {
        // From there to the last but one.
        let ahead = u8::try_from(calls.len() - at).unwrap();
        steps.push(step(equal, ahead, u32::try_from(*call).unwrap()));
    }
    steps.extend([step(answer, 0, allow), step(answer, 0, absent)]);
    steps
}

fn put_up(filter: &[libc::sock_filter]) -> std::io::Result<()> {
    let len = u16::try_from(filter.len()).map_err(std::io::Error::other)?;
    let program = libc::sock_fprog { len, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel reads the program, which outlives the calls.
    let done = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    };
    if done { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

/// Waits for something to become true.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let over = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < over, "never: {what}");
        std::thread::sleep(EVERY);
    }
}

/// Sends a signal to a process that this test started, or that its engine is.
pub fn signal(pid: i32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}
