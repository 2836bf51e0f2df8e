//! A workspace with a server of its own, and a client that knows just enough of HTTP. Asserts
//! nothing about loops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything here takes on a machine that is busy with other builds.
pub const PATIENCE: Duration = Duration::from_secs(90);
const EVERY: Duration = Duration::from_millis(20);

/// Appends to a log when it begins, and waits for a file. It gives up by itself.
const GATE: &str = "echo $1 began >> log\nn=0\n\
    while [ ! -e go ] && [ $n -lt 2400 ]; do sleep 0.05; n=$((n+1)); done\n";

/// Asks for each of these, and prints the status and the code of each answer.
const ASKS: &str = r#"
import json, sys, urllib.request, urllib.error
address, token, all = sys.argv[1:4]
def ask(method, path, body):
    request = urllib.request.Request("http://" + address + path, method=method,
        data=json.dumps(body).encode(), headers={"Authorization": "Bearer " + token})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read()).get("code")
print(json.dumps([ask(*one) for one in json.loads(all)]))
"#;

/// A workspace, its home and its server.
pub struct House {
    _temp: tempfile::TempDir,
    pub home: PathBuf,
    pub work: PathBuf,
    server: Option<Child>,
    pub address: String,
    pub token: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl House {
    /// A trusted workspace whose only check is that the file `proof` is there, and its server.
    pub fn new() -> Self {
        Self::with("")
    }

    /// The same with further settings.
    pub fn with(settings: &str) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let top = temp.path().canonicalize().unwrap();
        let (home, work) = (top.join("home"), top.join("work"));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::create_dir_all(&work).unwrap();
        std::fs::write(work.join("gate.sh"), GATE).unwrap();
        let check = "[loop.validate]\n\
             commands = [{ argv = [\"test\", \"-f\", \"proof\"], parser = \"exit\" }]\n";
        std::fs::write(work.join("loopwright.toml"), format!("{check}{settings}")).unwrap();
        let (address, token) = (String::new(), String::new());
        let mut house = Self { _temp: temp, home, work, server: None, address, token };
        assert!(house.command(&["workspace", "trust"]).output().unwrap().status.success());
        house.serve();
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
        command
    }

    fn serve(&mut self) {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0", "--json"]);
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        self.address = said["data"]["listen"].as_str().unwrap().to_owned();
        let file = said["data"]["token_file"].as_str().unwrap();
        std::fs::read_to_string(file).unwrap().trim().clone_into(&mut self.token);
        self.server = Some(server);
    }

    /// Another server after this one was killed.
    pub fn serve_again(&mut self) {
        let mut server = self.server.take().unwrap();
        server.kill().unwrap();
        server.wait().unwrap();
        self.serve();
    }

    /// The server's process, which it ends with.
    pub fn server(&mut self) -> &mut Child {
        self.server.as_mut().unwrap()
    }

    /// The data of a command that must succeed.
    pub fn data(&self, args: &[&str]) -> Value {
        let output = self.command(&[args, &["--json"]].concat()).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        assert_eq!(value["ok"], true, "{args:?}: {output:?}");
        value["data"].clone()
    }

    /// Asks with these headers and no others.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses a body may answer before it has read all of it.
        drop(stream.write_all(body));
        let mut reader = BufReader::new(stream);
        let (status, headers) = head_of(&mut reader);
        let mut bytes = Vec::new();
        drop(reader.read_to_end(&mut bytes));
        Answer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    /// Asks as one does who has the token.
    pub fn ask_with(&self, method: &str, path: &str, more: &[(&str, &str)], body: &str) -> Answer {
        let bearer = format!("Bearer {}", self.token);
        let mut headers = vec![("Host", self.address.as_str()), ("Authorization", &bearer)];
        headers.extend(more);
        self.raw(method, path, &headers, body.as_bytes())
    }

