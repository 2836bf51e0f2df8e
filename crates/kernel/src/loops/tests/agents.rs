//! What a loop asks of agents: who, how much, in which words, and how it asks again.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::samples::sample_settings;
use super::super::*;
use super::world::*;
use crate::agent::{Access, Ask, Issue, Kind as Adapter, Part};
use crate::call::{Foreign, Request};
use crate::machine::By;
use crate::owed::{ChildAsk, Owed};
use crate::policy::Backing;
use crate::turn::Profile;

fn agents() -> Vec<Agent> {
    let of = |name: &str, kind, model: Option<&str>| Agent {
        name: name.into(),
        kind,
        talk: None,
        model: model.map(String::from),
        idle_ms: (kind == Adapter::Gemini).then_some(300_000),
    };
    vec![of("gemini", Adapter::Gemini, Some("flash")), of("mine", Adapter::Command, None)]
}

fn settings(default_tool: &str, lang: &str) -> Settings {
    Settings {
        agents: agents(),
        default_tool: default_tool.into(),
        lang: lang.into(),
        ..sample_settings()
    }
}

/// A loop without tasks, at its breakdown.
fn breaking_down(default_tool: &str, lang: &str) -> World {
    let settings = settings(default_tool, lang);
    World::started(Setup { tasks: 0, settings, ..Setup::default() })
}

/// A loop at the work of one task.
fn working(tool: &str, mode: TaskMode, template: Option<&str>) -> World {
    let settings = settings("gemini", "en");
    let mut world = World::made(&Setup { tasks: 0, ..Setup::default() });
    let bash = bash_task(1);
    let (command, run) = if tool == "bash" { (bash.command, bash.run) } else { (None, None) };
    let prompt_template = template.map(String::from);
    let task = NewTask { tool: tool.into(), mode, command, run, prompt_template, ..bash_task(1) };
    world.ok(Command::AddTask { task, place: Place::Last });
    world.ok(start(&Setup { settings, ..Setup::default() }));
    world
}

/// The slot and what is asked of the child that is owed.
fn asked(world: &World) -> (String, Request) {
    let first = owed(&world.state).remove(0);
    let Owed::Child { slot, ask: ChildAsk::Call(request), .. } = first else {
        panic!("no call: {first:?}");
    };
    (slot, *request)
}

fn told(ask: &Ask) -> String {
    let text = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Answer { call, sha256, bytes_max } => format!("<{call} {sha256} {bytes_max}>"),
    };
    ask.prompt.iter().map(text).collect()
}

#[test]
fn who_is_asked_for_a_task() {
    use TaskMode::{Analysis, Review, Write};
    let table = [
        ("bash", Write, "run: make step1"),
        ("bash", Analysis, "run: make step1"),
        ("gemini", Analysis, "agent: gemini read flash"),
        ("gemini", Review, "agent: gemini read flash"),
        ("mine", Analysis, "agent: mine read -"),
        ("codex", Analysis, "agent: codex is not there"),
    ];
    for (tool, mode, expected) in table {
        let (slot, request) = asked(&working(tool, mode, None));
        assert!(slot.ends_with("/work"), "{slot}");
        let what = match &request.agent {
            Some(ask) => {
                assert_eq!((ask.access, &ask.schema), (Access::Read, &None));
                format!("{} read {}", ask.agent, ask.model.as_deref().unwrap_or("-"))
            }
            None if request.name == "agent" => format!("{} is not there", request.argv[0]),
            None => request.argv.join(" "),
        };
        assert_eq!(format!("{}: {what}", request.name), expected, "{tool} {mode:?}");
    }
}

#[test]
fn what_changes_files_is_a_turns() {
    let world = working("gemini", TaskMode::Write, Some("Do {x}"));
    let Owed::Child { slot, ask: ChildAsk::NewTurn(wish), .. } = owed(&world.state).remove(0)
    else {
        panic!("no turn");
    };
    assert!(slot.ends_with("/work"), "{slot}");
    assert_eq!((wish.profile, wish.agents), (Profile::Loop, vec![String::from("gemini")]));
    assert!(wish.request.contains("Do {x}") && wish.request.contains("Prove it"));
}

/// A loop whose only check is red, at its debugging.
fn debugging(lang: &str) -> World {
    let settings = Settings { debug_rounds_max: 1, ..settings("gemini", lang) };
    let mut world = World::started(Setup { tasks: 1, settings, ..Setup::default() });
    world.good();
    while matches!(world.leg(), (_, Leg::Check(_))) {
        world.end(red());
    }
    assert_eq!(world.leg().1, Leg::Explore);
    world
}

