//! Following one loop until it ends, stands still, or asks something that nobody here can answer.
//! Ctrl-C ends the view alone.

use std::time::Duration;

use edge::problem::Place;
use kernel::errors::{Class, Code, Exit, Machine, of_result};
use kernel::loops::{self, Life, Phase};
use kernel::machine::At;
use runtime::query::Refusal;
use runtime::redact::Redactor;
use runtime::trace;
use runtime::workspace::StateDir;
use serde_json::{Value, json};

use super::News;
use super::feed::{Feed, From};
use super::keep::{Door, Keep};
use super::people::People;
use super::prompt::{self, Asked, Typed};
use super::screen::{Kind, Reader, Screen};
use super::tail::Tail;
use super::wait::{self, Wait};
use super::{block, interrupt, lines};
use crate::commands::loops::page;
use crate::ctx::{Ctx, Form};
use crate::desk::Desk;
use crate::out::{self, Reply};
use crate::trouble::{self, Trouble};

/// How often the journal is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Why a loop is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// It was just started here, by somebody who can be asked or not: the answer is one value.
    Started(People),
    /// Somebody watches: the answer is a stream.
    Watching,
}

/// Follows a loop. Without a desk nothing keeps the engine, and none is started.
///
/// # Errors
/// A loop that is gone, or a journal that cannot be read.
pub fn follow(ctx: &Ctx, desk: Option<Desk>, run: &str, how: Follow) -> Result<Reply, Trouble> {
    interrupt::listen();
    let dir = match &desk {
        Some(desk) => desk.dir.clone(),
        None => ctx.state_dir()?.ok_or_else(|| gone(run))?,
    };
    let from = match how {
        Follow::Started(_) => From::LastStart,
        Follow::Watching => From::Now,
    };
    let screen = match (ctx.form, how) {
        (Form::Text, _) => Screen::text(),
        (Form::Json, Follow::Started(_)) => Screen::of(Kind::Quiet),
        (Form::Json, Follow::Watching) => Screen::of(Kind::Lines),
    };
    let news = News::since_now(&dir, run);
    let mut view = View {
        ctx,
        run,
        feed: Feed::open(&dir, run, from)?,
        dir,
        keep: desk.map(Keep::new),
        redactor: ctx.redactor()?,
        screen,
        people: match how {
            Follow::Started(people) => people,
            Follow::Watching => People::here(),
        },
        tail: Tail::default(),
        news,
        asked: None,
    };
    let reply = view.run();
    view.screen.clear();
    let reply = reply?;
    Ok(match (ctx.form, how) {
        (Form::Json, Follow::Watching) => streamed(&reply),
        (Form::Json | Form::Text, Follow::Started(_) | Follow::Watching) => reply,
    })
}

/// The end of a stream is its last line.
fn streamed(reply: &Reply) -> Reply {
    let mut last = json!({ "ok": true, "data": reply.data });
    if let Some(result) = &reply.result {
        last["result"] = json!(result);
    }
    // A reader that has gone away needs no last line.
    drop(out::line(&last.to_string()));
    Reply::printed(reply.exit)
}

struct View<'a> {
    ctx: &'a Ctx,
    run: &'a str,
    dir: StateDir,
    feed: Feed,
    keep: Option<Keep>,
    redactor: Redactor,
    screen: Screen,
    people: People,
    tail: Tail,
    news: News,
    /// The question that is on the screen.
    asked: Option<Wait>,
}

