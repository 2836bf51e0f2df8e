//! From a question to what its server is given: the call's id, the files of its directory, the
//! message. Nothing is started here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::child_env::{self, Extra};
use crate::query::OpenQuestion;
use crate::redact::Redactor;
use crate::shim::files::{self, Request, Stdin};
use crate::shim::{clock, identity};
use crate::words::{self, Lang};

/// The file of the call's directory that holds what is asked.
pub(super) const ZHI: &str = "zhi.json";
/// A request is a question and a few labels; a megabyte is a mistake.
pub const REQUEST_BYTES_MAX: u64 = 1 << 20;
/// The driver prints one line, whose reply it bounds itself.
const SPOOL_BYTES: u64 = 4 << 20;
/// A shim wants a deadline. Questions that wait longer than a month are not answered by a window
/// that has been open all that time.
const WAIT_MS_MAX: u64 = 30 * 24 * 60 * 60 * 1000;
/// The server holds nothing of ours; it gets a moment to close its window.
const GRACE_MS: u64 = 2000;
/// Hex digits of the hash in a call's id: enough that no two questions of a workspace meet.
const ID_DIGITS: usize = 24;
/// What a window on the person's screen needs, and no other child gets.
const SCREEN: [&str; 4] = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"];

/// `[ask.zhi]`, and where we are.
#[derive(Clone, Debug)]
pub struct ZhiPlan {
    /// The server's program and its arguments.
    pub command: Vec<String>,
    /// The tool to call.
    pub tool: String,
    /// Further arguments of the tool.
    pub extra: Map<String, Value>,
    /// The work tree, absolute and without links.
    pub root: PathBuf,
    /// The directory of our files.
    pub loop_dir: PathBuf,
    /// Our own program: shim and driver.
    pub exe: PathBuf,
    /// What passes into children beyond the standing list.
    pub env: Extra,
    /// This engine's place in the journal's line of writers.
    pub epoch: u64,
    /// The language of the message.
    pub lang: Lang,
    /// Takes secrets out of what leaves us.
    pub redactor: Arc<Redactor>,
}

/// The call under which a question is asked. Another hash is another question.
#[must_use]
pub fn call_id(question: &OpenQuestion) -> String {
    let hash = question.question.hash.as_deref().unwrap_or_default();
    let digest = kernel::hash::sha256_hex(format!("{}\0{hash}", question.id).as_bytes());
    format!("{PREFIX}{}", &digest[..ID_DIGITS])
}

/// How the directories of this port's calls begin.
pub(super) const PREFIX: &str = "zhi-";

/// Whether this is the first time the person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Time {
    First,
    Again,
}

impl ZhiPlan {
    /// The directory of a call.
    pub(super) fn dir(&self, call: &str) -> PathBuf {
        self.loop_dir.join("calls").join(call)
    }

    /// What the shim is told.
    pub(super) fn request(&self, question: &OpenQuestion, attempt: u32, ask: u32) -> Request {
        let call = call_id(question);
        let dir = self.dir(&call);
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let argv = vec![
            text(&self.exe),
            String::from("drive-zhi"),
            text(&dir),
            String::from("--request"),
            String::from(ZHI),
        ];
        Request {
            format: files::FORMAT,
            call_id: call,
            key: question.id.clone(),
            attempt,
            epoch: self.epoch,
            argv,
            workspace: text(&self.root),
            cwd: text(&self.root),
            env_names: Vec::new(),
            stdin: Stdin::Null,
            deadline_wall_ms: clock::wall_ms().saturating_add(WAIT_MS_MAX),
            deadline_boot_ms: Some(clock::boot_ms().saturating_add(WAIT_MS_MAX)),
            boot_id: identity::Place::here().ok().map(|place| place.boot_id),
            idle_ms: None,
            grace_ms: GRACE_MS,
            spool_bytes: SPOOL_BYTES,
            tail_bytes: files::TAIL_BYTES,
            collect: Vec::new(),
            sandbox: None,
            tool_call: json!({ "name": "zhi", "question": question.id, "ask": ask }),
        }
    }

    /// What the driver is told.
    pub(super) fn asks(&self, question: &OpenQuestion, time: Time) -> Value {
        let labels: Vec<String> =
            question.options(self.lang).into_iter().map(|(_, label)| label).collect();
        json!({
            "command": self.command, "tool": self.tool, "extra": self.extra,
            "message": self.redactor.redact_text(&self.message(question, time)),
            "options": labels,
        })
    }

    fn message(&self, question: &OpenQuestion, time: Time) -> String {
        let mut parts = Vec::new();
        match time {
            Time::First => {}
            Time::Again => parts.push(words::say(self.lang, "zhi-again", &[])),
        }
        parts.push(question.text(self.lang));
        let line = |(at, (key, label)): (usize, (String, String))| {
            let hint = words::find(self.lang, &format!("zhi-hint-{key}"), &[]);
            let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!("{}. {label}{hint}", at + 1)
        };
        let options: Vec<String> =
            question.options(self.lang).into_iter().enumerate().map(line).collect();
        parts.push(options.join("\n"));
        parts.push(words::say(self.lang, "questions-with", &[("id", &question.id)]));
        parts.join("\n\n")
    }

    /// The environment of shim, driver and server.
    pub(super) fn environment(&self, question: &OpenQuestion) -> Vec<(OsString, OsString)> {
        let call = call_id(question);
        let tmp = self.dir(&call).join(files::TMP);
        let mut extra = self.env.clone();
        extra.pass.extend(SCREEN.map(String::from));
        let place = child_env::Place {
            root: &self.root,
            tmp: &tmp,
            call: &call,
            run: &question.run,
            trace: "",
        };
        child_env::build(std::env::vars_os(), &extra, &place)
    }
}
