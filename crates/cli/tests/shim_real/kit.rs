//! A call to try the shim with: a fresh directory, a request, and the engine's four moves.
//! Holds no assertion about a behaviour but the one that ends every test: no survivors.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use runtime::shim::files::{self, ExitRecord, FORMAT, Request, Stdin, Ticket};
use runtime::shim::launch::{self, Launched};
use runtime::shim::look::{self, Look};
use runtime::shim::{clock, procfs};

/// Longer than anything here takes on a machine that is busy with seven other builds.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// One call, before, while and after it runs.
pub struct Call {
    root: tempfile::TempDir,
    pub dir: PathBuf,
    pub request: Request,
}

/// The binary under test.
pub fn exe() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_loopwright"))
}

impl Call {
    /// A call that runs `script` in a shell.
    pub fn sh(script: &str) -> Self {
        Self::argv(&["/bin/sh", "-c", script])
    }

    pub fn argv(argv: &[&str]) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let call_id = format!("call-test-{}-{number}", std::process::id());
        let root = tempfile::tempdir().unwrap();
        let base = root.path().canonicalize().unwrap();
        let workspace = base.join("workspace");
        std::fs::create_dir(&workspace).unwrap();
        let workspace = workspace.to_str().unwrap().to_owned();
        let request = Request {
            format: FORMAT,
            call_id: call_id.clone(),
            key: "turn-1/step/s1/1/0".into(),
            attempt: 1,
            epoch: 7,
            argv: argv.iter().map(|arg| (*arg).to_owned()).collect(),
            cwd: workspace.clone(),
            workspace,
            env_names: vec!["PATH".into(), "SECRET".into()],
            stdin: Stdin::Null,
            deadline_wall_ms: clock::wall_ms() + 600_000,
            deadline_boot_ms: None,
            boot_id: None,
            idle_ms: None,
            grace_ms: 10_000,
            spool_bytes: files::SPOOL_BYTES_MAX,
            tail_bytes: files::TAIL_BYTES,
            collect: Vec::new(),
            sandbox: None,
            tool_call: serde_json::Value::Null,
        };
        Self { dir: base.join(call_id), root, request }
    }

    /// Changes the request before it is prepared.
    pub fn with(mut self, change: impl FnOnce(&mut Request)) -> Self {
        change(&mut self.request);
        self
    }

    pub fn ticket(&self) -> Ticket {
        self.request.ticket()
    }

    pub fn workspace(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap().join("workspace")
    }

    pub fn prepare(&self) -> &Self {
        launch::prepare(&self.dir, &self.request).unwrap();
        self
    }

    pub fn launch(&self) -> Launched {
        let env = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("SECRET", "swordfish")];
        let env = env.map(|(name, value)| (name.into(), value.into()));
        launch::launch(exe(), &self.dir, &self.ticket(), &env).unwrap()
    }

    /// The whole life of a call that is expected to leave a record.
    pub fn run(&self) -> ExitRecord {
        self.prepare().launch().wait().unwrap();
        self.exited()
    }

    pub fn look(&self) -> Look {
        look::look(&self.dir, &self.ticket()).unwrap().look
    }

    /// Its record; fails if there is none, or if anything of the call outlived the record.
    pub fn exited(&self) -> ExitRecord {
        let look = self.look();
        let Look::Exited(record) = look else { panic!("no record: {look:?}; {}", self.log()) };
        self.assert_no_survivors();
        *record
    }

    pub fn assert_no_survivors(&self) {
        assert_eq!(procfs::marked(&self.request.call_id), [], "survivors");
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8_lossy(&std::fs::read(self.dir.join(name)).unwrap_or_default()).into()
    }

    pub fn log(&self) -> String {
        self.read(files::LOG)
    }

    /// Waits until the child has written `text` to its output.
    pub fn await_output(&self, text: &str) {
        until(text, || self.read(files::STDOUT).contains(text));
    }

    /// How often the program really ran: the lines it wrote to `ran` in the workspace.
    pub fn times_run(&self) -> usize {
        std::fs::read_to_string(self.workspace().join("ran")).unwrap_or_default().lines().count()
    }
}

impl Drop for Call {
    /// A failed test leaves nothing running either.
    fn drop(&mut self) {
        look::sweep(&self.request.call_id);
    }
}

/// Polls for a condition that must come true.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Who we are, as files know it.
pub fn uid() -> u32 {
    rustix::process::geteuid().as_raw()
}