impl View<'_> {
    fn run(&mut self) -> Result<Reply, Trouble> {
        loop {
            if interrupt::asked() {
                return Ok(self.detached());
            }
            if self.look()? == Reader::Gone {
                return Ok(Reply::printed(Exit::OK));
            }
            if let Some(end) = self.end()? {
                self.keep.iter_mut().for_each(Keep::let_draw);
                return Ok(end);
            }
            self.draw()?;
            if let Some(closed) = self.pass_time()? {
                return Ok(closed);
            }
            if let Some(lost) = self.keep_open() {
                return Ok(lost);
            }
        }
    }

    /// Tells what was recorded since the last look.
    fn look(&mut self) -> Result<Reader, Trouble> {
        let Self { ctx, feed, redactor, screen, .. } = self;
        let mut reader = Reader::There;
        feed.look(|before, event, record| {
            let told = match ctx.form {
                Form::Text => lines::told(ctx, before, event, At(record.at_ms)),
                Form::Json => vec![object(record, redactor).to_string()],
            };
            for line in told {
                if screen.line(&redactor.redact_text(&line)) == Reader::Gone {
                    reader = Reader::Gone;
                }
            }
        })?;
        for notice in self.news.come(&self.dir, self.run) {
            self.screen.clear();
            out::notice(&self.redactor.redact_text(&page::notice(self.ctx, &notice)));
        }
        Ok(reader)
    }

    /// The answer, if there is nothing more to follow.
    fn end(&self) -> Result<Option<Reply>, Trouble> {
        let life = self.feed.life().ok_or_else(|| gone(self.run))?;
        let wait = self.feed.wait()?;
        if wait.is_some() && self.can_ask() {
            return Ok(None);
        }
        let (exit, result) = match &life.phase {
            Phase::Completed { .. } => (Exit::OK, "completed"),
            Phase::Failed { kind, .. } => {
                (of_result(Machine::Loop, kind.word()).unwrap_or(Exit::FAILED), "failed")
            }
            Phase::Paused(paused) => (paused_exit(paused), "paused"),
            Phase::Created => (Exit::OK, "created"),
            Phase::Acting(_) | Phase::Choosing { .. } | Phase::Lent { .. } => match wait {
                Some(_) => (Exit::WAITING, "waiting"),
                None => return Ok(None),
            },
        };
        Ok(Some(self.reply(life, wait.as_ref()).ended(exit, result)))
    }

    fn reply(&self, life: &Life, wait: Option<&Wait>) -> Reply {
        let mut document = loops::view::draw(life, self.feed.seq());
        document["derived"] = json!(loops::view::derived(&document));
        document["granted"] = granted(life);
        if let Some(wait) = wait {
            document["ext"]["waiting"] =
                json!({ "question_id": wait.question.id, "text": wait.text() });
        }
        let text = page::brief(self.ctx, life, wait);
        let text = self.redactor.redact_text(&text);
        Reply::new(trace::redacted(&document, &self.redactor), text)
    }

    /// Whether a question can be asked here and now.
    fn can_ask(&self) -> bool {
        self.screen.has_block() && self.people == People::There && self.keep.is_some()
    }

    fn draw(&mut self) -> Result<(), Trouble> {
        let wait = self.feed.wait()?;
        if wait != self.asked {
            if let Some(wait) = &wait {
                let mut told = wait::told(wait, self.ctx);
                // Where nothing can be typed, nobody is told to type.
                if self.can_ask() {
                    told.extend(prompt::hint(self.ctx, &wait.question));
                }
                let text = self.redactor.redact_text(&told.join("\n"));
                self.screen.line(&text);
            }
            self.asked = wait;
        }
        let Some(life) = self.feed.life() else { return Ok(()) };
        // A block would be drawn over what the person types.
        if self.asked.is_some() || !self.screen.has_block() {
            return Ok(());
        }
        let last = self.tail.of(&self.dir, || self.feed.call(), &self.redactor);
        let lines = block::lines(self.ctx, life, last);
        let lines = lines.iter().map(|line| self.redactor.redact_text(line)).collect();
        self.screen.block(lines);
        Ok(())
    }

    /// Waits for the next look; a person's line comes first.
    fn pass_time(&mut self) -> Result<Option<Reply>, Trouble> {
        let (Some(wait), Some(keep)) = (&self.asked, &mut self.keep) else {
            std::thread::sleep(LOOK_EVERY);
            return Ok(None);
        };
        let life = self.feed.life().ok_or_else(|| gone(self.run))?;
        match prompt::typed(LOOK_EVERY) {
            Typed::Nothing => {}
            Typed::Line(line) => match prompt::answer(self.ctx, keep.desk(), &wait.question, &line)
            {
                Asked::Answered => {}
                Asked::Look => {
                    let page = page::status(self.ctx, life);
                    drop(out::line(&self.redactor.redact_text(&page)));
                    self.asked = None;
                }
                // The question is shown once more.
                Asked::Still => self.asked = None,
            },
            Typed::End => {
                let reply = self.reply(life, Some(wait));
                return Ok(Some(reply.ended(Exit::WAITING, "waiting")));
            }
        }
        Ok(None)
    }

    /// Keeps the engine; without one there is nothing to follow any more.
    fn keep_open(&mut self) -> Option<Reply> {
        match self.keep.as_mut()?.check(self.ctx) {
            Ok(Door::Open) => None,
            Ok(Door::Again) => {
                self.screen.clear();
                out::notice(&self.ctx.say("lc-engine-again"));
                None
            }
            Err(trouble) => {
                out::notice(&out::told(self.ctx.lang, &self.ctx.asked, &trouble));
                let text = self.ctx.tell("lc-engine-lost", &[("id", &self.run)]);
                let reply = Reply::new(json!({ "loop_id": self.run, "disconnected": true }), text);
                Some(reply.ended(Exit::WAITING, "waiting"))
            }
        }
    }

    fn detached(&self) -> Reply {
        let text = self.ctx.tell("lc-detached", &[("id", &self.run)]);
        let mut reply = Reply::new(json!({ "loop_id": self.run, "detached": true }), text);
        reply.exit = Exit::CANCELLED;
        reply
    }
}

/// The commands that the last start allows without asking.
fn granted(life: &Life) -> Value {
    let grants = life.body.course().map(|course| course.grants.as_slice()).unwrap_or_default();
    grants.iter().map(|grant| json!({ "argv": grant.argv, "cwd": grant.cwd })).collect()
}

/// One record as an object of a stream.
fn object(record: &journal::Record, redactor: &Redactor) -> Value {
    let facts: Value = serde_json::from_str(&record.body).unwrap_or_default();
    let object = json!({
        "run_id": record.run, "seq": record.seq, "at": runtime::query::at_ms(record.at_ms),
        "by": record.by, "event": record.kind, "facts": facts,
    });
    trace::redacted(&object, redactor)
}

/// A pause waits for a person; policy and budget have codes of their own.
fn paused_exit(paused: &loops::Paused) -> Exit {
    let class = paused.code.as_deref().and_then(|code| Code::parse(code).ok()).map(Code::class);
    match class {
        Some(Class::PolicyDenied) => Exit::DENIED,
        Some(Class::Budget) => Exit::BUDGET,
        Some(_) | None => Exit::WAITING,
    }
}

fn gone(run: &str) -> Trouble {
    let none = Refusal::NoSuch { id: run.to_owned(), nearest: Vec::new() };
    trouble::of_query(&none).at(Place { run_id: Some(run.to_owned()), ..Place::default() })
}
