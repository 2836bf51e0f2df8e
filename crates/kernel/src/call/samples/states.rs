//! One sample a state and sub-phase of the table, and one for every guard that hangs on the class
//! or on how much was used up.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::ending;
use super::super::request::{
    CONVERGE_RESTARTS_MAX, Class, Facts, GRACE_MS, OnUnknown, RELAUNCHES_MAX, RETRY_DELAYS_MS,
    Request, Rules,
};
use super::super::state::{
    DeniedBy, Foreign, Gate, Grant, KillWhy, Lost, Outcome, Phase, Prep, SettledBy, State,
    TakeBack, UndoLevel, UnknownGate,
};
use super::super::{slot, tool};
use crate::machine::At;
use crate::policy::Verdict;

/// When the samples were asked.
const ASKED_AT: At = At(1_000_000);
/// When the samples were started.
const STARTED_AT: At = At(1_000_100);
/// The engine life that started the samples.
const EPOCH: u64 = 7;
/// A sandbox level other than none, so that a sample can be taken back.
const SANDBOX: &str = "landlock";
/// The attempt of a read that has used up its retries.
const LAST_READ: u32 = 1 + RETRY_DELAYS_MS.len() as u32;

/// The request all samples are about, in the given class.
pub fn request(class: Class) -> Request {
    Request {
        name: "run".to_string(),
        version: "1.0.0".to_string(),
        argv: Vec::from(["cargo".to_string(), "test".to_string()]),
        agent: None,
        args: None,
        cwd: ".".to_string(),
        env_names: Vec::new(),
        collect: Vec::new(),
        class,
        deadline_ms: 120_000,
        idle_ms: Some(60_000),
        grace_ms: GRACE_MS,
        on_unknown: OnUnknown::Wait,
        given: None,
    }
}

/// How all samples are taken back.
pub fn take_back() -> TakeBack {
    TakeBack { call: "call-1".to_string(), foreign: Foreign::Refuse }
}

/// The owner of all samples.
pub fn parent() -> String {
    "loop-1".to_string()
}

/// The key of all samples.
pub fn key() -> String {
    "loop-1/leg/1".to_string()
}

fn facts(class: Class) -> Box<Facts> {
    let request = request(class);
    Box::new(Facts {
        request_hash: tool::request_hash(&request),
        request,
        key: key(),
        parent: Some(parent()),
        verdict: Verdict::Ask { rule: "run-asks".to_string() },
        rules: Rules::default(),
        shown: None,
        pin: None,
        asked_at: ASKED_AT,
    })
}

fn prep() -> Prep {
    Prep { tree_before: None, program: None, sandbox: SANDBOX.to_string(), unkept: None }
}

fn grant() -> Grant {
    Grant::Rule("granted-at-start".to_string())
}

fn allowed(class: Class, attempt: u32, gate: Gate) -> State {
    let (relaunches, active_ms, undos) = (0, 0, 0);
    let (facts, grant) = (facts(class), grant());
    State::Allowed { facts, grant, attempt, relaunches, active_ms, undos, gate }
}

fn started(class: Class, attempt: u32, relaunches: u32, phase: Phase) -> State {
    let facts = facts(class);
    State::Started {
        deadline: STARTED_AT.plus(facts.request.deadline_ms),
        facts,
        grant: grant(),
        attempt,
        relaunches,
        active_ms: 0,
        undos: 0,
        epoch: EPOCH,
        prep: prep(),
        started_at: STARTED_AT,
        phase,
    }
}

fn stopping(why: KillWhy) -> Phase {
    Phase::Stopping { why, by: "person".to_string(), since: STARTED_AT.plus(1_000) }
}

fn settled(outcome: Outcome, undo: UndoLevel) -> State {
    State::Settled {
        facts: facts(Class::Once),
        attempt: 1,
        relaunches: 0,
        outcome,
        by: SettledBy::Result,
        exit: None,
        prep: Some(prep()),
        undo,
        charge: ending::charge(1, 0, 100),
        late: false,
        undos: 0,
        at: STARTED_AT.plus(100),
    }
}

fn unknown(class: Class, phase: Phase, probes: u32, gate: UnknownGate) -> State {
    State::Unknown {
        facts: facts(class),
        grant: grant(),
        attempt: 1,
        relaunches: 0,
        active_ms: 0,
        undos: 0,
        epoch: EPOCH,
        prep: prep(),
        started_at: STARTED_AT,
        phase,
        why: Lost::Lost,
        probes,
        gate,
    }
}

