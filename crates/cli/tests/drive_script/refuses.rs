//! What can't be played is refused with a reason: bad files with their line, prompts no rule fits,
//! calls that are none.

use runtime::agents::script::scenario;
use runtime::words::Lang;

use crate::kit::{Agent, exe, feed};

const HEAD: &str = "[[rule]]\nwhen = 'x'\nsteps = [\n";

/// What is wrong stands on this line; the sentence names this.
#[test]
fn bad_scenarios_are_refused_with_line_and_reason() {
    let in_steps = |step: &str| format!("{HEAD}  \"end\",\n  {step},\n]\n");
    let table = [
        ("".to_owned(), 0, "no rule"),
        ("[[rule]\n".into(), 1, "not readable as TOML"),
        ("\n\nrules = 1\n".into(), 3, "unknown key or step rules; nearest: rule"),
        ("[[rule]]\nwhen = 'x'\n".into(), 1, "steps is missing"),
        ("[[rule]]\nwhen = '('\nsteps = []\n".into(), 2, "when is no regular expression: unclosed"),
        ("[[rule]]\nlaunch = 0\nsteps = []\n".into(), 2, "launch must be a whole number, 1 to"),
        ("[[rule]]\ndialect = 'opencode'\nsteps = []\n".into(), 2, "dialect wants one of stream/1"),
        ("[[rule]]\nsteps = []\nwehn = 'x'\n".into(), 3, "unknown key or step wehn; nearest: when"),
        ("effects = 3\n[[rule]]\nsteps = []\n".into(), 1, "effects wants \"text\""),
        (in_steps("\"ende\""), 5, "unknown key or step ende; nearest: end"),
        (in_steps("\"say\""), 5, "say wants a value"),
        (in_steps("{ say = 1 }"), 5, "say wants \"text\""),
        (in_steps("{ say = 'a', delta = 'b' }"), 5, "one step each"),
        (in_steps("{ end = false }"), 5, "end wants true"),
        (in_steps("{ say = '${HOME}' }"), 5, "unknown variable HOME; known: CWD, PROMPT"),
        (in_steps("{ flod = 1 }"), 5, "unknown key or step flod; nearest: flood"),
        (in_steps("{ flood = { line_bytes = 3 } }"), 5, "flood.bytes is missing"),
        (in_steps("{ flood = { bytes = -1 } }"), 5, "bytes must be a whole number"),
        (in_steps("{ flood = { bytes = 1, stream = 'x' } }"), 5, "one of stdout, stderr"),
        (in_steps("{ exit = 256 }"), 5, "exit must be a whole number, 0 to 255"),
        (in_steps("{ signal = 0 }"), 5, "signal must be a whole number, 1 to 64"),
        (in_steps("{ write = { path = '../a', text = '' } }"), 5, "path leads out"),
        (in_steps("{ delete = '/etc/passwd' }"), 5, "delete leads out"),
        (in_steps("{ run = [] }"), 5, "run wants [\"program\""),
        (in_steps("{ run = 'ls' }"), 5, "run wants [\"program\""),
        (
            in_steps("{ error = { status = 200, message = 'a' } }"),
            5,
            "status must be a whole number",
        ),
        (in_steps("{ error = { status = 429 } }"), 5, "error.message is missing"),
        (in_steps("{ tool = { name = 'a', status = 'done' } }"), 5, "open, ok, failed, denied"),
        (in_steps("{ usage = { cost_usd = 0.12345678 } }"), 5, "cost_usd wants 0.0125"),
        (in_steps("{ raw = [256] }"), 5, "raw must be a whole number, 0 to 255"),
        (in_steps("{ retry = { atempt = 1 } }"), 5, "unknown key or step atempt; nearest: attempt"),
    ];
    for (text, line, reason) in table {
        let agent = Agent::new(&text);
        let error = scenario::load(agent.scenario()).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.to_string().contains(reason), "{text}: {error}");
        assert_ne!(error.say(Lang::Zh), error.say(Lang::En));
        let ran = agent.run();
        assert_eq!(ran.code, Some(2), "{text}");
        assert!(ran.stderr.contains(reason), "{text}: {ran:?}");
        let event = &ran.events()[0];
        assert_eq!((&event["t"], &event["kind"]), (&"error".into(), &"scenario".into()), "{text}");
    }
}

#[test]
fn a_scenario_that_is_not_there_is_refused() {
    let agent = Agent::new("");
    std::fs::remove_file(agent.scenario()).unwrap();
    let ran = agent.run();
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("can't be read"), "{ran:?}");
}

#[test]
fn the_first_rule_that_fits_is_played_and_no_other() {
    let scenario = r#"
        [[rule]]
        when = '(?i)^task .*plan'
        launch = 2
        steps = [{ say = "plan 2" }, "end"]
        [[rule]]
        when = '(?i)plan'
        steps = [{ say = "plan" }, "end"]
        [[rule]]
        when = '审查'
        steps = [{ say = "review" }, "end"]
    "#;
    let table = [
        ("Task one: PLAN it", 2, "plan 2"),
        ("Task one: PLAN it", 1, "plan"),
        ("请审查", 9, "review"),
    ];
    for (prompt, launch, said) in table {
        let ran = Agent::new(scenario).prompt(prompt).launch(launch).run();
        assert!(ran.stdout.contains(&format!("\"text\":\"{said}\"")), "{prompt}: {ran:?}");
    }
}

#[test]
fn a_prompt_no_rule_fits_is_an_error_in_the_scenarios_dialect() {
    let table = [
        ("", 1, r#"{"t":"error","kind":"no_rule""#),
        ("dialect = 'codex'\n", 1, r#"{"type":"turn.failed""#),
        ("dialect = 'gemini'\n", 1, r#""status":"error""#),
    ];
    for (head, code, words) in table {
        let scenario = format!("{head}[[rule]]\nwhen = 'never'\nsteps = [\"end\"]\n");
        let ran = Agent::new(&scenario).launch(4).run();
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stdout.lines().last().unwrap().contains(words), "{ran:?}");
        assert!(ran.stderr.contains("fits this prompt at launch 4"), "{ran:?}");
    }
}

#[test]
fn a_directory_that_is_no_call_is_refused() {
    let agent = Agent::steps("stream/1", "\"end\"");
    let mut command = agent.command();
    std::fs::remove_file(agent.call_dir().join("request.json")).unwrap();
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no call directory"));
}

#[test]
fn arguments_that_are_none_are_refused() {
    for words in [&["drive"][..], &["drive", "acp"], &["drive", "script"], &["drive", "rest"]] {
        let mut command = std::process::Command::new(exe());
        command.args(words);
        assert_eq!(feed(command, "").code, Some(2), "{words:?}");
    }
}