    pub fn ask(&self, method: &str, path: &str, body: &Value) -> Answer {
        let text = if body.is_null() { String::new() } else { body.to_string() };
        self.ask_with(method, path, &[], &text)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &Value::Null)
    }

    /// What a process that carries the mark of a call is answered: status and code of each.
    pub fn asked_by_an_agent(&self, all: &[(&str, String, Value)]) -> Vec<(u16, String)> {
        self.asked_by("call-of-an-agent", all)
    }

    /// The same by a process of this very call.
    pub fn asked_by(&self, call: &str, all: &[(&str, String, Value)]) -> Vec<(u16, String)> {
        let command = self.command(&[]);
        let mut python = Command::new("/usr/bin/python3");
        python.args(["-c", ASKS, &self.address, &self.token, &json!(all).to_string()]);
        python
            .env_clear()
            .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        python.env("LOOPWRIGHT_CALL_ID", call).current_dir(&self.work);
        let output = python.output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    /// A new loop with these command lines.
    pub fn create(&self, lines: &[&str]) -> String {
        let tasks: Vec<Value> = lines.iter().map(|line| json!({ "command": line })).collect();
        let made = self.ask("POST", "/api/v1/loops", &json!({ "title": "work", "tasks": tasks }));
        assert_eq!(made.status, 201, "{made:?}");
        made.json()["loop_id"].as_str().unwrap().to_owned()
    }

    pub fn status(&self, id: &str) -> String {
        let shown = self.get(&format!("/api/v1/loops/{id}")).json();
        shown["status"].as_str().unwrap().to_owned()
    }

    pub fn until_status(&self, id: &str, status: &str) {
        until(status, || self.status(id) == status);
    }

    /// Waits until a gated task has begun.
    pub fn until_began(&self, name: &str) {
        let log = self.work.join("log");
        let began = format!("{name} began");
        until("a task begins", || {
            std::fs::read_to_string(&log).unwrap_or_default().contains(&began)
        });
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.work.join(name), text).unwrap();
    }

    pub fn stream(&self, path: &str, after: Option<u64>) -> Stream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let last = after.map(|pos| format!("Last-Event-ID: {pos}\r\n")).unwrap_or_default();
        let head = format!(
            "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n{last}\r\n",
            self.address, self.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, headers) = head_of(&mut reader);
        assert_eq!(status, 200, "{headers:?}");
        let kind = ("content-type".to_owned(), "text/event-stream".to_owned());
        assert!(headers.contains(&kind), "{headers:?}");
        let mut stream = Stream { reader, over: Instant::now() + PATIENCE };
        // It says so when it is ready; what happens from now on is told.
        while !stream.line().starts_with(": connected") {}
        stream
    }
}

impl Drop for House {
    fn drop(&mut self) {
        drop(std::fs::write(self.work.join("go"), ""));
        if let Some(server) = &mut self.server {
            drop(server.kill());
            drop(server.wait());
        }
        let over = Instant::now() + PATIENCE;
        let runs = |house: &Self| {
            let output = house.command(&["engine", "status", "--json"]).output().unwrap();
            String::from_utf8_lossy(&output.stdout).contains("\"running\":true")
        };
        while runs(self) && Instant::now() < over {
            drop(self.command(&["engine", "stop"]).output());
            std::thread::sleep(EVERY);
        }
    }
}

fn head_of(reader: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 || line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_owned());
    }
    let status = lines.first().and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let pair = |line: &String| {
        let (name, value) = line.split_once(": ")?;
        Some((name.to_ascii_lowercase(), value.to_owned()))
    };
    (status.unwrap_or(0), lines.iter().skip(1).filter_map(pair).collect())
}

/// A live stream.
pub struct Stream {
    reader: BufReader<TcpStream>,
    /// A quiet stream shows that it is alive, so that no read of it ever takes too long.
    over: Instant,
}

impl Stream {
    fn line(&mut self) -> String {
        assert!(Instant::now() < self.over, "nothing more was told");
        let mut line = String::new();
        assert_ne!(self.reader.read_line(&mut line).unwrap(), 0, "the stream ended");
        line.trim_end().to_owned()
    }

    /// The next object, and its place if it has one.
    pub fn next(&mut self) -> (Option<u64>, Value) {
        let mut id = None;
        loop {
            let line = self.line();
            if let Some(place) = line.strip_prefix("id: ") {
                id = Some(place.parse().unwrap());
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return (id, serde_json::from_str(data).unwrap());
            }
        }
    }

    /// Objects up to and with the first of this type.
    pub fn until(&mut self, kind: &str) -> Vec<(Option<u64>, Value)> {
        let mut all = Vec::new();
        loop {
            let next = self.next();
            let done = next.1["type"] == kind;
            all.push(next);
            if done {
                return all;
            }
        }
    }
}

/// Waits for something to become true.
pub fn until(what: &str, mut is: impl FnMut() -> bool) {
    let over = Instant::now() + PATIENCE;
    while !is() {
        assert!(Instant::now() < over, "never: {what}");
        std::thread::sleep(EVERY);
    }
}
