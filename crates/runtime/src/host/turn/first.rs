//! What the host does before anything else: it looks at the files that an engine before it drew.

use journal::{Head, Journal as _};
use kernel::run::Kind;

use super::Turn;
use crate::host::life::HostError;

impl Turn {
    /// At a start, views that a crash left behind or that someone edited meanwhile are looked at.
    pub(super) fn look_at_views(&mut self) -> Result<(), HostError> {
        let drawn = |head: &Head| {
            let over = self.engine.run(&head.run).is_none();
            let collab = head.machine == Kind::Collab.name();
            let turn = head.machine == Kind::Turn.name();
            let lifecycle = head.machine == Kind::Lifecycle.name();
            over && (collab && self.sheets.stands_at(&head.run, head.seq)
                || turn && self.folders.stands_at(&head.run, head.seq)
                || lifecycle && self.memory.contexts.stands_at(&head.run, head.seq))
        };
        let shown: Vec<String> = self
            .engine
            .journal()
            .heads()?
            .into_iter()
            .filter(|head| head.machine != Kind::Call.name() && head.status != "deleted")
            .filter(|head| !drawn(head))
            .map(|head| head.run)
            .collect();
        for id in shown {
            self.in_place()?;
            if let Some((owner, around)) = self.engine.around(&id) {
                self.views.around(&owner, around, self.clock.now());
            }
            self.draw_list(&id);
            self.draw(&id)?;
        }
        Ok(())
    }
}
