//! Every command with every guard, with data that suits the state.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::check::{Check, Digest, Verdict};
use super::super::command::{
    Amendment, CheckEnd, Command, Confirm, Dependants, Drawn, Help, Intervention, PauseHow,
    PlanFault, RollbackWish, RolledEnd, Saved, TurnEnd, TurnFault, TurnOutcome, Word,
};
use super::super::names::DERIVED;
use super::super::phase::{Doing, Phase, Rolling};
use super::super::plan::{Patch, Source};
use super::super::setup::{Budget, Spent};
use super::super::state::{NoteKind, Scope, State, Work};
use super::super::task::Status;
use super::made;
use crate::machine::{At, By, Said};
use crate::rollback::Conflicts;
use crate::table::Sample;

/// Long after everything.
const LATER: At = At(1_000_000_000);

/// Later than whatever was to come after that.
const LATEST: At = At(2_000_000_000);

fn said(by: By, command: Command) -> Said<Command> {
    Said { by, at: LATER, command }
}

/// Every command, with data that suits the state.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<Sample<Said<Command>>> {
    let mut all = persons(state);
    all.extend(progress(state));
    all.extend(others());
    all.extend(engines(state));
    all
}

fn persons(state: &State) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Person, command);
    let begin = |source, busy_with: Option<&str>| Command::UserInputRequirement {
        begin: Box::new(made::begin(source)),
        busy_with: busy_with.map(Into::into),
    };
    let mut all = vec![
        ("requirement", by(begin(Source::Text, None))),
        ("requirement from a file", by(begin(Source::File, None))),
        ("requirement, another run is active", by(begin(Source::Text, Some("lc-0")))),
        ("modify", by(Command::UserModify { text: "Other".into(), digest: "d9".into() })),
        ("confirm", by(confirm(state, None))),
        ("confirm, file changed", by(confirm(state, Some("other")))),
        ("cancel", by(Command::UserCancel)),
        ("abort", by(Command::UserAbort { reason: None })),
        ("retry the plan", by(Command::RetryPlan)),
        ("pause", by(Command::Pause { how: PauseHow::AfterCurrent, reason: None })),
        ("pause now", by(Command::Pause { how: PauseHow::Now, reason: None })),
        ("resume", by(Command::Resume)),
        ("force stop", by(Command::ForceStop)),
    ];
    all.extend(ways_out(state));
    all
}

fn confirm(state: &State, source: Option<&str>) -> Command {
    let (question, plan_hash, digest) = match state.life().map(|life| &life.phase) {
        Some(Phase::Confirming(now)) => {
            (now.question.clone(), now.hash.clone(), now.plan.source_digest.clone())
        }
        Some(_) | None => (String::from("q/confirm/1"), String::new(), None),
    };
    let source_digest = source.map(Into::into).or(digest);
    let programs = Vec::new();
    Command::UserConfirm(Confirm {
        question,
        plan_hash,
        scope: Scope::Plan,
        source_digest,
        programs,
    })
}

fn ways_out(state: &State) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Person, command);
    let definition = match state.life().map(|life| &life.phase) {
        Some(Phase::Blocked(now)) => Some(now.detail.clone()),
        Some(_) | None => None,
    };
    let help = |help, whole: bool| {
        let budget = Budget { turns: 10, wall_ms: 1, cost_micros: None };
        Command::HumanIntervention(Box::new(Intervention {
            help,
            add_budget: whole.then_some(budget),
            accept_definition: definition.clone().filter(|_| whole),
            unsettled: (!whole).then(|| "call-9".into()),
        }))
    };
    let guidance = || Help::Guidance("try this".into());
    let back = |intact, busy: Option<&str>| {
        Command::Rollback(RollbackWish {
            to: None,
            plan_hash: None,
            conflicts: Conflicts::Aside,
            intact,
            busy_with: busy.map(Into::into),
        })
    };
    let skip = |dependants| Command::SkipTask { dependants };
    vec![
        ("guidance", by(help(guidance(), true))),
        ("guidance and nothing more", by(help(guidance(), false))),
        ("fixed", by(help(Help::Fixed, true))),
        ("rollback", by(back(true, None))),
        ("rollback, no checkpoint", by(back(false, None))),
        ("rollback, a call is in flight", by(back(true, Some("call-9")))),
        ("rollback: go", by(roll_word(state, Word::Go))),
        ("rollback: cancel", by(roll_word(state, Word::Cancel))),
        ("skip", by(skip(Dependants::Skip))),
        ("skip, dependants run", by(skip(Dependants::Run))),
        ("amend", by(amend(made::spec("T-9", &[])))),
        ("amend a task that is closed", by(amend_update("T-1"))),
    ]
}

