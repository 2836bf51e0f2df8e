//! Tools, undo and verify with the real binary: what a person asks for happens once, whole, and can
//! be taken back; what is not theirs is refused by its code and nothing is touched.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod policy;
mod secrets;
mod taken_back;
mod told;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::{Value, json};
use sim::real::house::{Engine, House, Tenant};

const OLD: &str = "hello\nworld\n";

fn house(settings: &str) -> House {
    let exe = Path::new(env!("CARGO_BIN_EXE_loopwright"));
    let house = House::new(exe, settings, Tenant::Us).unwrap();
    fs::write(house.work.join("a.txt"), OLD).unwrap();
    house.ask(&["workspace", "trust"]).unwrap();
    house
}

fn tool(house: &House, name: &str, args: &Value) -> Value {
    house.ask(&["tool", "run", name, "--args", &args.to_string(), "--headless"]).unwrap()
}

/// The exit code and the error of a tool that does not do it.
fn refused(house: &House, name: &str, args: &Value) -> (i32, String, String) {
    let args = args.to_string();
    let ran = house.run(&["tool", "run", name, "--args", &args, "--headless", "--json"]).unwrap();
    let error = &ran.json()["error"];
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (ran.code, word(&error["code"]), word(&error["details"]["kind"]))
}

fn id(answer: &Value) -> &str {
    answer["call"].as_str().unwrap()
}

fn sha256(text: &str) -> String {
    kernel::hash::sha256_hex(text.as_bytes())
}

#[test]
fn a_change_is_made_once_and_taken_back_exactly() {
    let house = house("");
    let script = house.work.join("run.sh");
    fs::write(&script, OLD).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let patch = tool(
        &house,
        "apply_patch",
        &json!({
            "path": "run.sh", "old": "world", "new": "there", "expect": { "run.sh": sha256(OLD) },
        }),
    );
    assert_eq!(fs::read_to_string(&script).unwrap(), "hello\nthere\n");
    let made = tool(
        &house,
        "write",
        &json!({ "path": "deep/er/new.txt", "text": "canary-12345", "mode": "create" }),
    );
    let gone = tool(&house, "delete", &json!({ "path": "a.txt", "expect": sha256(OLD) }));
    assert!(!house.work.join("a.txt").exists());
    for call in [&patch, &made, &gone] {
        house.ask(&["undo", id(call)]).unwrap();
    }
    assert_eq!(fs::read_to_string(&script).unwrap(), OLD);
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_to_string(house.work.join("a.txt")).unwrap(), OLD);
    assert!(!house.work.join("deep").exists(), "directories made for it are gone with it");
    let journal = house.run(&["journal", "export"]).unwrap();
    assert!(journal.out.contains("new.txt") && !journal.out.contains("canary-12345"));
}

