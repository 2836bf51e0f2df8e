//! Commands with data that fits a state, each with the label of its row.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::command::{
    AnswerFit, Args, Asked, Command, Confirm, Control, Ended, Fault, Payload, Planned, Reply,
    Spent, Word,
};
use super::super::evidence::{CheckResult, CheckVerdict};
use super::super::models::{Asking, Confidence, IntakeReport, Intent, Scope};
use super::super::pack::PackRef;
use super::super::patch::{self, PlanPatch};
use super::super::plan::Risk;
use super::super::rows::help_hash;
use super::super::setup::Judged;
use super::super::slot;
use super::super::state::{Ending, Keep, Leave, Life, Phase, Rung, State};
use super::super::subject::Reach;
use super::super::valid::{Flaw, Ground, Wrong};
use super::made;
use crate::call;
use crate::machine::{At, By, Said};
use crate::policy::Verdict;

type Labelled = (&'static str, By, Command);

/// Commands that fit this state, each with the label of its row.
#[must_use]
pub fn sample_commands(state: &State) -> Vec<(&'static str, Said<Command>)> {
    let life = state.life();
    let mut all = people(life);
    all.extend(steering());
    all.extend(requests());
    all.extend(results(life));
    let now = life.map_or(At(1), |life| life.body.updated_at.plus(1));
    let mut said: Vec<_> = all
        .into_iter()
        .map(|(label, by, command)| (label, Said { by, at: now, command }))
        .collect();
    said.extend(timers(life, now));
    said
}

fn timers(life: Option<&Life>, now: At) -> Vec<(&'static str, Said<Command>)> {
    let owed = life.map(slot::timers).unwrap_or_default();
    let timeout = |label: &'static str, slot: String, at: At| {
        (label, Said { by: By::Timer, at, command: Command::Timeout { slot } })
    };
    let mut all = vec![timeout("TIMEOUT, not owed", "nothing".into(), now)];
    for (slot, due) in owed {
        let label = if slot == slot::DEADLINE { "TIMEOUT, deadline" } else { "TIMEOUT" };
        all.push(timeout(label, slot, due.max(now)));
    }
    all
}

fn steering() -> Vec<Labelled> {
    let empty = super::super::setup::Start { request: " ".into(), ..made::start() };
    vec![
        ("USER_MESSAGE", By::Person, Command::UserMessage(Box::new(made::start()))),
        ("USER_MESSAGE, empty", By::Person, Command::UserMessage(Box::new(empty))),
        ("CANCEL", By::Person, Command::Cancel),
        ("PAUSE", By::Person, Command::Pause { keep: Keep::AfterCurrent }),
        ("PAUSE, now", By::Person, Command::Pause { keep: Keep::Now }),
        ("RESUME", By::Person, Command::Resume),
    ]
}

/// The prompt or cry for help that is open, with its hash.
fn prompt(life: Option<&Life>) -> (String, String) {
    match life.map(|life| &life.phase) {
        Some(Phase::AwaitingConfirmation(prompt)) => (prompt.id(), prompt.hash.clone()),
        Some(Phase::Recovering(now)) => match now.rung {
            Rung::Help { n, .. } => (slot::help(n), help_hash(now)),
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Replan { .. }
            | Rung::Spent => ("confirm/0".into(), String::new()),
        },
        Some(_) | None => ("confirm/0".into(), String::new()),
    }
}

