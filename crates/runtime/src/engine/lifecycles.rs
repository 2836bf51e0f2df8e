//! Lifecycles in the engine: what they ask of the hands, which of their children have ended, and
//! what no door may say of them. What a lifecycle does about it is the machine's; what a child left
//! is read elsewhere.

use journal::Journal;
use kernel::call::{self, UnknownGate};
use kernel::lifecycle::{
    Act, CheckEnd, Command as LcCommand, Failure, Help, Intervention, Life, Phase, PlanFault,
    RolledEnd, Saved, Spent, Status, TurnEnd, TurnFault, TurnOutcome, Why,
};
use kernel::machine::By;
use kernel::owed::Owed;
use kernel::run::{Command, State};
use kernel::turn::Fault;
use kernel::{lifecycle, turn};

use super::book::Halt;
use super::job::{Child, Job, LifeScene};
use super::saying::Saying;
use super::step::Engine;
use crate::lifecycles::spent_by;

impl<J: Journal> Engine<J> {
    /// An act that is no run of its own. The record is written once nothing happens any more.
    pub(super) fn lifecycle_act(&self, id: &str, slot: &str, key: String, act: Act) -> Option<Job> {
        if act == Act::Archive && self.still_at_work(id, &[]) {
            return None;
        }
        let scene = self.life_scene(id, slot, key)?;
        Some(Job::LifecycleAct { scene, act })
    }

    fn life_scene(&self, id: &str, slot: &str, key: String) -> Option<Box<LifeScene>> {
        let run = self.runs.get(id)?;
        let State::Lifecycle(state) = &run.state else { return None };
        let life = state.life()?.clone();
        let calls = match &life.phase {
            Phase::Blocked(now) if now.rolling.is_some() => self.all_calls_below(id),
            Phase::Idle(_)
            | Phase::Planning(_)
            | Phase::Confirming(_)
            | Phase::Executing(_)
            | Phase::AutoFix(_)
            | Phase::Blocked(_)
            | Phase::Archiving(_) => Vec::new(),
        };
        let (run, slot) = (id.to_owned(), slot.to_owned());
        Some(Box::new(LifeScene { key, run, slot, life, calls }))
    }

    /// Every call of a run and of its turns, the oldest first.
    fn all_calls_below(&self, id: &str) -> Vec<String> {
        let heads = self.journal.heads().unwrap_or_default();
        let mut found: Vec<(u64, u64, String)> = Vec::new();
        let mut owners = vec![id.to_owned()];
        while let Some(owner) = owners.pop() {
            for head in heads.iter().filter(|head| head.parent.as_deref() == Some(&owner)) {
                if head.machine == "call" {
                    found.push((head.created_ms, head.pos, head.run.clone()));
                } else {
                    owners.push(head.run.clone());
                }
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, _, run)| run).collect()
    }

    /// Whether a child other than these still works: two would work in one tree. One of which
    /// nobody can tell has no process any more.
    pub(super) fn still_at_work(&self, id: &str, but: &[String]) -> bool {
        self.children.get(id).into_iter().flatten().any(|child| {
            let Some(run) = self.runs.get(child) else { return false };
            let kept = run.key.as_ref().is_some_and(|key| but.contains(key));
            let unknown = matches!(
                &run.state,
                State::Call(call::State::Unknown { gate: UnknownGate::AskPerson { .. }, .. })
            );
            !kept && !unknown && !run.state.ended()
        })
    }

    /// Whether a lifecycle has to wait with a new child until another one has ended.
    pub(super) fn must_wait(&self, id: &str, key: &str) -> bool {
        let lifecycle =
            matches!(self.runs.get(id).map(|run| &run.state), Some(State::Lifecycle(_)));
        lifecycle && self.still_at_work(id, &[key.to_owned()])
    }

