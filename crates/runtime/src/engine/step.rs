//! One turn of the engine: decide everything in the inbox, append it in one transaction, then say
//! what is to be done. Nothing is answered or started before the append has come back.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use journal::{Batch, Entry, Journal, RunNote};
use kernel::machine::{At, By, Said};
use kernel::run::{Command, Event, Kind, Refused, State};
use kernel::{call, collab, lifecycle, loops, session, turn};

use super::book::{Halt, Run, fold};
use super::job::{Job, Made};
use super::saying::{Accepted, Answer, Link, Origin, RefusedAt, Saying, Ticket, link_of};
use super::timers::Timers;
use crate::policy::Judge;

/// Commands one step may work off before it appends. More simply wait for the next step.
const STEP_COMMANDS_MAX: usize = 20_000;

/// Where new ids come from: random in the world, seeded in the proving ground.
pub trait Ids {
    /// A new id with this prefix (`call-`).
    fn new_id(&mut self, prefix: &str, now: At) -> String;
}

/// What the engine needs to know of its surroundings to judge a call.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Who judges.
    pub judge: Judge,
    /// Settings recorded with each call.
    pub rules: call::Rules,
    /// Calls that may be at work at once.
    pub in_flight_max: usize,
    /// Between asking a process to end and ending it, where its call names nothing else.
    pub grace_ms: u64,
    /// What a check may take that names no time of its own.
    pub verify_ms: u64,
}

/// The engine. `J` is its memory.
pub struct Engine<J: Journal> {
    pub(super) journal: J,
    pub(super) runs: HashMap<String, Run>,
    pub(super) keys: HashMap<String, String>,
    pub(super) children: HashMap<String, BTreeSet<String>>,
    pub(super) flight: BTreeSet<String>,
    pub(super) launched: HashSet<(String, u32)>,
    pub(super) at_work: BTreeSet<String>,
    pub(super) queue: VecDeque<String>,
    pub(super) timers: Timers,
    pub(super) ids: Box<dyn Ids + Send>,
    pub(super) standing: Standing,
    pub(super) woken: BTreeSet<String>,
    /// Requests of turns that the hands have made and nobody has asked for yet, by key.
    pub(super) made: HashMap<String, Made>,
}

/// A run that a step changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The run.
    pub run: String,
    /// Whether its status is another one now.
    pub status_changed: bool,
}

/// What one step made true, and what is to be done about it.
#[derive(Debug, Default)]
pub struct Step {
    /// Answers, in the order asked.
    pub answers: Vec<(Ticket, Answer)>,
    /// Work for the hands.
    pub jobs: Vec<Job>,
    /// Runs that changed.
    pub touched: Vec<Touched>,
    /// Facts appended.
    pub facts: usize,
    /// Files that debugging has left changed, by loop.
    pub left: Vec<(String, Vec<String>)>,
}

/// What a step gathers before it appends.
#[derive(Default)]
struct Draft {
    batch: Batch,
    notes: BTreeMap<String, Before>,
    answers: Vec<(Ticket, Answer)>,
    pending: BTreeSet<String>,
    touched: BTreeSet<String>,
    broken: Option<RefusedAt>,
    left: Vec<(String, Vec<String>)>,
}

struct Before {
    seq: u64,
    status: &'static str,
}

impl<J: Journal> Engine<J> {
    /// Reads what has not ended from the journal. The first `step` reconciles all of it.
    ///
    /// # Errors
    /// When the journal can't be read or trusted.
    pub fn open(journal: J, ids: Box<dyn Ids + Send>, standing: Standing) -> Result<Self, Halt> {
        let mut engine = Self {
            journal,
            runs: HashMap::new(),
            keys: HashMap::new(),
            children: HashMap::new(),
            flight: BTreeSet::new(),
            launched: HashSet::new(),
            at_work: BTreeSet::new(),
            queue: VecDeque::new(),
            timers: Timers::default(),
            ids,
            standing,
            woken: BTreeSet::new(),
            made: HashMap::new(),
        };
        for head in engine.journal.heads()? {
            if !head.ended {
                let run = fold(&engine.journal, &head, None)?;
                engine.admit(&head.run, run);
                engine.woken.insert(head.run);
            }
        }
        Ok(engine)
    }

