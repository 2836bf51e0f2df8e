//! How runs end: the key rules, the level table, gates, cancels, and which participant's code a run
//! shows.

use alloc::vec::Vec;

use super::super::samples::{answered, member, session};
use super::super::{Checked, Event, Outcome, Plan, Rule, Scope};
use super::world::{World, broken, flaw, planned, serial, stands};
use crate::agent::{Kind, Structured};
use crate::machine::By;

/// Both have ended: those named have answered, the others were not let in.
fn answered_by(plan: Plan, who: &[&str]) -> World {
    let names: Vec<_> = plan.participants.iter().map(|one| one.name.clone()).collect();
    let mut world = World::running(plan);
    for name in names {
        world = if who.contains(&name.as_str()) {
            world.answer(1_000, &name, 1)
        } else {
            world.fail(1_000, &name, 1, "E009", "auth")
        };
    }
    world
}

#[test]
fn ids_and_roles() {
    let check = |role: &str, who: &[&str], expected: &str| {
        let plan = planned(|plan| plan.role = role.into());
        assert_eq!(answered_by(plan, who).stands(), expected, "{role} {who:?}");
    };
    check("architect", &["codex", "gemini"], "SUCCESS");
    check("architect", &["codex"], "DEGRADED ACCEPTABLE [frontend]");
    check("architect", &["gemini"], "DEGRADED UNACCEPTABLE [backend]");
    check("architect", &[], "FAILED all_failed E009");
    check("reviewer", &["gemini"], "DEGRADED ACCEPTABLE [backend]");
    check("reviewer", &["codex"], "DEGRADED UNACCEPTABLE [frontend]");
    for role in ["analyzer", "developer", "poet"] {
        check(role, &["codex"], "DEGRADED UNACCEPTABLE [frontend]");
        check(role, &["gemini"], "DEGRADED UNACCEPTABLE [backend]");
    }
}

#[test]
fn what_is_core() {
    let check = |change: fn(&mut Plan), who: &str, expected: &str| {
        assert_eq!(answered_by(planned(change), &[who]).stands(), expected);
    };
    let named: fn(&mut Plan) = |plan| plan.core_dimensions = Some(["frontend".into()].into());
    check(named, "codex", "DEGRADED UNACCEPTABLE [frontend]");
    check(named, "gemini", "DEGRADED ACCEPTABLE [backend]");
    check(|plan| plan.core_dimensions = Some([].into()), "gemini", "DEGRADED ACCEPTABLE [backend]");
    let flag: fn(&mut Plan) = |plan| plan.participants[1].core = Some(true);
    check(flag, "codex", "DEGRADED UNACCEPTABLE [frontend]");
    let none: fn(&mut Plan) = |plan| plan.participants[0].core = Some(false);
    check(none, "gemini", "DEGRADED ACCEPTABLE [backend]");
    let other: fn(&mut Plan) = |plan| plan.participants[1].dimension = "security".into();
    check(other, "codex", "DEGRADED UNACCEPTABLE [security]");
}

fn alone() -> Plan {
    planned(|plan| plan.participants.truncate(1))
}

#[test]
fn a_single_participant_is_never_degraded() {
    assert_eq!(World::running(alone()).answer(1_000, "codex", 1).stands(), "SUCCESS");
    let silent = answered("codex", None, Structured::NotAsked);
    let world = World::running(alone()).end(1_000, "codex", 1, silent);
    assert_eq!(world.stands(), "FAILED no_session E006");
}

#[test]
fn invariant_no_session_is_failed() {
    let mut world = World::running(planned(|_| ()));
    for p in ["codex", "gemini"] {
        world = world.end(1_000, p, 1, answered(p, None, Structured::NotAsked));
        assert_eq!(stands(world.one(p)), "Unproven");
        assert_eq!(world.codes(p), ["E006"]);
    }
    assert_eq!(world.stands(), "FAILED no_session E006");
    let nonsense = Some("SESSION_ID: from the text".into());
    let world = World::running(alone());
    let world = world.end(1_000, "codex", 1, answered("codex", nonsense, Structured::NotAsked));
    assert_eq!(world.stands(), "FAILED no_session E006");
}

