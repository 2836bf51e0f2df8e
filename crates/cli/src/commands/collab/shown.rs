//! What can be read of a collab without an engine: the list, the snapshot, the result, whether it
//! may be used, the takeover bundle.

pub use edge::collabs::Seen;
use edge::collabs::{self, Wanted};
use kernel::collab::{Cause, State};
use kernel::errors::{Code, Exit};
use kernel::run::Kind;
use runtime::collab::{self, Glance};
use runtime::query::{self, Folded};
use runtime::views::notices;
use runtime::workspace::{DIR_NAME, StateDir};
use serde_json::{Value, json};

use super::super::known::{self, Known};
use super::start::now;
use crate::ctx::{Ctx, Form};
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// Those who have said nothing for too long at this moment.
pub fn silent(ctx: &Ctx, seen: &Seen) -> Result<Vec<String>, Trouble> {
    let threshold_ms = ctx.settings()?.settings.collab.warning_threshold_ms;
    let loop_dir = ctx.root()?.path.join(DIR_NAME);
    let all = collab::silences(&seen.state, &loop_dir, now(), threshold_ms);
    Ok(all.into_iter().map(|silence| silence.participant).collect())
}

/// The page for people, at this moment.
fn page(ctx: &Ctx, seen: &Seen) -> Result<String, Trouble> {
    let silent = silent(ctx, seen)?;
    let glance = Glance { now: now(), silent: &silent };
    Ok(collab::sheet(&seen.state, &seen.meta, glance, ctx.lang, &seen.texts))
}

/// Reads one.
pub fn seen(ctx: &Ctx, id: &str) -> Result<Seen, Trouble> {
    Seen::of(&ctx.site()?, id, &ctx.redactor()?)
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
        let seen = Seen::folded(&known, &folded, &ctx.redactor()?)?;
        Ok(Self { known, folded, seen })
    }

    /// The collab as it stands now.
    pub fn look(&mut self, ctx: &Ctx) -> Result<&Seen, Trouble> {
        let before = self.folded.seq;
        query::go_on(&self.known.journal, &self.known.head.run, &mut self.folded)
            .map_err(|refusal| trouble::of_query(&refusal))?;
        if self.folded.seq != before {
            self.seen = Seen::folded(&self.known, &self.folded, &ctx.redactor()?)?;
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
    let all = collabs::list(&ctx.site()?, &Wanted::default())?;
    if all.is_empty() {
        return Ok(Reply::new(json!([]), ctx.say("collab-none")));
    }
    let row = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
        let at = text("updated_at").split('.').next().unwrap_or_default().replace('T', " ");
        vec![text("run_id"), text("state"), at]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let text = table::draw(&ctx.heading(["run", "state", "updated"]), &rows);
    Ok(Reply::new(Value::Array(all), text))
}

/// The snapshot, as its file has it.
pub fn show(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = seen(ctx, id)?;
    let mut page = page(ctx, &seen)?;
    for notice in notices(&ctx.root()?.path.join(DIR_NAME), &seen.meta.run_id) {
        page = format!("{page}\n{}", super::super::loops::page::notice(ctx, &notice));
    }
    known::redacted(ctx, &collabs::show(&seen), |_| page.clone())
}

/// The result; refused before there is one.
pub fn result(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = seen(ctx, id)?;
    let data = collabs::result(&seen)?;
    ended(ctx, &seen, &data)
}

/// The result of a run that has one, with the exit code it gives.
pub fn outcome(ctx: &Ctx, seen: &Seen) -> Result<Option<Reply>, Trouble> {
    let Ok(data) = collabs::result(seen) else { return Ok(None) };
    ended(ctx, seen, &data).map(Some)
}

fn ended(ctx: &Ctx, seen: &Seen, data: &Value) -> Result<Reply, Trouble> {
    let page = match ctx.form {
        Form::Text => page(ctx, seen)?,
        Form::Json => String::new(),
    };
    let reply = known::redacted(ctx, data, |_| page.clone())?;
    Ok(reply.ended(exit(&seen.state), seen.state.name()))
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
    let data = collabs::gate(&seen)?;
    let exit = match &seen.state {
        State::New | State::Init { .. } | State::Running { .. } => Exit::WAITING,
        State::Success { .. } => Exit::OK,
        State::Degraded { .. } => Exit::DEGRADED,
        State::Failed { .. } => Exit::FAILED,
    };
    let mut reply = known::redacted(ctx, &data, |data| {
        known::facts(ctx, data, &["gate", "state", "degraded_level"])
    })?;
    reply.exit = exit;
    Ok(reply)
}

/// The takeover bundle; refused where there is none.
pub fn takeover(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let data = collabs::takeover(&seen(ctx, id)?)?;
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
