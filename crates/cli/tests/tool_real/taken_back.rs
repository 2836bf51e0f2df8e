//! Commands taken back from their marks, and the files of old runs collected: with the real binary.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use serde_json::json;
use sim::real::house::House;

/// Changes a tree in every way there is, below the directory it is run in.
const MESS: &str = "#!/bin/sh\n\
    printf 'changed\\n' > text.txt\n\
    rm gone.txt deep/er/gone.txt\n\
    mkdir -p made/new && printf 'new' > made/new/file && ln -s file made/new/link\n\
    chmod +x mode.txt\n\
    rm link && ln -s mode.txt link\n\
    rm -r dir && printf 'a file now' > dir\n\
    rm file && mkdir file && printf 'below' > file/below\n\
    printf 'private' >> secret-ish.txt\n\
    printf x > $(printf 'bad\\377name')\n\
    touch proof\n";

fn messy() -> House {
    let settings = "[loop.validate]\n\
        commands = [{ argv = [\"test\", \"-f\", \"proof\"], parser = \"exit\" }]\n";
    let house = crate::house(settings);
    let put = |path: &str, text: &str| {
        let path = house.work.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for path in ["text.txt", "gone.txt", "deep/er/gone.txt", "mode.txt", "dir/a", "file"] {
        put(path, "old\r\n");
    }
    put("secret-ish.txt", "mine");
    fs::set_permissions(house.work.join("secret-ish.txt"), fs::Permissions::from_mode(0o600))
        .unwrap();
    symlink("text.txt", house.work.join("link")).unwrap();
    house.script("mess.sh", MESS).unwrap();
    house
}

/// Every path below the tree with its mode and content, ours and git's left out.
fn held(root: &Path) -> BTreeMap<Vec<u8>, (u32, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap().flatten() {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec();
            if name == b".loop" {
                continue;
            }
            let mode = fs::symlink_metadata(&path).unwrap().permissions().mode() & 0o777;
            let content = if kind.is_dir() {
                open.push(path);
                Vec::new()
            } else if kind.is_symlink() {
                fs::read_link(&path).unwrap().as_os_str().as_bytes().to_vec()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(name, (mode, content));
        }
    }
    found
}

/// Lets a loop run the script, and answers the call that did.
fn run_mess(house: &House) -> String {
    house.ask(&["loop", "run", "mess", "--auto", "--task", "./mess.sh"]).unwrap();
    call_of(house, "mess.sh")
}

/// The first call of a script.
fn call_of(house: &House, script: &str) -> String {
    let calls = house.ask(&["call", "list"]).unwrap();
    let calls = calls.as_array().unwrap().clone();
    let ran = calls.iter().rev().find(|call| {
        let shown = house.ask(&["call", "show", call["run_id"].as_str().unwrap()]).unwrap();
        shown.to_string().contains(script)
    });
    ran.unwrap()["run_id"].as_str().unwrap().to_owned()
}

#[test]
fn what_a_command_did_to_the_tree_is_taken_back_exactly() {
    let house = messy();
    let before = held(&house.work);
    let call = run_mess(&house);
    assert_ne!(held(&house.work), before);
    let undone = house.ask(&["undo", &call]).unwrap();
    assert_eq!(undone["level"], "best_effort");
    let left = undone["not_undone"].as_array().unwrap();
    assert_eq!(left.len(), 1, "{undone}");
    assert_eq!(left[0]["reason"], "name", "a name that no tool may write: {undone}");
    let mut after = held(&house.work);
    assert!(after.remove(b"bad\xffname".as_slice()).is_some());
    assert_eq!(after, before);
    let again = house.run(&["undo", &call, "--json"]).unwrap();
    assert_eq!(again.json()["error"]["code"], "call.ended");
}

#[test]
fn a_command_is_taken_back_whole_or_not_at_all() {
    let house = messy();
    let call = run_mess(&house);
    fs::write(house.work.join("text.txt"), "theirs").unwrap();
    let mixed = held(&house.work);
    let ran = house.run(&["undo", &call, "--json"]).unwrap();
    let details = &ran.json()["error"]["details"];
    assert_eq!((ran.code, &details["kind"]), (7, &json!("undo_conflict")), "{ran:?}");
    assert_eq!(details["paths"][0]["path"], "text.txt");
    assert_eq!(details["paths"].as_array().unwrap().len(), 1);
    assert_eq!(held(&house.work), mixed, "nothing was touched");
    let undone = house.ask(&["undo", &call, "--force"]).unwrap();
    let aside = Path::new(undone["aside"].as_str().unwrap());
    assert_eq!(fs::read_to_string(aside.join("text.txt")).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(house.work.join("text.txt")).unwrap(), "old\r\n");
}

/// Everything below the call's own directory, which an undo that is only shown leaves as it is too.
fn records(house: &House, call: &str) -> BTreeMap<Vec<u8>, (u32, Vec<u8>)> {
    held(&house.state().join("calls").join(call))
}

#[test]
fn a_dry_run_shows_what_the_undo_then_does_and_changes_nothing() {
    let house = messy();
    let before = held(&house.work);
    let call = run_mess(&house);
    let (tree, kept) = (held(&house.work), records(&house, &call));
    let shown = house.ask(&["undo", &call, "--dry-run"]).unwrap();
    assert_eq!((held(&house.work), records(&house, &call)), (tree.clone(), kept));
    assert_eq!(shown["calls"], json!([call]));
    assert_eq!((&shown["level"], &shown["conflicts"]), (&json!("best_effort"), &json!([])));
    assert_eq!(shown["not_undone"][0]["reason"], "name");
    let does = |path: &str| {
        let paths = shown["plan"]["paths"].as_array().unwrap();
        let found = paths.iter().find(|planned| planned["path"] == path);
        found.map(|planned| planned["action"].as_str().unwrap().to_owned())
    };
    let cases = [
        ("text.txt", "restore"),
        ("deep/er/gone.txt", "restore"),
        ("mode.txt", "restore"),
        ("made/new/file", "remove"),
        ("made/new", "remove_if_empty"),
    ];
    for (path, action) in cases {
        assert_eq!(does(path).as_deref(), Some(action), "{path}: {shown}");
    }
    assert_eq!(does("a.txt"), None, "what the call left alone is not spoken of");
    let differ: Vec<Vec<u8>> = tree
        .keys()
        .chain(before.keys())
        .filter(|it| tree.get(*it) != before.get(*it))
        .cloned()
        .collect();
    for path in differ.iter().filter_map(|path| std::str::from_utf8(path).ok()) {
        assert!(does(path).is_some_and(|action| action != "same"), "{path}: {shown}");
    }
    for (lang, says) in [("en", "nothing was changed"), ("zh-CN", "没有改动任何内容")] {
        let told = house.run(&["undo", &call, "--dry-run", "--lang", lang]).unwrap();
        assert!(told.code == 0 && told.out.contains(says), "{told:?}");
        assert!(told.out.contains("text.txt") && told.out.contains("restore"), "{told:?}");
    }
    house.ask(&["undo", &call]).unwrap();
    let again = house.run(&["undo", &call, "--dry-run", "--json"]).unwrap();
    assert_eq!((again.code, &again.json()["error"]["code"]), (3, &json!("call.ended")));
}

#[test]
fn a_dry_run_names_what_is_in_the_way() {
    let house = messy();
    let call = run_mess(&house);
    fs::write(house.work.join("text.txt"), "theirs").unwrap();
    let tree = held(&house.work);
    let shown = house.run(&["undo", &call, "--dry-run", "--json"]).unwrap();
    assert_eq!((shown.code, &shown.json()["result"]), (7, &json!("conflict")), "{shown:?}");
    let conflicts = shown.json()["data"]["conflicts"].clone();
    assert_eq!(conflicts.as_array().unwrap().len(), 1);
    assert_eq!(conflicts[0]["path"], "text.txt");
    assert_eq!(conflicts[0]["present"], json!(kernel::hash::sha256_hex(b"theirs")));
    let forced = house.ask(&["undo", &call, "--dry-run", "--force"]).unwrap();
    let paths = forced["plan"]["paths"].as_array().unwrap();
    let asides: Vec<_> = paths.iter().filter(|planned| planned["aside"] == true).collect();
    assert_eq!(asides.len(), 1);
    assert_eq!((&asides[0]["path"], &asides[0]["action"]), (&json!("text.txt"), &json!("restore")));
    assert_eq!(held(&house.work), tree);
    assert!(!house.state().join("aside").exists(), "nothing was moved aside");
    let read = crate::tool(&house, "read", &json!({ "path": "a.txt" }));
    let nothing = house.run(&["undo", crate::id(&read), "--dry-run", "--json"]).unwrap();
    assert_eq!(nothing.json()["error"]["code"], "call.nothing_to_undo");
}

#[test]
fn a_dry_run_of_a_tool_is_exact() {
    let house = crate::house("");
    let made = json!({ "path": "deep/new.txt", "text": "new", "mode": "create" });
    let made = crate::tool(&house, "write", &made);
    let tree = held(&house.work);
    let shown = house.ask(&["undo", crate::id(&made), "--dry-run"]).unwrap();
    assert_eq!(shown["level"], "exact");
    let paths = shown["plan"]["paths"].as_array().unwrap();
    let told: Vec<_> = paths.iter().map(|it| (it["path"].clone(), it["action"].clone())).collect();
    let way = (json!("deep"), json!("remove_if_empty"));
    assert_eq!(told, [way, (json!("deep/new.txt"), json!("remove"))]);
    assert_eq!(held(&house.work), tree);
}

/// The step of a loop that a call is of, such as `loop-1/a1`.
/// The paths of a way back to a checkpoint.
fn way_back(house: &House, to: &str) -> Vec<String> {
    let ran = house.run(&["rollback", "--to", to, "--dry-run", "--json"]).unwrap();
    assert_eq!(ran.code, 0, "{ran:?}");
    let plan = ran.json()["data"].clone();
    let actions = plan["actions"].as_array().unwrap();
    actions.iter().map(|one| one["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn reg_a_way_back_leaves_out_no_call_whose_list_is_gone() {
    let house = messy();
    let made = house.ask(&["checkpoint", "create"]).unwrap();
    let to = made["payload"]["name"].as_str().unwrap();
    let call = run_mess(&house);
    let whole = way_back(&house, to);
    assert!(whole.contains(&"text.txt".to_owned()), "{whole:?}");
    let list = house.state().join("calls").join(&call).join("changes.json");
    for wrong in [Some("{}"), None] {
        match wrong {
            Some(text) => fs::write(&list, text).unwrap(),
            None => fs::remove_file(&list).unwrap(),
        }
        assert_eq!(way_back(&house, to), whole, "{wrong:?}");
    }
    fs::remove_dir_all(house.state().join("cache/marks")).unwrap();
    let ran = house.run(&["rollback", "--to", to, "--dry-run", "--json"]).unwrap();
    let error = &ran.json()["error"];
    assert_eq!(error["details"]["call"], call.as_str(), "{ran:?}");
    assert_eq!(error["details"]["kind"], "undo_bytes_missing");
}

fn step_of(house: &House, call: &str) -> String {
    let shown = house.ask(&["call", "show", call]).unwrap();
    let key = shown["key"].as_str().unwrap();
    key.split('/').take(2).collect::<Vec<_>>().join("/")
}

#[test]
fn a_step_is_taken_back_as_one() {
    let house = messy();
    let before = held(&house.work);
    let call = run_mess(&house);
    let step = step_of(&house, &call);
    fs::write(house.work.join("text.txt"), "theirs").unwrap();
    let mixed = held(&house.work);
    let ran = house.run(&["undo", &step, "--json"]).unwrap();
    let details = &ran.json()["error"]["details"];
    assert_eq!((ran.code, &details["kind"]), (7, &json!("undo_conflict")), "{ran:?}");
    assert_eq!(held(&house.work), mixed, "nothing was touched");
    let shown = house.run(&["undo", &step, "--dry-run", "--json"]).unwrap();
    assert_eq!((shown.code, &shown.json()["data"]["calls"]), (7, &json!([call])), "{shown:?}");
    let undone = house.ask(&["undo", &step, "--force"]).unwrap();
    assert_eq!(undone["calls"][0]["call"], json!(call));
    let aside = Path::new(undone["calls"][0]["aside"].as_str().unwrap());
    assert_eq!(fs::read_to_string(aside.join("text.txt")).unwrap(), "theirs");
    let mut after = held(&house.work);
    assert!(after.remove(b"bad\xffname".as_slice()).is_some());
    assert_eq!(after, before);
    let again = house.run(&["undo", &step, "--json"]).unwrap();
    assert_eq!((again.code, &again.json()["error"]["code"]), (3, &json!("call.nothing_to_undo")));
    let run = step.split('/').next().unwrap();
    let none = house.run(&["undo", &format!("{run}/a99"), "--json"]).unwrap();
    assert_eq!(none.code, 2, "{none:?}");
    let near = none.json()["error"]["details"]["nearest"].clone();
    assert!(near[0].as_str().unwrap().starts_with(run), "{none:?}");
}

#[test]
fn a_whole_run_is_taken_back_as_one() {
    let house = messy();
    let before = held(&house.work);
    let tasks = ["--task", "touch one", "--task", "true", "--task", "mv one two"];
    let ran = house.ask(&[&["loop", "run", "both", "--auto"][..], &tasks].concat()).unwrap();
    let run = ran["loop_id"].as_str().unwrap();
    assert_ne!(held(&house.work), before);
    let shown = house.ask(&["undo", run, "--dry-run"]).unwrap();
    let paths = shown["plan"]["paths"].as_array().unwrap().iter();
    assert_eq!(paths.map(|it| it["path"].clone()).collect::<Vec<_>>(), ["one", "two"], "{shown}");
    let undone = house.ask(&["undo", run]).unwrap();
    assert_eq!(undone["calls"].as_array().map(Vec::len), shown["calls"].as_array().map(Vec::len));
    assert_eq!(held(&house.work), before);
}

#[test]
fn a_tree_that_stays_as_it_is_is_marked_once() {
    let house = messy();
    let tasks = ["--task", "true", "--task", "/bin/true", "--task", "touch proof"];
    let args = [&["loop", "run", "quiet", "--auto"][..], &tasks].concat();
    house.ask(&args).unwrap();
    let marks = house.state().join("checkpoints.git/refs/loopwright/mark");
    // Before the tasks, and before the check that follows the one that made a file.
    assert_eq!(fs::read_dir(marks).unwrap().count(), 2);
}

/// How a loop's only task ends in a tree that can't be kept.
fn ends(settings: &str, prepare: impl FnOnce(&House)) -> (bool, String) {
    let house = crate::house(settings);
    house.script("touch.sh", "#!/bin/sh\ntouch proof\n").unwrap();
    prepare(&house);
    house.run(&["loop", "run", "kept", "--auto", "--task", "./touch.sh"]).unwrap();
    let shown = house.ask(&["call", "show", &call_of(&house, "touch.sh")]).unwrap();
    (house.work.join("proof").exists(), shown["result"]["error"].to_string())
}

const CHECK: &str = "[loop.validate]\n\
    commands = [{ argv = [\"test\", \"-f\", \"proof\"], parser = \"exit\" }]\n";

#[test]
fn what_writes_is_not_started_where_the_tree_cannot_be_kept() {
    let git = "[git]\npath = \"/nowhere/git\"\n";
    let said = "[checkpoint]\nrequired = true\n";
    let (ran, error) = ends(&format!("{CHECK}{git}{said}"), |_| ());
    assert!(!ran && error.contains("E_IO") && error.contains("no_git"), "{error}");
    let wished = "[checkpoint]\nrequired = false\n";
    let (ran, error) = ends(&format!("{CHECK}{git}{wished}"), |_| ());
    assert!(ran, "{error}");
}

#[test]
fn reg_without_git_what_writes_runs_and_says_that_it_cannot_be_taken_back() {
    let house = crate::house(&format!("{CHECK}[git]\npath = \"/nowhere/git\"\n"));
    house.script("touch.sh", "#!/bin/sh\ntouch proof\n").unwrap();
    house.run(&["loop", "run", "kept", "--auto", "--task", "./touch.sh"]).unwrap();
    assert!(house.work.join("proof").exists());
    let call = call_of(&house, "touch.sh");
    let shown = house.ask(&["call", "show", &call]).unwrap();
    assert_eq!(shown["undo"], json!({ "level": "none", "reason": "no_git" }));
    let undo = house.run(&["undo", &call, "--json"]).unwrap();
    assert_eq!(undo.json()["error"]["code"], "call.cannot_undo", "{undo:?}");
    // It is said before it is allowed, and where the machine is looked at.
    let args = json!({ "argv": ["touch", "other"] }).to_string();
    let asked = house.run(&["tool", "run", "run", "--args", &args, "--headless"]).unwrap();
    assert!(asked.code == 4 && asked.out.contains("no_git"), "{asked:?}");
    let open = house.run(&["questions"]).unwrap();
    assert!(open.out.contains("[undo: none, no_git]"), "{open:?}");
    // Pre-images of the tools of our own need no git.
    let args = json!({ "path": "new", "text": "x", "mode": "create" });
    let made = crate::tool(&house, "write", &args);
    house.ask(&["undo", crate::id(&made)]).unwrap();
    assert!(!house.work.join("new").exists());
    for (lang, words) in [("en", "git was not found"), ("zh-CN", "未找到 git")] {
        let ran = house.run(&["checkpoint", "create", "--lang", lang]).unwrap();
        assert!(ran.code == 1 && ran.err.contains(words), "{ran:?}");
    }
}

#[test]
fn a_quota_that_is_reached_is_told_by_its_code() {
    let fill = |house: &House| {
        let noise: Vec<u8> = (0..40_000u64)
            .flat_map(|n| kernel::hash::sha256_hex(&n.to_le_bytes()).into_bytes())
            .collect();
        fs::write(house.work.join("noise"), noise).unwrap();
        house.ask(&["checkpoint", "create"]).unwrap();
        fs::write(house.work.join("more"), "more").unwrap();
    };
    let quota = "[checkpoint]\nquota_bytes = \"1MiB\"\n";
    let house = crate::house(quota);
    fill(&house);
    let ran = house.run(&["checkpoint", "create", "--json"]).unwrap();
    let error = ran.json()["error"].clone();
    assert_eq!((ran.code, &error["code"]), (1, &json!("E_IO")), "{ran:?}");
    assert_eq!(error["details"]["kind"], "over_quota");
    assert!(error["next_step"].as_str().unwrap().contains("workspace gc"), "{error}");
    let told = house.run(&["checkpoint", "create", "--lang", "zh-CN"]).unwrap();
    assert!(told.err.contains("checkpoint.quota_bytes"), "{told:?}");
    let shown = house.ask(&["workspace", "gc", "--dry-run"]).unwrap();
    assert_eq!(shown["plan"]["quota_bytes"], 1 << 20);
    assert!(shown["plan"]["used_bytes"].as_u64() > Some(1 << 20), "{shown}");
    assert_eq!(shown["plan"]["over_quota"], json!([]), "it is young");
    let (ran, error) = ends(&format!("{CHECK}{quota}"), fill);
    assert!(!ran && error.contains("over_quota"), "{error}");
    let (ran, error) = ends(&format!("{CHECK}{quota}required = false\n"), fill);
    assert!(ran, "{error}");
}

#[test]
fn gc_shows_what_would_go_and_keeps_what_is_young() {
    let house = messy();
    let call = run_mess(&house);
    let shown = house.ask(&["workspace", "gc", "--dry-run"]).unwrap();
    assert_eq!((&shown["done"], &shown["plan"]["remove"]), (&json!(null), &json!([])));
    let kept = shown["plan"]["kept"].as_array().unwrap();
    assert!(kept.iter().any(|kept| kept["call"] == json!(call) && kept["why"] == "young"));
    house.empty().unwrap();
    let done = house.ask(&["workspace", "gc"]).unwrap();
    assert_eq!(done["done"]["removed"], 0);
    house.ask(&["undo", &call]).unwrap();
    let map = house.ask(&["workspace", "map"]).unwrap();
    assert_eq!(map["names_by"], "line_patterns");
    assert!(map["files"].as_array().unwrap().iter().any(|file| file["path"] == "a.txt"));
}
