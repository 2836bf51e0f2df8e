//! Facts as one command gathers them: each is made true on a copy at once, so that what follows is
//! decided on what then holds. Here are also the moves that every row shares: asking, entering a
//! stage, ending a unit.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::asked::{Asked, Kind};
use super::event::{Event, Place};
use super::job::Phase;
use super::modules;
use super::refusal::Refusal;
use super::stage::{Stage, Why};
use super::state::{Base, Flow, Frame, How, Life, Request, Unit, Verdict};
use super::vars;
use crate::machine::{At, By};

/// What a row answers.
pub type Decided = Result<Vec<Event>, Refusal>;

/// The facts so far, and where they lead.
#[derive(Clone)]
pub struct Draft {
    pub life: Life,
    pub at: At,
    pub by: String,
    events: Vec<Event>,
}

impl Draft {
    /// Nothing yet.
    pub fn new(life: &Life, at: At, by: &By) -> Self {
        Self { life: life.clone(), at, by: by.word().into(), events: Vec::new() }
    }

    /// One more fact.
    pub fn push(&mut self, event: Event) {
        self.life.evolve(&event, self.at);
        self.events.push(event);
    }

    /// The facts.
    pub fn done(self) -> Decided {
        Ok(self.events)
    }

    /// The flow that runs.
    pub fn flow(&self) -> Option<&Flow> {
        match &self.life.unit {
            Unit::At { base: Base::Flow { flow, .. }, .. } => Some(flow),
            Unit::At { base: Base::Idle { .. } | Base::Job { .. }, .. } | Unit::Ending { .. } => {
                None
            }
        }
    }

    /// The frames above the base.
    pub fn frames(&self) -> &[Frame] {
        match &self.life.unit {
            Unit::At { frames, .. } => frames,
            Unit::Ending { .. } => &[],
        }
    }

    /// Asks; the caller puts the question where it belongs.
    pub fn ask(&mut self, kind: Kind, options: &[&str], about: Value) -> Asked {
        let id = format!("q/{}", self.life.body.questions + 1);
        let q = Asked::new(id, kind, options, about);
        self.push(Event::QuestionAsked { q: q.clone() });
        q
    }

    /// Asks for a yes to exactly this.
    pub fn ask_for(&mut self, kind: Kind, options: &[&str], about: Value, hash: String) -> Asked {
        let id = format!("q/{}", self.life.body.questions + 1);
        let q = Asked { hash: Some(hash), ..Asked::new(id, kind, options, about) };
        self.push(Event::QuestionAsked { q: q.clone() });
        q
    }

    /// Goes on to a stage of the flow; its modules are loaded where the stage's name changes.
    pub fn enter(&mut self, stage: Stage) {
        let before = match &self.life.unit {
            Unit::At { base: Base::Flow { stage, .. }, .. } => Some(stage.name()),
            Unit::At { base: Base::Idle { .. } | Base::Job { .. }, .. } | Unit::Ending { .. } => {
                None
            }
        };
        let name = stage.name();
        self.push(Event::Entered { stage: Box::new(stage) });
        if before != Some(name) {
            self.push(Event::ModulesLoaded { modules: modules::of_stage(name) });
        }
    }

    /// Goes on with a job.
    pub fn job(&mut self, place: Place, phase: Phase) {
        self.push(Event::JobMoved { place, phase: Box::new(phase) });
    }

    /// Keeps what is noted for the report.
    pub fn note(&mut self, finding: impl Into<String>) {
        self.push(Event::Noted { finding: finding.into() });
    }

    /// Something was cut off: the stage is kept, and a person decides.
    pub fn interrupt(&mut self, at: Stage, cause: String) {
        self.push(Event::Interrupted { cause: cause.clone() });
        let about = serde_json::json!({ "cause": cause, "stage": at.name().word() });
        let q = self.ask(Kind::Interrupted, &["continue", "retry", "cancel"], about);
        let why = Why::Interrupted { cause };
        self.enter(Stage::Held { at: Box::new(at), why, q });
    }

