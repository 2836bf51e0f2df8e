//! The seed's consecutive commands, the reset, and the cases that the page names.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::samples::setup;
use super::super::{Base, Caller, ChildAsking, Command, Event, Name, Setup, Stop};
use super::world::{LIGHT, TWEAK, World, developing, reason};
use crate::machine::By;

/// The end of a batch that ends a unit: the fact itself and the four steps.
fn tail(events: &[&str]) -> Vec<String> {
    let at = events.iter().position(|name| name.starts_with("Unit")).expect("a unit ended");
    events[at..]
        .iter()
        .filter(|name| **name != "QuestionWithdrawn")
        .map(ToString::to_string)
        .collect()
}

fn finish(world: &mut World) -> Vec<&'static str> {
    for label in ["Told developed", "Told no risks", "Told no checks"] {
        world.told(label).expect(label);
    }
    for _ in 0..5 {
        world.told("Told report done").expect("closed");
    }
    world.told("Told done").expect("accepted")
}

#[test]
fn one_done_then_new() {
    let mut world = developing();
    let events = finish(&mut world);
    let reset = ["UnitCompleted", "ResetStep", "ResetStep", "ResetStep", "ResetStep"];
    assert_eq!(tail(&events), reset);
    assert_eq!(world.state.name(), "Idle");
    let steps: Vec<(u8, String)> = world
        .events
        .iter()
        .filter_map(|event| {
            let Event::ResetStep { n, cleared } = event else { return None };
            Some((*n, cleared.join(" ")))
        })
        .collect();
    let expected = [
        (1, "CREATED_PACKAGE CURRENT_PACKAGE KB_SKIPPED".to_string()),
        (2, String::new()),
        (3, "CURRENT_STAGE".to_string()),
        (4, "WORKFLOW_MODE".to_string()),
    ];
    assert_eq!(steps, expected);
    world.run(Name::Exec, "").expect("starts");
    let vars = world.vars();
    assert_eq!(vars["WORKFLOW_MODE"], "INTERACTIVE");
    assert_eq!(vars["STAGE_ENTRY_MODE"], "DIRECT");
    assert_eq!(vars["CURRENT_STAGE"], "DEVELOP");
    for name in ["KB_SKIPPED", "CREATED_PACKAGE", "CURRENT_PACKAGE", "ACTIVE_TOOL"] {
        assert!(vars[name].is_null(), "{name}");
    }
}

#[test]
fn two_cancelled_then_new() {
    let mut world = World::new();
    world.run(Name::Plan, LIGHT).expect("starts");
    world.answer("silent").expect("confirmed");
    world.told("Told kb ok").expect("gathered");
    world.told("Told words").expect("context");
    let cancel = || Command::Cancel { undo: false, all: false };
    let events = world.by(By::Person, cancel()).expect("stops");
    assert_eq!(events, ["Stopping"]);
    assert_eq!(world.var("CURRENT_STAGE"), "DESIGN");
    let events = world.told("Told stopped").expect("stopped");
    let reset = ["UnitCancelled", "ResetStep", "ResetStep", "ResetStep", "ResetStep"];
    assert_eq!(tail(&events), reset);
    world.run(Name::Auto, LIGHT).expect("starts");
    assert_eq!(world.var("WORKFLOW_MODE"), "AUTO_FULL");
    assert_eq!(world.var("CURRENT_STAGE"), "EVALUATE");
}

