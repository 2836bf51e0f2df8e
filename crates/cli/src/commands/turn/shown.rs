//! What can be read of a turn without an engine: the list, how it stands, its plan, its summary.

use kernel::errors::{Code, Exit};
use kernel::run::Kind;
use kernel::turn::{Outcome, Phase, State, Summary};
use runtime::query::{self, Filter};
use runtime::turns::{self, store};
use serde_json::{Value, json};

use super::super::known;
use super::feed::Feed;
use super::page;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Reasons of an end that is a question nobody answered in time.
const EXPIRED: [&str; 2] = ["turn.confirmation_expired", "turn.help_expired"];

/// The list, newest first.
pub fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let none = || Reply::new(json!([]), ctx.say("turn-none"));
    let Some((_, journal)) = ctx.journal()? else { return Ok(none()) };
    let filter = Filter { machine: Some(Kind::Turn.name().to_owned()), ..Filter::default() };
    let heads = query::runs(&journal, &filter).map_err(|why| trouble::of_query(&why))?;
    if heads.is_empty() {
        return Ok(none());
    }
    let (mut all, mut rows) = (Vec::new(), Vec::new());
    for head in &heads {
        let folded = query::fold(&journal, head, None).map_err(|why| trouble::of_query(&why))?;
        let view = query::show(head, &folded, ctx.lang);
        let text = |name: &str| view[name].as_str().unwrap_or_default().to_owned();
        let end = Some(text("outcome")).filter(|end| !end.is_empty());
        let state = end.map_or_else(|| text("state"), |end| format!("{} {end}", text("state")));
        rows.push(vec![head.run.clone(), state, known::clock(head.updated_ms), text("request")]);
        all.push(view);
    }
    let rows = json!(rows);
    let data = runtime::trace::redacted(&Value::Array(all), &ctx.redactor()?);
    let rows: Vec<Vec<String>> =
        serde_json::from_value(runtime::trace::redacted(&rows, &ctx.redactor()?))
            .unwrap_or_default();
    let text = table::draw(&ctx.heading(["run", "state", "updated", "request"]), &rows);
    Ok(Reply::new(data, text))
}

/// How one stands.
pub fn show(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    standing(ctx, &looked(ctx, id)?)
}

fn looked(ctx: &Ctx, id: &str) -> Result<Feed, Trouble> {
    let mut feed = Feed::open(ctx, id)?;
    feed.look(|_, _| {})?;
    Ok(feed)
}

/// The same of one that is looked at already.
pub fn standing(ctx: &Ctx, feed: &Feed) -> Result<Reply, Trouble> {
    let head = &feed.known().head;
    let data = query::show(head, feed.folded(), ctx.lang);
    let mut page = page::standing(ctx, &head.run, feed.state(), &feed.open_questions()?);
    for notice in runtime::views::notices(&feed.dir().path, &head.run) {
        page = format!("{page}\n{}", super::super::loops::page::notice(ctx, &notice));
    }
    let redactor = ctx.redactor()?;
    known::redacted(ctx, &data, |_| redactor.redact_text(&page))
}

/// Its plan; refused before there is one.
pub fn plan(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let feed = looked(ctx, id)?;
    let work = feed.state().life().and_then(|life| life.body.work.as_deref());
    let Some(work) = work else { return Err(not_yet(&feed, "plan")) };
    let page = turns::plan_sheet(ctx.lang, &work.plan);
    let redactor = ctx.redactor()?;
    known::redacted(ctx, &json!(work.plan), |_| redactor.redact_text(&page))
}

/// Its summary; refused before its end.
pub fn summary(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let feed = looked(ctx, id)?;
    let Some(summary) = summed(&feed)? else { return Err(not_yet(&feed, "summary")) };
    told(ctx, &summary)
}

fn told(ctx: &Ctx, summary: &Summary) -> Result<Reply, Trouble> {
    let page = turns::summary_sheet(ctx.lang, summary);
    let redactor = ctx.redactor()?;
    known::redacted(ctx, &json!(summary), |_| redactor.redact_text(&page))
}

