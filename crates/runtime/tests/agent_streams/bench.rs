//! A call directory made by hand, read by the real reader, and the report in one line. Proves
//! nothing by itself.

use std::path::Path;

use kernel::agent::{Access, Answer, Ask, FileKind, Kind, Report, Structured, Tools, Usage};
use kernel::machine::At;
use loopwright_runtime::agents::fold::FoldPlan;
use loopwright_runtime::agents::read;
use loopwright_runtime::redact::{Redactor, Secrets};
use loopwright_runtime::shim::files::{Ended, ExitRecord, SpawnError};

pub const WORKDIR: &str = "/home/user";
pub const SECRET: &str = "sesame-open-4711";

/// A call that ended.
#[derive(Clone)]
pub struct Case {
    pub kind: Kind,
    pub stdout: Vec<u8>,
    pub tail: Vec<u8>,
    pub stderr: String,
    pub exit: ExitRecord,
    pub plan: FoldPlan,
    pub schema: Option<String>,
    pub prompt: String,
}

impl Case {
    pub fn new(kind: Kind, stdout: impl AsRef<[u8]>) -> Self {
        let plan =
            FoldPlan { call: "call-1".into(), workdir: WORKDIR.into(), ..FoldPlan::default() };
        Self {
            kind,
            stdout: stdout.as_ref().to_vec(),
            tail: Vec::new(),
            stderr: String::new(),
            exit: exit(),
            plan,
            schema: None,
            prompt: String::new(),
        }
    }

    pub fn recorded(name: &str) -> Self {
        Self::new(kind_of(name), transcript(name))
    }

    pub fn code(mut self, code: i32) -> Self {
        self.exit.exit_code = Some(code);
        self
    }

    pub fn ended(mut self, ended: Ended) -> Self {
        self.exit.ended = ended;
        self.exit.exit_code = None;
        self
    }

    pub fn spawn_error(mut self, error: SpawnError) -> Self {
        self.exit.spawn_error = Some(error);
        self.ended(Ended::SpawnFailed)
    }

    pub fn stderr(mut self, text: &str) -> Self {
        self.stderr = text.to_owned();
        self
    }

    pub fn resume(mut self, id: &str) -> Self {
        self.plan.resume = Some(id.to_owned());
        self
    }

    pub fn totals(mut self, totals: Usage) -> Self {
        self.plan.totals = totals;
        self
    }

    pub fn backend(mut self, kind: Kind) -> Self {
        self.plan.backend = Some(kind);
        self
    }

    pub fn schema(mut self, schema: &str) -> Self {
        self.schema = Some(schema.to_owned());
        self
    }

    /// The report, and the answer's words.
    pub fn report(&self) -> (Report, String) {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("calls/call-1");
        std::fs::create_dir_all(&dir).unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(dir.join(name), bytes).unwrap();
        write("stdout", &self.stdout);
        write("stderr", self.stderr.as_bytes());
        write("prompt", self.prompt.as_bytes());
        if !self.tail.is_empty() {
            write("stdout.tail", &self.tail);
        }
        let mut exit = self.exit.clone();
        exit.stdout_bytes = self.stdout.len() as u64;
        exit.stderr_bytes = self.stderr.len() as u64;
        let report =
            read::report(&dir, &self.ask(), &exit, &self.plan, &redactor(), At(0)).unwrap();
        let again = read::report(&dir, &self.ask(), &exit, &self.plan, &redactor(), At(9)).unwrap();
        assert_eq!(report, again, "reading twice");
        let text = words(root.path(), &report);
        (report, text)
    }

    pub fn told(&self) -> String {
        let (report, text) = self.report();
        line(&report, &text)
    }

    fn ask(&self) -> Ask {
        Ask {
            agent: "a".into(),
            kind: self.kind,
            talk: None,
            access: Access::Read,
            model: None,
            resume: None,
            prompt: Vec::new(),
            schema: self.schema.clone(),
            lang: "en".into(),
            tools: Tools::Own,
        }
    }
}

pub fn redactor() -> Redactor {
    let env = vec![("MY_TOKEN".to_owned(), SECRET.to_owned())];
    Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap()
}