#[test]
fn three_a_atomic_inside() {
    let mut world = developing();
    let before = world.vars();
    assert!(world.run(Name::Help, "").expect("answered").is_empty());
    assert!(world.run(Name::Status, "").expect("answered").is_empty());
    let talk = world.types("这个函数是什么意思？").expect("answered");
    assert_eq!(talk, ["Heard", "Routed", "FramePushed"]);
    assert_eq!(world.vars(), before, "while it is answered");
    world.told("Told words").expect("answered");
    world.run(Name::Validate, "all").expect("beside");
    assert_eq!(world.vars(), before);
    assert!(!world.state.life().expect("open").suspended(), "its child is not held");
    world.told("Told validate").expect("looked");
    world.told("Told done").expect("validated");
    assert_eq!(world.vars(), before);
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn three_b_flow_inside() {
    let mut world = developing();
    let before = world.state.clone();
    world.run(Name::Plan, LIGHT).expect("asks");
    assert_eq!(world.kind(), "replace");
    world.answer("keep").expect("kept");
    let kept = world.state.life().expect("open");
    assert_eq!(kept.unit, before.life().expect("open").unit);
    world.run(Name::Plan, LIGHT).expect("asks");
    let events = world.answer("replace").expect("replaced");
    assert_eq!(events, ["QuestionAnswered", "FramePopped", "Stopping"]);
    let events = world.told("Told stopped").expect("ended");
    assert_eq!(events[..3], ["ChildEnded", "UnitCancelled", "ResetStep"]);
    assert!(events.contains(&"CommandAccepted"));
    assert_eq!(world.var("WORKFLOW_MODE"), "AUTO_PLAN");
    assert_eq!(world.var("CURRENT_STAGE"), "EVALUATE");
}

#[test]
fn three_d_safe_point() {
    let mut world = developing();
    world.run(Name::Commit, "").expect("waits");
    let life = world.state.life().expect("open");
    assert!(life.suspended());
    assert_eq!(super::super::slots(life).len(), 1, "only the child is waited for");
    let slot = super::super::slots(life)[0].0.clone();
    let now = Command::ChildNow { slot, asking: Vec::new(), held: true };
    let events = world.by(By::Engine, now).expect("between tasks");
    assert_eq!(events, ["ChildAsked", "FrameOpened"]);
    world.told("Told nothing to commit").expect("done");
    assert!(!world.state.life().expect("open").suspended(), "released");
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn four_talk_then_command() {
    let mut world = World::new();
    let before = world.vars();
    let talk = world.types("what is this?").expect("answered");
    assert_eq!(talk, ["Heard", "Routed", "FramePushed"]);
    assert_eq!(world.vars(), before, "while it is answered");
    let events = world.told("Told words").expect("answered");
    assert_eq!(events, ["StepDone", "FrameEnded", "FramePopped"]);
    assert_eq!(world.state.name(), "Idle");
    let events = world.run(Name::Auto, LIGHT).expect("starts");
    assert_eq!(events[..3], ["Heard", "Routed", "CommandAccepted"]);
    assert!(!events.contains(&"ResetStep"));
}

#[test]
fn a_plan_never_develops_even_when_it_turns_interactive() {
    let mut world = World::new();
    world.run(Name::Plan, LIGHT).expect("starts");
    world.answer("interactive").expect("switched");
    assert_eq!(world.var("WORKFLOW_MODE"), "INTERACTIVE");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    assert_eq!(reason(world.answer("run")), "unknown_option");
    world.answer("save").expect("saved");
    world.told("Told done").expect("accepted");
    assert_eq!(world.state.name(), "Idle");
}

#[test]
fn a_risk_breaks_silence_and_keeps_the_mode() {
    let mut world = World::new();
    world.run(Name::Auto, LIGHT).expect("starts");
    world.answer("silent").expect("confirmed");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    assert_eq!(world.var("SILENCE_BROKEN"), "false");
    world.told("Told package risky").expect("checked");
    assert_eq!((world.kind(), world.var("SILENCE_BROKEN").as_str()), ("risk", "true"));
    assert_eq!(world.var("WORKFLOW_MODE"), "AUTO_FULL");
    world.answer("confirm").expect("accepted");
    assert_eq!(world.var("SILENCE_BROKEN"), "false");
    world.told("Told package risky").expect("not asked again");
    assert_eq!(world.state.variant(), "Opening");
}

#[test]
fn nothing_stops_a_silent_flow_between_its_confirmation_and_its_report() {
    let mut world = developing();
    finish(&mut world);
    let asked = world.events.iter().filter(|event| event.name() == "QuestionAsked").count();
    assert_eq!(asked, 1, "only the confirmation");
}

#[test]
fn tools_nest_and_leave_from_the_top() {
    let mut world = World::new();
    world.types(TWEAK).expect("starts");
    let tool = |name: &str| Command::ToolOpened {
        name: name.into(),
        kind: "agent".into(),
        caller: Caller::InStage,
        input: String::new(),
        call: None,
        setup: setup().into(),
    };
    let close = |name: &str| Command::ToolClosed { name: name.into(), ok: true, cancelled: false };
    let mut seen = Vec::new();
    for command in [tool("A"), tool("B"), close("B"), close("A")] {
        world.by(By::Engine, command).expect("nested");
        seen.push((world.var("TOOL_NESTING"), world.var("SUSPENDED_STAGE")));
    }
    let told: Vec<(&str, &str)> = seen.iter().map(|(n, s)| (n.as_str(), s.as_str())).collect();
    let stage = "EVALUATE";
    assert_eq!(told, [("0", stage), ("1", stage), ("0", stage), ("0", "null")]);
    world.by(By::Engine, tool("A")).expect("again");
    assert_eq!(reason(world.by(By::Engine, close("B"))), "not_top_frame");
}

#[test]
fn words_approve_nothing_that_shows_a_risk() {
    let mut world = World::new();
    let risky = "delete rows with `DELETE FROM users` in src/db.rs, it should return 0 and errors \
         must show in tests";
    world.run(Name::Auto, risky).expect("starts");
    assert_eq!(world.kind(), "complexity");
    world.types("ok").expect("only words");
    world.told("Told words").expect("answered");
    assert_eq!(world.state.variant(), "Confirming");
    let mut world = World::new();
    let yes = Setup { yes: true, ..setup() };
    world.run_with(Name::Auto, risky, yes.clone()).expect("starts");
    assert_eq!(world.state.variant(), "Confirming", "--yes says nothing about a risk");
    let mut world = World::new();
    world.run_with(Name::Auto, LIGHT, yes).expect("starts");
    assert_eq!(world.state.variant(), "Gathering");
}

#[test]
fn an_approval_is_for_what_was_shown() {
    let mut world = World::new();
    world.types(LIGHT).expect("starts");
    world.answer("start").expect("confirmed");
    for label in ["Told kb ok", "Told words", "Told draft", "Told report done"] {
        world.told(label).expect(label);
    }
    world.told("Told package executable").expect("checked");
    world.types("looks good").expect("only words");
    world.told("Told words").expect("answered");
    assert_eq!(world.state.variant(), "Approving");
    let question = world.state.life().expect("open").questions()[0].id.clone();
    let stale = Command::Answer {
        question: question.clone(),
        key: "run".into(),
        text: None,
        hash: Some("old".into()),
    };
    assert_eq!(reason(world.by(By::Person, stale)), "stale_approval");
    world.answer("run").expect("approved");
    world.told("Told package changed").expect("changed since");
    assert_eq!(world.state.variant(), "Checking", "checked and asked again");
}

#[test]
fn agents_start_answer_and_cancel_nothing() {
    let agent = || By::Agent { call: "call-1".into() };
    let mut world = developing();
    let run = super::super::samples::run(Name::Auto, "x", setup());
    assert_eq!(reason(world.by(agent(), run)), "needs_person");
    let answer =
        Command::Answer { question: "q/1".into(), key: "x".into(), text: None, hash: None };
    assert_eq!(reason(world.by(agent(), answer)), "needs_person");
    let cancel = Command::Cancel { undo: false, all: true };
    assert_eq!(reason(world.by(agent(), cancel)), "needs_person");
}

#[test]
fn a_child_that_asks_breaks_silence() {
    let mut world = developing();
    let slot = super::super::slots(world.state.life().expect("open"))[0].0.clone();
    let asking = Vec::from([ChildAsking { id: "q".into(), stop: Stop::SBlocked }]);
    let now = Command::ChildNow { slot, asking, held: false };
    world.by(By::Engine, now.clone()).expect("asked");
    assert_eq!(world.var("SILENCE_BROKEN"), "true");
    assert_eq!(world.var("EXEC_STATUS"), "WAITING");
    assert!(world.by(By::Engine, now).expect("known").is_empty());
}

#[test]
fn another_branch_interrupts_and_nothing_is_written_there() {
    let mut world = developing();
    world.by(By::Engine, Command::Noticed { key: "git:other".into() }).expect("noticed");
    assert_eq!((world.state.variant(), world.kind()), ("Held", "interrupted"));
    assert_eq!(world.var("EXEC_STATUS"), "ERROR");
    let life = world.state.life().expect("open");
    assert!(super::super::slots(life).is_empty());
    world.answer("continue").expect("back");
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn what_is_refused() {
    let mut world = World::new();
    assert_eq!(reason(world.types("~foo bar")), "unknown_command");
    assert_eq!(reason(world.types("~auto x ~plan y")), "ambiguous_command");
    let cancel = || Command::Cancel { undo: false, all: false };
    assert_eq!(reason(world.by(By::Person, cancel())), "not_now");
    let long = "x".repeat(70_000);
    assert_eq!(reason(world.types(&long)), "invalid_args");
    let answer =
        Command::Answer { question: "q/1".into(), key: "x".into(), text: None, hash: None };
    assert_eq!(reason(world.by(By::Person, answer)), "question_closed");
    let undo = Command::Cancel { undo: true, all: false };
    let mut world = developing();
    assert_eq!(reason(world.by(By::Person, undo)), "use_rollback");
    let mut world = World::new();
    let bare = Setup { designer: None, ..setup() };
    world.run_with(Name::Auto, LIGHT, bare).expect("starts");
    assert_eq!(reason(world.answer("silent")), "no_agent");
    let other = Command::Told { slot: "x".into(), outcome: super::super::Outcome::Stopped };
    assert_eq!(reason(world.by(By::Engine, other)), "not_owed");
    let mut world = World::new();
    world.types("what is it").expect("once");
    let again = super::super::samples::typed("fix src/a.rs", "i1", setup());
    assert!(world.by(By::Person, again).expect("routed once").is_empty());
}

#[test]
fn a_score_below_the_gate_asks_and_is_waived_by_a_person() {
    let mut world = World::new();
    world.run(Name::Auto, "帮我做个待办事项网站").expect("starts");
    assert_eq!((world.kind(), world.var("SILENCE_BROKEN").as_str()), ("clarify", "true"));
    world.answer("proceed").expect("waived");
    assert_eq!(world.kind(), "complexity");
    let path = world.events.iter().find_map(|event| {
        let Event::Judged { judged } = event else { return None };
        Some(judged.path.word())
    });
    assert_eq!(path, Some("standard"));
    assert!(world.events.iter().any(|event| event.name() == "Waived"));
}

#[test]
fn a_registered_tool_is_called_by_its_prefix() {
    use super::super::{Frame, Registered};
    let tool = Registered {
        name: "todo".into(),
        prefix: "/todo".into(),
        argv: ["grep", "-rn"].map(Into::into).into(),
        deadline_ms: 1000,
    };
    let with = || Setup { tools: [tool.clone()].into(), ..setup() };
    let typed = |world: &mut World, text: &str, id: &str| {
        let (text, input_id, setup) = (text.into(), id.into(), with().into());
        world.by(By::Person, Command::Say { text, input_id, meant: Vec::new(), setup })
    };
    let mut world = World::new();
    assert_eq!(reason(typed(&mut world, "/todo 'a", "i1")), "invalid_args");
    assert_eq!(reason(typed(&mut world, "/todo a; b", "i2")), "invalid_args");
    typed(&mut world, "/todo 'to do' src", "i3").expect("called");
    let life = world.state.life().expect("open");
    let Some(Frame::Tool(called)) = life.frames().last() else { panic!("no frame") };
    assert_eq!(called.argv, ["grep", "-rn", "to do", "src"]);
    assert_eq!(world.var("ACTIVE_TOOL"), "todo");
    world.told("Told done").expect("ended");
    assert_eq!(world.state.name(), "Idle");
    typed(&mut world, "/todos x", "i4").expect("words");
    assert!(matches!(world.state.life().expect("open").frames(), [Frame::Chat(_)]));

    // Above a flow it holds the flow, and a person says whether that goes on.
    let mut world = developing();
    typed(&mut world, "/todo", "i5").expect("called");
    assert_eq!((world.var("SUSPENDED_STAGE").as_str(), world.kind()), ("DEVELOP", "none"));
    world.told("Told failed").expect("ended");
    assert_eq!(world.kind(), "tool_failed");
    assert_eq!(world.var("SILENCE_BROKEN"), "true");
    world.answer("continue").expect("went on");
    assert_eq!(world.kind(), "resume_stage");
    world.answer("resume").expect("resumed");
    assert_eq!(world.state.variant(), "Running");
}

#[test]
fn a_tool_that_ends_below_another_frame_waits_for_its_turn() {
    let mut world = developing();
    let tool = Command::ToolOpened {
        name: "codex".into(),
        kind: "agent".into(),
        caller: Caller::UserInterrupt,
        input: "look".into(),
        call: None,
        setup: setup().into(),
    };
    world.by(By::Person, tool).expect("called");
    let slots = super::super::slots(world.state.life().expect("open"));
    let slot = slots.last().expect("owed").0.clone();
    world.run(Name::Validate, "").expect("beside");
    let outcome = super::super::Outcome::Stopped;
    world.by(By::Engine, Command::Told { slot: slot.clone(), outcome }).expect("ended");
    let again = Command::Told { slot, outcome: super::super::Outcome::Stopped };
    assert_eq!(reason(world.by(By::Engine, again)), "not_owed", "told once");
    world.told("Told validate").expect("looked");
    world.answer("cancel").expect("left");
    assert_eq!(world.kind(), "resume_stage", "the tool's turn");
}

#[test]
fn an_input_is_heard_once_at_every_door() {
    let mut world = World::new();
    let run = || {
        let (text, flags, setup) = (String::new(), Vec::new(), setup().into());
        Command::Run { name: Name::Init, text, flags, input_id: "same".into(), setup }
    };
    assert!(!world.by(By::Person, run()).expect("starts").is_empty());
    assert!(world.by(By::Person, run()).expect("heard before").is_empty());
}

#[test]
fn several_designers_are_asked_at_once() {
    use super::super::{Ask, owed};
    use crate::owed::{ChildAsk, Owed};
    let several = Setup { designers: ["codex".into(), "gemini".into()].into(), ..setup() };
    let mut world = World::new();
    world.run_with(Name::Plan, LIGHT, several).expect("starts");
    world.answer("silent").expect("confirmed");
    world.told("Told kb ok").expect("looked");
    world.told("Told words").expect("read");
    let asked = owed(&world.state).into_iter().any(|one| match one {
        Owed::Child { ask: ChildAsk::Session(ask), .. } => {
            matches!(*ask, Ask::Several { context: Some(_), .. })
        }
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            false
        }
    });
    assert!(asked, "one question to all of them, with what was read");
    // What they ask a person while a flow is silent is a stop, and is kept for the report.
    let slot = super::super::slots(world.state.life().expect("open"))[0].0.clone();
    let asking = Vec::from([ChildAsking { id: "c/q".into(), stop: Stop::SChild }]);
    world.by(By::Engine, Command::ChildNow { slot, asking, held: false }).expect("asks");
    assert_eq!(world.var("SILENCE_BROKEN"), "true");
    world.told("Told draft").expect("answered");
    assert_eq!(world.var("SILENCE_BROKEN"), "false");
    let Base::Flow { flow, .. } = world.state.life().expect("open").base() else { panic!() };
    let stops: Vec<&str> = flow.stops.iter().map(|one| one.stop.code()).collect();
    assert_eq!(stops, ["S_CONFIRM", "S_CHILD"]);
}
