//! The forms an error object takes: lines for a terminal, an envelope for `--json`, a body for
//! HTTP. The object stays the same in all of them.

use kernel::errors::{Code, Machine};
use runtime::words::{Lang, say, title};
use serde::Serialize;
use serde_json::{Value, json};

use super::object::Problem;

/// The longest of the usual labels; shorter ones are filled up so that their texts line up.
const LABEL_CHARS: usize = 5;

/// The lines for standard error: at most four, and the list of what is allowed. No colour, so
/// that the text is the same with and without.
pub fn terminal(problem: &Problem, lang: Lang) -> String {
    let label = say(lang, if refused(&problem.code) { "cli-refused" } else { "cli-error" }, &[]);
    let mut lines = vec![head(lang, &label, &problem.code, &problem.message)];
    if let Some(place) = place(problem, lang) {
        lines.push(line(lang, "cli-where", &place));
    }
    lines.push(line(lang, "cli-next", &next(problem, lang)));
    let explain = say(lang, "cli-explain", &[("code", &problem.code)]);
    let gap = match lang {
        Lang::En => "  ",
        Lang::Zh => "",
    };
    lines.push(line(lang, "cli-trace", &format!("{}{gap}{explain}", problem.trace_id)));
    if let Some(allowed) = problem.allowed.as_ref().filter(|_| refused(&problem.code)) {
        let names = match typed(&problem.code, allowed) {
            _ if allowed.is_empty() => say(lang, "cli-allowed-none", &[]),
            names => names.join(&say(lang, "cli-list-separator", &[])),
        };
        if !names.is_empty() {
            lines.push(line(lang, "cli-allowed", &names));
        }
    }
    lines.join("\n")
}

/// One line that changes no exit code.
pub fn warning(lang: Lang, code: &str, message: &str) -> String {
    head(lang, &say(lang, "cli-warning", &[]), code, message)
}

/// What `--json` prints when it failed. `result` is the run's own word for its end, if a run was
/// waited for.
pub fn failed(problem: &Problem, result: Option<&str>) -> Value {
    with_result(json!({"ok": false, "error": problem}), result)
}

/// What `--json` prints when it worked.
pub fn succeeded(data: &impl Serialize, result: Option<&str>) -> serde_json::Result<Value> {
    Ok(with_result(json!({"ok": true, "data": serde_json::to_value(data)?}), result))
}

/// The body of an HTTP answer, `application/problem+json`. A problem whose code this build does
/// not know, as an older engine may send, is shown as it came.
pub fn web(problem: &Problem, lang: Lang, instance: &str) -> (u16, Value) {
    let kind = problem.details.get("kind").and_then(Value::as_str).unwrap_or_default();
    let code = Code::parse(&problem.code).ok();
    let status = code.map_or(500, |code| code.http_of(kind));
    let class = Code::parse(&problem.class).ok();
    let title = class.map_or_else(|| problem.class.clone(), |class| capital(&title(lang, class)));
    let mut body = json!({
        "type": format!("/api/v1/errors/{}", problem.code),
        "title": title,
        "status": status,
        "detail": problem.message,
        "instance": instance,
    });
    if let (Value::Object(body), Ok(Value::Object(fields))) =
        (&mut body, serde_json::to_value(problem))
    {
        body.extend(fields.into_iter().filter(|(name, _)| name != "message"));
    }
    (status, body)
}

fn with_result(mut envelope: Value, result: Option<&str>) -> Value {
    if let (Value::Object(fields), Some(result)) = (&mut envelope, result) {
        fields.insert("result".to_owned(), json!(result));
    }
    envelope
}

/// What the journal says about itself is a failure, though its names look like refusals.
fn refused(code: &str) -> bool {
    code.split_once('.').is_some_and(|(machine, _)| machine != Machine::Journal.name())
}

/// What is accepted, as a person types it; what only the engine says is left out.
fn typed<'a>(code: &str, allowed: &'a [String]) -> Vec<&'a str> {
    let names = allowed.iter().map(String::as_str);
    match code.split_once('.') {
        // These are answers to a question and no commands.
        Some((_, "unknown_option")) | None => names.collect(),
        Some(("loop", _)) => names.filter_map(loop_verb).collect(),
        Some(("call", _)) => names.filter_map(call_verb).collect(),
        Some(("turn", _)) => names.filter_map(turn_verb).collect(),
        Some(_) => names.collect(),
    }
}

