//! A fake world under the real engine: processes, shims and a tree that outlive an engine's crash,
//! as the real ones do. Jobs are carried out one at a time, so a crash can be put between any two
//! steps. It checks nothing; `invariants` does.

use std::collections::{BTreeMap, BTreeSet};

use journal::{Disk, Journal, Memory};
use kernel::call::{Class, Command as CallCommand, Ended, Exit, Finding, Launch, Prep};
use kernel::collab;
use kernel::loops::{self, Gave, Leg, LegEnd};
use kernel::machine::{At, By};
use kernel::run::{Command, State};
use runtime::engine::{Accepted, Answer, Engine, Halt, Ids, Job, Link, Origin, Saying, Start};

use crate::dice::Dice;
use crate::evidence::{answered, exit, given, looked};
use crate::ground::standing;

/// What stands on the fake disk for one attempt of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Trace {
    /// A shim lives; the process ends by itself at this moment, with a record or without.
    Running { until: At, code: Option<i32> },
    /// The exit record is there.
    Exited { code: i32, ended: Ended },
    /// Shim and process were killed; no record.
    Gone,
    /// Someone looked, took the token, and nothing can start any more.
    Barred,
}

/// Ids that only a seed decides.
struct SeededIds(Dice);

impl Ids for SeededIds {
    fn new_id(&mut self, prefix: &str, now: At) -> String {
        let random = u128::from(self.0.next()) << 16 | u128::from(self.0.next() & 0xffff);
        format!("{prefix}{}", runtime::ids::sortable(now, random))
    }
}

/// How often things go wrong, as one in so many.
#[derive(Clone, Copy, Debug)]
pub struct Luck {
    /// The engine dies between two steps.
    pub engine_crash: usize,
    /// A shim and its process die.
    pub shim_crash: usize,
    /// A command fails.
    pub failure: usize,
}

/// The fake world.
pub struct World {
    /// What is durable of the journal.
    pub disk: Disk,
    /// The engine of the moment.
    pub engine: Engine<Memory>,
    /// Executions per key of a call: what the world has really seen.
    pub executed: BTreeMap<String, u32>,
    /// Engine lives so far.
    pub lives: u32,
    /// What was acknowledged to someone, in order.
    pub acknowledged: Vec<Accepted>,
    /// Keys of calls whose command fails the first time it runs.
    pub failing: BTreeSet<String>,
    /// Keys of calls whose shim and process die without a record.
    pub dying: BTreeSet<String>,
    jobs: Vec<Job>,
    traces: BTreeMap<(String, u32, u64), Trace>,
    now: At,
    dice: Dice,
    luck: Luck,
    next_ticket: u64,
}

fn wake(disk: &Disk, dice: &mut Dice) -> Result<Engine<Memory>, Halt> {
    let journal = Memory::open(disk);
    Engine::open(journal, Box::new(SeededIds(Dice::new(dice.next()))), standing())
}

impl World {
    /// An empty world.
    ///
    /// # Errors
    /// Never for an empty journal.
    pub fn new(seed: u64, luck: Luck) -> Result<Self, Halt> {
        let disk = Disk::default();
        let mut dice = Dice::new(seed);
        let engine = wake(&disk, &mut dice)?;
        Ok(Self {
            disk,
            engine,
            executed: BTreeMap::new(),
            lives: 1,
            acknowledged: Vec::new(),
            failing: BTreeSet::new(),
            dying: BTreeSet::new(),
            jobs: Vec::new(),
            traces: BTreeMap::new(),
            now: At(1_700_000_000_000),
            dice,
            luck,
            next_ticket: 1,
        })
    }

    /// The moment now.
    #[must_use]
    pub const fn now(&self) -> At {
        self.now
    }

    /// The clock is set: suspended for long, or stepped back.
    pub const fn set_clock(&mut self, now: At) {
        self.now = now;
    }

