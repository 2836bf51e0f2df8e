//! The one match over everything the hands can do.

use kernel::call::{self, Command as CallCommand};
use kernel::collab;
use kernel::loops::{self, Gave, Leg, LegEnd};
use kernel::machine::By;
use kernel::run::Command;

use super::pool::{Desk, Task};
use super::{answer, gate, lifecycle, prepare, report, session, start, tool, turn, witness};
use crate::engine::{Job, Look, Origin, Ran, Saying};

/// Carries out one task and reports its end, if it has one by itself.
pub(super) fn carry_out(desk: &Desk, task: Task) {
    match task {
        Task::Mark(ticket) => start::marked(desk, &ticket),
        Task::Look(ticket) => start::looked_at(desk, &ticket),
        Task::Job(job) => run(desk, *job),
    }
}

fn run(desk: &Desk, job: Job) {
    match job {
        Job::Prepare { key, run, attempt, facts, trace } => {
            let command = prepared(desk, (&run, &trace), attempt, &facts);
            desk.land(of_call(run, key, command));
        }
        Job::Launch { start } => match tool::own(&start.facts) {
            Some(acts) => tool::act(desk, &start, acts),
            None => start::launch(desk, &start),
        },
        Job::Attach { start } => match tool::own(&start.facts) {
            Some(_) => tool::attach(desk, &start),
            None => start::attach(desk, &start),
        },
        Job::Kill { start } => match tool::own(&start.facts) {
            Some(_) => tool::kill(desk, &start),
            None => start::kill(desk, &start),
        },
        Job::Probe { start, n } => match tool::own(&start.facts) {
            Some(_) => tool::probe(desk, &start, n),
            None => start::probe(desk, &start, n),
        },
        Job::Seal { key, run, n } => {
            let end = sealed(desk);
            desk.land(of_loop(run, key, loops::Command::LegEnded { n, leg: Leg::Seal, end }));
        }
        Job::Report { key, run, n, leg, look, child, ran } => {
            let end = LegEnd::Ok(looked(desk, &run, &child, &look, &ran));
            desk.land(of_loop(run, key, loops::Command::LegEnded { n, leg, end }));
        }
        Job::Gate { key, run, plan } => {
            let command = collab::Command::GateChecked(gate::check(desk, &plan));
            let command = Command::Collab(command);
            let saying = Saying::own(&run, By::Engine, command);
            desk.land(Saying { origin: Origin::Job(key), ..saying });
        }
        Job::ReadAnswer { key, run, n, leg, spoken } => {
            let end = answer::read(desk, &leg, &spoken);
            desk.land(of_loop(run, key, loops::Command::LegEnded { n, leg, end }));
        }
        Job::RemoveViews { key, run } => {
            crate::views::remove(&desk.plan.loop_dir, &run);
            desk.land(of_loop(run, key, loops::Command::ViewsRemoved));
        }
        Job::TurnStart { key, owner, wish } => turn::start(desk, key, owner, &wish),
        Job::TurnAct { scene, act } => turn::act(desk, *scene, act),
        Job::TurnAsk { scene, ask } => turn::ask(desk, *scene, &ask),
        Job::TurnHear { scene, heard } => turn::hear(desk, *scene, &heard),
        Job::TurnRead { scene, ask, left } => turn::read(desk, *scene, ask.as_deref(), &left),
        Job::SessionAct { sitting, act } => session::act(desk, *sitting, &act),
        Job::SessionAsk { sitting, ask } => session::ask(desk, *sitting, &ask),
        Job::SessionRead { sitting, left } => session::read(desk, *sitting, &left),
        Job::SessionHear { sitting, heard } => session::hear(desk, *sitting, &heard),
        Job::LifecycleAct { scene, act } => lifecycle::act(desk, *scene, act),
        Job::LifecycleRead { scene, child } => lifecycle::read(desk, *scene, &child),
    }
}

/// A call made ready, or why it cannot be.
fn prepared(
    desk: &Desk,
    (run, trace): (&str, &str),
    attempt: u32,
    facts: &call::Facts,
) -> CallCommand {
    let prepared = match tool::own(facts) {
        Some(acts) => tool::prepare(desk, run, facts, acts),
        None => prepare::prepare(desk, (run, trace), attempt, facts),
    };
    match prepared {
        Ok(prep) => CallCommand::Prepared { attempt, epoch: desk.epoch, prep },
        Err(failure) => CallCommand::PrepareFailed { attempt, failure },
    }
}

/// What is found in what a command of a loop printed.
fn looked(desk: &Desk, run: &str, child: &str, look: &Look, ran: &Ran) -> Gave {
    match look {
        Look::Check(check) => Gave::Check(Box::new(report::read(desk, check, child, ran))),
        Look::Problem(known) => {
            Gave::Reproduced(Box::new(witness::read(desk, run, child, ran, known)))
        }
    }
}

/// The tree as it stands at a loop's end.
fn sealed(desk: &Desk) -> LegEnd {
    match desk.mark() {
        Ok(mark) => LegEnd::Ok(Gave::Digest(mark.digest.to_string())),
        Err(why) => LegEnd::Failed {
            failure: prepare::io_failure("unreadable", &why.to_string()),
            files_changed: Vec::new(),
        },
    }
}

/// A report about a call.
pub(super) fn of_call(run: String, key: String, command: call::Command) -> Saying {
    Saying { origin: Origin::Job(key), ..Saying::own(&run, By::Engine, Command::Call(command)) }
}

fn of_loop(run: String, key: String, command: loops::Command) -> Saying {
    Saying { origin: Origin::Job(key), ..Saying::own(&run, By::Engine, Command::Loop(command)) }
}