    /// The unit is done.
    pub fn complete(&mut self, verdict: Option<Verdict>) {
        let Some((unit, n)) = self.running() else { return };
        self.finish(|_| Event::UnitCompleted { unit, n, verdict });
    }

    /// The unit is over because it was ended.
    pub fn cancel(&mut self, how: How) {
        let Some((unit, n)) = self.running() else { return };
        self.finish(|_| Event::UnitCancelled { unit, n, how });
    }

    /// The unit has failed.
    pub fn fail(&mut self, code: &str) {
        let Some((unit, n)) = self.running() else { return };
        let code = code.to_string();
        self.finish(|_| Event::UnitFailed { unit, n, code });
    }

    /// The unit that runs: how it is called, and its number.
    fn running(&self) -> Option<(String, u32)> {
        let base = match &self.life.unit {
            Unit::At { base, .. } => base,
            Unit::Ending { was, .. } => was,
        };
        match base {
            Base::Idle { .. } => None,
            Base::Flow { flow, .. } => Some((flow.origin.word().into(), flow.n)),
            Base::Job { job } => Some((job.kind.word().into(), job.n)),
        }
    }

    /// Ends a unit: its end, the four steps of the reset, and what waited for it.
    fn finish(&mut self, end: impl FnOnce(&Self) -> Event) {
        let before = vars::of(&self.life);
        let open = self.unanswered();
        let next = match &self.life.unit {
            Unit::Ending { next, .. } => next.clone(),
            Unit::At { .. } => None,
        };
        let end = end(self);
        self.push(end);
        if let Some(id) = open.filter(|id| self.life.ask(id).is_none()) {
            self.push(Event::QuestionWithdrawn { id });
        }
        let after = vars::of(&self.life);
        for (step, names) in vars::RESET.iter().enumerate() {
            let changed = |name: &&&str| before[**name] != after[**name];
            let cleared = names.iter().filter(changed).map(ToString::to_string).collect();
            let n = u8::try_from(step + 1).unwrap_or(u8::MAX);
            self.push(Event::ResetStep { n, cleared });
        }
        if let Some(next) = next {
            self.start(*next);
        } else {
            self.start_waiting();
        }
    }

    /// Whether this command has asked it.
    pub fn has_asked(&self, id: &str) -> bool {
        let asks = |event: &Event| matches!(event, Event::QuestionAsked { q } if q.id == id);
        self.events.iter().any(asks)
    }

    /// The base's open question, unless this command has answered it.
    pub fn unanswered(&self) -> Option<String> {
        let open = self.life.question()?.id.clone();
        let answers =
            |event: &Event| matches!(event, Event::QuestionAnswered { id, .. } if *id == open);
        (!self.events.iter().any(answers)).then_some(open)
    }

    /// The job of a frame is over: the frame leaves when it is on top.
    pub fn pop_over(&mut self) {
        let over = |frame: &Frame| match frame {
            Frame::Embedded { job, .. } => matches!(job.phase, Phase::Over { .. }),
            Frame::Chat(chat) => chat.over,
            Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Tool(_) => false,
        };
        while self.frames().last().is_some_and(over) {
            self.push(Event::FramePopped);
        }
    }

    /// A unit that waited to replace the one that has ended starts now.
    fn start_waiting(&mut self) {
        let waiting = match self.frames().last() {
            Some(Frame::Replacing { request, q }) => Some((request.clone(), q.id.clone())),
            Some(
                Frame::Relating { .. } | Frame::Embedded { .. } | Frame::Tool(_) | Frame::Chat(_),
            )
            | None => None,
        };
        if let Some((request, id)) = waiting {
            self.push(Event::QuestionWithdrawn { id });
            self.push(Event::FramePopped);
            self.start(*request);
        }
    }

    /// Starts a unit; the base is idle.
    pub fn start(&mut self, request: Request) {
        let n = self.life.body.units + 1;
        let what = request.what.clone();
        let by = self.by.clone();
        self.push(Event::CommandAccepted { n, request: Box::new(request), by });
        self.push(Event::ModulesLoaded { modules: modules::of_unit(&what) });
        super::rows::begin(self);
    }
}
