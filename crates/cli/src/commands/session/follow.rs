//! Following a session until what was asked is over, or somebody has to say something. Ctrl-C ends
//! the view alone.

use std::time::Duration;

use journal::Journal as _;
use kernel::errors::Exit;
use kernel::run::{Event as Any, Kind, State};
use kernel::session::{Event, Frame, How, Life, Phase, Verdict};
use runtime::query::{self, OpenQuestion};
use runtime::sessions;
use serde_json::{Value, json};

use super::typed::typed;
use super::{outside, page};
use crate::asked;
use crate::commands::known;
use crate::ctx::Ctx;
use crate::desk::Desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::{Door, Keep};
use crate::live::prompt::{self, Typed};
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// How often the journal is looked at while a question is open.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A session as it stands, with what was recorded since it was spoken to.
pub struct Seen {
    /// Its view.
    pub view: Value,
    /// Where it stands.
    pub life: Life,
    /// What was recorded.
    pub events: Vec<Event>,
    seq: u64,
    open: Vec<OpenQuestion>,
}

/// The number of the last record; 0 where there is no session yet.
pub fn seq(ctx: &Ctx, id: &str) -> u64 {
    let Ok(Some((_, journal))) = ctx.journal() else { return 0 };
    journal.head(id).ok().flatten().map_or(0, |head| head.seq)
}

/// Looks at it.
pub fn look(ctx: &Ctx, id: &str, since: u64) -> Result<Option<Seen>, Trouble> {
    let known = known::run_of(ctx, id, Kind::Session)?;
    let folded = query::fold(&known.journal, &known.head, None)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    let State::Session(state) = &folded.state else { return Ok(None) };
    let Some(life) = state.life().cloned() else { return Ok(None) };
    let records =
        known.journal.read_run(id, since).map_err(|fault| trouble::of_query(&fault.into()))?;
    let events = records
        .iter()
        .filter_map(|record| {
            let read = Any::from_record(Kind::Session, &record.body);
            if let Ok(Any::Session(event)) = read { Some(event) } else { None }
        })
        .collect();
    let open = query::questions(&known.journal, Some(id))
        .map_err(|refusal| trouble::of_query(&refusal))?;
    let beside = sessions::beside(&known.journal, id, folded.seq);
    let mut view = sessions::view(id, state, beside, ctx.lang);
    sessions::fill_config(&mut view, &ctx.settings()?.settings.session);
    Ok(Some(Seen { view, life, events, seq: folded.seq, open }))
}

/// Follows it.
pub fn follow(
    ctx: &Ctx,
    desk: Desk,
    (id, since): (&str, u64),
    people: People,
    name: Option<&'static str>,
) -> Result<Reply, Trouble> {
    interrupt::listen();
    let mut keep = Keep::new(desk);
    let mut shown: Option<String> = None;
    loop {
        let Some(seen) = look(ctx, id, since)? else { return Ok(Reply::printed(Exit::OK)) };
        if over(&seen, name) {
            keep.let_draw();
            return ended(ctx, &seen);
        }
        if interrupt::asked() {
            out::notice(&ctx.say("session-detached"));
            return Ok(Reply::new(seen.view, "").ended(Exit::CANCELLED, "detached"));
        }
        if keep.check(ctx)? == Door::Again {
            out::notice(&ctx.say("lc-engine-again"));
        }
        // What stands on top is asked first.
        let asking = seen.open.last().filter(|_| !works(&seen, name));
        let Some(question) = asking else {
            keep.news(id, seen.seq);
            continue;
        };
        if people == People::Away {
            keep.let_draw();
            return waiting(ctx, &seen);
        }
        if shown.as_deref() != Some(&question.id) {
            out::notice(&page::question(ctx, question));
            shown = Some(question.id.clone());
        }
        match prompt::typed(LOOK_EVERY) {
            Typed::Line(line) => typed(ctx, keep.desk(), id, question, &line),
            Typed::End => return waiting(ctx, &seen),
            Typed::Nothing => {}
        }
    }
}

/// Whether what was asked is over: nothing runs, or it stood above something and is gone.
fn over(seen: &Seen, name: Option<&'static str>) -> bool {
    if seen.life.name() == "Idle" {
        return true;
    }
    if seen.life.frames().iter().any(|frame| begun(frame, &seen.events)) {
        return false;
    }
    let talk =
        |event: &Event| matches!(event, Event::Routed { to, .. } if to == "chat" || to == "tool");
    if seen.events.iter().any(talk) {
        return true;
    }
    let Some(name) = name else { return false };
    let word = format!("~{name}");
    let above = seen.life.frames().iter().any(|frame| frame.word() == word);
    let base = seen.life.unit_word().as_deref() == Some(word.as_str());
    let replacing = seen.life.frames().iter().any(|frame| frame.word() == "replace");
    !above && !base && !replacing && seen.life.name() != "Ending"
}

/// Whether what was asked still works beside something that waits: its own end comes first.
fn works(seen: &Seen, name: Option<&'static str>) -> bool {
    let own = |frame: &Frame| match frame {
        Frame::Embedded { job, open } => {
            *open && job.question().is_none() && name == Some(job.kind.name().word())
        }
        Frame::Chat(_) => begun(frame, &seen.events),
        Frame::Tool(tool) => tool.q.is_none() && begun(frame, &seen.events) && quiet(seen),
        Frame::Relating { .. } | Frame::Replacing { .. } => false,
    };
    seen.life.frames().last().is_some_and(own)
}

