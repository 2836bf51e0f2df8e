//! Forced reuse of pids: a stranger gets the number of a dead shim or of its dead child, and is
//! neither taken for it nor signalled. It needs a pid namespace of its own, where the next pid can
//! be chosen; where the system gives none the test fails and says what is missing.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use runtime::shim::files::{self, PidRecord, Record};
use runtime::shim::look::{Look, Swept};
use runtime::shim::procfs;
use runtime::shim::speaker::{Speaker, speaker};
use runtime::shim::stop::{Stop, force, stop};
use runtime::shim::watch::{Report, Watched, Watcher};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::kit::{Call, until};

/// Threads of the test may take a number between its choice and its use.
const TRIES_MAX: usize = 500;
const EVERY: Duration = Duration::from_millis(10);
const LAST_PID: &str = "/proc/sys/kernel/ns_last_pid";

/// Runs the test of this name below in a user and pid namespace of its own.
fn in_a_namespace(name: &str) {
    let exe = std::env::current_exe().unwrap();
    let ran = Command::new("unshare")
        .args(["--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"])
        .arg(exe)
        .args(["--exact", name, "--ignored", "--nocapture", "--test-threads", "1"])
        .output()
        .expect("unshare: install the package util-linux");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let failed = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(
        !failed.contains("unshare:"),
        "user and pid namespaces are not permitted here (kernel.unprivileged_userns_clone, \
         user.max_user_namespaces, AppArmor, or a container's seccomp): {failed}"
    );
    assert!(ran.status.success() && said.contains("1 passed"), "{said}{failed}");
}

#[test]
fn invariant_a_stranger_with_the_pid_of_a_dead_shim_is_let_alone() {
    in_a_namespace("reuse::a_dead_shim");
}

#[test]
fn invariant_a_stranger_with_the_pid_of_a_dead_child_is_let_alone() {
    in_a_namespace("reuse::a_dead_child");
}

#[test]
fn invariant_a_stranger_below_a_living_shim_is_let_alone() {
    in_a_namespace("reuse::a_living_shim");
}

/// Somebody else's process.
struct Stranger(Child);

impl Stranger {
    /// Starts one under this number, which must be free.
    fn with(pid: i32) -> Self {
        for _ in 0..TRIES_MAX {
            std::fs::write(LAST_PID, (pid - 1).to_string())
                .expect("the next pid can't be chosen: the kernel needs CONFIG_CHECKPOINT_RESTORE");
            let child = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
            let mut stranger = Self(child);
            if stranger.0.id().cast_signed() == pid {
                until("it is asleep", || procfs::stat(pid).is_some_and(|it| it.name == "sleep"));
                return stranger;
            }
            stranger.end();
            // A number is not given again while a session or a group still goes by it.
            std::thread::sleep(EVERY);
        }
        panic!("pid {pid} is not given again");
    }

    fn assert_alive(&mut self, after: &str) {
        assert!(matches!(self.0.try_wait(), Ok(None)), "signalled by {after}");
    }

    fn end(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Stranger {
    fn drop(&mut self) {
        self.end();
    }
}

/// Outside of a namespace of its own this would disturb others.
fn alone() {
    assert_eq!(std::process::id(), 1, "to be run by the tests above only");
}

fn record(call: &Call) -> PidRecord {
    let read = || files::read::<PidRecord>(&call.dir, files::PID, &call.ticket());
    until("pid.json", || matches!(read(), Record::Found(_)));
    let Record::Found(record) = read() else { panic!("it was there") };
    record
}

/// Kills the shim; both numbers are free afterwards, since the first process of a namespace
/// inherits and reaps what the shim leaves.
fn dead(call: &Call) -> PidRecord {
    alone();
    let launched = call.prepare().launch();
    call.await_output("up");
    let record = record(call);
    assert_eq!(record.shim.pid, launched.pid());
    kill_process(Pid::from_raw(record.shim.pid).unwrap(), Signal::KILL).unwrap();
    launched.wait().unwrap();
    let child = Pid::from_raw(record.child.pid).unwrap();
    // It dies with its shim; should it not, that is another test's matter.
    let _ = kill_process(child, Signal::KILL);
    waitpid(Some(child), WaitOptions::empty()).unwrap();
    record
}

/// Everything an engine does to a start that it finds again.
fn look_stop_and_kill(call: &Call, record: &PidRecord, stranger: &mut Stranger, pid: i32) {
    let said = speaker(pid);
    assert!(!matches!(said, Speaker::Agent { .. }), "taken for an agent: {said:?}");
    assert_eq!(stop(&call.dir, &call.ticket()).unwrap(), Stop::Gone);
    stranger.assert_alive("stop");
    let (tell, told) = std::sync::mpsc::channel();
    let watcher = Watcher::start(move |report| drop(tell.send(report))).unwrap();
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Found(Box::new(record.clone())));
    assert_eq!(told.recv().unwrap(), Report::Ended(call.ticket()), "a stranger was waited for");
    let nobody = Swept::Here { stopped: vec![], survivors: vec![] };
    let look = call.look();
    let Look::Gone(remains) = look else { panic!("taken for the dead one: {look:?}") };
    assert_eq!(remains.swept, nobody);
    stranger.assert_alive("look");
    assert_eq!(force(&call.dir, &call.ticket()).unwrap(), nobody);
    stranger.assert_alive("kill");
}

#[test]
#[ignore = "runs in a namespace of its own"]
fn a_dead_shim() {
    let call = Call::sh("echo up; exec sleep 600");
    let record = dead(&call);
    let mut stranger = Stranger::with(record.shim.pid);
    look_stop_and_kill(&call, &record, &mut stranger, record.shim.pid);
}

#[test]
#[ignore = "runs in a namespace of its own"]
fn a_dead_child() {
    let call = Call::sh("echo up; exec sleep 600");
    let record = dead(&call);
    let mut stranger = Stranger::with(record.child.pid);
    look_stop_and_kill(&call, &record, &mut stranger, record.child.pid);
}

/// The child ends and leaves one behind; while its shim waits for that, a stranger gets the
/// child's number, and the shim ends what is left, by itself or because it is told to.
#[test]
#[ignore = "runs in a namespace of its own"]
fn a_living_shim() {
    alone();
    for told in [false, true] {
        let call = Call::sh("setsid sleep 600 & echo up");
        let launched = call.prepare().launch();
        call.await_output("up");
        let record = record(&call);
        until("the child is reaped", || procfs::stat(record.child.pid).is_none());
        let mut stranger = Stranger::with(record.child.pid);
        assert!(procfs::stat(record.shim.pid).is_some(), "the shim was to linger");
        if told {
            assert_eq!(stop(&call.dir, &call.ticket()).unwrap(), Stop::Told);
        }
        launched.wait().unwrap();
        let exit = call.exited();
        assert_eq!((exit.exit_code, exit.survivors.len()), (Some(0), 0), "{exit:?}");
        stranger.assert_alive("its shim");
    }
}
