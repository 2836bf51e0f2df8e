//! What a plan keeps a real child from, and what it leaves alone: every way out, under each way
//! of being held, and the ordinary work that must not notice.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};

use runtime::sandbox::names::Secrets;
use runtime::sandbox::places::{self, Site};
use runtime::sandbox::probe::{Measured, probe};
use runtime::sandbox::standing::Standing;
use runtime::sandbox::{Carve, Level, May, Network, Plan};
use runtime::shim::files::{self, Ended, SpawnStep};
use runtime::shim::stop::{self, Stop};

use crate::kit::{Call, exe};
use crate::tries::{self, BASE, By, CHILD, LISTENS, SPOILED, TABLE, TRY, VICTIM};

/// How a call is held in these tests.
fn held(carve: Carve, abi: u32) -> Measured {
    Measured { level: Level::Walled, carve, abi, holes: Vec::new() }
}

/// What this machine can do. One that can hold nothing fails these tests: a wall that nobody tried
/// is not to be taken for one that held.
fn measured() -> Measured {
    let room = tempfile::tempdir().unwrap();
    let measured = probe(exe(), &room.path().canonicalize().unwrap());
    assert_eq!(measured.level, Level::Walled, "these tests need Landlock: {measured:?}");
    measured
}

/// A world to break out of, beside the workspace of a call.
fn furnish(call: &Call) {
    let workspace = call.workspace();
    let base = workspace.parent().unwrap();
    let rooms = [".git/hooks", "sub/.git", ".loop", ".claude", ".hg"].map(|r| workspace.join(r));
    let others = [base.join("outside/empty"), base.join("home/.ssh")];
    for room in rooms.iter().chain(&others) {
        std::fs::create_dir_all(room).unwrap();
    }
    let files = [".git/config", "sub/.git/config", ".loop/journal", ".claude/settings.json"];
    for file in files.iter().chain(&["loopwright.toml", "own", "own2", ".env", "sub/a.pem"]) {
        std::fs::write(workspace.join(file), "mine").unwrap();
    }
    for file in SPOILED {
        std::fs::write(base.join("outside").join(file), "mine").unwrap();
    }
    std::fs::write(base.join("home/.ssh/id_ed25519"), "secret").unwrap();
}

/// The plan of a call, as the engine would draw it for a command without network.
fn plan(call: &Call, measured: &Measured, work: May, network: Network) -> Plan {
    plan_within(call, measured, work, network, None)
}

/// The same, kept to some directories of the tree.
fn plan_within(
    call: &Call,
    measured: &Measured,
    work: May,
    network: Network,
    within: Option<&[PathBuf]>,
) -> Plan {
    let workspace = call.workspace();
    let home = workspace.parent().unwrap().join("home");
    let var = |name: &str| match name {
        "HOME" => Some(home.clone().into_os_string()),
        "PATH" => Some("/usr/local/bin:/usr/bin:/bin".into()),
        "SSH_AUTH_SOCK" => Some(home.parent().unwrap().join("keys").into_os_string()),
        "XDG_RUNTIME_DIR" => Some(home.parent().unwrap().join("run").into_os_string()),
        _ => None,
    };
    let own = std::env::current_exe().unwrap();
    let site = Site {
        root: &workspace,
        loop_dir: &workspace.join(".loop"),
        tmp: &call.dir.join(files::TMP),
        program: &own,
        work,
        within,
        git: places::Git::Reads,
        secrets: Secrets::Kept,
        own: &[],
        own_reads: &[],
        network,
        memory_bytes: None,
        standing: &Standing::new(&var, &[], &[]),
    };
    // The place of the call is made when it is prepared, and a plan names what is there.
    std::fs::create_dir_all(site.tmp).unwrap();
    places::plan(&site, measured)
}

fn sandboxed(script: &str, measured: &Measured, work: May, network: Network) -> Call {
    let call = Call::sh(script);
    furnish(&call);
    let plan = plan(&call, measured, work, network);
    call.with(|request| request.sandbox = Some(plan))
}

/// Everything tried, in one call.
fn tried(measured: &Measured) -> (Call, Vec<(String, Option<String>)>) {
    let mut bystander = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let victim = bystander.id().to_string();
    let listens = std::process::id();
    let call = Call::sh("");
    furnish(&call);
    let workspace = call.workspace();
    let services = ["keys", "run/bus"].map(|name| workspace.parent().unwrap().join(name));
    std::fs::create_dir(workspace.parent().unwrap().join("run")).unwrap();
    let _listening = services.map(|path| UnixListener::bind(path).unwrap());
    let base = workspace.parent().unwrap().display().to_string();
    let own = std::env::current_exe().unwrap().display().to_string();
    let words = [
        "/usr/bin/env",
        &format!("{TRY}=all"),
        &format!("{BASE}={base}"),
        &format!("{VICTIM}={victim}"),
        &format!("{LISTENS}={listens}"),
        &own,
        "--exact",
        CHILD,
        "--nocapture",
    ];
    let plan = plan(&call, measured, May::Write, Network::None);
    let call = call.with(|request| {
        request.argv = words.map(str::to_owned).to_vec();
        request.sandbox = Some(plan);
    });
    let record = call.run();
    bystander.kill().unwrap();
    bystander.wait().unwrap();
    assert_eq!(record.ended, Ended::Exit, "{record:?} {}", call.log());
    assert_eq!(record.exit_code, Some(0), "{} {}", call.read("stdout"), call.read("stderr"));
    assert_eq!(record.sandbox, measured.level.word());
    assert_eq!(record.carve_out, measured.carve);
    let results = tries::results(&call.read(files::STDOUT));
    assert_eq!(results.len(), TABLE.len(), "{}", call.read(files::STDOUT));
    (call, results)
}