    /// Children that have ended and that their lifecycle has not heard of: what they left is read
    /// first.
    pub(super) fn lifecycle_reports(&mut self, id: &str, jobs: &mut Vec<Job>) {
        let Some(State::Lifecycle(state)) = self.runs.get(id).map(|run| &run.state) else { return };
        let slots = lifecycle::owed(state).into_iter().filter_map(|owed| match owed {
            Owed::Child { slot, .. } => Some(slot),
            Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        });
        for slot in slots.collect::<Vec<_>>() {
            let key = format!("{id}/{slot}");
            let job = format!("{key}/report");
            if self.flight.contains(&job) {
                continue;
            }
            let Ok(Some((child, state))) = self.child(&key) else { continue };
            if !heard_of(&state) {
                continue;
            }
            let calls = self.calls_of(&child);
            let Some(scene) = self.life_scene(id, &slot, job.clone()) else { continue };
            self.flight.insert(job);
            let child = Box::new(Child { run: child, state, calls });
            jobs.push(Job::LifecycleRead { scene, child });
        }
    }

    /// What a lifecycle that is being left still waits for: the ends of what it stopped.
    pub(super) fn settled(&mut self, id: &str) -> Result<Vec<Saying>, Halt> {
        let keys = match self.runs.get(id).map(|run| &run.state) {
            Some(State::Lifecycle(state)) => state.settling().to_vec(),
            Some(_) | None => return Ok(Vec::new()),
        };
        let mut sayings = Vec::new();
        for slot in keys {
            let key = format!("{id}/{slot}");
            let job = format!("{key}/ask");
            let told = match self.child(&key)? {
                None if self.flight.contains(&job) => None,
                None => {
                    self.made.remove(&key);
                    Some(Remains::default())
                }
                // What nobody can tell of a turn's own calls belongs into the record too.
                Some((child, state)) => remains(&child, &state).map(|left| Remains {
                    unknown: left.unknown.or_else(|| self.unsettled(&child)),
                    ..left
                }),
            };
            let Some(Remains { unknown, files_changed, spent }) = told else { continue };
            let command = LcCommand::Settled { key: slot, unknown, files_changed, spent };
            sayings.push(of_lifecycle(id, command));
        }
        Ok(sayings)
    }

    /// Fills in what no door may say of a lifecycle.
    pub(super) fn fill_lifecycle(&self, saying: &mut Saying) {
        let Command::Lifecycle(command) = &mut saying.command else { return };
        let run = saying.run.clone();
        if let LcCommand::UserInputRequirement { begin, busy_with } = command {
            run.clone_into(&mut begin.id);
            begin.backing = if let By::Parent { run } = &saying.by {
                self.backing(run)
            } else {
                kernel::policy::Backing::by(&saying.by)
            };
            // A child is not linked yet: what its parent holds is held for it.
            let own = if let By::Parent { run } = &saying.by { run } else { &run };
            *busy_with = self.active_beside(&run).or_else(|| self.holder_beside(own));
        } else if let LcCommand::UserConfirm(confirm) = command {
            if let Some(Phase::Confirming(now)) = self.phase_of(&run) {
                confirm.programs = self.programs(now.plan.all_checks());
                confirm.source_digest =
                    now.plan.path.as_deref().and_then(|path| self.source_digest(path));
            }
        } else if let LcCommand::PlanReady { plan, programs, .. } = command {
            *programs = self.programs(plan.all_checks());
        } else if let LcCommand::HumanIntervention(given) = command {
            given.unsettled = self.unsettled(&run);
        } else if let LcCommand::Rollback(wish) = command {
            // Whether one that is named is there, the door has seen; which is the last, it cannot.
            wish.intact &= wish.to.is_some() || self.has_last(&run);
            wish.busy_with = self.still_at_work(&run, &[]).then(|| run.clone());
        } else if let LcCommand::Amend(given) = command {
            self.fill_amend(&run, given);
        } else if let LcCommand::UpdateProgress { task, status: Status::Done, .. } = command
            && saying.by.may_approve()
            && self.settled_by_person(&run, task)
        {
            let help = Help::Fixed;
            let (add_budget, accept_definition, unsettled) = (None, None, None);
            let given = Intervention { help, add_budget, accept_definition, unsettled };
            *command = LcCommand::HumanIntervention(Box::new(given));
        }
    }

