//! Sessions with the real binary, the real engine and the real shim, on real repositories: each
//! `~` command through its twin. What the machine decides is the kernel's table; here it is seen
//! to happen.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod driven;
mod flows;
mod held;
mod jobs;
#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;
mod live;
mod outside;
mod ways;

use std::process::Command;

use kit::House;
use serde_json::Value;

/// A repository with one commit, a source file, a check of level test, and a scripted agent.
fn house(scenario: &str) -> House {
    let house = House::new();
    house.write("main.sh", "echo one\n");
    house.write(
        "loopwright.toml",
        "[verify]\ncommands = [{ argv = [\"grep\", \"-q\", \"one\", \"main.sh\"], \
         parser = \"exit\", level = \"test\" }]\n",
    );
    git(&house, &["init", "-q", "-b", "main"]);
    git(&house, &["add", "-A"]);
    git(&house, &["commit", "-q", "-m", "first"]);
    let file = house.home.join("alpha.toml");
    std::fs::write(&file, scenario).unwrap();
    let config = format!(
        "[agents.alpha]\nkind = \"script\"\nscenario = {:?}\n[turn]\nagents = [\"alpha\"]\n\
         [session]\ndesigners = [\"alpha\"]\n",
        file.to_str().unwrap()
    );
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), config).unwrap();
    assert_eq!(house.run(&["workspace", "trust"]).code, 0);
    house
}

fn git(house: &House, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org"])
        .args(args)
        .current_dir(&house.work)
        .env_clear()
        .env("HOME", &house.home)
        .env("PATH", "/usr/bin:/bin")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a command told, with its exit code.
fn told(house: &House, args: &[&str]) -> (i32, Value) {
    let ran = house.run(&[args, &["--json", "--headless"]].concat());
    (ran.code, ran.json())
}

fn var(house: &House, name: &str) -> Value {
    house.data(&["status", "--vars"])[name].clone()
}