fn people(life: Option<&Life>) -> Vec<Labelled> {
    let (id, hash) = prompt(life);
    let confirm = |word, scope, note: Option<&str>| {
        let (prompt, hash) = (id.clone(), hash.clone());
        Command::Confirm(Confirm { prompt, hash, word, scope, note: note.map(String::from) })
    };
    let one = Scope::SingleAction;
    let stale = Command::Confirm(Confirm {
        prompt: id.clone(),
        hash: "of another plan".into(),
        word: Word::Yes,
        scope: one,
        note: None,
    });
    let question = match life.map(|life| &life.phase) {
        Some(Phase::Clarifying { questions, .. }) => questions.first().map(|open| open.id.clone()),
        Some(_) | None => None,
    };
    let question = question.unwrap_or_else(|| "clarify/0/1".into());
    let answer =
        |question: &str, reply| Command::ClarificationAnswer { question: question.into(), reply };
    let text = || Reply::Text("the list".into());
    let agent = || By::Agent { call: "call-1".into() };
    let mut all = vec![
        ("CONFIRM, yes", By::Person, confirm(Word::Yes, one, None)),
        ("CONFIRM, yes for the session", By::Person, confirm(Word::Yes, Scope::Session, None)),
        ("CONFIRM, yes for the workspace", By::Person, confirm(Word::Yes, Scope::Workspace, None)),
        ("CONFIRM, no", By::Person, confirm(Word::No, one, None)),
        ("CONFIRM, no with a note", By::Person, confirm(Word::No, one, Some("smaller"))),
        ("CONFIRM, stale", By::Person, stale),
        ("CONFIRM, by an agent", agent(), confirm(Word::Yes, one, None)),
        ("ANSWER", By::Person, answer(&question, text())),
        ("ANSWER, proceed", By::Person, answer(&question, Reply::Proceed)),
        ("ANSWER, other question", By::Person, answer("clarify/99/1", text())),
        ("ANSWER, by an agent", agent(), answer(&question, text())),
    ];
    all.extend(plans(life));
    all
}

/// Edits and skips.
fn plans(life: Option<&Life>) -> Vec<Labelled> {
    let plan = life.and_then(|life| life.body.work.as_ref()).map(|work| &work.plan);
    let edit = |patch: PlanPatch, judged: Judged| Command::EditPlan {
        patch: Box::new(patch),
        judged: Box::new(judged),
        bad_args: vec![],
    };
    let good = plan.map(made::patch).unwrap_or_default();
    let agents = life.map(|life| life.body.start.agents.clone()).unwrap_or_default();
    let ground = Ground { steps_max: 12, agents: &agents, bad_args: &[] };
    let next = plan.and_then(|plan| patch::apply(plan, &good, ground).ok());
    let judged = |verdict| {
        next.as_ref().map_or_else(made::agent_judged, |plan| made::judged_plan(plan, verdict))
    };
    let allow = judged(Verdict::Allow { rule: "sample".into() });
    let ask = judged(Verdict::Ask { rule: "sample".into() });
    let skip = |step: &str| Command::SkipStep { step: step.into(), reason: "not needed".into() };
    vec![
        ("EDIT_PLAN, covered", By::Person, edit(good.clone(), allow)),
        ("EDIT_PLAN, not covered", By::Person, edit(good.clone(), ask.clone())),
        ("EDIT_PLAN, invalid", By::Person, edit(PlanPatch::default(), ask)),
        ("SKIP_STEP, first", By::Person, skip("s1")),
        ("SKIP_STEP, second", By::Person, skip("s2")),
        ("SKIP_STEP, unknown", By::Person, skip("nothing")),
    ]
}

fn requests() -> Vec<Labelled> {
    let args = call::Args { shown: serde_json::Value::Null, sha256: "a".into() };
    let fit = || match call::request("read", args.clone()) {
        Some(request) => Args::Fit(Box::new(request)),
        None => Args::Bad { path: String::new(), expected: String::new() },
    };
    let ask = |name: &str, args, verdict| {
        let reach = Reach::default();
        let hash = "same call".into();
        let judged = Judged { verdict, reach, hash, definitions: Default::default() };
        let (name, about) = (name.into(), None);
        Command::ToolCallRequest(Box::new(Asked { name, args, about, judged }))
    };
    let agent = || By::Agent { call: "call-1".into() };
    let allow = || Verdict::Allow { rule: "sample".into() };
    let deny = |rule: &str| Verdict::Deny { rule: rule.into() };
    let bad = Args::Bad { path: "/path".into(), expected: "a path".into() };
    vec![
        ("REQUEST, allowed", agent(), ask("read", fit(), allow())),
        ("REQUEST, asked", agent(), ask("read", fit(), Verdict::Ask { rule: "sample".into() })),
        ("REQUEST, denied", agent(), ask("read", fit(), deny("paths"))),
        ("REQUEST, beyond a limit", agent(), ask("read", fit(), deny("change_limit"))),
        ("REQUEST, unknown tool", agent(), ask("format_disk", fit(), allow())),
        ("REQUEST, bad arguments", agent(), ask("read", bad, allow())),
        ("REQUEST, question", agent(), ask("question", fit(), allow())),
    ]
}

