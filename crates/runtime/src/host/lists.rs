//! Which package a driver runs: the one that its session stands in DEVELOP with. Whether it is
//! drawn, and when, is the host's to say.

use journal::Journal;
use kernel::packages::Tongue;
use kernel::run::State;
use kernel::session::{Base, Flow, Life, Stage};

use crate::engine::{Engine, Run};
use crate::lifecycles::Around;
use crate::views::{Driver, List};

/// The list that a run drives; none where it drives none, or its session has gone on.
pub(super) fn of<'a, J: Journal>(
    engine: &'a Engine<J>,
    around: &Around,
    (id, run): (&'a str, &'a Run),
) -> Option<List<'a>> {
    let session = engine.run(run.parent.as_deref()?)?;
    let State::Session(state) = &session.state else { return None };
    let flow = state.life().and_then(running)?;
    let own = format!("/flow/{}", flow.n);
    run.key.as_deref().filter(|key| key.ends_with(&own))?;
    let driver = match &run.state {
        State::Lifecycle(state) => Driver::Lifecycle(state),
        State::Loop(_) => Driver::Loop,
        State::Call(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Turn(_)
        | State::Session(_) => return None,
    };
    let shown = flow.current.as_ref()?.path.trim_end_matches('/');
    let lang = if flow.setup.lang.starts_with("zh") { Tongue::Zh } else { Tongue::En };
    Some(List { run: id, seq: run.seq, dir: around.root.join(shown), shown, lang, driver })
}

/// The flow whose driver runs, if one does.
fn running(life: &Life) -> Option<&Flow> {
    let Base::Flow { flow, stage } = life.base() else { return None };
    let mut stage = &**stage;
    while let Stage::Held { at, .. } = stage {
        stage = at;
    }
    matches!(stage, Stage::Running { .. }).then_some(&**flow)
}
