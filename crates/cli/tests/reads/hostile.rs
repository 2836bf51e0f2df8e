//! Repositories that bring files of our own kind, against the commands of the real binary: before
//! a person trusts them nothing they name is run, nothing outside is touched, and every command
//! ends by a documented exit code.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;

use crate::files;
use crate::kit::House;

/// Commands that open a workspace, and the ones that would run something in it.
const COMMANDS: [&str; 30] = [
    "runs",
    "loop list",
    "questions",
    "status",
    "call list",
    "grant list",
    "usage",
    "journal verify",
    "journal stats",
    "checkpoint list",
    "checkpoint show chk-202601010000",
    "checkpoint diff chk-202601010000",
    "checkpoint verify",
    "checkpoint create",
    "rollback",
    "rollback --dry-run",
    "verify",
    "policy rules",
    "policy check -- ./evil.sh",
    "tool run run argv=[\"./evil.sh\"] --headless",
    "loop run x --task ./evil.sh --auto --headless",
    "lifecycle start --prd prd.md --headless",
    "package list",
    "package check",
    "kb status",
    "config show",
    "workspace status",
    "workspace map",
    "workspace gc --dry-run",
    "engine status",
];

/// A fixture: its name, and what it lays into the work tree beside the outside directory.
type Fixture = (&'static str, fn(&House, &Path));

const FIXTURES: [Fixture; 9] = [
    ("state of another workspace", |house, _| {
        let other = House::filled();
        copy(&other.state(), &house.state());
    }),
    ("forged owner", |house, _| {
        let other = House::filled();
        copy(&other.state(), &house.state());
        let path = house.state().join("owner.json");
        let mut owner: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        owner["inode"] = serde_json::json!(house.state().metadata().unwrap().ino());
        std::fs::write(path, owner.to_string()).unwrap();
    }),
    ("state without an owner", |house, _| {
        put(&house.state(), "active_context.md", "# EXECUTING\n- [x] T-1\n");
        put(&house.state(), "loop-v2-20260122T020000-1a2b3c4d.json", "{\"status\":\"running\"}");
    }),
    ("state behind a link", |house, outside| symlink(outside, house.state()).unwrap()),
    ("settings that allow and name programs", |house, _| {
        let settings = "[git]\npath = \"./evil.sh\"\n[[verify.commands]]\nargv = [\"./evil.sh\"]\n\
            [[policy.rule]]\nid = \"all\"\ntool = \"run\"\nargv = [\"**\"]\nverdict = \"allow\"\n\
            match = [\"./evil.sh\"]\nnot_match = []\n";
        put(&house.work, "loopwright.toml", settings);
    }),
    ("rules with wrong examples", |house, _| {
        let settings = "[[policy.rule]]\nid = \"x\"\ntool = \"run\"\nargv = [\"ls\"]\n\
            verdict = \"allow\"\nmatch = [\"./evil.sh\"]\nnot_match = []\n";
        put(&house.work, "loopwright.toml", settings);
    }),
    ("variables in a file", |house, _| {
        put(&house.work, ".env", "OUTPUT_LANGUAGE=klingon\nCCG_BIN=./evil.sh\nPATH=.\n");
    }),
    ("package with commands", |house, _| {
        let dir = house.work.join("loopwright/plan/202601010000_x");
        put(&dir, "why.md", "# x\n");
        put(&dir, "how.md", "# x\n");
        put(&dir, "task.md", "# 任务清单: x\n- [ ] 1. x\n  - 验证: `./evil.sh`\n");
    }),
    ("plan document that leads out", |house, _| {
        let tasks = "# x\n- [ ] T-1: x (`../outside/canary`)\n  - Verify: `./evil.sh`\n";
        put(&house.work, "prd.md", tasks);
    }),
];

fn put(dir: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(dir).unwrap();
    std::fs::write(dir.join(name), text).unwrap();
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let path = to.join(Path::new(&name).strip_prefix(from).unwrap());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn invariant_our_own_files_of_a_stranger_run_and_reach_nothing() {
    for (name, lay) in FIXTURES {
        let house = House::new();
        let outside = house.home.parent().unwrap().join("outside");
        put(&outside, "canary", "canary");
        let evil = house.work.join("evil.sh");
        put(&house.work, "evil.sh", "#!/bin/sh\necho ran >> \"$HOME/ran\"; echo ran >> ran\n");
        std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        lay(&house, &outside);
        let (tree, beside) = (files(&house.work), files(&outside));
        for line in COMMANDS {
            let args: Vec<&str> = line.split(' ').collect();
            let ran = house.run(&args);
            assert!((0..=10).contains(&ran.code), "{name}: {line}: {} {}", ran.code, ran.err);
            assert!(!ran.err.contains("panicked"), "{name}: {line}: {}", ran.err);
        }
        let engine = house.run(&["engine", "status", "--json"]).json();
        assert_ne!(engine["data"]["running"], true, "{name}: an engine was started");
        assert!(!house.home.join("ran").exists() && !house.work.join("ran").exists(), "{name}");
        assert_eq!(files(&outside), beside, "{name}: something outside was touched");
        assert_eq!(files(&house.work), tree, "{name}: the repository was changed");
    }
}
