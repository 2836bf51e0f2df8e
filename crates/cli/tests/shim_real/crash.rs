//! `invariant_one_exec`: the shim is killed at the N-th call of one kind, for every kind and N,
//! and each time the probe must name the right row and the program must have run at most once,
//! over the second attempt too. Uses `strace`, so that the shim needs no hooks.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use runtime::shim::files::{self, Stdin};
use runtime::shim::look::Look;
use runtime::shim::token;

use crate::kit::{Call, exe, until};

/// The calls by which the shim changes the world, or comes to life and ends.
const DURABLE: [&str; 11] = [
    "openat", "flock", "fsync", "rename", "clone", "write", "pipe2", "prctl", "wait4", "setsid",
    "unlinkat",
];
/// More than a shim makes of any one call; a run that needs more is a bug in this test.
const CALLS_MAX: u32 = 500;

/// `strace` around the shim of this call; its children are not traced.
fn straced(call: &Call, options: &[&str]) -> Command {
    let found = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    assert!(found.is_ok_and(|status| status.success()), "install the package strace");
    let mut command = Command::new("strace");
    command.arg("-qq").args(options).arg(exe());
    as_shim(command, call)
}

fn as_shim(mut command: Command, call: &Call) -> Command {
    command
        .arg("shim")
        .arg(&call.dir)
        .args([call.request.attempt.to_string(), call.request.epoch.to_string()])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LOOPWRIGHT_CALL_ID", &call.request.call_id)
        .env("TMPDIR", call.dir.join(files::TMP))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What the disk says, read without the code under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    Nothing,
    TokenOnly,
    Started,
    Ended,
}

fn row(dir: &Path) -> Row {
    let there = |name: &str| dir.join(name).exists();
    match (there("exit.json"), there("pid.json"), there("launch.1")) {
        (true, _, _) => Row::Ended,
        (false, true, _) => Row::Started,
        (false, false, true) => Row::TokenOnly,
        (false, false, false) => Row::Nothing,
    }
}

/// Kills the shim at its `n`-th `name` and checks everything that must hold then; nothing when
/// it makes fewer of them and so came to its end.
fn killed_at(name: &str, n: u32) -> Option<Row> {
    let point = format!("{name} {n}");
    let call = Call::sh("echo ran >> ran; echo out");
    call.prepare();
    let inject = format!("inject={name}:signal=SIGKILL:when={n}");
    let ended = straced(&call, &["-o", "/dev/null", "-e", &inject]).status().unwrap();
    // The held child notices within an instant; until then it holds the lock with its shim.
    until("the lock is free", || token::lock(&call.dir).unwrap().is_some());
    let row = row(&call.dir);
    match (row, call.look()) {
        (Row::Nothing | Row::TokenOnly, Look::NeverLaunched) => {
            assert_eq!(call.times_run(), 0, "{point}: said never launched");
            relaunched(&call, &point);
        }
        (Row::Started, Look::Gone(_)) => assert!(call.times_run() <= 1, "{point}"),
        (Row::Ended, Look::Exited(record)) => {
            assert_eq!((record.exit_code, call.times_run()), (Some(0), 1), "{point}");
        }
        (row, look) => panic!("{point}: {row:?} was called {look:?}"),
    }
    late_shim_does_nothing(&call, &point);
    call.assert_no_survivors();
    if ended.success() {
        assert_eq!(row, Row::Ended, "{point}: not killed");
        return None;
    }
    Some(row)
}

/// A shim of the first attempt that comes late, whatever the directory is prepared for by now.
fn late_shim_does_nothing(call: &Call, point: &str) {
    let before = call.times_run();
    let late = as_shim(Command::new(exe()), call).status().unwrap();
    assert_eq!(late.code(), Some(3), "{point}: refused");
    assert_eq!(call.times_run(), before, "{point}: a late shim ran it");
}

/// The second attempt, after the first was proven never launched, with the late shim in between.
fn relaunched(call: &Call, point: &str) {
    late_shim_does_nothing(call, point);
    let mut request = call.request.clone();
    request.attempt = 2;
    runtime::shim::launch::prepare(&call.dir, &request).unwrap();
    late_shim_does_nothing(call, point);
    let ticket = request.ticket();
    let env = [("PATH".into(), "/usr/bin:/bin".into())];
    runtime::shim::launch::launch(exe(), &call.dir, &ticket, &env).unwrap().wait().unwrap();
    let seen = runtime::shim::look::look(&call.dir, &ticket).unwrap();
    assert!(matches!(seen.look, Look::Exited(_)), "{point}: {seen:?}");
    assert_eq!(call.times_run(), 1, "{point}: once over both attempts");
}

