//! Takes connections, keeps what was asked and plays the scenario that the path names. What a
//! scenario means is decided elsewhere; here it becomes bytes, or their absence.

use std::io::{self, BufReader, Read as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

use super::dialect::{Dialect, Wanted};
use super::http::{self, Request};
use super::scenario::{RETRY_AFTER_S, Scenario, Step};
use super::talk::{self, Said, Task};

/// Between two looks whether silence may end.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Nobody may hold a thread for longer, whatever happens to the run.
const SILENCE_MAX: Duration = Duration::from_secs(3600);
/// Headers that hold a key, or might.
const SECRET: [&str; 5] =
    ["authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"];

/// One request as it was kept.
#[derive(Clone, Debug)]
pub struct Seen {
    /// Method and path.
    pub line: String,
    /// Without those that hold a key.
    pub headers: Vec<(String, String)>,
    /// The body, as text.
    pub body: String,
    /// What was said so far; empty for what is no talk with a model.
    pub said: Vec<Said>,
    /// The task it is about; none for a CLI's own requests.
    pub task: Option<Task>,
}

/// A listening server; it ends with this value.
pub struct Server {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    workdir: PathBuf,
    seen: Mutex<Vec<Seen>>,
    closing: AtomicBool,
    answers: AtomicU64,
    failed_once: AtomicBool,
}

impl Server {
    /// Listens on a free port; files that the model writes are below `workdir`.
    pub fn start(workdir: &Path) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared {
            workdir: workdir.to_owned(),
            seen: Mutex::default(),
            closing: AtomicBool::new(false),
            answers: AtomicU64::new(0),
            failed_once: AtomicBool::new(false),
        });
        let for_all = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if for_all.closing.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&for_all);
                // A peer that breaks off is a peer that was killed: nothing to tell.
                std::thread::spawn(move || shared.serve(stream));
            }
        });
        Ok(Self { port, shared })
    }

    /// The base URL for these scenarios, without the protocol's own part.
    pub fn base(&self, scenarios: &str) -> String {
        format!("http://127.0.0.1:{}/s/{scenarios}", self.port)
    }

    /// What arrived so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        // Wakes the listener; if that fails it sleeps on, alone.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        let Some(request) = http::read(&mut reader, &mut stream)? else { return Ok(()) };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let dialect = Dialect::of(&request.path).filter(|_| request.method == "POST");
        let said = dialect.map(|dialect| dialect.said(&body)).unwrap_or_default();
        let task = talk::task(&said);
        self.seen().push(keep(&request, said, task.clone()));
        let Some(dialect) = dialect else {
            aside(&mut stream, &request.path);
            return Ok(());
        };
        let wanted = dialect.wanted(&request.path, &body);
        let Some(task) = task else {
            let step = Step::Text("Noted.".to_owned());
            return self.say(&mut stream, dialect, wanted, &step);
        };
        let names = request.path.strip_prefix("/s/").and_then(|rest| rest.split('/').next());
        let scenario = Scenario::of(names.unwrap_or_default(), task.number);
        let Some(scenario) = scenario else {
            http::answer(&mut stream, 404, "text/plain", "", b"no such scenario");
            return Ok(());
        };
        let step = scenario.step(&task, &self.workdir);
        self.play(&mut stream, scenario, (dialect, wanted), &step)
    }

    /// Plays one request of a scenario.
    fn play(
        &self,
        stream: &mut TcpStream,
        scenario: Scenario,
        (dialect, wanted): (Dialect, Wanted),
        step: &Step,
    ) -> io::Result<()> {
        let mut refuse = |status: u16, more: &str| {
            let body = dialect.error(status).to_string();
            http::answer(stream, status, "application/json", more, body.as_bytes());
            Ok(())
        };
        match scenario {
            Scenario::Http401 => refuse(401, ""),
            Scenario::Http429 => refuse(429, ""),
            Scenario::Http429After => refuse(429, &format!("Retry-After: {RETRY_AFTER_S}\r\n")),
            Scenario::Http500 => refuse(500, ""),
            Scenario::One500 if !self.failed_once.swap(true, Ordering::Relaxed) => refuse(500, ""),
            Scenario::Half => self.half(stream, dialect, wanted, step),
            Scenario::Html => {
                let page = b"<!DOCTYPE html><html><body>Please log in.</body></html>";
                http::answer(stream, 200, "text/html; charset=utf-8", "", page);
                Ok(())
            }
            Scenario::Empty => {
                http::begin(stream)?;
                http::end(stream)
            }
            Scenario::Drop => Ok(()),
            Scenario::NoHeaders => {
                self.silence(stream);
                Ok(())
            }
            Scenario::Stall => {
                let all = dialect.events(step, self.next());
                http::begin(stream)?;
                http::chunk(stream, all[..all.len() / 2].concat().as_bytes())?;
                self.silence(stream);
                Ok(())
            }
            Scenario::One500
            | Scenario::Text
            | Scenario::Edit
            | Scenario::Shell
            | Scenario::EditShell
            | Scenario::Plan
            | Scenario::Tools
            | Scenario::Slow => self.say(stream, dialect, wanted, step),
        }
    }

    /// Answers as a model should.
    fn say(
        &self,
        stream: &mut TcpStream,
        dialect: Dialect,
        wanted: Wanted,
        step: &Step,
    ) -> io::Result<()> {
        if wanted == Wanted::Whole {
            let body = dialect.whole(step, self.next()).to_string();
            http::answer(stream, 200, "application/json", "", body.as_bytes());
            return Ok(());
        }
        http::begin(stream)?;
        for event in dialect.events(step, self.next()) {
            http::chunk(stream, event.as_bytes())?;
        }
        http::end(stream)
    }

    /// Breaks off in the middle, whichever form was wanted.
    fn half(
        &self,
        stream: &mut TcpStream,
        dialect: Dialect,
        wanted: Wanted,
        step: &Step,
    ) -> io::Result<()> {
        http::begin(stream)?;
        let all = match wanted {
            Wanted::Stream => dialect.events(step, self.next()).concat(),
            Wanted::Whole => dialect.whole(step, self.next()).to_string(),
        };
        let bytes = all.as_bytes();
        http::chunk(stream, &bytes[..bytes.len() / 2])
    }

    fn next(&self) -> u64 {
        self.answers.fetch_add(1, Ordering::Relaxed)
    }

    /// Says nothing until the peer leaves or the server ends.
    fn silence(&self, stream: &mut TcpStream) {
        let begun = std::time::Instant::now();
        // Without a limit on reading, the thread could not see that the server ends.
        let _ = stream.set_read_timeout(Some(LOOK_EVERY));
        while !self.closing.load(Ordering::Relaxed) && begun.elapsed() < SILENCE_MAX {
            match stream.read(&mut [0; 64]) {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) if is_pause(&error) => {}
                Err(_) => return,
            }
        }
    }
}