#[test]
fn two_participants_never_share_an_id() {
    let world = World::running(planned(|_| ())).seen(500, "codex", 1);
    let steal =
        super::super::Command::SessionSeen { p: "gemini".into(), launch: 1, id: session("codex") };
    assert_eq!(world.refused(600, By::Engine, steal), "bad_session");
    let same = || Some(session("codex"));
    let world = world.answer(1_000, "codex", 1);
    let world = world.end(2_000, "gemini", 1, answered("gemini", same(), Structured::NotAsked));
    assert_eq!(world.codes("gemini"), ["E006"]);
    assert_eq!(world.stands(), "DEGRADED ACCEPTABLE [frontend]");
}

#[test]
fn gate_and_never_degrades() {
    let plan = || planned(|plan| plan.gate = Rule::And);
    assert_eq!(answered_by(plan(), &["codex"]).stands(), "FAILED and_gate E009");
    assert_eq!(answered_by(plan(), &["codex", "gemini"]).stands(), "SUCCESS");
    let twins = planned(|plan| {
        plan.gate = Rule::And;
        plan.participants[1].dimension = "backend".into();
    });
    assert_eq!(answered_by(twins, &["codex"]).stands(), "FAILED and_gate E009");
}

#[test]
fn a_failed_twin_costs_only_redundancy() {
    let plan = planned(|plan| plan.participants.push(member("claude", Kind::Claude, "backend")));
    let world = answered_by(plan, &["claude", "gemini"]);
    assert_eq!(world.stands(), "SUCCESS");
}

#[test]
fn the_start_gate() {
    let one = |p: &str, code: &str| Checked {
        participants: [(p.into(), flaw(code))].into(),
        ..Checked::default()
    };
    let created = |plan: Plan| World::created(plan);
    let and = || planned(|plan| plan.gate = Rule::And);
    let world = created(and()).gate(one("gemini", "E001"));
    assert_eq!(world.stands(), "FAILED start_gate E001");
    let world = created(planned(|_| ())).gate(one("gemini", "E001"));
    assert_eq!(world.stands(), "INIT Launching");
    let world = world.start(0, "codex", 1).answer(1_000, "codex", 1);
    assert_eq!(world.stands(), "DEGRADED ACCEPTABLE [frontend]");
    assert_eq!(world.codes("gemini"), ["E001"]);
    let workdir = Checked { workdir: Some(flaw("E008")), ..Checked::default() };
    assert_eq!(created(and()).gate(workdir).stands(), "FAILED start_gate E008");
    let both = Checked {
        participants: [("codex".into(), flaw("E002")), ("gemini".into(), flaw("E001"))].into(),
        ..Checked::default()
    };
    let world = created(planned(|_| ())).gate(both);
    assert_eq!(world.stands(), "FAILED start_gate E001", "the first that is listed");
    let misfit = planned(|plan| plan.participants[0].resume = Some("no-uuid".into()));
    let world = created(misfit).gate(Checked::default());
    assert_eq!(world.codes("codex"), ["E002"], "no id of that agent");
}

#[test]
fn lite_asks_nobody_and_is_still_confirmed() {
    let lite = planned(|plan| {
        plan.lite = true;
        plan.accept = super::super::Accept::Acceptable;
    });
    let world = World::created(lite).gate(Checked::default());
    assert_eq!(world.stands(), "DEGRADED ACCEPTABLE [backend, frontend]");
    assert!(world.calls().is_empty() && world.starting().is_empty());
    let names: Vec<_> = world.events.iter().map(Event::name).collect();
    assert_eq!(
        names,
        ["Created", "GatePassed", "RunStarted", "ParticipantEnded", "ParticipantEnded", "Degraded"]
    );
    let world = world.decide(5_000, super::super::Choice::Accept, None);
    assert_eq!(world.stands(), "SUCCESS accepted by person");
}

