//! Calls that do not end by themselves, and what they try to leave behind.

use runtime::shim::clock;
use runtime::shim::files::{self, Ended, PidRecord, Process, Request};
use runtime::shim::look::{Look, Swept};
use runtime::shim::stop::{self, Stop};
use runtime::shim::{identity, procfs};

use crate::kit::{Call, until};

/// Soon, but not before a shell on a busy machine has set its traps.
const SOON_MS: u64 = 1_500;

#[test]
fn a_deadline_ends_it() {
    let boot = identity::boot_id().unwrap();
    // In this boot the boot clock decides, whatever the wall clock says.
    let by_boot = |r: &mut Request| {
        r.deadline_wall_ms += 600_000;
        r.deadline_boot_ms = Some(clock::boot_ms() + SOON_MS);
        r.boot_id = Some(boot.clone());
    };
    let by_wall = |_: &mut Request| {};
    type Row<'a> = (&'a str, &'a str, &'a dyn Fn(&mut Request), Option<i32>);
    let table: [Row; 4] = [
        ("hangs", "sleep 600", &by_wall, Some(15)),
        ("hangs, boot clock", "sleep 600", &by_boot, Some(15)),
        ("ignores TERM", "trap '' TERM; sleep 600; sleep 600; sleep 600", &by_wall, Some(9)),
        ("leaves politely", "trap 'exit 0' TERM; sleep 600 & wait", &by_wall, None),
    ];
    for (name, script, clock_of, signal) in table {
        let call = Call::sh(script).with(|r| {
            r.grace_ms = 500;
            r.deadline_wall_ms = clock::wall_ms() + SOON_MS;
            clock_of(r);
        });
        let record = call.run();
        assert_eq!((record.ended, record.signal), (Ended::Deadline, signal), "{name}");
        assert!(record.survivors.is_empty(), "{name}");
    }
}

#[test]
fn a_wall_deadline_of_another_boot_counts_by_the_wall() {
    let call = Call::sh("sleep 600").with(|r| {
        r.deadline_wall_ms = clock::wall_ms() + SOON_MS;
        r.deadline_boot_ms = Some(u64::MAX);
        r.boot_id = Some("another".into());
    });
    assert_eq!(call.run().ended, Ended::Deadline);
}

#[test]
fn silence_ends_it_and_speech_does_not() {
    let call = Call::sh("echo hello; sleep 600").with(|r| r.idle_ms = Some(SOON_MS));
    assert_eq!(call.run().ended, Ended::Idle);
    assert_eq!(call.read(files::STDOUT), "hello\n");

    let talk = "for i in 1 2 3 4 5 6 7 8; do sleep 0.6; echo $i >&2; done";
    let call = Call::sh(talk).with(|r| r.idle_ms = Some(4_000));
    assert_eq!(call.run().ended, Ended::Exit);
}

#[test]
fn invariant_no_survivors() {
    let table = [
        ("keeps the pipe open", "sleep 600 & exit 4"),
        ("a session of its own", "setsid sleep 600 & exit 4"),
        ("a double fork", "(setsid sh -c 'sleep 600 & sleep 600' &); exit 4"),
        ("a daemon that forgets its name", "(setsid env -i sleep 600 >/dev/null 2>&1 &); exit 4"),
        (
            "ignores everything",
            "setsid sh -c 'trap \"\" TERM HUP INT; sleep 600; sleep 600' & exit 4",
        ),
        ("goes on forking", "setsid sh -c 'while :; do sleep 0.01 & done' & exit 4"),
    ];
    for (name, script) in table {
        let call = Call::sh(script);
        let record = call.run();
        assert_eq!((record.ended, record.exit_code), (Ended::Exit, Some(4)), "{name}");
        assert!(record.survivors.is_empty(), "{name}: {:?}", record.survivors);
    }
}

#[test]
fn what_lingers_briefly_may_finish() {
    let call = Call::sh("(sleep 0.3; echo late) & exit 0");
    call.run();
    assert_eq!(call.read(files::STDOUT), "late\n");
}

#[test]
fn a_stop_ends_the_whole_tree() {
    let table = [
        ("plain", "echo up; sleep 600", Some(15), None),
        ("with others", "setsid sleep 600 & sleep 600 & echo up; sleep 600", Some(15), None),
        ("exits with 0", "trap 'exit 0' TERM; echo up; sleep 600 & wait", None, Some(0)),
        ("ignores TERM", "trap '' TERM; echo up; sleep 600; sleep 600", Some(9), None),
        ("was suspended", "echo up; kill -STOP $$; sleep 600", Some(15), None),
    ];
    for (name, script, signal, exit_code) in table {
        let call = Call::sh(script).with(|r| r.grace_ms = 500);
        let launched = call.prepare().launch();
        call.await_output("up");
        assert!(matches!(call.look(), Look::Running { pid: Some(_) }), "{name}");
        assert_eq!(stop::stop(&call.dir, &call.ticket()).unwrap(), Stop::Told, "{name}");
        launched.wait().unwrap();
        let record = call.exited();
        let got = (record.ended, record.signal, record.exit_code);
        assert_eq!(got, (Ended::Stopped, signal, exit_code), "{name}");
        assert_eq!(stop::stop(&call.dir, &call.ticket()).unwrap(), Stop::Gone, "{name}");
    }
}

#[test]
fn force_ends_a_shim_that_does_not_listen() {
    let call = Call::sh("setsid sleep 600 & echo up; sleep 600");
    let launched = call.prepare().launch();
    call.await_output("up");
    let shim = rustix::process::Pid::from_raw(launched.pid()).unwrap();
    rustix::process::kill_process(shim, rustix::process::Signal::STOP).unwrap();
    let Swept::Here { survivors, .. } = stop::force(&call.dir, &call.ticket()).unwrap() else {
        panic!("swept here")
    };
    assert_eq!(survivors, []);
    launched.wait().unwrap();
    until("the lock is free", || !matches!(call.look(), Look::Running { .. }));
    assert!(matches!(call.look(), Look::Gone(_)));
    call.assert_no_survivors();
}

#[test]
fn reg_a_stranger_with_the_same_pid_is_never_signalled() {
    let call = Call::sh("echo up; sleep 600");
    let launched = call.prepare().launch();
    call.await_output("up");
    let Look::Running { pid: Some(record) } = call.look() else { panic!("running") };
    stop::force(&call.dir, &call.ticket()).unwrap();
    launched.wait().unwrap();
    let mut stranger = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let born = procfs::stat(stranger.id().cast_signed()).unwrap().process();
    let earlier = Process { start_ticks: born.start_ticks - 1, ..born };
    // As far as the file can tell it has the shim's number, and even its birth: the kernel tells
    // those in hundredths of a second, and a whole call may be over within one.
    for shim in [earlier, born] {
        let forged = PidRecord { shim, ..(*record).clone() };
        files::write(&call.dir, files::PID, &forged).unwrap();
        assert_eq!(stop::stop(&call.dir, &call.ticket()).unwrap(), Stop::Gone, "{shim:?}");
        stop::force(&call.dir, &call.ticket()).unwrap();
        assert!(matches!(call.look(), Look::Gone(_)));
        assert!(stranger.try_wait().unwrap().is_none(), "the stranger lives");
    }
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}