fn roll_word(state: &State, word: Word) -> Command {
    let (question, plan_hash) = match state.life().map(|life| &life.phase) {
        Some(Phase::Blocked(now)) => match &now.rolling {
            Some(Rolling::Ask { id, plan_hash, .. }) => {
                (alloc::format!("q/rollback/{id}"), plan_hash.clone())
            }
            Some(Rolling::Plan { .. } | Rolling::Run { .. }) | None => Default::default(),
        },
        Some(_) | None => Default::default(),
    };
    Command::RollbackConfirm { question, plan_hash, word }
}

fn amend(spec: super::super::task::Spec) -> Command {
    let patch = Patch { add: vec![spec], ..Patch::default() };
    Command::Amend(Box::new(Amendment { patch, findings: Vec::new(), programs: Vec::new() }))
}

fn amend_update(id: &str) -> Command {
    let patch = Patch { update: vec![made::spec(id, &[])], ..Patch::default() };
    Command::Amend(Box::new(Amendment { patch, findings: Vec::new(), programs: Vec::new() }))
}

/// Words about the task in work, by an agent; those about others by a person.
fn progress(state: &State) -> Vec<Sample<Said<Command>>> {
    let phase = state.life().map(|life| &life.phase);
    let current = phase.and_then(Phase::current_task).unwrap_or("T-1");
    let closed = phase.and_then(Phase::work).and_then(|work| {
        work.tasks.iter().find(|task| task.status.closed()).map(|task| task.spec.id.clone())
    });
    let agent = || By::Agent { call: "call-1".into() };
    let word = |task: &str, status| {
        let (task, summary) = (task.into(), Some(String::from("so far")));
        Command::UpdateProgress { task, status, summary }
    };
    let closed = closed.unwrap_or_else(|| "T-1".into());
    vec![
        ("progress: done", said(agent(), word(current, Status::Done))),
        ("progress: in progress", said(agent(), word(current, Status::InProgress))),
        ("progress: failed", said(agent(), word(current, Status::Failed))),
        ("progress: blocked", said(agent(), word(current, Status::Blocked))),
        ("progress: pending, by an agent", said(agent(), word(&closed, Status::Pending))),
        ("progress: pending", said(By::Person, word(&closed, Status::Pending))),
        ("progress: done, by a person", said(By::Person, word(current, Status::Done))),
        ("progress: skipped", said(By::Person, word("T-2", Status::Skipped))),
        ("progress: no such task", said(agent(), word("T-77", Status::Done))),
    ]
}

fn others() -> Vec<Sample<Said<Command>>> {
    let parent = |command| said(By::Parent { run: "sess-1".into() }, command);
    let note = Command::Note { kind: NoteKind::Scratch, task: None, text: "x".into() };
    let mut all = vec![
        ("note", said(By::Person, note)),
        ("parent: cancel", parent(Command::ParentCancel)),
        ("parent: pause", parent(Command::Pause { how: PauseHow::Now, reason: None })),
        ("parent: resume", parent(Command::Resume)),
    ];
    all.extend(DERIVED.map(|trigger| (trigger, said(By::Person, Command::Derived { trigger }))));
    all
}