#[test]
fn an_undo_never_takes_what_is_not_its_own() {
    let house = house("");
    let made = tool(&house, "write", &json!({ "path": "n.txt", "text": "ours", "mode": "create" }));
    let path = house.work.join("n.txt");
    fs::write(&path, "theirs").unwrap();
    let ran = house.run(&["undo", id(&made), "--json"]).unwrap();
    assert_eq!(
        (ran.code, ran.json()["error"]["details"]["kind"].as_str()),
        (7, Some("undo_conflict"))
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
    house.ask(&["undo", id(&made), "--force"]).unwrap();
    assert!(!path.exists());
    let mut kept = Vec::new();
    for entry in fs::read_dir(house.state().join("aside")).unwrap() {
        kept.push(fs::read_to_string(entry.unwrap().path().join("n.txt")).unwrap());
    }
    assert_eq!(kept, ["theirs"]);
    let again = house.run(&["undo", id(&made), "--json"]).unwrap();
    assert_eq!((again.code, again.json()["error"]["code"].as_str()), (3, Some("call.ended")));
}

#[test]
fn bad_input_touches_nothing() {
    let house = house("");
    std::os::unix::fs::symlink("/etc", house.work.join("out")).unwrap();
    fs::write(house.work.join("b.bin"), [0, 159, 146, 150]).unwrap();
    let create = |path: &str| json!({ "path": path, "text": "x", "mode": "create" });
    let table = [
        ("write", create("../x"), (6, "E_POLICY_DENIED", "path")),
        ("write", create("/tmp/x"), (6, "E_POLICY_DENIED", "path")),
        ("write", create(".git/hooks/x"), (6, "E_POLICY_DENIED", "")),
        ("write", create(".GI\u{200c}T/x"), (6, "E_POLICY_DENIED", "")),
        ("write", create("out/x"), (6, "E_POLICY_DENIED", "symlink")),
        ("read", json!({ "path": "out/passwd" }), (6, "E_POLICY_DENIED", "path")),
        ("write", create("a.txt"), (7, "E_CONFLICT", "exists")),
        (
            "write",
            json!({ "path": "a.txt", "text": "x", "mode": "overwrite" }),
            (7, "E_CONFLICT", "changed_since_read"),
        ),
        (
            "apply_patch",
            json!({ "path": "a.txt", "old": "l", "new": "L", "expect": { "a.txt": sha256(OLD) } }),
            (7, "E_CONFLICT", "not_unique"),
        ),
        (
            "apply_patch",
            json!({
                "path": "a.txt", "old": "absent", "new": "L", "expect": { "a.txt": sha256(OLD) },
            }),
            (7, "E_CONFLICT", "no_match"),
        ),
        (
            "write",
            json!({ "path": "c", "text": "x", "mode": "sideways" }),
            (2, "E_INVALID_ARGS", ""),
        ),
        (
            "write",
            json!({ "path": "c", "mode": "create", "shell": true }),
            (2, "E_INVALID_ARGS", ""),
        ),
        ("fly", json!({}), (2, "call.unknown_tool", "")),
        ("search", json!({ "query": "(", "kind": "regex" }), (2, "E_INVALID_ARGS", "")),
    ];
    let before = listing(&house.work);
    for (name, args, (code, error, kind)) in table {
        let found = refused(&house, name, &args);
        assert_eq!(
            (found.0, found.1.as_str(), found.2.as_str()),
            (code, error, kind),
            "{name} {args}"
        );
    }
    assert_eq!(listing(&house.work), before);
    let asked =
        house.run(&["tool", "run", "write", "path=.env", "text=x", "mode=create", "--headless"]);
    assert_eq!(asked.unwrap().code, 4, "a secret's name is asked for");
    assert!(!house.work.join(".env").exists());
}

fn listing(dir: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let mut all: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_name() != ".loop")
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).ok())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn what_is_read_is_kept_beside_the_call_and_not_in_the_journal() {
    let house = house("");
    let read = tool(&house, "read", &json!({ "path": "a.txt" }));
    assert_eq!(read["payload"]["text"], OLD);
    assert_eq!(read["payload"]["sha256"], sha256(OLD));
    let found = tool(&house, "search", &json!({ "query": "wor" }));
    assert_eq!(found["payload"]["hits"][0]["line"], 2);
    let journal = house.run(&["journal", "export"]).unwrap();
    assert!(journal.out.contains("payload.json") && !journal.out.contains("world"));
}

#[test]
fn verify_shows_what_each_check_proved() {
    let settings = r#"
[[verify.commands]]
argv = ["true"]
level = "static"
[[verify.commands]]
argv = ["sh", "-c", "echo src/a.rs:3:1: bad; exit 1"]
level = "build"
[[verify.commands]]
argv = ["sh", "-c", "echo x >> a.txt"]
level = "custom"
parser = "exit"
[[verify.commands]]
argv = ["no-such-program"]
"#;
    let house = house(settings);
    let ran = house.run(&["verify", "--headless", "--json"]).unwrap();
    let checks = ran.json()["data"]["checks"].as_array().unwrap().clone();
    let verdicts: Vec<_> = checks.iter().map(|check| check["verdict"].as_str().unwrap()).collect();
    assert_eq!((ran.code, verdicts), (1, vec!["pass", "fail", "moved", "unavailable"]));
    assert_eq!(checks[1]["errors"][0]["line"], 3);
    assert_eq!(house.run(&["verify", "--level", "static"]).unwrap().code, 0);
    assert_eq!(house.run(&["verify", "--level", "test"]).unwrap().code, 4);
    assert_eq!(house.run(&["verify", "--level", "stat"]).unwrap().code, 2);
    let bare = self::house("");
    let none = bare.run(&["verify"]).unwrap();
    assert!(none.code == 0 && none.err.contains("verify.commands"), "{none:?}");
}

