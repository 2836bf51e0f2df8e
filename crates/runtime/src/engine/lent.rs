//! Grants of whole plans: a yes to a plan document that counts for longer than its run, and the use
//! that a later run of the same document makes of it. Whether it covers a plan is the machine's to
//! say.

use journal::Journal;
use kernel::grant;
use kernel::lifecycle::{Confirm, Event as LcEvent, Phase, Scope};
use kernel::machine::{At, By};
use kernel::policy::Tool;
use kernel::policy::grant::{Bound, Grant, Pin, State as Stand, Subject};
use kernel::run::{Command, Event, State};

use super::granted::permissions;
use super::saying::Saying;
use super::step::Engine;
use crate::lifecycles;
use crate::turns::session_of;

impl<J: Journal> Engine<J> {
    /// The grant that a yes for the session gives: this document, its commands, its risks. A plan
    /// that was made of words has no document that could be granted.
    pub(super) fn given_with_plan(
        &self,
        saying: &Saying,
        confirm: &Confirm,
        now: At,
    ) -> Option<Saying> {
        if confirm.scope != Scope::Session {
            return None;
        }
        let run = self.runs.get(&saying.run)?;
        let State::Lifecycle(state) = &run.state else { return None };
        let life = state.life()?;
        let Phase::Confirming(asked) = &life.phase else { return None };
        let plan = &asked.plan;
        let subject = Subject {
            definition: Some(confirm.source_digest.clone()?),
            commands: confirm.programs.clone(),
            paths: plan.path.iter().cloned().collect(),
            risks: plan.findings.iter().map(|finding| finding.risk_hash.clone()).collect(),
            ..Subject::bare(Tool::Agent)
        };
        let session = life.body.begin.session_id.clone();
        let bound = Bound::Session {
            run: session.unwrap_or_else(|| session_of(&saying.run)),
            permissions: permissions(&run.state),
            pin: Pin::default(),
        };
        let id = lifecycles::grant_of(&saying.run, plan.revision);
        let grant = Grant {
            grant_id: id.clone(),
            bound,
            subject,
            by: saying.by.word().to_owned(),
            at: now,
            expires_at: None,
            uses: 0,
            state: Stand::Live,
        };
        let command = Command::Grant(grant::Command::Give(Box::new(grant)));
        Some(Saying::own(&id, saying.by.clone(), command))
    }

    /// What a grant hears that stood for a person's yes to a plan.
    pub(super) fn used_for_plan(&self, events: &[Event]) -> Option<Saying> {
        let id = events.iter().find_map(|event| match event {
            Event::Lifecycle(LcEvent::UserConfirm { approval }) => Some(&approval.question),
            Event::Lifecycle(_)
            | Event::Call(_)
            | Event::Loop(_)
            | Event::Collab(_)
            | Event::Grant(_)
            | Event::Turn(_)
            | Event::Session(_) => None,
        })?;
        let held = matches!(self.runs.get(id).map(|run| &run.state), Some(State::Grant(_)));
        held.then(|| Saying::own(id, By::Engine, Command::Grant(grant::Command::Use)))
    }
}
