//! A lifecycle as JSON, the same at every door: the machine's own view, with sentences in the
//! reader's language and moments as text. It decides and computes nothing.

use kernel::errors::{Class, Code};
use kernel::lifecycle::document::plan::Wrong;
use kernel::lifecycle::view::{NextAction, View};
use kernel::lifecycle::{self, NO_CHANGE, State};
use serde_json::{Value, json};

use super::fold::Below;
use super::show::at_ms;
use crate::words::{self, Lang, Vars};

/// Fields that are moments, wherever they stand in the view.
const MOMENTS: [&str; 8] =
    ["at", "since", "reset_at", "started_at", "ended_at", "created_at", "updated_at", "expires"];

/// What comes next, as a sentence.
#[must_use]
pub fn next_sentence(next: &NextAction, lang: Lang) -> String {
    let about: Vec<(&str, String)> =
        next.about.iter().map(|(name, value)| (name.as_str(), worded(name, value, lang))).collect();
    let args: Vec<(&str, &dyn std::fmt::Display)> =
        about.iter().map(|(name, value)| (*name, value as &dyn std::fmt::Display)).collect();
    words::say(lang, &format!("lifecycle-next-{}", next.text), &args)
}

/// A reason's word as a sentence; any other value as it is.
fn worded(name: &str, value: &str, lang: Lang) -> String {
    let why = (name == "why").then(|| words::find(lang, &format!("lifecycle-why-{value}"), &[]));
    why.flatten().unwrap_or_else(|| value.to_owned())
}

/// A failure's summary in words: problems of a plan document are recorded as `line: word found`,
/// faults of turns as `CODE word`, those of a check behind its name.
#[must_use]
pub fn told_summary(summary: &str, lang: Lang) -> String {
    let lines: Vec<String> = summary
        .lines()
        .map(|line| {
            let of_check = || {
                let (check, rest) = line.rsplit_once(": ")?;
                fault(rest, lang).map(|told| format!("{check}: {told}"))
            };
            let nothing =
                || (line == NO_CHANGE).then(|| words::say(lang, "lifecycle-no-change", &[]));
            let told = problem(line, lang).or_else(|| fault(line, lang));
            told.or_else(of_check).or_else(nothing)
        })
        .zip(summary.lines())
        .map(|(told, line)| told.unwrap_or_else(|| line.to_owned()))
        .collect();
    lines.join("\n")
}

/// What the errors' own words say of a code, its kind and what else was told with them.
fn fault(line: &str, lang: Lang) -> Option<String> {
    let (code, rest) = line.trim_end().split_once(' ')?;
    let (kind, more) = rest.split_once(' ').unwrap_or((rest, ""));
    // A machine's own kind is told by its word.
    let kind = kind.rsplit('.').next()?;
    let plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !code.starts_with('E') || !plain(code) || !plain(kind) {
        return None;
    }
    if code == Class::Refused.name() {
        return refused(kind, lang);
    }
    let of_kind = words::find(lang, &format!("{code}-{kind}"), &[]);
    let (told, more) = match of_kind {
        Some(told) => (told, more.to_owned()),
        None => (words::find(lang, code, &[])?, format!("{kind} {more}")),
    };
    let more = more.trim();
    Some(if more.is_empty() { told } else { format!("{told} ({more})") })
}

/// What the words of refusals say of a child that was refused: a turn or a call.
fn refused(reason: &str, lang: Lang) -> Option<String> {
    let of = |machine: &str| Code::parse(&format!("{machine}.{reason}")).ok();
    let code = ["turn", "call"].into_iter().find_map(of)?;
    let told = words::tell(lang, code, &Vars::default());
    let args: [(&str, &dyn std::fmt::Display); 2] =
        [("what", &told.message), ("next", &told.next_step)];
    Some(words::say(lang, "lifecycle-child-refused", &args))
}

fn problem(line: &str, lang: Lang) -> Option<String> {
    let (number, rest) = line.split_once(": ")?;
    let number: usize = number.parse().ok()?;
    let (word, found) = rest.split_once(' ').unwrap_or((rest, ""));
    let known = Wrong::ALL.iter().any(|wrong| wrong.word() == word);
    let found: [(&str, &dyn std::fmt::Display); 1] = [("found", &found)];
    let what = known.then(|| words::say(lang, &format!("lifecycle-plan-{word}"), &found))?;
    Some(words::say(lang, "lifecycle-plan-problem", &[("line", &number), ("what", &what)]))
}

/// The view of a lifecycle; what a run below it asks is waited for where it asks nothing itself.
#[must_use]
pub fn lifecycle_view(run: &str, state: &State, below: Option<&Below>, lang: Lang) -> Value {
    match lifecycle::shown(state, None) {
        Some(view) => {
            let mut all = whole(run, &view, lang);
            if let Some(below) = below.filter(|_| view.waiting.is_none()) {
                let text = words::say(lang, "lifecycle-next-answer", &[]);
                all["next_action"] = json!({ "text": text, "command": below.command });
                all["waiting"] = json!({ "question": below.question });
                if let Some(call) = &below.call {
                    all["waiting"]["call"] = json!(call);
                }
            }
            all
        }
        None => json!({ "task_status": state.name(), "allowed": ["USER_INPUT_REQUIREMENT"] }),
    }
}

