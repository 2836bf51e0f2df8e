//! What the host does about pages of working memory: draws those that are due, and makes commands
//! of what edits ask for.

use kernel::machine::By;
use kernel::run::{Command, State};

use super::Turn;
use crate::engine::{Run, Saying};
use crate::host::life::HostError;
use crate::host::lists;
use crate::views::context::Seen;

impl Turn {
    /// Draws the page of one lifecycle.
    pub(super) fn draw_memory(&mut self, id: &str, run: &Run) -> Result<(), HostError> {
        let seen = self.memory.draw(id, run, &self.engine, self.clock.now())?;
        self.take_claims(id, seen);
        Ok(())
    }

    /// Draws the list of the package that a run drives. It is drawn before what follows from the
    /// same facts is begun, so that no call finds it changing.
    pub(super) fn draw_list(&mut self, id: &str) {
        let Some(run) = self.engine.run(id) else { return };
        let found = lists::of(&self.engine, &self.memory.around, (id, run));
        let Some(list) = found else { return };
        let seen = self.memory.lists.draw(&list, self.clock.now());
        self.take_claims(id, seen);
    }

    fn take_claims(&mut self, id: &str, seen: Seen) {
        for command in seen.commands {
            let trace = crate::ids::trace_id();
            let saying = Saying::own(id, By::File, Command::Lifecycle(command));
            self.held_back.push(Saying { trace, ..saying });
        }
        for notice in seen.notices {
            self.hands.note(&notice);
        }
    }

    /// Draws the lists that somebody touched, and lets go of those that are no longer run.
    fn look_at_lists(&mut self) {
        for id in self.memory.lists.due(self.clock.now()) {
            self.draw_list(&id);
        }
        for id in self.memory.lists.kept() {
            let run = self.engine.run(&id);
            let around = &self.memory.around;
            if run.and_then(|run| lists::of(&self.engine, around, (&id, run))).is_none() {
                for notice in self.memory.lists.let_go(&id, "") {
                    self.hands.note(&notice);
                }
            }
        }
    }

    /// Draws the pages that somebody touched.
    pub(super) fn look_at_memory(&mut self) -> Result<(), HostError> {
        self.look_at_lists();
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
