//! The reading commands with the real binary over a real journal: they answer in both forms and
//! languages, change nothing, and say what is wrong with a journal that cannot be read.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

mod agents;
mod bad_input;
mod hostile;
mod kit;
mod policy;
mod turned;
mod turns;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

use kit::{CALLS, House, LOOPS, SECRET};
use serde_json::{Value, json};

/// Every file below a directory with its bytes.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.display().to_string(), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn an_empty_workspace_answers_and_stays_empty() {
    let house = House::new();
    let table: [(&[&str], i32); 10] = [
        (&["runs"], 0),
        (&["usage"], 0),
        (&["call", "list"], 0),
        (&["journal", "verify"], 0),
        (&["journal", "export"], 0),
        (&["journal", "stats"], 0),
        (&["config", "show"], 0),
        (&["config", "check"], 0),
        (&["workspace", "status"], 0),
        (&["show", "loop-x"], 2),
    ];
    for (args, code) in table {
        let ran = house.run(args);
        assert_eq!(ran.code, code, "{args:?}: {}{}", ran.out, ran.err);
    }
    assert!(
        files(&house.work).is_empty() && files(&house.home).is_empty(),
        "a read made something"
    );
}

#[test]
fn invariant_reading_changes_nothing_and_shows_no_secret() {
    let house = House::filled();
    let dir = house.state().join("calls").join(CALLS[0]);
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("stdout"), format!("one\n{SECRET}\n")).unwrap();
    let before = files(&house.state());
    let table: [&[&str]; 19] = [
        &["runs"],
        &["show", LOOPS[0]],
        &["show", CALLS[0]],
        &["show", CALLS[0], "--at", "1"],
        &["log", CALLS[0]],
        &["replay", CALLS[0], "--step"],
        &["diff", LOOPS[0]],
        &["usage"],
        &["usage", LOOPS[0]],
        &["call", "list"],
        &["call", "list", "--run", LOOPS[0], "--state", "settled"],
        &["call", "show", CALLS[0], "--output"],
        &["call", "tail", CALLS[0]],
        &["call", "tail", CALLS[0], "--follow"],
        &["journal", "verify"],
        &["journal", "stats"],
        &["graph", "loop", "--format", "svg"],
        &["explain", "--list"],
        &["workspace", "status"],
    ];
    for args in table {
        for extra in [&[][..], &["--json"], &["--lang", "zh"]] {
            let all: Vec<&str> = args.iter().chain(extra).copied().collect();
            let ran = house.run(&all);
            assert_eq!(ran.code, 0, "{all:?}: {}{}", ran.out, ran.err);
            assert!(!ran.out.is_empty() && !ran.out.contains(SECRET), "{all:?}: {}", ran.out);
            if extra == ["--json"] {
                assert_eq!(ran.json()["ok"], true, "{all:?}");
            }
        }
    }
    let kept: Vec<_> = before.keys().filter(|name| !name.ends_with("-shm")).collect();
    let after = files(&house.state());
    for name in &kept {
        assert_eq!(before[*name], after[*name], "{name} changed");
    }
}

#[test]
fn runs_are_found_by_the_beginning_of_their_id() {
    let house = House::filled();
    let ids = |args: &[&str]| -> Vec<String> {
        let data = house.run(args).json()["data"].clone();
        let all = data.as_array().unwrap().iter().map(|run| run["run_id"].as_str().unwrap().into());
        all.collect()
    };
    assert_eq!(ids(&["runs", "--json"]), [CALLS[1], CALLS[0], LOOPS[1], LOOPS[0]]);
    let first = house.run(&["runs", "--json"]).json()["data"][0].clone();
    assert_eq!(first["trace_id"], "trace_0123456789abcdef0123456789abcdef");
    assert_eq!(ids(&["runs", "--machine", "loop", "--json"]), [LOOPS[1], LOOPS[0]]);
    assert_eq!(ids(&["runs", "--state", "SETTLED", "--json"]), [CALLS[0]]);
    let shown = house.run(&["show", "call-0001", "--json"]).json()["data"].clone();
    assert_eq!(shown["run_id"], CALLS[0]);
    assert_eq!((&shown["state"], &shown["outcome"]), (&json!("Settled"), &json!("ok")));
    assert_eq!(shown["parent"]["id"], LOOPS[0]);
    assert_eq!(shown["trace_id"], "trace_0123456789abcdef0123456789abcdef");
    let early = house.run(&["show", "call-0001", "--at", "1", "--json"]).json()["data"].clone();
    assert_eq!((&early["state"], &early["seq"]), (&json!("Asked"), &json!(1)));
    let list = house.run(&["show", LOOPS[0], "--json"]).json()["data"].clone();
    assert_eq!((&list["loop_id"], &list["status"]), (&json!(LOOPS[0]), &json!("created")));
    assert_eq!(list["derived"]["overall_progress"], 0.0);
}

