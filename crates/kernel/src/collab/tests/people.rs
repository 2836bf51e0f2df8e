//! What people decide about a degraded result, and who may not.

use alloc::boxed::Box;
use alloc::string::{String, ToString};

use super::super::{Accept, Choice, Command, Event, Plan, Scope, State};
use super::world::{World, planned};
use crate::machine::By;

fn acceptable(plan: Plan) -> World {
    World::running(plan).answer(1_000, "codex", 1).fail(2_000, "gemini", 1, "E009", "auth")
}

fn unacceptable() -> World {
    World::running(planned(|_| ()))
        .fail(1_000, "codex", 1, "E009", "auth")
        .answer(2_000, "gemini", 1)
}

fn agent() -> By {
    By::Agent { call: "call-codex-1".to_string() }
}

#[test]
fn accepting() {
    let world = acceptable(planned(|_| ()));
    for by in [agent(), By::Guest, By::File, By::Parent { run: "turn-1".into() }, By::Engine] {
        let word = by.word();
        let command = world.decision(Choice::Accept, None);
        assert_eq!(world.refused(3_000, by, command), "needs_person", "{word}");
    }
    let world = world.decide(3_000, Choice::Accept, None);
    assert_eq!(world.stands(), "SUCCESS accepted by person");
    let twice = Command::Answer {
        question: "confirm".into(),
        hash: String::new(),
        choice: Choice::Accept,
        note: None,
    };
    assert_eq!(world.refused(4_000, By::Person, twice), "ended");
}

#[test]
fn overriding() {
    let world = unacceptable();
    let said = |choice, note| world.decision(choice, note);
    assert_eq!(world.refused(1, By::Person, said(Choice::Accept, None)), "override_required");
    assert_eq!(world.refused(1, By::Person, said(Choice::Override, None)), "note_required");
    assert_eq!(world.refused(1, By::Person, said(Choice::Override, Some(" "))), "note_required");
    let long = "x".repeat(super::super::NOTE_MAX + 1);
    let command = said(Choice::Override, Some(&long));
    assert_eq!(world.refused(1, By::Person, command), "invalid_args");
    let world = world.decide(3_000, Choice::Override, Some("backend is not touched"));
    assert_eq!(world.stands(), "SUCCESS overridden by person");
    let State::Success { mark: Some(mark), .. } = &world.state else { panic!() };
    assert_eq!(mark.note.as_deref(), Some("backend is not touched"));
    let acceptable = acceptable(planned(|_| ()));
    let command = acceptable.decision(Choice::Override, Some("why not"));
    assert_eq!(acceptable.refused(1, By::Person, command), "invalid_args");
}

#[test]
fn what_is_accepted_is_what_was_shown() {
    let world = acceptable(planned(|_| ()));
    let State::Degraded { question, .. } = &world.state else { panic!() };
    let answer = |question: &str, hash: &str| Command::Answer {
        question: question.into(),
        hash: hash.into(),
        choice: Choice::Accept,
        note: None,
    };
    let stale = answer(&question.id, "0000");
    assert_eq!(world.refused(1, By::Person, stale), "stale_approval");
    let closed = answer("another", &question.hash);
    assert_eq!(world.refused(1, By::Person, closed), "question_closed");
    let other = acceptable(planned(|plan| plan.task = "Another question".into()));
    let State::Degraded { question: different, .. } = &other.state else { panic!() };
    assert_ne!(question.hash, different.hash, "bound to the plan");
}

#[test]
fn declining_and_waiting() {
    let world = acceptable(planned(|_| ())).decide(3_000, Choice::Cancel, Some("not good enough"));
    assert_eq!(world.stands(), "FAILED declined E007");
    let State::Failed { note, shortfall, .. } = &world.state else { panic!() };
    assert_eq!(note.as_deref(), Some("not good enough"));
    assert!(shortfall.is_some(), "what was missing stays on record");
    let plan = planned(|plan| plan.confirm_timeout_ms = 60_000);
    let world = acceptable(plan);
    assert_eq!(world.due("confirm/expiry"), Some(62_000));
    let world = world.decide(10_000, Choice::Wait, None);
    assert_eq!(world.due("confirm/expiry"), Some(122_000), "moved on by its own length");
    let world = world.fires("confirm/expiry");
    assert_eq!(world.stands(), "FAILED confirm_expired E009");
    let world = acceptable(planned(|_| ()));
    assert!(world.timers().is_empty(), "without a length it never expires");
    let world = world.cancel(5_000, Scope::All);
    assert_eq!(world.stands(), "FAILED cancelled E007");
}

#[test]
fn accepted_beforehand() {
    let preset = || planned(|plan| plan.accept = Accept::Acceptable);
    let world = acceptable(preset());
    assert_eq!(world.stands(), "SUCCESS accepted by preset");
    let kept = World::running(preset()).fail(1_000, "codex", 1, "E009", "auth");
    let kept = kept.answer(2_000, "gemini", 1);
    assert_eq!(kept.stands(), "DEGRADED UNACCEPTABLE [backend]", "never what is unacceptable");
    let create = Command::Create { plan: Box::new(preset()), busy_sessions: [].into() };
    let mut new = World { state: State::New, events: [].into() };
    for by in [By::Guest, By::Parent { run: "turn-1".into() }, agent()] {
        assert_eq!(new.try_say(0, by, create.clone()), Err("needs_person"));
    }
}

#[test]
fn invariant_confirmed() {
    let worlds = [
        acceptable(planned(|_| ())).decide(3_000, Choice::Accept, None),
        unacceptable().decide(3_000, Choice::Override, Some("why")),
        acceptable(planned(|plan| plan.accept = Accept::Acceptable)),
    ];
    for world in worlds {
        let confirmed = world.events.iter().find_map(|event| {
            if let Event::Confirmed { by, .. } = event { Some(by.as_str()) } else { None }
        });
        assert!(matches!(confirmed, Some("person" | "preset")), "{}", world.stands());
    }
}

#[test]
fn agents_steer_nothing() {
    let world = World::running(planned(|_| ()));
    for by in [agent(), By::File] {
        let cancel = Command::Cancel { scope: Scope::All };
        assert_eq!(world.refused(1, by.clone(), cancel), "needs_person");
        assert_eq!(world.refused(1, by.clone(), Command::Extend { ms: 1 }), "needs_person");
        let own = Command::SessionSeen {
            p: "codex".into(),
            launch: 1,
            id: super::super::samples::session("codex"),
        };
        assert_eq!(world.refused(1, by, own), "needs_person");
    }
    let mut guest = world.clone();
    guest.say(1, By::Guest, Command::Extend { ms: 1 });
    guest.say(2, By::Guest, Command::Cancel { scope: Scope::All });
}
