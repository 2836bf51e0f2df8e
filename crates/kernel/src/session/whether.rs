//! What others ask of a session's state: names, open questions, whether something is under way.
//! Reads only; decides nothing.

use alloc::string::String;
use alloc::vec::Vec;

use super::asked::Asked;
use super::job::{Found, Job, Phase};
use super::stage::{Stage, Why};
use super::state::{Base, Frame, Life, State, Unit};
use crate::loops::Check;

impl State {
    /// The state's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Live(life) => life.name(),
        }
    }

    /// The column of the table this state stands in.
    #[must_use]
    pub fn variant(&self) -> &'static str {
        match self {
            Self::New => "New",
            Self::Live(life) => match &life.unit {
                Unit::At { base: Base::Flow { stage, .. }, frames } if frames.is_empty() => {
                    stage.variant()
                }
                Unit::At { .. } | Unit::Ending { .. } => life.name(),
            },
        }
    }

    /// Where it stands in the seed's own words: a stage or `IDLE`; and what the seed has no word
    /// for, a job and the end of something. What lies on top is no place of its own.
    #[must_use]
    pub fn drawn(&self) -> Option<&'static str> {
        let life = self.life()?;
        Some(match &life.unit {
            Unit::Ending { .. } => "ENDING",
            Unit::At { base: Base::Idle { .. }, .. } => "IDLE",
            Unit::At { base: Base::Job { .. }, .. } => "JOB",
            Unit::At { base: Base::Flow { stage, .. }, .. } => stage.name().word(),
        })
    }

    /// A session never ends.
    #[must_use]
    pub const fn ended(&self) -> bool {
        false
    }

    /// The session, if it is there.
    #[must_use]
    pub const fn life(&self) -> Option<&Life> {
        match self {
            Self::New => None,
            Self::Live(life) => Some(life),
        }
    }

    /// Whether the hands look at something for it; its children count themselves.
    #[must_use]
    pub fn at_work(&self) -> bool {
        let looks = |owed: &crate::owed::Owed| matches!(owed, crate::owed::Owed::Effect { .. });
        super::owes::owed(self).iter().any(looks)
    }
}

/// Whether what is checked out now is another branch than a session's own. Without a branch, a
/// commit of a flow's own moves the key, and it stays the same session.
#[must_use]
pub fn elsewhere(own: &str, now: &str) -> bool {
    let detached = |key: &str| key.starts_with("detached:");
    own != now && !(detached(own) && detached(now))
}

impl Life {
    /// The state's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match &self.unit {
            Unit::Ending { .. } => "Ending",
            Unit::At { frames, .. } if !frames.is_empty() => "Stacked",
            Unit::At { base: Base::Idle { .. }, .. } => "Idle",
            Unit::At { base: Base::Flow { .. }, .. } => "Flow",
            Unit::At { base: Base::Job { .. }, .. } => "Job",
        }
    }

    /// Every open question of its own, the base's first.
    #[must_use]
    pub fn questions(&self) -> Vec<&Asked> {
        let Unit::At { base, frames } = &self.unit else { return Vec::new() };
        let mut open: Vec<&Asked> = match base {
            Base::Idle { .. } => Vec::new(),
            Base::Flow { stage, .. } => stage.question().into_iter().collect(),
            Base::Job { job } => job.question().into_iter().collect(),
        };
        for frame in frames {
            open.extend(match frame {
                Frame::Relating { q, .. } | Frame::Replacing { q, .. } => Some(q),
                Frame::Embedded { job, open } => job.question().filter(|_| *open),
                Frame::Tool(tool) => tool.q.as_ref(),
                Frame::Chat(_) => None,
            });
        }
        open
    }

    /// The question of the base.
    pub(super) fn question(&self) -> Option<&Asked> {
        match self.base() {
            Base::Idle { .. } => None,
            Base::Flow { stage, .. } => stage.question(),
            Base::Job { job } => job.question(),
        }
    }

    /// The open question of this id.
    #[must_use]
    pub fn ask(&self, id: &str) -> Option<&Asked> {
        self.questions().into_iter().find(|q| q.id == id)
    }

    /// How the unit that runs is called; none if nothing runs.
    #[must_use]
    pub fn unit_word(&self) -> Option<String> {
        match self.base() {
            Base::Idle { .. } => None,
            Base::Flow { flow, .. } => Some(flow.origin.word().into()),
            Base::Job { job } => Some(job.kind.word().into()),
        }
    }

    /// The packages that it holds: the one that its flow made, and the one it works on.
    #[must_use]
    pub fn holds(&self) -> Vec<&str> {
        match self.base() {
            Base::Flow { flow, .. } => {
                let both = [&flow.created, &flow.current].into_iter().flatten();
                both.map(|package| package.name.as_str()).collect()
            }
            Base::Idle { .. } | Base::Job { .. } => Vec::new(),
        }
    }

    /// Whether a frame holds what runs.
    #[must_use]
    pub fn suspended(&self) -> bool {
        self.frames().iter().any(Frame::suspends)
    }
}

impl Frame {
    /// Whether it holds what runs below it.
    #[must_use]
    pub fn suspends(&self) -> bool {
        match self {
            Self::Embedded { job, .. } => job.suspends(),
            Self::Tool(tool) => tool.caller == super::state::Caller::UserInterrupt,
            Self::Relating { .. } | Self::Replacing { .. } | Self::Chat(_) => false,
        }
    }

    /// Whether it only answers words.
    #[must_use]
    pub const fn talks(&self) -> bool {
        matches!(self, Self::Chat(_))
    }