fn exit() -> ExitRecord {
    ExitRecord {
        format: 1,
        call_id: "call-1".into(),
        key: "k".into(),
        attempt: 1,
        epoch: 1,
        boot_id: "b".into(),
        started_at: "2026-11-15T16:00:00Z".into(),
        ended_at: "2026-11-15T17:00:00Z".into(),
        exit_code: Some(0),
        signal: None,
        ended: Ended::Exit,
        stdout_bytes: 0,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "none".into(),
        carve_out: loopwright_runtime::sandbox::Carve::None,
        survivors: Vec::new(),
        spawn_error: None,
        collected: Vec::new(),
    }
}

/// The text that the report points at, checked against its digest.
fn words(root: &Path, report: &Report) -> String {
    use std::os::unix::fs::PermissionsExt;
    let (text, json) = match &report.answer {
        Answer::Answered { text, structured: Structured::Valid(json), .. } => {
            (Some(text), Some(json))
        }
        Answer::Answered { text, .. } => (Some(text), None),
        Answer::Failed { partial, .. } => (partial.as_ref(), None),
    };
    for kept in text.iter().chain(&json) {
        let bytes = std::fs::read(root.join(&kept.path)).unwrap();
        assert_eq!(kernel::hash::sha256_hex(&bytes), kept.sha256);
        assert_eq!(bytes.len() as u64, kept.bytes);
        let mode = std::fs::metadata(root.join(&kept.path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    text.map_or_else(String::new, |kept| std::fs::read_to_string(root.join(&kept.path)).unwrap())
}

/// A report in one line: what is nothing is left out.
pub fn line(report: &Report, text: &str) -> String {
    let facts = &report.facts;
    let mut out = match &report.answer {
        Answer::Answered { session, structured, .. } => {
            let form = match structured {
                Structured::NotAsked => String::new(),
                Structured::Valid(_) => " valid".to_owned(),
                Structured::Invalid { kind, issues } => format!(" {kind}({})", issues.len()),
            };
            format!("answered{form} {}", short(session.as_ref()))
        }
        Answer::Failed { error, session, .. } => {
            let wait = error.retry_after_ms.map_or_else(String::new, |ms| format!(" wait={ms}"));
            let reset = error.reset_at.map_or_else(String::new, |at| format!(" until={}", at.0));
            let session = short(session.as_ref());
            format!("{} {}{wait}{reset} {session}", error.code, error.kind)
        }
    };
    let files: Vec<String> =
        facts.files.iter().map(|f| format!("{}{}", sign(f.kind), f.path)).collect();
    let parts = [
        ("text", text.to_owned()),
        ("files", files.join(",")),
        ("used", used(&facts.usage)),
        ("retries", count(u64::from(facts.retries_seen))),
        ("denied", facts.denied.join(",")),
        ("notes", count(facts.notes.len() as u64)),
        ("bad", count(facts.bad_lines)),
        ("cut", if facts.truncated { "yes".to_owned() } else { String::new() }),
        ("forked", facts.forked_from.as_ref().map_or_else(String::new, |id| short(Some(id)))),
    ];
    for (name, value) in parts {
        if !value.is_empty() {
            out.push_str(&format!(" {name}={value}"));
        }
    }
    out
}

fn short(id: Option<&String>) -> String {
    id.map_or_else(|| "-".to_owned(), |id| id.chars().take(8).collect())
}

const fn sign(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Add => "+",
        FileKind::Update => "~",
        FileKind::Delete => "-",
    }
}

fn count(n: u64) -> String {
    if n == 0 { String::new() } else { n.to_string() }
}

/// Input/output/cached/reasoning/price, a dash for what was not told.
fn used(usage: &Usage) -> String {
    let all = [
        usage.input_tokens,
        usage.output_tokens,
        usage.cached_tokens,
        usage.reasoning_tokens,
        usage.cost_micros,
    ];
    if all.iter().all(Option::is_none) {
        return String::new();
    }
    all.map(|n| n.map_or_else(|| "-".to_owned(), |n| n.to_string())).join("/")
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts")
}

pub fn transcript(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(format!("{name}.stdout"))).unwrap()
}

/// The names of all recorded streams, sorted.
pub fn transcripts() -> Vec<String> {
    let names = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        names.map(|name| name.to_string_lossy().trim_end_matches(".stdout").to_owned()).collect();
    names.sort();
    assert!(names.len() > 30);
    names
}

pub fn kind_of(name: &str) -> Kind {
    Kind::named(name.split('.').next().unwrap()).unwrap()
}