fn work(state: &State) -> Option<&Work> {
    state.life().and_then(|life| life.phase.work())
}

/// The check that the step under way runs; any check otherwise.
fn checked(state: &State) -> Check {
    let phase = state.life().map(|life| &life.phase);
    let in_seal = match phase {
        Some(Phase::Executing(now)) => match &now.doing {
            Doing::SealCheck { i, stale, .. } => {
                usize::try_from(*i).ok().and_then(|i| stale.get(i)).cloned()
            }
            Doing::Task { .. } | Doing::Seal { .. } => None,
        },
        Some(_) | None => None,
    };
    let found = in_seal.and_then(|id| work(state)?.check(&id));
    let task = phase.and_then(Phase::current_task).and_then(|id| work(state)?.task(id));
    let own = || Some(work(state)?.checks_of(task?).first()?.clone());
    found.map(|(check, _)| check).or_else(own).unwrap_or_else(|| made::check("test"))
}

/// How a turn ended, with the files it changed.
#[must_use]
pub fn turn_end(outcome: TurnOutcome, files: &[&str]) -> Box<TurnEnd> {
    Box::new(TurnEnd {
        turn: "turn-1".into(),
        outcome,
        files_changed: files.iter().map(|file| String::from(*file)).collect(),
        evidence: Vec::new(),
        spent: Spent { wall_ms: 5, ..Spent::default() },
        claim: None,
    })
}

/// An end by a failure.
#[must_use]
pub fn blocked_by(code: &str, kind: &str) -> TurnOutcome {
    TurnOutcome::Blocked(Box::new(TurnFault {
        failure: made::failure(code, kind),
        reset_at: Some(At(500)),
        agent: Some("codex".into()),
    }))
}

fn engines(state: &State) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Engine, command);
    let phase = state.life().map(|life| &life.phase);
    let key = phase.and_then(Phase::step_key).unwrap_or_else(|| "task/T-1/99".into());
    let mut all = plans(&key);
    all.extend(turns(state, &key));
    all.extend(checks(state, &key));
    let drawn = Drawn { plan_hash: "r1".into(), calls: Vec::new() };
    let settled = state.settling().first().cloned().unwrap_or_else(|| "task/T-1/1".into());
    let rolled = |end| Command::RolledBack { key: key.clone(), end };
    let written = |end| Command::Archived { key: key.clone(), end };
    all.extend([
        ("rollback planned", by(Command::RollbackReady { key: key.clone(), plan: Ok(drawn) })),
        (
            "rollback cannot be planned",
            by(Command::RollbackReady { key: key.clone(), plan: Err("gone".into()) }),
        ),
        ("rolled back", by(rolled(RolledEnd::Ok))),
        ("rollback stopped", by(rolled(RolledEnd::Stopped { report: "half".into() }))),
        ("archived", by(written(Ok(".loop/archive/lc-1.json".into())))),
        ("not archived", by(written(Err("disk full".into())))),
        (
            "child settled",
            by(Command::Settled {
                key: settled,
                unknown: None,
                files_changed: Vec::new(),
                spent: Spent { turns: 1, wall_ms: 5, ..Spent::default() },
            }),
        ),
        ("source changed", by(Command::SourceChanged { digest: "d2".into() })),
        ("due", Said { at: LATEST, ..said(By::Timer, Command::Due { slot: due(state) }) }),
    ]);
    all
}

fn due(state: &State) -> String {
    let timers = super::super::owes::owed(state).into_iter().find_map(|owed| match owed {
        crate::owed::Owed::Timer { slot, .. } => Some(slot),
        crate::owed::Owed::Child { .. }
        | crate::owed::Owed::Question { .. }
        | crate::owed::Owed::Effect { .. } => None,
    });
    timers.unwrap_or_else(|| "confirm-expiry/9".into())
}