/// One sample a state, sub-phase and guard of the table, labelled as there.
#[must_use]
pub fn sample_states() -> Vec<(&'static str, State)> {
    let mut list = waiting();
    list.extend(running());
    list.extend(over());
    list
}

fn waiting() -> Vec<(&'static str, State)> {
    let expires = Some(ASKED_AT.plus(Rules::default().ask_expiry_ms));
    let prompt = slot::ASK.to_string();
    let wait = Gate::Wait { until: STARTED_AT.plus(200) };
    Vec::from([
        ("New", State::New),
        ("Asked", State::Asked { facts: facts(Class::Once), prompt, expires }),
        ("Allowed Ready", allowed(Class::Once, 1, Gate::Ready)),
        ("Allowed Ready, Read", allowed(Class::Read, 1, Gate::Ready)),
        ("Allowed Ready, Read, no retries left", allowed(Class::Read, LAST_READ, Gate::Ready)),
        ("Allowed Wait, Read", allowed(Class::Read, 2, wait)),
    ])
}

fn running() -> Vec<(&'static str, State)> {
    let run = || Phase::Running;
    Vec::from([
        ("Started Running, Once", started(Class::Once, 1, 0, run())),
        ("Started Running, Guarded", started(Class::Guarded, 1, 0, run())),
        ("Started Running, Read", started(Class::Read, 1, 0, run())),
        ("Started Running, Read, no retries left", started(Class::Read, LAST_READ, 0, run())),
        ("Started Running, Converge", started(Class::Converge, 1, 0, run())),
        (
            "Started Running, Converge, no restarts left",
            started(Class::Converge, 1 + CONVERGE_RESTARTS_MAX, 0, run()),
        ),
        (
            "Started Running, Once, no relaunches left",
            started(Class::Once, 1 + RELAUNCHES_MAX, RELAUNCHES_MAX, run()),
        ),
        ("Started Stopping for a Stop", started(Class::Once, 1, 0, stopping(KillWhy::Stop))),
        ("Started Stopping for a Stop, Read", started(Class::Read, 1, 0, stopping(KillWhy::Stop))),
        ("Started Stopping for a limit", started(Class::Once, 1, 0, stopping(KillWhy::Deadline))),
        (
            "Started Stopping for a limit, Read",
            started(Class::Read, 1, 0, stopping(KillWhy::Deadline)),
        ),
    ])
}

fn over() -> Vec<(&'static str, State)> {
    let undoable = settled(Outcome::Ok, UndoLevel::BestEffort);
    let (from, undo) = (Box::new(undoable.clone()), take_back());
    let cannot = UndoLevel::None("outside_workspace".to_string());
    let wait = UnknownGate::Wait { until: STARTED_AT.plus(2_000) };
    let person = UnknownGate::AskPerson { evidence: "no exit record".to_string() };
    let (once, probe) = (Class::Once, || UnknownGate::Probe);
    let by = DeniedBy::Policy { rule: "untrusted".to_string() };
    let undone = State::Undone {
        facts: facts(once),
        level: UndoLevel::BestEffort,
        undo_key: undo.key(1),
        by: "person".to_string(),
        at: STARTED_AT,
    };
    Vec::from([
        ("Denied", State::Denied { facts: facts(once), by, at: ASKED_AT }),
        ("Settled", undoable),
        ("Settled, nothing happened", settled(Outcome::Stopped, ending::nothing())),
        ("Settled, level None", settled(Outcome::Ok, cannot)),
        ("Unknown Probe", unknown(once, Phase::Running, 0, probe())),
        ("Unknown Probe, Read", unknown(Class::Read, Phase::Running, 0, probe())),
        ("Unknown Probe, none left", unknown(once, Phase::Running, 2, probe())),
        ("Unknown Probe, Stopping", unknown(once, stopping(KillWhy::Stop), 0, probe())),
        ("Unknown Wait", unknown(once, Phase::Running, 1, wait)),
        ("Unknown AskPerson", unknown(once, Phase::Running, 3, person)),
        ("Undoing", State::Undoing { from, undo, n: 1 }),
        ("Undone", undone),
    ])
}
