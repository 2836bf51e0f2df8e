//! `policy rules|check -- ARGV…|test FILE`: which rules are in force, what they say of a command,
//! and whether a file of rules holds by its own examples. Nothing is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use kernel::errors::{Class, Exit, Machine};
use kernel::policy::rules::{self, Failure, Held, Wrong};
use kernel::policy::{Judgement, Rules, Word};
use runtime::config::{self, File, Layers};
use runtime::policy::{self, Standing};
use serde_json::json;

use crate::ctx::{self, Ctx};
use crate::out::Reply;
use crate::table;
use crate::trouble::{self, Trouble};

/// What to do with the policy.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    /// Show the rules.
    Rules,
    /// Judge a command.
    Check {
        /// Where it would run.
        #[arg(long, value_name = "DIR", default_value = ".")]
        cwd: String,
        /// The command.
        #[arg(value_name = "ARGV", last = true, required = true)]
        argv: Vec<String>,
    },
    /// Check a file's examples.
    Test {
        /// The file.
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

/// Does it.
///
/// # Errors
/// Settings that cannot be used, or a file of rules that fails its own examples.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::Rules => show(ctx),
        Verb::Check { cwd, argv } => check(ctx, cwd, argv),
        Verb::Test { file } => test(ctx, file),
    }
}

fn show(ctx: &Ctx) -> Result<Reply, Trouble> {
    let Standing { rules, .. } = edge::policy::standing(&ctx.site()?)?;
    let rows: Vec<Vec<String>> = rules.held().iter().map(|held| row(ctx, held)).collect();
    let mut lines = vec![table::draw(&ctx.heading(["rule", "source", "verdict", "reason"]), &rows)];
    if !rules.idle().is_empty() {
        lines.push(ctx.tell("policy-idle", &[("count", &rules.idle().len())]));
    }
    lines.extend(rules.failures().iter().map(|failure| told(ctx, failure)));
    let data = json!({
        "rules": rules.held(), "idle": rules.idle(), "refused": rules.failures(),
    });
    Ok(Reply::new(data, lines.join("\n")))
}

fn row(ctx: &Ctx, held: &Held) -> Vec<String> {
    let source = json!(held.source).as_str().unwrap_or_default().replace('_', "-");
    let reason = match ctx.lang {
        runtime::words::Lang::En => &held.rule.reason.en,
        runtime::words::Lang::Zh => &held.rule.reason.zh,
    };
    let verdict = ctx.say(&format!("policy-verdict-{}", held.rule.verdict.name()));
    vec![held.rule.id.clone(), ctx.say(&format!("source-{source}")), verdict, reason.clone()]
}

fn check(ctx: &Ctx, cwd: &str, argv: &[String]) -> Result<Reply, Trouble> {
    let judged = edge::policy::check(&ctx.site()?, cwd, argv)?;
    let exit = match judged.verdict.word() {
        Word::Allow => Exit::OK,
        Word::Ask => Exit::WAITING,
        Word::Deny => Exit::DENIED,
    };
    let mut reply = Reply::new(edge::policy::data(ctx.lang, &judged), text(ctx, &judged));
    reply.exit = exit;
    Ok(reply)
}

fn text(ctx: &Ctx, judged: &Judgement) -> String {
    let verdict = ctx.say(&format!("policy-verdict-{}", judged.verdict.word().name()));
    let (rule, reason) = (judged.verdict.rule(), policy::reason(ctx.lang, judged));
    let said: [(&str, &dyn std::fmt::Display); 3] =
        [("verdict", &verdict), ("rule", &rule), ("reason", &reason)];
    let mut lines = vec![ctx.tell("policy-check", &said)];
    if judged.verdict.word() == Word::Ask {
        let scope = ctx.say(&format!("policy-scope-{}", judged.widest.word()));
        lines.push(ctx.tell("policy-check-widest", &[("scope", &scope)]));
    }
    for segment in &judged.segments {
        lines.push(ctx.tell("policy-check-segment", &[("line", &segment.line())]));
    }
    for why in &judged.opaque {
        lines.push(ctx.tell("policy-check-opaque", &[("why", &why.word())]));
    }
    for finding in &judged.ehrb {
        let risk = policy::risk(ctx.lang, finding);
        lines.push(ctx.tell("policy-check-risk", &[("risk", &risk)]));
    }
    lines.join("\n")
}

fn told(ctx: &Ctx, failure: &Failure) -> String {
    let wrong = match &failure.wrong {
        Wrong::Id => ctx.say("policy-wrong-id"),
        Wrong::Taken => ctx.say("policy-wrong-taken"),
        Wrong::Rest => ctx.say("policy-wrong-rest"),
        Wrong::NoExample => ctx.say("policy-wrong-no_example"),
        Wrong::Misses { example } => ctx.tell("policy-wrong-misses", &[("example", example)]),
        Wrong::Hits { example } => ctx.tell("policy-wrong-hits", &[("example", example)]),
    };
    let said: [(&str, &dyn std::fmt::Display); 3] =
        [("file", &failure.file), ("rule", &failure.id), ("wrong", &wrong)];
    ctx.tell("policy-refused", &said)
}

fn test(ctx: &Ctx, file: &Path) -> Result<Reply, Trouble> {
    let name = file.display().to_string();
    let text = std::fs::read_to_string(file).map_err(|why| {
        let details = json!({ "kind": "malformed", "path": name, "expected": "a file of rules" });
        trouble::class(Class::InvalidArgs, details).because(&why)
    })?;
    let env = ctx::env();
    let user = Some(File { name: &name, text: &text });
    let layers = Layers { user, env: &env, ..Layers::default() };
    let resolved = config::resolve(&layers).map_err(|faults| trouble::of_faults(&faults))?;
    let taken: BTreeSet<String> =
        Rules::built_in().held().iter().map(|held| held.rule.id.clone()).collect();
    let files = resolved.settings.policy.files;
    let failures: Vec<Failure> = files.iter().flat_map(|file| rules::check(file, &taken)).collect();
    if let Some(first) = failures.first() {
        let example = match &first.wrong {
            Wrong::Misses { example } | Wrong::Hits { example } => example.clone(),
            Wrong::Id | Wrong::Taken | Wrong::Rest | Wrong::NoExample => told(ctx, first),
        };
        let told: Vec<String> = failures.iter().map(|failure| told(ctx, failure)).collect();
        let details = json!({
            "path": name, "rule": first.id, "example": example, "failures": failures,
            "told": told,
        });
        return Err(trouble::refused(Machine::Policy, "rule_examples", details));
    }
    let count: usize = files.iter().map(|file| file.rules.len()).sum();
    let data = json!({ "valid": true, "rules": count });
    Ok(Reply::new(data, ctx.tell("policy-tested", &[("count", &count)])))
}