fn plans(key: &str) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Engine, command);
    let ready = |plan| Command::PlanReady {
        key: key.into(),
        plan: Box::new(plan),
        spent: Spent::default(),
        programs: Vec::new(),
    };
    let mut empty = made::plan();
    empty.tasks.clear();
    let fault = PlanFault {
        failure: made::failure("E009", "quota"),
        reset_at: Some(At(500)),
        correctable: false,
    };
    let (key, fault) = (key.into(), Box::new(fault));
    let failed = Command::PlanFailed { key, fault, spent: Spent::default() };
    vec![
        ("plan ready", by(ready(made::plan()))),
        ("plan ready, not valid", by(ready(empty))),
        ("plan failed", by(failed)),
    ]
}

fn turns(state: &State, key: &str) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Engine, command);
    let end = |end| Command::TurnEnded { key: key.into(), end };
    let check = checked(state);
    let proved = |verdict| {
        let mut end = turn_end(TurnOutcome::Completed, &["a.rs"]);
        end.evidence.push(made::evidence(key, &check, verdict, "e1"));
        end
    };
    let save = |end| Command::Saved { key: key.into(), end };
    vec![
        ("saved", by(save(Saved::Ok { checkpoint: "chk-1".into() }))),
        ("not saved", by(save(Saved::Failed { detail: "disk".into() }))),
        ("saved on another branch", by(save(Saved::BranchChanged { detail: "dev".into() }))),
        ("turn done, proved", by(end(proved(Verdict::Pass)))),
        ("turn done, no evidence", by(end(turn_end(TurnOutcome::Completed, &["a.rs"])))),
        ("turn done, nothing changed", by(end(turn_end(TurnOutcome::Completed, &[])))),
        ("turn failed", by(end(turn_end(blocked_by("E_BUILD_FAIL", "check"), &["a.rs"])))),
        ("turn met a quota", by(end(turn_end(blocked_by("E009", "quota"), &[])))),
        ("turn without agent", by(end(turn_end(blocked_by("E001", "missing"), &[])))),
        ("turn denied", by(end(turn_end(TurnOutcome::Denied { detail: "rule".into() }, &[])))),
        ("turn cancelled", by(end(turn_end(TurnOutcome::Cancelled { by: "person".into() }, &[])))),
    ]
}

fn checks(state: &State, key: &str) -> Vec<Sample<Said<Command>>> {
    let by = |command| said(By::Engine, command);
    let check = checked(state);
    let ran = |verdict, digest| {
        let evidence = made::evidence(key, &check, verdict, digest);
        Command::Checked { key: key.into(), end: CheckEnd::Ran(Box::new(evidence)) }
    };
    let mut other = made::evidence(key, &check, Verdict::Pass, "e1");
    other.definition_hash = Some("changed".into());
    let gone = CheckEnd::Unavailable { detail: "127".into() };
    let digests = |digest: &str| {
        let covers = work(state).map(Work::covers_in_use).unwrap_or_default();
        let one = |covers| Digest { covers, digest: digest.into() };
        Command::Digested { key: key.into(), digests: covers.into_iter().map(one).collect() }
    };
    vec![
        ("check passed", by(ran(Verdict::Pass, "e1"))),
        ("check failed", by(ran(Verdict::Fail, "e1"))),
        ("check empty", by(ran(Verdict::Empty, "e1"))),
        ("check moved", by(ran(Verdict::Moved, "e2"))),
        ("check unavailable", by(Command::Checked { key: key.into(), end: gone })),
        (
            "check redefined",
            by(Command::Checked { key: key.into(), end: CheckEnd::Ran(Box::new(other)) }),
        ),
        ("tree as it was", by(digests("e1"))),
        ("tree changed", by(digests("e3"))),
        ("call unknown", by(Command::CallUnknown { key: key.into(), call: "call-9".into() })),
    ]
}
