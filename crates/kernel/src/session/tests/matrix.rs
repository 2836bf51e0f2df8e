//! Who may start beside what runs: every command against every kind of unit.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{Name, Seat, Setup};
use super::world::{TWEAK, World, developing, reason};

/// One line about what becomes of a command.
fn line(mut world: World, name: Name, setup: Setup) -> String {
    let before = world.state.name();
    let vars = world.vars();
    match world.run_with(name, "x", setup) {
        Err(refusal) => format!("refused {}", reason(Err(refusal))),
        Ok(events) if events.is_empty() => "answered".into(),
        Ok(_) => {
            let kept = if world.vars() == vars { "" } else { ", variables changed" };
            let (after, asked) = (world.state.name(), world.kind());
            let asked = if after == before { "none" } else { asked };
            format!("{before} -> {after} {asked}{kept}")
        }
    }
}

fn job() -> World {
    let mut world = World::new();
    world.run(Name::Init, "").expect("starts");
    world
}

#[test]
fn exclusion_matrix() {
    let idle = "Idle -> Flow clarify, variables changed";
    let job_from_idle = "Idle -> Job none, variables changed";
    let replace = "Flow -> Stacked replace";
    let beside = "Flow -> Stacked none";
    let over_job = "Job -> Stacked replace, variables changed";
    let read_over_job = "Job -> Stacked none";
    let table: [(Name, &str, &str, &str); 13] = [
        (Name::Auto, idle, replace, over_job),
        (Name::Plan, idle, replace, over_job),
        (Name::Exec, "Idle -> Flow none, variables changed", replace, over_job),
        (Name::Init, job_from_idle, replace, over_job),
        (Name::Upgrade, job_from_idle, replace, over_job),
        (Name::Clean, job_from_idle, replace, over_job),
        (Name::Test, job_from_idle, beside, over_job),
        (Name::Commit, job_from_idle, beside, over_job),
        (Name::Review, job_from_idle, beside, read_over_job),
        (Name::Validate, job_from_idle, beside, read_over_job),
        (Name::Rollback, job_from_idle, replace, over_job),
        (Name::Help, "answered", "answered", "answered"),
        (Name::Status, "answered", "answered", "answered"),
    ];
    for (name, from_idle, from_flow, from_job) in table {
        assert_eq!(line(World::new(), name, setup()), from_idle, "{name:?} idle");
        let flow = line(developing(), name, setup());
        let flow = flow.trim_end_matches(", variables changed");
        assert_eq!(flow, from_flow, "{name:?} flow");
        assert_eq!(line(job(), name, setup()), from_job, "{name:?} job");
    }
}

#[test]
fn without_a_terminal_a_flow_is_replaced_only_when_asked() {
    let headless = || Setup { seat: Seat::Headless, ..setup() };
    for name in [Name::Auto, Name::Plan, Name::Exec, Name::Init, Name::Rollback] {
        let mut world = developing();
        let before = world.state.clone();
        assert_eq!(reason(world.run_with(name, "x", headless())), "flow_active", "{name:?}");
        assert_eq!(world.state, before);
        let replace = Setup { replace: true, ..headless() };
        let events = world.run_with(name, "x", replace).expect("replaced");
        assert_eq!(events, ["Heard", "Routed", "Stopping"], "{name:?}");
        assert_eq!(world.state.name(), "Ending");
    }
}

#[test]
fn a_second_one_of_a_kind_is_refused() {
    let mut world = developing();
    world.run(Name::Plan, "x").expect("asks");
    assert_eq!(reason(world.run(Name::Auto, "x")), "busy");
    let mut world = developing();
    world.run(Name::Validate, "").expect("beside");
    assert_eq!(reason(world.run(Name::Validate, "")), "busy");
    world.run(Name::Review, "").expect("another kind");
    let mut world = developing();
    world.run(Name::Commit, "").expect("waits");
    assert_eq!(reason(world.run(Name::Test, "")), "busy");
}

#[test]
fn frames_have_a_bound() {
    use super::super::{Caller, Command};
    use crate::machine::By;
    let mut world = World::new();
    world.types(TWEAK).expect("starts");
    let open = || Command::ToolOpened {
        name: "codex".into(),
        kind: "agent".into(),
        caller: Caller::InStage,
        input: String::new(),
        call: None,
        setup: setup().into(),
    };
    let refused: Vec<_> =
        (0..9).map(|_| reason(world.by(By::Engine, open()))).filter(|r| *r != "accepted").collect();
    assert_eq!(refused, ["too_deep"]);
    assert_eq!(world.var("TOOL_NESTING"), "7");
}
