//! Every command with every guard of the table, with data that suits the given state, so that each
//! accepted row is reached and each refused one is refused for its own reason.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::super::command::{BusySession, Checked, Choice, Command, Flaw, Scope};
use super::super::outcome::Outcome;
use super::super::owes::owed;
use super::super::participant::{Participant, Phase};
use super::super::plan::{Accept, Plan, Rule};
use super::super::slot::{CONFIRM, timer_command};
use super::super::state::State;
use super::made::{answered, failed, plan, session};
use super::states::{MADE_AT, STARTED_AT};
use crate::agent::{Issue, Structured};
use crate::machine::{At, By, Said};
use crate::owed::Owed;

type Sample = (&'static str, Said<Command>);

/// A launch that no sample is at.
const OTHER: u32 = 99;
/// A name that no sample plan has.
const NOBODY: &str = "nobody";

/// Commands that suit this state, labelled with their guard.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<Sample> {
    let known = Known::of(state);
    let groups = [creates, gates, starts, sessions, answers, faults, timers, people, cancels];
    groups.iter().flat_map(|group| group(state, &known)).collect()
}

/// What the state is at, or the first of everything.
struct Known {
    plan: Plan,
    p: String,
    launch: u32,
    question: String,
    hash: String,
    now: At,
}

impl Known {
    fn of(state: &State) -> Self {
        let live = |one: &&Participant| one.launch().is_some();
        let waits = |one: &&Participant| matches!(one.phase, Phase::Backoff { .. });
        let all = state.participants();
        let one = all.iter().find(live).or_else(|| all.iter().find(waits)).or_else(|| all.first());
        let launch = one.map_or(1, |one| match &one.phase {
            Phase::Backoff { next, .. } => next.n,
            Phase::Starting { launch }
            | Phase::Running { launch, .. }
            | Phase::Stopping { launch, .. } => launch.n,
            Phase::Pending | Phase::Ended { .. } => 1,
        });
        let hash = match state {
            State::Degraded { question, .. } => question.hash.clone(),
            State::New
            | State::Init { .. }
            | State::Running { .. }
            | State::Success { .. }
            | State::Failed { .. } => String::new(),
        };
        Self {
            plan: state.run().map_or_else(plan, |run| run.plan.clone()),
            p: one.map_or_else(|| "codex".to_string(), |one| one.name.clone()),
            launch,
            question: CONFIRM.to_string(),
            hash,
            now: now(state),
        }
    }
}

/// A moment after everything that the state knows of.
fn now(state: &State) -> At {
    let seen = |one: &Participant| {
        let since = match &one.phase {
            Phase::Running { since, .. } => Some(*since),
            Phase::Ended { at, .. } => Some(*at),
            Phase::Backoff { .. } | Phase::Stopping { .. } => {
                one.errors.last().map(|fault| fault.at)
            }
            Phase::Pending | Phase::Starting { .. } => None,
        };
        since.max(one.errors.last().map(|fault| fault.at)).unwrap_or(STARTED_AT)
    };
    let last = state.participants().iter().map(seen).max().unwrap_or(MADE_AT);
    last.plus(1_000)
}

fn seen(known: &Known, command: Command) -> Said<Command> {
    Said { by: By::Engine, at: known.now, command }
}

fn said(known: &Known, by: By, command: Command) -> Said<Command> {
    Said { by, at: known.now, command }
}

fn agent() -> By {
    By::Agent { call: "call-1".to_string() }
}

fn creates(state: &State, known: &Known) -> Vec<Sample> {
    let create = |plan: Plan, busy: Option<BusySession>, by: By| {
        let busy_sessions = busy.into_iter().collect();
        said(known, by, Command::Create { plan: Box::new(plan), busy_sessions })
    };
    let base = || known.plan.clone();
    let other = Plan { task: "Another question".to_string(), ..base() };
    if state.run().is_some() {
        return Vec::from([
            ("Create, same plan", create(base(), None, By::Person)),
            ("Create, other plan", create(other, None, By::Person)),
        ]);
    }
    let mut resumed = base();
    resumed.participants[0].resume = Some(session("codex"));
    let busy = BusySession { session: session("codex"), holder: "collab-2".to_string() };
    let empty = Plan { task: String::new(), ..base() };
    let both = Plan { lite: true, gate: Rule::And, ..base() };
    let preset = Plan { accept: Accept::Acceptable, ..base() };
    Vec::from([
        ("Create", create(base(), None, By::Person)),
        ("Create, plan invalid", create(empty, None, By::Person)),
        ("Create, lite with gate and", create(both, None, By::Person)),
        ("Create, resume id live elsewhere", create(resumed, Some(busy), By::Person)),
        ("Create, accepted beforehand by a person", create(preset.clone(), None, By::Person)),
        ("Create, accepted beforehand by a guest", create(preset, None, By::Guest)),
        ("Create, by an agent", create(base(), None, agent())),
    ])
}

