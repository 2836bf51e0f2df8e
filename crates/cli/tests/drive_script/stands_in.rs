//! Standing in for a real CLI: a two-line script of its name in the search path hands everything
//! over; the prompt comes on standard input and the conversation from the CLI's own arguments.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use crate::kit::{Agent, Ran, exe, feed};

const SCENARIO: &str = r#"
version = "codex-cli 0.166.0"
[[rule]]
when = 'args'
dialect = "codex"
steps = [{ say = "${ARGS}" }, "end"]
[[rule]]
when = 'codex'
dialect = "codex"
steps = [{ say = "hi" }, "end"]
[[rule]]
when = 'gemini'
dialect = "gemini"
steps = [{ say = "hi" }, "end"]
[[rule]]
when = 'wrapper'
dialect = "wrapper"
steps = [{ say = "hi" }, "end"]
"#;

/// Puts a program of this name beside the agent.
fn install(agent: &Agent, name: &str) -> std::path::PathBuf {
    let path = agent.root().join(name);
    let (exe, scenario) = (exe().display(), agent.scenario().display());
    let script =
        format!("#!/bin/sh\nexec '{exe}' drive script --scenario '{scenario}' --stdin -- \"$@\"\n");
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn ask(agent: &Agent, name: &str, args: &str, prompt: &str) -> Ran {
    let mut command = Command::new(install(agent, name));
    command.args(args.split_whitespace()).current_dir(agent.work()).env_clear().envs(agent.env());
    feed(command, prompt)
}

#[test]
fn each_cli_can_be_stood_in_for_and_resumed_by_its_own_arguments() {
    let table = [
        ("codex", "exec --json -", "exec resume --json -m gpt-5 ID -"),
        ("gemini", "--output-format stream-json", "--output-format stream-json --resume ID"),
        ("wrapper", "--backend codex - .", "--progress --backend codex resume ID - ."),
    ];
    for (name, new, resume) in table {
        let agent = Agent::new(SCENARIO);
        let first = ask(&agent, name, new, name);
        let id = runtime::agents::script::drive::derived_id(&agent.call);
        assert!(first.code == Some(0) && first.stdout.contains(&id), "{name}: {first:?}");
        let again = ask(&agent, name, &resume.replace("ID", &id), name);
        assert!(again.code == Some(0) && again.stdout.contains(&id), "{name}: {again:?}");
        let progress = again.stderr.contains(&format!("[PROGRESS] session_started id={id}"));
        assert_eq!(progress, name == "wrapper", "{again:?}");
        let unknown = ask(&agent, name, &resume.replace("ID", "no-such"), name);
        assert_ne!(unknown.code, Some(0), "{name}: {unknown:?}");
    }
}

#[test]
fn arguments_are_recorded_and_mean_nothing_else() {
    let agent = Agent::new(SCENARIO);
    let ran = ask(&agent, "codex", "exec --json --strange -c a=b -m gpt-5 -", "args, please");
    let events = ran.events();
    assert_eq!(events[2]["item"]["text"], "exec --json --strange -c a=b -m gpt-5 -");
}

#[test]
fn probes_are_answered_without_a_prompt() {
    let agent = Agent::new(SCENARIO);
    let version = ask(&agent, "codex", "--version", "");
    assert_eq!((version.stdout.as_str(), version.code), ("codex-cli 0.166.0\n", Some(0)));
    let help = ask(&agent, "codex", "exec resume --help", "");
    for flag in ["--json", "--skip-git-repo-check", "--resume", "--approval-mode", "--verbose"] {
        assert!(help.stdout.contains(flag), "{flag}");
    }
}

#[test]
fn without_a_call_every_conversation_is_a_new_one() {
    let agent = Agent::new(SCENARIO);
    let id = || {
        let mut command = Command::new(install(&agent, "codex"));
        command.arg("-").current_dir(agent.work()).env_clear().env("HOME", agent.home());
        feed(command, "codex").events()[0]["thread_id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (id(), id());
    assert_ne!(first, second);
    assert_eq!(first.len(), 36);
}