#[test]
fn a_replay_folds_to_what_is_kept() {
    let house = House::filled();
    let data = house.run(&["replay", CALLS[0], "--step", "--json"]).json()["data"].clone();
    let states: Vec<&Value> =
        data["steps"].as_array().unwrap().iter().map(|s| &s["state"]).collect();
    assert_eq!(states.first(), Some(&&json!("Asked")));
    assert_eq!(states.last(), Some(&&json!("Settled")));
    let log = house.run(&["log", CALLS[0], "--json"]).json()["data"].clone();
    assert_eq!(log.as_array().unwrap().len(), states.len());
    for (entry, step) in log.as_array().unwrap().iter().zip(data["steps"].as_array().unwrap()) {
        assert_eq!(
            (&entry["run_id"], &entry["tool_call_id"]),
            (&json!(CALLS[0]), &json!(CALLS[0]))
        );
        assert_eq!(entry["timestamp"], step["at"]);
        assert!(entry["data"].is_object() && entry["trace_id"].is_string(), "{entry}");
    }
    assert_eq!(log[0]["event"], "asked");
    let then = house.run(&["replay", CALLS[0], "--to", "2", "--json"]).json()["data"].clone();
    assert_eq!((&then["seq"], &then["ended"]), (&json!(2), &json!(false)), "as it stood then");
    let page = house.run(&["replay", CALLS[0], "--step"]).out;
    assert!(page.lines().next().unwrap().contains("before"), "{page}");
    let diff = house.run(&["diff", LOOPS[0], "--json"]).json()["data"].clone();
    assert_eq!(diff["changes"][0]["path"], "src/a.rs");
    assert_eq!(diff["changes"][0]["hashes"], "gone", "no marks were kept");
}

#[test]
fn usage_is_summed_up_the_parents() {
    let house = House::filled();
    let all = house.run(&["usage", "--json"]).json()["data"].clone();
    let ids: Vec<&Value> = all["runs"].as_array().unwrap().iter().map(|r| &r["run_id"]).collect();
    assert_eq!(ids, [&json!(LOOPS[1]), &json!(LOOPS[0])], "top-level runs, newest first");
    let one = house.run(&["usage", LOOPS[0], "--json"]).json()["data"].clone();
    assert_eq!(one["total"], all["total"]);
    assert_eq!((&one["total"]["calls"], &one["total"]["active_ms"]), (&json!(2), &json!(1000)));
    assert_eq!((&one["total"]["cost_usd"], &one["total"]["unpriced"]), (&json!(0.0), &json!(0)));
    let ids: Vec<&Value> = one["runs"].as_array().unwrap().iter().map(|r| &r["run_id"]).collect();
    assert_eq!(ids, [&json!(CALLS[0]), &json!(CALLS[1])]);
    let page = house.run(&["usage", LOOPS[0]]).out;
    assert!(page.contains("0.0000") && page.contains("1.0 s"), "{page}");
}