    /// Decides the inbox, appends, and says what to do. An empty inbox is fine: it reconciles what
    /// a start or a finished job has woken.
    ///
    /// # Errors
    /// When the journal fails. The engine must then be dropped: what it holds in memory may be
    /// ahead of what is durable.
    pub fn step(&mut self, now: At, inbox: Vec<Saying>) -> Result<Step, Halt> {
        let mut draft = Draft::default();
        let mut queue: VecDeque<Saying> = inbox.into();
        queue.extend(self.due(now));
        draft.pending.append(&mut self.woken);
        let mut worked = 0;
        loop {
            while let Some(saying) = queue.pop_front() {
                self.hear(now, saying, &mut draft, &mut queue)?;
                worked += 1;
            }
            let mut pending = std::mem::take(&mut draft.pending);
            if pending.is_empty() {
                break;
            }
            if worked > STEP_COMMANDS_MAX {
                self.woken.extend(pending.iter().cloned());
                draft.touched.append(&mut pending);
                break;
            }
            for run in &pending {
                queue.extend(self.wants(run, now)?);
            }
            draft.touched.append(&mut pending);
        }
        self.finish(draft)
    }

    /// The next moment at which something falls due.
    #[must_use]
    pub fn next_due(&self) -> Option<At> {
        self.timers.next()
    }

