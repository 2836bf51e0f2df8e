//! What comes from outside a session: tools and talk, other doors at the same moment, other
//! branches, edits of its files, several designers, and an engine that dies after the deed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::flows::{TWEAKER, WISH, designer};
use super::kit::{Ran, until};
use super::ways::{answer, asked, kill, set, until_idle};
use super::{git, house, told, var};

#[test]
fn talk_is_answered_in_its_own_language_and_starts_nothing() {
    let house = house(&format!(
        "{TWEAKER}\n[[rule]]\nwhen = \"简短回答\"\nsteps = [ {{ session = \"auto\" }}, \
         {{ say = \"💡【它】- 答\\n\\n输出 one。\\n\\n────\\n🔄 下一步: x\" }}, \"end\" ]\n"
    ));
    let before = house.data(&["status", "--vars"]);
    let ran = house.run(&["say", "what is this?", "--headless"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("💡【Loopwright】- Answer\n\nIt says one.\n"), "{ran:?}");
    // Nobody said which language; the words do. Of two frames only ours stays.
    let ran = house.run(&["say", "这个脚本是什么意思？", "--headless"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("\n输出 one。\n") && ran.out.contains("🔄 下一步"), "{ran:?}");
    assert_eq!(ran.out.matches('【').count(), 1, "{ran:?}");
    let ran = house.run(&["--lang", "en", "auto", "优化代码", "--headless"]);
    assert_eq!((ran.code, ran.out.contains("Score 1/10")), (4, true), "{ran:?}");
    assert_eq!(house.data(&["cancel"])["state"], "Idle");
    assert_eq!(house.data(&["status", "--vars"]), before);
}

#[test]
fn a_registered_tool_is_a_frame_of_its_own() {
    let house = house(TWEAKER);
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let tools = "[tool.hi]\ncommand = [\"echo\", \"hello\"]\n[tool.bad]\nprefix = \"!bad\"\n\
                 command = [\"ls\"]\n[tool.nap]\ncommand = [\"sleep\"]\n";
    std::fs::write(&file, format!("{text}{tools}")).unwrap();
    let ran = house.run(&["say", "/hi 'to you'", "--headless"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out.starts_with("🟣【Loopwright】- command: hi - done\n\nhello to you\n"),
        "{ran:?}"
    );
    let (code, value) = told(&house, &["say", "!bad no-such-file"]);
    assert_eq!((code, &value["result"]), (1, &json!("failed")), "{value}");
    assert_eq!(value["data"]["told"]["ok"], false, "{value}");
    let (code, value) = told(&house, &["say", "/hi a | b"]);
    assert_eq!((code, &value["error"]["code"]), (2, &json!("session.invalid_args")), "{value}");

    // Over a flow it holds the flow, and a person says whether that goes on.
    let wish = "change the text in main.sh from `one` to `one two`";
    assert_eq!(told(&house, &["say", wish]).0, 4);
    let nap = house.spawn(&["say", "/nap 2", "--json", "--headless"]);
    until("the nap", || var(&house, "ACTIVE_TOOL") == "nap");
    assert_eq!(var(&house, "SUSPENDED_STAGE"), "EVALUATE");
    let ran = Ran::of(nap);
    assert_eq!(ran.code, 4, "{ran:?}");
    answer(&house, "session.resume_stage", &["resume"]);
    assert_eq!((var(&house, "ACTIVE_TOOL"), var(&house, "TOOL_NESTING")), (Value::Null, json!(0)));
    answer(&house, "session.complexity", &["start"]);
    assert_eq!(until_idle(&house)["how"], "completed");
}

#[test]
fn a_tool_that_a_stage_uses_is_shown() {
    let slow = designer(0).replace("grep -q hello hello.txt", "sleep 3");
    let house = house(&slow);
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}[tool.nap]\ncommand = [\"sleep\"]\n")).unwrap();
    let child = house.spawn(&["auto", WISH, "--yes", "--json", "--headless"]);
    until("the nap", || var(&house, "ACTIVE_TOOL") == "nap");
    assert_eq!(var(&house, "SUSPENDED_STAGE"), "DEVELOP");
    let ran = Ran::of(child);
    assert_eq!(ran.code, 0, "the stage went on by itself: {ran:?}");
    assert_eq!(var(&house, "ACTIVE_TOOL"), Value::Null);
}

#[test]
fn several_designers_make_one_package() {
    let house = house(&designer(0));
    let second = designer(0).replace("\"goal\":\"greet\"", "\"goal\":\"x\",\"risks\":[\"typo\"]");
    let beta = house.home.join("beta.toml");
    std::fs::write(&beta, second).unwrap();
    let file = house.home.join("config/loopwright/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let text = text.replace("designers = [\"alpha\"]", "designers = [\"alpha\", \"beta\"]");
    let agent =
        format!("[agents.beta]\nkind = \"script\"\nscenario = {:?}\n", beta.to_str().unwrap());
    std::fs::write(&file, format!("{text}{agent}")).unwrap();
    let (code, value) = told(&house, &["plan", WISH, "--yes"]);
    assert_eq!(code, 0, "{value}");
    let runs = house.data(&["runs", "--machine", "collab"]);
    assert!(runs.to_string().contains("collab-"), "{runs}");
    let path = value["data"]["told"]["deliverables"]["package"]["path"].as_str().unwrap();
    let proposal = house.read(&format!("{path}/proposal.md"));
    assert!(proposal.contains("greet") && proposal.contains("typo"), "{proposal}");
}

#[test]
fn what_only_reads_ends_beside_something_that_waits() {
    let house = house(
        "[[rule]]\nwhen = \"审查以下范围\"\nsteps = [ { session = \"auto\" }, \
         { say = '{\"findings\":[]}' }, \"end\" ]\n",
    );
    assert_eq!(told(&house, &["auto", "优化代码"]).0, 4);
    let (code, value) = told(&house, &["review", "main.sh"]);
    assert_eq!((code, &value["data"]["told"]["findings"]), (0, &json!([])), "{value}");
    let (code, value) = told(&house, &["validate", "packages"]);
    assert_eq!((code, &value["data"]["told"]["scope"]), (0, &json!("packages")), "{value}");
    assert_eq!(var(&house, "EXEC_STATUS"), "WAITING");
    // The unit speaks Chinese; so does what shows it, and help stays help.
    let ran = house.run(&["status"]);
    assert!(ran.out.contains("等待你的选择"), "{ran:?}");
    let ran = house.run(&["say", "请 ~help", "--headless"]);
    assert!(ran.code == 0 && ran.out.contains("~rollback"), "{ran:?}");
    assert_eq!(house.run(&["cancel"]).code, 0);
    let ran = house.run(&["status"]);
    assert!(ran.out.contains("Last: ~auto - cancelled"), "{ran:?}");
}

#[test]
fn two_doors_race_and_one_is_first() {
    let house = house(TWEAKER);
    let doors =
        ["auto", "plan"].map(|name| house.spawn(&[name, "优化代码", "--json", "--headless"]));
    let mut codes: Vec<i32> = doors.into_iter().map(|door| Ran::of(door).code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [3, 4], "one asks, the other is told that something runs");
    let view = house.data(&["status"]);
    assert_eq!(view["questions"].as_array().map(Vec::len), Some(1), "{view}");
}

#[test]
fn nothing_starts_on_a_branch_that_is_not_there() {
    let house = house(TWEAKER);
    git(&house, &["branch", "other"]);
    let (code, value) = told(&house, &["auto", "优化代码", "--branch", "other"]);
    assert_eq!((code, &value["error"]["code"]), (3, &json!("session.branch_changed")), "{value}");
    assert_eq!(told(&house, &["auto", "优化代码", "--branch", "main"]).0, 4);
    assert_eq!(var(&house, "EXEC_STATUS"), "WAITING");
}

#[test]
fn the_page_of_a_session_is_nobodys_to_edit() {
    let house = house(&designer(1_500));
    assert_eq!(told(&house, &["auto", WISH]).0, 4);
    let page = ".loop/sessions/git:main.json";
    let read = || serde_json::from_str::<Value>(&house.read(page)).unwrap_or_default();
    let view = read();
    assert_eq!(view["questions"][0]["stop"], "S_CONFIRM", "{view}");
    assert!(view["updated_at"].is_string() && view["children"] == json!([]), "{view}");
    house.write(page, "{\"state\":\"Idle\"}");
    answer(&house, "session.complexity", &["silent"]);
    until("a child", || {
        let children = read()["children"].clone();
        children[0]["machine"] == "call" && children[0]["key"].is_string()
    });
    let refused = || std::fs::read_dir(house.work.join(".loop/refused")).into_iter().flatten();
    until("the edit is kept", || refused().count() == 1);
    assert_eq!(read()["vars"]["WORKFLOW_MODE"], "AUTO_FULL");
    until_idle(&house);
    let id = read()["session_id"].as_str().unwrap().to_owned();
    let report = house.read(&format!(".loop/reports/{id}-1.json"));
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["verdict"], "passed", "{report}");
    assert_eq!(report["stops"][0]["stop"], "S_CONFIRM", "{report}");
}

#[test]
fn a_mark_set_by_hand_while_a_package_runs_proves_nothing() {
    let slow = designer(2_000).replace("grep -q hello hello.txt", "grep -q world hello.txt");
    let house = house(&slow);
    set(&house, "on_task_failure = \"continue\"");
    let child = house.spawn(&["auto", WISH, "--yes", "--json", "--headless"]);
    until("DEVELOP", || var(&house, "CURRENT_PACKAGE").is_string());
    let path = var(&house, "CURRENT_PACKAGE").as_str().unwrap().to_owned();
    let file = format!("{path}tasks.md");
    until("running", || house.data(&["status"])["stage"] == "Running");
    house.write(&file, &house.read(&file).replace("- [ ] 1.1", "- [√] 1.1"));
    let ran = Ran::of(child);
    assert!([1, 4].contains(&ran.code), "not done by a mark: {ran:?}");
    if ran.code == 4 {
        assert_eq!(house.run(&["cancel"]).code, 0);
        until_idle(&house);
    }
    let view = house.data(&["status"]);
    assert_ne!(view["last"]["verdict"], "passed", "{view}");
}

#[test]
fn a_commit_that_was_made_is_not_made_twice() {
    let house = house(TWEAKER);
    git(&house, &["config", "user.name", "T"]);
    git(&house, &["config", "user.email", "t@example.org"]);
    let hook = ".git/hooks/post-commit";
    house.write(hook, "#!/bin/sh\nsleep 3\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(house.work.join(hook), mode).unwrap();
    house.write("more.sh", "echo more\n");
    assert_eq!(told(&house, &["commit", "add more"]).0, 4);
    answer(&house, "session.commit_how", &["local"]);
    let commits = || git(&house, &["log", "--format=%H"]).lines().count();
    until("the commit", || commits() == 2);
    kill(&house);
    let (_, value) = told(&house, &["say", "what is this?"]);
    assert!(value.is_object(), "{value}");
    let last = until_idle(&house);
    assert_eq!((&last["how"], commits()), (&json!("completed"), 2), "{last}");
    let message = git(&house, &["log", "-1", "--format=%B"]);
    assert_eq!(message.matches("Loopwright-Call: ").count(), 1, "{message}");
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let house = house(TWEAKER);
    let (code, value) = told(&house, &["clean", "no-such-package"]);
    assert_eq!((code, &value["data"]["told"]["nothing"]), (0, &json!(true)), "{value}");
    house.data(&["package", "new", "left over"]);
    let (code, value) = told(&house, &["clean", "no-such-package"]);
    assert_eq!(
        (code, &value["data"]["last"]["detail"]["failed"]["code"]),
        (1, &json!("no_package"))
    );
    let secret = format!("ghp_{}", "a1B2".repeat(9));
    house.write("key.txt", &format!("token: {secret}\n"));
    let ran = house.run(&["commit", "add key", "--headless"]);
    assert!(ran.code == 1 && ran.out.contains("session.secret_found"), "{ran:?}");
    assert!(ran.out.contains("key.txt") && !ran.out.contains(&secret), "{ran:?}");
    // An answer that needs words is left open, not lost.
    std::fs::remove_file(house.work.join("key.txt")).unwrap();
    let (code, value) = told(&house, &["commit", "--answer", "commit_how=edit"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let question = asked(&house, "session.commit_how");
    assert!(question["text"].as_str().unwrap().contains("loopwright/plan"), "{question}");
}

/// Every file below a directory.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.insert(path.clone(), std::fs::read(path).unwrap());
        }
    }
    all
}

#[test]
fn a_commit_that_nobody_answers_leaves_the_repository_as_it_is() {
    let house = house(TWEAKER);
    let ran = house.work.parent().unwrap().join("ran");
    let evil = format!("#!/bin/sh\necho \"$0\" >> {}\n", ran.display());
    std::fs::create_dir_all(house.work.join(".git/hooks")).unwrap();
    for name in [".git/hooks/post-index-change", ".git/hooks/pre-commit", ".git/evil"] {
        house.write(name, &evil);
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(house.work.join(name), mode).unwrap();
    }
    let evil = house.work.join(".git/evil");
    git(&house, &["config", "core.fsmonitor", evil.to_str().unwrap()]);
    git(&house, &["config", "filter.evil.clean", evil.to_str().unwrap()]);
    house.write(".gitattributes", "*.sh filter=evil\n");
    // The same bytes with a new stamp: git would write that into the index.
    let text = house.read("main.sh");
    house.write("main.sh", &text);
    let before = files(&house.work.join(".git"));
    let (code, value) = told(&house, &["commit", "x"]);
    assert_eq!((code, &value["result"]), (4, &json!("waiting")), "{value}");
    let text = asked(&house, "session.commit_how")["text"].to_string();
    assert!(text.contains(".gitattributes") && !text.contains("main.sh"), "{text}");
    assert_eq!(files(&house.work.join(".git")), before);
    assert!(!ran.exists(), "{}", std::fs::read_to_string(&ran).unwrap());
}