fn results(life: Option<&Life>) -> Vec<Labelled> {
    let key = life.and_then(slot::awaited).unwrap_or_else(|| "intake/0".into());
    let result = |label, key: &str, ended| {
        let spent = Spent::default();
        (label, By::Engine, Command::ToolCallResult { key: key.into(), ended, spent })
    };
    let fault = |code: &str, kind: &str| {
        let done = Some(made::boxed(Control::Done));
        Box::new(Fault { code: code.into(), kind: kind.into(), done, ..Fault::default() })
    };
    let mut all = vec![
        result("RESULT, not ok", &key, Ended::Failed(fault("E_IO", "busy"))),
        result("RESULT, conflict", &key, Ended::Failed(fault("E_CONFLICT", "no_match"))),
        result("RESULT, out of form", &key, Ended::Failed(fault("E_MODEL", "schema"))),
        result("RESULT, timed out", &key, Ended::Failed(fault("E_TOOL_TIMEOUT", "deadline"))),
        result("RESULT, denied", &key, Ended::Failed(fault("E_POLICY_DENIED", "path"))),
        result("RESULT, quota", &key, Ended::Failed(fault("E009", "quota"))),
        result("RESULT, never happened", &key, Ended::Never),
        result("RESULT, unknown outcome", &key, Ended::Unknown),
        result("RESULT, a person is asked", &key, Ended::Waits),
        result("RESULT, a person said yes", &key, Ended::Allowed),
        result("RESULT, not owed", "nothing", Ended::Never),
    ];
    let Some(life) = life else { return all };
    let inner = life.position().and_then(|at| {
        let given = at.inner.iter().find(|inner| inner.leave == Leave::Given)?;
        Some(slot::call(at, given.n))
    });
    if let Some(key) = inner {
        let facts = made::boxed(Control::Done);
        all.push(result("RESULT, inner call", &key, Ended::Ok(Box::new(Payload::Step(facts)))));
    }
    let fits = fitting(life).into_iter();
    all.extend(fits.map(|(label, payload)| result(label, &key, Ended::Ok(Box::new(payload)))));
    all
}

/// What the effect that is awaited may give.
fn fitting(life: &Life) -> Vec<(&'static str, Payload)> {
    match &life.phase {
        Phase::Intake { .. } => intake(),
        Phase::ContextBuilding { .. } => {
            let (sha256, notes) = ("p".into(), vec![]);
            let pack = PackRef { sha256, used_estimate: 1, total_estimate: 2, notes };
            vec![("RESULT, ok", Payload::Context(pack))]
        }
        Phase::Planning { .. } => planned(life),
        Phase::Executing(_) | Phase::AwaitingConfirmation(_) => {
            let questions = vec![Asking { text: "Which?".into(), options: vec![] }];
            let replan = Control::Replan { reason: "no such file".into() };
            vec![
                ("RESULT, ok", Payload::Step(made::boxed(Control::Done))),
                ("RESULT, asks", Payload::Step(made::boxed(Control::Ask { questions }))),
                ("RESULT, wants another plan", Payload::Step(made::boxed(replan))),
            ]
        }
        Phase::Verifying(_) => [
            ("RESULT, passed", CheckVerdict::Pass),
            ("RESULT, failed", CheckVerdict::Fail),
            ("RESULT, no tests", CheckVerdict::Empty),
            ("RESULT, moved", CheckVerdict::Moved),
            ("RESULT, unavailable", CheckVerdict::Unavailable),
        ]
        .into_iter()
        .map(|(label, verdict)| (label, Payload::Verify(Box::new(check(verdict)))))
        .collect(),
        Phase::Recovering(now) => match now.rung {
            Rung::Replan { .. } => planned(life),
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Help { .. }
            | Rung::Spent => vec![("RESULT, ok", Payload::Undone)],
        },
        Phase::Summarizing(now) => match now.stage {
            Ending::Answering { .. } => vec![
                ("RESULT, ok", Payload::Answer(AnswerFit::Fits("answer.md".into()))),
                ("RESULT, wrong form", Payload::Answer(AnswerFit::Not("/a".into()))),
            ],
            Ending::Drafting => summaries(),
            Ending::Committing => vec![("RESULT, ok", Payload::Git { commit: "c".into() })],
        },
        Phase::Clarifying { .. } | Phase::Done(_) => vec![],
    }
}