/// Every kill point of these calls; each of them must be one that the shim makes.
fn every_point(names: &[String]) {
    let mut rows = BTreeMap::new();
    for name in names {
        let points: Vec<Row> = (1..CALLS_MAX).map_while(|n| killed_at(name, n)).collect();
        assert!(!points.is_empty(), "the shim makes no {name}");
        for row in points {
            *rows.entry(row).or_insert(0) += 1;
        }
    }
    println!("{rows:?}");
    let seen: Vec<Row> = rows.into_keys().collect();
    assert_eq!(seen, [Row::Nothing, Row::TokenOnly, Row::Started, Row::Ended], "all rows seen");
}

#[test]
fn invariant_one_exec_over_kills_at_every_durable_call() {
    every_point(&DURABLE.map(str::to_owned));
}

#[test]
#[ignore = "some hundred runs"]
fn prove_one_exec_over_kills_at_every_call() {
    let call = Call::sh("true");
    call.prepare();
    let trace = call.workspace().join("trace");
    straced(&call, &["-o", trace.to_str().unwrap()]).status().unwrap();
    let trace = std::fs::read_to_string(&trace).unwrap();
    let name = |line: &str| Some(line.split_once('(')?.0.to_owned());
    let mut names: Vec<String> = trace.lines().filter_map(name).collect();
    // The first is before it exists, the second after it ended, the third only if it must wait.
    names.retain(|name| !matches!(name.as_str(), "execve" | "exit_group" | "ppoll"));
    names.retain(|name| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'));
    names.sort();
    names.dedup();
    every_point(&names);
}

#[test]
fn two_shims_for_one_attempt_make_one_exec() {
    for _ in 0..10 {
        let call = Call::sh("echo ran >> ran; sleep 0.1");
        call.prepare();
        let shims = [call.launch(), call.launch(), call.launch()];
        for shim in shims {
            shim.wait().unwrap();
        }
        assert_eq!(call.exited().exit_code, Some(0));
        assert_eq!(call.times_run(), 1);
        let log = call.log();
        let refused = log.matches("shim.lock_taken").count() + log.matches("shim.token").count();
        assert_eq!(refused, 2, "{log}");
    }
}

/// A shim that is slow between two steps is alive: never called lost while it can still start.
#[test]
fn a_slow_shim_is_running_at_every_point() {
    let slow = |path: &str, set: &str, expected: Row| {
        let call = Call::sh("echo ran >> ran");
        call.prepare();
        let path = call.dir.join(path);
        let inject = format!("inject={set}:delay_enter=1500000:when=1");
        let mut strace =
            straced(&call, &["-o", "/dev/null", "-P", path.to_str().unwrap(), "-e", &inject]);
        let mut shim = strace.spawn().unwrap();
        let held = || token::lock(&call.dir).unwrap().is_none();
        until("the lock is held", || held() && row(&call.dir) == expected);
        let look = call.look();
        assert!(matches!(look, Look::Running { .. }), "{expected:?}: {look:?}");
        shim.wait().unwrap();
        assert_eq!(call.exited().exit_code, Some(0), "{expected:?}");
        assert_eq!(call.times_run(), 1, "{expected:?}");
    };
    slow("launch.1", "openat", Row::Nothing);
    slow("stdout", "openat", Row::TokenOnly);
    slow(".exit.json.new", "openat", Row::Started);
}

#[test]
fn leftovers_of_a_dead_shim_are_stopped_before_it_is_called_gone() {
    let script = "echo ran >> ran; setsid sleep 600 & (setsid sleep 600 &); echo up; sleep 600";
    let call = Call::sh(script).with(|r| r.stdin = Stdin::Null);
    let launched = call.prepare().launch();
    call.await_output("up");
    let shim = rustix::process::Pid::from_raw(launched.pid()).unwrap();
    rustix::process::kill_process(shim, rustix::process::Signal::KILL).unwrap();
    launched.wait().unwrap();
    until("the lock is free", || token::lock(&call.dir).unwrap().is_some());
    let Look::Gone(remains) = call.look() else { panic!("gone") };
    let runtime::shim::look::Swept::Here { stopped, survivors } = &remains.swept else {
        panic!("{remains:?}")
    };
    // One or the other may not have come as far as its exec yet.
    assert!(stopped.len() >= 2 && survivors.is_empty(), "{remains:?}");
    assert_eq!(remains.stdout_end, b"up\n");
    call.assert_no_survivors();
    assert_eq!(call.times_run(), 1);
}
