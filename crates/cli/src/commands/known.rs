//! What several reading commands need: which names are known, which run an id means, how a page
//! of facts is drawn. It reads; it prints nothing.

pub use edge::site::Known;
use kernel::errors::{Code, Machine};
use kernel::run::Kind;
use runtime::query::{self, Filter, Refusal};
use runtime::trace;
use runtime::words;
use serde_json::Value;

use crate::ctx::{Ctx, Form};
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// The run an id or a unique beginning of one means.
///
/// # Errors
/// When none or several fit, or the journal cannot be read.
pub fn run(ctx: &Ctx, id: &str) -> Result<Known, Trouble> {
    let Some((dir, journal)) = ctx.journal()? else {
        let none = Refusal::NoSuch { id: id.to_owned(), nearest: Vec::new() };
        return Err(trouble::of_query(&none));
    };
    let head = query::resolve(&journal, id).map_err(|refusal| trouble::of_query(&refusal))?;
    Ok(Known { dir, journal, head })
}

/// The same, of one machine only.
///
/// # Errors
/// As [`run`], or when the run belongs to another machine.
pub fn run_of(ctx: &Ctx, id: &str, kind: Kind) -> Result<Known, Trouble> {
    let known = run(ctx, id).map_err(|trouble| meant(ctx, kind, trouble))?;
    if known.head.machine == kind.name() {
        return Ok(known);
    }
    let machine = known.head.machine;
    Err(trouble::of_query(&Refusal::OtherMachine {
        id: known.head.run,
        machine,
        wanted: kind.name(),
    }))
}

/// An id that says nothing of its machine was meant for the one the command is about. Where
/// nothing is near, the newest are named.
fn meant(ctx: &Ctx, kind: Kind, mut trouble: Trouble) -> Trouble {
    let Code::Refusal(Machine::Door, reason) = trouble.code else { return trouble };
    let machine = match kind {
        Kind::Call => Machine::Call,
        Kind::Loop => Machine::Loop,
        Kind::Collab => Machine::Collab,
        Kind::Grant => Machine::Policy,
        Kind::Turn => Machine::Turn,
        Kind::Lifecycle => Machine::Lifecycle,
        Kind::Session => Machine::Session,
    };
    trouble.code = Code::refused(machine, reason.word);
    let near = trouble.details["nearest"].as_array().is_some_and(|near| !near.is_empty());
    if reason.word == "no_such"
        && !near
        && let Ok(Some((_, journal))) = ctx.journal()
    {
        let filter = Filter { machine: Some(kind.name().to_owned()), ..Filter::default() };
        let newest = query::runs(&journal, &filter).unwrap_or_default();
        let newest = newest.into_iter().take(NEWEST_MAX).map(|head| head.run);
        trouble.details["nearest"] = newest.collect();
    }
    trouble
}

/// As many as a sentence can name.
const NEWEST_MAX: usize = 3;

/// The machine of that name.
///
/// # Errors
/// When there is none.
pub fn machine(name: &str) -> Result<Kind, Trouble> {
    let names = Kind::ALL.map(Kind::name);
    Kind::named(name).ok_or_else(|| trouble::bad_value("MACHINE", name, &names))
}

/// Whether a word is a state of one of these machines.
///
/// # Errors
/// When it is not.
pub fn state(word: &str, kinds: &[Kind]) -> Result<(), Trouble> {
    let all: Vec<&str> = kinds.iter().flat_map(|kind| edge::draw::kept(*kind).states).collect();
    if all.iter().any(|known| known.eq_ignore_ascii_case(word)) {
        return Ok(());
    }
    Err(trouble::bad_value("--state", word, &all))
}

/// A moment for tables: to the second, without the letters.
pub fn clock(ms: u64) -> String {
    let text = query::at_ms(ms);
    text.split('.').next().unwrap_or_default().replace('T', " ")
}

/// The answer without secrets, in both forms.
///
/// # Errors
/// When the settings that name further secrets cannot be used.
pub fn redacted(
    ctx: &Ctx,
    data: &Value,
    page: impl Fn(&Value) -> String,
) -> Result<Reply, Trouble> {
    let data = trace::redacted(data, &ctx.redactor()?);
    // Words that nobody reads need not be looked up.
    let text = match ctx.form {
        Form::Text => page(&data),
        Form::Json => String::new(),
    };
    Ok(Reply::new(data, text))
}

/// Facts as lines of name and value; what has parts is shown as one line of JSON. The names in
/// `first` come first, the rest by name; what is not set is left out.
pub fn facts(ctx: &Ctx, data: &Value, first: &[&str]) -> String {
    let Value::Object(fields) = data else { return data.to_string() };
    let rest = fields.keys().map(String::as_str).filter(|name| !first.contains(name));
    let rows: Vec<(String, String)> = first
        .iter()
        .copied()
        .chain(rest)
        .filter_map(|name| Some((label(ctx, name), shown(fields.get(name)?)?)))
        .collect();
    table::pairs(&rows)
}

fn label(ctx: &Ctx, name: &str) -> String {
    words::find(ctx.lang, &format!("fact-{}", name.replace('_', "-")), &[])
        .unwrap_or_else(|| name.to_owned())
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) if text.is_empty() => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(all) if all.is_empty() => None,
        Value::Array(all) => {
            let plain: Option<Vec<&str>> = all.iter().map(Value::as_str).collect();
            Some(plain.map_or_else(|| value.to_string(), |all| all.join(" ")))
        }
        Value::Object(fields) if fields.is_empty() => None,
        Value::Object(_) => Some(value.to_string()),
    }
}
