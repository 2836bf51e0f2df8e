//! Words that belong to what runs. What was judged or designed before them is so again: a risk or a
//! wish in them has been shown to nobody. Where nothing hears them any more, that is said.

use alloc::format;

use super::super::draft::Draft;
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::risk;
use super::super::stage::Stage;
use super::super::state::Base;
use super::super::text::Text;
use super::{design, evaluate, shared};

/// What hears words that join a flow.
enum Hears {
    /// The score: they are judged with the rest, in this round.
    Score(u32),
    /// What comes next reads them.
    Next,
    /// A draft: it is made anew with them.
    Draft,
    /// The draft that is being written, once it is.
    Later,
    /// Nothing: what was approved goes on without them.
    Nothing,
}

/// Words join what runs.
pub fn joined(d: &mut Draft, input: &str) -> Result<(), Refusal> {
    let Base::Flow { stage, .. } = d.life.base() else {
        d.note(format!("words_left: {input}"));
        return Ok(());
    };
    let stage = (**stage).clone();
    let hears = hears(&stage, design::drafts(d));
    if let (Some(q), Hears::Score(_) | Hears::Draft) = (stage.question(), &hears) {
        d.push(Event::QuestionWithdrawn { id: q.id.clone() });
    }
    d.push(Event::Clarified { text: input.into() });
    match hears {
        Hears::Score(round) => {
            d.enter(Stage::Scoring { round });
            return evaluate::score(d, round);
        }
        Hears::Draft => design::drafted_anew(d, input),
        Hears::Next => {}
        // What is being written is written first.
        Hears::Later => return Ok(()),
        Hears::Nothing => {
            d.note(format!("words_left: {input}"));
            return Ok(());
        }
    }
    risks(d, input);
    Ok(())
}

/// A risk in them is accepted before anything is made of them.
pub fn risks(d: &mut Draft, input: &str) {
    let Base::Flow { flow, stage } = d.life.base() else { return };
    let found = risk::operations(&Text::of(input), &flow.setup.extra);
    let stage = (**stage).clone();
    let risks = shared::unaccepted(d, found);
    if risks.is_empty() {
        return;
    }
    if let Some(id) = stage.question().map(|q| q.id.clone()) {
        d.push(Event::QuestionWithdrawn { id });
    }
    shared::hold(d, stage.again(), risks);
}

/// Who hears words at a stage; `drafts` says whether its package is the flow's own.
fn hears(stage: &Stage, drafts: bool) -> Hears {
    match stage {
        Stage::Scoring { round } => Hears::Score(*round),
        Stage::Clarifying { round, .. } => Hears::Score(round + 1),
        Stage::Confirming { .. } => Hears::Score(1),
        Stage::Gathering { stood, .. } | Stage::AskKb { stood, .. } => match stood {
            super::super::stage::Name::Develop => Hears::Nothing,
            super::super::stage::Name::Evaluate
            | super::super::stage::Name::Analyze
            | super::super::stage::Name::Design
            | super::super::stage::Name::Tweak => Hears::Next,
        },
        Stage::Drafting { .. } => Hears::Draft,
        Stage::Writing { .. } => Hears::Later,
        Stage::Checking { .. }
        | Stage::Gated { .. }
        | Stage::Approving { .. }
        | Stage::Opening { .. }
        | Stage::AskType { .. }
        | Stage::AskMarkers { .. } => {
            if drafts {
                Hears::Draft
            } else {
                Hears::Nothing
            }
        }
        // Either way on from here asks with all that was said.
        Stage::Outgrown { .. } => Hears::Next,
        // A person says first whether it goes on at all; then its next look at the draft hears.
        Stage::Held { at, .. } => match (hears(at, drafts), &**at) {
            (Hears::Next, _) => Hears::Next,
            (Hears::Later, _) => Hears::Later,
            (Hears::Draft, Stage::Drafting { .. } | Stage::Checking { .. }) => Hears::Later,
            (Hears::Score(_) | Hears::Draft | Hears::Nothing, _) => Hears::Nothing,
        },
        Stage::Listing { .. }
        | Stage::Picking { .. }
        | Stage::Marking { .. }
        | Stage::Running { .. }
        | Stage::Closing { .. }
        | Stage::CloseAsk { .. }
        | Stage::Testing { .. }
        | Stage::Fixing { .. }
        | Stage::Editing { .. }
        | Stage::Recalling { .. }
        | Stage::Undoing { .. }
        | Stage::Recording { .. }
        | Stage::Accepting { .. } => Hears::Nothing,
    }
}