fn loop_verb(name: &str) -> Option<&str> {
    match name {
        "edit" | "delete" | "start" | "pause" | "resume" | "stop" | "retry" | "reopen"
        | "answer" | "complete" | "signal" => Some(name),
        "add_task" => Some("task add"),
        "edit_task" => Some("task edit"),
        "remove_task" => Some("task rm"),
        "reorder_tasks" => Some("task reorder"),
        "requeue_task" => Some("task requeue"),
        "set_mode" => Some("mode"),
        _ => None,
    }
}

fn call_verb(name: &str) -> Option<&str> {
    match name {
        "Allow" => Some("allow"),
        "Deny" => Some("deny"),
        "Settle" => Some("settle"),
        "Stop" => Some("stop"),
        "Undo" => Some("undo"),
        _ => None,
    }
}

fn turn_verb(name: &str) -> Option<&str> {
    match name {
        "USER_MESSAGE" => Some("start"),
        "CLARIFICATION_ANSWER" => Some("answer"),
        "CONFIRM" => Some("confirm"),
        "CANCEL" => Some("cancel"),
        "PAUSE" => Some("pause"),
        "RESUME" => Some("resume"),
        "EDIT_PLAN" => Some("edit"),
        "SKIP_STEP" => Some("skip"),
        _ => None,
    }
}

fn head(lang: Lang, label: &str, code: &str, text: &str) -> String {
    say(lang, "cli-head", &[("label", &label), ("code", &code), ("text", &text)])
}

fn line(lang: Lang, label: &str, text: &str) -> String {
    let label = say(lang, label, &[]);
    let fill = match lang {
        Lang::En => LABEL_CHARS.saturating_sub(label.chars().count()),
        Lang::Zh => 0,
    };
    let text = format!("{}{text}", " ".repeat(fill));
    format!("  {}", say(lang, "cli-line", &[("label", &label), ("text", &text)]))
}

fn place(problem: &Problem, lang: Lang) -> Option<String> {
    let place = &problem.place;
    let run = [place.run_id.as_deref(), place.state.as_deref()];
    let run = run.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let step = place.step_id.as_ref().map(|id| say(lang, "cli-step", &[("step_id", id)]));
    let call = place.call_id.as_ref().filter(|id| place.run_id.as_ref() != Some(id));
    let call = call.map(|id| say(lang, "cli-call", &[("call_id", id)]));
    let parts: Vec<_> =
        [(!run.is_empty()).then_some(run), step, call].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(&say(lang, "cli-place-separator", &[])))
}