    /// The dice, for drivers that choose what people do.
    pub const fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    /// Someone says something; the answer comes from the same step.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn say(&mut self, by: By, run: &str, command: Command) -> Result<Answer, Halt> {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let saying = Saying {
            origin: Origin::Asker(ticket),
            link: Link::Alone,
            trace: "trace_sim".to_owned(),
            ..Saying::own(run, by, command)
        };
        let mut answers = self.step(vec![saying])?;
        let answer = answers.pop().expect("a step answers its asker");
        self.acknowledged.extend(answer.iter().cloned());
        Ok(answer)
    }

    fn step(&mut self, inbox: Vec<Saying>) -> Result<Vec<Answer>, Halt> {
        let step = self.engine.step(self.now, inbox)?;
        self.jobs.extend(step.jobs);
        let (_, answers): (Vec<_>, Vec<_>) = step.answers.into_iter().unzip();
        Ok(answers)
    }

    /// kill -9 of the engine: what it had in memory and in hand is gone, the world is not.
    ///
    /// # Errors
    /// When the journal can't be read again.
    pub fn crash(&mut self) -> Result<(), Halt> {
        self.jobs.clear();
        self.engine = wake(&self.disk, &mut self.dice)?;
        self.lives += 1;
        self.step(Vec::new()).map(drop)
    }

    /// One thing happens: a job is carried out, a process ends, a timer falls due, or something
    /// dies. False when nothing is left to happen.
    ///
    /// # Errors
    /// When the journal fails.
    pub fn tick(&mut self) -> Result<bool, Halt> {
        if self.dice.once_in(self.luck.engine_crash) {
            self.crash()?;
            return Ok(true);
        }
        if self.dice.once_in(self.luck.shim_crash) {
            self.kill_a_shim()?;
        }
        if !self.jobs.is_empty() {
            let index = self.dice.below(self.jobs.len());
            let job = self.jobs.swap_remove(index);
            self.carry_out(job)?;
            return Ok(true);
        }
        if self.end_a_process()? {
            return Ok(true);
        }
        match self.engine.next_due() {
            Some(due) => {
                self.now = self.now.max(due);
                self.step(Vec::new())?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn carry_out(&mut self, job: Job) -> Result<(), Halt> {
        self.now = self.now.plus(1);
        let key = job.key().to_owned();
        let (run, command) = match job {
            Job::Prepare { run, attempt, .. } => {
                let prep = Prep {
                    tree_before: Some("tree".to_owned()),
                    program: Some("/bin/true".to_owned()),
                    sandbox: "none".to_owned(),
                    unkept: None,
                };
                let epoch = self.engine.journal().epoch();
                (run, Command::Call(CallCommand::Prepared { attempt, epoch, prep }))
            }
            Job::Launch { start } => return self.launch(&start),
            Job::Attach { start } => return self.look(&start),
            Job::Kill { start } => return self.stop(&start),
            Job::Probe { start, n } => return self.probe(&start, n),
            Job::Seal { run, n, .. } => {
                let end = LegEnd::Ok(Gave::Digest("tree".to_owned()));
                (run, Command::Loop(loops::Command::LegEnded { n, leg: Leg::Seal, end }))
            }
            Job::Report { run, n, leg, look, ran, .. } => {
                let end = LegEnd::Ok(looked(&look, &ran.exit));
                (run, Command::Loop(loops::Command::LegEnded { n, leg, end }))
            }
            Job::ReadAnswer { run, n, leg, spoken, .. } => {
                let end = LegEnd::Ok(given(&leg, &spoken.tool));
                (run, Command::Loop(loops::Command::LegEnded { n, leg, end }))
            }
            Job::Gate { run, .. } => {
                let checked = collab::Checked::default();
                (run, Command::Collab(collab::Command::GateChecked(checked)))
            }
            Job::RemoveViews { run, .. } => (run, Command::Loop(loops::Command::ViewsRemoved)),
            Job::TurnStart { key, owner, .. } => {
                return self.turn_starts(key, owner.run, owner.slot);
            }
            Job::TurnAct { scene, .. } => return self.turn_acts(&scene),
            Job::TurnAsk { scene, ask } => return self.turn_asks(*scene, &ask),
            Job::TurnRead { scene, left, .. } => return self.turn_reads(&scene, &left.state),
            Job::LifecycleAct { scene, .. } => return self.lifecycle_acts(&scene),
            Job::LifecycleRead { scene, child } => return self.lifecycle_reads(&scene, &child),
            Job::TurnHear { .. } => {
                return Err(Halt::Broken("no agent of this world asks for a call".to_owned()));
            }
            Job::SessionAct { .. }
            | Job::SessionAsk { .. }
            | Job::SessionHear { .. }
            | Job::SessionRead { .. } => {
                return Err(Halt::Broken("no session lives in this world".to_owned()));
            }
        };
        self.land(&run, key, command)
    }

    /// The engine looks at what it was given between two steps.
    pub(crate) fn look_again(&mut self) -> Result<(), Halt> {
        self.step(Vec::new()).map(drop)
    }

    pub(crate) fn land(&mut self, run: &str, key: String, command: Command) -> Result<(), Halt> {
        let saying = Saying { origin: Origin::Job(key), ..Saying::own(run, By::Engine, command) };
        self.step(vec![saying]).map(drop)
    }

    fn launch(&mut self, start: &Start) -> Result<(), Halt> {
        let place = (start.run.clone(), start.attempt, start.epoch);
        if self.traces.contains_key(&place) {
            return Ok(());
        }
        // What converges may run again.
        if start.facts.request.class == Class::Once {
            *self.executed.entry(start.facts.key.clone()).or_default() += 1;
        }
        let key = &start.facts.key;
        let fails = self.failing.contains(key) || self.dice.once_in(self.luck.failure);
        let code = (!self.dying.contains(key)).then_some(i32::from(fails));
        let until = self.now.plus(self.dice.next() % 5_000);
        self.traces.insert(place, Trace::Running { until, code });
        Ok(())
    }

    /// The look at a call's directory, as the shim's own does it.
    fn look(&mut self, start: &Start) -> Result<(), Halt> {
        let place = (start.run.clone(), start.attempt, start.epoch);
        let attempt = start.attempt;
        let command = match self.traces.get(&place) {
            Some(Trace::Exited { code, ended }) => CallCommand::Exited {
                attempt,
                epoch: start.epoch,
                exit: Box::new(self.exit_of(&start.run, *code, *ended)),
            },
            Some(Trace::Running { .. }) => return Ok(()),
            Some(Trace::Gone) => CallCommand::Lost { attempt, launch: Launch::Perhaps },
            Some(Trace::Barred) => CallCommand::Lost { attempt, launch: Launch::Never },
            None => {
                self.traces.insert(place, Trace::Barred);
                CallCommand::Lost { attempt, launch: Launch::Never }
            }
        };
        self.land(&start.run, start.key.clone(), Command::Call(command))
    }

    fn stop(&mut self, start: &Start) -> Result<(), Halt> {
        let place = (start.run.clone(), start.attempt, start.epoch);
        if let Some(trace @ Trace::Running { .. }) = self.traces.get_mut(&place) {
            *trace = Trace::Exited { code: 143, ended: Ended::Stopped };
        }
        self.look(start)
    }

    fn probe(&mut self, start: &Start, n: u32) -> Result<(), Halt> {
        let place = (start.run.clone(), start.attempt, start.epoch);
        let finding = match self.traces.get(&place) {
            Some(Trace::Exited { .. }) => return self.look(start),
            Some(Trace::Running { .. }) => Finding::Running,
            Some(Trace::Gone) => Finding::Inconclusive { evidence: "killed".to_owned() },
            Some(Trace::Barred) => Finding::NeverLaunched,
            None => {
                self.traces.insert(place, Trace::Barred);
                Finding::NeverLaunched
            }
        };
        let command = CallCommand::Probed { attempt: start.attempt, n, finding };
        self.land(&start.run, start.key.clone(), Command::Call(command))
    }

    /// The next process ends by itself, and the watcher tells a living engine of it.
    fn end_a_process(&mut self) -> Result<bool, Halt> {
        let running = self.traces.iter().filter_map(|(place, trace)| match trace {
            Trace::Running { until, .. } => Some((*until, place.clone())),
            Trace::Exited { .. } | Trace::Gone | Trace::Barred => None,
        });
        let Some((until, place)) = running.min() else { return Ok(false) };
        self.now = self.now.max(until);
        let Some(Trace::Running { code, .. }) = self.traces.get(&place).cloned() else {
            return Ok(false);
        };
        let trace = code.map_or(Trace::Gone, |code| Trace::Exited { code, ended: Ended::Exit });
        self.traces.insert(place.clone(), trace);
        self.watched(&place)?;
        Ok(true)
    }

    fn kill_a_shim(&mut self) -> Result<(), Halt> {
        let running: Vec<_> = self
            .traces
            .iter()
            .filter(|(_, trace)| matches!(trace, Trace::Running { .. }))
            .map(|(place, _)| place.clone())
            .collect();
        if running.is_empty() {
            return Ok(());
        }
        let place = self.dice.one_of(&running).clone();
        self.traces.insert(place.clone(), Trace::Gone);
        self.watched(&place)
    }

    /// What the watcher tells when a shim has ended.
    fn watched(&mut self, place: &(String, u32, u64)) -> Result<(), Halt> {
        let (run, attempt, epoch) = place.clone();
        let key = format!("{run}/act/{attempt}");
        let command = match &self.traces[place] {
            Trace::Exited { code, ended } => CallCommand::Exited {
                attempt,
                epoch,
                exit: Box::new(self.exit_of(&run, *code, *ended)),
            },
            Trace::Gone => CallCommand::Lost { attempt, launch: Launch::Perhaps },
            Trace::Running { .. } | Trace::Barred => return Ok(()),
        };
        self.land(&run, key, Command::Call(command))
    }

    /// The exit record of a call that ended now, with what its agent answered if it has one.
    fn exit_of(&self, call: &str, code: i32, ended: Ended) -> Exit {
        let exit = exit(code, ended, self.now);
        let Some(State::Call(state)) = self.state(call) else { return exit };
        match state.facts().and_then(|facts| facts.request.agent.as_deref()) {
            Some(ask) => answered(call, ask, exit),
            None => exit,
        }
    }

    /// A run as the journal has it.
    #[must_use]
    pub fn state(&self, run: &str) -> Option<State> {
        let journal = self.engine.journal();
        let head = journal.head(run).ok()??;
        runtime::engine::fold(journal, &head, None).ok().map(|run| run.state)
    }
}
