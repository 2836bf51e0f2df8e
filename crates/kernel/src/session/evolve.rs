//! Makes recorded facts true. Total: a fact is never refused, and one that does not fit where it is
//! found changes nothing.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use super::asked::{Asked, Stop};
use super::bounds::INPUTS_KEPT;
use super::event::{Event, Place};
use super::job::{Job, Phase};
use super::stage::Stage;
use super::state::{
    Base, Body, Consent, Ended, Flow, Frame, How, Life, Mode, Origin, Request, State, Stopped,
    ToolEnd, Unit, Verdict, What,
};
use crate::machine::At;

/// Makes a fact true.
pub fn evolve(state: &mut State, event: &Event, at: At) {
    match state {
        State::New => {
            if let Event::Opened { key } = event {
                *state = State::Live(Box::new(Life::opened(key.clone(), at)));
            }
        }
        State::Live(life) => life.evolve(event, at),
    }
}

impl Life {
    fn opened(key: String, at: At) -> Self {
        let body = Body {
            key,
            opened_at: at,
            units: 0,
            questions: 0,
            inputs: Vec::new(),
            had_task: false,
        };
        Self { body, unit: Unit::At { base: Base::Idle { last: None }, frames: Vec::new() } }
    }

    /// Makes a fact true.
    pub(super) fn evolve(&mut self, event: &Event, at: At) {
        match event {
            Event::Heard { input_id, .. } => self.body.heard(input_id),
            Event::QuestionAsked { q } => self.asked(q, at),
            Event::CommandAccepted { n, request, by } => self.accepted(*n, request, by),
            Event::QuestionAnswered { id, by, .. } => self.answered(id, by),
            Event::Entered { stage } => self.entered(stage),
            Event::JobMoved { place, phase } => self.moved(*place, phase),
            Event::FramePushed { frame } => self.pushed(frame),
            Event::FrameOpened { at } => self.opened_frame(*at),
            Event::FrameEnded { at, ok, cancelled } => self.ended_frame(*at, (*ok, *cancelled)),
            Event::FramePopped | Event::FrameDropped { .. } => self.popped(),
            Event::Stopping { how, children, next, due } => {
                self.stopping(how, children, next, *due)
            }
            Event::UnitCompleted { unit, n, verdict } => {
                self.over(unit, *n, How::Completed, *verdict, at);
            }
            Event::UnitCancelled { unit, n, how } => self.over(unit, *n, how.clone(), None, at),
            Event::UnitFailed { unit, n, code } => {
                let how = How::Failed { code: code.clone() };
                self.over(unit, *n, how, Some(Verdict::Failed), at);
            }
            Event::ChildAsked { asking, held } => self.child(asking, *held, at),
            Event::Clarified { .. }
            | Event::Waived { .. }
            | Event::Judged { .. }
            | Event::PathAdjusted { .. }
            | Event::ModeSwitched { .. }
            | Event::KbDecided { .. }
            | Event::ContextReady { .. }
            | Event::PackageCreated { .. }
            | Event::PackagePicked { .. }
            | Event::Developed { .. }
            | Event::Escalated { .. }
            | Event::RiskAccepted { .. }
            | Event::Noted { .. }
            | Event::Scored { .. }
            | Event::Changed { .. } => self.flow_fact(event),
            Event::Opened { .. }
            | Event::Routed { .. }
            | Event::ModulesLoaded { .. }
            | Event::QuestionWithdrawn { .. }
            | Event::ModeKept
            | Event::Drafted { .. }
            | Event::PackageChecked { .. }
            | Event::PackageApproved { .. }
            | Event::PackageChanged { .. }
            | Event::ChildEnded { .. }
            | Event::RiskFound { .. }
            | Event::Interrupted { .. }
            | Event::Recovered { .. }
            | Event::StepDone { .. }
            | Event::FlowAccepted { .. }
            | Event::ResetStep { .. } => {}
        }
    }

    fn pushed(&mut self, frame: &Frame) {
        let n = match frame {
            Frame::Embedded { job, .. } => job.n,
            Frame::Tool(tool) => tool.n,
            Frame::Chat(chat) => chat.n,
            Frame::Relating { .. } | Frame::Replacing { .. } => 0,
        };
        self.body.units = self.body.units.max(n);
        self.frames_mut(|frames| frames.push(frame.clone()));
    }

    fn popped(&mut self) {
        self.frames_mut(|frames| drop(frames.pop()));
    }

    fn flow_fact(&mut self, event: &Event) {
        if let Some(flow) = self.flow_mut() {
            flow.evolve(event);
        }
    }

