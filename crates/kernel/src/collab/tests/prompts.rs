//! What agents are told, and that a launch always asks for the same call.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::{answered, sample_commands, sample_states, session};
use super::super::{Collab, Lang, State, decide, evolve};
use super::world::{World, broken, planned, serial};
use crate::agent::{BAD_ANSWER_BYTES_MAX, Kind, PROMPT_BYTES_MAX, Part, Talk};
use crate::call::{self, Class, OnUnknown, Request};
use crate::machine::{At, By, Machine as _, Said};
use crate::owed::{ChildAsk, Owed, Posture};
use crate::policy::Verdict;

fn request(state: &State, slot: &str) -> Request {
    let found = Collab::owed(state).into_iter().find_map(|owed| match owed {
        Owed::Child { slot: own, ask: ChildAsk::Call(request), posture, .. } if own == slot => {
            assert_eq!(posture, Posture::Run);
            Some(*request)
        }
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    });
    found.unwrap_or_else(|| panic!("{slot} is not owed"))
}

fn told(world: &World, slot: &str) -> String {
    let ask = request(&world.state, slot).agent.expect("an agent is asked");
    let words = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Answer { call, .. } => alloc::format!("[{call}]"),
    };
    ask.prompt.iter().map(words).collect()
}

#[test]
fn the_task_is_kept_byte_for_byte() {
    let task = "{{x}} \"q\" 'q' ; | & $HOME `id`\n\n\n   many    blanks  \t";
    let plan = planned(|plan| {
        plan.task = task.into();
        plan.context = "{{LANG}}".into();
    });
    let world = World::launching(plan);
    let text = told(&world, "codex/1");
    let block = alloc::format!("<TASK>\nRequirement: {task}\nContext: {{{{LANG}}}}\n</TASK>\n\n");
    assert_eq!(
        text,
        alloc::format!(
            "You judge designs.\n\n{block}OUTPUT: your complete answer for the backend side, in \
             English\n"
        )
    );
}

#[test]
fn in_chinese() {
    let world = World::launching(planned(|plan| {
        plan.lang = Lang::Zh;
        plan.context = "背景".into();
    }));
    let text = told(&world, "gemini/1");
    assert!(text.contains("<TASK>\n需求：Which store fits?\n上下文：背景\n</TASK>"), "{text}");
    assert!(text.ends_with("OUTPUT: 用中文给出 frontend 维度的完整答案\n"), "{text}");
}

#[test]
fn a_serial_run_hands_on_the_usable_answers() {
    let world = World::running(serial()).answer(1_000, "codex", 1);
    let text = told(&world, "gemini/1");
    let answer = "<ANSWER from=\"codex\" dimension=\"backend\">\n[call-codex-1]\n</ANSWER>\n\n";
    assert!(text.contains(answer), "{text}");
    let parts = request(&world.state, "gemini/1").agent.expect("an agent").prompt;
    let cut = |part: &Part| match part {
        Part::Text(text) => text.len(),
        Part::Answer { bytes_max, .. } => *bytes_max,
    };
    let bytes = parts.iter().map(cut).sum::<usize>();
    assert!(bytes <= PROMPT_BYTES_MAX, "the longest answer fits: {bytes}");
    assert!(bytes > PROMPT_BYTES_MAX - 2048, "and is not cut without need: {bytes}");
    let failed = World::running(serial()).fail(1_000, "codex", 1, "E009", "auth");
    assert!(!told(&failed, "gemini/1").contains("<ANSWER"));
    assert!(!told(&World::launching(planned(|_| ())), "gemini/1").contains("<ANSWER"));
}

#[test]
fn later_launches() {
    let schema = "{\"type\":\"object\"}";
    let world = World::running(planned(|plan| plan.schema = Some(schema.into())));
    assert!(told(&world, "codex/1").contains(schema));
    let resumed = world.clone().seen(1, "codex", 1).fail(2, "codex", 1, "E004", "");
    let ask = request(&resumed.state, "codex/2").agent.expect("an agent");
    assert_eq!(ask.resume, Some(session("codex")));
    let text = told(&resumed, "codex/2");
    assert!(!text.contains("Which store fits?"), "not the task again: {text}");
    assert!(text.contains(schema));
    let whole = world.clone().fail(2, "codex", 1, "E004", "");
    assert_eq!(told(&whole, "codex/2"), told(&world, "codex/1"));
    let poor = answered("codex", Some(session("codex")), broken());
    let corrected = world.end(2, "codex", 1, poor);
    let text = told(&corrected, "codex/2");
    assert!(text.contains("- /count: expected a number, found text\n"), "{text}");
    let ask = request(&corrected.state, "codex/2").agent.expect("an agent");
    assert_eq!(ask.resume, Some(session("codex")));
}

