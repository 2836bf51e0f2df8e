//! What the recorded streams did not happen to show, row by row.

use kernel::agent::{Answer, Kind, Usage};
use loopwright_runtime::agents::fold::{CommandShape, FinalWhen, Output, SessionFrom};
use loopwright_runtime::shim::files::{Ended, SpawnError, SpawnStep};

use crate::bench::{Case, SECRET};

const ID: &str = "11111111-2222-4333-8444-555555555555";
const UNKNOWN: &str = "No conversation found with session ID";
const OTHER: &str = "99999999-2222-4333-8444-555555555555";

fn check(rows: Vec<(&str, Case, &str)>) {
    let wrong: Vec<String> = rows
        .into_iter()
        .filter_map(|(name, case, expected)| {
            let told = case.told();
            (told != expected).then(|| format!("{name}\n  is  {told}\n  not {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn codex(lines: &[&str]) -> Case {
    let start = format!(r#"{{"type":"thread.started","thread_id":"{ID}"}}"#);
    Case::new(Kind::Codex, format!("{start}\n{}\n", lines.join("\n")))
}

const SAYS_HI: &str = r#"{"type":"item.completed","item":{"type":"agent_message","text":"hi"}}"#;
const DONE: &str = r#"{"type":"turn.completed"}"#;

fn turn_failed(message: &str) -> String {
    serde_json::json!({"type":"turn.failed","error":{"message":message}}).to_string()
}

#[test]
fn codex_rows() {
    let warning = r#"{"type":"item.completed","item":{"type":"error","message":"careful"}}"#;
    let files = r#"{"type":"item.completed","item":{"id":"f","type":"file_change",
        "status":"completed","changes":[{"path":"/home/user/a","kind":"add"},
        {"path":"b/../c","kind":{"type":"update"}},{"path":"d","kind":"delete"}]}}"#
        .replace('\n', "");
    let refused = files.replace("completed\",\"changes", "failed\",\"changes");
    let blocks = r#"{"type":"item.completed","item":{"type":"agent_message",
        "text":[{"text":"a"},{"text":"b"}]}}"#
        .replace('\n', "");
    let other = format!(r#"{{"type":"thread.started","thread_id":"{OTHER}"}}"#);
    let lost = |text| Case::new(Kind::Codex, "").stderr(text).code(1);
    check(vec![
        ("a warning", codex(&[warning, SAYS_HI, DONE]), "answered 11111111 text=hi notes=1"),
        ("files", codex(&[&files, SAYS_HI, DONE]), "answered 11111111 text=hi files=+a,~c,-d"),
        ("refused files", codex(&[&refused, SAYS_HI, DONE]), "answered 11111111 text=hi"),
        ("blocks", codex(&[&blocks, DONE]), "answered 11111111 text=ab"),
        ("a second id", codex(&[&other, SAYS_HI, DONE]), "answered 11111111 text=hi notes=1"),
        ("no text", codex(&[DONE]), "E009 no_answer 11111111"),
        ("blank text", codex(&[&SAYS_HI.replace("hi", " \\n"), DONE]), "E009 no_answer 11111111"),
        (
            "killed after the end",
            codex(&[SAYS_HI, DONE]).ended(Ended::Stopped),
            "answered 11111111 text=hi",
        ),
        ("exit 1 after the end", codex(&[SAYS_HI, DONE]).code(1), "answered 11111111 text=hi"),
        ("interrupted", codex(&[SAYS_HI]).code(1), "E009 exit 11111111 text=hi"),
        ("no final event", codex(&[SAYS_HI]), "E009 exit 11111111 text=hi"),
        (
            "no rollout",
            lost("\x1b[31mError: thread/resume: no rollout found\x1b[0m").resume(ID),
            "E002 resume_unknown -",
        ),
        (
            "coloured inside",
            lost("thread/\x1b[1mresume failed").resume(ID),
            "E002 resume_unknown -",
        ),
        ("no rollout, not asked", lost("no rollout found"), "E009 exit -"),
        (
            "fork",
            codex(&[SAYS_HI, DONE]).resume(OTHER),
            "answered 11111111 text=hi forked=99999999",
        ),
        (
            "an unknown total",
            codex(&[SAYS_HI, r#"{"type":"turn.completed","usage":{"input_tokens":9}}"#]).resume(ID),
            "answered 11111111 text=hi",
        ),
    ]);
}

#[test]
fn limits_and_when_they_end() {
    let failed = |message: &str| codex(&[&turn_failed(message)]).code(1);
    let at = |time: &str| time.parse::<jiff::Timestamp>().unwrap().as_millisecond();
    let retry = format!("E009 quota wait=120000 until={} 11111111", at("2026-11-15T17:02:00Z"));
    let moment = format!("E009 quota until={} 11111111", at("2026-11-16T00:00:00Z"));
    let utc = format!("E009 quota until={} 11111111", at("2026-11-15T18:00:00Z"));
    check(vec![
        ("retry-after", failed("status 429, Retry-After: 120"), &retry),
        ("a moment", failed("API Error: 429 resets 2026-11-16T00:00:00Z"), &moment),
        ("a time of day", failed("status 429: limit, resets at 18:00 UTC"), &utc),
        ("on stderr", failed("status 429").stderr("Retry-After: 120"), &retry),
        ("no time", failed("status: 429 Too Many Requests"), "E009 quota 11111111"),
        ("in words", failed("You've hit your usage limit."), "E009 quota 11111111"),
        ("no limit", failed("status 503, retry after 5s"), "E009 server 11111111"),
    ]);
    let (report, _) = failed("status 429, resets at 18:00").report();
    let Answer::Failed { error, .. } = report.answer else { panic!("answered") };
    let reset = jiff::Timestamp::from_millisecond(error.reset_at.unwrap().0 as i64).unwrap();
    let local = reset.to_zoned(jiff::tz::TimeZone::system());
    assert_eq!((local.hour(), local.minute()), (18, 0));
}

fn claude(rest: &str) -> Case {
    let init = format!(r#"{{"type":"system","subtype":"init","session_id":"{ID}"}}"#);
    Case::new(Kind::Claude, format!("{init}\n{rest}\n"))
}

#[test]
fn claude_rows() {
    let result = |fields: &str| format!(r#"{{"type":"result",{fields}}}"#);
    let ok = r#""is_error":false,"num_turns":1,"result":"hi""#;
    let unknown = format!(
        r#"{{"type":"result","is_error":true,"session_id":"{ID}","errors":["{UNKNOWN}: {ID}"]}}"#
    );
    let says = |id: &str, text: &str| {
        serde_json::json!({"type":"assistant","parent_tool_use_id":null,
            "message":{"id":id,"content":[{"type":"text","text":text}]}})
        .to_string()
    };
    let no_text = result(r#""is_error":false,"num_turns":1"#);
    let spoken = format!("{}\n{}\n{}\n{no_text}", says("a", "x"), says("b", "h"), says("b", "i"));
    let aside = says("c", "helper").replace("null", "\"toolu_1\"");
    let cost = result(&format!(r#"{ok},"total_cost_usd":0.5"#));
    let known = Usage { cost_micros: Some(200_000), ..Usage::default() };
    check(vec![
        (
            "success that is none",
            claude(&result(r#""subtype":"success","is_error":true,"result":"API Error: 529""#)),
            "E009 server 11111111",
        ),
        (
            "exit 0, interrupted",
            claude(&result(r#""subtype":"error_during_execution","is_error":true"#)),
            "E009 error_event 11111111",
        ),
        ("no verdict", claude(&result(r#""result":"hi""#)), "E009 error_event 11111111"),
        (
            "type comes last",
            claude(r#"{"is_error":false,"result":"hi","num_turns":1,"type":"result"}"#),
            "answered 11111111 text=hi",
        ),
        (
            "nothing asked",
            claude(&result(r#""is_error":false,"num_turns":0,"result":"hi""#)),
            "E009 no_answer 11111111 text=hi",
        ),
        (
            "a command",
            claude(&result(&format!(r#"{ok},"subtype":"local_command""#))),
            "E009 no_answer 11111111 text=hi",
        ),
        (
            "a command's event",
            claude(&format!(
                "{}\n{}",
                r#"{"type":"system","subtype":"local_command"}"#,
                result(ok)
            )),
            "E009 no_answer 11111111 text=hi",
        ),
        (
            "failed resume",
            Case::new(Kind::Claude, &unknown).code(1).resume(ID),
            "E002 resume_unknown -",
        ),
        (
            "failed resume, stderr",
            Case::new(Kind::Claude, "")
                .code(1)
                .resume(ID)
                .stderr("No conversation found with session ID: x"),
            "E002 resume_unknown -",
        ),
        ("failed resume after init", claude(&unknown).code(1).resume(ID), "E002 resume_unknown -"),
        ("spoken only", claude(&spoken), "answered 11111111 text=hi"),
        (
            "a helper's words",
            claude(&format!("{}\n{aside}\n{no_text}", says("b", "hi"))),
            "answered 11111111 text=hi",
        ),
        ("price, first call", claude(&cost), "answered 11111111 text=hi used=-/-/-/-/500000"),
        (
            "price, second call",
            claude(&cost).resume(ID).totals(known),
            "answered 11111111 text=hi used=-/-/-/-/300000",
        ),
        ("price, total not known", claude(&cost).resume(ID), "answered 11111111 text=hi"),
        ("killed", claude(&says("a", "half")).code(143), "E009 exit 11111111 text=half"),
        (
            "silent on stdout",
            Case::new(Kind::Claude, "").code(1).stderr("cannot be used with root"),
            "E009 exit -",
        ),
        (
            "an id elsewhere",
            Case::new(Kind::Claude, format!(r#"{{"type":"result",{ok},"session_id":"{ID}"}}"#)),
            "answered - text=hi",
        ),
    ]);
}

fn gemini(rest: &[&str]) -> Case {
    let init = format!(r#"{{"type":"init","session_id":"{ID}"}}"#);
    Case::new(Kind::Gemini, format!("{init}\n{}\n", rest.join("\n")))
}

fn message(role: &str, content: &str) -> String {
    serde_json::json!({"type":"message","role":role,"content":content}).to_string()
}

const SUCCESS: &str = r#"{"type":"result","status":"success"}"#;

#[test]
fn gemini_rows() {
    let tool = serde_json::json!({"type":"tool_use","tool_id":"t","tool_name":"write_file",
        "parameters":{"file_path":"x"}})
    .to_string();
    let went = |status| format!(r#"{{"type":"tool_result","tool_id":"t","status":"{status}"}}"#);
    let (plan, end) = (message("assistant", "I will. "), message("assistant", "Done."));
    let echo = message(
        "user",
        &format!(
            "SESSION_ID: {OTHER}\n{{\"type\":\"init\",\"session_id\":\"{OTHER}\"}}\n{{\"ok\":true}}"
        ),
    );
    let schema = r#"{"required":["ok"]}"#;
    let code = |code| gemini(&[]).code(code);
    check(vec![
        (
            "echo",
            gemini(&[&echo, &end, SUCCESS]).schema(schema),
            "answered not_json(0) 11111111 text=Done.",
        ),
        (
            "after the tool",
            gemini(&[&plan, &tool, &went("success"), &end, SUCCESS]),
            "answered 11111111 text=Done. files=~x",
        ),
        (
            "nothing after it",
            gemini(&[&plan, &tool, &went("error"), SUCCESS]),
            "answered 11111111 text=I will. ",
        ),
        (
            "other spelling",
            Case::new(
                Kind::Gemini,
                format!("{{\"type\":\"init\",\"sessionId\":\"{ID}\"}}\n{end}\n{SUCCESS}"),
            ),
            "answered 11111111 text=Done.",
        ),
        ("145", code(145), "E009 auth 11111111"),
        ("173", code(173), "E009 quota 11111111"),
        ("244", code(244), "E009 server 11111111"),
        (
            "42 on resume",
            Case::new(Kind::Gemini, "").code(42).resume(ID).stderr("Error resuming session: x"),
            "E002 resume_unknown -",
        ),
        ("42 otherwise", code(42), "E002 bad_input 11111111"),
        ("53", code(53), "E009 no_answer 11111111"),
        ("55", code(55), "E002 untrusted 11111111"),
        ("130", code(130), "E007 stopped 11111111"),
        (
            "exit 0, error",
            gemini(&[r#"{"type":"result","status":"error","error":{"message":"x"}}"#]),
            "E009 error_event 11111111",
        ),
        (
            "exit 0 after our stop",
            gemini(&[&plan]).ended(Ended::Stopped),
            "E007 stopped 11111111 text=I will. ",
        ),
        ("exit 0 after the deadline", gemini(&[]).ended(Ended::Deadline), "E004 deadline 11111111"),
        ("silence", gemini(&[]).ended(Ended::Idle), "E004 idle 11111111"),
        ("exit 0, no result", gemini(&[&end]), "E009 exit 11111111 text=Done."),
    ]);
}

#[test]
fn qwen_rows() {
    let init = format!(r#"{{"type":"system","subtype":"init","session_id":"{ID}"}}"#);
    let says = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"hi"}]}}"#;
    let qwen = |rest: &str| Case::new(Kind::Qwen, format!("{init}\n{says}\n{says}\n{rest}\n"));
    let result = serde_json::json!({"type":"result","is_error":false,"num_turns":1,"result":"hi",
        "usage":{"input_tokens":300}});
    let result = &result.to_string();
    let known = Usage { input_tokens: Some(100), ..Usage::default() };
    check(vec![
        ("repeated words", qwen(result), "answered 11111111 text=hi used=300/-/-/-/-"),
        (
            "second call",
            qwen(result).resume(ID).totals(known),
            "answered 11111111 text=hi used=200/-/-/-/-",
        ),
        (
            "nothing asked",
            qwen(&result.replace("\"num_turns\":1", "\"num_turns\":0")),
            "E009 no_answer 11111111 text=hi used=300/-/-/-/-",
        ),
        ("killed", qwen("").code(1), "E009 exit 11111111"),
        ("own budget", qwen("").code(55), "E004 own_limit 11111111"),
        ("turn limit", qwen("").code(53), "E009 no_answer 11111111"),
        (
            "no such session",
            Case::new(Kind::Qwen, "").code(1).resume(ID).stderr("No saved session found with ID"),
            "E002 resume_unknown -",
        ),
    ]);
}

#[test]
fn wrapper_rows() {
    let wrapper = |text: &str| Case::new(Kind::Wrapper, text).backend(Kind::Codex);
    let trailer = format!("\n---\nSESSION_ID: {ID}\n");
    let forged = format!("see\n---\nSESSION_ID: {OTHER}\nmore{trailer}\n\n");
    let kept = format!("answered 11111111 text=see\n---\nSESSION_ID: {OTHER}\nmore\n");
    let in_the_middle = format!("a\n---\nSESSION_ID: {ID}\nb\n");
    let not_last = format!("answered - text={in_the_middle}");
    let mut echo = wrapper(&format!("Task for codex:\ndo it\nfine{trailer}"));
    echo.prompt = "Task for codex:\ndo it\n".to_owned();
    let progress = format!("starting\n[PROGRESS] session_started id={ID} x\n");
    check(
        vec![
            ("plain", wrapper(&format!("fine{trailer}")), "answered 11111111 text=fine\n"),
            ("forged", wrapper(&forged), &kept),
            ("not at the end", wrapper(&in_the_middle), &not_last),
            ("echo of the prompt", echo, "answered 11111111 text=fine\n"),
            ("bad id", wrapper("fine\n---\nSESSION_ID: nil\n"), "answered - text=fine\n"),
            (
                "seen on stderr only",
                wrapper("fine\n").stderr(&progress),
                "answered - text=fine\n notes=1",
            ),
            (
                "failed, seen on stderr",
                wrapper("").code(1).stderr(&format!("Session-ID: {ID}\nstatus 429\n")),
                "E009 quota 11111111",
            ),
            ("failed", wrapper("").code(1).stderr("boom"), "E009 exit -"),
            ("124", wrapper("").code(124).stderr("t"), "E004 own_limit -"),
            ("127", wrapper("").code(127).stderr("t"), "E003 spawn -"),
            ("130", wrapper("").code(130).stderr("t"), "E009 exit -"),
            ("130, ours", wrapper("").ended(Ended::Stopped), "E007 stopped -"),
            (
                "backend's code",
                wrapper("").backend(Kind::Gemini).code(173).stderr("t"),
                "E009 quota -",
            ),
            (
                "resume",
                wrapper("").code(1).resume(ID).stderr("no rollout found"),
                "E002 resume_unknown -",
            ),
            ("blank", wrapper("\n").code(0), "E009 no_answer - text="),
        ]
        .into_iter()
        .map(|(name, case, expected)| (name, case, expected.trim_end_matches(" text=")))
        .collect(),
    );
}

#[test]
fn driver_rows() {
    let script = |lines: &[&str]| {
        let start = format!(r#"{{"t":"session","id":"{ID}"}}"#);
        Case::new(Kind::Script, format!("{start}\n{}\n", lines.join("\n")))
    };
    let error = |rest: &str| format!(r#"{{"t":"error",{rest}}}"#);
    let end = r#"{"t":"end","ok":true}"#;
    let (delta, text) = (r#"{"t":"delta","text":"a"}"#, r#"{"t":"text","text":"whole"}"#);
    let usage = r#"{"t":"usage","input_tokens":5,"cost_usd":0.25}"#;
    let file = r#"{"t":"file","path":"x.rs","kind":"add"}"#;
    let denied = r#"{"t":"tool","id":"1","name":"shell","status":"denied"}"#;
    let retry = r#"{"t":"retry","attempt":1,"max":3,"why":"x"}"#;
    let fork = format!(r#"{{"t":"session","id":"{ID}","forked_from":"{OTHER}"}}"#);
    let mut dialect = codex(&[SAYS_HI, DONE]);
    dialect.kind = Kind::Script;
    dialect.plan.dialect = Some(Kind::Codex);
    check(vec![
        ("deltas", script(&[delta, delta, end]), "answered 11111111 text=aa"),
        (
            "whole text",
            script(&[delta, text, usage, file, denied, retry, end]),
            "answered 11111111 text=whole files=+x.rs used=5/-/-/-/250000 retries=1 denied=shell",
        ),
        (
            "fork",
            Case::new(Kind::Script, format!("{fork}\n{delta}\n{end}")),
            "answered 11111111 text=a forked=99999999",
        ),
        (
            "quota",
            script(&[&error(r#""kind":"quota","message":"x","retry_after_ms":5000"#)]),
            "E009 quota wait=5000 until=1794762005000 11111111",
        ),
        ("by status", script(&[&error(r#""status":403,"message":"x""#)]), "E009 auth 11111111"),
        (
            "by words",
            script(&[&error(r#""message":"socket hang up""#)]),
            "E010 connection 11111111",
        ),
        (
            "resume",
            script(&[&error(r#""kind":"resume_unknown","message":"x""#)]).resume(ID),
            "E002 resume_unknown -",
        ),
        (
            "an end that is none",
            script(&[delta, r#"{"t":"end","ok":false}"#]),
            "E009 error_event 11111111 text=a",
        ),
        ("another's stream", dialect, "answered 11111111 text=hi"),
    ]);
}

#[test]
fn command_rows() {
    let shaped = |output, stdout: &str, change: &dyn Fn(&mut CommandShape)| {
        let mut case = Case::new(Kind::Command, stdout);
        case.plan.command.output = output;
        change(&mut case.plan.command);
        case
    };
    let full = |shape: &mut CommandShape| {
        shape.text = Some("/out/text".into());
        shape.session = SessionFrom::Pointer("/sid".into());
        shape.error = Some("/error".into());
        shape.usage = Some("/usage".into());
        let when = FinalWhen { pointer: "/done".into(), equals: true.into() };
        shape.final_when = Some(when);
    };
    let local = |shape: &mut CommandShape| shape.session = SessionFrom::Local;
    let codes = |shape: &mut CommandShape| shape.ok_exit = vec![0, 3];
    let json = r#"{"out":{"text":"hi"},"sid":"session-1","usage":{"input_tokens":7},"error":null}"#;
    let failed = r#"{"error":{"message":"slow down","status":429}}"#;
    let lines = [
        r#"{"sid":"session-1"}"#,
        "noise",
        r#"{"out":{"text":"a"}}"#,
        r#"{"out":{"text":"b"},"done":true}"#,
    ];
    let lines = &lines.join("\n");
    check(vec![
        ("text", shaped(Output::Text, "hi\n", &|_| {}), "answered - text=hi\n"),
        ("local session", shaped(Output::Text, "hi", &local), "answered cmd-call text=hi"),
        ("failed, no session", shaped(Output::Text, "hi", &local).code(1), "E009 exit - text=hi"),
        ("other code", shaped(Output::Text, "hi", &codes).code(3), "answered - text=hi"),
        (
            "other code not given",
            shaped(Output::Text, "hi", &|_| {}).code(3),
            "E009 exit - text=hi",
        ),
        ("json", shaped(Output::Json, json, &full), "answered session- text=hi used=7/-/-/-/-"),
        (
            "json, failed",
            shaped(Output::Json, json, &full).code(1),
            "E009 exit session- text=hi used=7/-/-/-/-",
        ),
        ("json, error", shaped(Output::Json, failed, &full), "E009 quota -"),
        ("no json", shaped(Output::Json, "oops", &full), "E009 no_answer - notes=1 bad=1"),
        ("jsonl", shaped(Output::Jsonl, lines, &full), "answered session- text=b notes=1 bad=1"),
        (
            "jsonl, killed",
            shaped(Output::Jsonl, lines, &full).ended(Ended::Stopped),
            "answered session- text=b notes=1 bad=1",
        ),
        (
            "jsonl, no end",
            shaped(Output::Jsonl, &lines.replace("true", "1"), &full),
            "E009 exit session- text=b notes=1 bad=1",
        ),
    ]);
}

#[test]
fn processes_that_never_spoke() {
    let spawn = |step, errno| Case::new(Kind::Codex, "").spawn_error(SpawnError { step, errno });
    check(vec![
        ("missing", spawn(SpawnStep::Exec, 2), "E001 not_found -"),
        ("not executable", spawn(SpawnStep::Exec, 13), "E001 permission -"),
        ("no memory", spawn(SpawnStep::Exec, 12), "E003 spawn -"),
        ("no directory", spawn(SpawnStep::Cwd, 2), "E003 spawn -"),
        ("no byte", Case::new(Kind::Codex, "").code(1), "E003 no_output -"),
        ("no byte, signal", Case::new(Kind::Codex, "").ended(Ended::Signal), "E003 no_output -"),
        ("no byte, exit 0", Case::new(Kind::Codex, ""), "E009 exit -"),
        ("127", Case::new(Kind::Codex, "").code(127).stderr("x"), "E003 spawn -"),
        (
            "connection",
            Case::new(Kind::Codex, "").code(1).stderr("ECONNREFUSED"),
            "E010 connection -",
        ),
    ]);
}

#[test]
fn structured_answers() {
    let says = |text: &str| {
        let item = serde_json::json!({"type":"agent_message","text":text});
        codex(&[&serde_json::json!({"type":"item.completed","item":item}).to_string(), DONE])
            .schema(r#"{"type":"object","required":["ok"]}"#)
    };
    check(vec![
        (
            "fenced",
            says("Sure:\n```json\n{\"ok\":1}\n```"),
            "answered valid 11111111 text=Sure:\n```json\n{\"ok\":1}\n```",
        ),
        ("schema", says("{}"), "answered schema(1) 11111111 text={}"),
        ("not json", says("a { in prose"), "answered not_json(0) 11111111 text=a { in prose"),
        ("bad schema", says("{}").schema("{\"type\":7}"), "E002 bad_schema 11111111 text={}"),
    ]);
}

#[test]
fn secrets_are_in_no_record() {
    let note = format!(
        r#"{{"type":"item.completed","item":{{"type":"error","message":"key {SECRET}"}}}}"#
    );
    let failed = turn_failed(&format!("bad key {SECRET}"));
    let noise = format!("not json {SECRET}");
    let long = format!("{}{SECRET}{}", "x".repeat(390), "y".repeat(50));
    let cases = [
        codex(&[&note, &noise, &long, &failed]).code(1),
        codex(&[]).code(1).stderr(&format!("{}{SECRET} end", "z".repeat(2040))),
        codex(&[SAYS_HI.replace("hi", &format!("{{\\\"a\\\":\\\"{SECRET}\\\"}}")).as_str(), DONE])
            .schema(r#"{"properties":{"a":{"type":"integer"}}}"#),
    ];
    for case in cases {
        let (report, _) = case.report();
        let recorded = serde_json::to_string(&report).unwrap();
        for part in [SECRET, &SECRET[..8], &SECRET[8..]] {
            assert!(!recorded.contains(part), "{recorded}");
        }
    }
}

#[test]
fn a_flood_does_not_hide_the_end() {
    let mut case = codex(&[]);
    case.stdout.extend(
        b"{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"cut ",
    );
    case.tail = format!("of a line\"}}}}\n{SAYS_HI}\n{DONE}\n").into_bytes();
    // As many bytes dropped as are in the tail: nothing is missing between the two.
    case.exit.dropped_bytes = case.tail.len() as u64;
    let joined = case.clone();
    case.exit.dropped_bytes += 1;
    let mut plain = Case::new(Kind::Wrapper, "beginning");
    plain.tail = format!("end\n---\nSESSION_ID: {ID}\n").into_bytes();
    plain.exit.dropped_bytes = 1 << 30;
    check(vec![
        ("joined", joined, "answered 11111111 text=hi"),
        ("a gap", case, "answered 11111111 text=hi notes=2 bad=2"),
        ("plain text", plain, "answered 11111111 text=beginning cut=yes"),
    ]);
}
