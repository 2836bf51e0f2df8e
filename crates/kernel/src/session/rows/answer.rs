//! Answers: which question, whether it offers the key and still shows what was seen, and where the
//! answer goes.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde_json::Value;

use super::super::asked::{Asked, Kind};
use super::super::draft::Draft;
use super::super::event::{Event, Place};
use super::super::jobs;
use super::super::refusal::Refusal;
use super::super::stage::{Stage, Why};
use super::super::state::{Base, Frame, Unit};
use super::{analyze, closing, design, develop, end, evaluate, say, tool, tweak};

/// An answer as it is said at a door.
pub fn answer(
    d: &mut Draft,
    (question, key): (&str, &str),
    text: Option<&str>,
    hash: Option<&str>,
) -> Result<(), Refusal> {
    let Some(q) = d.life.ask(question) else {
        return Err(Refusal::QuestionClosed { question: question.to_string() });
    };
    if !q.offers(key) {
        if q.kind == Kind::PackageGate && matches!(key, "force" | "fix") {
            return Err(Refusal::GateClosed { issues: texts(&q.about["issues"]) });
        }
        let options = q.options.clone();
        return Err(Refusal::UnknownOption { key: key.to_string(), options });
    }
    if let (Some(shown), Some(seen)) = (&q.hash, hash)
        && shown != seen
    {
        let (question, hash) = (question.to_string(), shown.clone());
        return Err(Refusal::StaleApproval { question, hash });
    }
    answered(d, question, key, text)
}

fn texts(list: &Value) -> Vec<String> {
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|one| one.as_str().map(ToString::to_string)).collect()
}

/// An answer that fits its question.
pub fn answered(d: &mut Draft, id: &str, key: &str, text: Option<&str>) -> Result<(), Refusal> {
    let (place, q) = match place(d, id) {
        Some(found) => found,
        None => return Err(Refusal::QuestionClosed { question: id.to_string() }),
    };
    let by = d.by.clone();
    let said = text.map(ToString::to_string);
    d.push(Event::QuestionAnswered { id: id.into(), key: key.into(), text: said, by });
    match place {
        Place::Base => base(d, &q, key, text),
        Place::Frame(at) => frame(d, at, &q, key, text),
    }
}

/// Answers that were given before their questions are taken as soon as these are asked. One that
/// does not fit leaves its question open.
pub fn given(d: &mut Draft) {
    while let Some((id, key)) = foreseen(d) {
        let mut tried = d.clone();
        if answered(&mut tried, &id, &key, None).is_err() {
            return;
        }
        *d = tried;
    }
}

/// The answer that was given before to what a flow has just asked.
fn foreseen(d: &Draft) -> Option<(String, String)> {
    let flow = d.flow()?;
    let q = d.life.question().filter(|q| q.kind.answerable_before() && d.has_asked(&q.id))?;
    let key = flow.setup.answers.get(q.kind.word()).filter(|key| q.offers(key))?;
    // Evaluation takes its own; what needs words or would only be asked again waits for a person.
    let own = [Kind::Clarify, Kind::Complexity, Kind::PackagePick].contains(&q.kind);
    let endless = q.kind == Kind::Interrupted && key != "cancel";
    let open = own || endless || matches!(key.as_str(), "adjust" | "view" | "path");
    (!open).then(|| (q.id.clone(), key.clone()))
}

fn place(d: &Draft, id: &str) -> Option<(Place, Asked)> {
    let q = d.life.ask(id)?.clone();
    if d.life.question().is_some_and(|own| own.id == id) {
        return Some((Place::Base, q));
    }
    let of = |frame: &Frame| match frame {
        Frame::Relating { q, .. } | Frame::Replacing { q, .. } => q.id == id,
        Frame::Embedded { job, .. } => job.question().is_some_and(|q| q.id == id),
        Frame::Tool(tool) => tool.q.as_ref().is_some_and(|q| q.id == id),
        Frame::Chat(_) => false,
    };
    d.frames().iter().position(of).map(|at| (Place::Frame(at), q))
}