#[test]
fn each_leg_of_debugging_asks_for_what_it_needs() {
    for (lang, words) in [
        ("en", ["say what the cause could be", "Add logging", "Judge each hypothesis"]),
        ("zh-CN", ["说明可能的原因", "加入日志", "判断下面的每个假设"]),
    ] {
        let mut world = debugging(lang);
        let (_, request) = asked(&world);
        let ask = request.agent.expect("an agent");
        assert_eq!(ask.schema.as_deref(), Some(EXPLORE_SCHEMA));
        assert!(told(&ask).contains(words[0]), "{}", told(&ask));
        world.good();
        let first = owed(&world.state).remove(0);
        let Owed::Child { ask: ChildAsk::NewTurn(wish), .. } = first else { panic!("{first:?}") };
        assert!(wish.request.contains(words[1]) && wish.request.contains("H1"), "{wish:?}");
        world.began();
        world.good();
        let (_, request) = asked(&world);
        assert_eq!((request.name.as_str(), &*request.collect), ("run", &[DEBUG_LOG.into()][..]));
        let mark = Mark { hid: "H1".into(), lines: 3, samples: vec!["sample".into()] };
        let tail = "the end of it".into();
        let seen = Seen { tail, marks: vec![mark], ..Seen::default() };
        world.end(LegEnd::Ok(Gave::Reproduced(Box::new(seen))));
        let (_, request) = asked(&world);
        let ask = request.agent.expect("an agent");
        assert_eq!(ask.schema.as_deref(), Some(ANALYZE_SCHEMA));
        for part in [words[2], "H1", "the end of it", "sample"] {
            assert!(told(&ask).contains(part), "{part} is not in {}", told(&ask));
        }
        world.good();
        for left in [true, false] {
            let first = owed(&world.state).remove(0);
            let Owed::Child { ask: ChildAsk::TakeBack { run, foreign }, .. } = first else {
                panic!("{first:?}")
            };
            assert_eq!(foreign, Foreign::Keep, "what others changed since is left to them");
            assert!(
                run.ends_with("-instrument"),
                "the last of it is taken back until nothing is left"
            );
            world.end(LegEnd::Ok(restored(left, &[])));
        }
        assert_ne!(world.state.awaited().map(|(_, _, leg)| leg), Some(Leg::Restore));
    }
}

#[test]
fn an_analysis_is_told_its_template_or_its_description() {
    for (template, expected) in [(None, "Step 1"), (Some("Count {x}"), "Count {x}")] {
        let (_, request) = asked(&working("gemini", TaskMode::Analysis, template));
        let told = told(&request.agent.expect("an agent"));
        assert!(told.contains(&format!("Task:\n{expected}\n")), "{told}");
        assert!(told.contains("Prove it") && told.contains("change no file"), "{told}");
    }
}

#[test]
fn a_breakdown_is_asked_for_in_the_language_of_the_run() {
    for (lang, words) in [("en", "Break the work below down into 3-7"), ("zh-CN", "3-7 个")] {
        let (slot, request) = asked(&breaking_down("gemini", lang));
        assert!(slot.ends_with("/breakdown"), "{slot}");
        let ask = request.agent.expect("an agent");
        assert_eq!((ask.access, ask.lang.as_str()), (Access::Read, lang));
        assert_eq!(ask.schema.as_deref(), Some(BREAKDOWN_SCHEMA));
        let told = told(&ask);
        for part in [words, "Test", "Prove it", BREAKDOWN_SCHEMA] {
            assert!(told.contains(part), "{lang}: {part} is not in {told}");
        }
    }
    let (_, request) = asked(&breaking_down("codex", "en"));
    assert_eq!((request.agent, request.argv), (None, vec!["codex".into()]), "nobody of that name");
}

#[test]
fn the_schema_is_canonical_and_has_the_bounds_of_the_list() {
    let schema: serde_json::Value = serde_json::from_str(BREAKDOWN_SCHEMA).expect("JSON");
    assert_eq!(
        crate::hash::of_json(&schema),
        crate::hash::sha256_hex(BREAKDOWN_SCHEMA.as_bytes()),
        "as it stands, sorted and without blanks"
    );
    let tasks = &schema["properties"]["tasks"];
    let number = |n: usize| serde_json::Value::from(n);
    assert_eq!((&tasks["minItems"], &tasks["maxItems"]), (&number(1), &number(BREAKDOWN_MAX)));
    let longest = &tasks["items"]["properties"]["description"]["maxLength"];
    assert_eq!(longest, &number(DESCRIPTION_MAX));
}

