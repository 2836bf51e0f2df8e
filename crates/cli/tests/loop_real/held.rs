//! What holds the commands of a loop, from the engine that measures it to the page a person reads.
//! Every way out is tried by a real task; the same task without walls shows that tries are real.

use std::net::TcpListener;

use serde_json::{Value, json};

use crate::kit::{House, Ran};

/// Tries one way out after the other and writes down which of them were open.
const TRIES: &str = r#"
try() { name=$1; shift; told=shut
    if "$@" 2>/dev/null; then told=open; fi; echo "$name" >> $told; }
put() { echo x >> "$1"; }
reach() { bash -c "exec 3<>/dev/tcp/127.0.0.1/$PORT"; }
try write_outside put "$HOME/made"
try write_above put ../made
try write_link put way_out
try secret cat "$HOME/.ssh/id_ed25519"
try list_home ls "$HOME"
try keys ls "$XDG_STATE_HOME"
try journal put .loop/journal/journal.db
try owner put .loop/owner.json
try git_config put .git/config
try git_hook put .git/hooks/pre-commit
try agent_settings put .claude/settings.json
try own_settings put loopwright.toml
try network reach
try signal kill -0 "$VICTIM"
try environment cat "/proc/$VICTIM/environ"
try memory head -c 0 "/proc/$VICTIM/mem"
try mount mount --bind sub sub
try unshare unshare --user true
"#;
/// How many there are.
const COUNT: usize = 18;
/// Of these, the ones that only a mount namespace holds.
const INSIDE: [&str; 6] =
    ["journal", "owner", "git_config", "git_hook", "agent_settings", "own_settings"];

/// A process to attack, and somebody who listens.
struct Prey {
    victim: std::process::Child,
    listener: TcpListener,
}

impl Drop for Prey {
    fn drop(&mut self) {
        drop(self.victim.kill());
        drop(self.victim.wait());
    }
}