/// The end of a turn that is over: its summary for people, how it stands for programs.
pub fn ended(ctx: &Ctx, feed: &Feed) -> Result<Reply, Trouble> {
    let mut reply = standing(ctx, feed)?;
    if let Some(summary) = summed(feed)? {
        reply.text = told(ctx, &summary)?.text;
        reply.data["summary"] = runtime::trace::redacted(&json!(summary), &ctx.redactor()?);
    }
    if let Some(answer) = answer(feed) {
        let answer = ctx.redactor()?.redact_text(&answer);
        reply.text = format!("{answer}\n\n{}", reply.text);
        reply.data["answer"] = json!(answer);
    }
    let (exit, word) = end(feed.state());
    Ok(reply.ended(exit, word))
}

/// What it answered, as it was kept.
fn answer(feed: &Feed) -> Option<String> {
    let Phase::Done(over) = &feed.state().life()?.phase else { return None };
    store::load(&feed.dir().path, over.answer.as_deref()?).ok()
}

fn not_yet(feed: &Feed, command: &str) -> Trouble {
    edge::turns::not_yet(&feed.known().head.run, feed.state(), command)
}

fn summed(feed: &Feed) -> Result<Option<Summary>, Trouble> {
    edge::turns::summed(feed.known(), feed.state())
}

/// What a turn's end says to the shell, and its own word for it.
pub fn end(state: &State) -> (Exit, &'static str) {
    let Some(Phase::Done(over)) = state.life().map(|life| &life.phase) else {
        return (Exit::WAITING, "waiting");
    };
    let exit = match &over.outcome {
        Outcome::Completed | Outcome::Answered => Exit::OK,
        Outcome::Blocked { detail, .. } if EXPIRED.contains(&detail.as_str()) => Exit::WAITING,
        Outcome::Denied { rule: Some(rule), .. } if EXPIRED.contains(&rule.as_str()) => {
            Exit::WAITING
        }
        Outcome::Blocked { code, .. } => {
            Code::parse(code).map_or(Exit::FAILED, |code| code.class().exit_of_run())
        }
        Outcome::Denied { .. } => Exit::DENIED,
        Outcome::Cancelled { .. } => Exit::CANCELLED,
    };
    (exit, over.outcome.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::machine::At;
    use kernel::turn::samples::sample_states;
    use kernel::turn::{Over, Verified};

    fn over(outcome: Outcome) -> State {
        let (_, mut state) =
            sample_states().into_iter().find(|(_, state)| state.life().is_some()).unwrap();
        if let State::Begun(life) = &mut state {
            life.phase = Phase::Done(Box::new(Over {
                outcome,
                verified: Verified::Skipped,
                answer: None,
                summary: None,
                git: None,
                at: At(0),
            }));
        }
        state
    }

    #[test]
    fn an_end_says_its_word_and_its_code() {
        let blocked = |code: &str, detail: &str| Outcome::Blocked {
            code: code.into(),
            detail: detail.into(),
            step: None,
        };
        let denied = |rule: Option<&str>| Outcome::Denied {
            code: "E_POLICY_DENIED".into(),
            by: "user".into(),
            rule: rule.map(str::to_owned),
        };
        let table = [
            (Outcome::Completed, Exit::OK, "completed"),
            (Outcome::Answered, Exit::OK, "answered"),
            (blocked("E_BUILD_FAIL", ""), Exit::FAILED, "blocked"),
            (blocked("E_TOOL_TIMEOUT", ""), Exit::TIMEOUT, "blocked"),
            (blocked("E_BUDGET", ""), Exit::BUDGET, "blocked"),
            (blocked("E_CONFLICT", ""), Exit::CONFLICT, "blocked"),
            (blocked("E_INVALID_ARGS", ""), Exit::FAILED, "blocked"),
            (blocked("E_POLICY_DENIED", ""), Exit::DENIED, "blocked"),
            (blocked("E_IO", "turn.help_expired"), Exit::WAITING, "blocked"),
            (denied(None), Exit::DENIED, "denied"),
            (denied(Some("turn.confirmation_expired")), Exit::WAITING, "denied"),
            (Outcome::Cancelled { by: "person".into() }, Exit::CANCELLED, "cancelled"),
        ];
        for (outcome, exit, word) in table {
            assert_eq!(end(&over(outcome.clone())), (exit, word), "{outcome:?}");
        }
        assert_eq!(end(&State::Idle).0, Exit::WAITING);
    }
}
