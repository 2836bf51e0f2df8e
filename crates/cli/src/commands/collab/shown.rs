//! What can be read of a collab without an engine: the list, the snapshot, the result, whether it
//! may be used, the takeover bundle.

use kernel::collab::view::{self, Meta};
use kernel::collab::{Level, State};
use kernel::errors::{Code, Exit, Machine};
use kernel::machine::At;
use kernel::run::{Kind, State as Any};
use runtime::collab;
use runtime::query::{self, Filter};
use serde_json::{Value, json};

use super::super::known::{self, Known};
use super::start::now;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// A collab as it stands.
pub struct Seen {
    pub state: State,
    pub meta: Meta,
    pub texts: collab::Texts,
}

/// Reads one.
pub fn seen(ctx: &Ctx, id: &str) -> Result<Seen, Trouble> {
    let known = known::run_of(ctx, id, Kind::Collab)?;
    of_known(ctx, &known)
}

fn of_known(ctx: &Ctx, known: &Known) -> Result<Seen, Trouble> {
    let folded = query::fold(&known.journal, &known.head, None)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    let Any::Collab(state) = folded.state else {
        return Err(trouble::refused(Machine::Collab, "no_such", json!({"id": known.head.run})));
    };
    let texts = collab::texts(&state, &known.dir.path, &ctx.redactor()?);
    let meta = Meta {
        run_id: known.head.run.clone(),
        parent: known.head.parent.clone(),
        seq: folded.seq,
        updated_at: At(folded.updated_ms),
    };
    Ok(Seen { state, meta, texts })
}

/// The list, newest first.
pub fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let Some((_, journal)) = ctx.journal()? else {
        return Ok(Reply::new(json!([]), ctx.say("collab-none")));
    };
    let filter = Filter { machine: Some(Kind::Collab.name().to_owned()), ..Filter::default() };
    let heads = query::runs(&journal, &filter).map_err(|why| trouble::of_query(&why))?;
    let all: Vec<Value> = heads.iter().map(query::listed).collect();
    if all.is_empty() {
        return Ok(Reply::new(json!([]), ctx.say("collab-none")));
    }
    let rows: Vec<Vec<String>> = heads
        .iter()
        .map(|head| vec![head.run.clone(), head.status.clone(), known::clock(head.updated_ms)])
        .collect();
    let text = table::draw(&ctx.heading(["run", "state", "updated"]), &rows);
    Ok(Reply::new(Value::Array(all), text))
}

/// The snapshot, as its file has it.
pub fn show(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let Seen { state, meta, texts } = seen(ctx, id)?;
    let data = view::snapshot(&state, &meta).map(|snapshot| snapshot.text());
    let data = data.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
    let page = collab::sheet(&state, &meta, now(), ctx.lang, &texts);
    known::redacted(ctx, &data, |_| page.clone())
}

/// The result; refused before there is one.
pub fn result(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = seen(ctx, id)?;
    outcome(ctx, &seen)?.ok_or_else(|| not_yet(&seen))
}

/// The result of a run that has one, with the exit code it gives.
pub fn outcome(ctx: &Ctx, seen: &Seen) -> Result<Option<Reply>, Trouble> {
    let Some(result) = view::result(&seen.state, &seen.meta, &seen.texts) else { return Ok(None) };
    let data = serde_json::from_str(&result.text()).unwrap_or(Value::Null);
    let page = collab::sheet(&seen.state, &seen.meta, now(), ctx.lang, &seen.texts);
    let reply = known::redacted(ctx, &data, |_| page.clone())?;
    Ok(Some(reply.ended(exit(&seen.state), seen.state.name())))
}

fn not_yet(seen: &Seen) -> Trouble {
    let details = json!({"state": seen.state.name(), "command": "result"});
    trouble::refused(Machine::Collab, "not_now", details)
}

/// What a run's end says to the shell.
pub fn exit(state: &State) -> Exit {
    match state {
        State::New | State::Init { .. } | State::Running { .. } => Exit::WAITING,
        State::Degraded { .. } => Exit::DEGRADED,
        State::Success { .. } => Exit::OK,
        State::Failed { code, .. } => {
            Code::parse(code).map_or(Exit::FAILED, |code| code.class().exit_of_run())
        }
    }
}

/// Whether the result may be used: 0 yes, 5 a person confirms first, 1 no.
pub fn gate(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = seen(ctx, id)?;
    let (word, exit) = match &seen.state {
        State::New | State::Init { .. } | State::Running { .. } => return Err(not_yet(&seen)),
        State::Success { .. } => ("pass", Exit::OK),
        State::Degraded { .. } => ("confirm", Exit::DEGRADED),
        State::Failed { .. } => ("failed", Exit::FAILED),
    };
    let shortfall = view::shortfall(&seen.state);
    let data = json!({
        "gate": word, "state": seen.state.name(),
        "degraded_level": shortfall.map(|lack| match lack.level {
            Level::Acceptable => "ACCEPTABLE",
            Level::Unacceptable => "UNACCEPTABLE",
        }),
        "missing_dimensions":
            shortfall.map(|lack| lack.missing.items().to_vec()).unwrap_or_default(),
        "degraded_reason": shortfall.map(|lack| lack.reason.clone()),
    });
    let mut reply = known::redacted(ctx, &data, |data| {
        known::facts(ctx, data, &["gate", "state", "degraded_level"])
    })?;
    reply.exit = exit;
    Ok(reply)
}

/// The takeover bundle; refused where there is none.
pub fn takeover(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = seen(ctx, id)?;
    let Some(bundle) = view::takeover(&seen.state, &seen.meta) else { return Err(not_yet(&seen)) };
    let text = bundle.text();
    let data: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    known::redacted(ctx, &data, |data| serde_json::to_string_pretty(data).unwrap_or_default())
}
