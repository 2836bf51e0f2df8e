//! How calls end by themselves, and what the child finds when it begins.

use std::os::unix::fs::PermissionsExt;

use runtime::shim::files::{self, CollectResult, Ended, SpawnError, SpawnStep, Stdin};

use crate::kit::Call;

#[test]
fn an_end_is_told_as_it_was() {
    let table = [
        ("exit 0", Ended::Exit, Some(0), None),
        ("exit 3", Ended::Exit, Some(3), None),
        ("exit 127", Ended::Exit, Some(127), None),
        ("kill -KILL $$", Ended::Signal, None, Some(9)),
        ("kill -TERM $$", Ended::Signal, None, Some(15)),
    ];
    for (script, ended, exit_code, signal) in table {
        let call = Call::sh(script);
        let record = call.run();
        let got = (record.ended, record.exit_code, record.signal);
        assert_eq!(got, (ended, exit_code, signal), "{script}");
        assert_eq!(record.spawn_error, None, "{script}");
        assert_eq!((record.key, record.survivors), (call.request.key.clone(), vec![]));
    }
}

#[test]
fn what_cannot_be_started_says_which_step_and_why() {
    const ENOENT: i32 = 2;
    const EACCES: i32 = 13;
    const EXDEV: i32 = 18;
    const ELOOP: i32 = 40;
    let plain = || Call::sh("echo ran >> ran");
    let missing_cwd = plain().with(|r| r.cwd.push_str("/none"));
    let linked = plain();
    std::os::unix::fs::symlink("/", linked.workspace().join("out")).unwrap();
    let linked = linked.with(|r| r.cwd.push_str("/out"));
    let dotted = plain().with(|r| r.cwd.push_str("/../workspace"));
    let table = [
        ("no program", Call::argv(&["/none/such"]), SpawnStep::Exec, ENOENT),
        ("no program in PATH", Call::argv(&["no-such-program"]), SpawnStep::Exec, ENOENT),
        ("not executable", Call::argv(&["/etc/passwd"]), SpawnStep::Exec, EACCES),
        ("no directory", missing_cwd, SpawnStep::Cwd, ENOENT),
        ("a link out", linked, SpawnStep::Cwd, ELOOP),
        ("a way round", dotted, SpawnStep::Cwd, EXDEV),
        ("no prompt", plain().with(|r| r.stdin = Stdin::Prompt), SpawnStep::Stdin, ENOENT),
    ];
    for (name, call, step, errno) in table {
        let record = call.run();
        assert_eq!(record.ended, Ended::SpawnFailed, "{name}");
        assert_eq!(record.spawn_error, Some(SpawnError { step, errno }), "{name}");
        assert_eq!(call.times_run(), 0, "{name}");
    }
}

#[test]
fn standard_input_always_ends() {
    let call = Call::sh("cat; echo over");
    call.run();
    assert_eq!(call.read(files::STDOUT), "over\n");

    let call = Call::sh("cat; echo over").with(|r| r.stdin = Stdin::Prompt);
    call.prepare();
    std::fs::write(call.dir.join(files::PROMPT), "the task 任务\n").unwrap();
    call.launch().wait().unwrap();
    call.exited();
    assert_eq!(call.read(files::STDOUT), "the task 任务\nover\n");
}

/// One that repeats its prompt without waiting for a reader, as some agents do before they end.
#[test]
fn reg_a_long_prompt_that_is_repeated_in_one_go_is_not_cut() {
    let call = Call::sh("exec dd bs=1M oflag=nonblock").with(|r| r.stdin = Stdin::Prompt);
    call.prepare();
    let prompt = "任务 long\n".repeat(30_000);
    std::fs::write(call.dir.join(files::PROMPT), &prompt).unwrap();
    call.launch().wait().unwrap();
    assert_eq!(call.exited().exit_code, Some(0), "{}", call.read(files::STDERR));
    assert!(call.read(files::STDOUT) == prompt);
}

#[test]
fn the_child_finds_what_was_promised() {
    // The shell itself looks: one that forks for it has its signals blocked at that moment.
    let call = Call::sh(
        "env | sort; echo core $(ulimit -c); \
         echo files $(ulimit -n) $(ulimit -Hn); pwd; \
         [ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo own session; \
         while IFS= read -r line; do case $line in SigBlk*|SigIgn*) echo \"$line\";; esac; \
         done < /proc/$$/status; echo err >&2",
    );
    call.run();
    let dir = call.dir.display();
    let expected = format!(
        "LOOPWRIGHT_CALL_ID={}\nPATH=/usr/local/bin:/usr/bin:/bin\nPWD={cwd}\nSECRET=swordfish\n\
         TMPDIR={dir}/tmp\ncore 0\nfiles 4096 4096\n{cwd}\nown session\n\
         SigBlk:\t0000000000000000\n",
        call.request.call_id,
        cwd = call.request.cwd,
    );
    let got = call.read(files::STDOUT);
    let (got, ignored) = got.split_once("SigIgn:\t").unwrap();
    assert_eq!(got, expected);
    // 32 and 33 belong to the C library, which lets nobody change them.
    let ignored = u64::from_str_radix(ignored.trim(), 16).unwrap() & !(0b11 << 31);
    assert_eq!(ignored, 0, "no signal is ignored from the start");
    assert_eq!(call.read(files::STDERR), "err\n");
    assert!(!call.read(files::REQUEST).contains("swordfish"), "values stay in memory");
    let call = Call::argv(&["/bin/ls", "/proc/self/fd"]);
    call.run();
    assert_eq!(call.read(files::STDOUT), "0\n1\n2\n3\n", "the last is the listing's own");
}

#[test]
fn files_are_for_their_owner_alone() {
    let call = Call::sh("echo out; umask 0; echo x > $TMPDIR/r").with(|r| {
        r.collect = vec!["r".into(), "none".into()];
        r.spool_bytes = 1;
    });
    let record = call.run();
    let results: Vec<_> = record.collected.iter().map(|c| c.result.clone()).collect();
    assert_eq!(results, [CollectResult::Kept { bytes: 2 }, CollectResult::Missing]);
    let gone = |name: &str| !call.dir.join(name).exists();
    assert!(gone(files::TMP) && gone("rest.1"), "the rest of tmp is removed");
    assert_eq!(mode(&call.dir), 0o700);
    let mut seen = 0;
    for entry in std::fs::read_dir(&call.dir).unwrap().flatten() {
        let expected = if entry.path().is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&entry.path()), expected, "{:?}", entry.path());
        seen += 1;
    }
    assert!(seen >= 9, "request, token, pid, lock, two spools, tail, log, exit: {seen}");
}

fn mode(path: &std::path::Path) -> u32 {
    path.symlink_metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn the_second_attempt_keeps_the_first_one_aside() {
    let call = Call::sh("echo first; exit 1");
    assert_eq!(call.run().exit_code, Some(1));
    let call = call.with(|r| {
        r.attempt = 2;
        r.argv[2] = "echo second".into();
    });
    let record = call.run();
    assert_eq!((record.attempt, record.exit_code), (2, Some(0)));
    assert_eq!(call.read(files::STDOUT), "second\n");
    assert_eq!(call.read("past.1/stdout"), "first\n");
}
