//! A workspace with a port in it: questions go in, what was heard is collected. Asserts nothing but
//! that nothing of a test outlives it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use kernel::owed::{Owed, Question};
use runtime::ask::{Heard, Zhi, ZhiPlan, call_id};
use runtime::child_env::Extra;
use runtime::query::{OpenQuestion, of_owed};
use runtime::redact::{Redactor, Secrets};
use runtime::shim::{look, procfs};
use runtime::words::Lang;
use serde_json::{Value, json};

use crate::server::DIR;

/// Longer than anything here takes on a machine that is busy with seven other builds.
pub const PATIENCE: Duration = Duration::from_secs(90);
const EVERY: Duration = Duration::from_millis(10);

/// A directory of our files, a server's directory, and a question.
pub struct Room {
    _temp: tempfile::TempDir,
    top: PathBuf,
    pub question: OpenQuestion,
}

/// A port and what it says.
pub struct Port {
    pub zhi: Zhi,
    heard: Receiver<Heard>,
}

impl Room {
    /// A room whose server replies with these, one a call; the last again and again.
    pub fn new(replies: &[Value]) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        for name in ["work", "work/.loop", "work/.loop/calls", "server"] {
            std::fs::create_dir(top.join(name)).unwrap();
        }
        let lines: Vec<String> = replies.iter().map(Value::to_string).collect();
        std::fs::write(top.join("server/replies"), lines.join("\n")).unwrap();
        let id = top.file_name().unwrap().to_str().unwrap().to_owned();
        let question = confirm(&format!("collab-{id}"), &["accept", "wait", "cancel"]);
        Self { _temp: temp, top, question }
    }

    pub fn plan(&self, epoch: u64) -> ZhiPlan {
        let server = std::env::current_exe().unwrap();
        let command = [
            "env",
            &format!("{DIR}={}", self.top.join("server").display()),
            server.to_str().unwrap(),
            "server::serve",
            "--exact",
            "--nocapture",
        ];
        let work = self.top.join("work");
        ZhiPlan {
            command: command.map(str::to_owned).to_vec(),
            tool: "zhi".into(),
            extra: json!({ "project_path": "/w" }).as_object().unwrap().clone(),
            loop_dir: work.join(".loop"),
            root: work,
            exe: PathBuf::from(env!("CARGO_BIN_EXE_loopwright")),
            env: Extra::default(),
            epoch,
            lang: Lang::Zh,
            redactor: Arc::new(Redactor::new(&Secrets::default()).unwrap()),
        }
    }

    /// A port of one engine life.
    pub fn port(&self, epoch: u64) -> Port {
        Port::of(self.plan(epoch))
    }

    /// The same, with the question open.
    pub fn asking(&self, epoch: u64) -> Port {
        let mut port = self.port(epoch);
        port.zhi.reconcile(std::slice::from_ref(&self.question));
        port
    }

    pub fn call_dir(&self) -> PathBuf {
        self.top.join("work/.loop/calls").join(call_id(&self.question))
    }

    pub fn work(&self) -> PathBuf {
        self.top.join("work")
    }

    pub fn server(&self, name: &str) -> PathBuf {
        self.top.join("server").join(name)
    }

    /// What the server was called with, so far.
    pub fn calls(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.server("calls")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Nobody of this question's call lives.
    pub fn nobody(&self) -> bool {
        procfs::marked(&call_id(&self.question)).is_empty()
    }

    pub fn until_nobody(&self) {
        until("nobody lives", || self.nobody());
    }
}

impl Drop for Room {
    /// A failed test leaves nothing running either.
    fn drop(&mut self) {
        look::sweep(&call_id(&self.question));
    }
}

impl Port {
    pub fn of(plan: ZhiPlan) -> Self {
        let (tell, heard) = channel();
        let zhi = Zhi::start(plan, move |what| drop(tell.send(what))).unwrap();
        Self { zhi, heard }
    }

    /// The next thing heard.
    pub fn hears(&self) -> Heard {
        self.heard.recv_timeout(PATIENCE).expect("something is heard")
    }

    /// Nothing more is heard once all that was asked of the port is done.
    pub fn silent(&self) {
        until("nobody is asked", || self.zhi.live() == 0);
        let more = self.heard.recv_timeout(Duration::from_millis(300));
        assert!(more.is_err(), "{more:?}");
    }
}

/// A question about a degraded result.
pub fn confirm(run: &str, options: &[&str]) -> OpenQuestion {
    asked(run, "collab.confirm", options)
}

/// A question of any kind.
pub fn asked(run: &str, kind: &str, options: &[&str]) -> OpenQuestion {
    let question = Question {
        kind: kind.into(),
        about: "frontend: E004".into(),
        options: options.iter().map(|key| (*key).to_owned()).collect(),
        takes_text: true,
        hash: Some("h".into()),
    };
    let owed = [Owed::Question { slot: "confirm".into(), question }];
    of_owed(run, "collab", &owed).remove(0)
}

pub fn text(text: &str) -> Value {
    json!({ "text": text })
}

pub fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Waits for something to become true.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let over = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < over, "never: {what}");
        std::thread::sleep(EVERY);
    }
}
