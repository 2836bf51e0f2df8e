//! `grant list|revoke`: what people have allowed, and taking it back before it is used again.

use edge::door::{Ask, CallSay};
use kernel::errors::{Machine, nearest};
use runtime::query::{self, Given, TakenBack, Which};
use serde_json::{Value, json};

use super::known;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// What to do with grants.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// List them.
    List {
        /// Those that are over, too.
        #[arg(long)]
        all: bool,
    },
    /// Take one back.
    Revoke {
        /// The grant.
        #[arg(value_name = "GRANT")]
        grant: String,
    },
}

/// Does it.
///
/// # Errors
/// No such grant, a refusal, or a journal that cannot be read.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::List { all } => list(ctx, if *all { Which::All } else { Which::Live }),
        Verb::Revoke { grant } => revoke(ctx, grant),
    }
}

fn on_record(ctx: &Ctx, which: Which) -> Result<Vec<Given>, Trouble> {
    let Some((_, journal)) = ctx.journal()? else { return Ok(Vec::new()) };
    query::grants(&journal, which).map_err(|why| trouble::of_query(&why))
}

fn list(ctx: &Ctx, which: Which) -> Result<Reply, Trouble> {
    let all: Vec<Value> = on_record(ctx, which)?.into_iter().map(|given| given.view).collect();
    known::redacted(ctx, &Value::Array(all), |data| {
        let rows: Vec<Vec<String>> =
            data.as_array().into_iter().flatten().map(|view| row(ctx, view)).collect();
        if rows.is_empty() {
            return ctx.say("grant-none");
        }
        table::draw(&ctx.heading(["grant", "scope", "state", "uses", "command"]), &rows)
    })
}

fn row(ctx: &Ctx, view: &Value) -> Vec<String> {
    let word = |name: &str| view[name].as_str().unwrap_or("-").to_owned();
    let subject = &view["subject"];
    let words = |name: &str| {
        let all = subject[name].as_array().into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut about = vec![subject["tool"].as_str().unwrap_or("-").to_owned()];
    about.extend(words("argv"));
    about.extend(words("paths"));
    // A plan's own commands, as they would be typed.
    let commands = subject["commands"].as_array().into_iter().flatten();
    about.extend(commands.filter_map(|one| {
        let argv: Vec<String> = serde_json::from_value(one["argv"].clone()).ok()?;
        Some(format!("`{}`", kernel::call::typed(&argv)))
    }));
    let scope = ctx.say(&format!("policy-scope-{}", word("scope")));
    let state = ctx.say(&format!("grant-state-{}", word("state")));
    let uses = view["uses"].as_u64().map_or_else(|| "-".to_owned(), |uses| uses.to_string());
    vec![word("grant_id"), scope, state, uses, about.join(" ")]
}

/// The whole name of a grant on record.
///
/// # Errors
/// No such grant, or a journal that cannot be read.
pub fn named(ctx: &Ctx, word: &str) -> Result<String, Trouble> {
    Ok(find(&on_record(ctx, Which::All)?, word)?.id.clone())
}

fn revoke(ctx: &Ctx, word: &str) -> Result<Reply, Trouble> {
    desk::person(ctx, Machine::Policy, "revoke")?;
    let all = on_record(ctx, Which::All)?;
    let given = find(&all, word)?;
    let mut desk = desk::steer(ctx)?;
    let (run, trace) = (given.run.clone(), desk.trace());
    match given.back {
        TakenBack::Itself => desk.take(&Ask::Revoke { run, trace })?,
        TakenBack::WithCall => {
            let say = CallSay::Deny { note: given.id.clone() };
            desk.take(&Ask::Call { run, trace, say })?
        }
        TakenBack::WithLoop => {
            let help = format!("loopwright loop stop {run}");
            let details = json!({ "state": "live", "holder": run, "help": help });
            return Err(trouble::refused(Machine::Policy, "not_now", details));
        }
        TakenBack::No => {
            let details = json!({ "state": given.view["state"] });
            return Err(trouble::refused(Machine::Policy, "not_now", details));
        }
    };
    let data = json!({ "grant_id": given.id, "state": "revoked" });
    Ok(Reply::new(data, ctx.tell("grant-revoked", &[("grant", &given.id)])))
}

fn find<'a>(all: &'a [Given], word: &str) -> Result<&'a Given, Trouble> {
    if let Some(given) = all.iter().find(|given| given.id == word) {
        return Ok(given);
    }
    let fits: Vec<&Given> =
        all.iter().filter(|given| !word.is_empty() && given.id.starts_with(word)).collect();
    if let [one] = fits.as_slice() {
        return Ok(one);
    }
    let near = nearest(word, all.iter().map(|given| given.id.as_str()));
    let details = json!({ "what": "grant", "id": word, "nearest": near });
    Err(trouble::refused(Machine::Policy, "no_such", details))
}