/// Whether no call below asks for leave.
fn quiet(seen: &Seen) -> bool {
    seen.open.iter().all(|open| open.question.kind.starts_with("session."))
}

/// Whether this is the talk or the tool that these facts began.
fn begun(frame: &Frame, events: &[Event]) -> bool {
    let number = |frame: &Frame| match frame {
        Frame::Chat(chat) => Some(chat.n),
        Frame::Tool(tool) if tool.call.is_none() => Some(tool.n),
        Frame::Tool(_)
        | Frame::Relating { .. }
        | Frame::Replacing { .. }
        | Frame::Embedded { .. } => None,
    };
    let own = number(frame);
    let pushed =
        |event: &Event| matches!(event, Event::FramePushed { frame } if number(frame) == own);
    own.is_some() && events.iter().any(pushed)
}

/// What the jobs and flows told, or what a tool or an agent said.
fn told(ctx: &Ctx, id: &str, events: &[Event]) -> Value {
    if let Some(outside) = outside::told(ctx, id, events) {
        return outside;
    }
    let found = events.iter().rev().find_map(|event| {
        if let Event::StepDone { told, .. } | Event::FlowAccepted { told, .. } = event {
            return Some(told.clone());
        }
        None
    });
    found.unwrap_or(Value::Null)
}

/// How the unit of these facts ended.
fn end(events: &[Event]) -> Option<(Exit, &'static str)> {
    events.iter().rev().find_map(|event| {
        if let Event::UnitCompleted { verdict, .. } = event {
            return Some(match verdict {
                Some(Verdict::Failed) => (Exit::FAILED, "failed"),
                Some(Verdict::Partial) => (Exit::OK, "partial"),
                Some(Verdict::Passed) | None => (Exit::OK, "passed"),
            });
        }
        if let Event::UnitFailed { .. } = event {
            return Some((Exit::FAILED, "failed"));
        }
        let replaced = matches!(event, Event::UnitCancelled { how: How::Replaced { .. }, .. });
        let cancelled = matches!(event, Event::UnitCancelled { .. });
        (cancelled && !replaced).then_some((Exit::CANCELLED, "cancelled"))
    })
}

fn ended(ctx: &Ctx, seen: &Seen) -> Result<Reply, Trouble> {
    let told = told(ctx, seen.view["session_id"].as_str().unwrap_or_default(), &seen.events);
    let red = seen.events.iter().rev().find_map(|event| {
        let Event::JobMoved { phase, .. } = event else { return None };
        Some(matches!(**phase, Phase::Over { green: false, .. }))
    });
    let mute = told["chat"].is_u64() && !told["failed"].is_null();
    let unwell = told["ok"] == false || mute || red == Some(true);
    let plain = if unwell { (Exit::FAILED, "failed") } else { (Exit::OK, "answered") };
    let (exit, word) = end(&seen.events).unwrap_or(plain);
    let undone = seen.events.iter().any(
        |event| matches!(event, Event::Developed { developed } if !developed.undone.is_empty()),
    );
    let late = told["tests"]["timed_out"] == true;
    let exit = match (late, word, undone) {
        (true, _, _) => Exit::TIMEOUT,
        (false, "partial", true) => Exit::FAILED,
        (false, _, _) => exit,
    };
    let redactor = ctx.redactor()?;
    let text = redactor.redact_text(&page::ended(ctx, seen, &told, word));
    let mut data = seen.view.clone();
    data["told"] = told;
    data["reply_state"] = json!("complete");
    let data = serde_json::from_str(&redactor.redact_text(&data.to_string())).unwrap_or(data);
    let reply = Reply::new(data, text);
    Ok(if word == "answered" { reply } else { reply.ended(exit, word) })
}

fn waiting(ctx: &Ctx, seen: &Seen) -> Result<Reply, Trouble> {
    let redactor = ctx.redactor()?;
    let id = seen.view["session_id"].as_str().unwrap_or_default();
    let said = outside::told(ctx, id, &seen.events).map(|told| page::said(ctx, &told));
    let open = seen.open.iter().map(|open| page::question(ctx, open));
    let shown: Vec<String> = said.into_iter().chain(open).collect();
    let next = seen.open.last().map(|open| {
        let keys = open.question.options.join("|");
        ctx.tell("session-next-answer", &[("id", &open.id), ("keys", &keys)])
    });
    let next = next.unwrap_or_default();
    let text = page::framed(ctx, "waiting", (&shown.join("\n"), &[]), &next);
    let mut data = seen.view.clone();
    if data["reply_state"] != "blocked" {
        data["reply_state"] = json!("waiting");
    }
    data["questions"] = seen.open.iter().map(|open| open.view(ctx.lang)).collect();
    let data = serde_json::from_str(&redactor.redact_text(&data.to_string())).unwrap_or(data);
    Ok(Reply::new(data, redactor.redact_text(&text)).ended(Exit::WAITING, "waiting"))
}

/// The options of a question, one a line.
pub fn options(ctx: &Ctx, question: &OpenQuestion) -> String {
    asked::options(ctx, question).join("\n")
}