    /// How it is called.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Relating { .. } => "relation",
            Self::Replacing { .. } => "replace",
            Self::Embedded { job, .. } => job.kind.word(),
            Self::Tool(tool) => &tool.name,
            Self::Chat(_) => "chat",
        }
    }
}

impl Stage {
    /// Whether it stands because something was cut off.
    #[must_use]
    pub const fn interrupted(&self) -> bool {
        matches!(self, Self::Held { why: Why::Interrupted { .. }, .. })
    }

    /// Whether it was cut off by this.
    #[must_use]
    pub fn cut_by(&self, what: &str) -> bool {
        matches!(self, Self::Held { why: Why::Interrupted { cause }, .. } if cause == what)
    }

    /// Whether nothing that writes is in flight, so that something else may write now.
    #[must_use]
    pub const fn safe(&self) -> bool {
        match self {
            Self::Running { held, .. } | Self::Editing { held, .. } => *held,
            Self::Gathering { part, .. } => match part {
                super::stage::Gather::Kb | super::stage::Gather::Context => true,
                super::stage::Gather::Make | super::stage::Gather::Rebuild => false,
            },
            Self::Writing { .. }
            | Self::Marking { .. }
            | Self::Recalling { .. }
            | Self::Closing { .. }
            | Self::Testing { .. }
            | Self::Fixing { .. }
            | Self::Undoing { .. }
            | Self::Recording { .. } => false,
            Self::Scoring { .. }
            | Self::Clarifying { .. }
            | Self::Confirming { .. }
            | Self::AskKb { .. }
            | Self::Drafting { .. }
            | Self::Checking { .. }
            | Self::Gated { .. }
            | Self::Approving { .. }
            | Self::Listing { .. }
            | Self::Picking { .. }
            | Self::Opening { .. }
            | Self::AskType { .. }
            | Self::AskMarkers { .. }
            | Self::CloseAsk { .. }
            | Self::Outgrown { .. }
            | Self::Accepting { .. }
            | Self::Held { .. } => true,
        }
    }
}

impl State {
    /// Whether what it does changes the work tree.
    #[must_use]
    pub fn holds_tree(&self) -> bool {
        self.life().is_some_and(|life| match life.base() {
            Base::Flow { stage, .. } => stage.writes(),
            Base::Idle { .. } | Base::Job { .. } => false,
        })
    }
}

impl Stage {
    /// Whether its child changes the work tree.
    #[must_use]
    pub fn writes(&self) -> bool {
        match self {
            Self::Held { at, .. } => at.writes(),
            Self::Running { .. }
            | Self::Editing { .. }
            | Self::Recalling { .. }
            | Self::Fixing { .. }
            | Self::Undoing { .. } => true,
            Self::Scoring { .. }
            | Self::Clarifying { .. }
            | Self::Confirming { .. }
            | Self::Gathering { .. }
            | Self::AskKb { .. }
            | Self::Drafting { .. }
            | Self::Writing { .. }
            | Self::Checking { .. }
            | Self::Gated { .. }
            | Self::Approving { .. }
            | Self::Listing { .. }
            | Self::Picking { .. }
            | Self::Opening { .. }
            | Self::AskType { .. }
            | Self::AskMarkers { .. }
            | Self::Marking { .. }
            | Self::Closing { .. }
            | Self::CloseAsk { .. }
            | Self::Testing { .. }
            | Self::Outgrown { .. }
            | Self::Recording { .. }
            | Self::Accepting { .. } => false,
        }
    }
}

impl super::event::Event {
    /// Whether it begins something that changes the work tree.
    #[must_use]
    pub fn takes_tree(&self) -> bool {
        matches!(self, Self::Entered { stage } if stage.writes())
    }
}

impl State {
    /// The project's checks that are being run: a person typed the command that runs them.
    #[must_use]
    pub fn checks(&self) -> Vec<&Check> {
        let Some(life) = self.life() else { return Vec::new() };
        if let Base::Flow { stage, .. } = life.base()
            && let Stage::Testing { checks: Some(checks), .. } = &**stage
        {
            return checks.iter().collect();
        }
        let base = match life.base() {
            Base::Job { job } => Some(&**job),
            Base::Idle { .. } | Base::Flow { .. } => None,
        };
        let above = life.frames().iter().filter_map(|frame| match frame {
            Frame::Embedded { job, .. } => Some(&**job),
            Frame::Relating { .. } | Frame::Replacing { .. } | Frame::Tool(_) | Frame::Chat(_) => {
                None
            }
        });
        base.into_iter().chain(above).flat_map(Job::checks).collect()
    }
}

impl State {
    /// The commands of tools that a person has called by their prefixes.
    #[must_use]
    pub fn called(&self) -> Vec<&[String]> {
        let frames = self.life().map(Life::frames).unwrap_or_default();
        frames.iter().filter_map(Frame::argv).collect()
    }
}

impl Frame {
    /// The command of a tool that a person has called.
    fn argv(&self) -> Option<&[String]> {
        match self {
            Self::Tool(tool) => Some(tool.argv.as_slice()).filter(|argv| !argv.is_empty()),
            Self::Relating { .. }
            | Self::Replacing { .. }
            | Self::Embedded { .. }
            | Self::Chat(_) => None,
        }
    }
}

impl Job {
    /// The checks that it runs.
    fn checks(&self) -> &[Check] {
        match &self.phase {
            Phase::Working { found: Found::Test { checks }, .. } => checks,
            Phase::Working { .. }
            | Phase::Detecting { .. }
            | Phase::Asking { .. }
            | Phase::Result { .. }
            | Phase::Held { .. }
            | Phase::Over { .. } => &[],
        }
    }
}
