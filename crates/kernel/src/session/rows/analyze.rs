//! ANALYZE: how the knowledge base stands, whether it is made, and what the project is like.

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::{Gave, Kb, KbState, Outcome};
use super::super::event::Event;
use super::super::lists::EXISTING;
use super::super::refusal::Refusal;
use super::super::stage::{Gather, Stage};
use super::super::state::Said;
use super::super::text::Text;
use super::evaluate::{cancelled, coding, silent};
use super::shared;

/// What was gathered, or not.
pub fn gathered(d: &mut Draft, part: Gather, k: u32, outcome: Outcome) -> Result<(), Refusal> {
    let here = Stage::Gathering { part, k };
    let gave = match outcome {
        Outcome::Ok(gave) => *gave,
        Outcome::Failed(failure) if part == Gather::Context => {
            // Without a look at the project the design goes on by the words alone.
            d.note(alloc::format!("no_context: {}", failure.code));
            ready(d, None);
            return Ok(());
        }
        Outcome::Failed(failure) => {
            shared::retry(d, here, k, shared::cause(&failure));
            return Ok(());
        }
        Outcome::Stopped => {
            d.interrupt(here, "stopped".into());
            return Ok(());
        }
    };
    match part {
        Gather::Kb => {
            let Gave::Kb(kb) = gave else { return Err(shared::misfit()) };
            seen(d, &kb);
        }
        Gather::Make | Gather::Rebuild => {
            let Gave::Report(report) = gave else { return Err(shared::misfit()) };
            match report.success {
                true => decide(d, false, "created"),
                false => shared::retry(d, here, k, shared::why(&report)),
            }
        }
        Gather::Context => {
            let Gave::Words(said) = gave else { return Err(shared::misfit()) };
            ready(d, Some(said));
        }
    }
    Ok(())
}

fn ready(d: &mut Draft, context: Option<Said>) {
    d.push(Event::ContextReady { context });
    d.enter(Stage::Drafting { round: 1, wish: None, k: 1 });
}

fn seen(d: &mut Draft, kb: &Kb) {
    let Some(flow) = d.flow() else { return };
    let (mode, words, quiet) = (flow.setup.kb_mode, flow.requirement(), silent(flow.mode));
    if !kb.sources && Text::of(&words).has(EXISTING) {
        return d.fail("nothing_to_modify");
    }
    let makes = mode == 3 || (mode == 2 && coding(&words));
    match (mode, kb.state) {
        (0, _) => decide(d, true, "off"),
        (_, KbState::Absent) if makes => d.enter(Stage::Gathering { part: Gather::Make, k: 1 }),
        (_, KbState::Heavy) if makes => d.enter(Stage::Gathering { part: Gather::Rebuild, k: 1 }),
        (_, KbState::Absent) if quiet => decide(d, true, "missing"),
        (_, KbState::Absent) => {
            let about = json!({ "root": kb.root });
            let q = d.ask(Kind::KbMissing, &["init", "skip", "cancel"], about);
            d.enter(Stage::AskKb { q });
        }
        (_, KbState::Heavy) => {
            d.note("kb_damaged");
            decide(d, false, "loaded");
        }
        (_, KbState::Old | KbState::Partial | KbState::Ok) => decide(d, false, "loaded"),
    }
}

/// KB_SKIPPED is decided once, and what follows is the look at the project.
fn decide(d: &mut Draft, skipped: bool, shown: &str) {
    d.push(Event::KbDecided { skipped, shown: shown.into() });
    d.enter(Stage::Gathering { part: Gather::Context, k: 1 });
}

/// What a person answered about a knowledge base that is not there.
pub fn kb_answered(d: &mut Draft, key: &str) {
    match key {
        "init" => d.enter(Stage::Gathering { part: Gather::Make, k: 1 }),
        "skip" => decide(d, true, "missing"),
        _cancel => cancelled(d),
    }
}
