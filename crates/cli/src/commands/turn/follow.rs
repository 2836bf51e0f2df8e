//! Following one turn until it ends or a person has to say something. Ctrl-C ends the view alone.

use std::time::Duration;

use kernel::errors::Exit;
use kernel::turn::Life;
use runtime::query::OpenQuestion;
use runtime::redact::Redactor;
use serde_json::json;

use super::super::loops::page;
use super::ask::{self, Here};
use super::feed::Feed;
use super::{lines, shown};
use crate::ctx::{Ctx, Form};
use crate::desk::{self, Desk};
use crate::live::interrupt;
use crate::live::keep::{Door, Keep};
use crate::live::{News, People};
use crate::out::{self, Reply};
use crate::trouble::Trouble;

/// How often the journal is looked at while nobody tells that there is more to see.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Follows one that runs already: it needs its engine, and gets one if that has died. One that
/// has ended, is held, or waits for a person who is not here, is only shown.
pub fn watch(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let mut feed = Feed::open(ctx, id)?;
    feed.look(|_, _| {})?;
    let people = People::here();
    let state = feed.state();
    let waits = state.life().is_some_and(Life::waits) && people == People::Away;
    let desk = if state.ended() || waits { None } else { Some(desk::steer(ctx)?) };
    follow(ctx, desk, &feed.known().head.run.clone(), people)
}

/// Follows a run. The desk, if there is one, keeps the engine meanwhile, and finds or starts it
/// again when it has died.
pub fn follow(ctx: &Ctx, desk: Option<Desk>, id: &str, people: People) -> Result<Reply, Trouble> {
    interrupt::listen();
    let feed = Feed::open(ctx, id)?;
    let news = News::since_now(feed.dir(), id);
    let redactor = ctx.redactor()?;
    let keep = desk.map(Keep::new);
    View { ctx, id, feed, keep, people, news, redactor, asked: None }.run()
}

struct View<'a> {
    ctx: &'a Ctx,
    id: &'a str,
    feed: Feed,
    keep: Option<Keep>,
    people: People,
    news: News,
    redactor: Redactor,
    /// The question that is on the terminal.
    asked: Option<OpenQuestion>,
}

impl View<'_> {
    fn run(&mut self) -> Result<Reply, Trouble> {
        loop {
            self.look()?;
            if self.feed.state().ended() {
                self.keep.iter_mut().for_each(Keep::let_draw);
                return shown::ended(self.ctx, &self.feed);
            }
            if self.stands() {
                self.keep.iter_mut().for_each(Keep::let_draw);
                return self.waiting();
            }
            if self.pass_time()? == Here::No {
                return self.waiting();
            }
            if let Some(keep) = &mut self.keep
                && keep.check(self.ctx)? == Door::Again
            {
                out::notice(&self.ctx.say("lc-engine-again"));
            }
            if interrupt::asked() {
                out::notice(&self.ctx.tell("turn-detached", &[("id", &self.id)]));
                let mut reply = Reply::new(json!({ "run_id": self.id, "detached": true }), "");
                reply.exit = Exit::CANCELLED;
                return Ok(reply);
            }
        }
    }

    /// Tells what was recorded since the last look.
    fn look(&mut self) -> Result<(), Trouble> {
        let Self { ctx, feed, redactor, .. } = self;
        feed.look(|state, event| {
            if ctx.form == Form::Text {
                for line in lines::told(ctx, state, event) {
                    out::notice(&redactor.redact_text(&line));
                }
            }
        })?;
        if self.ctx.form == Form::Text {
            for notice in self.news.come(self.feed.dir(), self.id) {
                out::notice(&self.redactor.redact_text(&page::notice(self.ctx, &notice)));
            }
        }
        Ok(())
    }

    /// Whether nothing more happens before somebody who is not here says something.
    fn stands(&self) -> bool {
        let Some(life) = self.feed.state().life() else { return false };
        let can_ask = self.keep.is_some() && self.people == People::There;
        life.body.hold.is_some() || (life.waits() && !can_ask)
    }

    fn waiting(&self) -> Result<Reply, Trouble> {
        Ok(shown::standing(self.ctx, &self.feed)?.ended(Exit::WAITING, "waiting"))
    }

    /// Waits for the next look; a question comes first.
    fn pass_time(&mut self) -> Result<Here, Trouble> {
        let Some(keep) = self.keep.as_mut() else {
            std::thread::sleep(LOOK_EVERY);
            return Ok(Here::Yes);
        };
        let Some(question) = self.feed.open_questions()?.into_iter().next() else {
            self.asked = None;
            keep.news(self.id, self.feed.folded().seq);
            return Ok(Here::Yes);
        };
        Ok(ask::ask(
            self.ctx,
            keep.desk(),
            (self.feed.state(), &question),
            &mut self.asked,
            (&self.redactor, LOOK_EVERY),
        ))
    }
}
