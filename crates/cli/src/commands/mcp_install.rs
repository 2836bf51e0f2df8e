//! `mcp install CLIENT`: our MCP server entered in another client's own user settings. What would
//! be written is shown first, and only a person's yes writes it; a copy of the old file stays.

use std::path::Path;

use kernel::errors::{Class, Exit, Machine};
use runtime::agents::enter::{Client, Entered, Entry, Old, Unwritten, read, write};
use serde_json::{Value, json};

use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::prompt::{self, Typed};
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// How often a person's line is looked for.
const LOOK_EVERY: std::time::Duration = std::time::Duration::from_millis(200);

/// Which client.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its name.
    #[arg(value_name = "CLIENT")]
    client: String,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// Enters it.
///
/// # Errors
/// An unknown client, somebody who is no person, settings that cannot be read or written, or that
/// changed while they were looked at.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let client = Client::named(&args.client)
        .ok_or_else(|| trouble::bad_value("CLIENT", &args.client, &Client::NAMES))?;
    desk::person(ctx, Machine::Agent, "mcp install")?;
    let path = client.settings(&ctx.places()?.home, |name| std::env::var_os(name));
    let old = read(&path).map_err(|why| desk::io(&shown_path(ctx, &path), &why))?;
    let entry = entry()?;
    let unfit = || {
        let details = json!({
            "kind": "unfit_settings", "path": shown_path(ctx, &path),
            "entry": client.shown(&entry).trim_end(),
        });
        trouble::class(Class::InvalidArgs, details)
    };
    let text = std::str::from_utf8(old.bytes.as_deref().unwrap_or_default());
    let text = text.map_err(|_| unfit())?;
    let told = Told { ctx, client, path: &old.path };
    match client.entered(text, &entry).map_err(|_| unfit())? {
        Entered::Same => Ok(told.reply("mcp-install-same", "unchanged", &Value::Null)),
        Entered::Text(new) => told.asked(args, &entry, &old, &new),
    }
}

/// Our server: this very program, by its whole path, since clients have search paths of their own.
fn entry() -> Result<Entry, Trouble> {
    let exe = std::env::current_exe().map_err(|why| desk::io("loopwright", &why))?;
    let command = exe.to_str().map(str::to_owned);
    let command = command.ok_or_else(|| trouble::bad_value("loopwright", "", &["UTF-8"]))?;
    Ok(Entry { command, args: vec!["mcp".to_owned()] })
}

/// A path as people know it.
fn shown_path(ctx: &Ctx, path: &Path) -> String {
    let home = ctx.places().ok().map(|places| places.home);
    match home.and_then(|home| Some(path.strip_prefix(home).ok()?.to_owned())) {
        Some(below) => format!("~/{}", below.display()),
        None => path.display().to_string(),
    }
}

/// What a person is told about one client.
struct Told<'a> {
    ctx: &'a Ctx,
    client: Client,
    path: &'a Path,
}

impl Told<'_> {
    fn reply(&self, word: &str, state: &str, copy: &Value) -> Reply {
        let path = shown_path(self.ctx, self.path);
        let data = json!({
            "client": self.client.name(), "path": path, "state": state, "copy": copy,
        });
        let kept = copy.as_str().unwrap_or_default();
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("client", &self.client.name()), ("path", &path), ("copy", &kept)];
        Reply::new(data, self.ctx.tell(word, &args))
    }

    /// Shows what would be written and waits for a yes.
    fn asked(&self, args: &Args, entry: &Entry, old: &Old, new: &str) -> Result<Reply, Trouble> {
        let shown = self.client.shown(entry);
        let mut would = self.reply("mcp-install-would", "waiting", &Value::Null);
        would.data["entry"] = json!(shown);
        would.text = format!("{}\n\n{}", would.text, shown.trim_end());
        if People::of(args.headless) == People::Away || self.ctx.form == Form::Json {
            return Ok(would.ended(Exit::WAITING, "waiting"));
        }
        out::notice(&would.text);
        out::notice(&self.ctx.say("mcp-install-ask"));
        interrupt::listen();
        if !yes() {
            return Ok(Reply {
                exit: Exit::CANCELLED,
                ..self.reply("mcp-install-no", "left", &Value::Null)
            });
        }
        match write(old, new) {
            Ok(copy) => {
                let copy = copy.map(|path| shown_path(self.ctx, &path));
                let word = if copy.is_some() { "mcp-install-done" } else { "mcp-install-new" };
                Ok(self.reply(word, "written", &json!(copy)))
            }
            Err(Unwritten::Changed) => {
                let details = json!({
                    "kind": "changed_meanwhile", "path": shown_path(self.ctx, self.path),
                    "client": self.client.name(),
                });
                Err(trouble::class(Class::Conflict, details))
            }
            Err(Unwritten::Io(why)) => Err(desk::io(&shown_path(self.ctx, self.path), &why)),
        }
    }
}

/// Waits for a line; only a plain yes is one.
fn yes() -> bool {
    while !interrupt::asked() {
        match prompt::typed(LOOK_EVERY) {
            Typed::Line(line) => {
                return ["y", "yes", "是", "好"].contains(&line.to_lowercase().as_str());
            }
            Typed::End => return false,
            Typed::Nothing => {}
        }
    }
    false
}