fn next(problem: &Problem, lang: Lang) -> String {
    let Some(command) = problem.commands.first() else { return problem.next_step.clone() };
    let open = problem.next_step.trim_end_matches(['.', '。']);
    say(lang, "cli-with-command", &[("text", &open), ("command", command)])
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::object::{Place, Raised, Shown};
    use kernel::errors::names;
    use runtime::redact::{Redactor, Secrets};
    use runtime::trace::Asked;

    fn show(raised: &Raised, lang: Lang) -> Problem {
        let env = vec![("API_KEY".to_owned(), "canary-secret".to_owned())];
        let redactor = Redactor::new(&Secrets { env, ..Secrets::default() }).unwrap();
        let asked = Asked {
            trace_id: "trace_0123456789abcdef0123456789abcdef".into(),
            at: "2026-11-15T18:14:09Z".into(),
        };
        raised.show(Shown { lang, asked: &asked, home: "/home/me", redactor: &redactor })
    }

    fn conflict() -> Raised {
        let details = json!({"kind": "changed_since_read", "path": "src/list.rs"});
        Raised::new(Code::parse("E_CONFLICT").unwrap(), details).at(Place {
            run_id: Some("turn-01JC".into()),
            machine: Some("turn".into()),
            state: Some("EXECUTING".into()),
            step_id: Some("s1".into()),
            call_id: None,
        })
    }

    #[test]
    fn lines_for_a_terminal() {
        let en = "error[E_CONFLICT]: src/list.rs changed since it was read
  where: turn-01JC EXECUTING, step s1
  next:  Read the file again and make a new patch: loopwright show turn-01JC
  trace: trace_0123456789abcdef0123456789abcdef  (loopwright explain E_CONFLICT)";
        let zh = "错误[E_CONFLICT]：src/list.rs 在读取后被修改
  位置：turn-01JC EXECUTING，步骤 s1
  下一步：重新读取并生成新补丁：loopwright show turn-01JC
  追踪：trace_0123456789abcdef0123456789abcdef（loopwright explain E_CONFLICT）";
        for (lang, expected) in [(Lang::En, en), (Lang::Zh, zh)] {
            assert_eq!(terminal(&show(&conflict(), lang), lang), expected);
        }
    }

    #[test]
    fn a_refusal_lists_what_is_allowed() {
        let call_id = Some("call-1".into());
        let place = Place { call_id, machine: Some("call".into()), ..Place::default() };
        let code = Code::refused(Machine::Call, "settle_first");
        let mut raised = Raised::new(code, json!({})).at(place);
        raised.allowed = Some(vec!["Settle".into(), "Undo".into()]);
        assert_eq!(raised.exit().code(), 3);
        let problem = show(&raised, Lang::Zh);
        let text = terminal(&problem, Lang::Zh);
        assert!(text.starts_with("已拒绝[call.settle_first]："), "{text}");
        assert!(text.ends_with("\n  可用：settle、undo"), "{text}");
        assert_eq!(problem.place.machine.as_deref(), Some("call"));
        assert_eq!(problem.commands.len(), 2);
    }

    #[test]
    fn allowed_are_words_that_can_be_typed() {
        let table: [(&str, Option<&[&str]>, &str); 6] = [
            ("loop.not_now", Some(&["set_mode", "add_task", "report"]), "allowed: mode, task add"),
            ("call.not_now", Some(&["Exited", "Stop", "Timeout"]), "allowed: stop"),
            ("call.not_now", Some(&["Exited", "Timeout"]), ""),
            ("call.ended", Some(&[]), "allowed: nothing is accepted now"),
            ("loop.unknown_option", Some(&["develop", "1"]), "allowed: develop, 1"),
            ("call.cannot_undo", None, ""),
        ];
        for (code, allowed, expected) in table {
            let mut raised = Raised::new(Code::parse(code).unwrap(), json!({}));
            raised.allowed = allowed.map(|names| names.iter().map(ToString::to_string).collect());
            let text = terminal(&show(&raised, Lang::En), Lang::En);
            let line = text.lines().map(str::trim).find(|line| line.starts_with("allowed"));
            assert_eq!(line.unwrap_or_default(), expected, "{code}: {text}");
        }
    }

    #[test]
    fn envelopes() {
        let problem = show(&conflict(), Lang::En);
        let value = failed(&problem, Some("failed"));
        assert_eq!((&value["ok"], &value["result"]), (&json!(false), &json!("failed")));
        let back: Problem = serde_json::from_value(value["error"].clone()).unwrap();
        assert_eq!(back, problem);
        let keys = value["error"].as_object().unwrap().keys().cloned();
        let mut keys: Vec<_> = keys.collect();
        keys.sort();
        let mut expected = [
            "code",
            "class",
            "message",
            "next_step",
            "commands",
            "allowed",
            "retryable",
            "run_id",
            "machine",
            "state",
            "step_id",
            "call_id",
            "details",
            "trace_id",
            "at",
        ];
        expected.sort_unstable();
        assert_eq!(keys, expected);
        assert_eq!(succeeded(&[1, 2], None).unwrap(), json!({"ok": true, "data": [1, 2]}));
    }

    #[test]
    fn a_body_for_http() {
        let (status, body) = web(&show(&conflict(), Lang::En), Lang::En, "/api/v1/turns/x");
        assert_eq!(status, 409);
        assert_eq!(body["type"], "/api/v1/errors/E_CONFLICT");
        assert_eq!(body["title"], "Patch or concurrent-write conflict");
        assert_eq!(body["detail"], "src/list.rs changed since it was read");
        assert_eq!((&body["run_id"], &body["message"]), (&json!("turn-01JC"), &Value::Null));
    }

    #[test]
    fn invariant_no_secret_and_no_home_at_a_door() {
        let details = json!({"kind": "not_found", "path": "/home/me/x/canary-secret"});
        let problem = show(&Raised::new(Code::parse("E_IO").unwrap(), details), Lang::En);
        assert_eq!(problem.message, "~/x/«redacted:env:API_KEY» does not exist");
        let all = failed(&problem, None).to_string();
        assert!(!all.contains("canary") && !all.contains("/home/me"), "{all}");
    }

    #[test]
    fn invariant_every_code_has_every_form() {
        for name in names() {
            let raised = Raised::new(Code::parse(&name).unwrap(), json!({}));
            for lang in Lang::ALL {
                let problem = show(&raised, lang);
                assert!(!problem.message.is_empty() && !problem.next_step.is_empty(), "{name}");
                assert!(terminal(&problem, lang).lines().count() <= 4, "{name}");
                let (status, body) = web(&problem, lang, "/");
                assert_eq!((status, &body["status"]), (raised.http(), &json!(status)), "{name}");
            }
        }
    }

    #[test]
    fn warnings_are_one_line() {
        assert_eq!(warning(Lang::Zh, "E_IO", "x"), "警告[E_IO]：x");
    }
}
