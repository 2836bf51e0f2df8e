//! Every command with every guard of the table, with data that suits the given state, so that each
//! accepted row is reached and each refused one is refused for its own reason.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::command::{
    Answered, Ask, Budget, Command, Finding, Launch, ParentNow, SettleAs, StopWhy, UndoResult,
};
use super::super::request::{Class, Request, Rules};
use super::super::state::{Ended, Exit, Failure, Gate, Prep, State, UnknownGate};
use super::super::{ending, slot, tool};
use super::states;
use crate::machine::{At, By, Said};
use crate::policy::Verdict;
use crate::policy::grant::Scope;

/// When the samples are said.
const NOW: At = At(1_005_000);
/// An attempt, engine life, look or undo that no sample has on record.
const OTHER: u32 = 99;

type Sample = (&'static str, Said<Command>);

type Group = fn(&State, &Known) -> Vec<Sample>;

/// The samples by what they are about; each command is in exactly one group.
const GROUPS: [Group; 9] =
    [asks, answers, preparations, exits, losses, probes, settlements, timeouts, undos];

/// Commands that suit this state, labelled with their guard.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<Sample> {
    let known = Known::of(state);
    GROUPS.iter().flat_map(|group| group(state, &known)).collect()
}

/// The samples of one group, picked by any number: cheap enough for long random lives.
#[cfg(test)]
pub fn sample_group(state: &State, pick: usize) -> Vec<Sample> {
    GROUPS[pick % GROUPS.len()](state, &Known::of(state))
}

/// What the state has on record, or the first of everything.
struct Known {
    request: Request,
    attempt: u32,
    epoch: u64,
    look: u32,
    undo: u32,
}

impl Known {
    fn of(state: &State) -> Self {
        let look = match state {
            State::Unknown { probes, gate, .. } => match gate {
                UnknownGate::Probe | UnknownGate::Wait { .. } => probes.saturating_add(1),
                UnknownGate::AskPerson { .. } => *probes,
            },
            State::New
            | State::Asked { .. }
            | State::Denied { .. }
            | State::Allowed { gate: Gate::Ready | Gate::Wait { .. }, .. }
            | State::Started { .. }
            | State::Settled { .. }
            | State::Undoing { .. }
            | State::Undone { .. } => 1,
        };
        Self {
            request: state
                .facts()
                .map_or_else(|| states::request(Class::Once), |facts| facts.request.clone()),
            attempt: state.attempt().unwrap_or(1),
            epoch: state.epoch().unwrap_or(1),
            look,
            undo: 1,
        }
    }
}

fn said(by: By, command: Command) -> Said<Command> {
    Said { by, at: NOW, command }
}

fn seen(command: Command) -> Said<Command> {
    said(By::Engine, command)
}

fn agent() -> By {
    By::Agent { call: "call-1".to_string() }
}

fn ask(request: Request, verdict: Verdict, budget: Budget, parent_now: ParentNow) -> Said<Command> {
    seen(Command::Ask(Box::new(Ask {
        key: states::key(),
        request,
        parent: Some(states::parent()),
        parent_now,
        verdict,
        shown: None,
        pin: None,
        budget,
        rules: Rules::default(),
    })))
}

fn asks(state: &State, known: &Known) -> Vec<Sample> {
    let rule = || String::from("a-rule");
    let allow = || Verdict::Allow { rule: rule() };
    let plain = |request: Request, verdict| ask(request, verdict, Budget::Left, ParentNow::Active);
    let same = || known.request.clone();
    if state.facts().is_some() {
        let other = Request { cwd: "sub".to_string(), ..same() };
        return Vec::from([
            ("Ask, same request", plain(same(), allow())),
            ("Ask, other request", plain(other, allow())),
        ]);
    }
    let empty = Request { argv: Vec::new(), ..same() };
    let unknown = Request { name: "fly".to_string(), ..same() };
    let spent = Budget::Spent("calls".to_string());
    Vec::from([
        ("Ask, args fail the schema", plain(empty, allow())),
        ("Ask, unknown tool", plain(unknown, allow())),
        ("Ask, budget spent", ask(same(), allow(), spent, ParentNow::Active)),
        ("Ask, parent not active", ask(same(), allow(), Budget::Left, ParentNow::Over)),
        ("Ask, verdict Allow", plain(same(), allow())),
        ("Ask, verdict Ask", plain(same(), Verdict::Ask { rule: rule() })),
        ("Ask, verdict Deny", plain(same(), Verdict::Deny { rule: rule() })),
    ])
}

fn answers(_: &State, known: &Known) -> Vec<Sample> {
    let hash = tool::request_hash(&known.request);
    let allow = |by: By, prompt: &str, hash: &str| {
        let (prompt, hash) = (prompt.to_string(), hash.to_string());
        let answered = Answered { prompt, hash, scope: Scope::Once, note: None };
        said(by, Command::Allow(answered))
    };
    let (owner, stranger) =
        (By::Parent { run: states::parent() }, By::Parent { run: "loop-9".to_string() });
    Vec::from([
        ("Allow, wrong prompt", allow(By::Person, "other", &hash)),
        ("Allow, wrong hash", allow(By::Person, slot::ASK, "other")),
        ("Allow, by an agent", allow(agent(), slot::ASK, &hash)),
        ("Allow, by another parent", allow(stranger, slot::ASK, &hash)),
        ("Allow, a parent's grant", allow(owner, slot::ASK, &hash)),
        ("Allow, fits", allow(By::Person, slot::ASK, &hash)),
        ("Deny", said(By::Person, Command::Deny { note: "no".to_string() })),
        ("Stop", said(By::Person, Command::Stop(StopWhy::Asked))),
    ])
}

