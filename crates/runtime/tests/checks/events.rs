//! Events of `dart test` and `flutter test`, written after the description of their protocol: no
//! Flutter is needed to build or test us.

use loopwright_runtime::checks::{Ended, Parser};

use crate::bench::{bytes, failed, line, read};

const START: &str = concat!(
    r#"{"protocolVersion":"0.1.1","runnerVersion":"1.25.8","type":"start","time":0}"#,
    "\n",
    r#"{"suite":{"id":0,"path":"test/sum_test.dart"},"type":"suite","time":0}"#,
    "\n",
    r#"{"test":{"id":1,"name":"loading test/sum_test.dart","suiteID":0},"#,
    r#""type":"testStart","time":0}"#,
    "\n",
    r#"{"testID":1,"result":"success","hidden":true,"type":"testDone","time":90}"#,
    "\n",
    r#"{"group":{"id":2,"suiteID":0,"name":"","testCount":3},"type":"group","time":91}"#,
    "\n",
);
const DONE: &str = "{\"success\":true,\"type\":\"done\",\"time\":200}\n";
const NOT: &str = "{\"success\":false,\"type\":\"done\",\"time\":200}\n";

fn begins(id: u32, name: &str) -> String {
    format!(
        "{{\"test\":{{\"id\":{id},\"name\":\"{name}\",\"suiteID\":0,\"groupIDs\":[2]}},\
         \"type\":\"testStart\",\"time\":100}}\n"
    )
}

fn ends(id: u32, result: &str, more: &str) -> String {
    format!(
        "{{\"testID\":{id},\"result\":\"{result}\"{more},\"type\":\"testDone\",\"time\":107}}\n"
    )
}

fn errs(id: u32) -> String {
    format!(
        "{{\"testID\":{id},\"error\":\"Expected: <3>\\n  Actual: <2>\",\"stackTrace\":\
         \"test/sum_test.dart 7:5  main\",\"isFailure\":true,\"type\":\"error\",\"time\":105}}\n"
    )
}

fn green(id: u32) -> String {
    begins(id, &format!("adds {id}")) + &ends(id, "success", ",\"skipped\":false,\"hidden\":false")
}

#[test]
fn runs_of_dart_and_flutter() {
    let red = begins(3, "is wrong") + &errs(3) + &ends(3, "failure", "");
    let late = green(3) + &errs(3);
    let skipped = begins(3, "later") + &ends(3, "success", ",\"skipped\":true");
    let hidden = begins(3, "loading x") + &errs(3) + &ends(3, "error", ",\"hidden\":true");
    let noise = "\u{1b}[32mBuilding…\u{1b}[0m\n[{\"event\":\"test.startedProcess\"}]\n\
        {\"type\":\"print\",\"testID\":3,\"message\":\"{\\\"type\\\":\\\"done\\\"}\"}\n\
        {\"type\":7}\n";
    let forged = red.clone() + &ends(3, "success", ",\"hidden\":true") + DONE;
    let rows: [(&str, String, i32, &str); 14] = [
        ("green", green(3) + &green(4) + DONE, 0, "2 2 0 0 Passed 100"),
        ("red", green(4) + &red + NOT, 1, "2 1 1 0 Failed 50"),
        ("red, exit 0", green(4) + &red + NOT, 0, "2 1 1 0 Failed 50"),
        ("skipped", green(4) + &skipped + DONE, 0, "2 1 0 1 Passed 100"),
        ("all skipped", skipped.clone() + DONE, 0, "1 0 0 1 NoTests 0?"),
        ("none", DONE.to_owned(), 0, "0 0 0 0 NoTests 0?"),
        ("error after the end", late + DONE, 0, "1 0 1 0 Failed 0"),
        ("hidden and bad", hidden + NOT, 1, "1 0 1 0 Failed 0"),
        ("no done", green(3), 0, "2 1 1 0 Failed 50"),
        ("done, not good", green(3) + NOT, 0, "2 1 1 0 Failed 50"),
        ("green, exit 1", green(3) + DONE, 1, "2 1 1 0 Failed 50"),
        ("noise between", noise.to_owned() + &green(3) + noise + DONE, 0, "1 1 0 0 Passed 100"),
        ("forged end", forged, 0, "1 0 1 0 Failed 0"),
        ("done twice", green(3) + NOT + DONE, 0, "2 1 1 0 Failed 50"),
    ];
    for (name, text, code, want) in rows {
        for text in [format!("{START}{text}"), format!("{START}{text}").replace('\n', "\r\n")] {
            let output = bytes(text.as_bytes(), b"", Ended::Exited(code));
            for parser in [Parser::Dart, Parser::Flutter, Parser::Auto] {
                assert_eq!(line(&read(parser, &output)), want, "{name} {parser:?}");
            }
        }
    }
    let late = format!("{START}{}", green(3));
    let parsed = read(Parser::Flutter, &bytes(late.as_bytes(), b"", Ended::TimedOut));
    assert_eq!(failed(&parsed), ["test: run it (timed out)"]);
    let missing = read(Parser::Dart, &bytes(b"No pubspec.yaml\n", b"", Ended::Exited(0)));
    assert_eq!(line(&missing), "0 0 0 0 Unparsed 0?");
}

#[test]
fn a_failed_test_has_its_suite_message_trace_and_time() {
    let text =
        format!("{START}{}{}{}{NOT}", begins(3, "is wrong"), errs(3), ends(3, "failure", ""));
    let parsed = read(Parser::Dart, &bytes(text.as_bytes(), b"", Ended::Exited(1)));
    let result = &parsed.results[0];
    assert_eq!(failed(&parsed), ["test/sum_test.dart: is wrong"]);
    assert_eq!(result.error_message.as_deref(), Some("Expected: <3>\n  Actual: <2>"));
    assert_eq!(result.stack_trace.as_deref(), Some("test/sum_test.dart 7:5  main"));
    assert_eq!(result.duration_ms, 7);
}
