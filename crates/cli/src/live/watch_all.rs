//! All running loops at once: their lines as they come, each with the end of its id. It keeps
//! an engine that runs and starts none.

use std::collections::BTreeMap;
use std::time::Duration;

use journal::{Journal as _, Reader as Book};
use kernel::errors::Exit;
use kernel::machine::At;
use runtime::redact::Redactor;
use runtime::workspace::StateDir;
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

struct All<'a> {
    ctx: &'a Ctx,
    dir: StateDir,
    redactor: Redactor,
    screen: Screen,
    feeds: BTreeMap<String, Feed>,
}

/// Watches until nothing runs any more.
///
/// # Errors
/// A journal that cannot be read.
pub fn watch_all(ctx: &Ctx) -> Result<Reply, Trouble> {
    interrupt::listen();
    let Some((dir, journal)) = ctx.journal()? else {
        return Ok(Reply::new(json!([]), ctx.say("lc-nothing-live")));
    };
    let _door = desk::running(ctx)?;
    let (redactor, screen) = (ctx.redactor()?, Screen::of(Kind::Lines));
    let mut all = All { ctx, dir, redactor, screen, feeds: BTreeMap::new() };
    all.find(&journal)?;
    if all.feeds.is_empty() {
        return Ok(Reply::new(json!([]), ctx.say("lc-nothing-live")));
    }
    while !all.feeds.is_empty() {
        if interrupt::asked() {
            return Ok(Reply::printed(Exit::CANCELLED));
        }
        if all.look()? == Reader::Gone {
            return Ok(Reply::printed(Exit::OK));
        }
        std::thread::sleep(LOOK_EVERY);
        all.find(&journal)?;
    }
    Ok(Reply::new(json!([]), ""))
}

impl All<'_> {
    /// Takes in loops that run and are not watched yet.
    fn find(&mut self, journal: &Book) -> Result<(), Trouble> {
        let heads = journal.heads().map_err(|fault| trouble::of_query(&fault.into()))?;
        for head in heads.iter().filter(|head| head.machine == "loop" && head.status == "running") {
            if !self.feeds.contains_key(&head.run) {
                let feed = Feed::open(&self.dir, &head.run, From::LastStart)?;
                self.feeds.insert(head.run.clone(), feed);
            }
        }
        Ok(())
    }

    /// Tells what came; a loop that runs no longer is told with its page and let go.
    fn look(&mut self) -> Result<Reader, Trouble> {
        let mut over = Vec::new();
        for (run, feed) in &mut self.feeds {
            let mut told = Vec::new();
            feed.look(|before, event, record| match self.ctx.form {
                Form::Text => told.extend(lines::told(self.ctx, before, event, At(record.at_ms))),
                Form::Json => told.push(
                    json!({ "run_id": record.run, "seq": record.seq, "event": record.kind })
                        .to_string(),
                ),
            })?;
            if feed.life().is_none_or(|life| life.phase.status() != "running") {
                if let (Some(life), Form::Text) = (feed.life(), self.ctx.form) {
                    told.extend(page::brief(self.ctx, life, None).lines().map(str::to_owned));
                }
                over.push(run.clone());
            }
            for line in told {
                let line = named(self.ctx.form, run, &self.redactor.redact_text(&line));
                if self.screen.line(&line) == Reader::Gone {
                    return Ok(Reader::Gone);
                }
            }
        }
        self.feeds.retain(|run, _| !over.contains(run));
        Ok(Reader::There)
    }
}

/// A line with the end of its loop's id; an object names its run itself.
fn named(form: Form, run: &str, line: &str) -> String {
    let skipped = run.chars().count().saturating_sub(ID_CHARS);
    let short: String = run.chars().skip(skipped).collect();
    match form {
        Form::Text => format!("{short}  {line}"),
        Form::Json => line.to_owned(),
    }
}
