//! The host's thread: wait, drain, step, start jobs, draw, answer; in that order, for ever. It is
//! the only caller of `Engine::step`.

mod first;
mod memory;
mod rest;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};

use journal::{Journal as _, Sqlite};
use kernel::loops;
use kernel::machine::{At, By};
use kernel::run::{Command, State};

use super::folders::Folders;
use super::handle::{EngineStatus, Handle, Msg};
use super::life::HostError;
use super::memory::Memory;
use super::news::News;
use super::port::Port;
use super::pulse::Pulse;
use super::sheets::Sheets;
use crate::clock::Clock;
use crate::collab::Glance;
use crate::engine::{Answer, Engine, Job, Link, Origin, Saying, Step, Ticket, fold};
use crate::hands::Hands;
use crate::view_file::Age;
use crate::views::{Notice, Seen, View, Views, Watch, Wish, Word};

/// Timers are looked at no less often than this, whatever the kernel does to our sleep.
const LOOK_MS: u64 = 30_000;
/// Messages taken into one step: one sync serves them all.
const DRAIN_MAX: usize = 4096;
/// Views that are due wait this much longer for a launch: drawn beside a process that has just
/// begun, they hold nobody up.
const LAUNCH_WAIT_MS: u64 = 20;

pub(super) struct Turn {
    engine: Engine<Sqlite>,
    hands: Hands,
    views: Views,
    sheets: Sheets,
    folders: Folders,
    memory: Memory,
    pulse: Pulse,
    news: News,
    port: Port,
    /// Tells of view files that others change; it ends with the host.
    _watch: Watch,
    clock: Clock,
    handle: Handle,
    inbox: Receiver<Msg>,
    askers: HashMap<Ticket, Sender<Answer>>,
    next_ticket: Ticket,
    status: EngineStatus,
    idle_since: At,
    leaving: bool,
    held_back: Vec<Saying>,
    /// Who waits until what is due is drawn.
    redrawing: Vec<Sender<()>>,
}

/// Whatever draws, and what it listens to.
pub(super) type Drawers = (Views, (Sheets, Folders, Memory), Pulse, Port, Watch);

impl Turn {
    pub(super) fn new(
        engine: Engine<Sqlite>,
        hands: Hands,
        (views, (sheets, folders, memory), pulse, port, watch): Drawers,
        clock: Clock,
        handle: Handle,
        inbox: Receiver<Msg>,
    ) -> Self {
        let now = clock.now();
        let status = EngineStatus::beginning(now.0);
        Self {
            engine,
            hands,
            views,
            sheets,
            folders,
            memory,
            pulse,
            news: News::default(),
            port,
            _watch: watch,
            clock,
            handle,
            inbox,
            askers: HashMap::new(),
            next_ticket: 1,
            status,
            idle_since: now,
            leaving: false,
            held_back: Vec::new(),
            redrawing: Vec::new(),
        }
    }

    pub(super) fn known_as(mut self, version: String, epoch: u64, idle_exit_ms: u64) -> Self {
        self.status = EngineStatus { version, epoch, idle_exit_ms, ..self.status };
        self
    }

    pub(super) fn run(mut self) -> Result<(), HostError> {
        let mut sayings = Vec::new();
        self.look_at_views()?;
        loop {
            sayings.append(&mut self.held_back);
            self.in_place()?;
            let step = self.engine.step(self.clock.now(), sayings)?;
            let launched = step.jobs.iter().any(|job| matches!(job, Job::Launch { .. }));
            self.carry_out(step)?;
            self.port.reconcile(&self.engine);
            self.redraw(if launched { 0 } else { self.draw_wait_ms() })?;
            self.beat()?;
            if self.over() {
                return self.draw_what_is_left();
            }
            sayings = self.listen();
        }
    }

    /// Starts the jobs, puts changed statuses on disk, then answers.
    fn carry_out(&mut self, step: Step) -> Result<(), HostError> {
        self.in_place()?;
        for touched in &step.touched {
            self.draw_list(&touched.run);
        }
        for (run, paths) in step.left {
            self.hands.note(&Notice::heard(&run, Word::InTree { paths }));
        }
        for job in step.jobs {
            self.hands.start_job(job);
        }
        let now = self.clock.now();
        for touched in &step.touched {
            if let Some((owner, around)) = self.engine.around(&touched.run) {
                self.views.around(&owner, around, now);
            }
        }
        for touched in step.touched {
            if touched.status_changed && !self.can_wait(&touched.run) {
                self.draw(&touched.run)?;
                self.news.tell(&touched.run);
            } else {
                self.views.mark(&touched.run, now);
            }
        }
        for (ticket, answer) in step.answers {
            if let Some(asker) = self.askers.remove(&ticket) {
                // An asker that has gone away has no use for the answer.
                let _ = asker.send(answer);
            }
        }
        Ok(())
    }

