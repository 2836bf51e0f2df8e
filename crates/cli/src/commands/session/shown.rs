//! `status` and `sessions`: where the session of this branch stands, and which sessions there are.
//! Neither needs an engine, and neither changes anything.

use runtime::sessions::{id_of, knowledge};
use serde_json::{Value, json};

use super::said::{key, spoken};
use super::{StatusArgs, page};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// `status`
pub fn status(ctx: &Ctx, args: &StatusArgs) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let id = id_of(&key(ctx, args.branch.as_deref())?);
    let ctx = &ctx.speaking(spoken(ctx, &id, "")?);
    let view = edge::sessions::status(&site, args.branch.as_deref(), ctx.lang)?;
    let vars = view["vars"].clone();
    if args.vars {
        return Ok(Reply::new(vars.clone(), lines(&vars)));
    }
    let redactor = ctx.redactor()?;
    let body = redactor.redact_text(&body(ctx, &view));
    let waits = view["questions"].as_array().is_some_and(|open| !open.is_empty());
    let status = match (waits, view["state"].as_str()) {
        (true, _) => "waiting",
        (false, Some("Idle") | None) => "answered",
        (false, Some(_)) => "running",
    };
    let next = view["next"].as_str().unwrap_or("say");
    let next = match next {
        "answer" => ctx.say("session-next-questions"),
        "wait" => ctx.say("session-next-wait"),
        _say => ctx.say("session-next-say"),
    };
    let text = page::framed(ctx, status, (&body, &[]), &next);
    let view = serde_json::from_str(&redactor.redact_text(&view.to_string())).unwrap_or(view);
    Ok(Reply::new(view, text))
}

fn lines(vars: &Value) -> String {
    let all = vars.as_object().into_iter().flatten();
    let line = |(name, value): (&String, &Value)| line(name, value);
    all.map(line).collect::<Vec<_>>().join("\n")
}

/// A variable as it is assigned in a shell: words bare, the rest as JSON.
fn line(name: &str, value: &Value) -> String {
    value.as_str().map_or_else(|| format!("{name}={value}"), |text| format!("{name}={text}"))
}

fn body(ctx: &Ctx, view: &Value) -> String {
    let mut lines: Vec<String> = Vec::new();
    let word = |name: &str| view[name].as_str().unwrap_or_default().to_owned();
    lines.push(format!("{} · {} · {}", word("key"), word("state"), word("stage")));
    for name in ["WORKFLOW_MODE", "CURRENT_STAGE", "EXEC_STATUS", "CURRENT_PACKAGE"] {
        let value = &view["vars"][name];
        if !value.is_null() {
            lines.push(line(name, value));
        }
    }
    lines.extend(knowledge(ctx.lang, view["flow"]["knowledge_base"].as_str()));
    if let Some(unit) = view["last"]["unit"].as_str() {
        let word = |name: &str| view["last"][name].as_str();
        let end = word("verdict").filter(|_| word("how") == Some("completed"));
        let end = end.or_else(|| word("how")).unwrap_or_default();
        let how = ctx.say(&format!("session-how-{end}"));
        lines.push(ctx.tell("session-last", &[("unit", &unit), ("how", &how)]));
    }
    for question in view["questions"].as_array().into_iter().flatten() {
        let text = |name: &str| question[name].as_str().unwrap_or_default().to_owned();
        lines.push(format!("{}  {}", text("id"), text("text")));
    }
    lines.join("\n")
}

/// `sessions`
pub fn sessions(ctx: &Ctx) -> Result<Reply, Trouble> {
    let all = edge::sessions::list(&ctx.site()?, ctx.lang)?;
    if all.is_empty() {
        return Ok(Reply::new(json!([]), ctx.say("session-none")));
    }
    let rows: Vec<Vec<String>> = all
        .iter()
        .map(|view| {
            let word = |name: &str| view[name].as_str().unwrap_or_default().to_owned();
            vec![word("session_id"), word("key"), word("state"), word("stage")]
        })
        .collect();
    let text = table::draw(&ctx.heading(["session", "key", "state", "stage"]), &rows);
    Ok(Reply::new(json!(all), text))
}
