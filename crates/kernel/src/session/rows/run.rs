//! Who may start beside what runs: exclusive units ask, those that change files wait for a safe
//! point, those that only read go beside, and what is answered at once touches nothing.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::{Asked, Kind};
use super::super::bounds::{FRAMES_MAX, INPUT_BYTES_MAX};
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::job::{Job, Kind as JobKind, Phase};
use super::super::modules;
use super::super::name::{Beside, Name};
use super::super::refusal::Refusal;
use super::super::setup::{Seat, Setup};
use super::super::stage::Stage;
use super::super::state::{Base, Frame, Origin, Request, Unit, What};
use super::{end, evaluate};

/// Starts a command, asks whether it may replace what runs, or puts it above.
pub fn run(
    d: &mut Draft,
    name: Name,
    (text, flags): (String, Vec<String>),
    setup: Setup,
) -> Result<(), Refusal> {
    if text.len() > INPUT_BYTES_MAX {
        return Err(Refusal::InvalidArgs { path: "/text".into(), expected: "at most 64 KiB" });
    }
    let what = match name {
        Name::Help | Name::Status => return Ok(()),
        Name::Auto => What::Flow { origin: Origin::Auto, text },
        Name::Plan => What::Flow { origin: Origin::Plan, text },
        Name::Exec => What::Flow { origin: Origin::Exec, text },
        Name::Init => job(JobKind::Init, text, flags),
        Name::Upgrade => job(JobKind::Upgrade, text, flags),
        Name::Clean => job(JobKind::Clean, text, flags),
        Name::Test => job(JobKind::Test, text, flags),
        Name::Commit => job(JobKind::Commit, text, flags),
        Name::Review => job(JobKind::Review, text, flags),
        Name::Validate => job(JobKind::Validate, text, flags),
        Name::Rollback => job(JobKind::Rollback, text, flags),
    };
    let request = Request { what, setup };
    match name.beside() {
        Beside::Answered => Ok(()),
        Beside::Exclusive => exclusive(d, request),
        Beside::Suspending => suspending(d, request),
        Beside::Reading => reading(d, request),
    }
}

/// That a command was heard at a door; what is answered at once leaves no trace.
pub fn typed(d: &mut Draft, name: Name, input_id: &str) {
    match name.beside() {
        Beside::Answered => {}
        Beside::Exclusive | Beside::Suspending | Beside::Reading => {
            let (input_id, to) = (input_id.to_string(), name.word().to_string());
            d.push(Event::Heard { input_id: input_id.clone(), text: alloc::format!("~{to}") });
            d.push(Event::Routed { input_id, to });
        }
    }
}

const fn job(kind: JobKind, arg: String, flags: Vec<String>) -> What {
    What::Job { kind, arg, flags }
}

/// Whether a new base may stand below these frames.
fn light(frame: &Frame) -> bool {
    match frame {
        Frame::Embedded { job, .. } => !job.suspends(),
        Frame::Chat(_) => true,
        Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Tool(_) => false,
    }
}

/// Only one such unit at a time.
pub fn exclusive(d: &mut Draft, request: Request) -> Result<(), Refusal> {
    let idle = matches!(&d.life.unit, Unit::At { base: Base::Idle { .. }, .. });
    if idle && d.frames().iter().all(light) {
        d.start(request);
        return Ok(());
    }
    let headless = request.setup.seat == Seat::Headless;
    if request.setup.replace {
        let by = request.what.word().to_string();
        return end::replace(d, request, by);
    }
    let unit = d.life.unit_word().unwrap_or_else(|| top(d));
    if headless {
        return Err(Refusal::FlowActive { unit, allowed: Vec::new() });
    }
    if d.frames().iter().any(|frame| matches!(frame, Frame::Replacing { .. })) {
        return Err(Refusal::Busy { holder: "replace".into(), allowed: Vec::new() });
    }
    let about = json!({ "running": unit, "wanted": request.what.word() });
    let due = d.at.plus(request.setup.replace_expiry_ms);
    let id = alloc::format!("q/{}", d.life.body.questions + 1);
    let asked = Asked::new(id, Kind::Replace, &["keep", "replace"], about);
    let q = Asked { default: Some("keep".into()), expires_at: Some(due), ..asked };
    d.push(Event::QuestionAsked { q: q.clone() });
    push(d, Frame::Replacing { request: Box::new(request), q })
}

fn top(d: &Draft) -> String {
    d.frames().last().map(|frame| frame.word().to_string()).unwrap_or_default()
}

/// Puts something above what runs.
pub fn push(d: &mut Draft, frame: Frame) -> Result<(), Refusal> {
    if d.frames().len() >= FRAMES_MAX {
        return Err(Refusal::TooDeep { max: FRAMES_MAX });
    }
    d.push(Event::FramePushed { frame: Box::new(frame) });
    Ok(())
}

/// It changes files: beside a flow it opens at a safe point and holds what runs.
fn suspending(d: &mut Draft, request: Request) -> Result<(), Refusal> {
    match &d.life.unit {
        Unit::At { base: Base::Idle { .. }, frames } if frames.is_empty() => {
            d.start(request);
            Ok(())
        }
        Unit::At { base: Base::Job { .. }, .. } => exclusive(d, request),
        Unit::At { base: Base::Idle { .. } | Base::Flow { .. }, .. } => {
            if let Some(holder) = d.frames().iter().find(|frame| frame.suspends()) {
                let holder = holder.word().to_string();
                return Err(Refusal::Busy { holder, allowed: Vec::new() });
            }
            embed(d, request)
        }
        Unit::Ending { .. } => Ok(()),
    }
}

/// It only reads: what runs goes on.
fn reading(d: &mut Draft, request: Request) -> Result<(), Refusal> {
    let idle = matches!(&d.life.unit, Unit::At { base: Base::Idle { .. }, frames }
        if frames.is_empty());
    if idle {
        d.start(request);
        return Ok(());
    }
    let word = request.what.word();
    let same = d.frames().iter().any(|frame| frame.word() == word);
    if same || d.life.unit_word().as_deref() == Some(word) {
        return Err(Refusal::Busy { holder: word.into(), allowed: Vec::new() });
    }
    embed(d, request)
}

fn embed(d: &mut Draft, request: Request) -> Result<(), Refusal> {
    let Request { what, setup } = request;
    let What::Job { kind, arg, flags } = what else { return Ok(()) };
    let n = d.life.body.units + 1;
    let phase = Phase::Detecting { k: 1 };
    let job = Job { n, kind, arg, flags, setup, phase };
    let open = !job.suspends() || safe(d);
    push(d, Frame::Embedded { job: Box::new(job), open })?;
    d.push(Event::ModulesLoaded { modules: modules::of_job(kind) });
    Ok(())
}

/// Whether nothing that writes is in flight.
pub fn safe(d: &Draft) -> bool {
    match d.life.base() {
        Base::Idle { .. } => true,
        Base::Flow { stage, .. } => stage.safe(),
        Base::Job { job } => matches!(job.phase, Phase::Asking { .. } | Phase::Result { .. }),
    }
}

/// What a unit does at once when it has been accepted.
pub fn begin(d: &mut Draft) {
    let Unit::At { base: Base::Flow { stage, .. }, .. } = &d.life.unit else { return };
    if let Stage::Scoring { round } = **stage {
        // Scoring what was just said refuses nothing.
        let _ = evaluate::score(d, round);
    }
}
