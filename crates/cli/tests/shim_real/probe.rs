//! The probe's table, row by row, over directories laid out by hand; and who is at a door.

use runtime::shim::files::{self, ExitRecord, PidRecord, Process};
use runtime::shim::identity::Place;
use runtime::shim::look::{self, Look, Odd, Swept};
use runtime::shim::speaker::{Speaker, speaker};
use runtime::shim::{procfs, token};

use crate::kit::{Call, until};

fn pid_record(call: &Call) -> PidRecord {
    let place = Place::here().unwrap();
    let gone = Process { pid: i32::MAX, start_ticks: 1 };
    PidRecord {
        format: files::FORMAT,
        call_id: call.request.call_id.clone(),
        attempt: 1,
        epoch: 7,
        host: place.host,
        boot_id: place.boot_id,
        pidns: place.pidns,
        shim: gone,
        child: gone,
        cgroup: None,
        spawned_at: "2026-11-15T18:14:02Z".into(),
    }
}

fn short(call: &Call) -> (&'static str, usize) {
    let seen = look::look(&call.dir, &call.ticket()).unwrap();
    let name = match seen.look {
        Look::Exited(_) => "exited",
        Look::Running { pid: None } => "running, unnamed",
        Look::Running { pid: Some(_) } => "running",
        Look::NeverLaunched => "never launched",
        Look::Gone(remains) => match remains.swept {
            Swept::Here { .. } => "gone",
            Swept::Elsewhere => "gone elsewhere",
            Swept::PidDamaged { .. } => "gone, pid damaged",
        },
    };
    (name, seen.odd.len())
}

#[derive(Clone, Copy, PartialEq)]
enum Pid {
    Absent,
    Ours,
    OtherBoot,
    OtherHost,
    OtherAttempt,
    OtherEpoch,
    Damaged,
    Future,
}

#[derive(Clone, Copy, PartialEq)]
enum Exit {
    Absent,
    Ours,
    OtherAttempt,
    OtherEpoch,
    Damaged,
    Empty,
}

fn lay_out(token: bool, pid: Pid, exit: Exit) -> Call {
    let call = Call::sh("true");
    call.prepare();
    if token {
        std::fs::write(call.dir.join("launch.1"), "").unwrap();
    }
    let mut record = pid_record(&call);
    match pid {
        Pid::Absent | Pid::Ours | Pid::Damaged => {}
        Pid::OtherBoot => record.boot_id = "b".into(),
        Pid::OtherHost => record.host = "h".into(),
        Pid::OtherAttempt => record.attempt = 2,
        Pid::OtherEpoch => record.epoch = 6,
        Pid::Future => record.format = 2,
    }
    if pid != Pid::Absent {
        files::write(&call.dir, files::PID, &record).unwrap();
    }
    if pid == Pid::Damaged {
        std::fs::write(call.dir.join(files::PID), "{\"format\":1,").unwrap();
    }
    lay_exit(&call, exit);
    call
}

fn lay_exit(call: &Call, exit: Exit) {
    if exit == Exit::Absent {
        return;
    }
    let mut record: ExitRecord = Call::sh("true").run();
    record.call_id = call.request.call_id.clone();
    match exit {
        Exit::OtherAttempt => record.attempt = 3,
        Exit::OtherEpoch => record.epoch = 6,
        Exit::Absent | Exit::Ours | Exit::Damaged | Exit::Empty => {}
    }
    files::write(&call.dir, files::EXIT, &record).unwrap();
    match exit {
        Exit::Damaged => std::fs::write(call.dir.join(files::EXIT), "nonsense").unwrap(),
        Exit::Empty => std::fs::write(call.dir.join(files::EXIT), "").unwrap(),
        Exit::Absent | Exit::Ours | Exit::OtherAttempt | Exit::OtherEpoch => {}
    }
}

