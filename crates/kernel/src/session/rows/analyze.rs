//! ANALYZE: how the knowledge base stands, whether it is made, and what the project is like.

use serde_json::json;

use super::super::asked::Kind;
use super::super::draft::Draft;
use super::super::ended::{Gave, Kb, Outcome};
use super::super::event::Event;
use super::super::lists::EXISTING;
use super::super::refusal::Refusal;
use super::super::stage::{Gather, Name, Stage};
use super::super::state::Said;
use super::super::text::Text;
use super::evaluate::{cancelled, coding, silent};
use super::shared;
use crate::packages::kb::{CreateMode, Does, Flow, on_flow};

/// What is noted where several directories bear the marker of a base.
const KB_ROOT_AMBIGUOUS: &str = "kb_root_ambiguous";

/// What was gathered, or not.
pub fn gathered(
    d: &mut Draft,
    (part, k, stood): (Gather, u32, Name),
    outcome: Outcome,
) -> Result<(), Refusal> {
    let here = Stage::Gathering { part, k, stood };
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
            seen(d, &kb, stood);
        }
        Gather::Make | Gather::Rebuild => {
            let Gave::Report(report) = gave else { return Err(shared::misfit()) };
            match report.success {
                true => decide(d, false, "created", stood),
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

fn seen(d: &mut Draft, kb: &Kb, stood: Name) {
    let Some(flow) = d.flow() else { return };
    let (mode, words, quiet) = (flow.setup.kb_mode, flow.requirement(), silent(flow.mode));
    let direct = stood == Name::Develop;
    if !direct && !kb.sources && Text::of(&words).has(EXISTING) {
        return d.fail("nothing_to_modify");
    }
    if !kb.ambiguous.is_empty() {
        d.note(alloc::format!("{KB_ROOT_AMBIGUOUS}: {}", kb.ambiguous.join(", ")));
    }
    // A package with tasks asks for code, whatever words led to it.
    let about = if direct || coding(&words) { Flow::Coding } else { Flow::Documents };
    let gather = |part| Stage::Gathering { part, k: 1, stood };
    match on_flow(CreateMode::of(mode.into()), kb.state.of_base(), about) {
        // A tweak never comes here; it is told with the mode that writes nothing else either.
        Does::Reads | Does::ChangelogOnly => decide(d, true, "off", stood),
        Does::Creates => d.enter(gather(Gather::Make)),
        Does::Rebuilds => d.enter(gather(Gather::Rebuild)),
        Does::Asks if quiet => decide(d, true, "missing", stood),
        Does::Asks => {
            let about = json!({ "root": kb.root });
            let q = d.ask(Kind::KbMissing, &["init", "skip", "cancel"], about);
            d.enter(Stage::AskKb { q, stood });
        }
        Does::Notes => {
            d.note("kb_damaged");
            decide(d, false, "loaded", stood);
        }
        Does::Writes => decide(d, false, "loaded", stood),
    }
}

/// KB_SKIPPED is decided once. What follows is the look at the project; a package that is run
/// directly was designed before, and is opened.
fn decide(d: &mut Draft, skipped: bool, shown: &str, stood: Name) {
    d.push(Event::KbDecided { skipped, shown: shown.into() });
    if stood == Name::Develop {
        return d.enter(Stage::Opening { approval: None, marks: None, k: 1 });
    }
    d.enter(Stage::Gathering { part: Gather::Context, k: 1, stood });
}

/// What a person answered about a knowledge base that is not there.
pub fn kb_answered(d: &mut Draft, stood: Name, key: &str) {
    match key {
        "init" => d.enter(Stage::Gathering { part: Gather::Make, k: 1, stood }),
        "skip" => decide(d, true, "missing", stood),
        _cancel => cancelled(d),
    }
}
