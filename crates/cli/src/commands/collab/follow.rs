//! Following one collab until it ends or a person has to decide. Ctrl-C ends the view alone.

use std::time::{Duration, Instant};

use kernel::collab::State;
use kernel::errors::Exit;
use runtime::collab::{self, Glance};
use runtime::query::{self, OpenQuestion};

use super::super::loops::page;
use super::shown::{self, Feed, Seen};
use super::start::now;
use crate::asked;
use crate::ctx::{Ctx, Form};
use crate::desk::{self, Desk};
use crate::live::interrupt;
use crate::live::keep::{Door, Keep};
use crate::live::prompt::{self, Typed};
use crate::live::{News, People};
use crate::out::{self, Reply};
use crate::trouble::Trouble;

/// How long a person's line is waited for between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Follows one that runs already: it needs its engine, and gets one if that has died. One that
/// has ended, or waits for a person who is not here, is only shown.
pub fn watch(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let seen = shown::seen(ctx, id)?;
    let people = People::here();
    let stands = matches!(seen.state, State::Degraded { .. }) && people == People::Away;
    let desk = if seen.state.ended() || stands { None } else { Some(desk::steer(ctx)?) };
    follow(ctx, desk, &seen.meta.run_id, people)
}

/// Follows a run. The desk, if there is one, keeps the engine meanwhile, and finds or starts it
/// again when it has died.
pub fn follow(ctx: &Ctx, desk: Option<Desk>, id: &str, people: People) -> Result<Reply, Trouble> {
    interrupt::listen();
    let mut keep = desk.map(Keep::new);
    let mut feed = Feed::open(ctx, id)?;
    let dir = feed.dir().clone();
    let mut news = News::since_now(&dir, id);
    let mut told = Told::of(ctx)?;
    let mut asked = None;
    loop {
        let seen = feed.look(ctx)?;
        told.tell(ctx, seen)?;
        if ctx.form == Form::Text {
            for notice in news.come(&dir, id) {
                out::notice(&page::notice(ctx, &notice));
            }
        }
        let stands = matches!(seen.state, State::Degraded { .. });
        if seen.state.ended() || (stands && (keep.is_none() || people == People::Away)) {
            keep.iter_mut().for_each(Keep::let_draw);
            return end(ctx, seen);
        }
        if let (true, Some(keep)) = (stands, keep.as_mut()) {
            ask(ctx, keep.desk(), seen, &mut asked);
        } else if let Some(keep) = &mut keep {
            keep.news(id, seen.meta.seq);
        }
        if let Some(keep) = &mut keep
            && keep.check(ctx)? == Door::Again
        {
            out::notice(&ctx.say("lc-engine-again"));
        }
        if interrupt::asked() {
            out::notice(&ctx.tell("collab-detached", &[("id", &id)]));
            return Ok(Reply::printed(Exit::CANCELLED));
        }
    }
}

fn end(ctx: &Ctx, seen: &Seen) -> Result<Reply, Trouble> {
    Ok(shown::outcome(ctx, seen)?.unwrap_or_else(|| Reply::printed(Exit::WAITING)))
}

/// Shows the question once and waits a moment for a line.
fn ask(ctx: &Ctx, desk: &mut Desk, seen: &Seen, shown: &mut Option<OpenQuestion>) {
    let owed = kernel::collab::owed(&seen.state);
    let open = query::of_owed(&seen.meta.run_id, "collab", &owed);
    let Some(question) = open.into_iter().next() else { return };
    if shown.as_ref() != Some(&question) {
        for line in collab::impact_lines(&seen.state, ctx.lang) {
            out::notice(&line);
        }
        out::notice(&question.text(ctx.lang));
        for line in asked::options(ctx, &question) {
            out::notice(&line);
        }
        if let Some(hint) = prompt::hint(ctx, &question) {
            out::notice(&hint);
        }
        *shown = Some(question.clone());
    }
    match prompt::typed(LOOK_EVERY) {
        Typed::Nothing => {}
        Typed::Line(line) => {
            prompt::answer(ctx, desk, &question, &line);
        }
        Typed::End => std::thread::sleep(LOOK_EVERY),
    }
}

/// What was told last, so that only news is.
struct Told {
    table: String,
    at: Option<Instant>,
    /// How often a run is told of, whatever happens.
    every: Duration,
}

impl Told {
    fn of(ctx: &Ctx) -> Result<Self, Trouble> {
        let every_ms = ctx.settings()?.settings.collab.progress_interval_ms;
        Ok(Self { table: String::new(), at: None, every: Duration::from_millis(every_ms) })
    }

    /// Tells how far the run is: at once when something changed, else at its interval.
    fn tell(&mut self, ctx: &Ctx, seen: &Seen) -> Result<(), Trouble> {
        if ctx.form == Form::Json || seen.state.ended() {
            return Ok(());
        }
        let news = news(&seen.state);
        let due = self.at.is_none_or(|at| at.elapsed() >= self.every);
        if news == self.table && !due {
            return Ok(());
        }
        self.table = news;
        self.at = Some(Instant::now());
        let silent = shown::silent(ctx, seen)?;
        let glance = Glance { now: now(), silent: &silent };
        out::notice(&collab::table(&seen.state, glance, ctx.lang));
        Ok(())
    }
}

/// What makes a change worth telling: the state, and each participant's status and conversation.
fn news(state: &State) -> String {
    let progress = kernel::collab::view::progress(state, kernel::machine::At(0), &[]);
    let rows: Vec<String> = progress
        .rows
        .iter()
        .map(|row| format!("{} {} {:?}", row.name, row.status, row.session))
        .collect();
    format!("{} {}", state.name(), rows.join(";"))
}