#[test]
fn the_probe_says_what_the_files_prove() {
    let table = [
        (false, Pid::Absent, Exit::Absent, "never launched", 0),
        (true, Pid::Absent, Exit::Absent, "never launched", 0),
        (true, Pid::Ours, Exit::Absent, "gone", 0),
        (true, Pid::OtherBoot, Exit::Absent, "gone elsewhere", 0),
        (true, Pid::OtherHost, Exit::Absent, "gone elsewhere", 0),
        (true, Pid::OtherAttempt, Exit::Absent, "never launched", 1),
        (true, Pid::OtherEpoch, Exit::Absent, "never launched", 1),
        (true, Pid::Damaged, Exit::Absent, "gone, pid damaged", 0),
        (true, Pid::Future, Exit::Absent, "gone, pid damaged", 0),
        (true, Pid::Ours, Exit::Ours, "exited", 0),
        (true, Pid::Damaged, Exit::Ours, "exited", 0),
        (true, Pid::Absent, Exit::Ours, "exited", 0),
        (true, Pid::Ours, Exit::OtherAttempt, "gone", 1),
        (true, Pid::Ours, Exit::OtherEpoch, "gone", 1),
        (true, Pid::Ours, Exit::Damaged, "gone", 1),
        (true, Pid::Ours, Exit::Empty, "gone", 1),
        (false, Pid::Absent, Exit::OtherAttempt, "never launched", 1),
    ];
    for (row, (token, pid, exit, expected, odd)) in table.into_iter().enumerate() {
        let call = lay_out(token, pid, exit);
        assert_eq!(short(&call), (expected, odd), "row {row}");
        // Said twice the same, and a start that never was cannot happen any more.
        assert_eq!(short(&call), (expected, odd), "row {row}, again");
        if expected == "never launched" {
            call.launch().wait().unwrap();
            assert!(call.log().contains("shim.token_exists"), "row {row}: {}", call.log());
            assert!(!call.dir.join(files::STDOUT).exists(), "row {row}: nothing was started");
        }
    }
}

#[test]
fn a_held_lock_is_running_whatever_else_is_there() {
    for (token, pid, expected) in [
        (false, Pid::Absent, ("running, unnamed", 0)),
        (true, Pid::Absent, ("running, unnamed", 0)),
        (true, Pid::Ours, ("running", 0)),
        (true, Pid::OtherAttempt, ("running, unnamed", 1)),
        (true, Pid::Damaged, ("running, unnamed", 1)),
    ] {
        let call = lay_out(token, pid, Exit::Absent);
        let _held = token::lock(&call.dir).unwrap().unwrap();
        assert_eq!(short(&call), expected);
        let busy = runtime::shim::launch::prepare(&call.dir, &call.request);
        assert!(busy.is_err(), "and nothing is prepared there");
    }
}

#[test]
fn a_directory_that_is_not_there_was_never_launched() {
    let call = Call::sh("true");
    assert_eq!(call.look(), Look::NeverLaunched);
}

#[test]
fn odd_records_are_named() {
    let call = lay_out(true, Pid::OtherEpoch, Exit::Damaged);
    let seen = look::look(&call.dir, &call.ticket()).unwrap();
    let names: Vec<&str> = seen
        .odd
        .iter()
        .map(|odd| match odd {
            Odd::Foreign { name, .. } | Odd::Damaged { name, .. } => *name,
        })
        .collect();
    assert_eq!(names, [files::EXIT, files::PID]);
}

/// Whatever descends from a shim is an agent, also when it forgot its environment and its
/// parents, or when the shim is dead.
#[test]
fn invariant_below_a_shim_is_an_agent() {
    let agent = |call: &Call| Speaker::Agent { call_id: call.request.call_id.clone() };
    let table = [
        ("itself", "echo pid $$; exec sleep 600"),
        ("empty environment", "env -i sh -c 'echo pid $$; exec sleep 600'"),
        ("a daemon", "(setsid env -i sh -c 'echo pid $$; exec sleep 600' &); sleep 600"),
    ];
    for (name, script) in table {
        let call = Call::sh(script);
        let launched = call.prepare().launch();
        call.await_output("\n");
        let pid = call.read(files::STDOUT);
        let pid: i32 = pid.trim().strip_prefix("pid ").unwrap().parse().unwrap();
        until("it is asleep", || procfs::stat(pid).is_some_and(|stat| stat.name == "sleep"));
        assert_eq!(speaker(pid), agent(&call), "{name}");
        assert_eq!(speaker(launched.pid()), agent(&call), "{name}: the shim itself");
        runtime::shim::stop::force(&call.dir, &call.ticket()).unwrap();
        launched.wait().unwrap();
    }
    assert_eq!(speaker(std::process::id().cast_signed()), Speaker::Person, "the test itself");
}

#[test]
fn a_marked_process_is_an_agent_when_its_shim_is_dead() {
    let call = Call::sh("setsid sh -c 'echo pid $$; exec sleep 600' & sleep 600");
    let launched = call.prepare().launch();
    call.await_output("\n");
    let pid = call.read(files::STDOUT);
    let pid: i32 = pid.trim().strip_prefix("pid ").unwrap().parse().unwrap();
    let shim = rustix::process::Pid::from_raw(launched.pid()).unwrap();
    rustix::process::kill_process(shim, rustix::process::Signal::KILL).unwrap();
    launched.wait().unwrap();
    let expected = Speaker::Agent { call_id: call.request.call_id.clone() };
    assert_eq!(speaker(pid), expected);
}
