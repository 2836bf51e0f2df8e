//! All live loops at once: their lines as they come, each with the end of its loop's id. It keeps
//! an engine that runs and starts none.

use std::collections::BTreeMap;
use std::time::Duration;

use journal::Journal as _;
use kernel::errors::Exit;
use kernel::machine::At;
use serde_json::json;

use super::feed::{Feed, From};
use super::screen::{Kind, Reader, Screen};
use super::{interrupt, lines};
use crate::commands::loops::page;
use crate::ctx::{Ctx, Form};
use crate::desk;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// How often the journal is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How much of an id stands before its lines.
const ID_CHARS: usize = 8;

/// Watches until nothing lives any more.
///
/// # Errors
/// A journal that cannot be read.
pub fn watch_all(ctx: &Ctx) -> Result<Reply, Trouble> {
    interrupt::listen();
    let Some((dir, journal)) = ctx.journal()? else {
        return Ok(Reply::new(json!([]), ctx.say("lc-nothing-live")));
    };
    let _door = desk::running(ctx)?;
    let redactor = ctx.redactor()?;
    let mut screen = Screen::of(Kind::Lines);
    let mut feeds: BTreeMap<String, Feed> = BTreeMap::new();
    let mut seen_any = false;
    loop {
        if interrupt::asked() {
            return Ok(Reply::printed(Exit::CANCELLED));
        }
        let heads = journal.heads().map_err(|fault| trouble::of_query(&fault.into()))?;
        for head in heads.iter().filter(|head| head.machine == "loop" && head.status == "running") {
            if !feeds.contains_key(&head.run) {
                feeds.insert(head.run.clone(), Feed::open(&dir, &head.run, From::LastStart)?);
            }
        }
        if feeds.is_empty() {
            let text = if seen_any { String::new() } else { ctx.say("lc-nothing-live") };
            return Ok(Reply::new(json!([]), text));
        }
        seen_any = true;
        let mut over = Vec::new();
        for (run, feed) in &mut feeds {
            let mut told = Vec::new();
            feed.look(|before, event, record| {
                told.extend(match ctx.form {
                    Form::Text => lines::told(ctx, before, event, At(record.at_ms)),
                    Form::Json => vec![
                        json!({ "run_id": record.run, "seq": record.seq, "event": record.kind })
                            .to_string(),
                    ],
                });
            })?;
            let running = feed.life().is_some_and(|life| life.phase.status() == "running");
            if !running {
                if let (Some(life), Form::Text) = (feed.life(), ctx.form) {
                    told.extend(page::brief(ctx, life, None).lines().map(str::to_owned));
                }
                over.push(run.clone());
            }
            let short: String =
                run.chars().skip(run.chars().count() - ID_CHARS.min(run.len())).collect();
            for line in told {
                let line = redactor.redact_text(&line);
                let line = if ctx.form == Form::Text { format!("{short}  {line}") } else { line };
                if screen.line(&line) == Reader::Gone {
                    return Ok(Reply::printed(Exit::OK));
                }
            }
        }
        feeds.retain(|run, _| !over.contains(run));
        std::thread::sleep(LOOK_EVERY);
    }
}
