//! The watcher: many shims, those of an earlier engine, those that ended before it looked, and
//! those that never get going.

use std::collections::HashSet;
use std::sync::mpsc::{self, Receiver};

use runtime::shim::look::Look;
use runtime::shim::watch::{Report, Watched, Watcher};
use runtime::shim::{launch, procfs, token};

use crate::kit::{Call, PATIENCE, until};

fn watcher() -> (Watcher, Receiver<Report>) {
    let (sender, reports) = mpsc::channel();
    let report = move |report| drop(sender.send(report));
    (Watcher::start(report).unwrap(), reports)
}

/// The next report but those that a call's processes are gone.
fn next(reports: &Receiver<Report>) -> Report {
    loop {
        let report = reports.recv_timeout(PATIENCE).expect("a report");
        if !matches!(report, Report::Quiet(_)) {
            return report;
        }
    }
}

#[test]
fn two_hundred_at_once_are_all_told_once() {
    let (watcher, reports) = watcher();
    let calls: Vec<Call> = (0..200).map(|_| Call::sh("exit 5")).collect();
    let mut pids = Vec::new();
    for call in &calls {
        let launched = call.prepare().launch();
        pids.push(launched.pid());
        watcher.watch(call.dir.clone(), call.ticket(), Watched::Launched(launched));
    }
    let mut told = HashSet::new();
    for _ in &calls {
        let Report::Ended(ticket) = next(&reports) else { panic!("nobody is late") };
        assert!(told.insert(ticket), "told twice");
    }
    for call in &calls {
        assert_eq!(call.exited().exit_code, Some(5), "what is told is there to be read");
    }
    let is_shim = |stat: &procfs::Stat| stat.is_dead() && stat.name == "loopwright";
    let zombies = || pids.iter().copied().filter_map(procfs::stat).any(|stat| is_shim(&stat));
    until("all are reaped", || !zombies());
    drop(watcher);
    assert!(reports.try_recv().is_err(), "and nothing more");
}

#[test]
fn a_call_is_quiet_before_it_is_over_and_one_whose_shim_died_is_over_only() {
    let (watcher, reports) = watcher();
    let told = || reports.recv_timeout(PATIENCE).expect("a report");
    let call = Call::sh("exit 5");
    let launched = call.prepare().launch();
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Launched(launched));
    assert_eq!(told(), Report::Quiet(call.ticket()));
    assert_eq!(told(), Report::Ended(call.ticket()));
    let lost = Call::sh("echo up; sleep 60");
    let launched = lost.prepare().launch();
    let shim = launched.pid();
    watcher.watch(lost.dir.clone(), lost.ticket(), Watched::Launched(launched));
    lost.await_output("up");
    let pid = rustix::process::Pid::from_raw(shim).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(told(), Report::Ended(lost.ticket()), "and nothing before");
    assert!(matches!(lost.look(), Look::Gone(_)));
}

#[test]
fn a_shim_of_an_earlier_engine_is_watched_through_its_record() {
    let (watcher, reports) = watcher();
    let call = Call::sh("echo up; until [ -e go ]; do sleep 0.05; done; exit 6");
    let launched = call.prepare().launch();
    call.await_output("up");
    let Look::Running { pid: Some(record) } = call.look() else { panic!("running") };
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Found(record.clone()));
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Unnamed);
    assert!(reports.try_recv().is_err(), "not ended yet");
    std::fs::write(call.workspace().join("go"), "").unwrap();
    for _ in 0..2 {
        assert_eq!(next(&reports), Report::Ended(call.ticket()));
    }
    launched.wait().unwrap();
    assert_eq!(call.exited().exit_code, Some(6));
    // Ended before anybody opened it: told at once.
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Found(record));
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Unnamed);
    for _ in 0..2 {
        assert_eq!(next(&reports), Report::Ended(call.ticket()));
    }
}

#[test]
fn an_unnamed_lock_that_falls_free_is_an_end() {
    let (watcher, reports) = watcher();
    let call = Call::sh("true");
    call.prepare();
    let held = token::lock(&call.dir).unwrap().unwrap();
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Unnamed);
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert!(reports.try_recv().is_err(), "the lock is held");
    drop(held);
    assert_eq!(next(&reports), Report::Ended(call.ticket()));
}

#[test]
fn a_start_that_does_not_come_is_told() {
    let (watcher, reports) = watcher();
    let call = Call::sh("true");
    call.prepare();
    let stuck = call.workspace().join("stuck");
    std::fs::write(&stuck, "#!/bin/sh\nexec sleep 600\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&stuck, mode).unwrap();
    let env = [("PATH".into(), "/usr/bin:/bin".into())];
    let launched = retry_busy(|| launch::launch(&stuck, &call.dir, &call.ticket(), &env));
    let pid = rustix::process::Pid::from_raw(launched.pid()).unwrap();
    watcher.watch(call.dir.clone(), call.ticket(), Watched::Launched(launched));
    assert_eq!(next(&reports), Report::StartLate(call.ticket()));
    assert_eq!(call.look(), Look::NeverLaunched, "and can be told so");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    assert_eq!(next(&reports), Report::Ended(call.ticket()), "it was watched on");
}

/// A script just written may be "busy" while another test's fork still has it open.
fn retry_busy<T>(mut make: impl FnMut() -> std::io::Result<T>) -> T {
    let mut made = None;
    until("the script can be run", || {
        made = make().ok();
        made.is_some()
    });
    made.expect("until returned")
}
