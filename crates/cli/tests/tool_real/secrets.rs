//! Forty canaries, in variables, files, argv and output: none gets into a checkpoint, a search, the
//! map or the journal, and what is kept of our own holds none but what a call itself printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use sim::real::house::House;

use super::policy::{asked, state, until};
use super::{house, tool};

/// Names whose content is a secret.
const FILES: [&str; 10] = [
    ".env",
    ".env.local",
    "server.pem",
    "deep/tls.key",
    "store.p12",
    "id_rsa",
    "deep/id_ed25519.pub",
    ".npmrc",
    ".netrc",
    ".aws/credentials",
];
/// Names of variables that hold one.
const NAMES: [&str; 10] = [
    "A_TOKEN",
    "API_KEY",
    "DB_PASSWORD",
    "CLIENT_SECRET",
    "GITHUB_TOKEN",
    "AWS_SECRET_ACCESS_KEY",
    "NPM_TOKEN",
    "OPENAI_API_KEY",
    "SIGNING_KEY",
    "VAULT_TOKEN",
];
/// How a credential that says what it is stands on a command line; `@` is where it goes.
const ARGV: [&str; 10] = [
    "ghp_@",
    "github_pat_@",
    "glpat-@",
    "xoxb-@",
    "sk_live_@",
    "--header=Authorization: Bearer @",
    "https://user:@@example.org/x",
    "gho_@",
    "ghs_@",
    "hf_@",
];

fn canary(kind: &str, n: usize) -> String {
    format!("canary{kind}{n:02}hunter2hunter2hunter2")
}

/// A command of somebody whose environment holds secrets.
fn in_env(house: &House, args: &[&str]) -> Output {
    let mut before = vec!["env".to_owned()];
    before.extend(NAMES.iter().enumerate().map(|(n, name)| format!("{name}={}", canary("env", n))));
    let mut command: Command = house.command_behind(&before, args);
    command.output().unwrap()
}

/// Every file below a directory.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let below = |entry: fs::DirEntry| {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() { files(&path) } else { vec![path] }
    };
    entries.flat_map(below).collect()
}

/// The objects of our repository, as git reads them.
fn objects(house: &House) -> Vec<u8> {
    let args = ["cat-file", "--batch-all-objects", "--batch", "--unordered"];
    let git = house.state().join("checkpoints.git");
    let read = Command::new("git").arg("--git-dir").arg(git).args(args).output().unwrap();
    assert!(read.status.success() && !read.stdout.is_empty(), "{read:?}");
    read.stdout
}

#[test]
fn invariant_forty_canaries_get_nowhere() {
    let house = house("");
    for (n, name) in FILES.iter().enumerate() {
        let path = house.work.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("value {}\n", canary("file", n))).unwrap();
    }
    let printed: String = (0..10).map(|n| canary("output", n) + "\n").collect();
    fs::write(house.work.join(".env.printed"), &printed).unwrap();
    // The engine itself is started by somebody with secrets in the environment.
    let begun = in_env(&house, &["tool", "run", "list", "--json"]);
    assert!(begun.status.success(), "{begun:?}");
    for (n, word) in ARGV.iter().enumerate() {
        let word = word.replacen('@', &canary("argv", n), 1);
        let args = json!({ "argv": ["echo", word] }).to_string();
        let ran = house.run(&["tool", "run", "run", "--args", &args, "--headless", "--json"]);
        assert_ne!(ran.unwrap().code, 0, "{word}");
    }
    let mut calls = Vec::new();
    for args in [json!({ "argv": ["cat", ".env.printed"] }), json!({ "argv": ["env"] })] {
        let call = asked(&house, "run", &args);
        house.ask(&["call", "allow", &call]).unwrap();
        until("it ended", || state(&house, &call) == "Settled ok");
        calls.push(house.state().join("calls").join(call));
    }
    let shown = fs::read_to_string(calls[0].join("stdout")).unwrap();
    assert_eq!(shown, printed, "what was allowed to be printed is printed");
    house.ask(&["checkpoint", "create"]).unwrap();
    let hits = tool(&house, "search", &json!({ "query": "hunter2" }));
    let regex = tool(&house, "search", &json!({ "query": "hunter2", "kind": "regex" }));
    assert_eq!((&hits["payload"]["hits"], &regex["payload"]["hits"]), (&json!([]), &json!([])));
    let map: Value = house.ask(&["workspace", "map"]).unwrap();
    let journal = house.run(&["journal", "export"]).unwrap().out;
    let holds = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"canary");
    assert!(!holds(map.to_string().as_bytes()), "{map}");
    assert!(!holds(journal.as_bytes()), "the journal");
    assert!(!holds(&objects(&house)), "a checkpoint");
    let own = |path: &PathBuf| path.starts_with(&calls[0]);
    for path in files(&house.state()).iter().filter(|path| !own(path)) {
        assert!(!holds(&fs::read(path).unwrap_or_default()), "{}", path.display());
    }
}
