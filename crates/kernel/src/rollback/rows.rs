//! The table of rollback: from what stood there, what we left and what is there now, to an action.
//! One path at a time; what paths mean for each other is looked at by the plan.

use super::action::{Action, Kept, Reason};
use super::content::{Base, Content, Now};
use super::plan::{Conflicts, Fact};

/// What a row says: the action, what gives way, what goes there, and why.
pub(super) struct Row {
    pub(super) action: Action,
    pub(super) from: Option<Content>,
    pub(super) to: Option<Content>,
    pub(super) reason: Option<Reason>,
}

impl Row {
    const fn plain(action: Action, from: Option<Content>, to: Option<Content>) -> Self {
        Self { action, from, to, reason: None }
    }

    pub(super) const fn kept(from: Option<Content>, why: Kept) -> Self {
        Self { action: Action::Keep, from, to: None, reason: Some(Reason::Kept(why)) }
    }
}

/// The row for one path.
pub(super) fn row(fact: &Fact, conflicts: Conflicts) -> Row {
    match &fact.base {
        Base::Unavailable(why) => Row::kept(present(&fact.now), *why),
        Base::Present(base, _) => had(fact, base, conflicts),
        Base::Absent => had_not(fact, conflicts),
    }
}

fn had(fact: &Fact, base: &Content, conflicts: Conflicts) -> Row {
    let to = Some(base.clone());
    match &fact.now {
        Now::Present(now) if now == base => Row::plain(Action::Same, Some(now.clone()), to),
        Now::Present(now) if fact.ours.as_ref() == Some(now) => {
            Row::plain(Action::Restore, Some(now.clone()), to)
        }
        Now::Present(now) => foreign(fact, now, to, conflicts),
        Now::Absent | Now::Below(_) | Now::Directory(_) => Row::plain(Action::Restore, None, to),
        Now::Strange => Row::kept(None, Kept::Strange),
    }
}

fn had_not(fact: &Fact, conflicts: Conflicts) -> Row {
    match &fact.now {
        Now::Absent | Now::Below(_) => Row::plain(Action::Same, None, None),
        Now::Present(now) if fact.ours.as_ref() == Some(now) => {
            Row::plain(Action::Remove, Some(now.clone()), None)
        }
        Now::Present(now) => foreign(fact, now, None, conflicts),
        // The files below it have facts of their own, or are nobody's business.
        Now::Directory(_) => Row::plain(Action::Same, None, None),
        Now::Strange => Row::kept(None, Kept::Strange),
    }
}

fn foreign(fact: &Fact, now: &Content, to: Option<Content>, conflicts: Conflicts) -> Row {
    match conflicts {
        Conflicts::Aside => Row {
            action: Action::Aside,
            from: Some(now.clone()),
            to,
            reason: Some(Reason::ChangedAfter(fact.call.clone())),
        },
        Conflicts::Keep => Row {
            action: Action::Keep,
            from: Some(now.clone()),
            to,
            reason: Some(Reason::Kept(Kept::Changed)),
        },
    }
}

fn present(now: &Now) -> Option<Content> {
    match now {
        Now::Present(content) => Some(content.clone()),
        Now::Absent | Now::Below(_) | Now::Directory(_) | Now::Strange => None,
    }
}
