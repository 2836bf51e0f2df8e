//! One scripted agent in a directory of its own: home, work tree, call directory. Holds no
//! assertion about a behaviour.

use std::fs::File;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use runtime::shim::files::{self, FORMAT, Request, Stdin};
use runtime::shim::{clock, look, procfs};
use serde_json::Value;

/// Longer than anything here takes on a machine that is busy with seven other builds.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What a run left.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
    pub signal: Option<i32>,
}

impl Ran {
    fn of(status: ExitStatus, stdout: &[u8], stderr: &[u8]) -> Self {
        Self {
            stdout: String::from_utf8_lossy(stdout).into(),
            stderr: String::from_utf8_lossy(stderr).into(),
            code: status.code(),
            signal: status.signal(),
        }
    }

    /// Standard output as one JSON object a line.
    pub fn events(&self) -> Vec<Value> {
        let read = |line: &str| serde_json::from_str(line).map_err(|e| format!("{e}: {line}"));
        self.stdout.lines().map(|line| read(line).unwrap()).collect()
    }
}

/// A scripted agent, before it runs.
pub struct Agent {
    root: tempfile::TempDir,
    scenario: PathBuf,
    pub call: String,
    prompt: String,
    launch: u32,
    resume: Option<String>,
}

/// The binary under test.
pub fn exe() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_loopwright"))
}

/// A scenario of the test data.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scenarios").join(name)
}

impl Agent {
    /// One that acts by this text.
    pub fn new(scenario: &str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("scenario.toml");
        std::fs::write(&path, scenario).unwrap();
        Self::in_root(root, path)
    }

    /// One that plays these steps and talks so.
    pub fn steps(dialect: &str, steps: &str) -> Self {
        Self::new(&format!("[[rule]]\ndialect = \"{dialect}\"\nsteps = [{steps}]\n"))
    }

    /// One that acts by a file of the test data.
    pub fn of_data(name: &str) -> Self {
        Self::in_root(tempfile::tempdir().unwrap(), data(name))
    }

    fn in_root(root: tempfile::TempDir, scenario: PathBuf) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        for name in ["home", "work"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        let agent = Self {
            root,
            scenario,
            call: String::new(),
            prompt: "say hello".to_owned(),
            launch: 1,
            resume: None,
        };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        agent.called(&format!("call-drive-{}-{number}", std::process::id()))
    }

    pub fn prompt(mut self, prompt: &str) -> Self {
        prompt.clone_into(&mut self.prompt);
        self
    }

    pub fn launch(mut self, launch: u32) -> Self {
        self.launch = launch;
        self
    }

    pub fn resume(mut self, id: &str) -> Self {
        self.resume = Some(id.to_owned());
        self
    }

    pub fn called(mut self, call: &str) -> Self {
        call.clone_into(&mut self.call);
        self
    }

    pub fn home(&self) -> PathBuf {
        self.root.path().join("home")
    }

    pub fn work(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("work")
    }

    pub fn root(&self) -> &Path {
        self.root.path()
    }

    pub fn scenario(&self) -> &Path {
        &self.scenario
    }

    /// What an engine would have written for this call.
    pub fn request(&self) -> Request {
        let work = self.work().to_str().unwrap().to_owned();
        Request {
            format: FORMAT,
            call_id: self.call.clone(),
            key: "collab-1/ask/a/1".into(),
            attempt: 1,
            epoch: 7,
            argv: self.argv(),
            cwd: work.clone(),
            workspace: work,
            env_names: Vec::new(),
            stdin: Stdin::Prompt,
            deadline_wall_ms: clock::wall_ms() + 600_000,
            deadline_boot_ms: None,
            boot_id: None,
            idle_ms: None,
            grace_ms: 10_000,
            spool_bytes: 1 << 20,
            tail_bytes: files::TAIL_BYTES,
            collect: Vec::new(),
            sandbox: None,
            tool_call: Value::Null,
        }
    }

    pub fn call_dir(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join(&self.call)
    }

    fn argv(&self) -> Vec<String> {
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let mut argv = vec![text(exe()), "drive".into(), "script".into(), text(&self.call_dir())];
        argv.extend(["--scenario".into(), text(&self.scenario)]);
        argv.extend(self.resume.iter().flat_map(|id| ["--resume".to_owned(), id.clone()]));
        argv
    }

    /// The environment of its process.
    pub fn env(&self) -> Vec<(String, String)> {
        let home = self.home().to_str().unwrap().to_owned();
        [
            ("PATH", "/usr/local/bin:/usr/bin:/bin".to_owned()),
            ("HOME", home),
            ("LOOPWRIGHT_LAUNCH", self.launch.to_string()),
            (procfs::CALL_ID_VAR, self.call.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    pub fn prepare(&self) -> PathBuf {
        let dir = self.call_dir();
        std::fs::create_dir_all(&dir).unwrap();
        files::write(&dir, files::REQUEST, &self.request()).unwrap();
        std::fs::write(dir.join(files::PROMPT), &self.prompt).unwrap();
        dir
    }

    /// The process as a shim would start it, ready to spawn.
    pub fn command(&self) -> Command {
        let dir = self.prepare();
        let argv = self.argv();
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]).current_dir(self.work()).env_clear().envs(self.env());
        command.stdin(File::open(dir.join(files::PROMPT)).unwrap());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end, streams included.
    pub fn run(&self) -> Ran {
        let output = self.command().output().unwrap();
        Ran::of(output.status, &output.stdout, &output.stderr)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.work().join(name)).unwrap_or_default()
    }
}

impl Drop for Agent {
    /// A failed test leaves nothing running either.
    fn drop(&mut self) {
        look::sweep(&self.call);
    }
}

/// Runs a command with this on its standard input.
pub fn feed(mut command: Command, input: &str) -> Ran {
    use std::io::Write as _;
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // One that answers without reading closes the pipe; that is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Ran::of(output.status, &output.stdout, &output.stderr)
}

/// How many bytes come until the stream ends.
pub fn count(mut stream: impl std::io::Read) -> u64 {
    let mut buffer = vec![0u8; 1 << 20];
    let mut bytes = 0;
    loop {
        match stream.read(&mut buffer).unwrap() {
            0 => return bytes,
            more => bytes += more as u64,
        }
    }
}

/// Reads until this text has come.
pub fn await_text(stream: &mut impl std::io::Read, text: &str) {
    let mut seen = Vec::new();
    let mut byte = [0u8; 1];
    // Byte by byte: what comes after is for whoever reads next.
    while stream.read(&mut byte).unwrap() == 1 {
        seen.push(byte[0]);
        if seen.ends_with(text.as_bytes()) {
            return;
        }
    }
    panic!("{text} never came: {}", String::from_utf8_lossy(&seen));
}

/// Polls for a condition that must come true.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