fn intake() -> Vec<(&'static str, Payload)> {
    let report = |intent, missing: &[&str]| IntakeReport {
        intent,
        confidence: Confidence(80),
        permissions: vec![],
        risk_level: Risk::Medium,
        constraints: vec![],
        missing: missing
            .iter()
            .map(|text| Asking { text: String::from(*text), options: vec![] })
            .collect(),
        by: "rules".into(),
    };
    let ask = || Verdict::Ask { rule: "sample".into() };
    let deny = Verdict::Deny { rule: "sample".into() };
    let of = |report, verdict| Payload::Intake { report, verdict };
    vec![
        ("RESULT, ok", of(report(Intent::CodingTask, &[]), ask())),
        ("RESULT, denied by policy", of(report(Intent::CodingTask, &[]), deny)),
        ("RESULT, chat", of(report(Intent::GeneralChat, &[]), ask())),
        ("RESULT, questions", of(report(Intent::Uncertain, &["Which list?", "Where?"]), ask())),
    ]
}

fn planned(life: &Life) -> Vec<(&'static str, Payload)> {
    let at = life.body.updated_at;
    let answer = |verdict| {
        let planned = made::next_answer(life, &made::drafted(), verdict, at);
        Payload::Planner(Box::new(planned))
    };
    let rule = || String::from("sample");
    let unread =
        Planned::Unread(Flaw { what: Wrong::Schema, path: String::new(), found: "prose".into() });
    let asked = vec![Asking { text: "Which list?".into(), options: vec![] }];
    let questions = Planned::Read {
        answer: super::super::answer::Answer::Questions(asked),
        bad_args: vec![],
        judged: None,
    };
    vec![
        ("RESULT, plan allowed", answer(Verdict::Allow { rule: rule() })),
        ("RESULT, plan asked", answer(Verdict::Ask { rule: rule() })),
        ("RESULT, plan denied", answer(Verdict::Deny { rule: rule() })),
        ("RESULT, plan invalid", Payload::Planner(Box::new(unread))),
        ("RESULT, questions", Payload::Planner(Box::new(questions))),
    ]
}

fn summaries() -> Vec<(&'static str, Payload)> {
    let summary = |git| Payload::Summary {
        summary: "summary.json".into(),
        git,
        reach: Reach::default(),
        hash: "commit".into(),
    };
    let rule = || String::from("sample");
    vec![
        ("RESULT, commit allowed", summary(Verdict::Allow { rule: rule() })),
        ("RESULT, commit asked", summary(Verdict::Ask { rule: rule() })),
        ("RESULT, commit denied", summary(Verdict::Deny { rule: rule() })),
    ]
}

fn check(verdict: CheckVerdict) -> CheckResult {
    CheckResult {
        command: "cargo test".into(),
        exit_code: Some(i32::from(verdict != CheckVerdict::Pass)),
        verdict,
        timed_out: false,
        summary: String::new(),
        tests: None,
        errors: vec![],
        suggestion: None,
        digest: "d".into(),
        definition_hash: None,
    }
}