#[test]
fn an_export_is_lines_and_ends_quietly_when_nobody_reads() {
    let house = House::filled();
    let ran = house.run(&["journal", "export"]);
    let lines: Vec<Value> = ran.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let stats = house.run(&["journal", "stats", "--json"]).json()["data"].clone();
    assert_eq!(json!(lines.len()), stats["records"]);
    assert_eq!(lines[0]["pos"], 1);
    let last = house.run(&["journal", "export", "--json"]);
    let last: Value = serde_json::from_str(last.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["ok"], true);
    for args in [&["journal", "export"][..], &["runs"], &["explain", "--list"]] {
        let mut child =
            house.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn a_damaged_journal_is_named_and_ends_with_ten() {
    let house = House::filled();
    let db = house.state().join("journal/journal.db");
    let mut bytes = std::fs::read(&db).unwrap();
    let at = bytes.windows(14).position(|w| w == b"make it work 0").expect("the text is there");
    bytes[at] ^= 1;
    std::fs::write(&db, bytes).unwrap();
    for args in [&["show", LOOPS[0]][..], &["journal", "verify"], &["replay", LOOPS[0]]] {
        let ran = house.run(args);
        assert_eq!(ran.code, 10, "{args:?}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("journal.hash_mismatch"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn reg_a_lost_head_file_is_no_dead_end() {
    let house = House::filled();
    let head = house.state().join("journal/head");
    std::fs::remove_file(&head).unwrap();
    let listed = house.run(&["runs", "--json"]);
    assert_eq!(
        (listed.code, &listed.json()["error"]["details"]["what"]),
        (10, &json!("journal/head"))
    );
    let ran = house.run(&["journal", "verify", "--json"]);
    let error = ran.json()["error"].clone();
    assert_eq!((ran.code, &error["code"]), (10, &json!("E_JOURNAL")), "{}", ran.out);
    assert!(error["details"]["records"].as_u64().unwrap() > 0, "{error}");
    assert_eq!(error["commands"], json!(["loopwright journal repair-head"]));
    let trace = error["trace_id"].as_str().unwrap();
    let kept = house.run(&["trace", trace, "--json"]).json()["data"].clone();
    assert_eq!((&kept[0]["code"], &kept[0]["argv"][2]), (&json!("E_JOURNAL"), &json!("verify")));
    assert!(kept[0]["source"].as_str().unwrap().contains("head file"), "{kept}");
    let mut agent = house.command(&["journal", "repair-head"]);
    let agent = agent.env("LOOPWRIGHT_CALL_ID", "call-1").output().unwrap();
    assert_eq!((agent.status.code(), head.exists()), (Some(6), false), "only a person may");
    assert_eq!(house.run(&["journal", "repair-head"]).code, 0);
    assert_eq!(house.run(&["journal", "verify"]).code, 0);
    assert_eq!(house.run(&["runs", "--json"]).json()["data"].as_array().unwrap().len(), 4);
}

#[test]
fn reg_broken_settings_are_told_beside_a_list() {
    let house = House::filled();
    let dir = house.home.join(".config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), "[loop\n").unwrap();
    let ran = house.run(&["runs"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("warning[E_INVALID_ARGS]"), "{}", ran.err);
}

#[test]
fn foreign_state_is_not_read_until_it_is_adopted() {
    let house = House::filled();
    std::fs::rename(house.state(), house.work.join("x")).unwrap();
    std::fs::create_dir(house.state()).unwrap();
    std::fs::copy(house.work.join("x/owner.json"), house.state().join("owner.json")).unwrap();
    let ran = house.run(&["runs", "--json"]);
    assert_eq!((ran.code, &ran.json()["error"]["code"]), (3, &json!("workspace.foreign_state")));
    let origin = ran.json()["error"]["details"]["origin"].clone();
    assert!(origin.as_str().unwrap().ends_with("work"), "{origin}");
    assert_eq!(
        house.run(&["workspace", "status", "--json"]).json()["data"]["state_dir"],
        "foreign"
    );
    for verb in [&["list"][..], &["show", "x"], &["diff", "x"], &["verify"], &["create"]] {
        let ran = house.run(&[&["checkpoint"], verb, &["--json"]].concat());
        assert_eq!(ran.json()["error"]["code"], "workspace.foreign_state", "{verb:?}");
    }
    let held = files(&house.state());
    assert!(held.keys().all(|path| path.ends_with("/owner.json")), "made in it: {held:?}");
    assert_eq!(house.run(&["workspace", "trust"]).code, 3, "foreign state is not trusted");
    assert_eq!(house.run(&["workspace", "adopt"]).code, 0);
    assert_eq!(house.run(&["runs", "--json"]).json()["data"], json!([]));
    assert_eq!(house.run(&["workspace", "adopt"]).code, 3, "there is nothing foreign any more");
}

#[test]
fn a_process_below_a_shim_may_not_trust() {
    let house = House::new();
    for verb in ["trust", "adopt"] {
        let mut command = house.command(&["workspace", verb, "--json"]);
        let output = command.env("LOOPWRIGHT_CALL_ID", "call-1").output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["error"]["code"], "workspace.needs_person", "{verb}");
        assert_eq!(output.status.code(), Some(6), "{verb}");
    }
    assert!(files(&house.work).is_empty());
}

#[test]
fn settings_of_a_workspace_count_once_it_is_trusted() {
    let house = House::new();
    std::fs::write(house.work.join("loopwright.toml"), "[loop]\nerror_limit = 7\n").unwrap();
    let limit = || {
        let data = house.run(&["config", "show", "loop.error_limit", "--json"]).json();
        (data["data"][0]["value"].clone(), data["data"][0]["source"].clone())
    };
    assert_eq!(limit(), (json!(3), json!("built_in")));
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    assert_eq!(limit(), (json!(7), json!("workspace")));
    std::fs::write(house.work.join("loopwright.toml"), "[loop]\nerror_limit = 9\n").unwrap();
    assert_eq!(limit(), (json!(3), json!("built_in")), "changed since it was trusted");
}

#[test]
fn every_command_has_its_page_in_both_languages() {
    let house = House::new();
    let pages: Vec<String> = ["en", "zh"]
        .iter()
        .map(|lang| {
            let ran = house.run(&["__cli-md", "--lang", lang]);
            assert_eq!(ran.code, 0, "{}", ran.err);
            ran.out
        })
        .collect();
    let headings = |page: &str| page.lines().filter(|l| l.starts_with('#')).count();
    assert_eq!(headings(&pages[0]), headings(&pages[1]));
    assert!(headings(&pages[0]) > 20);
    assert!(!pages.iter().any(|page| page.contains("cmd-")), "a key without words");
    for shell in ["bash", "zsh", "fish"] {
        assert!(house.run(&["completions", shell]).out.contains("loopwright"), "{shell}");
    }
    assert_eq!(
        house.run(&["--version"]).out,
        concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n")
    );
}