#[test]
fn reg_a_check_that_leaves_a_lock_file_the_first_time_is_run_once_more() {
    let settings = r#"
[[verify.commands]]
argv = ["sh", "-c", "test -f made.lock || touch made.lock"]
level = "custom"
parser = "exit"
"#;
    let house = house(settings);
    let ran = house.run(&["verify", "--headless", "--json"]).unwrap();
    let checks = &ran.json()["data"]["checks"];
    assert_eq!((ran.code, &checks[0]["verdict"]), (0, &json!("pass")), "{ran:?}");
    assert_eq!(checks.as_array().unwrap().len(), 1, "one line a check");
}

#[test]
fn nothing_is_started_on_a_disk_without_room() {
    let house = house("[run]\ndisk_floor = \"1000000GiB\"\n");
    let ran = refused(&house, "run", &json!({ "argv": ["cat", "a.txt"] }));
    assert_eq!((ran.1.as_str(), ran.2.as_str()), ("E_IO", "no_space"), "{ran:?}");
    assert_eq!(tool(&house, "read", &json!({ "path": "a.txt" }))["payload"]["text"], OLD);
}

#[test]
fn results_and_deadlines_are_as_the_settings_say() {
    let said = "[call]\npayload_bytes = 1024\n[call.timeout]\nexec = \"700ms\"\n";
    let house = house(said);
    fs::write(house.work.join("long.txt"), "line\n".repeat(1000)).unwrap();
    let long = tool(&house, "read", &json!({ "path": "long.txt" }));
    let kept = long["payload"]["file"].as_str().unwrap_or_else(|| panic!("{long}"));
    let kept: Value = serde_json::from_slice(&fs::read(kept).unwrap()).unwrap();
    assert_eq!(kept["lines_total"], 1000);
    let short = tool(&house, "read", &json!({ "path": "a.txt" }));
    assert_eq!(short["payload"]["text"], OLD);
    let args = json!({ "argv": ["tail", "-f", "a.txt"] }).to_string();
    let ran = house.run(&["tool", "run", "run", "--args", &args, "--headless", "--json"]).unwrap();
    assert_eq!(ran.json()["data"]["payload"]["ended"], "deadline", "{ran:?}");
}

