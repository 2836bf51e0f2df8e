//! EVALUATE: scores what was said, asks about what is missing, judges how much is asked for, and
//! has a person confirm it. It reads no project.

use alloc::string::String;
use alloc::vec::Vec;

use serde_json::json;

use super::super::asked::Kind;
use super::super::bounds::CLARIFY_QUESTIONS_MAX;
use super::super::draft::Draft;
use super::super::event::Event;
use super::super::judge::{Judged, Path, judge};
use super::super::lists::NO_MORE_QUESTIONS;
use super::super::refusal::Refusal;
use super::super::risk;
use super::super::score::Score;
use super::super::stage::{Gather, Name, Stage};
use super::super::state::{Flow, How, Mode, Origin, Waiver};
use super::super::text::Text;
use super::end;
use crate::hash;
use crate::machine::By;

/// Scores the requirement and goes on from there.
pub fn score(d: &mut Draft, round: u32) -> Result<(), Refusal> {
    let Some(flow) = d.flow() else { return Ok(()) };
    let (gate, words) = (flow.setup.gate, flow.requirement());
    if words.trim().is_empty() {
        let about = json!({ "round": round, "gaps": ["goal"] });
        let q = d.ask(Kind::Clarify, &["supplement", "cancel"], about);
        d.enter(Stage::Clarifying { score: None, round, q });
        return Ok(());
    }
    let text = Text::of(&words);
    let score = Score::of(&text);
    d.push(Event::Scored { score: score.clone(), round });
    let waived = |flow: &Flow| flow.waivers.iter().any(|waiver| waiver.what == "score");
    if score.total() >= gate || d.flow().is_some_and(waived) {
        return judging(d, score);
    }
    // Words that waive are a person's; a guest's are only words.
    let by_words = text.has(NO_MORE_QUESTIONS) && d.by == By::Person.word();
    if by_words || before(d, Kind::Clarify).as_deref() == Some("proceed") {
        return waive(d, score);
    }
    clarify(d, score, round);
    Ok(())
}

/// An answer that was given before the question.
pub fn before(d: &Draft, kind: Kind) -> Option<String> {
    let flow = d.flow()?;
    flow.setup.answers.get(kind.word()).filter(|_| kind.answerable_before()).cloned()
}

fn clarify(d: &mut Draft, score: Score, round: u32) {
    let gaps: Vec<&str> =
        score.gaps().into_iter().map(|gap| gap.word()).take(CLARIFY_QUESTIONS_MAX).collect();
    let last = d.flow().is_some_and(|flow| round > flow.setup.clarify_rounds);
    let options: &[&str] =
        if last { &["proceed", "cancel"] } else { &["supplement", "proceed", "cancel"] };
    let about = json!({ "round": round, "total": score.total(), "score": score, "gaps": gaps });
    let q = d.ask(Kind::Clarify, options, about);
    d.enter(Stage::Clarifying { score: Some(score), round, q });
}

/// What a person answered to the clarification.
pub fn clarified(
    d: &mut Draft,
    (score, round): (Option<Score>, u32),
    key: &str,
    text: Option<&str>,
) -> Result<(), Refusal> {
    match key {
        "supplement" => {
            let text = text.map(str::trim).filter(|text| !text.is_empty());
            let Some(text) = text else {
                return Err(Refusal::InvalidArgs { path: "/text".into(), expected: "words" });
            };
            d.push(Event::Clarified { text: text.into() });
            let round = round + 1;
            d.enter(Stage::Scoring { round });
            self::score(d, round)
        }
        "proceed" => match score {
            Some(score) => waive(d, score),
            None => Ok(()),
        },
        _cancel => {
            cancelled(d);
            Ok(())
        }
    }
}

/// Ends the flow by the answer of whoever speaks.
pub fn cancelled(d: &mut Draft) {
    let by = d.by.clone();
    end::stop(d, How::Cancelled { by }, None);
}

fn waive(d: &mut Draft, score: Score) -> Result<(), Refusal> {
    let (by, at) = (d.by.clone(), d.at);
    let waiver = Waiver { what: "score".into(), score: Some(score.total()), by, at };
    d.push(Event::Waived { waiver });
    judging(d, score)
}

fn judging(d: &mut Draft, score: Score) -> Result<(), Refusal> {
    let Some(flow) = d.flow() else { return Ok(()) };
    let text = Text::of(&flow.requirement());
    let extra = flow.setup.extra.clone();
    let risks = risk::operations(&text, &extra);
    for seen in risk::mentions(&text, &extra) {
        d.note(alloc::format!("mention: {} - {}", seen.kind.word(), seen.evidence));
    }
    let judged = judge(&text, &score, risks);
    d.push(Event::Judged { judged: judged.clone() });
    confirm(d, score, judged)
}