    /// Jobs at work.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.flight.len()
    }

    /// Every live run as it stands.
    pub fn live(&self) -> impl Iterator<Item = (&str, &Run)> {
        self.runs.iter().map(|(id, run)| (id.as_str(), run))
    }

    /// A live run as it stands.
    #[must_use]
    pub fn run(&self, id: &str) -> Option<&Run> {
        self.runs.get(id)
    }

    /// The memory, for reads.
    #[must_use]
    pub const fn journal(&self) -> &J {
        &self.journal
    }

    fn due(&mut self, now: At) -> Vec<Saying> {
        let mut sayings = Vec::new();
        for (run, slot) in self.timers.due(now) {
            let Some(kind) = self.runs.get(&run).map(|held| held.state.kind()) else { continue };
            let command = match kind {
                Kind::Call => Command::Call(call::Command::Timeout { slot }),
                Kind::Loop => Command::Loop(loops::Command::Timeout { slot }),
                Kind::Grant => continue,
                Kind::Collab => match collab::timer_command(&slot) {
                    Some(command) => Command::Collab(command),
                    None => continue,
                },
                Kind::Turn => Command::Turn(turn::Command::Timeout { slot }),
                Kind::Lifecycle => Command::Lifecycle(lifecycle::Command::Due { slot }),
                Kind::Session => Command::Session(session::Command::Timeout { slot }),
            };
            sayings.push(Saying::own(&run, By::Timer, command));
        }
        sayings
    }

    fn hear(
        &mut self,
        now: At,
        mut saying: Saying,
        draft: &mut Draft,
        queue: &mut VecDeque<Saying>,
    ) -> Result<(), Halt> {
        if let Origin::Job(key) = &saying.origin {
            self.landed(key, &saying.run, draft);
            if self.held_back(&saying) {
                return Ok(());
            }
        }
        if let Origin::Asker(ticket) = saying.origin {
            match (saying.link, &draft.broken) {
                (Link::AfterLast, Some(broken)) => {
                    draft.answers.push((ticket, Err(broken.clone())));
                    return Ok(());
                }
                (Link::AfterLast, None) => {}
                (Link::Alone | Link::At(_), _) => draft.broken = None,
            }
        }
        let kind = saying.command.kind();
        self.load(&saying.run, kind)?;
        let last = self.runs.get(&saying.run).map(|run| run.seq);
        if let Some(refused) = last.and_then(|last| saying.outrun(last)) {
            self.refuse(saying, refused, draft, queue);
            return Ok(());
        }
        self.fill_holder(&mut saying);
        self.fill_programs(&mut saying);
        self.fill_turn(&mut saying);
        self.fill_lifecycle(&mut saying);
        self.fill_grace(&mut saying);
        let run = self.runs.get(&saying.run).expect("load puts it there");
        let said = Said { by: saying.by.clone(), at: now, command: saying.command.clone() };
        match run.state.decide(said) {
            Ok(events) => {
                let barred = || self.barred(&saying, &events, now);
                match self.stale(&saying).or_else(barred).or_else(|| self.twin(&saying)) {
                    None => {
                        queue.extend(self.given(&saying, &events, now));
                        self.accept(now, saying, events, draft)?;
                    }
                    Some(refused) => self.refuse(saying, refused, draft, queue),
                }
            }
            Err(refused) => self.refuse(saying, refused, draft, queue),
        }
        Ok(())
    }

    fn accept(
        &mut self,
        now: At,
        saying: Saying,
        events: Vec<Event>,
        draft: &mut Draft,
    ) -> Result<(), Halt> {
        let Saying { run: id, by, trace, command, origin, link: _ } = saying;
        let trace = self.trace_for(&id, &by, trace);
        let run = self.runs.get_mut(&id).expect("heard runs are loaded");
        run.trace.clone_from(&trace);
        let mut facts = Vec::with_capacity(events.len());
        if !events.is_empty() {
            draft
                .notes
                .entry(id.clone())
                .or_insert_with(|| Before { seq: run.seq, status: run.state.status() });
        }
        for event in &events {
            let (name, body) =
                event.to_record().map_err(|why| Halt::Broken(format!("fact of {id}: {why}")))?;
            if let (State::Loop(state), Event::Loop(event)) = (&run.state, event) {
                let left = state.leaves(event);
                draft.left.extend((!left.is_empty()).then(|| (id.clone(), left)));
            }
            run.state.evolve(event, now);
            run.seq += 1;
            run.updated_at = now;
            facts.push(name);
            draft.batch.entries.push(Entry {
                run: id.clone(),
                at_ms: now.0,
                by: by.word().to_owned(),
                trace: trace.clone(),
                kind: name.to_owned(),
                body,
            });
        }
        if let Some((key, parent)) = link_of(&command, &origin).filter(|_| run.key.is_none()) {
            (run.key, run.parent) = (Some(key), parent);
            let run = run.clone();
            self.admit(&id, run);
        }
        let run = &self.runs[&id];
        draft.pending.insert(id.clone());
        if let Some(parent) = &run.parent {
            draft.pending.insert(parent.clone());
            // A session shows what is asked anywhere below it.
            let top = self.top(&id);
            if self.runs.get(top).is_some_and(|run| run.state.kind() == Kind::Session) {
                draft.pending.insert(top.to_owned());
            }
        }
        if let Origin::Asker(ticket) = origin {
            let status = run.state.status();
            draft.answers.push((ticket, Ok(Accepted { run: id, seq: run.seq, facts, status })));
        }
        Ok(())
    }

    fn refuse(
        &mut self,
        saying: Saying,
        refused: Refused,
        draft: &mut Draft,
        queue: &mut VecDeque<Saying>,
    ) {
        let run = &self.runs[&saying.run];
        let status = run.state.status();
        if run.seq == 0 {
            self.forget(&saying.run);
        }
        queue.extend(self.source_changed(&saying, refused.reason));
        match saying.origin {
            Origin::Asker(ticket) => {
                let answer = RefusedAt { run: saying.run, status, refused };
                draft.broken = Some(answer.clone());
                draft.answers.push((ticket, Err(answer)));
            }
            Origin::Owner { run: owner, slot } => {
                let reason = refused.reason;
                queue.extend(self.tell_refused(&owner, &slot, &saying.command, reason));
            }
            Origin::Job(_) => {
                draft.pending.insert(saying.run);
            }
            Origin::Engine => {}
        }
    }

    fn finish(&mut self, mut draft: Draft) -> Result<Step, Halt> {
        let mut step = Step { answers: draft.answers, left: draft.left, ..Step::default() };
        step.facts = draft.batch.entries.len();
        for (id, before) in &draft.notes {
            let run = &self.runs[id];
            let status = run.state.status();
            draft.batch.notes.push(RunNote {
                run: id.clone(),
                machine: run.state.kind().name().to_owned(),
                expected_seq: before.seq,
                status: status.to_owned(),
                ended: run.state.ended(),
                parent: run.parent.clone(),
                key: run.key.clone(),
            });
            let status_changed = status != before.status;
            step.touched.push(Touched { run: id.clone(), status_changed });
        }
        if !draft.batch.entries.is_empty() {
            self.journal.append(&draft.batch)?;
            self.snapshot(draft.notes.keys())?;
        }
        for id in draft.touched {
            self.jobs(&id, &mut step.jobs);
        }
        self.start_waiting(&mut step.jobs);
        for touched in &step.touched {
            if self.runs.get(&touched.run).is_some_and(|run| run.state.ended()) {
                self.forget(&touched.run);
            }
        }
        Ok(step)
    }

    fn landed(&mut self, key: &str, run: &str, draft: &mut Draft) {
        self.flight.remove(key);
        draft.pending.insert(run.to_owned());
    }
}