fn gates(_: &State, known: &Known) -> Vec<Sample> {
    let flaw = |code: &str| Flaw { code: code.into(), kind: String::new(), detail: String::new() };
    let told = |found: Checked| seen(known, Command::GateChecked(found));
    let names = || known.plan.participants.iter().map(|one| one.name.clone());
    let some = |count: usize| Checked {
        participants: names().take(count).map(|name| (name, flaw("E001"))).collect(),
        ..Checked::default()
    };
    let stranger =
        Checked { participants: [(NOBODY.to_string(), flaw("E001"))].into(), ..Checked::default() };
    let workdir = Checked { workdir: Some(flaw("E008")), ..Checked::default() };
    let network = Checked { network: Some(flaw("E010")), ..Checked::default() };
    Vec::from([
        ("GateChecked, all good", told(Checked::default())),
        ("GateChecked, workdir bad", told(workdir)),
        ("GateChecked, network bad", told(network)),
        ("GateChecked, one program missing", told(some(1))),
        ("GateChecked, no participant ok", told(some(usize::MAX))),
        ("GateChecked, unknown participant", told(stranger)),
    ])
}

fn starts(_: &State, known: &Known) -> Vec<Sample> {
    let start = |p: &str, launch: u32| {
        let (p, call, at) = (p.to_string(), alloc::format!("call-{p}-{launch}"), known.now);
        seen(known, Command::CallStarted { p, launch, call, at })
    };
    Vec::from([
        ("CallStarted", start(&known.p, known.launch)),
        ("CallStarted, other launch", start(&known.p, OTHER)),
        ("CallStarted, unknown participant", start(NOBODY, 1)),
    ])
}

fn sessions(_: &State, known: &Known) -> Vec<Sample> {
    let sees = |launch: u32, id: String| {
        seen(known, Command::SessionSeen { p: known.p.clone(), launch, id })
    };
    let others = known.plan.participants.iter().find(|one| one.name != known.p);
    let foreign = others.map_or_else(String::new, |one| session(&one.name));
    Vec::from([
        ("SessionSeen, valid", sees(known.launch, session(&known.p))),
        ("SessionSeen, no id of this agent", sees(known.launch, "nonsense".to_string())),
        ("SessionSeen, maybe another's", sees(known.launch, foreign)),
        ("SessionSeen, other launch", sees(OTHER, session(&known.p))),
    ])
}

fn ends(known: &Known, launch: u32, outcome: Outcome) -> Said<Command> {
    seen(known, Command::CallEnded { p: known.p.clone(), launch, outcome })
}

fn answers(_: &State, known: &Known) -> Vec<Sample> {
    let (p, own) = (&known.p, || Some(session(&known.p)));
    let end = |outcome| ends(known, known.launch, outcome);
    let issue = Issue { pointer: "/x".into(), expected: "a number".into(), found: "text".into() };
    let issues = Vec::from([issue]);
    let broken = Structured::Invalid { kind: "schema".to_string(), issues };
    Vec::from([
        ("CallEnded, answered", end(answered(p, own(), Structured::NotAsked))),
        ("CallEnded, answered without an id", end(answered(p, None, Structured::NotAsked))),
        ("CallEnded, answered in a wrong form", end(answered(p, own(), broken))),
        ("CallEnded, other launch", ends(known, OTHER, Outcome::NotApplied)),
    ])
}