/// Names of the tries that got through though `by` was there, or were held though it was not.
fn wrong(results: &[(String, Option<String>)], by: &[By]) -> Vec<String> {
    let row = |name: &str| TABLE.iter().find(|(known, ..)| *known == name).unwrap().1;
    let through =
        results.iter().filter(|(name, blocked)| by.contains(&row(name)) && blocked.is_none());
    through.map(|(name, _)| name.clone()).collect()
}

#[test]
fn a_call_that_is_kept_to_a_directory_writes_nowhere_else_in_the_tree() {
    let measured = measured();
    assert_eq!(measured.level.word(), "landlock+seccomp", "this test needs walls: {measured:?}");
    let call = Call::sh("echo x > docs/a && cat own > /dev/null; echo x > own; echo x > new; true");
    furnish(&call);
    let docs = call.workspace().join("docs");
    std::fs::create_dir(&docs).unwrap();
    let within = [docs.clone()];
    let plan = plan_within(&call, &measured, May::Write, Network::None, Some(&within));
    let call = call.with(|request| request.sandbox = Some(plan));
    let record = call.run();
    assert_eq!(record.exit_code, Some(0), "{record:?} {}", call.read(files::STDERR));
    assert_eq!(std::fs::read_to_string(docs.join("a")).unwrap(), "x\n");
    assert_eq!(std::fs::read_to_string(call.workspace().join("own")).unwrap(), "mine");
    assert!(!call.workspace().join("new").exists());
}

#[test]
fn nothing_gets_out_of_a_mount_namespace_with_walls() {
    let measured = measured();
    assert_eq!(measured.carve, Carve::Mount, "this test needs mount namespaces: {measured:?}");
    let (call, results) = tried(&measured);
    assert_eq!(wrong(&results, &[By::Wall, By::Mount]), [""; 0], "{results:?}");
    if measured.abi >= 6 {
        assert_eq!(wrong(&results, &[By::Scope]), [""; 0], "{results:?}");
    }
    let outside = call.workspace().parent().unwrap().join("outside");
    for file in SPOILED {
        let found = std::fs::read_to_string(outside.join(file)).unwrap();
        assert_eq!(found, "mine", "{file}");
    }
}

#[test]
fn walls_alone_hold_all_but_what_they_cannot_know() {
    let measured = measured();
    // The oldest Landlock we use has the filter stand in for what it lacks.
    for abi in [2, measured.abi] {
        let (_call, results) = tried(&held(Carve::Detected, abi));
        assert_eq!(wrong(&results, &[By::Wall]), [""; 0], "{abi}: {results:?}");
        if abi >= 6 {
            assert_eq!(wrong(&results, &[By::Scope]), [""; 0], "{results:?}");
        }
        // Told, not held: the level's word does not promise these.
        let git = results.iter().find(|(name, _)| name == "git_config").unwrap();
        assert_eq!(git.1, None, "a writable tree is writable");
    }
}

#[test]
fn without_walls_most_ways_are_open() {
    let (_call, results) = tried(&Measured::nothing());
    let through = results.iter().filter(|(_, blocked)| blocked.is_none()).count();
    // Were these held by something else, the tests above would prove nothing.
    let held: Vec<_> = results.iter().filter(|(_, blocked)| blocked.is_some()).collect();
    assert!(through * 3 > results.len() * 2, "{held:?}");
}

#[test]
fn a_reader_writes_nothing_but_its_own_directory() {
    let measured = measured();
    let script = "cat own >/dev/null && echo x > \"$TMPDIR/x\" || exit 3
        echo x > own && exit 4; echo x > new && exit 5; rm own && exit 6; exit 0";
    for carve in [Carve::Detected, measured.carve] {
        let call = sandboxed(script, &held(carve, measured.abi), May::Read, Network::Open);
        let record = call.run();
        assert_eq!(record.exit_code, Some(0), "{carve:?} {}", call.read("stderr"));
    }
}

