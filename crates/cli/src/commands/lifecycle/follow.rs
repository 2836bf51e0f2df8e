//! Following one lifecycle until it ends or a person has to say something. Ctrl-C ends the view
//! alone.

use std::time::Duration;

use kernel::errors::Exit;
use kernel::lifecycle::{Archive, Outcome, Phase, State, Why};
use runtime::query::OpenQuestion;
use runtime::redact::Redactor;
use serde_json::json;

use super::super::known::Known;
use super::super::loops::page::notice;
use super::feed::Feed;
use super::{lines, page, reads, which};
use crate::asked;
use crate::ctx::{Ctx, Form};
use crate::desk::{self, Desk};
use crate::live::interrupt;
use crate::live::keep::{Door, Keep};
use crate::live::prompt::{self, Asked, Typed};
use crate::live::{News, People};
use crate::out::{self, Reply};
use crate::trouble::Trouble;

/// How often the journal is looked at while nobody tells that there is more to see.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Follows one that runs already: it needs its engine, and gets one if that has died. One that has
/// ended, is held, or waits for a person who is not here, is only shown.
pub fn watch(ctx: &Ctx, id: Option<&str>) -> Result<Reply, Trouble> {
    let feed = Feed::read(which::run(ctx, id)?)?;
    let people = People::here();
    let works = feed.state().at_work();
    let asks = people == People::There && !feed.state().ended();
    let task = feed.state().life().and_then(|life| life.phase.current_task());
    if let Some(task) = task.filter(|_| works)
        && desk::running(ctx)?.is_none()
    {
        out::notice(&ctx.tell("lifecycle-pointer-interrupted", &[("task", &task)]));
    }
    let desk = if works || asks { Some(desk::steer(ctx)?) } else { None };
    follow(ctx, desk, (feed.known, 0), people)
}

/// Follows a run from where its story is not known yet. The desk, if there is one, keeps the engine
/// meanwhile, and finds or starts it again when it has died.
pub fn follow(
    ctx: &Ctx,
    desk: Option<Desk>,
    (known, told): (Known, u64),
    people: People,
) -> Result<Reply, Trouble> {
    interrupt::listen();
    let id = known.head.run.clone();
    let news = News::since_now(&known.dir, &id);
    let redactor = ctx.redactor()?;
    let keep = desk.map(Keep::new);
    let feed = Feed::after(known, told);
    View { ctx, id, feed, keep, people, news, redactor, asked: None }.run()
}

/// Whether somebody is still at the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Here {
    Yes,
    No,
}

struct View<'a> {
    ctx: &'a Ctx,
    id: String,
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
                let (exit, word) = end(self.feed.state());
                return Ok(reads::standing(self.ctx, &self.feed)?.ended(exit, word));
            }
            // What is being left waits for no answer: whoever cannot be told of is in the record.
            let left = self.feed.state().name() == "ARCHIVING";
            let open = self.feed.open_questions()?.into_iter().next().filter(|_| !left);
            if let Some(exit) = self.stands(open.is_some()) {
                self.keep.iter_mut().for_each(Keep::let_draw);
                return self.waiting(exit);
            }
            if self.pass_time(open) == Here::No {
                return self.waiting(Exit::WAITING);
            }
            if let Some(keep) = &mut self.keep
                && keep.check(self.ctx)? == Door::Again
            {
                out::notice(&self.ctx.say("lc-engine-again"));
            }
            if interrupt::asked() {
                out::notice(&self.ctx.tell("lifecycle-detached", &[("id", &self.id)]));
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
            if let (Form::Text, Some(line)) = (ctx.form, lines::told(ctx, state, event)) {
                out::notice(&redactor.redact_text(&line));
            }
        })?;
        if self.ctx.form == Form::Text {
            for one in self.news.come(&self.feed.known.dir, &self.id) {
                out::notice(&self.redactor.redact_text(&notice(self.ctx, &one)));
            }
        }
        Ok(())
    }

    /// How it ends here if nothing more happens before somebody who is not here says something.
    fn stands(&self, asks: bool) -> Option<Exit> {
        let state = self.feed.state();
        let life = state.life()?;
        let can_ask = self.keep.is_some() && self.people == People::There;
        if life.body.hold.is_some() {
            return Some(Exit::WAITING);
        }
        if can_ask {
            return None;
        }
        standstill(state).or_else(|| asks.then_some(Exit::WAITING))
    }

    fn waiting(&self, exit: Exit) -> Result<Reply, Trouble> {
        Ok(reads::standing(self.ctx, &self.feed)?.ended(exit, "waiting"))
    }

    /// Waits for the next look; a question comes first.
    fn pass_time(&mut self, open: Option<OpenQuestion>) -> Here {
        let Some(keep) = self.keep.as_mut() else {
            std::thread::sleep(LOOK_EVERY);
            return Here::Yes;
        };
        let Some(question) = open else {
            self.asked = None;
            keep.news(&self.id, self.feed.folded().seq);
            return Here::Yes;
        };
        if self.asked.as_ref().is_none_or(|shown| shown.id != question.id) {
            let own = page::question_lines(self.ctx, self.feed.state(), &question);
            let lines = own.into_iter().chain(asked::options(self.ctx, &question));
            for line in lines.chain(prompt::hint(self.ctx, &question)) {
                out::notice(&self.redactor.redact_text(&line));
            }
            self.asked = Some(question.clone());
        }
        match prompt::typed(LOOK_EVERY) {
            Typed::Nothing => Here::Yes,
            Typed::End => Here::No,
            Typed::Line(line) => {
                if prompt::answer(self.ctx, keep.desk(), &question, &line) != Asked::Answered {
                    // It is shown once more.
                    self.asked = None;
                }
                Here::Yes
            }
        }
    }
}

/// Where it stands still without a person, what that says to the shell.
fn standstill(state: &State) -> Option<Exit> {
    match &state.life()?.phase {
        Phase::Confirming(_) => Some(Exit::WAITING),
        Phase::Blocked(_) if state.at_work() => None,
        Phase::Blocked(blocked) => Some(match blocked.why {
            Why::Budget => Exit::BUDGET,
            Why::PolicyDenied => Exit::DENIED,
            Why::FixLimit
            | Why::SameFailure
            | Why::ForceStop
            | Why::CannotVerify
            | Why::DefinitionChanged
            | Why::TreeMoving
            | Why::OutcomeUnknown
            | Why::Io
            | Why::AgentUnavailable
            | Why::AgentBlocked
            | Why::Quota
            | Why::CheckpointFailed
            | Why::BranchChanged
            | Why::RollbackFailed => Exit::WAITING,
        }),
        Phase::Archiving(archiving) => match archiving.step {
            Archive::Writing { retry_at: Some(_), .. } => Some(Exit::JOURNAL),
            Archive::Writing { retry_at: None, .. } | Archive::Settling { .. } => None,
        },
        Phase::Planning(_) if !state.at_work() => Some(Exit::WAITING),
        Phase::Idle(_) | Phase::Planning(_) | Phase::Executing(_) | Phase::AutoFix(_) => None,
    }
}

/// What an end says to the shell, and its own word for it.
pub fn end(state: &State) -> (Exit, &'static str) {
    let Some(ended) = state.life().and_then(|life| life.phase.ended()) else {
        return (Exit::CANCELLED, "cancelled");
    };
    let exit = match ended.outcome {
        Outcome::Completed => Exit::OK,
        Outcome::Partial | Outcome::RolledBack => Exit::FAILED,
        Outcome::Aborted | Outcome::Cancelled => Exit::CANCELLED,
    };
    (exit, ended.outcome.word())
}