/// The options of a confirmation, the one that `--yes` takes first or in the middle as listed.
fn options(mode: Mode, path: Path) -> (&'static [&'static str], &'static str) {
    match (mode, path) {
        (Mode::AutoPlan, Path::Tweak) => (&["direct", "force", "cancel"], "force"),
        (Mode::AutoFull | Mode::AutoPlan, _) => {
            (&["silent", "interactive", "adjust", "cancel"], "silent")
        }
        (Mode::Interactive, _) => (&["start", "adjust", "cancel"], "start"),
    }
}

fn confirm(d: &mut Draft, score: Score, judged: Judged) -> Result<(), Refusal> {
    let Some(flow) = d.flow() else { return Ok(()) };
    let (keys, yes) = options(flow.mode, judged.path);
    let (setup, agent) = (flow.setup.clone(), flow.setup.designer.is_some());
    let about = json!({
        "path": judged.path.word(), "total": score.total(), "score": score,
        "reasons": judged.reasons, "risks": judged.risks,
    });
    let risky = !judged.risks.is_empty();
    let q = if risky {
        let hashes: Vec<&str> = judged.risks.iter().map(|risk| risk.hash.as_str()).collect();
        d.ask_for(Kind::Complexity, keys, about, hash::of_json(&json!(hashes)))
    } else {
        d.ask(Kind::Complexity, keys, about)
    };
    let id = q.id.clone();
    d.enter(Stage::Confirming { score: score.clone(), judged: judged.clone(), q });
    let given = before(d, Kind::Complexity).filter(|key| keys.contains(&key.as_str()));
    let given = given.or_else(|| setup.yes.then(|| yes.into()));
    // Nobody has said yes to a risk that was not shown yet.
    if let Some(key) = given.filter(|key| key != "adjust" && agent && !risky) {
        let by = d.by.clone();
        d.push(Event::QuestionAnswered { id, key: key.clone(), text: None, by });
        return confirmed(d, (score, judged), &key, None);
    }
    Ok(())
}

/// What a person answered to the confirmation.
pub fn confirmed(
    d: &mut Draft,
    (score, judged): (Score, Judged),
    key: &str,
    text: Option<&str>,
) -> Result<(), Refusal> {
    let Some(flow) = d.flow() else { return Ok(()) };
    if key == "cancel" {
        cancelled(d);
        return Ok(());
    }
    if key == "adjust" {
        return adjusted(d, score, judged, text);
    }
    if flow.setup.designer.is_none() {
        return Err(Refusal::NoAgent);
    }
    let mut path = judged.path;
    match key {
        "interactive" | "direct" => d.push(Event::ModeSwitched { mode: Mode::Interactive }),
        "force" => {
            path = Path::Light;
            d.push(Event::PathAdjusted { path });
            d.push(Event::ModeKept);
        }
        _start => d.push(Event::ModeKept),
    }
    if !judged.risks.is_empty() {
        let by = d.by.clone();
        d.push(Event::RiskAccepted { risks: judged.risks, by });
    }
    match path {
        Path::Tweak => edit(d),
        Path::Light | Path::Standard => {
            d.enter(Stage::Gathering { part: Gather::Kb, k: 1, stood: Name::Analyze });
        }
    }
    Ok(())
}

/// Begins the one turn of a tweak. Of the knowledge base only the CHANGELOG is touched.
fn edit(d: &mut Draft) {
    d.push(Event::KbDecided { skipped: true, shown: "tweak".into() });
    d.enter(Stage::Editing { k: 1, limited: true, hint: None, held: false });
}

fn adjusted(
    d: &mut Draft,
    score: Score,
    judged: Judged,
    text: Option<&str>,
) -> Result<(), Refusal> {
    let Some(path) = text.and_then(|text| Path::named(text.trim())) else {
        let expected = "tweak, light or standard";
        return Err(Refusal::InvalidArgs { path: "/text".into(), expected });
    };
    if !judged.risks.is_empty() && path != Path::Standard {
        return Err(Refusal::PathForced { path: Path::Standard.word() });
    }
    d.push(Event::PathAdjusted { path });
    confirm(d, score, Judged { path, ..judged })
}

/// Whether a requirement asks for code, not for documents only.
pub fn coding(text: &str) -> bool {
    const DOCUMENTS: &[&str] = &[
        "只需要文档",
        "只需要设计",
        "帮我分析",
        "帮我说明",
        "不需要实现",
        "docs only",
        "just explain",
        "no implementation",
    ];
    !Text::of(text).has(DOCUMENTS)
}

/// Whether a flow goes to its end without asking.
pub const fn silent(mode: Mode) -> bool {
    match mode {
        Mode::AutoFull | Mode::AutoPlan => true,
        Mode::Interactive => false,
    }
}

/// Whether a flow may ever develop.
pub const fn develops(origin: Origin) -> bool {
    match origin {
        Origin::Plan => false,
        Origin::Auto | Origin::Exec | Origin::Words => true,
    }
}