fn preparations(_: &State, known: &Known) -> Vec<Sample> {
    let epoch = known.epoch;
    let prep = Prep { tree_before: None, program: None, sandbox: "none".to_string(), unkept: None };
    let failed = |attempt, failure: Failure| seen(Command::PrepareFailed { attempt, failure });
    let (busy, absent) =
        (ending::failure("E_IO", "busy", ""), ending::failure("E_IO", "not_found", "cargo"));
    let ready = |attempt| seen(Command::Prepared { attempt, epoch, prep: prep.clone() });
    Vec::from([
        ("Prepared", ready(known.attempt)),
        ("Prepared, other attempt", ready(OTHER)),
        ("PrepareFailed, retryable", failed(known.attempt, busy)),
        ("PrepareFailed, not retryable", failed(known.attempt, absent.clone())),
        ("PrepareFailed, other attempt", failed(OTHER, absent)),
    ])
}

fn exit(ended: Ended, exit_code: Option<i32>, signal: Option<i32>) -> Exit {
    Exit {
        ended,
        exit_code,
        signal,
        started_at: At(1_000_100),
        ended_at: At(1_004_100),
        stdout_bytes: 812,
        stderr_bytes: 0,
        dropped_bytes: 0,
        sandbox: "landlock".to_string(),
        held: Box::default(),
        survivors: Vec::new(),
        tree_after: None,
        files_changed: Vec::new(),
        changes: None,
        agent: None,
        done: None,
    }
}

fn exits(_: &State, known: &Known) -> Vec<Sample> {
    let (attempt, epoch) = (known.attempt, known.epoch);
    let exited = |exit: Exit| seen(Command::Exited { attempt, epoch, exit: Box::new(exit) });
    let ok = || exit(Ended::Exit, Some(0), None);
    let stopped = || exit(Ended::Stopped, None, Some(15));
    let survivors = Vec::from(["4711 sleep".to_string()]);
    let foreign = |attempt, epoch| seen(Command::Exited { attempt, epoch, exit: Box::new(ok()) });
    Vec::from([
        ("Exited ok", exited(ok())),
        ("Exited ok, sandbox absent", exited(Exit { sandbox: "none".to_string(), ..ok() })),
        ("Exited failed", exited(exit(Ended::Exit, Some(1), None))),
        ("Exited failed, retryable", exited(exit(Ended::Signal, None, Some(9)))),
        ("Exited failed, never spawned", exited(exit(Ended::SpawnFailed, None, None))),
        ("Exited deadline", exited(exit(Ended::Deadline, None, Some(15)))),
        ("Exited idle", exited(exit(Ended::Idle, None, Some(15)))),
        ("Exited stopped", exited(stopped())),
        ("Exited stopped, survivors", exited(Exit { survivors, ..stopped() })),
        ("Exited, other attempt", foreign(OTHER, epoch)),
        ("Exited, other epoch", foreign(attempt, u64::from(OTHER))),
    ])
}

fn losses(_: &State, known: &Known) -> Vec<Sample> {
    let lost = |attempt, launch| seen(Command::Lost { attempt, launch });
    Vec::from([
        ("Lost, never launched", lost(known.attempt, Launch::Never)),
        ("Lost", lost(known.attempt, Launch::Perhaps)),
        ("Lost, other attempt", lost(OTHER, Launch::Perhaps)),
    ])
}

fn probes(_: &State, known: &Known) -> Vec<Sample> {
    let attempt = known.attempt;
    let probed = |n, finding| seen(Command::Probed { attempt, n, finding });
    let vague = Finding::Inconclusive { evidence: "lock free, no exit record".to_string() };
    Vec::from([
        ("Probed NeverLaunched", probed(known.look, Finding::NeverLaunched)),
        ("Probed Happened", probed(known.look, Finding::Happened)),
        ("Probed DidNotHappen", probed(known.look, Finding::DidNotHappen)),
        ("Probed Running", probed(known.look, Finding::Running)),
        ("Probed Inconclusive", probed(known.look, vague)),
        ("Probed, other look", probed(OTHER, Finding::Happened)),
    ])
}

fn settlements(_: &State, _: &Known) -> Vec<Sample> {
    let settle = |by, how| {
        let (note, undo) = ("looked".to_string(), states::take_back());
        said(by, Command::Settle { how, note, undo })
    };
    Vec::from([
        ("Settle, not by a person", settle(agent(), SettleAs::Happened)),
        ("Settle happened", settle(By::Person, SettleAs::Happened)),
        ("Settle did_not_happen", settle(By::Person, SettleAs::DidNotHappen)),
        ("Settle undo", settle(By::Person, SettleAs::Undo)),
    ])
}

fn timeouts(_: &State, known: &Known) -> Vec<Sample> {
    let fell = |slot: String| said(By::Timer, Command::Timeout { slot });
    Vec::from([
        ("Timeout expiry", fell(slot::ASK_EXPIRY.to_string())),
        ("Timeout retry", fell(slot::retry(known.attempt))),
        ("Timeout deadline", fell(slot::deadline(known.attempt))),
        ("Timeout idle", fell(slot::idle(known.attempt))),
        ("Timeout grace", fell(slot::grace(known.attempt))),
        ("Timeout probe-at", fell(slot::probe_at(known.look))),
        ("Timeout, other key", fell(slot::deadline(OTHER))),
    ])
}

fn undos(_: &State, known: &Known) -> Vec<Sample> {
    let ended = |n, result| seen(Command::UndoEnded { n, result });
    Vec::from([
        ("Undo", said(By::Person, Command::Undo(states::take_back()))),
        ("UndoEnded ok", ended(known.undo, UndoResult::Ok)),
        ("UndoEnded failed", ended(known.undo, UndoResult::Failed)),
        ("UndoEnded, other undo", ended(OTHER, UndoResult::Ok)),
    ])
}
