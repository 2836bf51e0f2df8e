//! A tool that is asked for in a turn, as its agent does, and what came of it. Whether it may be
//! asked for is the turn's to say.

use serde_json::Value;

use crate::door::{Ask, Reply, ToolForm};
use crate::problem::Raised;
use crate::site::{Desk, Visit, class};

/// What came of it.
pub enum Called {
    /// This.
    Told(Value),
    /// Nothing yet: it goes on under this key.
    Pending(Value),
}

/// Asks for it and waits a while for its end.
///
/// # Errors
/// The refusal, or that no engine answers.
pub fn call(visit: &Visit<'_>, run: &str, form: ToolForm) -> Result<Called, Raised> {
    let mut desk = visit.steer()?;
    let ask = Ask::InTurn { run: run.to_owned(), trace: desk.trace(), form };
    let told = heard(&mut desk, &ask)?;
    let Some(key) = told["pending"].as_str().map(str::to_owned) else {
        return Ok(Called::Told(told));
    };
    let told = heard(&mut desk, &Ask::Heard { key })?;
    Ok(if told["pending"].is_string() { Called::Pending(told) } else { Called::Told(told) })
}

fn heard(desk: &mut Desk, ask: &Ask) -> Result<Value, Raised> {
    match desk.ask(ask)? {
        Reply::Told(told) => Ok(told),
        Reply::Hello { .. }
        | Reply::Status(_)
        | Reply::Left
        | Reply::Noted
        | Reply::Taken { .. }
        | Reply::Refused(_) => Err(class(kernel::errors::Class::Internal, serde_json::json!({}))),
    }
}
