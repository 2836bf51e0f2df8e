//! What follows from the end of a launch: the participant's end, a retry, a correction. The time
//! that is left decides between them.

use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::{BACKOFF_MS, LAUNCHES_MAX};
use super::draft::Draft;
use super::event::Event;
use super::live::Live;
use super::outcome::Outcome;
use super::participant::{Fault, How, Launch, Output, Participant, Phase, StopWhy, Why};
use super::plan::Member;
use super::reading::{self, Again, Found, Made, RESUME_UNKNOWN, Reading};
use super::session::valid_session;
use crate::agent::{Access, Issue, Usage};
use crate::machine::At;

/// Process named where a stop could not be proven and nobody is known by name.
const UNNAMED: &str = "unknown";

/// A launch that has ended, with everything its end is judged by.
struct Over<'a> {
    live: Live<'a>,
    one: &'a Participant,
    member: &'a Member,
    launch: &'a Launch,
    /// When it would have been stopped; none if it never ran.
    due: Option<At>,
    stopping: Option<StopWhy>,
    at: At,
}

/// The facts of a launch's end.
pub fn ended(draft: &mut Draft, p: &str, outcome: &Outcome) {
    let state = draft.state.clone();
    let Some(live) = Live::of(&state) else { return };
    let Some((one, member)) = live.one(p) else { return };
    let Some(launch) = one.launch() else { return };
    let (call, due, stopping) = match &one.phase {
        Phase::Running { call, due, .. } => (call.as_str(), Some(*due), None),
        Phase::Stopping { call, why, .. } => {
            (call.as_deref().unwrap_or_default(), None, Some(*why))
        }
        Phase::Starting { .. } | Phase::Pending | Phase::Backoff { .. } | Phase::Ended { .. } => {
            ("", None, None)
        }
    };
    let made = Made { member, launch, call, at: draft.at };
    let reading = reading::read(&made, outcome);
    let over = Over { live, one, member, launch, due, stopping, at: draft.at };
    if let Some(id) = over.newly_seen(&reading) {
        draft.push(Event::SessionCaptured { p: p.into(), launch: launch.n, id });
    }
    for event in over.judge(&made, reading) {
        draft.push(event);
    }
}