    /// Whether a task stood still because nobody could tell of a call, and somebody has told since:
    /// only the engine knows that.
    fn settled_by_person(&self, run: &str, task: &str) -> bool {
        let Some(Phase::Blocked(now)) = self.phase_of(run) else { return false };
        let stood = now.why == Why::OutcomeUnknown && now.rolling.is_none();
        stood && now.task.as_deref() == Some(task) && self.unsettled(run).is_none()
    }

    fn phase_of(&self, run: &str) -> Option<&Phase> {
        match self.runs.get(run).map(|run| &run.state) {
            Some(State::Lifecycle(state)) => state.life().map(|life| &life.phase),
            Some(_) | None => None,
        }
    }

    /// Another lifecycle that has not ended.
    fn active_beside(&self, id: &str) -> Option<String> {
        let active = self.runs.iter().find(|(other, run)| match &run.state {
            State::Lifecycle(state) => *other != id && state.life().is_some() && !state.ended(),
            State::Call(_)
            | State::Loop(_)
            | State::Collab(_)
            | State::Grant(_)
            | State::Session(_)
            | State::Turn(_) => false,
        });
        active.map(|(other, _)| other.clone())
    }

    /// The commands of these checks, each with the program that it starts now.
    fn programs<'a>(
        &self,
        checks: impl Iterator<Item = &'a lifecycle::Check>,
    ) -> Vec<kernel::policy::Granted> {
        let judge = &self.standing.judge;
        let mut all: Vec<kernel::policy::Granted> = checks
            .map(|check| kernel::policy::Granted {
                pin: judge.pin(&check.argv, &check.cwd),
                ..kernel::policy::Granted::new(&check.argv, &check.cwd)
            })
            .collect();
        all.sort();
        all.dedup();
        all
    }

    fn source_digest(&self, path: &str) -> Option<String> {
        let root = self.standing.judge.standing();
        crate::lifecycles::digest_of(std::path::Path::new(&root.root), path)
    }

    /// A call of the run of which nobody can tell yet.
    fn unsettled(&self, id: &str) -> Option<String> {
        self.children.get(id).into_iter().flatten().find_map(|child| {
            match self.runs.get(child).map(|run| &run.state) {
                Some(State::Call(call::State::Unknown { .. })) => Some(child.clone()),
                Some(_) | None => None,
            }
        })
    }

    /// Whether a checkpoint was made for a task of this run.
    fn has_last(&self, id: &str) -> bool {
        let work = self.phase_of(id).and_then(Phase::work);
        work.is_some_and(|work| work.last_checkpoint.is_some())
    }

    fn fill_amend(&self, run: &str, given: &mut lifecycle::Amendment) {
        let plan = match self.phase_of(run) {
            Some(Phase::Confirming(now)) => Some(&now.plan),
            Some(phase) => phase.work().map(|work| &work.plan),
            None => None,
        };
        let root = self.standing.judge.standing();
        let root = std::path::Path::new(&root.root);
        let specs = given.patch.add.iter_mut().chain(&mut given.patch.update);
        specs.for_each(|spec| {
            crate::lifecycles::timed(self.standing.verify_ms, spec);
            crate::lifecycles::own_checks(root, spec);
        });
        let specs = given.patch.add.iter().chain(&given.patch.update);
        let own = specs.flat_map(|spec| match &spec.verify {
            lifecycle::Verify::Inherit => &[][..],
            lifecycle::Verify::Checks(checks) => checks.as_slice(),
        });
        let known = plan.into_iter().flat_map(lifecycle::Plan::all_checks);
        let all: Vec<lifecycle::Check> = known.chain(own).cloned().collect();
        given.programs = self.programs(all.iter());
        given.findings = crate::lifecycles::findings(&self.standing.judge, all.iter());
    }

    /// What follows when a yes came to a document that has changed: it is read again.
    pub(super) fn source_changed(&self, saying: &Saying, reason: &str) -> Option<Saying> {
        let Command::Lifecycle(LcCommand::UserConfirm(confirm)) = &saying.command else {
            return None;
        };
        let Some(Phase::Confirming(now)) = self.phase_of(&saying.run) else { return None };
        let digest = confirm.source_digest.clone()?;
        let changed = now.plan.source_digest.as_ref() != Some(&digest);
        (reason == "plan_changed" && changed)
            .then(|| of_lifecycle(&saying.run, LcCommand::SourceChanged { digest }))
    }
}

