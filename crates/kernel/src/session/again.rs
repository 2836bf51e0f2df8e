//! Stages once more: under a new key, or to take back what they did. Where a flow goes otherwise is
//! said by the rows.

use super::stage::Stage;

impl Stage {
    /// The stage in which a tweak's edits are taken back; none where there are no such edits.
    #[must_use]
    pub fn taken_back(&self) -> Option<Self> {
        if let Self::Held { at, .. } = self {
            return at.taken_back();
        }
        if let Self::Outgrown { turn, .. } = self {
            return Some(Self::Undoing { turn: turn.clone(), k: 1 });
        }
        // The turn may still write: it is stopped first.
        if let Self::Editing { k, .. } = self { Some(Self::Recalling { k: *k }) } else { None }
    }

    /// The same stage, tried once more under a new key. What asks or runs is tried as it is.
    #[must_use]
    pub fn again(mut self) -> Self {
        match &mut self {
            Self::Gathering { k, .. }
            | Self::Drafting { k, .. }
            | Self::Writing { k, .. }
            | Self::Checking { k }
            | Self::Listing { k, .. }
            | Self::Opening { k, .. }
            | Self::Marking { k, .. }
            | Self::Closing { k, .. }
            | Self::Testing { k, .. }
            | Self::Fixing { fixes: k, .. }
            | Self::Undoing { k, .. }
            | Self::Recording { k, .. }
            | Self::Accepting { k, .. } => *k += 1,
            Self::Editing { k, held, .. } => {
                *k += 1;
                *held = false;
            }
            Self::Scoring { .. }
            | Self::Clarifying { .. }
            | Self::Confirming { .. }
            | Self::AskKb { .. }
            | Self::Gated { .. }
            | Self::Approving { .. }
            | Self::Picking { .. }
            | Self::AskType { .. }
            | Self::AskMarkers { .. }
            | Self::Running { .. }
            | Self::CloseAsk { .. }
            | Self::Recalling { .. }
            | Self::Outgrown { .. }
            | Self::Held { .. } => {}
        }
        self
    }
}
