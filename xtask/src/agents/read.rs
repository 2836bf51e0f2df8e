//! Reads what the product said of a launch: the session, the answer, the verdict. In two forms:
//! that of `agent run`, and that of a call which was looked at later.

use serde_json::Value;

/// How a launch ended, in words that all CLIs share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this answer.
    Answered(String),
    /// With an error of its own.
    Failed(String),
    /// By our deadline.
    Deadline,
    /// By our SIGKILL.
    Killed,
}

/// What was said.
#[derive(Debug, PartialEq, Eq)]
pub struct Told {
    pub session: Option<String>,
    pub outcome: Outcome,
}

/// Reads either form.
pub fn read(said: &Value) -> Told {
    let data = &said["data"];
    if said["ok"] == false {
        let details = &said["error"]["details"];
        return failed(&said["error"]["code"], details, &details["session"]);
    }
    if data["text"].is_string() {
        let outcome = Outcome::Answered(word(&data["text"]).trim_end().to_owned());
        return Told { session: id(&data["session_id"]), outcome };
    }
    let report = &data["result"]["exit"]["agent"];
    let answer = &report["answer"];
    if let Some(answered) = answer.get("answered") {
        let outcome = Outcome::Answered(word(&data["answer"]).trim_end().to_owned());
        return Told { session: id(&answered["session"]), outcome };
    }
    let error = &answer["failed"]["error"];
    let timed_out = data["outcome"] == "timed_out";
    let code = if timed_out { Value::from("E004") } else { error["code"].clone() };
    failed(&code, error, &answer["failed"]["session"])
}

fn failed(code: &Value, details: &Value, session: &Value) -> Told {
    let outcome = match word(code) {
        "E004" => Outcome::Deadline,
        code => {
            let (kind, detail) = (word(&details["kind"]), word(&details["detail"]));
            let detail: String = detail.chars().take(200).collect();
            Outcome::Failed(format!("{code} {kind}: {detail}"))
        }
    };
    Told { session: id(session), outcome }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn id(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_forms_are_read() {
        let failed = |code: &str| {
            let details = json!({"kind": "auth", "detail": "401", "session": "i"});
            json!({"ok": false, "error": {"code": code, "details": details}})
        };
        let seen = |outcome: &str, answer: Value, text: &str| {
            let result = json!({"exit": {"agent": {"answer": answer}}});
            let data = json!({"outcome": outcome, "result": result, "answer": text});
            json!({"ok": true, "data": data})
        };
        let error = json!({"code": "E009", "kind": "exit", "detail": "x"});
        let table = [
            (
                json!({"ok": true, "data": {"text": "hi\n", "session_id": "i"}}),
                Outcome::Answered("hi".to_owned()),
            ),
            (failed("E009"), Outcome::Failed("E009 auth: 401".to_owned())),
            (failed("E004"), Outcome::Deadline),
            (
                seen("ok", json!({"answered": {"session": "i"}}), "hi"),
                Outcome::Answered("hi".to_owned()),
            ),
            (
                seen("failed", json!({"failed": {"error": error, "session": "i"}}), ""),
                Outcome::Failed("E009 exit: x".to_owned()),
            ),
            (
                seen("timed_out", json!({"failed": {"error": error, "session": "i"}}), ""),
                Outcome::Deadline,
            ),
        ];
        for (said, expected) in table {
            let told = read(&said);
            assert_eq!((told.session.as_deref(), told.outcome), (Some("i"), expected), "{said}");
        }
    }
}
