//! How a try is made: a command line, a line on the engine's socket, a file, a signal. Each says
//! what held it back, or nothing if nothing did.

use std::fs::{self, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::kit::House;

/// What held a try back.
pub type Tried = Result<(), String>;

/// After how long a process that was left behind speaks.
pub const LEFT_BEHIND: Duration = Duration::from_secs(2);

/// What an agent could find out about its house.
#[derive(Debug, Serialize, Deserialize)]
pub struct World {
    pub bin: PathBuf,
    pub work: PathBuf,
    pub home: PathBuf,
    pub turn: String,
    /// Another run, which waits for a person.
    pub other: String,
    /// Its question.
    pub question: String,
    pub engine: i32,
    pub socket: PathBuf,
    pub prompt: Value,
    /// The agent's own call, once it is one.
    #[serde(default)]
    pub call: String,
}

impl World {
    pub fn of(house: &House, turn: &str, other: &str) -> Self {
        let question = house.data(&["questions", "--run", other])[0]["id"].clone();
        let status = house.data(&["workspace", "status"]);
        Self {
            bin: env!("CARGO_BIN_EXE_loopwright").into(),
            work: house.work.clone(),
            home: house.home.clone(),
            turn: turn.to_owned(),
            other: other.to_owned(),
            question: question.as_str().unwrap().to_owned(),
            engine: house.engine_pid(),
            socket: status["socket"].as_str().unwrap().into(),
            prompt: house.data(&["turn", "show", turn])["prompt"].clone(),
            call: String::new(),
        }
    }

    /// A text of the table with names instead of marks.
    pub fn filled(&self, text: &str) -> String {
        let marks = [
            ("@turn", &self.turn),
            ("@other", &self.other),
            ("@question", &self.question),
            ("@call", &self.call),
        ];
        marks.iter().fold(text.to_owned(), |text, (mark, name)| text.replace(mark, name))
    }

    pub fn state(&self, path: &str) -> PathBuf {
        self.work.join(".loop").join(self.filled(path))
    }

    /// The program with these words, as the agent itself would start it.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.bin);
        command.args(line.split(' ').map(|word| self.filled(word))).arg("--json");
        command.stdin(Stdio::null());
        command
    }

    pub fn says(&self, line: &str) -> Tried {
        answered(&mut self.command(line))
    }
}

/// The code that a command is refused with.
pub fn answered(command: &mut Command) -> Tried {
    let output = command.output().map_err(told)?;
    code(&output.stdout).map_err(|said| match said.is_empty() {
        true => format!("{} {}", output.status, String::from_utf8_lossy(&output.stderr)),
        false => said,
    })
}

fn code(stdout: &[u8]) -> Tried {
    let value: Value = serde_json::from_slice(stdout).unwrap_or_default();
    if value["ok"] == true {
        return Ok(());
    }
    Err(value["error"]["code"].as_str().unwrap_or_default().to_owned())
}

pub fn told(error: io::Error) -> String {
    error.to_string()
}

/// The word that every way to a door is tried with.
pub const YES: &str = "turn confirm @turn yes";

