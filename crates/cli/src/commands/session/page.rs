//! The reply frame: one header with icon and status, the body, a line, and what comes next.

use kernel::session::{CHANGELOG_SKIPPED, Event};
use runtime::query::OpenQuestion;
use runtime::sessions::{about, finding, knowledge, left};
use runtime::words::{self, Lang};
use serde_json::{Value, json};

use super::follow::{self, Seen};
use crate::ctx::Ctx;

/// Findings that are shown whole.
const FINDINGS_SHOWN: usize = 50;

/// The frame around a body. `status` is a word of the catalogue.
pub fn framed(ctx: &Ctx, status: &str, (body, foot): (&str, &[String]), next: &str) -> String {
    let icon = match status {
        "answered" => "💡",
        "waiting" => "❓",
        "running" => "🔵",
        "passed" => "✅",
        "partial" => "⚠️",
        "cancelled" => "🚫",
        _failed => "❌",
    };
    let head = format!("{icon}【Loopwright】- {}", ctx.say(&format!("session-status-{status}")));
    // What runs invites nobody to do anything.
    let end = if status == "running" { "session-running" } else { "session-next" };
    around(&head, (body, foot), &ctx.tell(end, &[("next", &next)]))
}

fn around(head: &str, (body, foot): (&str, &[String]), next: &str) -> String {
    let body = body.trim_end();
    let foot: String = foot.iter().map(|line| format!("{line}\n")).collect();
    if body.is_empty() {
        return format!("{head}\n────\n{foot}{next}");
    }
    format!("{head}\n\n{body}\n\n────\n{foot}{next}")
}

/// What a tool or an agent said, below the line that names it.
pub fn said(ctx: &Ctx, told: &Value) -> String {
    let text = told["text"].as_str().unwrap_or_default();
    match told["tool"].as_str() {
        Some(_) => format!("{}\n{text}\n", tool_line(ctx, told)),
        None => format!("{text}\n"),
    }
}

fn tool_line(ctx: &Ctx, told: &Value) -> String {
    let state = match (told["ok"] == true, told["cancelled"] == true) {
        (true, _) => "session-tool-ok",
        (false, true) => "session-tool-cancelled",
        (false, false) => "session-tool-failed",
    };
    let word = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    let args: [(&str, &dyn std::fmt::Display); 3] =
        [("type", &word("kind")), ("name", &word("tool")), ("state", &ctx.say(state))];
    ctx.tell("session-tool-line", &args)
}

/// A question with its options.
pub fn question(ctx: &Ctx, open: &OpenQuestion) -> String {
    format!("{}\n{}", open.text(ctx.lang), follow::options(ctx, open))
}

/// What came of it.
pub fn ended(ctx: &Ctx, seen: &Seen, told: &Value, word: &str) -> String {
    let events = &seen.events;
    let code = events.iter().rev().find_map(|event| {
        if let Event::UnitFailed { code, .. } = event { Some(code.clone()) } else { None }
    });
    let mut body = body(ctx, told);
    let mut next = ctx.say("session-next-say");
    if told["tool"].is_string() {
        let next = ctx.tell("session-next", &[("next", &next)]);
        return around(&tool_line(ctx, told), (&body, &[]), &next);
    }
    if let Some(code) = code {
        let code = full(code);
        let what = titled(ctx, &code);
        let args: [(&str, &dyn std::fmt::Display); 2] = [("code", &code), ("what", &what)];
        body = format!("{}\n{body}", ctx.tell("session-failed", &args));
        next = ctx.tell("session-next-explain", &[("code", &code)]);
    }
    let talk = events.iter().any(|event| matches!(event, Event::Routed { to, .. } if to == "chat"));
    if talk && body.trim().is_empty() {
        body = ctx.say("session-chat");
    }
    if talk && !seen.life.body.had_task {
        body = format!("{}\n{}", body.trim_end(), ctx.say("session-chat-help"));
    }
    if let Some(code) = told["failed"].as_str().filter(|_| talk) {
        body = format!("{}\n{body}", ctx.tell("session-chat-unanswered", &[("code", &code)]));
    }
    framed(ctx, word, (&body, &foot(ctx, told)), &next)
}

/// A code as it is explained: a cause that names its machine already is not given another.
fn full(code: String) -> String {
    let whole = code.starts_with('E') || code.contains('.');
    if whole { code } else { format!("session.{code}") }
}