fn faults(_: &State, known: &Known) -> Vec<Sample> {
    let p = &known.p;
    let end = |outcome| ends(known, known.launch, outcome);
    let spawn = Outcome::SpawnFailed { detail: "EAGAIN".to_string() };
    let policy = Outcome::Denied { by: "policy".to_string() };
    let later = Some(10_000_000);
    Vec::from([
        ("CallEnded, network", end(failed(p, "E010", "", None))),
        ("CallEnded, server error", end(failed(p, "E009", "server", None))),
        ("CallEnded, rate limit that fits", end(failed(p, "E009", "quota", Some(5_000)))),
        ("CallEnded, rate limit too long", end(failed(p, "E009", "quota", later))),
        ("CallEnded, not authorised", end(failed(p, "E009", "auth", None))),
        ("CallEnded, resume id unknown", end(failed(p, "E002", "resume_unknown", None))),
        ("CallEnded, limit of the call", end(Outcome::TimedOut { report: None })),
        ("CallEnded, stopped", end(Outcome::Stopped { report: None })),
        ("CallEnded, spawn failed", end(spawn)),
        ("CallEnded, never launched", end(Outcome::NotApplied)),
        ("CallEnded, denied", end(policy)),
        ("CallEnded, refused", end(Outcome::Refused { reason: "unknown_tool".to_string() })),
        ("CallEnded, lost without effect", end(Outcome::Lost)),
        ("CallEnded, outcome unknown", end(Outcome::Unknown { survivors: Vec::new() })),
    ])
}

/// Each timer as it falls due, if the state owes it; else for the launch the state is at.
fn timers(state: &State, known: &Known) -> Vec<Sample> {
    let owed = owed(state);
    let due = |name: &str, otherwise: Command| {
        let fires = owed.iter().find_map(|owed| match owed {
            Owed::Timer { slot, due } => {
                let command = timer_command(slot).filter(|command| command.name() == name)?;
                Some(Said { by: By::Timer, at: *due, command })
            }
            Owed::Child { .. } | Owed::Question { .. } | Owed::Effect { .. } => None,
        });
        fires.unwrap_or(Said { by: By::Timer, at: known.now, command: otherwise })
    };
    let (p, launch) = (|| known.p.clone(), known.launch);
    let early = |said: Said<Command>| Said { at: MADE_AT, ..said };
    let attempt = due("AttemptDue", Command::AttemptDue { p: p(), launch });
    Vec::from([
        ("AttemptDue", attempt.clone()),
        ("AttemptDue, not yet", early(attempt)),
        ("BackoffDue", due("BackoffDue", Command::BackoffDue { p: p(), launch })),
        ("StopDue", due("StopDue", Command::StopDue { p: p(), launch })),
        ("TotalDue", due("TotalDue", Command::TotalDue)),
        ("TotalDue, not yet", early(due("TotalDue", Command::TotalDue))),
        ("QuestionDue", due("QuestionDue", Command::QuestionDue { id: known.question.clone() })),
    ])
}

fn people(_: &State, known: &Known) -> Vec<Sample> {
    let answer = |by: By, choice, note: Option<&str>| {
        let (question, hash) = (known.question.clone(), known.hash.clone());
        let note = note.map(ToString::to_string);
        said(known, by, Command::Answer { question, hash, choice, note })
    };
    let other = |question: &str, hash: &str| {
        let (question, hash) = (question.to_string(), hash.to_string());
        let command = Command::Answer { question, hash, choice: Choice::Wait, note: None };
        said(known, By::Person, command)
    };
    Vec::from([
        ("Answer, by an agent", answer(agent(), Choice::Accept, None)),
        ("Answer, other hash", other(&known.question, "other")),
        ("Answer, other question", other("other", &known.hash)),
        ("Answer accept", answer(By::Person, Choice::Accept, None)),
        ("Answer override", answer(By::Person, Choice::Override, Some("the core is there"))),
        ("Answer override, no note", answer(By::Person, Choice::Override, Some("  "))),
        ("Answer wait", answer(By::Person, Choice::Wait, None)),
        ("Answer cancel", answer(By::Person, Choice::Cancel, Some("not good enough"))),
    ])
}

fn cancels(state: &State, known: &Known) -> Vec<Sample> {
    let cancel = |by: By, scope| said(known, by, Command::Cancel { scope });
    let one = |p: &str| cancel(By::Person, Scope::One(p.to_string()));
    let ended = state.participants().iter().find(|one| one.ended_at().is_some());
    let ended = ended.map_or("gemini", |one| one.name.as_str());
    let extend = |ms| said(known, By::Person, Command::Extend { ms });
    Vec::from([
        ("Cancel", cancel(By::Person, Scope::All)),
        ("Cancel, by an agent", cancel(agent(), Scope::All)),
        ("Cancel one", one(&known.p)),
        ("Cancel one, perhaps ended", one(ended)),
        ("Cancel one, unknown", one(NOBODY)),
        ("Extend", extend(60_000)),
        ("Extend beyond the limit", extend(10_000_000)),
        ("Extend by nothing", extend(0)),
    ])
}
