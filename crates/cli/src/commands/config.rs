//! `config show [KEY] | check`: the settings in force with their source, and what is wrong with
//! the files.

use edge::problem;
use kernel::errors::{Class, nearest};
use runtime::config::{self, File, Held, Layers};
use runtime::workspace::{self, SETTINGS_FILE};
use serde_json::{Value, json};

use crate::ctx::{self, Ctx};
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// What to do with the settings.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Show them.
    Show {
        /// Only this one.
        #[arg(value_name = "KEY")]
        key: Option<String>,
    },
    /// Check the files.
    Check,
}

/// Does it.
///
/// # Errors
/// A file that is wrong or cannot be read, or an unknown setting.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Show { key } => show(ctx, key.as_deref()),
        Verb::Check => check(ctx),
    }
}

fn show(ctx: &Ctx, key: Option<&str>) -> Result<Reply, Trouble> {
    let resolved = ctx.settings()?;
    let held: Vec<Held> = match key {
        None => resolved.held,
        Some(name) => vec![resolved.look(name).ok_or_else(|| unknown(name, &resolved.held))?],
    };
    let rows: Vec<Vec<String>> = held.iter().map(|held| row(ctx, held)).collect();
    let text = table::draw(&ctx.heading(["key", "source", "value"]), &rows);
    Ok(Reply::new(json!(held), text))
}

fn unknown(name: &str, held: &[Held]) -> Trouble {
    let near = nearest(name, held.iter().map(|held| held.key.as_str()));
    let details = json!({
        "kind": "unknown_setting", "path": name, "nearest": near,
        "help": "loopwright config show",
    });
    trouble::class(Class::InvalidArgs, details)
}

fn row(ctx: &Ctx, held: &Held) -> Vec<String> {
    let value = json!(held.value);
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let source = json!(held.source).as_str().unwrap_or_default().replace('_', "-");
    let value = if json!(held.value).is_null() { String::new() } else { value };
    vec![held.key.clone(), ctx.say(&format!("source-{source}")), value]
}

/// The workspace's file is read here even if nobody trusts it yet: only its form is looked at, so
/// that a person can mend it before trusting it.
fn check(ctx: &Ctx) -> Result<Reply, Trouble> {
    let (root, places) = (ctx.root()?, ctx.places()?);
    let mut resolved = ctx.settings()?;
    let standing =
        workspace::standing(&root, &places).map_err(|refusal| trouble::of_workspace(&refusal))?;
    if let Some(bytes) = &standing.settings {
        let text = String::from_utf8_lossy(bytes);
        let workspace = Some(File { name: SETTINGS_FILE, text: &text });
        let env = ctx::env();
        let layers = Layers { workspace, env: &env, ..Layers::default() };
        let own = config::resolve(&layers).map_err(|faults| trouble::of_faults(&faults))?;
        resolved.warnings.extend(own.warnings);
    }
    resolved.warnings.dedup();
    for warning in &resolved.warnings {
        out::notice(&problem::warning(ctx.lang, "E_INVALID_ARGS", &warning.say(ctx.lang)));
    }
    let warned: Vec<Value> = resolved
        .warnings
        .iter()
        .map(|warning| json!({ "path": warning.at(), "key": warning.key }))
        .collect();
    let data = json!({ "valid": true, "warnings": warned, "trust": standing.trust.word() });
    Ok(Reply::new(data, ctx.say("reads-settings-valid")))
}
