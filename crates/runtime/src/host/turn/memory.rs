//! What the host does about pages of working memory: draws those that are due, and makes commands
//! of what edits ask for.

use kernel::machine::By;
use kernel::run::{Command, State};

use super::Turn;
use crate::engine::{Run, Saying};
use crate::host::life::HostError;

impl Turn {
    /// Draws the page of one lifecycle.
    pub(super) fn draw_memory(&mut self, id: &str, run: &Run) -> Result<(), HostError> {
        let seen = self.memory.draw(id, run, &self.engine, self.clock.now())?;
        for command in seen.commands {
            let trace = crate::ids::trace_id();
            let saying = Saying::own(id, By::File, Command::Lifecycle(command));
            self.held_back.push(Saying { trace, ..saying });
        }
        for notice in seen.notices {
            self.hands.note(&notice);
        }
        Ok(())
    }

    /// Draws the pages that somebody touched.
    pub(super) fn look_at_memory(&mut self) -> Result<(), HostError> {
        for id in self.memory.due(&self.engine, self.clock.now()) {
            self.draw(&id)?;
        }
        Ok(())
    }

    /// The last client left: the page says so from now on.
    pub(super) fn clients_changed(&mut self) {
        let clients = self.handle.clients.load(std::sync::atomic::Ordering::SeqCst);
        if clients > 0 {
            return;
        }
        let now = self.clock.now();
        self.memory.contexts.left(now);
        let live = self.engine.live().filter(|(_, run)| matches!(run.state, State::Lifecycle(_)));
        let live: Vec<String> = live.map(|(id, _)| id.to_owned()).collect();
        for id in live {
            self.views.mark(&id, now);
        }
    }
}
