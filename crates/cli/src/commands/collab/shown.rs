//! What can be read of a collab without an engine: the list, the snapshot, the result, whether it
//! may be used, the takeover bundle.

use std::path::PathBuf;

use edge::problem::Place;
use kernel::collab::view::{self, Meta};
use kernel::collab::{Cause, Level, State};
use kernel::errors::{Code, Exit, Machine};
use kernel::machine::{At, By};
use kernel::run::{Kind, State as Any};
use runtime::collab::{self, Glance};
use runtime::query::{self, Filter, Folded};
use runtime::views::notices;
use runtime::workspace::StateDir;
use serde_json::{Value, json};

use super::super::known::{self, Known};
use super::start::now;
use crate::ctx::{Ctx, Form};
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// A collab as it stands.
pub struct Seen {
    pub state: State,
    pub meta: Meta,
    pub texts: collab::Texts,
    loop_dir: PathBuf,
}

impl Seen {
    /// Those who have said nothing for too long at this moment.
    pub fn silent(&self, ctx: &Ctx) -> Result<Vec<String>, Trouble> {
        let threshold_ms = ctx.settings()?.settings.collab.warning_threshold_ms;
        let all = collab::silences(&self.state, &self.loop_dir, now(), threshold_ms);
        Ok(all.into_iter().map(|silence| silence.participant).collect())
    }

    /// The page for people, at this moment.
    fn page(&self, ctx: &Ctx) -> Result<String, Trouble> {
        let silent = self.silent(ctx)?;
        let glance = Glance { now: now(), silent: &silent };
        Ok(collab::sheet(&self.state, &self.meta, glance, ctx.lang, &self.texts))
    }
}

/// Reads one.
pub fn seen(ctx: &Ctx, id: &str) -> Result<Seen, Trouble> {
    let known = known::run_of(ctx, id, Kind::Collab)?;
    let folded = query::fold(&known.journal, &known.head, None)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    of_folded(ctx, &known, &folded)
}

fn of_folded(ctx: &Ctx, known: &Known, folded: &Folded) -> Result<Seen, Trouble> {
    let Any::Collab(state) = &folded.state else {
        return Err(trouble::refused(Machine::Collab, "no_such", json!({"id": known.head.run})));
    };
    let texts = collab::texts(state, &known.dir.path, &ctx.redactor()?);
    let meta = Meta {
        run_id: known.head.run.clone(),
        parent: known.head.parent.clone(),
        seq: folded.seq,
        updated_at: At(folded.updated_ms),
    };
    Ok(Seen { state: state.clone(), meta, texts, loop_dir: known.dir.path.clone() })
}

/// A collab that is looked at again and again: only what came since is read.
pub struct Feed {
    known: Known,
    folded: Folded,
    seen: Seen,
}

impl Feed {
    /// Opens it.
    pub fn open(ctx: &Ctx, id: &str) -> Result<Self, Trouble> {
        let known = known::run_of(ctx, id, Kind::Collab)?;
        let folded = query::fold(&known.journal, &known.head, None)
            .map_err(|refusal| trouble::of_query(&refusal))?;
        let seen = of_folded(ctx, &known, &folded)?;
        Ok(Self { known, folded, seen })
    }

    /// The collab as it stands now.
    pub fn look(&mut self, ctx: &Ctx) -> Result<&Seen, Trouble> {
        let before = self.folded.seq;
        query::go_on(&self.known.journal, &self.known.head.run, &mut self.folded)
            .map_err(|refusal| trouble::of_query(&refusal))?;
        if self.folded.seq != before {
            self.seen = of_folded(ctx, &self.known, &self.folded)?;
        }
        Ok(&self.seen)
    }

    /// Where its files are.
    pub const fn dir(&self) -> &StateDir {
        &self.known.dir
    }
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
    let seen = seen(ctx, id)?;
    let data = view::snapshot(&seen.state, &seen.meta).map(|snapshot| snapshot.text());
    let data = data.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(Value::Null);
    let mut page = seen.page(ctx)?;
    for notice in notices(&seen.loop_dir, &seen.meta.run_id) {
        page = format!("{page}\n{}", super::super::loops::page::notice(ctx, &notice));
    }
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
    let page = match ctx.form {
        Form::Text => seen.page(ctx)?,
        Form::Json => String::new(),
    };
    let reply = known::redacted(ctx, &data, |_| page.clone())?;
    Ok(Some(reply.ended(exit(&seen.state), seen.state.name())))
}

fn not_yet(seen: &Seen) -> Trouble {
    let state = seen.state.name();
    let refused =
        trouble::refused(Machine::Collab, "not_now", json!({"state": state, "command": "result"}));
    let allowed = kernel::collab::allowed(&seen.state, &By::Person).into_iter().map(str::to_owned);
    Trouble { allowed: Some(allowed.collect()), ..refused }.at(Place {
        run_id: Some(seen.meta.run_id.clone()),
        machine: Some(Kind::Collab.name().to_owned()),
        state: Some(state.to_owned()),
        ..Place::default()
    })
}

/// What a run's end says to the shell.
pub fn exit(state: &State) -> Exit {
    match state {
        State::New | State::Init { .. } | State::Running { .. } => Exit::WAITING,
        State::Degraded { .. } => Exit::DEGRADED,
        State::Success { .. } => Exit::OK,
        // Nobody decided in time: whatever the participants' code was, a person was waited for.
        State::Failed { cause: Cause::ConfirmExpired, .. } => Exit::WAITING,
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

#[cfg(test)]
mod tests {
    use kernel::collab::samples::sample_states;

    use super::*;

    #[test]
    fn a_failure_says_its_code_and_nobody_who_decided_says_waiting() {
        let failed = |why: Cause, with: &str| {
            let mut all = sample_states().into_iter().map(|(_, state)| state);
            let mut state = all.find(|state| matches!(state, State::Failed { .. })).unwrap();
            if let State::Failed { cause, code, .. } = &mut state {
                (*cause, *code) = (why, with.to_owned());
            }
            exit(&state)
        };
        let table = [
            (Cause::AllFailed, "E009", Exit::FAILED),
            (Cause::StartGate, "E001", Exit::FAILED),
            (Cause::StartGate, "E002", Exit::FAILED),
            (Cause::Timeout, "E005", Exit::TIMEOUT),
            (Cause::Cancelled, "E007", Exit::CANCELLED),
            (Cause::Declined, "E007", Exit::CANCELLED),
            (Cause::AllFailed, "E_POLICY_DENIED", Exit::DENIED),
            (Cause::AllFailed, "E_UNKNOWN_OUTCOME", Exit::FAILED),
            (Cause::ConfirmExpired, "E009", Exit::WAITING),
            (Cause::ConfirmExpired, "E004", Exit::WAITING),
        ];
        for (cause, code, expected) in table {
            assert_eq!(failed(cause, code), expected, "{cause:?} {code}");
        }
    }
}