/// Whether the peer only says nothing.
fn is_pause(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

fn keep(request: &Request, said: Vec<Said>, task: Option<Task>) -> Seen {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    let query: Vec<&str> = query.split('&').filter(|part| !part.starts_with("key=")).collect();
    let open = |(name, _): &&(String, String)| !SECRET.contains(&name.as_str());
    Seen {
        line: format!("{} {path}?{}", request.method, query.join("&")),
        headers: request.headers.iter().filter(open).cloned().collect(),
        body: String::from_utf8_lossy(&request.body).into_owned(),
        said,
        task,
    }
}

/// What is no talk with a model: sizes are told, all else is not known here.
fn aside(stream: &mut TcpStream, path: &str) {
    let path = path.split('?').next().unwrap_or_default();
    let (status, body) = if path.ends_with("/count_tokens") {
        (200, json!({"input_tokens": 100}))
    } else if path.ends_with(":countTokens") {
        (200, json!({"totalTokens": 100}))
    } else {
        (404, json!({"error": {"message": "not scripted", "code": 404}}))
    };
    http::answer(stream, status, "application/json", "", body.to_string().as_bytes());
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    const BODY: &str =
        r#"{"stream":true,"messages":[{"role":"user","content":"Task for x:\nhi"}]}"#;

    /// Sends one request and reads what comes until the server ends the connection.
    fn ask(server: &Server, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nAuthorization: Bearer s3cret\r\n");
        write!(stream, "{head}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut bytes = Vec::new();
        // A connection that is cut may be reset; what had come is what counts.
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn scenarios_look_as_they_should_on_the_wire() {
        let table: [(&str, &str, bool); 10] = [
            ("text", "HTTP/1.1 200", true),
            ("edit", "write_file", true),
            ("shell", "run_shell_command", true),
            ("http401", "HTTP/1.1 401", false),
            ("http429", "HTTP/1.1 429", false),
            ("http429-after", "Retry-After: 3600", false),
            ("http500", "HTTP/1.1 500", false),
            ("half", "HTTP/1.1 200", false),
            ("html", "<!DOCTYPE", false),
            ("nonsense", "HTTP/1.1 404", false),
        ];
        let server = Server::start(Path::new("/w")).unwrap();
        for (scenario, holds, whole) in table {
            let got = ask(&server, &format!("/s/{scenario}/v1/chat/completions"), BODY);
            assert!(got.contains(holds), "{scenario}: {got}");
            assert_eq!(got.contains("[DONE]"), whole, "{scenario}: {got}");
        }
        let once = |_| ask(&server, "/s/one500/v1/chat/completions", BODY).contains(" 500 ");
        assert_eq!([0, 1, 2].map(once), [true, false, false]);
        assert_eq!(ask(&server, "/s/drop/v1/chat/completions", BODY), "");
    }

    #[test]
    fn what_arrived_is_kept_without_keys_and_other_requests_are_answered_aside() {
        let server = Server::start(Path::new("/w")).unwrap();
        ask(&server, "/s/http500/v1/chat/completions?key=s3cret&a=b", BODY);
        let title = BODY.replace("Task for x:", "A title for");
        let noted = ask(&server, "/s/http500/v1/chat/completions", &title);
        assert!(noted.contains("Not"), "{noted}");
        let seen = server.seen();
        assert_eq!(seen.len(), 2);
        assert!(!format!("{seen:?}").contains("s3cret"), "{seen:?}");
        assert_eq!(seen[0].task.as_ref().map(|task| task.text.as_str()), Some("Task for x:\nhi"));
        assert_eq!(seen[1].task, None);
    }

    #[test]
    fn silence_ends_with_the_server() {
        for scenario in ["no-headers", "stall"] {
            let server = Server::start(Path::new("/w")).unwrap();
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            let head = format!("POST /s/{scenario}/v1/chat/completions HTTP/1.1\r\n");
            write!(stream, "{head}Content-Length: {}\r\n\r\n{BODY}", BODY.len()).unwrap();
            while server.seen().is_empty() {
                std::thread::sleep(LOOK_EVERY);
            }
            drop(server);
            let mut text = String::new();
            let _ = stream.read_to_string(&mut text);
            assert!(!text.contains("[DONE]"), "{scenario}: {text}");
            assert_eq!(text.is_empty(), scenario == "no-headers");
        }
    }
}
