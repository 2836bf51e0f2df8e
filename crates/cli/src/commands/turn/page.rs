//! The pages of a turn for people: how it stands, and what exactly is being approved before a yes
//! is asked for. Drawn from state; it asks nothing itself.

use kernel::turn::{Life, Plan, Reach, Risk, Runner, State, Step, Subject};
use runtime::query::OpenQuestion;
use runtime::turns;
use serde_json::json;

use crate::asked;
use crate::ctx::Ctx;
use crate::table;

/// A state in the reader's language, with its own word.
pub fn state(ctx: &Ctx, state: &State) -> String {
    let word = state.name();
    let label = ctx.say(&format!("turn-state-{}", word.to_lowercase().replace('_', "-")));
    format!("{label} ({word})")
}

/// How it stands.
pub fn standing(ctx: &Ctx, id: &str, turn: &State, open: &[OpenQuestion]) -> String {
    let Some(life) = turn.life() else { return state(ctx, turn) };
    let body = &life.body;
    let fact = |name: &str| ctx.say(&format!("turn-fact-{name}"));
    let mut rows = vec![(fact("run"), id.to_owned()), (fact("state"), state(ctx, turn))];
    if let kernel::turn::Phase::Done(over) = &life.phase {
        rows.push((fact("outcome"), outcome(&over.outcome)));
        rows.push((fact("verified"), over.verified.word().to_owned()));
        rows.push((fact("git"), over.git.as_ref().map(committed).unwrap_or_default()));
    }
    rows.push((fact("request"), body.start.request.clone()));
    if let Some(hold) = &body.hold {
        rows.push((fact("held"), hold.by.clone()));
    }
    if let Some(work) = body.work.as_deref() {
        rows.push((fact("plan"), work.plan.plan_id.clone()));
        rows.push((fact("risk"), word(&json!(work.plan.risk_level))));
    }
    if let Some(at) = life.position() {
        rows.push((fact("step"), format!("{} #{}", at.step, at.attempt)));
    }
    let spent = &body.ledger;
    let told = ctx.tell(
        "turn-spent",
        &[("calls", &spent.calls), ("fixes", &spent.fixes), ("replans", &spent.replans)],
    );
    rows.push((fact("spent"), told));
    rows.retain(|(_, value)| !value.is_empty());
    let mut lines = vec![table::pairs(&rows)];
    // A prompt about the plan shows the steps itself.
    let prompted = matches!(&life.phase, kernel::turn::Phase::AwaitingConfirmation(prompt)
        if !open.is_empty() && matches!(prompt.subject, Subject::Plan | Subject::Patch));
    if let Some(work) = body.work.as_deref().filter(|_| !prompted) {
        lines.push(String::new());
        lines.extend(steps(ctx, &work.plan));
    }
    for question in open {
        lines.push(String::new());
        lines.extend(question_lines(ctx, life, question));
    }
    lines.join("\n")
}

/// What became of the commit; empty where none was asked about.
fn committed(git: &kernel::turn::GitResult) -> String {
    use kernel::turn::GitResult;
    match git {
        GitResult::Committed { commit } => commit.clone(),
        GitResult::Declined => git.word().to_owned(),
        GitResult::Failed { code } => format!("{}: {code}", git.word()),
    }
}

fn outcome(outcome: &kernel::turn::Outcome) -> String {
    use kernel::turn::Outcome;
    let word = outcome.word();
    match outcome {
        Outcome::Completed | Outcome::Answered | Outcome::Cancelled { .. } => word.to_owned(),
        Outcome::Blocked { code, detail, .. } if !detail.is_empty() => {
            format!("{word}: {code} {detail}")
        }
        Outcome::Blocked { code, .. } => format!("{word}: {code}"),
        Outcome::Denied { code, rule, .. } => {
            format!("{word}: {code} {}", rule.as_deref().unwrap_or_default()).trim_end().to_owned()
        }
    }
}

