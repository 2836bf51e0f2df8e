//! `test-agents`: installs the CLIs, plays every case with each of them and tells what differs.
//! CLIs run beside each other, the cases of one CLI one after the other.

use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::json;

use super::cases::{self, CASES, Case};
use super::check::{self, Evidence};
use super::cli::Cli;
use super::install::{self, Installed, Version};
use super::launch::{self, Order};
use super::report::{self, Row};
use super::server::{self, Seen};
use super::stage::Stage;
use super::turned;
use crate::root::root;

/// What the caller wants.
struct Wanted {
    clis: Vec<Cli>,
    cases: Vec<&'static Case>,
    version: Version,
    then: Then,
}

/// What is done with what is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Play,
    /// Nothing: the cases themselves need no network, so they can be played where there is none.
    Stop,
}

/// `test-agents [CLI…] [--case NAME]… [--latest] [--install-only]`.
///
/// # Errors
/// When something cannot be installed or the disk refuses.
pub fn run(args: &[String]) -> Result<ExitCode> {
    let wanted = wanted(args)?;
    let top = root().join("target/agents");
    let mut clis = Vec::new();
    for cli in &wanted.clis {
        clis.push((*cli, install::install(*cli, wanted.version, &top)?));
    }
    if wanted.then == Then::Stop {
        return Ok(ExitCode::SUCCESS);
    }
    build()?;
    let mut rows = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        let play = |(cli, installed): &(Cli, Installed)| -> Result<Vec<Row>> {
            let play = |case: &&'static Case| {
                let row = one(*cli, case, installed)
                    .with_context(|| format!("{} {}", cli.name(), case.name))?;
                println!("{}", row.line());
                Ok(row)
            };
            wanted.cases.iter().filter(|case| cases::is_for(case, *cli)).map(play).collect()
        };
        let threads: Vec<_> = clis.iter().map(|each| scope.spawn(move || play(each))).collect();
        for thread in threads {
            rows.extend(thread.join().map_err(|_| anyhow::anyhow!("a case panicked"))??);
        }
        Ok(())
    })?;
    println!("\n{}", report::table(&clis, &rows));
    report::write(&top.join("report.json"), &clis, &rows)?;
    let differ = rows.iter().filter(|row| !row.wrong.is_empty()).count();
    println!("\n{} cases, {differ} differ", rows.len());
    Ok(if differ == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the product that the cases go through.
fn build() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--locked", "--package", "loopwright"]).current_dir(root());
    ensure!(command.status().context("cargo build")?.success(), "loopwright does not build");
    Ok(())
}

fn wanted(args: &[String]) -> Result<Wanted> {
    let mut wanted =
        Wanted { clis: vec![], cases: vec![], version: Version::Pinned, then: Then::Play };
    let mut args = args.iter();
    while let Some(word) = args.next() {
        match word.as_str() {
            "--latest" => wanted.version = Version::Latest,
            "--install-only" => wanted.then = Then::Stop,
            "--case" => {
                let name = args.next().context("--case needs a name")?;
                let found = CASES.iter().find(|case| case.name == name);
                wanted.cases.push(found.with_context(|| format!("no such case: {name}"))?);
            }
            name => match Cli::named(name) {
                Some(cli) => wanted.clis.push(cli),
                None => bail!("no such agent or option: {name}"),
            },
        }
    }
    if wanted.clis.is_empty() {
        wanted.clis = Cli::ALL.to_vec();
    }
    if wanted.cases.is_empty() {
        wanted.cases = CASES.iter().collect();
    }
    Ok(wanted)
}

/// Plays one case with one CLI.
fn one(cli: Cli, case: &'static Case, installed: &Installed) -> Result<Row> {
    if case.legs.is_empty() {
        let (row, stage) = turned::one(cli, case, installed)?;
        keep(&stage, &stage.server.seen())?;
        return Ok(row);
    }
    let top = root().join("target/agents");
    let stage = Stage::new(cli, case.name, case.scenarios, installed, &top)?;
    let begun = Instant::now();
    let mut row =
        Row { cli, case: case.name, legs: vec![], took_ms: 0, requests: (0, 0), wrong: vec![] };
    let (mut session, mut earlier): (Option<String>, Vec<cases::Want>) = (None, vec![]);
    for (at, leg) in case.legs.iter().enumerate() {
        let (before, asked) = (stage.files()?, stage.server.seen().len());
        let task = leg.task.words(&stage.home);
        let (number, want) = (at + 1, cases::want(case, at + 1, cli));
        let ran = launch::launch(
            &stage,
            &Order {
                task: &task,
                access: leg.access,
                resume: session.as_deref(),
                wall: cases::wall(case, number, cli),
                stop: leg.stop,
                number,
            },
        )?;
        let seen = stage.server.seen();
        let wrong = check::check(&Evidence {
            cli,
            task: &task,
            want,
            files: leg.files,
            tools: server::tools(case.scenarios, number),
            number,
            session: session.as_deref(),
            ran: &ran,
            before: &before,
            after: &stage.files()?,
            seen: &seen[asked..],
            earlier: &earlier,
        });
        row.legs.push(format!("{:.1} s {:?}", ran.took.as_secs_f64(), ran.outcome));
        row.wrong.extend(wrong.into_iter().map(|wrong| format!("launch {number}: {wrong}")));
        session = session.or(ran.session);
        earlier.push(want);
    }
    row.took_ms = begun.elapsed().as_millis();
    let seen = stage.server.seen();
    let about = seen.iter().filter(|seen| seen.task.is_some()).count();
    row.requests = (about, seen.len() - about);
    keep(&stage, &seen)?;
    Ok(row)
}

/// Keeps what the server was sent, beside the streams.
fn keep(stage: &Stage, seen: &[Seen]) -> Result<()> {
    let name = format!("{}.{}.requests.jsonl", stage.cli.name(), stage.case);
    let mut text = String::new();
    for one in seen {
        let task = one.task.as_ref().map(|task| (task.number, task.done));
        let headers: Vec<String> = one.headers.iter().map(|(n, v)| format!("{n}: {v}")).collect();
        let line = json!({"line": one.line, "task": task, "headers": headers, "body": one.body});
        text.push_str(&line.to_string());
        text.push('\n');
    }
    std::fs::write(stage.streams.join(name), text)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_and_unknown_ones_are_refused() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let table = [
            ("", Some((4, CASES.len()))),
            ("codex --case new --case resume", Some((1, 2))),
            ("--install-only --latest qwen codex", Some((2, CASES.len()))),
            ("cursor", None),
            ("--fast", None),
            ("--case", None),
            ("--case nonsense", None),
        ];
        for (text, expected) in table {
            let got = wanted(&words(text)).ok().map(|got| (got.clis.len(), got.cases.len()));
            assert_eq!(got, expected, "{text}");
        }
    }
}
