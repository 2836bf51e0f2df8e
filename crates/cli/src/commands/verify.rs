//! `verify`: runs the checks in force here, one after another, each as a call of its own, and shows
//! the evidence of each. It belongs to no run and closes no task.

use std::path::PathBuf;

use edge::door::Ask;
use kernel::call::{self, Exit as Ran, Outcome};
use kernel::errors::Exit;
use kernel::loops::{Check, Verdict};
use runtime::checks::{self, Parsed, Sources};
use runtime::redact::Redactor;
use serde_json::{Value, json};

use super::waited::{Done, waited};
use crate::ctx::Ctx;
use crate::desk;
use crate::live::People;
use crate::live::interrupt;
use crate::live::keep::Keep;
use crate::out::{self, Reply};
use crate::table;
use crate::trouble::{self, Trouble};

/// First errors of a red check that are shown.
const ERRORS_SHOWN: usize = 10;
/// Digits of a digest that tell one tree from another at a glance.
const DIGEST_SHOWN: usize = 12;

/// Which checks.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those that look at this.
    #[arg(long = "level", value_name = "LEVEL")]
    levels: Vec<String>,
    /// Only say what would run.
    #[arg(long)]
    dry_run: bool,
    /// Ask nothing on the terminal.
    #[arg(long)]
    headless: bool,
}

/// What one check proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Proof {
    Pass,
    Fail,
    /// It ran no test: nothing is proven.
    Empty,
    /// The tree was not the same before and after.
    Moved,
    /// It could not be run.
    Unavailable,
}

impl Proof {
    const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Empty => "empty",
            Self::Moved => "moved",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Runs them.
///
/// # Errors
/// Settings that cannot be used, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let (checks, reports) = in_force(ctx, &args.levels)?;
    if checks.is_empty() {
        out::notice(&ctx.say("verify-none"));
        return Ok(Reply::new(json!({ "checks": [] }), String::new()));
    }
    if args.dry_run {
        return Ok(planned(ctx, &checks));
    }
    interrupt::listen();
    let mut keep = Keep::new(desk::open(ctx)?);
    let people = People::of(args.headless);
    let redactor = ctx.redactor()?;
    let mut shown = Vec::new();
    let mut proofs = Vec::new();
    for check in &checks {
        let asking = |run, trace| Ask::Check { run, trace, check: Box::new(check.clone()) };
        let mut once = || {
            let done = waited(ctx, &mut keep, &asking, people)?;
            Ok(done.map(|done| evidence(check, &done, &reports, &redactor)))
        };
        let mut ran = once()?;
        // The first run of a check may leave a lock file behind, which the second one finds.
        if matches!(ran, Some((Proof::Moved, _))) {
            ran = once()?;
        }
        let Some((proof, evidence)) = ran else {
            return Ok(Reply::printed(Exit::CANCELLED));
        };
        if check.required {
            proofs.push(proof);
        }
        shown.push(evidence);
    }
    let (exit, word) = ended(&proofs);
    let data = json!({ "checks": shown });
    let text = page(ctx, &data);
    Ok(Reply::new(data, text).ended(exit, word))
}

/// Where checks leave reports of their own.
struct Reports {
    root: PathBuf,
    paths: Vec<String>,
}

fn in_force(ctx: &Ctx, levels: &[String]) -> Result<(Vec<Check>, Reports), Trouble> {
    const LEVELS: [&str; 4] = ["static", "build", "test", "custom"];
    if let Some(level) = levels.iter().find(|level| !LEVELS.contains(&level.as_str())) {
        return Err(trouble::bad_value("--level", level, &LEVELS));
    }
    let sources = Sources::of(&ctx.settings()?.settings);
    let root = ctx.root()?.path.clone();
    let mut checks = checks::for_loop(&root, &sources);
    if !levels.is_empty() {
        checks.retain(|check| levels.iter().any(|level| level == check.level.word()));
    }
    Ok((checks, Reports { root, paths: sources.report_paths }))
}

fn planned(ctx: &Ctx, checks: &[Check]) -> Reply {
    let rows: Vec<Vec<String>> = checks
        .iter()
        .map(|check| vec![check.id.clone(), check.level.word().to_owned(), check.argv.join(" ")])
        .collect();
    let text = table::draw(&ctx.heading(["check", "level", "command"]), &rows);
    Reply::new(json!({ "checks": checks }), text)
}

/// What a check's call proved, and all that a person needs to believe it.
fn evidence(check: &Check, done: &Done, reports: &Reports, redactor: &Redactor) -> (Proof, Value) {
    let call = &done.known.head.run;
    let (ran, before) = match &done.state {
        call::State::Settled { outcome, exit: Some(exit), prep, .. }
            if *outcome != Outcome::Stopped =>
        {
            (Some(exit), prep.as_ref().and_then(|prep| prep.tree_before.clone()))
        }
        call::State::Settled { .. }
        | call::State::New
        | call::State::Asked { .. }
        | call::State::Denied { .. }
        | call::State::Allowed { .. }
        | call::State::Started { .. }
        | call::State::Unknown { .. }
        | call::State::Undoing { .. }
        | call::State::Undone { .. } => (None, None),
    };
    let told = json!({
        "check_id": check.id, "call_id": call, "argv": check.argv, "cwd": check.cwd,
        "level": check.level.word(), "required": check.required,
        "verdict": Proof::Unavailable.word(), "outcome": done.state.result(),
    });
    let Some(exit) = ran else { return (Proof::Unavailable, told) };
    let output = checks::left(&done.known.dir.call(call), exit, &reports.root, &reports.paths);
    let parsed = checks::parse(&checks::readable(check), &output, &mut |_| {});
    let proof = proof(exit, before.as_deref(), parsed.verdict);
    let mut told = told;
    told["verdict"] = json!(proof.word());
    told["exit_code"] = json!(exit.exit_code);
    told["signal"] = json!(exit.signal);
    told["digest"] = json!(exit.tree_after);
    told["sandbox"] = json!(exit.sandbox);
    told["duration_ms"] = json!(exit.ended_at.since(exit.started_at));
    told["tests"] = if parsed.pass_rate_known { json!(parsed.counts) } else { Value::Null };
    told["errors"] = errors(&parsed, redactor);
    (proof, told)
}