/// The same from a process whose parent has ended and whose session is its own.
pub fn orphan(w: &World) -> Tried {
    let out = w.work.join("orphan.json");
    let mut command = w.command(YES);
    command.stdout(fs::File::create(&out).map_err(told)?);
    // SAFETY: between fork and exec it makes two system calls.
    unsafe {
        command.pre_exec(|| {
            libc::setsid();
            // The one that execs is a grandchild, whose parent ends at once.
            if libc::fork() > 0 {
                libc::_exit(0);
            }
            Ok(())
        });
    }
    drop(command.status());
    for _ in 0..200 {
        let text = fs::read(&out).unwrap_or_default();
        if !text.is_empty() {
            return code(&text);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Err("it never answered".to_owned())
}

/// A process that outlives the agent, if it can, and answers then.
pub fn left_behind(w: &World) -> Tried {
    let seconds = LEFT_BEHIND.as_secs();
    let word = w.filled("turn answer @turn --proceed");
    let line = format!("sleep {seconds}; '{}' {word} > late 2>&1", w.bin.display());
    let mut command = Command::new("setsid");
    command.args(["sh", "-c", &line]).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(told)?;
    // Whether it was heard is seen by the turn.
    Err("left".to_owned())
}

/// The same at a terminal of its own, where a person would sit.
pub fn at_terminal(w: &World) -> Tried {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map_err(|e| told(e.into()))?;
    grantpt(&main).and_then(|()| unlockpt(&main)).map_err(|e| told(e.into()))?;
    let name = ptsname(&main, Vec::new()).map_err(|e| told(e.into()))?;
    let name = name.into_string().map_err(|e| e.to_string())?;
    let end = OpenOptions::new().read(true).write(true).open(name).map_err(told)?;
    let mut command = w.command(YES);
    command.stdin(end.try_clone().map_err(told)?).stderr(end);
    answered(&mut command)
}

/// A copy of the program under another name.
pub fn copied(w: &World) -> Tried {
    let copy = w.work.join("person");
    fs::copy(&w.bin, &copy).map_err(told)?;
    let mut command = w.command(YES);
    let args: Vec<_> = command.get_args().map(ToOwned::to_owned).collect();
    command = Command::new(&copy);
    let answer = answered(command.args(args).stdin(Stdio::null()));
    fs::remove_file(&copy).map_err(told)?;
    answer
}

/// A yes as the wire has it.
pub fn yes(w: &World) -> Value {
    let prompt = &w.prompt;
    json!({ "turn": { "run": w.turn, "trace": TRACE, "say": { "confirm": {
        "prompt": prompt["id"].as_str().unwrap_or("confirm/1"),
        "hash": prompt["hash"].as_str().unwrap_or_default(),
        "word": "yes", "scope": "session", "note": null,
    } } } })
}

pub const TRACE: &str = "trace_00000000000000000000000000000001";

/// A line on the engine's socket, and what it answers.
pub fn line(w: &World, ask: &Value) -> Tried {
    over(&UnixStream::connect(&w.socket).map_err(told)?, ask)
}

fn over(stream: &UnixStream, ask: &Value) -> Tried {
    (&*stream).write_all(format!("{ask}\n").as_bytes()).map_err(told)?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).map_err(told)?;
    let value: Value = serde_json::from_str(&answer).unwrap_or_default();
    let refused = [&value["refused"], &value["taken"]["refused"]];
    match refused.iter().find_map(|one| one["code"].as_str()) {
        Some(code) => Err(code.to_owned()),
        None => Ok(()),
    }
}

/// The connection of a process that has ended: nobody can say any more whose it was.
pub fn handed_on(w: &World) -> Tried {
    let (mine, theirs) = UnixStream::pair().map_err(told)?;
    // SAFETY: the copy makes a connection, hands it on and ends, on memory of its own.
    let copy = unsafe { libc::fork() };
    if copy == 0 {
        let made = UnixStream::connect(&w.socket).and_then(|made| send_fd(&theirs, &made));
        // SAFETY: ends the copy without running what the harness left to run.
        unsafe { libc::_exit(i32::from(made.is_err())) }
    }
    let mut status = 0;
    // SAFETY: the copy is ours, and the status is a number of this frame.
    unsafe { libc::waitpid(copy, &raw mut status, 0) };
    over(&UnixStream::from(receive_fd(&mine).map_err(told)?), &yes(w))
}

fn send_fd(over: &UnixStream, what: &UnixStream) -> io::Result<()> {
    use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};
    use std::os::fd::AsFd as _;
    let mut space = [std::mem::MaybeUninit::uninit(); 64];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let fds = [what.as_fd()];
    control.push(SendAncillaryMessage::ScmRights(&fds));
    sendmsg(over, &[io::IoSlice::new(b"x")], &mut control, SendFlags::empty())?;
    Ok(())
}

fn receive_fd(over: &UnixStream) -> io::Result<std::os::fd::OwnedFd> {
    use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
    let mut space = [std::mem::MaybeUninit::uninit(); 64];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; 1];
    let into = &mut [io::IoSliceMut::new(&mut byte)];
    recvmsg(over, into, &mut control, RecvFlags::empty())?;
    let fds = control.drain().find_map(|message| {
        let RecvAncillaryMessage::ScmRights(mut fds) = message else { return None };
        fds.next()
    });
    fds.ok_or_else(|| io::Error::other("no connection came"))
}

/// More bytes in a file that is there.
pub fn more(path: &Path) -> Tried {
    let mut file = OpenOptions::new().append(true).open(path).map_err(told)?;
    file.write_all(b"{}\n").map_err(told)
}

/// A file of the try's own making.
pub fn put(path: &Path) -> Tried {
    fs::write(path, "{}\n").map_err(told)
}

/// A system call that must not succeed.
pub fn call(number: libc::c_long, args: [i64; 4]) -> Tried {
    // SAFETY: numbers, and pointers to texts that live as long as the program.
    let done = unsafe { libc::syscall(number, args[0], args[1], args[2], args[3]) };
    if done < 0 { Err(told(io::Error::last_os_error())) } else { Ok(()) }
}

/// A signal to a process.
pub fn signal(pid: i32, signal: i32) -> Tried {
    call(libc::SYS_kill, [pid.into(), signal.into(), 0, 0])
}

/// The shim above: the nearest ancestor whose second word says so.
pub fn shim() -> Result<i32, String> {
    let mut pid = std::process::id().cast_signed();
    loop {
        let cmdline = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if cmdline.split('\0').nth(1) == Some("shim") {
            return Ok(pid);
        }
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).map_err(told)?;
        let rest = stat.rsplit(')').next().unwrap_or_default();
        pid = rest.split(' ').nth(2).and_then(|word| word.parse().ok()).ok_or("no parent")?;
        if pid <= 1 {
            return Err("no shim is to be seen".to_owned());
        }
    }
}
