//! Agents with the real binary and real processes: what a start gate looks at, what people are
//! told while agents are silent, loops whose tasks agents make, one word asked by the doctor.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../loop_real/kit.rs"]
#[expect(dead_code, reason = "the house is shared with the loops' tests, which use more of it")]
mod kit;
#[path = "../loop_real/seat.rs"]
mod seat;

mod bad_input;
mod clocks;
mod debug;
mod described;
mod doctor;
mod gate;
mod held;
mod install;
mod loops;
mod quiet;
mod suite;
mod talks;
mod window;

use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

use kit::House;

/// Puts these settings into a house.
fn settle(house: &House, text: &str) {
    let dir = house.home.join("config/loopwright");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("config.toml"), text).unwrap();
}

/// A scripted agent of this name.
fn scripted(house: &House, name: &str, scenario: &str) -> String {
    let file = house.home.join(format!("{name}.toml"));
    std::fs::write(&file, scenario).unwrap();
    format!("[agents.{name}]\nkind = \"script\"\nscenario = {:?}\n", file.to_str().unwrap())
}

/// A program outside the work tree. Written by another process: a descriptor of ours, open while
/// some other test forks, would make it busy.
fn program(house: &House, name: &str, body: &str) -> String {
    let path = house.home.join(name);
    let text = house.home.join(format!("{name}.text"));
    std::fs::write(&text, format!("#!/bin/sh\n{body}\n")).unwrap();
    let made = Command::new("cp").arg(&text).arg(&path).status();
    assert!(made.unwrap().success());
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}