/// Program missing or not executable, as shells and the kernel say it.
const NOT_RUN: [i32; 2] = [126, 127];

fn proof(exit: &Ran, before: Option<&str>, verdict: Verdict) -> Proof {
    if exit.ended == call::Ended::SpawnFailed
        || exit.exit_code.is_some_and(|code| NOT_RUN.contains(&code))
    {
        return Proof::Unavailable;
    }
    let unmoved = before.is_some() && before == exit.tree_after.as_deref();
    match verdict {
        Verdict::Passed | Verdict::Accepted | Verdict::Unparsed if unmoved => Proof::Pass,
        Verdict::Passed | Verdict::Accepted | Verdict::Unparsed => Proof::Moved,
        Verdict::NoTests => Proof::Empty,
        Verdict::Failed | Verdict::DefinitionChanged | Verdict::CoverageBelow => Proof::Fail,
    }
}

fn errors(parsed: &Parsed, redactor: &Redactor) -> Value {
    let clean = |text: &str| redactor.redact_text(text);
    let anchors = parsed.errors.iter().take(ERRORS_SHOWN);
    anchors
        .map(|at| {
            let message = clean(&at.message);
            json!({ "file": at.file, "line": at.line, "column": at.column, "message": message })
        })
        .collect()
}

/// Every required check has to pass; one that could not be run is a person's to mend.
fn ended(proofs: &[Proof]) -> (Exit, &'static str) {
    let any = |wanted: &[Proof]| proofs.iter().any(|proof| wanted.contains(proof));
    if any(&[Proof::Fail, Proof::Empty, Proof::Moved]) {
        (Exit::FAILED, "failed")
    } else if any(&[Proof::Unavailable]) {
        (Exit::WAITING, "unavailable")
    } else {
        (Exit::OK, "ok")
    }
}

fn page(ctx: &Ctx, data: &Value) -> String {
    let mut text = String::new();
    let every: Vec<&Value> = data["checks"].as_array().into_iter().flatten().collect();
    let rows: Vec<Vec<String>> = every
        .iter()
        .map(|one| {
            let word = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
            let digest: String = word("digest").chars().take(DIGEST_SHOWN).collect();
            vec![word("check_id"), word("verdict"), counts(one), digest, word("call_id")]
        })
        .collect();
    text.push_str(&table::draw(
        &ctx.heading(["check", "verdict", "tests", "digest", "call"]),
        &rows,
    ));
    for error in every.iter().flat_map(|one| one["errors"].as_array()).flatten() {
        let at = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        text.push_str(&format!("\n{}:{}: {}", at("file"), error["line"], at("message")));
    }
    text
}

fn counts(one: &Value) -> String {
    match one["tests"].as_object() {
        None => "–".to_owned(),
        Some(tests) => {
            let count = |name: &str| tests.get(name).and_then(Value::as_u64).unwrap_or(0);
            format!("{}/{}/{}", count("passed"), count("failed"), count("skipped"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_ran_on_an_unmoved_tree_passes() {
        let exit = |code, after: &str| Ran {
            ended: call::Ended::Exit,
            exit_code: Some(code),
            signal: None,
            started_at: kernel::machine::At(1),
            ended_at: kernel::machine::At(2),
            stdout_bytes: 0,
            stderr_bytes: 0,
            dropped_bytes: 0,
            sandbox: "none".to_owned(),
            held: Box::default(),
            survivors: Vec::new(),
            tree_after: Some(after.to_owned()),
            files_changed: Vec::new(),
            changes: None,
            agent: None,
            done: None,
        };
        let table = [
            (0, "a", Verdict::Passed, Proof::Pass),
            (0, "b", Verdict::Passed, Proof::Moved),
            (0, "a", Verdict::NoTests, Proof::Empty),
            (1, "a", Verdict::Failed, Proof::Fail),
            (127, "a", Verdict::Failed, Proof::Unavailable),
        ];
        for (code, after, verdict, expected) in table {
            assert_eq!(proof(&exit(code, after), Some("a"), verdict), expected, "{verdict:?}");
        }
        assert_eq!(proof(&exit(0, "a"), None, Verdict::Passed), Proof::Moved, "no mark, no proof");
        assert_eq!(ended(&[Proof::Pass, Proof::Unavailable]).1, "unavailable");
        assert_eq!(ended(&[Proof::Fail, Proof::Unavailable]).1, "failed");
        assert_eq!(ended(&[Proof::Pass]).1, "ok");
    }
}