fn unusable(session: Option<&str>) -> LegEnd {
    let issue = |n: usize| Issue {
        pointer: format!("/tasks/{n}"),
        expected: "an object".into(),
        found: "a string".into(),
    };
    let bad = BadAnswer {
        call: "call-1".into(),
        session: session.map(String::from),
        sha256: "abcd".into(),
        issues: (0..30).map(issue).collect(),
    };
    LegEnd::Unusable { failure: failure("E_MODEL"), bad: Some(Box::new(bad)) }
}

#[test]
fn an_unusable_answer_is_asked_for_once_more() {
    let table = [
        ("gemini", Some("s-1"), Some("s-1"), false),
        ("gemini", None, None, true),
        ("mine", Some("s-1"), None, true),
    ];
    for (tool, session, resume, whole) in table {
        let mut world = breaking_down(tool, "en");
        let first = asked(&world).1;
        world.began();
        assert_eq!(world.end(unusable(session)), ["LegEnded", "LegChosen"]);
        let (slot, again) = asked(&world);
        assert!(slot.ends_with("/breakdown.r1"), "{slot}");
        assert_eq!(again.deadline_ms, first.deadline_ms);
        let idle_ms = (tool == "gemini").then_some(300_000);
        assert_eq!((first.idle_ms, again.idle_ms), (idle_ms, idle_ms), "{tool}");
        let ask = again.agent.expect("an agent");
        assert_eq!(ask.resume.as_deref(), resume, "{tool} {session:?}");
        let old = told(&first.agent.expect("an agent"));
        let told = told(&ask);
        assert_eq!(told.starts_with(&old) && told.contains("<call-1 abcd 32768>"), whole, "{told}");
        assert!(told.contains("- /tasks/19: expected an object, found a string"), "{told}");
        assert!(!told.contains("/tasks/20:") && told.contains(BREAKDOWN_SCHEMA), "{told}");
        assert_eq!(ask.schema.as_deref(), Some(BREAKDOWN_SCHEMA));
    }
}

#[test]
fn what_comes_of_the_second_answer() {
    let ready = || {
        let mut world = breaking_down("gemini", "en");
        world.end(unusable(Some("s-1")));
        world
    };
    let mut world = ready();
    world.good();
    assert_eq!(world.standing(), "develop A5");
    assert_eq!(world.body().tasks.len(), 3);
    assert!(world.body().tasks.iter().all(|task| task.origin == Origin::Breakdown));
    let mut world = ready();
    assert_eq!(world.end(unusable(None)), ["LegEnded", "ActionEnded", "ActionChosen"]);
    assert_eq!((world.standing().as_str(), world.body().errors_in_row), ("init A2", 1));
    assert!(asked(&world).1.agent.expect("an agent").resume.is_none(), "it begins anew");
    world.end(unusable(None));
    world.end(unusable(None));
    world.end(unusable(None));
    world.end(unusable(None));
    assert_eq!(world.standing(), "failed(error)", "three inits that failed");
}

#[test]
fn a_breakdown_gives_one_to_twenty_tasks() {
    for (given, standing) in
        [(0, "init A2"), (1, "develop A5"), (20, "develop A5"), (21, "init A2")]
    {
        let mut world = breaking_down("gemini", "en");
        let tasks: Vec<NewTask> = (0..given).map(bash_task).collect();
        let facts = world.end(LegEnd::Ok(Gave::Tasks(tasks)));
        assert_eq!(world.standing(), standing, "{given}");
        let again = ["LegEnded", "LegChosen"].as_slice();
        assert_eq!(facts == again, standing == "init A2", "{given}: asked once more");
    }
}

#[test]
fn only_a_person_stands_behind_agents() {
    for (by, expected) in [(By::Person, Backing::Person), (By::Guest, Backing::None)] {
        let setup = Setup::default();
        let mut world = World::made(&setup);
        assert_eq!(world.state.backing(), Backing::None);
        world.say(by, start(&setup)).expect("it starts");
        assert_eq!(world.state.backing(), expected);
    }
}

#[test]
fn reg_a_course_of_an_older_journal_is_read() {
    let world = World::started(Setup::default());
    let mut old = serde_json::to_value(world.body().course().expect("started")).expect("JSON");
    old.as_object_mut().expect("an object").remove("backing");
    let settings = old["settings"].as_object_mut().expect("an object");
    settings.remove("agents");
    settings.remove("lang");
    let read: Course = serde_json::from_value(old).expect("it still folds");
    assert_eq!((read.backing, read.settings.agents.len()), (Backing::None, 0));
    assert_eq!(read.settings.lang, "en");
    let end: LegEnd = serde_json::from_value(serde_json::json!({
        "unusable": { "failure": { "code": "E_MODEL", "kind": "", "detail": "" } }
    }))
    .expect("it still folds");
    assert!(matches!(end, LegEnd::Unusable { bad: None, .. }));
}