fn frame(
    d: &mut Draft,
    at: usize,
    q: &Asked,
    key: &str,
    text: Option<&str>,
) -> Result<(), Refusal> {
    let Some(frame) = d.frames().get(at).cloned() else { return Ok(()) };
    match frame {
        Frame::Relating { input, setup, .. } => say::related(d, &input, *setup, key),
        Frame::Replacing { request, .. } => {
            d.push(Event::FramePopped);
            match key {
                "replace" => {
                    let by = request.what.word().to_string();
                    end::replace(d, *request, by)
                }
                _keep => Ok(()),
            }
        }
        Frame::Embedded { job, .. } => jobs::answered(d, Place::Frame(at), &job, q, key, text),
        Frame::Tool(tool) => tool::answered(d, at, &tool, key),
        Frame::Chat(_) => Ok(()),
    }
}

fn base(d: &mut Draft, q: &Asked, key: &str, text: Option<&str>) -> Result<(), Refusal> {
    let Unit::At { base, .. } = &d.life.unit else { return Ok(()) };
    match base {
        Base::Idle { .. } => Ok(()),
        Base::Job { job } => {
            let job = job.clone();
            jobs::answered(d, Place::Base, &job, q, key, text)
        }
        Base::Flow { stage, .. } => {
            let stage = (**stage).clone();
            staged(d, stage, key, text)
        }
    }
}

fn staged(d: &mut Draft, stage: Stage, key: &str, text: Option<&str>) -> Result<(), Refusal> {
    match stage {
        Stage::Clarifying { score, round, .. } => evaluate::clarified(d, (score, round), key, text),
        Stage::Confirming { score, judged, .. } => {
            evaluate::confirmed(d, (score, judged), key, text)
        }
        Stage::AskKb { stood, .. } => {
            analyze::kb_answered(d, stood, key);
            Ok(())
        }
        Stage::Gated { checked, .. } => design::gate_answered(d, checked, key),
        Stage::Approving { checked, q } => design::approved(d, &checked, (&q.id, key, text)),
        Stage::Picking { list, .. } => {
            develop::picked(d, &list, key);
            Ok(())
        }
        Stage::AskType { checked, .. } => {
            develop::overview_answered(d, checked, key);
            Ok(())
        }
        Stage::AskMarkers { approval, .. } => {
            develop::marks_answered(d, approval, key);
            Ok(())
        }
        Stage::CloseAsk { step, fixes, q } => {
            closing::answered(d, (step, fixes), &q.about, key);
            Ok(())
        }
        Stage::Outgrown { k, rule, risky, turn, .. } => {
            tweak::outgrown(d, (k, rule, risky, turn), key)
        }
        Stage::Held { at, why, .. } => held(d, *at, why, key, text),
        Stage::Scoring { .. }
        | Stage::Gathering { .. }
        | Stage::Drafting { .. }
        | Stage::Writing { .. }
        | Stage::Checking { .. }
        | Stage::Listing { .. }
        | Stage::Opening { .. }
        | Stage::Marking { .. }
        | Stage::Running { .. }
        | Stage::Closing { .. }
        | Stage::Testing { .. }
        | Stage::Fixing { .. }
        | Stage::Editing { .. }
        | Stage::Recalling { .. }
        | Stage::Undoing { .. }
        | Stage::Recording { .. }
        | Stage::Accepting { .. } => Ok(()),
    }
}

fn held(d: &mut Draft, at: Stage, why: Why, key: &str, text: Option<&str>) -> Result<(), Refusal> {
    match (why, key) {
        (Why::Lost, _) => return tweak::located(d, at, key, text),
        (Why::Risk { risks }, "confirm") => {
            let by = d.by.clone();
            d.push(Event::RiskAccepted { risks, by });
            d.enter(at);
        }
        (Why::Interrupted { .. }, "continue") => recovered(d, at, "continue".into()),
        (Why::Interrupted { .. }, "retry") => recovered(d, at.again(), "retry".into()),
        (Why::Interrupted { .. } | Why::Risk { .. }, _) => evaluate::cancelled(d),
    }
    Ok(())
}

fn recovered(d: &mut Draft, at: Stage, how: String) {
    d.push(Event::Recovered { how });
    d.enter(at);
}