impl Over<'_> {
    /// A conversation that the end names and that was not told of before.
    fn newly_seen(&self, reading: &Reading) -> Option<String> {
        let id = reading.session.as_ref()?;
        let known = self.one.captured.as_ref() == Some(id);
        (!known && self.own(id)).then(|| id.clone())
    }

    fn own(&self, id: &str) -> bool {
        valid_session(self.member.kind, id) && !self.live.taken(&self.one.name, id)
    }

    fn judge(&self, made: &Made<'_>, reading: Reading) -> Vec<Event> {
        let Reading { found, usage, session, survivors, proven_ended } = reading;
        let tail = Tail { usage, survivors };
        let (again, fault, partial) = match (self.stopping, found) {
            (Some(StopWhy::Cancelled), Found::Answer { output, .. }) => {
                (Again::No, made.fault("E007", "cancelled", ""), Some(output))
            }
            (Some(StopWhy::Cancelled), Found::Fault { partial, .. }) => {
                (Again::No, made.fault("E007", "cancelled", ""), partial)
            }
            (_, Found::Answer { output, broken }) => {
                return self.answered(made, session, output, broken, tail);
            }
            (Some(why), Found::Fault { partial, .. }) => {
                (Again::Resumed { wait_ms: 0 }, late(made, why), partial)
            }
            (None, Found::Fault { fault, again, partial }) => (again, fault, partial),
        };
        if proven_ended && let Some((next, wait_ms)) = self.next(again) {
            return self.scheduled(fault, next, wait_ms, tail);
        }
        let tail = match self.stopping {
            Some(_) if !proven_ended => tail.unproven(),
            Some(_) | None => tail,
        };
        Vec::from([self.end(self.without_answer(&fault, partial), Some(fault), tail)])
    }

    /// A model turn ended well: usable, unproven, or of the wrong form.
    fn answered(
        &self,
        made: &Made<'_>,
        session: Option<String>,
        output: Output,
        broken: Option<(String, Vec<Issue>)>,
        tail: Tail,
    ) -> Vec<Event> {
        let Some(session) = session.filter(|id| self.own(id)) else {
            let fault = made.fault("E006", "no_session_id", "");
            let how = match &self.launch.why {
                // The answer that was to be corrected has its id, and is all there is.
                Why::Correct { session, first, .. } => {
                    How::Poor { session: session.clone(), output: first.clone() }
                }
                Why::First | Why::Retry { .. } | Why::Fresh => How::Unproven { output },
            };
            return Vec::from([self.end(how, Some(fault), tail)]);
        };
        let Some((kind, issues)) = broken else {
            return Vec::from([self.end(How::Answered { session, output }, None, tail)]);
        };
        let fault = made.fault("E_MODEL", &kind, &output.text.path);
        match self.correction(&session, &output, issues) {
            None => Vec::from([self.end(How::Poor { session, output }, Some(fault), tail)]),
            Some(next) => {
                let (p, usage, until) = (self.one.name.clone(), tail.usage, self.at);
                let launch = next.clone();
                Vec::from([
                    Event::CorrectionScheduled { p: p.clone(), fault, usage, next, until },
                    Event::LaunchOwed { p, launch },
                ])
            }
        }
    }

    /// The one correction, in the time of the launch it corrects.
    fn correction(&self, session: &str, first: &Output, issues: Vec<Issue>) -> Option<Launch> {
        let due = self.due?;
        let corrects = match &self.launch.why {
            Why::First | Why::Retry { .. } | Why::Fresh => true,
            Why::Correct { .. } => false,
        };
        let time = due.since(self.at) >= self.live.least_ms();
        (corrects && time && self.open()).then(|| Launch {
            n: self.launch.n.saturating_add(1),
            why: Why::Correct { session: session.into(), issues, due, first: first.clone() },
        })
    }

    /// Whether this participant may be launched once more at all.
    fn open(&self) -> bool {
        !self.live.cancelling && !self.live.over(self.at) && self.one.launches < LAUNCHES_MAX
    }

    /// The next launch and the wait before it, if the plan, the fault and the time allow one.
    fn next(&self, again: Again) -> Option<(Launch, u64)> {
        if matches!(self.launch.why, Why::Correct { .. }) || !self.open() {
            return None;
        }
        let captured = || self.one.captured.clone().filter(|_| self.member.talks().resumes());
        let counted = self.one.retries < self.live.plan.max_retries;
        let (why, wait_ms) = match again {
            Again::No => return None,
            Again::Fresh => {
                let once = self.one.errors.iter().all(|fault| fault.kind != RESUME_UNKNOWN);
                (once.then_some(Why::Fresh)?, 0)
            }
            Again::Resumed { wait_ms } => (Why::Retry { resume: captured() }, wait_ms),
            Again::Whole { wait_ms } => (Why::Retry { resume: None }, wait_ms),
            Again::Limited { wait_ms } => {
                let most = self.live.budget_ms(self.at).saturating_sub(self.live.least_ms());
                if wait_ms > most {
                    return None;
                }
                (Why::Retry { resume: captured() }, wait_ms.max(BACKOFF_MS))
            }
        };
        let free = matches!(why, Why::Fresh);
        let resumes = matches!(why, Why::Retry { resume: Some(_) });
        let harmless = self.member.access == Access::Read || resumes;
        let time = self.live.budget_ms(self.at.plus(wait_ms)) >= self.live.least_ms();
        let fits = (free || counted) && harmless && time;
        fits.then(|| (Launch { n: self.launch.n.saturating_add(1), why }, wait_ms))
    }

    fn scheduled(&self, fault: Fault, next: Launch, wait_ms: u64, tail: Tail) -> Vec<Event> {
        let (p, usage, until) = (self.one.name.clone(), tail.usage, self.at.plus(wait_ms));
        let launch = next.clone();
        let mut events =
            Vec::from([Event::RetryScheduled { p: p.clone(), fault, usage, next, until }]);
        if wait_ms == 0 {
            events.push(Event::LaunchOwed { p, launch });
        }
        events
    }

    /// How a participant ends whose last launch gave no answer.
    fn without_answer(&self, fault: &Fault, partial: Option<Output>) -> How {
        match (&self.launch.why, fault.code.as_str()) {
            (_, "E007") => How::Cancelled { partial },
            (Why::Correct { session, first, .. }, _) => {
                How::Poor { session: session.clone(), output: first.clone() }
            }
            (Why::First | Why::Retry { .. } | Why::Fresh, "E004") => How::TimedOut { partial },
            (Why::First | Why::Retry { .. } | Why::Fresh, _) => How::Failed { partial },
        }
    }

    fn end(&self, how: How, fault: Option<Fault>, tail: Tail) -> Event {
        let Tail { usage, survivors: stop_unproven } = tail;
        Event::ParticipantEnded { p: self.one.name.clone(), how, fault, usage, stop_unproven }
    }
}