    /// Whether the pages of a run are drawn with others of the moment: those of a collab that goes
    /// on. Nobody waits for them, and its agents would wait for the syncs.
    fn can_wait(&self, id: &str) -> bool {
        match self.engine.run(id).map(|run| &run.state) {
            Some(State::Collab(state)) => !state.ended() && state.open_question().is_none(),
            Some(State::Turn(state)) => state.at_work(),
            Some(State::Lifecycle(state)) => state.at_work(),
            Some(State::Session(_)) => false,
            Some(State::Call(_) | State::Loop(_) | State::Grant(_)) | None => false,
        }
    }

    /// Draws one loop from what the engine holds, or from the journal if it has ended.
    fn draw(&mut self, id: &str) -> Result<(), HostError> {
        self.in_place()?;
        let folded;
        let run = match self.engine.run(id) {
            Some(run) => run,
            None => match self.engine.journal().head(id)? {
                Some(head) => {
                    folded = fold(self.engine.journal(), &head, None)?;
                    &folded
                }
                None => return Ok(()),
            },
        };
        match &run.state {
            State::Loop(state) => {
                let began = self.clock.now();
                let seen = self.views.draw(id, state, run.seq);
                self.views.took(id, self.clock.now().since(began));
                self.take_in(seen);
            }
            State::Collab(state) => {
                let ended = state.ended();
                let silent = self.pulse.silent(id);
                let seen = Glance { now: self.clock.now(), silent: &silent };
                let notices = self.sheets.draw(id, run, state, seen, self.engine.journal())?;
                for notice in notices {
                    self.hands.note(&notice);
                }
                if ended {
                    self.sheets.forget(id);
                }
            }
            State::Turn(state) => {
                let ended = state.ended();
                for notice in self.folders.draw(id, run.seq, state, self.engine.journal())? {
                    self.hands.note(&notice);
                }
                if ended {
                    self.folders.forget(id);
                }
            }
            State::Session(state) => {
                let beside = self.engine.beside(id, run);
                for notice in self.folders.session(id, state, beside) {
                    self.hands.note(&notice);
                }
            }
            State::Lifecycle(_) => {
                let run = run.clone();
                self.draw_memory(id, &run)?;
            }
            State::Call(_) | State::Grant(_) => {}
        }
        Ok(())
    }

    /// Draws what has been due for so long.
    fn redraw(&mut self, wait_ms: u64) -> Result<(), HostError> {
        self.in_place()?;
        self.look_late(Age::Ripe);
        self.look_at_memory()?;
        for id in self.views.due(At(self.clock.now().0.saturating_sub(wait_ms))) {
            self.draw(&id)?;
            self.news.tell(&id);
        }
        for reply in self.redrawing.drain(..) {
            // One that has gone away has no use for the answer.
            let _ = reply.send(());
        }
        Ok(())
    }