/// What stands below the line: files that were changed, and packages that belong to nobody.
fn foot(ctx: &Ctx, told: &Value) -> Vec<String> {
    let (files, left) = (texts(&told["deliverables"]["files"]), texts(&told["leftovers"]));
    let mut lines = Vec::new();
    if !files.is_empty() {
        lines.push(ctx.tell("session-files", &[("files", &files.join(", "))]));
    }
    if !left.is_empty() {
        lines.push(ctx.tell("session-leftovers", &[("packages", &left.join(", "))]));
    }
    lines
}

/// A code's own sentence; a code that nobody knows is shown as it is.
fn titled(ctx: &Ctx, code: &str) -> String {
    match words::explain(code, ctx.lang) {
        Ok(page) if ctx.lang == Lang::Zh => page.title_zh,
        Ok(page) => page.title_en,
        Err(_) => code.to_owned(),
    }
}

fn body(ctx: &Ctx, told: &Value) -> String {
    if told["nothing"] == true {
        return ctx.say("session-nothing");
    }
    let mut lines = Vec::new();
    if let Some(text) = told["text"].as_str() {
        lines.push(text.to_owned());
    }
    lines.extend(texts(&told["issues"]).into_iter().map(|issue| format!("- {issue}")));
    lines.extend(detail(told["detail"].as_str().unwrap_or_default()));
    if let Some(tests) = told["tests"].as_object() {
        let count = |name: &str| tests.get(name).and_then(Value::as_u64).unwrap_or(0);
        let args: [(&str, &dyn std::fmt::Display); 3] = [
            ("passed", &count("passed")),
            ("failed", &count("failed")),
            ("skipped", &count("skipped")),
        ];
        lines.push(ctx.tell("session-tests", &args));
        lines.extend(texts(&told["tests"]["errors"]));
    }
    if told["score"].is_object() {
        let score = json!({ "score": told["score"], "total": told["total"] });
        lines.push(about(ctx.lang, &score.to_string()).trim().to_owned());
    }
    lines.extend(knowledge(ctx.lang, told["knowledge_base"].as_str()));
    for one in told["findings"].as_array().into_iter().flatten().take(FINDINGS_SHOWN) {
        lines.push(match one {
            Value::String(text) => format!("- {}", finding(ctx.lang, text)),
            found @ (Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_)) => {
                let word = |name: &str| found[name].as_str().unwrap_or_default();
                let line = found["line"].as_u64().map(|n| format!(":{n}")).unwrap_or_default();
                let (severity, path) = (word("severity"), word("path"));
                let what = [word("code"), word("problem"), word("fix")];
                let what: Vec<&str> = what.into_iter().filter(|text| !text.is_empty()).collect();
                format!("- {severity} {path}{line} {}", what.join(" · "))
            }
        });
    }
    if told["changelog"]["skipped"] == true {
        lines.push(finding(ctx.lang, CHANGELOG_SKIPPED));
    }
    if let Some(commit) = told["commit"].as_str() {
        lines.push(ctx.tell("session-committed", &[("commit", &commit)]));
    }
    for step in told["completed"].as_array().into_iter().flatten() {
        let word = |name: &str| step[name].as_str().unwrap_or_default();
        lines.push(format!("- {}: {}", word("step"), word("result")));
    }
    if let Some(error) = told["error_message"].as_str() {
        lines.push(error.to_owned());
    }
    lines.extend(left(ctx.lang, told));
    lines.join("\n")
}

/// What a refusal says besides its code: its texts and lists, one a line.
fn detail(told: &str) -> Vec<String> {
    let Ok(Value::Object(all)) = serde_json::from_str(told) else {
        return if told.is_empty() { Vec::new() } else { vec![told.to_owned()] };
    };
    let line = |(name, value): (&String, &Value)| match value {
        Value::String(text) => vec![format!("- {name}: {text}")],
        Value::Array(_) => texts(value).into_iter().map(|text| format!("- {text}")).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    all.iter().flat_map(line).collect()
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::full;

    #[test]
    fn a_code_has_its_prefix_once() {
        let table = [
            ("kb_root_taken", "session.kb_root_taken"),
            ("session.kb_root_taken", "session.kb_root_taken"),
            ("E_IO", "E_IO"),
        ];
        for (code, expected) in table {
            assert_eq!(full(code.to_owned()), expected, "{code}");
        }
    }
}
