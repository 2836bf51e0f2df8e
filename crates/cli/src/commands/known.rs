//! What several reading commands need: which names are known, which run an id means, how a page
//! of facts is drawn. It reads; it prints nothing.

use edge::site;
pub use edge::site::Known;
use kernel::run::Kind;
use runtime::query;
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
    site::run(&ctx.site()?, id)
}

/// The same, of one machine only.
///
/// # Errors
/// As [`run`], or when the run belongs to another machine.
pub fn run_of(ctx: &Ctx, id: &str, kind: Kind) -> Result<Known, Trouble> {
    site::run_of(&ctx.site()?, id, kind)
}

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
    site::state("--state", word, kinds)
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