#[test]
fn cancelling() {
    let world = World::running(planned(|_| ())).cancel(1_000, Scope::One("codex".into()));
    let world = world.stopped(2_000, "codex", 1).answer(3_000, "gemini", 1);
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]");
    assert_eq!(world.codes("codex"), ["E007"]);
    let world = World::running(planned(|_| ())).answer(500, "gemini", 1).cancel(1_000, Scope::All);
    assert!(world.calls().is_empty(), "what is not owed is stopped");
    assert_eq!(world.stands(), "RUNNING", "it waits until nothing is left");
    let again = super::super::Command::Cancel { scope: Scope::All };
    assert_eq!(world.refused(1_500, By::Person, again), "already_cancelling");
    let world = world.answer(2_000, "codex", 1);
    assert_eq!(stands(world.one("codex")), "Cancelled", "an answer that came too late counts not");
    assert_eq!(world.stands(), "FAILED cancelled E007");
    let world = World::launching(serial()).cancel(0, Scope::All);
    assert_eq!(world.stands(), "INIT Launching");
    let world = world.stopped(100, "codex", 1);
    assert_eq!(world.stands(), "FAILED cancelled E007");
    let world = World::created(serial()).cancel(0, Scope::All);
    assert_eq!(world.stands(), "FAILED cancelled E007");
}

#[test]
fn a_cancelled_answer_keeps_its_text_unverified() {
    let world = World::running(planned(|_| ())).cancel(1_000, Scope::One("codex".into()));
    let world = world.answer(2_000, "codex", 1);
    let super::super::Phase::Ended { how, .. } = &world.one("codex").phase else { panic!() };
    let super::super::How::Cancelled { partial: Some(output) } = how else { panic!("{how:?}") };
    assert_eq!(output.call, "call-codex-1");
}

#[test]
fn nobody_usable_but_somebody_poor() {
    let plan = planned(|plan| plan.schema = Some("{}".into()));
    let poor = |p: &str| answered(p, Some(session(p)), broken());
    let world = World::running(plan).fail(500, "gemini", 1, "E009", "auth");
    let world = world.end(1_000, "codex", 1, poor("codex")).start(1_100, "codex", 2);
    let world = world.end(2_000, "codex", 2, poor("codex"));
    assert_eq!(stands(world.one("codex")), "Poor");
    assert_eq!(world.stands(), "FAILED no_usable E_MODEL");
}

#[test]
fn the_first_starts_only_if_somebody_can() {
    let spawn = || Outcome::SpawnFailed { detail: "EAGAIN".into() };
    let mut world = World::launching(planned(|_| ()));
    for p in ["codex", "gemini"] {
        world = world.end(0, p, 1, spawn()).fires(&alloc::format!("{p}/2/backoff"));
        world = world.end(2_000, p, 2, spawn());
    }
    assert_eq!(world.stands(), "FAILED all_failed E003");
    let world = World::launching(planned(|_| ())).start(0, "gemini", 1);
    let world = world.end(0, "codex", 1, spawn()).fires("codex/2/backoff");
    let world = world.end(2_000, "codex", 2, spawn()).answer(3_000, "gemini", 1);
    assert_eq!(world.stands(), "DEGRADED UNACCEPTABLE [backend]");
    assert_eq!(world.codes("codex"), ["E003", "E003"]);
}

#[test]
fn invariant_order_free() {
    let plan = || {
        planned(|plan| {
            plan.participants.push(member("claude", Kind::Claude, "security"));
        })
    };
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let ends: Vec<_> = orders
        .iter()
        .map(|order| {
            let mut world = World::running(plan());
            for which in order {
                world = match which {
                    0 => world.answer(1_000, "codex", 1),
                    1 => world.fail(1_000, "gemini", 1, "E009", "auth"),
                    _ => world.answer(1_000, "claude", 1),
                };
            }
            world.state
        })
        .collect();
    assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "one end for every order");
}
