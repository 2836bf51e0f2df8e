//! `grant list|revoke`: what people have allowed, and taking it back before it is used again.

use edge::grants;
use runtime::query::Which;
use serde_json::Value;

use super::known;
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

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

fn list(ctx: &Ctx, which: Which) -> Result<Reply, Trouble> {
    let all: Vec<Value> =
        grants::list(&ctx.site()?, which)?.into_iter().map(|given| given.view).collect();
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
    Ok(grants::find(&grants::list(&ctx.site()?, Which::All)?, word)?.id.clone())
}

fn revoke(ctx: &Ctx, word: &str) -> Result<Reply, Trouble> {
    let site = ctx.site()?;
    let data = grants::revoke(&desk::visit(ctx, &site), word)?;
    let id = data["grant_id"].as_str().unwrap_or_default().to_owned();
    Ok(Reply::new(data, ctx.tell("grant-revoked", &[("grant", &id)])))
}
