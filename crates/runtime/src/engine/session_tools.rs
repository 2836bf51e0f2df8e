//! What runs and ran below a session: registered tools that a stage's children call, so that the
//! session can show each as a frame, and the calls of a flow. What they mean is the machine's to
//! say.

use std::collections::BTreeSet;

use journal::Journal;
use kernel::call;
use kernel::run::State;
use kernel::session;

use super::book::fold;
use super::sessions::over;
use super::step::Engine;

impl<J: Journal> Engine<J> {
    /// A registered tool that a stage's child has called, or that has ended: the session shows it
    /// as a frame.
    pub(super) fn tool_of(&self, owner: &str, slot: &str, child: &str) -> Option<session::Command> {
        let State::Session(state) = &self.runs.get(owner)?.state else { return None };
        let life = state.life()?;
        let session::Base::Flow { flow, .. } = life.base() else { return None };
        let own = session::slots(life)
            .iter()
            .any(|(known, place)| known == slot && *place == session::Place::Base);
        if flow.setup.tools.is_empty() || !own {
            return None;
        }
        let called = |frame: &session::Frame| match frame {
            session::Frame::Tool(tool) => tool.call.clone(),
            session::Frame::Relating { .. }
            | session::Frame::Replacing { .. }
            | session::Frame::Embedded { .. }
            | session::Frame::Chat(_) => None,
        };
        if let Some(session::Frame::Tool(tool)) = life.frames().last()
            && tool.end.is_none()
            && tool.q.is_none()
            && let Some(call) = &tool.call
        {
            let live = matches!(self.runs.get(call).map(|run| &run.state),
                Some(State::Call(state)) if !over(state));
            if !live {
                let ended = self.call_end(call);
                let (name, ok) = (tool.name.clone(), ended == Some(true));
                return Some(session::Command::ToolClosed { name, ok, cancelled: ended.is_none() });
            }
        }
        let open: Vec<String> = life.frames().iter().filter_map(called).collect();
        let (call, argv) = self.started_below(child).into_iter().find(|(call, argv)| {
            let known = |tool: &session::Registered| argv.starts_with(&tool.argv);
            !open.contains(call) && flow.setup.tools.iter().any(known)
        })?;
        let tool = flow.setup.tools.iter().find(|tool| argv.starts_with(&tool.argv))?;
        Some(session::Command::ToolOpened {
            name: tool.name.clone(),
            kind: "command".to_owned(),
            caller: session::Caller::InStage,
            input: argv[tool.argv.len()..].join(" "),
            call: Some(call),
            setup: Box::new(flow.setup.clone()),
        })
    }

    /// Whether a call that is over went well; none where it was stopped or nobody can tell.
    fn call_end(&self, id: &str) -> Option<bool> {
        let head = self.journal.head(id).ok()??;
        let State::Call(state) = fold(&self.journal, &head, None).ok()?.state else { return None };
        match state {
            call::State::Settled { outcome: call::Outcome::Ok, .. } => Some(true),
            call::State::Settled { outcome: call::Outcome::Failed(_), .. }
            | call::State::Settled { outcome: call::Outcome::TimedOut { .. }, .. }
            | call::State::Undone { .. } => Some(false),
            call::State::Settled { outcome: call::Outcome::Stopped, .. }
            | call::State::New
            | call::State::Asked { .. }
            | call::State::Allowed { .. }
            | call::State::Denied { .. }
            | call::State::Started { .. }
            | call::State::Unknown { .. }
            | call::State::Undoing { .. } => None,
        }
    }

    /// The calls of a flow that is closing, those of its children included, the oldest first.
    pub(super) fn changes_of(&self, id: &str, life: &session::Life) -> Vec<(String, call::State)> {
        let session::Base::Flow { flow, stage } = life.base() else { return Vec::new() };
        let looks = |step: u8| step == session::SECURITY;
        if !matches!(**stage, session::Stage::Closing { step, .. } if looks(step)) {
            return Vec::new();
        }
        let heads = self.journal.heads().unwrap_or_default();
        let key = format!("{id}/flow/{}", flow.n);
        let child = |own: &str| {
            own.strip_prefix(&key).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let mut before = usize::MAX;
        // A run may stand before its owner in the list.
        while before != known.len() {
            before = known.len();
            let own = heads.iter().filter(|head| {
                let below = head.parent.as_deref().is_some_and(|parent| known.contains(parent));
                below || head.key.as_deref().is_some_and(child)
            });
            known.extend(own.map(|head| head.run.as_str()).collect::<Vec<_>>());
        }
        let own = heads.iter().filter(|head| known.contains(head.run.as_str()));
        self.calls_among(own.cloned().collect())
    }

    /// A run and those below it that live.
    pub(super) fn below(&self, id: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut rest = vec![id.to_owned()];
        while let Some(one) = rest.pop() {
            rest.extend(self.children.get(&one).into_iter().flatten().cloned());
            found.push(one);
        }
        found
    }

    /// The commands that run below a run, with their calls.
    fn started_below(&self, id: &str) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for one in self.below(id) {
            if let Some(State::Call(state)) = self.runs.get(&one).map(|run| &run.state)
                && matches!(state, call::State::Started { .. })
                && let Some(facts) = state.facts()
            {
                found.push((one.clone(), facts.request.argv.clone()));
            }
        }
        found
    }
}