#[test]
fn state_that_git_tracks_is_not_worked_with() {
    let house = house("");
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let ran = git.args(args).current_dir(&house.work).output().unwrap();
        assert!(ran.status.success(), "{args:?}: {ran:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "-f", ".loop/owner.json"]);
    let code = |args: &[&str]| {
        let ran = house.run(args).unwrap();
        (ran.code, ran.json()["error"]["code"].as_str().unwrap_or_default().to_owned())
    };
    let tracked = (3, "workspace.state_tracked".to_owned());
    assert_eq!(code(&["tool", "run", "list", "--json"]), tracked);
    assert_eq!(code(&["workspace", "trust", "--json"]), tracked);
    git(&["rm", "-q", "-r", "--cached", ".loop"]);
    assert_eq!(code(&["tool", "run", "list", "--json"]), (0, String::new()));
}

#[test]
fn what_exceeds_the_places_waits_in_the_order_asked() {
    let house = house("[call]\nin_flight = 2\n");
    let list = || {
        let listed = house.ask(&["call", "list"]).unwrap();
        let mut calls = listed.as_array().unwrap().clone();
        calls.reverse();
        calls
    };
    let args = json!({ "argv": ["tail", "-f", "a.txt"] }).to_string();
    let asking = ["tool", "run", "run", "--args", &args, "--headless", "--json"];
    let mut children = Vec::new();
    for n in 1..=4 {
        let mut command = house.command_behind(&[], &asking);
        children.push(command.stdout(std::process::Stdio::null()).spawn().unwrap());
        policy::until("it is asked", || list().len() == n);
    }
    let states = || -> Vec<String> {
        list().iter().map(|call| call["state"].as_str().unwrap().to_owned()).collect()
    };
    policy::until("two run", || states() == ["Started", "Started", "Allowed", "Allowed"]);
    // One that is stopped while it waits keeps nobody behind it waiting.
    let steps = [
        (1, ["Started", "Settled", "Started", "Allowed"]),
        (3, ["Started", "Settled", "Started", "Settled"]),
        (0, ["Settled", "Settled", "Started", "Settled"]),
        (2, ["Settled"; 4]),
    ];
    for (n, expected) in steps {
        house.ask(&["call", "stop", list()[n]["run_id"].as_str().unwrap()]).unwrap();
        policy::until("it stands so", || states() == expected);
    }
    children.iter_mut().for_each(|child| drop(child.wait()));
}

#[test]
fn reg_nothing_is_done_in_a_directory_that_took_the_place_of_the_root() {
    let house = house("");
    fs::write(house.work.join("wait.sh"), "touch began\nuntil test -e go; do sleep 0.1; done\n")
        .unwrap();
    house.empty().unwrap();
    let mut engine = Engine::start(&house, &[]).unwrap();
    let made = house.ask(&["loop", "create", "--title", "x", "--task", "sh wait.sh"]).unwrap();
    let run = made["loop_id"].as_str().unwrap();
    house.ask(&["loop", "start", run, "--auto", "--detach"]).unwrap();
    policy::until("it runs", || house.work.join("began").exists());
    let moved = house.work.with_file_name("moved");
    fs::rename(&house.work, &moved).unwrap();
    fs::create_dir(&house.work).unwrap();
    // The work ends by itself, and what is owed then is done by nobody.
    fs::write(moved.join("go"), "").unwrap();
    policy::until("the engine ends", || engine.child.try_wait().unwrap().is_some());
    assert_eq!(fs::read_dir(&house.work).unwrap().count(), 0, "nothing was made there");
    let said = fs::read_to_string(house.top.join("said/engine.err")).unwrap();
    assert!(said.contains("another directory stands at"), "{said}");
    fs::remove_dir(&house.work).unwrap();
    fs::rename(&moved, &house.work).unwrap();
    let calls = house.ask(&["call", "list"]).unwrap();
    assert_eq!(calls.as_array().unwrap().len(), 1, "its records went with it: {calls}");
}

#[test]
fn reg_a_loop_does_not_go_on_by_itself_on_another_branch() {
    let house = house("");
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let ran = git.args(args).current_dir(&house.work).output().unwrap();
        assert!(ran.status.success(), "{args:?}: {ran:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-q", "--allow-empty", "-m", "x"]);
    fs::write(house.work.join("wait.sh"), "touch began\nuntil test -e go; do sleep 0.1; done\n")
        .unwrap();
    let tasks = ["--task", "sh wait.sh", "--task", "touch second"];
    let made = house.ask(&[&["loop", "create", "--title", "x"][..], &tasks].concat()).unwrap();
    let run = made["loop_id"].as_str().unwrap();
    house.ask(&["loop", "start", run, "--auto", "--detach"]).unwrap();
    policy::until("it runs", || house.work.join("began").exists());
    git(&["checkout", "-q", "-b", "other"]);
    fs::write(house.work.join("go"), "").unwrap();
    let show = || house.ask(&["loop", "show", run]).unwrap();
    policy::until("it pauses", || show()["status"] == "paused");
    let shown = house.run(&["loop", "show", run]).unwrap().out;
    assert!(shown.contains("branch_changed: main -> other"), "{shown}");
    assert!(shown.contains("Another branch is checked out"), "{shown}");
    assert!(!house.work.join("second").exists());
    // Whoever lets it go on has seen it.
    house.ask(&["loop", "resume", run]).unwrap();
    policy::until("it goes on", || house.work.join("second").exists());
}

#[test]
fn what_tools_give_is_what_they_declare() {
    let house = house("");
    let declared = house.ask(&["tool", "list"]).unwrap();
    let fits = |name: &str, payload: &Value| {
        let all = declared.as_array().unwrap_or_else(|| panic!("{declared}"));
        let tool = all.iter().find(|tool| tool["name"] == name).unwrap();
        let schema = jsonschema::validator_for(&tool["result_schema"]).unwrap();
        let wrong: Vec<String> = schema.iter_errors(payload).map(|it| it.to_string()).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?}: {payload}");
        assert!(!schema.is_valid(&json!({})), "{name} says something");
    };
    fs::write(house.work.join("bin"), [0, 255]).unwrap();
    let create = json!({ "path": "n.txt", "text": "x", "mode": "create" });
    let patch =
        json!({ "path": "a.txt", "old": "world", "new": "x", "expect": { "a.txt": sha256(OLD) } });
    let table = [
        ("read", json!({ "path": "a.txt" })),
        ("read", json!({ "path": "bin" })),
        ("list", json!({ "depth": 2 })),
        ("search", json!({ "query": "hello" })),
        ("search_semantic", json!({ "query": "hello" })),
        ("write", create),
        ("apply_patch", patch),
        ("delete", json!({ "path": "n.txt", "expect": sha256("x") })),
        ("run", json!({ "argv": ["ls"] })),
    ];
    for (name, args) in table {
        fits(name, &tool(&house, name, &args)["payload"]);
    }
}