fn furnish(house: &House) -> Prey {
    let rooms = [".git/hooks", ".claude", "sub"].map(|room| house.work.join(room));
    for room in rooms.iter().chain(&[house.home.join(".ssh")]) {
        std::fs::create_dir_all(room).unwrap();
    }
    for file in [".git/config", ".claude/settings.json"] {
        house.write(file, "mine\n");
    }
    std::fs::write(house.home.join(".ssh/id_ed25519"), "swordfish").unwrap();
    std::os::unix::fs::symlink(house.home.join("linked"), house.work.join("way_out")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let victim = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let port = listener.local_addr().unwrap().port();
    let head = format!("PORT={port}\nVICTIM={}\n", victim.id());
    house.write("try.sh", &format!("{head}{TRIES}"));
    Prey { victim, listener }
}

fn settings(house: &House, more: &str) {
    let old = house.read("loopwright.toml");
    house.write("loopwright.toml", &format!("{old}{more}"));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
}

/// Runs the tasks, and then the check that is always there.
fn work(house: &House, tasks: &[&str]) -> Ran {
    let mut args = vec!["loop", "run", "tries", "--auto", "--json"];
    args.extend(tasks.iter().flat_map(|task| ["--task", task]));
    house.run(&args)
}

/// The page of the call whose command holds these words.
fn call(house: &House, words: &str) -> Value {
    let calls = house.data(&["call", "list"]);
    let all = calls.as_array().unwrap();
    let one = all.iter().find(|call| call["about"].as_str().unwrap().contains(words));
    house.data(&["call", "show", one.unwrap()["run_id"].as_str().unwrap()])
}

fn page(house: &House, call: &Value, lang: &str) -> String {
    house.run(&["call", "show", call["run_id"].as_str().unwrap(), "--lang", lang]).out
}

/// What a machine that these tests are run on must be able to do; one that cannot fails them.
fn sandbox(house: &House) -> Value {
    let ran = house.run(&["doctor", "--json"]);
    ran.json()["data"]["sandbox"].clone()
}

#[test]
fn a_task_reaches_nothing_but_its_work_tree() {
    let house = House::new();
    let prey = furnish(&house);
    let offered = sandbox(&house);
    assert_eq!(offered["level"], "landlock+seccomp", "these tests need Landlock: {offered}");
    let ran = work(&house, &["sh try.sh", "touch proof"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let open = house.read("open");
    if offered["carve_out"] == "mount" {
        assert_eq!(open, "", "{}", house.read("shut"));
        assert_eq!(house.read("shut").lines().count(), COUNT);
    } else {
        assert!(open.lines().all(|name| INSIDE.contains(&name)), "{open}");
    }
    assert_eq!(house.read(".git/config"), "mine\n");
    assert!(!house.has(".git/hooks/pre-commit"));
    let call = call(&house, "try.sh");
    let exit = &call["result"]["exit"];
    assert_eq!((&exit["sandbox"], &exit["carve_out"]), (&offered["level"], &offered["carve_out"]));
    for (lang, words) in [("en", "It ran behind walls"), ("zh-CN", "它在沙箱内运行")] {
        let page = page(&house, &call, lang);
        assert!(page.contains(words), "{page}");
    }
    assert_eq!(house.run(&["journal", "verify"]).code, 0);
    drop(prey.listener.set_nonblocking(true));
    assert!(prey.listener.accept().is_err(), "nobody called");
}

#[test]
fn the_same_tries_without_walls_get_through() {
    let house = House::new();
    let _prey = furnish(&house);
    settings(&house, "[sandbox]\nmode = \"off\"\n");
    // Its own files are the one thing that an open task had better leave alone.
    let spared = |line: &&str| !line.contains(".loop/");
    let script: Vec<&str> = TRIES.lines().filter(spared).collect();
    let head: Vec<String> = house.read("try.sh").lines().take(2).map(str::to_owned).collect();
    house.write("try.sh", &format!("{}\n{}\n", head.join("\n"), script.join("\n")));
    let ran = work(&house, &["sh try.sh", "touch proof"]);
    let shut = house.read("shut");
    assert!(shut.lines().count() <= 2, "held by something else: {shut} {ran:?}");
    let call = call(&house, "try.sh");
    assert_eq!(call["result"]["exit"]["sandbox"], "none");
    assert!(page(&house, &call, "en").contains("Nothing held it"));
}

#[test]
fn what_a_person_grants_is_granted() {
    let house = House::new();
    let prey = furnish(&house);
    std::fs::create_dir_all(house.home.join("extra")).unwrap();
    settings(&house, "[sandbox]\nread = [\"~/.ssh\"]\nwrite = [\"~/extra\"]\nnetwork = \"open\"\n");
    let port = prey.listener.local_addr().unwrap().port();
    let script = "cat \"$HOME/.ssh/id_ed25519\" && echo x > \"$HOME/extra/x\" || exit 3\n";
    let reach = format!("{script}exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/{port}'\n");
    house.write("granted.sh", &reach);
    let ran = work(&house, &["sh granted.sh", "touch proof"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(call(&house, "granted.sh")["result"]["ok"], true);
    assert!(house.home.join("extra/x").exists());
}

#[test]
fn without_mounts_what_gives_orders_is_put_back_and_the_call_fails() {
    let mut house = House::new();
    house.lacks = vec![libc::SYS_unshare];
    let _prey = furnish(&house);
    house.write("bad.sh", "echo evil >> .git/config\necho x > .git/hooks/pre-commit\n");
    assert_eq!(sandbox(&house)["carve_out"], "detected");
    work(&house, &["sh bad.sh"]);
    let call = call(&house, "bad.sh");
    let error = &call["result"]["error"];
    assert_eq!(error["code"], "E_POLICY_DENIED", "{call}");
    assert_eq!(error["details"]["kind"], "protected");
    let put_back = json!([".git/hooks/pre-commit", ".git/config"]);
    assert_eq!(call["result"]["exit"]["put_back"], put_back);
    assert_eq!(house.read(".git/config"), "mine\n");
    assert!(!house.has(".git/hooks/pre-commit"));
    let aside = format!(".loop/aside/{}/.git/config", call["run_id"].as_str().unwrap());
    assert_eq!(house.read(&aside), "mine\nevil\n");
    for (lang, words) in [("en", "It changed protected files"), ("zh-CN", "它改动了受保护的文件")]
    {
        let page = page(&house, &call, lang);
        assert!(page.contains(words) && page.contains(&aside[..aside.len() - 12]), "{page}");
    }
}

#[test]
fn names_that_give_orders_and_were_not_there_are_put_aside() {
    let house = House::new();
    assert_eq!(sandbox(&house)["carve_out"], "mount", "this test needs mount namespaces");
    let made = [".claude/settings.json", ".mcp.json", ".envrc", "sub/.vscode/tasks.json"];
    let put: String = made
        .iter()
        .map(|path| format!("mkdir -p \"$(dirname {path})\"; echo evil > {path} || exit 3\n"))
        .collect();
    house.write("bad.sh", &format!("{put}echo done > fine\n"));
    work(&house, &["sh bad.sh"]);
    let call = call(&house, "bad.sh");
    let error = &call["result"]["error"];
    assert_eq!(error["code"], "E_POLICY_DENIED", "{call}");
    assert_eq!(error["details"]["kind"], "protected");
    let mut told: Vec<&str> = call["result"]["exit"]["put_back"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(Value::as_str)
        .collect();
    told.sort_unstable();
    assert_eq!(told, [".claude", ".envrc", ".mcp.json", "sub/.vscode"]);
    for path in made {
        assert!(!house.has(path), "{path}");
        let aside = format!(".loop/aside/{}/{path}", call["run_id"].as_str().unwrap());
        assert_eq!(house.read(&aside), "evil\n");
    }
    assert_eq!(house.read("fine"), "done\n", "what is nobody's order stays");
}

#[test]
fn where_nothing_can_hold_a_call_it_is_asked_or_refused() {
    let mut house = House::new();
    house.lacks = vec![libc::SYS_landlock_create_ruleset];
    let offered = sandbox(&house);
    assert_eq!((&offered["level"], &offered["landlock_abi"]), (&json!("none"), &json!(0)));
    let ran = work(&house, &["touch a"]);
    assert_eq!(ran.code, 4, "it waits for a person: {ran:?}");
    assert!(!house.has("a"));
    let asked = call(&house, "touch a");
    assert_eq!(
        (&asked["state"], &asked["rule"]),
        (&json!("Asked"), &json!("unsandboxed-run-asks"))
    );
    house.data(&["call", "allow", asked["run_id"].as_str().unwrap()]);
    crate::kit::until("the allowed task ended", || !call(&house, "touch a")["result"].is_null());
    assert!(house.has("a"));
    assert_eq!(call(&house, "touch a")["result"]["exit"]["sandbox"], "none");
}

#[test]
fn what_is_required_and_missing_runs_nothing() {
    let mut house = House::new();
    house.lacks = vec![libc::SYS_landlock_create_ruleset];
    settings(&house, "[sandbox]\nmode = \"require\"\n");
    let ran = house.run(&["doctor"]);
    assert!(ran.code == 1 && ran.out.contains("nothing runs"), "{ran:?}");
    let ran = work(&house, &["touch a"]);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(!house.has("a"));
    let error = call(&house, "touch a")["result"]["error"].clone();
    assert_eq!(error["code"], "E_IO");
    assert_eq!(error["details"]["kind"], "sandbox_unavailable");
}
