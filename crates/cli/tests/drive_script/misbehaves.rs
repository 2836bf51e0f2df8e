//! Each misbehaviour does what it says, and no more.

use std::process::{Command, Stdio};
use std::time::Duration;

use runtime::shim::files::{self, Ended};
use runtime::shim::look::{self, Look};
use runtime::shim::{launch, procfs};
use rustix::process::{Pid, Signal, kill_process};

use crate::kit::{Agent, await_text, count, exe};

const GIB: u64 = 1 << 30;

fn pid(child: &std::process::Child) -> Pid {
    Pid::from_raw(child.id().cast_signed()).unwrap()
}

#[test]
fn a_flood_has_just_its_bytes_and_its_lines() {
    let table = [
        (0, 80, 0),
        (1, 80, 1),
        (1000, 0, 1),
        (1000, 80, 13),
        (1_000_000, 80, 12_500),
        (1_000_003, 80, 12_501),
        (3_000_000, 1_000_000, 3),
        (700_000, 1, 700_000),
    ];
    for (bytes, line_bytes, lines) in table {
        let step = format!("{{ flood = {{ bytes = {bytes}, line_bytes = {line_bytes} }} }}");
        let ran = Agent::steps("stream/1", &step).run();
        let ends = ran.stdout.bytes().filter(|byte| *byte == b'\n').count();
        assert_eq!((ran.stdout.len(), ends), (bytes, lines), "{bytes} {line_bytes}");
        assert!(bytes == 0 || ran.stdout.ends_with('\n'));
    }
    let ran = Agent::steps("stream/1", r#"{ flood = { stream = "stderr", bytes = 160 } }"#).run();
    assert_eq!((ran.stdout.len(), ran.stderr.len()), (0, 160));
}

/// A process that may not have a quarter of it in memory prints a gibibyte on one line.
#[test]
fn a_flood_needs_no_memory() {
    let step = format!("{{ flood = {{ bytes = {GIB}, line_bytes = 0 }} }}, \"end\"");
    let agent = Agent::steps("stream/1", &format!("{{ session = \"none\" }}, {step}"));
    let plain = agent.command();
    let mut limited = Command::new("/bin/sh");
    limited.args(["-c", "ulimit -v 262144; exec \"$0\" \"$@\""]).arg(plain.get_program());
    limited.args(plain.get_args()).current_dir(agent.work()).env_clear().envs(agent.env());
    let mut child = limited.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let end = "{\"t\":\"end\",\"ok\":true}\n".len() as u64;
    assert_eq!(count(child.stdout.take().unwrap()), GIB + end);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_hanging_agent_speaks_no_more_and_dies_when_told() {
    let agent = Agent::steps("stream/1", r#"{ session = "none" }, { say = "hi" }, "hang", "end""#);
    let mut child = agent.command().spawn().unwrap();
    await_text(child.stdout.as_mut().unwrap(), "\"hi\"}\n");
    assert!(child.try_wait().unwrap().is_none());
    kill_process(pid(&child), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "nothing came after the hang");
    assert!(!output.status.success());
}

#[test]
fn an_agent_that_ignores_term_goes_on() {
    let steps =
        r#"{ session = "none" }, "ignore_term", { say = "deaf" }, { sleep_ms = 1000 }, "end""#;
    let agent = Agent::steps("stream/1", steps);
    let mut child = agent.command().spawn().unwrap();
    await_text(child.stdout.as_mut().unwrap(), "\"deaf\"}\n");
    kill_process(pid(&child), Signal::TERM).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"t\":\"end\",\"ok\":true}\n");
    assert!(output.status.success());
}

#[test]
fn it_ends_as_it_is_told() {
    let table = [
        (r#"{ exit = 0 }"#, (Some(0), None)),
        (r#"{ exit = 7 }, "end""#, (Some(7), None)),
        (r#""end", { exit = 255 }"#, (Some(255), None)),
        (r#"{ signal = 9 }"#, (None, Some(9))),
        (r#"{ signal = 15 }, "end""#, (None, Some(15))),
        (r#"{ signal = 13 }"#, (None, Some(13))),
        (r#""ignore_term", { signal = 15 }"#, (None, Some(15))),
        (r#""end""#, (Some(0), None)),
        (r#"{ say = "no final event" }"#, (Some(0), None)),
    ];
    for (steps, expected) in table {
        let ran = Agent::steps("stream/1", steps).run();
        assert_eq!((ran.code, ran.signal), expected, "{steps}: {ran:?}");
    }
}

/// The session of a process as the kernel tells it: 0 where its leader is outside this pid
/// namespace, which the typed call can't say.
fn session(pid: i32) -> i32 {
    let stat = std::fs::read_to_string(procfs::path(pid, "stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_ascii_whitespace().nth(3).unwrap().parse().unwrap()
}

#[test]
fn an_orphan_lives_in_a_session_of_its_own_and_holds_no_stream() {
    let agent = Agent::steps("stream/1", r#"{ orphan_ms = 600000 }, "end""#);
    let child = agent.command().spawn().unwrap();
    let parent = child.id().cast_signed();
    // Both streams end though the orphan lives: else this would wait ten minutes.
    assert!(child.wait_with_output().unwrap().status.success());
    let left = procfs::marked(&agent.call);
    assert_eq!(left.len(), 1, "{left:?}");
    let orphan = Pid::from_raw(left[0].pid).unwrap();
    let orphans = session(left[0].pid);
    assert!(orphans != session(std::process::id().cast_signed()) && orphans != parent);
    kill_process(orphan, Signal::KILL).unwrap();
}

#[test]
fn a_child_that_holds_the_pipe_outlives_the_agent() {
    let agent = Agent::steps("stream/1", r#"{ hold_stdout_ms = 600000 }, "end", { exit = 3 }"#);
    let mut child = agent.command().spawn().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    let mut stdout = child.stdout.take().unwrap();
    await_text(&mut stdout, "\"ok\":true}\n");
    let holder = procfs::marked(&agent.call);
    assert_eq!(holder.len(), 1, "{holder:?}");
    let (sent, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || sent.send(count(stdout)));
    assert!(ended.recv_timeout(Duration::from_millis(200)).is_err(), "the pipe is closed");
    kill_process(Pid::from_raw(holder[0].pid).unwrap(), Signal::KILL).unwrap();
    assert_eq!(ended.recv().unwrap(), 0);
}

/// The same processes below the shim that runs them in earnest.
#[test]
fn the_shim_ends_what_an_unruly_agent_leaves() {
    let agent = Agent::of_data("unruly.toml");
    agent.prepare();
    let (dir, request) = (agent.call_dir(), agent.request());
    let env: Vec<_> = agent.env().into_iter().map(|(n, v)| (n.into(), v.into())).collect();
    launch::prepare(&dir, &request).unwrap();
    launch::launch(exe(), &dir, &request.ticket(), &env).unwrap().wait().unwrap();
    let look = look::look(&dir, &request.ticket()).unwrap().look;
    let Look::Exited(record) = look else { panic!("no record: {look:?}") };
    assert_eq!((record.ended, record.exit_code), (Ended::Exit, Some(7)));
    assert_eq!((record.survivors.len(), procfs::marked(&agent.call).len()), (0, 0));
    assert_eq!(agent.read("shell.txt"), "from-shell\n");
    let stdout = std::fs::read_to_string(dir.join(files::STDOUT)).unwrap();
    assert!(stdout.lines().last().unwrap().contains("\"result\":\"Done.\""), "{stdout}");
}

#[test]
fn the_final_event_of_a_flood_is_in_the_tail() {
    let agent = Agent::of_data("flood_then_end.toml");
    agent.prepare();
    let (dir, request) = (agent.call_dir(), agent.request());
    let env: Vec<_> = agent.env().into_iter().map(|(n, v)| (n.into(), v.into())).collect();
    launch::prepare(&dir, &request).unwrap();
    launch::launch(exe(), &dir, &request.ticket(), &env).unwrap().wait().unwrap();
    let tail = std::fs::read_to_string(dir.join(files::STDOUT_TAIL)).unwrap();
    assert!(tail.ends_with("{\"t\":\"end\",\"ok\":true}\n"));
    let spool = std::fs::metadata(dir.join(files::STDOUT)).unwrap().len();
    assert_eq!(spool, request.spool_bytes);
}

#[test]
fn reading_standard_input_waits_for_its_end() {
    let agent =
        Agent::steps("stream/1", r#"{ session = "none" }, { say = "a" }, "read_stdin", "end""#);
    let mut child = agent.command().stdin(Stdio::piped()).spawn().unwrap();
    await_text(child.stdout.as_mut().unwrap(), "\"a\"}\n");
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none(), "it did not wait");
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{\"t\":\"end\",\"ok\":true}\n");
}