/// What a described program calls a session need not be one: nobody goes on with it unasked.
#[test]
fn a_described_program_is_told_the_whole_again() {
    let schema = "{\"type\":\"object\"}";
    let world = World::running(planned(|plan| {
        plan.schema = Some(schema.into());
        plan.participants[0].kind = Kind::Command;
    }));
    let first = told(&world, "codex/1");
    let late = world.clone().seen(1, "codex", 1).fail(2, "codex", 1, "E004", "");
    assert_eq!(request(&late.state, "codex/2").agent.expect("an agent").resume, None);
    assert_eq!(told(&late, "codex/2"), first);
    let poor = answered("codex", Some("cmd-call-codex-1".into()), broken());
    let corrected = world.end(2, "codex", 1, poor);
    let ask = request(&corrected.state, "codex/2").agent.expect("an agent");
    assert_eq!(ask.resume, None);
    let bad = Part::Answer {
        call: "call-codex-1".into(),
        sha256: crate::hash::sha256_hex(b"calls/call-codex/answer"),
        bytes_max: BAD_ANSWER_BYTES_MAX,
    };
    assert!(ask.prompt.contains(&bad), "{:?}", ask.prompt);
    let text = told(&corrected, "codex/2");
    assert!(text.starts_with(&first), "{text}");
    assert!(text.contains("- /count: expected a number, found text\n"), "{text}");
    let poor = answered("codex", Some("cmd-call-codex-2".into()), broken());
    let world = corrected.start(3, "codex", 2).end(4, "codex", 2, poor);
    assert_eq!(world.codes("codex"), ["E_MODEL", "E_MODEL"], "once");
}

/// One whose template says how a conversation is gone on with is spoken to as any other.
#[test]
fn a_described_program_that_can_go_on_does() {
    let world = World::running(planned(|plan| {
        plan.schema = Some("{\"type\":\"object\"}".into());
        plan.participants[0].kind = Kind::Command;
        plan.participants[0].talk = Some(Talk::Lasting);
    }));
    let resumed = |world: &World| request(&world.state, "codex/2").agent.expect("an agent").resume;
    let late = world.clone().seen(1, "codex", 1).fail(2, "codex", 1, "E004", "");
    assert_eq!(resumed(&late), Some(session("codex")));
    let id = "talk-12345678";
    let corrected = world.end(2, "codex", 1, answered("codex", Some(id.into()), broken()));
    assert_eq!(resumed(&corrected).as_deref(), Some(id));
}

/// A conversation that a person named is gone on with until the backend does not know it.
#[test]
fn the_conversation_of_a_person() {
    let plan = planned(|plan| plan.participants[0].resume = Some(session("given")));
    let world = World::running(plan);
    let resume =
        |world: &World, slot: &str| request(&world.state, slot).agent.expect("an agent").resume;
    assert_eq!(resume(&world, "codex/1"), Some(session("given")));
    let world = world.fail(1, "codex", 1, "E003", "").fires("codex/2/backoff");
    assert_eq!(resume(&world, "codex/2"), Some(session("given")));
}

/// The call of a launch is the same for as long as it is owed, whatever else happens.
#[test]
fn invariant_a_key_asks_for_one_thing() {
    for (name, state) in sample_states() {
        for (label, said) in sample_commands(&state) {
            let mut next = state.clone();
            for event in decide(&state, &said).unwrap_or_default() {
                evolve(&mut next, &event, said.at);
            }
            for owed in Collab::owed(&state) {
                let Owed::Child { slot, .. } = &owed else { continue };
                let stays = Collab::owed(&next)
                    .into_iter()
                    .any(|later| matches!(later, Owed::Child { slot: own, .. } if own == *slot));
                if stays {
                    assert_eq!(request(&state, slot), request(&next, slot), "{name} + {label}");
                }
            }
        }
    }
}

/// The call machine takes what is owed.
#[test]
fn the_call_is_one_that_can_be_made() {
    let world = World::launching(planned(|_| ()));
    let request = request(&world.state, "codex/1");
    assert_eq!((request.class, request.on_unknown), (Class::Once, OnUnknown::Tell));
    assert_eq!((request.deadline_ms, request.idle_ms), (1_800_000, Some(300_000)));
    let ask = call::Ask {
        key: "collab-1/codex/1".to_string(),
        request,
        parent: Some("collab-1".to_string()),
        parent_now: call::ParentNow::Active,
        verdict: Verdict::Allow { rule: "granted-at-start".to_string() },
        shown: None,
        pin: None,
        budget: call::Budget::Left,
        rules: call::Rules::default(),
    };
    let by = By::Parent { run: "collab-1".to_string() };
    let said = Said { by, at: At(1), command: call::Command::Ask(Box::new(ask)) };
    let events = call::decide(&call::State::New, &said).expect("it is taken");
    assert_eq!(events.iter().map(call::Event::name).collect::<Vec<_>>().last(), Some(&"Allowed"));
}