/// What an end leaves beside its answer or fault.
struct Tail {
    usage: Option<Usage>,
    survivors: Vec<String>,
}

impl Tail {
    /// Names somebody where a stop was not proven and nobody is named.
    fn unproven(mut self) -> Self {
        if self.survivors.is_empty() {
            self.survivors.push(UNNAMED.into());
        }
        self
    }
}

fn late(made: &Made<'_>, why: StopWhy) -> Fault {
    match why {
        StopWhy::AttemptTimeout => made.fault("E004", "attempt_deadline", ""),
        StopWhy::TotalTimeout => made.fault("E004", "total_deadline", ""),
        StopWhy::Cancelled => made.fault("E007", "cancelled", ""),
    }
}

/// The end of a participant whose stop was not proven in time: no retry, its call is named.
pub fn given_up(one: &Participant, at: At) -> Option<Event> {
    let Phase::Stopping { launch, call, why, .. } = &one.phase else { return None };
    let (code, kind) = match why {
        StopWhy::AttemptTimeout => ("E004", "attempt_deadline"),
        StopWhy::TotalTimeout => ("E004", "total_deadline"),
        StopWhy::Cancelled => ("E007", "cancelled"),
    };
    let fault = Fault {
        code: code.into(),
        kind: kind.into(),
        launch: launch.n,
        at,
        detail: "stop_unproven".into(),
        reset_at: None,
    };
    let how = match (why, &launch.why) {
        (StopWhy::Cancelled, _) => How::Cancelled { partial: None },
        (StopWhy::AttemptTimeout | StopWhy::TotalTimeout, Why::Correct { session, first, .. }) => {
            How::Poor { session: session.clone(), output: first.clone() }
        }
        (
            StopWhy::AttemptTimeout | StopWhy::TotalTimeout,
            Why::First | Why::Retry { .. } | Why::Fresh,
        ) => How::TimedOut { partial: None },
    };
    let who = call.clone().unwrap_or_else(|| UNNAMED.into());
    let (p, stop_unproven) = (one.name.clone(), Vec::from([who]));
    let usage = call.as_ref().map(|_| Usage::default());
    Some(Event::ParticipantEnded { p, how, fault: Some(fault), usage, stop_unproven })
}

/// The end of a participant that was cancelled while nothing of it ran.
pub fn cancelled(one: &Participant, at: At) -> Event {
    let fault = Fault {
        code: "E007".into(),
        kind: "cancelled".into(),
        launch: one.launches,
        at,
        detail: String::new(),
        reset_at: None,
    };
    let how = How::Cancelled { partial: None };
    let (p, fault, stop_unproven) = (one.name.clone(), Some(fault), Vec::new());
    Event::ParticipantEnded { p, how, fault, usage: None, stop_unproven }
}
