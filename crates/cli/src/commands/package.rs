//! `package list|show|check|new|archive`: packages by hand. Reading needs no engine; making and
//! archiving are calls.

use kernel::errors::Exit;
use kernel::packages::check::Checked;
use runtime::packages::Listed;
use serde_json::{Value, json};

use super::kb::base;
use super::known;
use super::package_ran::{Ran, ran};
use crate::ctx::Ctx;
use crate::live::People;
use crate::out::Reply;
use crate::table;
use crate::trouble::Trouble;

/// What can be done with packages.
#[derive(Debug, clap::Subcommand)]
pub enum Verb {
    List,
    Show {
        #[arg(value_name = "NAME")]
        name: String,
    },
    Check {
        #[arg(value_name = "NAME")]
        names: Vec<String>,
    },
    New {
        #[arg(value_name = "FEATURE")]
        feature: String,
        #[arg(long, value_name = "TYPE")]
        r#type: Option<String>,
        #[arg(long)]
        headless: bool,
    },
    Archive {
        #[arg(value_name = "NAME")]
        name: String,
        #[arg(long, value_name = "STATUS")]
        status: Option<String>,
        #[arg(long)]
        headless: bool,
    },
}

/// Does it.
///
/// # Errors
/// No such package, a document that cannot be read, or that no engine answers.
pub fn run(ctx: &Ctx, verb: &Verb) -> Result<Reply, Trouble> {
    match verb {
        Verb::List => list(ctx),
        Verb::Show { name } => show(ctx, name),
        Verb::Check { names } => check(ctx, names),
        Verb::New { feature, r#type, headless } => {
            new(ctx, feature, r#type.as_deref(), People::of(*headless))
        }
        Verb::Archive { name, status, headless } => {
            archive(ctx, name, status.as_deref(), People::of(*headless))
        }
    }
}

fn list(ctx: &Ctx) -> Result<Reply, Trouble> {
    let all = base(ctx)?.list(&ctx.site()?)?;
    known::redacted(ctx, &json!(all), |_| listed(ctx, &all))
}

/// The table of packages.
pub fn listed(ctx: &Ctx, all: &[Listed]) -> String {
    if all.is_empty() {
        return ctx.say("package-none");
    }
    let row = |it: &Listed| {
        let whole = if it.complete { "✅" } else { "⚠️" };
        let (kind, tasks) = (it.package_type.word(), it.task_count.to_string());
        [it.name.as_str(), kind, &tasks, whole, &it.summary].map(str::to_owned).to_vec()
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    table::draw(&ctx.heading(["package", "type", "tasks", "complete", "summary"]), &rows)
}

fn show(ctx: &Ctx, name: &str) -> Result<Reply, Trouble> {
    let shown = base(ctx)?.show(&ctx.site()?, name)?;
    known::redacted(ctx, &json!(shown), |data| {
        let text = |key: &str| data[key].as_str().unwrap_or_default().trim_end().to_owned();
        let archived = if shown.archived { ctx.say("package-is-archived") } else { String::new() };
        let head = format!("{} {archived}", text("path"));
        let parts = [head.trim().to_owned(), text("proposal"), text("tasks")];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join("\n\n")
    })
}

fn check(ctx: &Ctx, names: &[String]) -> Result<Reply, Trouble> {
    let all = base(ctx)?.check(&ctx.site()?, names)?;
    let reply = known::redacted(ctx, &json!(all), |_| {
        let mut lines: Vec<String> =
            all.packages.iter().map(|checked| told(ctx, checked)).collect();
        let (total, valid, executable) = (all.total, all.valid, all.executable);
        let counts: [(&str, &dyn std::fmt::Display); 3] =
            [("total", &total), ("valid", &valid), ("executable", &executable)];
        lines.push(ctx.tell("package-checked", &counts));
        lines.join("\n")
    })?;
    Ok(if all.invalid == 0 { reply } else { reply.ended(Exit::FAILED, "invalid") })
}

fn told(ctx: &Ctx, checked: &Checked) -> String {
    let (key, sign) = match (checked.valid, checked.executable) {
        (true, true) => ("package-valid-ready", "✅"),
        (true, false) => ("package-valid", "✅"),
        (false, _) => ("package-invalid", "⛔"),
    };
    let mut lines = vec![format!("{sign} {}", ctx.tell(key, &[("name", &checked.name)]))];
    lines.extend(checked.issues.iter().map(|issue| format!("  ⛔ {issue}")));
    lines.extend(checked.warnings.iter().map(|warning| format!("  ⚠️ {warning}")));
    lines.join("\n")
}

fn new(ctx: &Ctx, feature: &str, kind: Option<&str>, people: People) -> Result<Reply, Trouble> {
    let wish = base(ctx)?.creating(feature, kind)?;
    match ran(ctx, &wish, people)? {
        Ran::Told(reply) => Ok(reply),
        Ran::Done { report, call } => known::redacted(ctx, &data(&report, &call), |_| {
            let word = |key: &str| report["context"][key].as_str().unwrap_or_default().to_owned();
            let made = ctx.tell("package-made", &[("path", &word("path"))]);
            let next = ctx.tell("package-next-check", &[("name", &word("package"))]);
            format!("{made}\n{next}\n{}", undo(ctx, &call))
        }),
    }
}

fn archive(ctx: &Ctx, name: &str, status: Option<&str>, people: People) -> Result<Reply, Trouble> {
    let wish = base(ctx)?.archiving(&ctx.site()?, name, status)?;
    match ran(ctx, &wish, people)? {
        Ran::Told(reply) => Ok(reply),
        Ran::Done { report, call } => known::redacted(ctx, &data(&report, &call), |_| {
            let word = |key: &str| report["context"][key].as_str().unwrap_or_default().to_owned();
            let facts: [(&str, &dyn std::fmt::Display); 3] = [
                ("source", &word("source")),
                ("target", &word("target")),
                ("result", &word("result")),
            ];
            format!("{}\n{}", ctx.tell("package-archived", &facts), undo(ctx, &call))
        }),
    }
}

fn data(report: &Value, call: &str) -> Value {
    let mut data = report.clone();
    data["call"] = json!(call);
    data
}

fn undo(ctx: &Ctx, call: &str) -> String {
    ctx.tell("package-undo", &[("call", &call)])
}