fn whole(run: &str, view: &View, lang: Lang) -> Value {
    let mut all = json!(view);
    all["state"] = json!(view.task_status);
    all["next_action"] = json!({
        "text": next_sentence(&view.next_action, lang), "command": view.next_action.command,
    });
    if let Some(failure) = &view.failure {
        all["failure"]["summary"] = json!(told_summary(&failure.summary, lang));
        if let Some(cause) = &failure.cause {
            all["failure"]["cause"] = json!(told_summary(cause, lang));
        }
    }
    if let Some(slot) = all["waiting"]["question"].as_str().map(str::to_owned) {
        all["waiting"]["question"] = json!(format!("{run}/{slot}"));
    }
    for task in all["tasks"].as_array_mut().into_iter().flatten() {
        // A reader wants to know what the records say, not only that they are there.
        let records = task["records"].take();
        task["evidence"] = records;
        if let Some(fields) = task.as_object_mut() {
            fields.remove("records");
        }
    }
    moments(&mut all);
    all
}

/// Moments as text.
fn moments(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(moments),
        Value::Object(fields) => {
            for (name, field) in fields {
                match field.as_u64().filter(|_| MOMENTS.contains(&name.as_str())) {
                    Some(ms) => *field = json!(at_ms(ms)),
                    None => moments(field),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::lifecycle::samples::sample_states;

    #[test]
    fn problems_of_a_document_are_told_in_words() {
        for wrong in Wrong::ALL {
            for lang in Lang::ALL {
                let told = told_summary(&format!("3: {} T-1 → T-1", wrong.word()), lang);
                assert!(told.contains('3') && !told.contains(wrong.word()), "{told}");
            }
        }
        assert_eq!(told_summary("E009 auth", Lang::En), "agent is not logged in");
        assert_eq!(
            told_summary("E_MODEL bad_plan", Lang::En),
            "model output broke the protocol (bad_plan)"
        );
        for (lang, told) in [
            (
                Lang::En,
                "nobody is there to make a plan. Name who works with `--agent NAME` or in \
                 `turn.agents`, or give the plan in a file.",
            ),
            (
                Lang::Zh,
                "没有可以制定计划的代理。用 `--agent NAME` 或 `turn.agents` 指明由谁执行，\
                 或用文件给出计划。",
            ),
        ] {
            assert_eq!(told_summary("E_REFUSED no_planner", lang), told);
        }
        for reason in ["not_now", "busy", "stale_approval", "held"] {
            let told = told_summary(&format!("E_REFUSED {reason}"), Lang::En);
            assert!(!told.contains(reason) && !told.contains('{'), "{told}");
        }
        let phantom = told_summary("E_MODEL turn.phantom_completion", Lang::En);
        assert!(!phantom.contains('_') && phantom.contains(' '), "{phantom}");
        assert_eq!(told_summary(NO_CHANGE, Lang::En), "nothing was changed");
        let other = "3 tests failed\nE0308: mismatched types";
        assert_eq!(told_summary(other, Lang::En), other);
    }

    #[test]
    fn what_a_run_below_asks_is_waited_for_where_nothing_nearer_is() {
        let below = |call: Option<&str>| Below {
            question: "call-1/settle".to_owned(),
            command: "loopwright answer call-1/settle KEY".to_owned(),
            call: call.map(str::to_owned),
        };
        for (name, state) in sample_states() {
            let own = lifecycle_view("lc-sample", &state, None, Lang::En)["waiting"].clone();
            let asked = lifecycle_view("lc-sample", &state, Some(&below(None)), Lang::En);
            let lost = lifecycle_view("lc-sample", &state, Some(&below(Some("call-1"))), Lang::En);
            if state.life().is_none() || !own.is_null() {
                assert_eq!((&asked["waiting"], &lost["waiting"]), (&own, &own), "{name}");
                continue;
            }
            assert_eq!(asked["waiting"], json!({ "question": "call-1/settle" }), "{name}");
            let both = json!({ "call": "call-1", "question": "call-1/settle" });
            assert_eq!(lost["waiting"], both, "{name}");
            let command = &lost["next_action"]["command"];
            assert_eq!(command, "loopwright answer call-1/settle KEY", "{name}");
        }
    }

    #[test]
    fn every_state_says_what_comes_next_and_when() {
        for (name, state) in sample_states() {
            for lang in Lang::ALL {
                let view = lifecycle_view("lc-sample", &state, None, lang);
                assert_eq!(view["task_status"], state.name(), "{name}");
                if state.life().is_none() {
                    continue;
                }
                let next = view["next_action"]["text"].as_str().unwrap_or_default();
                assert!(!next.is_empty() && !next.starts_with("lifecycle-"), "{name}: {next}");
                assert!(view["created_at"].as_str().is_some_and(|at| at.ends_with('Z')), "{name}");
                let question = view["waiting"]["question"].as_str();
                assert!(question.is_none_or(|id| id.starts_with("lc-sample/q/")), "{name}");
                for task in view["tasks"].as_array().into_iter().flatten() {
                    assert!(task["evidence"].is_array() && task["records"].is_null(), "{name}");
                }
            }
        }
    }
}