    /// Tells who is silent, and keeps the pages of running collabs from standing still.
    fn beat(&mut self) -> Result<(), HostError> {
        let running = self.engine.live().filter_map(|(id, run)| match &run.state {
            State::Collab(state) if !state.ended() && state.open_question().is_none() => {
                Some((id, state))
            }
            State::Collab(_)
            | State::Call(_)
            | State::Loop(_)
            | State::Grant(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        });
        let beat = self.pulse.beat(self.clock.now(), running);
        for notice in &beat.notices {
            self.hands.note(notice);
        }
        for id in &beat.draw {
            self.draw(id)?;
        }
        Ok(())
    }

    /// A host that leaves owes nobody a view.
    fn draw_what_is_left(&mut self) -> Result<(), HostError> {
        self.in_place()?;
        self.look_late(Age::Any);
        for id in self.views.due(At(u64::MAX)) {
            self.draw(&id)?;
        }
        // An edit that is only seen now keeps its name, and is found at the next start.
        self.look_late(Age::Any);
        Ok(())
    }

    /// What outside edits ask for becomes commands; what they may not is already set aside.
    fn take_in(&mut self, seen: Seen) {
        for (run, wish) in seen.wishes {
            let command = match wish {
                Wish::StartExternal => {
                    let (settings, checks) = self.hands.course();
                    loops::Command::Start {
                        driver: loops::Driver::External { runner: None },
                        mode: loops::Mode::Auto,
                        settings: Box::new(settings),
                        checks,
                        programs: Vec::new(),
                        busy_with: None,
                    }
                }
                Wish::Complete => loops::Command::Complete { force: None },
                Wish::Command(command) => *command,
            };
            let trace = crate::ids::trace_id();
            self.held_back
                .push(Saying { trace, ..Saying::own(&run, By::File, Command::Loop(command)) });
        }
        for notice in seen.notices {
            self.hands.note(&notice);
        }
    }

    /// Waits for something to do, and takes everything that is there.
    fn listen(&mut self) -> Vec<Saying> {
        let mut sayings = Vec::new();
        if !self.held_back.is_empty() {
            return sayings;
        }
        match self.inbox.recv_timeout(self.patience()) {
            // What was said is dropped, and with it whoever waits: the engine ends at once.
            Ok(_) if self.in_place().is_err() => return sayings,
            Ok(message) => self.take(message, &mut sayings),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return sayings,
        }
        while sayings.len() < DRAIN_MAX
            && let Ok(message) = self.inbox.try_recv()
        {
            self.take(message, &mut sayings);
        }
        sayings
    }

    fn take(&mut self, message: Msg, sayings: &mut Vec<Saying>) {
        match message {
            Msg::Say { by, run, trace, commands, mut link, reply } => {
                for command in commands {
                    let ticket = self.next_ticket;
                    self.next_ticket += 1;
                    self.askers.insert(ticket, reply.clone());
                    let origin = Origin::Asker(ticket);
                    let (by, run, trace) = (by.clone(), run.clone(), trace.clone());
                    sayings.push(Saying { run, by, trace, command, origin, link });
                    link = Link::AfterLast;
                }
            }
            Msg::Landed(saying) => sayings.push(*saying),
            Msg::Made(made) => self.engine.made(*made),
            Msg::Zhi(heard) => sayings.extend(self.port.heard(heard, &self.engine, &self.hands)),
            Msg::Retried(asked) => self.hands.retried(self.engine.above(&asked.0), &asked),
            Msg::Heard { call, session } => sayings.extend(self.engine.heard(&call, session)),
            Msg::Outside(name) => {
                let sheet = self.sheets.touched(&name);
                if let Some(run) = sheet.or_else(|| self.folders.touched(&name)) {
                    self.views.mark(run, self.clock.now());
                }
                if let Some(run) = self.folders.session_touched(&name) {
                    self.views.mark(&run, self.clock.now());
                }
                if let Some(run) = self.memory.contexts.touched(&name) {
                    self.views.mark(&run, self.clock.now());
                }
                let seen = self.views.changed_outside(&name);
                self.take_in(seen);
            }
            Msg::Redraw { run, reply } => {
                self.views.look_again(&run);
                for view in View::ALL {
                    let seen = self.views.changed_outside(&view.relative(&run));
                    self.take_in(seen);
                }
                self.redrawing.push(reply);
            }
            Msg::News { run, seq, at_most, reply } => {
                let now = self.clock.now();
                let at_most = u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX);
                self.news.wait(run.clone(), now.plus(at_most), now, reply);
                // One that is over, or further than what is known of it, has news already.
                if self.engine.run(&run).is_none_or(|known| known.seq > seq) {
                    self.news.tell(&run);
                }
            }
            Msg::Clients => self.clients_changed(),
            Msg::Status(reply) => {
                // A client that has gone away has no use for the answer.
                let _ = reply.send(self.report());
            }
            Msg::Leave(reply) => {
                self.leaving = true;
                let _ = reply.send(self.report());
            }
        }
    }

    fn report(&self) -> EngineStatus {
        EngineStatus {
            in_flight: self.engine.busy(),
            clients: self.handle.clients.load(std::sync::atomic::Ordering::SeqCst),
            redraws: self.views.redraws(),
            ..self.status.clone()
        }
    }
}
