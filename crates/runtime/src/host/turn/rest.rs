//! What the host does when nothing calls for it: whether it is still where it was, how long it
//! sleeps, when it leaves, and the second look at what drawings displaced. It draws nothing itself.

use std::time::Duration;

use super::{LAUNCH_WAIT_MS, LOOK_MS, Turn};
use crate::host::life::HostError;
use crate::view_file::Age;
use crate::views::Sealed;

impl Turn {
    /// Nothing is decided, recorded or drawn once another directory stands where the root was: our
    /// files went with the one that was there.
    pub(super) fn in_place(&self) -> Result<(), HostError> {
        let root = self.hands.root();
        if root.is_there() {
            return Ok(());
        }
        Err(HostError::RootReplaced { path: root.path.clone() })
    }

    pub(super) fn draw_wait_ms(&self) -> u64 {
        if self.engine.busy() > 0 { LAUNCH_WAIT_MS } else { 0 }
    }

    /// What somebody wrote there is an edit like any other.
    pub(super) fn look_late(&mut self, age: Age) {
        self.views.look_late(age);
        self.memory.contexts.look_late(age);
        self.memory.lists.look_late(age);
        let folders = &mut self.folders;
        let plans = &mut self.memory.plans;
        for sealed in [&mut self.sheets.sealed, &mut folders.sealed, &mut folders.sessions, plans] {
            for notice in sealed.look_late(age) {
                self.hands.note(&notice);
            }
        }
    }

    /// How long until there is something to look at.
    fn late_wait(&self) -> Option<Duration> {
        let folders = &self.folders;
        let memory = &self.memory;
        let sealed = [&self.sheets.sealed, &folders.sealed, &folders.sessions, &memory.plans];
        let sealed = sealed.map(Sealed::late_wait);
        let own = [self.views.late_wait(), memory.contexts.late_wait(), memory.lists.late_wait()];
        sealed.into_iter().chain(own).flatten().min()
    }

    /// How long to sleep at the most.
    pub(super) fn patience(&self) -> Duration {
        let now = self.clock.now();
        let idle = self.idle_since.plus(self.status.idle_exit_ms);
        let draw = self.views.next_due().map(|due| due.plus(self.draw_wait_ms()));
        let memory = self.memory.contexts.next_due();
        let lists = self.memory.lists.next_due();
        let wake = [self.engine.next_due(), draw, self.pulse.next_due(), memory, lists, Some(idle)]
            .into_iter()
            .flatten()
            .min()
            .map_or(LOOK_MS, |due| due.since(now));
        let wake = Duration::from_millis(wake.clamp(1, LOOK_MS));
        self.late_wait().map_or(wake, |late| late.max(Duration::from_millis(1)).min(wake))
    }

    /// Whether the engine leaves: asked to, or nothing in flight and nobody there for long enough.
    pub(super) fn over(&mut self) -> bool {
        if self.leaving {
            return true;
        }
        let now = self.clock.now();
        let clients = self.handle.clients.load(std::sync::atomic::Ordering::SeqCst);
        if clients > 0 || self.engine.busy() > 0 || self.port.live() || !self.held_back.is_empty() {
            self.idle_since = now;
            return false;
        }
        now.since(self.idle_since) >= self.status.idle_exit_ms && self.views.next_due().is_none()
    }
}