    fn opened_frame(&mut self, at: usize) {
        self.frames_mut(|frames| {
            if let Some(Frame::Embedded { open, .. }) = frames.get_mut(at) {
                *open = true;
            }
        });
    }

    fn ended_frame(&mut self, at: usize, (ok, cancelled): (bool, bool)) {
        self.frames_mut(|frames| match frames.get_mut(at) {
            Some(Frame::Chat(chat)) => chat.over = true,
            Some(Frame::Tool(tool)) => {
                tool.end = Some(match (ok, cancelled) {
                    (true, _) => ToolEnd::Ok,
                    (false, true) => ToolEnd::Cancelled,
                    (false, false) => ToolEnd::Failed,
                });
            }
            Some(Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Embedded { .. })
            | None => {}
        });
    }

    /// A question was asked; one that stops a silent flow is kept for its report.
    fn asked(&mut self, q: &Asked, at: At) {
        self.body.questions += 1;
        if let Some(stop) = q.kind.stop() {
            self.stopped(&q.id, stop, at);
        }
    }

    fn stopped(&mut self, question: &str, stop: Stop, at: At) {
        if let Some(flow) = self.flow_mut().filter(|flow| flow.mode != Mode::Interactive) {
            flow.stops.push(Stopped { question: question.into(), stop, at });
        }
    }

    fn frames_mut(&mut self, change: impl FnOnce(&mut Vec<Frame>)) {
        if let Unit::At { frames, .. } = &mut self.unit {
            change(frames);
        }
    }

    /// The flow that runs.
    fn flow_mut(&mut self) -> Option<&mut Flow> {
        match &mut self.unit {
            Unit::At { base: Base::Flow { flow, .. }, .. } => Some(flow),
            Unit::At { base: Base::Idle { .. } | Base::Job { .. }, .. } | Unit::Ending { .. } => {
                None
            }
        }
    }

    /// The answer to the confirmation is what a flow goes on by.
    fn answered(&mut self, id: &str, by: &str) {
        let Unit::At { base: Base::Flow { flow, stage }, .. } = &mut self.unit else { return };
        if let Stage::Confirming { q, .. } = &**stage
            && q.id == id
        {
            flow.consent = Some(Consent { question: id.into(), by: by.into() });
        }
    }

    fn accepted(&mut self, n: u32, request: &Request, by: &str) {
        self.body.units = self.body.units.max(n);
        let setup = request.setup.clone();
        let base = match &request.what {
            What::Flow { origin, text } => {
                self.body.had_task = true;
                let stage = match origin {
                    Origin::Exec => Stage::Listing { named: named(text), k: 1 },
                    Origin::Auto | Origin::Plan | Origin::Words => Stage::Scoring { round: 1 },
                };
                let flow = Flow { by: by.into(), ..Flow::new(n, *origin, text, setup) };
                Base::Flow { flow: Box::new(flow), stage: Box::new(stage) }
            }
            What::Job { kind, arg, flags } => {
                let (arg, flags) = (arg.clone(), flags.clone());
                let phase = Phase::Detecting { k: 1 };
                Base::Job { job: Box::new(Job { n, kind: *kind, arg, flags, setup, phase }) }
            }
        };
        match &mut self.unit {
            Unit::At { base: held, .. } => *held = base,
            Unit::Ending { .. } => self.unit = Unit::At { base, frames: Vec::new() },
        }
    }

    fn entered(&mut self, next: &Stage) {
        if let Unit::At { base: Base::Flow { flow, stage }, .. } = &mut self.unit {
            // What a child asked ends with what it was owed for.
            flow.asking.clear();
            **stage = next.clone();
            if let Stage::Drafting { .. } = next {
                flow.drafted = flow.asked.len();
            }
            flow.gated += u32::from(matches!(next, Stage::Gated { .. }));
            if let Stage::Marking { n, .. } = next {
                flow.adopted = *n;
            }
        }
    }

    fn moved(&mut self, place: Place, next: &Phase) {
        let Unit::At { base, frames } = &mut self.unit else { return };
        let job = match (place, base) {
            (Place::Base, Base::Job { job }) => Some(job),
            (Place::Frame(at), _) => match frames.get_mut(at) {
                Some(Frame::Embedded { job, .. }) => Some(job),
                Some(
                    Frame::Relating { .. }
                    | Frame::Replacing { .. }
                    | Frame::Tool(_)
                    | Frame::Chat(_),
                )
                | None => None,
            },
            (Place::Base, Base::Idle { .. } | Base::Flow { .. }) => None,
        };
        if let Some(job) = job {
            job.phase = next.clone();
        }
    }