#[test]
fn ordinary_work_does_not_notice() {
    let measured = measured();
    let table = [
        ("files", "mkdir -p a/b && echo x > a/b/c && mv a/b/c a/d && rm -r a && ls >/dev/null"),
        ("pipes", "echo hello | tr a-z A-Z | grep -q HELLO && cat </dev/null >/dev/stdout"),
        ("temporary", "f=$(mktemp) && echo x > \"$f\" && rm \"$f\""),
        ("here document", "cat <<END >out\nx\nEND\ntest \"$(cat out)\" = x"),
        ("background", "sleep 0.1 & wait $!"),
        ("own signals", "sleep 9 & kill $! && ! wait $!"),
        (
            "git",
            "command -v git >/dev/null || exit 0; mkdir new && cd new && HOME=/none git \
            -c safe.directory='*' init -q r && cd r && HOME=/none git status --short",
        ),
        (
            "compiler",
            "command -v cc >/dev/null || exit 0; echo 'int main(){return 0;}' > m.c && \
            cc m.c -o m && ./m",
        ),
        ("random, clock", "head -c 4 /dev/urandom >/dev/null && date >/dev/null"),
        ("terminal", "command -v script >/dev/null || exit 0; script -qec true /dev/null"),
    ];
    for carve in [Carve::Detected, measured.carve] {
        for (name, script) in table {
            let call = sandboxed(script, &held(carve, measured.abi), May::Write, Network::None);
            let record = call.run();
            let said = call.read(files::STDERR);
            assert_eq!(record.exit_code, Some(0), "{name} {carve:?}: {record:?} {said}");
        }
    }
}

#[test]
fn a_plan_that_cannot_be_held_runs_nothing() {
    let measured = measured();
    let plain = || sandboxed("echo ran >> ran", &measured, May::Write, Network::None);
    let newer = plain().with(|r| r.sandbox.as_mut().unwrap().abi = 99);
    let older = plain().with(|r| r.sandbox.as_mut().unwrap().abi = 1);
    let linked = plain().with(|r| {
        let place = Path::new(&r.workspace).join("link");
        std::os::unix::fs::symlink("/", &place).unwrap();
        let plan = r.sandbox.as_mut().unwrap();
        plan.protected.push(place.to_str().unwrap().to_owned());
        plan.carve = Carve::Mount;
    });
    let table = [
        ("a newer kernel's", newer, SpawnStep::Sandbox),
        ("too old", older, SpawnStep::Sandbox),
        ("a protected link", linked, SpawnStep::Carve),
    ];
    for (name, call, step) in table {
        let record = call.run();
        assert_eq!(record.ended, Ended::SpawnFailed, "{name}: {record:?}");
        assert_eq!(record.spawn_error.map(|error| error.step), Some(step), "{name}");
        assert_eq!((record.sandbox.as_str(), record.carve_out), ("none", Carve::None), "{name}");
        assert_ne!(record.exit_code, Some(0), "{name}");
        assert_eq!(call.times_run(), 0, "{name}");
    }
}

#[test]
fn what_leaves_its_session_behind_walls_is_still_stopped() {
    let measured = measured();
    let script = "setsid sh -c 'trap \"\" TERM; echo up; while :; do sleep 1; done' & wait";
    let call = sandboxed(script, &measured, May::Write, Network::None)
        .with(|request| request.grace_ms = 200);
    let launched = call.prepare().launch();
    call.await_output("up");
    assert!(matches!(stop::stop(&call.dir, &call.ticket()), Ok(Stop::Told)));
    launched.wait().unwrap();
    let record = call.exited();
    assert_eq!((record.ended, record.survivors), (Ended::Stopped, vec![]));
}

#[test]
fn invariant_level_measured() {
    let measured = measured();
    assert_eq!(measured.holes, [], "what is missing is missing whole");
    let call = Call::sh("true");
    furnish(&call);
    let plan = plan(&call, &measured, May::Write, Network::Open);
    let record = call.with(|request| request.sandbox = Some(plan)).run();
    assert_eq!(record.sandbox, measured.level.word());
    assert_eq!(record.carve_out, measured.carve);
}

/// Somebody outside who listens on an abstract name, for as long as the tests run.
#[expect(dead_code, reason = "kept open by being kept")]
struct Listening(UnixListener);

#[test]
fn abstract_sockets_outside_are_out_of_reach() {
    let measured = measured();
    assert!(measured.abi >= 6, "this test needs a Landlock that knows of scopes: {measured:?}");
    let name = format!("loopwright-try-{}", std::process::id());
    let _open =
        Listening(UnixListener::bind_addr(&SocketAddr::from_abstract_name(name).unwrap()).unwrap());
    for (held, free) in [(measured, false), (Measured::nothing(), true)] {
        let (_call, results) = tried(&held);
        let (_, blocked) = results.iter().find(|(name, _)| name == "abstract_socket").unwrap();
        assert_eq!(blocked.is_none(), free, "{blocked:?}");
    }
}