/// A question with everything one has to know before answering it.
pub fn question_lines(ctx: &Ctx, life: &Life, question: &OpenQuestion) -> Vec<String> {
    let mut lines = Vec::new();
    if let kernel::turn::Phase::AwaitingConfirmation(prompt) = &life.phase {
        lines.extend(shown(ctx, life, prompt));
    }
    if let kernel::turn::Phase::Recovering(now) = &life.phase {
        let failure = &now.failure;
        let step = failure.step_id.as_deref().unwrap_or("-");
        lines.push(ctx.tell(
            "turn-failed",
            &[("step", &step), ("code", &failure.code), ("detail", &failure.detail)],
        ));
        lines.extend(failure.errors.iter().map(|error| format!("  {}", place(error))));
    }
    lines.push(question.text(ctx.lang));
    lines.extend(asked::options(ctx, question));
    lines
}

/// `file:line: message`
fn place(error: &kernel::turn::CheckError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        (None, _) => error.message.clone(),
    }
}

/// Exactly what a yes would be about.
fn shown(ctx: &Ctx, life: &Life, prompt: &kernel::turn::Prompt) -> Vec<String> {
    let mut lines = Vec::new();
    let work = life.body.work.as_deref();
    if let Some(work) = work {
        match prompt.subject {
            Subject::Plan | Subject::Patch => {
                lines.extend(steps(ctx, &work.plan));
                lines.extend(checks(ctx, &work.plan));
            }
            Subject::Call | Subject::Git => {}
        }
    }
    lines.extend(reach(ctx, &prompt.reach));
    if let Some(work) = work {
        lines.push(risk(ctx, work.plan.risk_level));
    }
    lines.push(ctx.tell("turn-hash", &[("hash", &prompt.hash)]));
    lines
}

/// The steps, one line each, with the calls that they are made of.
pub fn steps(ctx: &Ctx, plan: &Plan) -> Vec<String> {
    let mut lines = vec![ctx.say("turn-page-steps")];
    for step in &plan.steps {
        lines.push(format!("  {} {} {}", turns::mark(step.status), step.step_id, step.title));
        lines.extend(calls(step).into_iter().map(|call| format!("      {call}")));
    }
    lines
}

fn calls(step: &Step) -> Vec<String> {
    match step.runner {
        Runner::Tools => step.tool_calls.iter().map(call).collect(),
        Runner::Agent | Runner::Collab => {
            let who = step.agent.as_deref().unwrap_or_default();
            vec![format!("{} {who}", word(&json!(step.runner))).trim_end().to_owned()]
        }
    }
}

/// A call with what names its target; the rest of its arguments may be long.
fn call(template: &kernel::turn::ToolCallTemplate) -> String {
    let named = ["path", "argv", "command", "from", "to", "query"];
    let told = named.iter().filter_map(|name| template.args_hint.get(*name)).map(|value| {
        let words = value.as_array().map(|all| all.iter().map(plain).collect::<Vec<_>>().join(" "));
        words.unwrap_or_else(|| plain(value))
    });
    let told: Vec<String> = std::iter::once(template.name.clone()).chain(told).collect();
    table::cut(&told.join(" "), table::COLUMNS)
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The checks at the end.
pub fn checks(ctx: &Ctx, plan: &Plan) -> Vec<String> {
    if plan.verification.commands.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![ctx.say("turn-page-checks")];
    lines.extend(plan.verification.commands.iter().map(|command| format!("  {command}")));
    lines
}

/// Everything that is touched.
pub fn reach(ctx: &Ctx, reach: &Reach) -> Vec<String> {
    let mut lines = Vec::new();
    let mut list = |key: &str, all: Vec<String>| {
        if !all.is_empty() {
            lines.push(ctx.say(key));
            lines.extend(all.into_iter().map(|one| format!("  {one}")));
        }
    };
    let permissions = reach.permissions.iter().map(|one| word(&json!(one)));
    list("turn-reach-permissions", vec![permissions.collect::<Vec<_>>().join(" ")]);
    list("turn-reach-paths", reach.paths.clone());
    list("turn-reach-argv", reach.argv.iter().map(|argv| argv.join(" ")).collect());
    list("turn-reach-hosts", reach.hosts.clone());
    list("turn-reach-risks", reach.risks.iter().chain(&reach.once_only).cloned().collect());
    lines
}

/// How dangerous it is.
pub fn risk(ctx: &Ctx, risk: Risk) -> String {
    ctx.tell("turn-risk", &[("risk", &ctx.say(&format!("turn-risk-{}", word(&json!(risk)))))])
}

/// The word by which a value is written.
fn word(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