    fn child(&mut self, now: &[super::stage::ChildAsking], now_held: bool, at: At) {
        let known: Vec<String> = match self.flow_mut() {
            Some(flow) => flow.asking.iter().map(|one| one.id.clone()).collect(),
            None => Vec::new(),
        };
        for one in now.iter().filter(|one| !known.contains(&one.id)) {
            self.stopped(&one.id, one.stop, at);
        }
        let Unit::At { base: Base::Flow { flow, stage }, .. } = &mut self.unit else { return };
        flow.asking = now.to_vec();
        if let Stage::Running { held, .. } | Stage::Editing { held, .. } = &mut **stage {
            *held = now_held;
        }
    }

    fn stopping(&mut self, how: &How, children: &[String], next: &Option<Box<Request>>, due: At) {
        let Unit::At { base, .. } = &self.unit else { return };
        self.unit = Unit::Ending {
            was: Box::new(base.clone()),
            how: how.clone(),
            children: children.to_vec(),
            next: next.clone(),
            due,
        };
    }

    fn over(&mut self, unit: &str, n: u32, how: How, verdict: Option<Verdict>, at: At) {
        let ended = Ended { unit: unit.into(), n, how, verdict, at };
        let base = Base::Idle { last: Some(ended) };
        match &mut self.unit {
            Unit::At { base: held, .. } => *held = base,
            Unit::Ending { .. } => self.unit = Unit::At { base, frames: Vec::new() },
        }
    }
}

impl Body {
    fn heard(&mut self, input_id: &str) {
        self.inputs.push(input_id.into());
        let over = self.inputs.len().saturating_sub(INPUTS_KEPT);
        self.inputs.drain(..over);
    }
}

fn named(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.into())
}

impl Flow {
    fn new(n: u32, origin: Origin, text: &str, setup: super::setup::Setup) -> Self {
        let mode = match origin {
            Origin::Auto => Mode::AutoFull,
            Origin::Plan => Mode::AutoPlan,
            Origin::Exec | Origin::Words => Mode::Interactive,
        };
        let asked = match origin {
            Origin::Exec => Vec::new(),
            Origin::Auto | Origin::Plan | Origin::Words => named(text).into_iter().collect(),
        };
        Self {
            n,
            origin,
            mode,
            asked,
            setup,
            by: String::new(),
            consent: None,
            path: None,
            waivers: Vec::new(),
            risks: Vec::new(),
            findings: Vec::new(),
            kb_skipped: None,
            kb_shown: None,
            context: None,
            created: None,
            current: None,
            changed: Vec::new(),
            turns: Vec::new(),
            drafted: 0,
            gated: 0,
            adopted: 0,
            score: None,
            asking: Vec::new(),
            stops: Vec::new(),
            developed: None,
        }
    }

    fn evolve(&mut self, event: &Event) {
        if let Event::Clarified { text } = event {
            self.asked.push(text.clone());
        } else if let Event::Waived { waiver } = event {
            self.waivers.push(waiver.clone());
        } else if let Event::Judged { judged } = event {
            self.path = Some(judged.path);
        } else if let Event::PathAdjusted { path } | Event::Escalated { to: path, .. } = event {
            self.path = Some(*path);
        } else if let Event::ModeSwitched { mode } = event {
            self.mode = *mode;
        } else if let Event::KbDecided { skipped, shown } = event {
            self.kb_skipped = Some(*skipped);
            self.kb_shown = Some(shown.clone());
        } else if let Event::ContextReady { context } = event {
            self.context.clone_from(context);
        } else if let Event::PackageCreated { package } = event {
            self.created = Some(package.clone());
        } else if let Event::PackagePicked { package } = event {
            self.current = Some(package.clone());
        } else if let Event::Developed { developed } = event {
            self.developed = Some(developed.clone());
            merge(&mut self.changed, &developed.changed);
        } else if let Event::RiskAccepted { risks, .. } = event {
            self.risks.extend(risks.iter().cloned());
        } else if let Event::Noted { finding } = event {
            self.findings.push(finding.clone());
        } else if let Event::Scored { score, .. } = event {
            self.score = Some(score.clone());
        } else if let Event::Changed { paths, run } = event {
            merge(&mut self.changed, paths);
            merge(&mut self.turns, run.as_slice());
        }
    }
}

fn merge(into: &mut Vec<String>, more: &[String]) {
    for path in more {
        if !into.contains(path) {
            into.push(path.clone());
        }
    }
}