/// Whether a lifecycle has something to hear of a child.
fn heard_of(state: &State) -> bool {
    match state {
        State::Call(call::State::Unknown { gate: UnknownGate::AskPerson { .. }, .. }) => true,
        State::Call(state) => state.ended(),
        State::Turn(state) => state.ended(),
        State::Loop(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Lifecycle(_)
        | State::Session(_) => false,
    }
}

/// What is left of a child that was stopped.
#[derive(Default)]
struct Remains {
    unknown: Option<String>,
    files_changed: Vec<String>,
    spent: Spent,
}

/// How a child that was stopped has ended; none while it has not.
fn remains(child: &str, state: &State) -> Option<Remains> {
    match state {
        State::Call(call::State::Unknown { gate: UnknownGate::AskPerson { .. }, .. }) => {
            Some(Remains { unknown: Some(child.to_owned()), ..Remains::default() })
        }
        State::Turn(state) => turn::report(state).map(|report| {
            let spent = Spent { turns: 1, ..spent_by(state, report.spent) };
            Remains { files_changed: report.files_changed, spent, ..Remains::default() }
        }),
        State::Call(_)
        | State::Loop(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Lifecycle(_)
        | State::Session(_) => state.ended().then(Remains::default),
    }
}

/// The end of a child that could not be made or asked for.
pub(super) fn unmade(owner: &str, life: &Life, slot: &str, fault: &Fault) -> Saying {
    let key = slot.to_owned();
    let failure = failure_of(fault);
    let detail = failure.summary.clone();
    let command = match slot.split('/').next().unwrap_or_default() {
        "plan" => {
            let fault = PlanFault { failure, reset_at: fault.reset_at, correctable: false };
            LcCommand::PlanFailed { key, fault: Box::new(fault), spent: Spent::default() }
        }
        "save" => LcCommand::Saved { key, end: Saved::Failed { detail } },
        "check" => LcCommand::Checked { key, end: CheckEnd::Unavailable { detail } },
        "rollback" => LcCommand::RolledBack { key, end: RolledEnd::Stopped { report: detail } },
        _ => {
            let agent = life.body.begin.options.agents.first().cloned();
            let fault = TurnFault { failure, reset_at: fault.reset_at, agent };
            let end = TurnEnd {
                turn: String::new(),
                outcome: TurnOutcome::Blocked(Box::new(fault)),
                files_changed: Vec::new(),
                evidence: Vec::new(),
                spent: Spent::default(),
                claim: None,
            };
            LcCommand::TurnEnded { key, end: Box::new(end) }
        }
    };
    of_lifecycle(owner, command)
}

/// A fault as a lifecycle has failures.
fn failure_of(fault: &Fault) -> Failure {
    Failure {
        code: fault.code.clone(),
        kind: fault.kind.clone(),
        summary: format!("{} {}", fault.code, fault.kind),
        signature: fault.signature.clone(),
        repeat: false,
        check: None,
        errors: fault.errors.clone(),
        digest: None,
    }
}

fn of_lifecycle(run: &str, command: LcCommand) -> Saying {
    Saying::own(run, By::Engine, Command::Lifecycle(command))
}
