//! `invariant_one_exec`: the shim is killed at the N-th of its system calls, for every N until it
//! gets through, and each time the probe must name the right row and the program must have run at
//! most once, over the second attempt too. Uses `strace`, so that the shim needs no hooks.

use std::path::Path;
use std::process::{Command, Stdio};

use runtime::shim::files::{self, Stdin};
use runtime::shim::look::Look;
use runtime::shim::token;

use crate::kit::{Call, exe, until};

/// The calls by which the shim changes the world, or comes to life and ends.
const DURABLE: &str =
    "openat,flock,fsync,rename,clone,clone3,fork,vfork,write,pipe2,prctl,wait4,mkdir,fcntl";
/// More than a shim makes; a run that needs more is a bug in this test.
const CALLS_MAX: u32 = 2_000;

/// `strace` around the shim of this call; its children are not traced.
fn straced(call: &Call, options: &[&str]) -> Command {
    let found = Command::new("strace").arg("-V").stdout(Stdio::null()).status();
    assert!(found.is_ok_and(|status| status.success()), "install the package strace");
    let mut command = Command::new("strace");
    command
        .args(["-qq", "-o", "/dev/null"])
        .args(options)
        .arg(exe())
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

/// Kills the shim at its `n`-th call of `set` and checks everything that must hold then.
fn killed_at(set: &str, n: u32) -> Row {
    let call = Call::sh("echo ran >> ran; echo out");
    call.prepare();
    let inject = format!("inject={set}:signal=SIGKILL:when={n}");
    straced(&call, &["-e", &inject]).status().unwrap();
    // The held child notices within an instant; until then it holds the lock with its shim.
    until("the lock is free", || token::lock(&call.dir).unwrap().is_some());
    let row = row(&call.dir);
    match (row, call.look()) {
        (Row::Nothing | Row::TokenOnly, Look::NeverLaunched) => {
            assert_eq!(call.times_run(), 0, "{n}: said never launched");
            relaunched(&call, n);
        }
        (Row::Started, Look::Gone(_)) => assert!(call.times_run() <= 1, "{n}"),
        (Row::Ended, Look::Exited(record)) => {
            assert_eq!((record.exit_code, call.times_run()), (Some(0), 1), "{n}");
        }
        (row, look) => panic!("{n}: {row:?} was called {look:?}"),
    }
    late_shim_does_nothing(&call, n);
    call.assert_no_survivors();
    row
}

/// A shim of the first attempt that comes late, whatever the directory is prepared for by now.
fn late_shim_does_nothing(call: &Call, n: u32) {
    let before = call.times_run();
    let mut late = straced(call, &["-e", "trace=none"]);
    assert_eq!(late.status().unwrap().code(), Some(3), "{n}: refused");
    assert_eq!(call.times_run(), before, "{n}: a late shim ran it");
}

/// The second attempt, after the first was proven never launched, with the late shim in between.
fn relaunched(call: &Call, n: u32) {
    late_shim_does_nothing(call, n);
    let mut request = call.request.clone();
    request.attempt = 2;
    runtime::shim::launch::prepare(&call.dir, &request).unwrap();
    late_shim_does_nothing(call, n);
    let ticket = request.ticket();
    let env = [("PATH".into(), "/usr/bin:/bin".into())];
    runtime::shim::launch::launch(exe(), &call.dir, &ticket, &env).unwrap().wait().unwrap();
    let seen = runtime::shim::look::look(&call.dir, &ticket).unwrap();
    assert!(matches!(seen.look, Look::Exited(_)), "{n}: {seen:?}");
    assert_eq!(call.times_run(), 1, "{n}: once over both attempts");
}

/// Every kill point of `set`, until one run gets through unharmed.
fn every_point(set: &str, step: usize) {
    let mut seen = Vec::new();
    for n in (1..CALLS_MAX).step_by(step) {
        let row = killed_at(set, n);
        seen.push(row);
        if row == Row::Ended && seen.iter().rev().take_while(|r| **r == Row::Ended).count() > 4 {
            break;
        }
    }
    let last = seen.last().copied();
    assert_eq!(last, Some(Row::Ended), "it got through in the end");
    assert!(seen.is_sorted(), "later kills never find less: {seen:?}");
    seen.dedup();
    assert_eq!(seen, [Row::Nothing, Row::TokenOnly, Row::Started, Row::Ended], "all rows seen");
}

#[test]
fn invariant_one_exec_over_kills_at_every_durable_call() {
    every_point(DURABLE, 1);
}

#[test]
#[ignore = "some hundred runs"]
fn prove_one_exec_over_kills_at_every_call() {
    every_point("all", 1);
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
        let mut strace = straced(&call, &["-P", path.to_str().unwrap(), "-e", &inject]);
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
