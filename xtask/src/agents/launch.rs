//! Asks an agent on a stage through the product itself, and waits for its end, its deadline or the
//! moment to kill what it started. The one place that knows how an agent is asked; what came of it
//! is judged elsewhere.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::cli::{Access, Cli, Mentions};
use super::read::{self, Outcome, Told};
use super::server::{HEADER, STARTED};
use super::stage::Stage;

/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long something may live on after its program has ended.
const LINGER: Duration = Duration::from_secs(3);
/// What the product may take beyond the agent's own deadline: starting, stopping, telling.
const AROUND: Duration = Duration::from_secs(60);

/// One launch.
pub struct Order<'a> {
    pub task: &'a str,
    pub access: Access,
    pub resume: Option<&'a str>,
    pub wall: Duration,
    pub stop: Stop,
    /// Which launch of its case, from 1.
    pub number: usize,
}

/// When a launch is ended by us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Only at its deadline.
    AtDeadline,
    /// By SIGKILL of the whole tree, once the model's command has begun.
    InMidTool,
}

/// What came of a launch.
pub struct Ran {
    pub outcome: Outcome,
    pub session: Option<String>,
    pub took: Duration,
    /// What lived on by itself.
    pub survivors: Vec<String>,
}

/// The prompt as it is sent: a line of ours first, and no word of it a mention of a file.
pub fn sent(cli: Cli, task: &str) -> String {
    let mut text = String::with_capacity(task.len());
    for letter in task.chars() {
        let acts = match cli.mentions() {
            Mentions::Nowhere => false,
            Mentions::AtWordStart => text.chars().next_back().is_none_or(char::is_whitespace),
            Mentions::Everywhere => true,
        };
        if letter == '@' && acts {
            text.push('\\');
        }
        text.push(letter);
    }
    format!("{HEADER}{}:\n{text}", cli.name())
}

/// Launches and waits. What the product said stays in `streams`.
pub fn launch(stage: &Stage, order: &Order) -> Result<Ran> {
    let begun = Instant::now();
    let (mut said, mut killed) = asked(stage, order)?;
    // A launch that may change something is asked about first; the harness is the person.
    if let Some(call) = said["data"]["run_id"].as_str().filter(|_| said["data"]["state"] == "Asked")
    {
        let call = call.to_owned();
        stage.product(&["call", "allow", &call, "--json"])?;
        (said, killed) = settled(stage, order, &call)?;
    }
    let took = begun.elapsed();
    let name = format!("{}.{}.{}.json", stage.cli.name(), stage.case, order.number);
    std::fs::write(stage.streams.join(name), format!("{said:#}\n"))?;
    // The engine is of this stage too, and is no survivor.
    stage.product(&["engine", "stop"])?;
    let survivors = linger(stage);
    sweep(stage);
    let Told { outcome, session } = read::read(&said);
    let outcome = if killed { Outcome::Killed } else { outcome };
    Ok(Ran { outcome, session, took, survivors })
}

/// Asks by `agent run`; what it said, and whether what it started was killed meanwhile.
fn asked(stage: &Stage, order: &Order) -> Result<(Value, bool)> {
    let prompt = stage.home.join(format!("prompt.{}", order.number));
    std::fs::write(&prompt, order.task)?;
    let wall = format!("{}s", order.wall.as_secs());
    let mut args = vec!["agent", "run", stage.cli.name(), "-", "--headless", "--json"];
    args.extend(["--access", order.access.word(), "--wall", &wall]);
    args.extend(order.resume.map(|id| ["--resume", id]).into_iter().flatten());
    let mut command = stage.command(&args);
    command.stdin(std::fs::File::open(&prompt)?).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().with_context(|| format!("{command:?}"))?;
    let killed = watch(stage, order, &child)?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let said = serde_json::from_str(&text).with_context(|| {
        format!("{command:?} said {text:?} and {:?}", String::from_utf8_lossy(&output.stderr))
    })?;
    Ok((said, killed))
}

/// Looks at a call that was allowed until it has ended.
fn settled(stage: &Stage, order: &Order, call: &str) -> Result<(Value, bool)> {
    let over = Instant::now() + order.wall + AROUND;
    let mut killed = false;
    loop {
        killed |= kill_in_mid_tool(stage, order);
        let mut said = stage.product(&["call", "show", call, "--json"])?;
        let ended = said["data"]["outcome"].is_string();
        if ended || Instant::now() > over {
            said["data"]["answer"] = answer(stage, &said);
            return Ok((said, killed));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The answer's text lies in a file of its own.
fn answer(stage: &Stage, said: &Value) -> Value {
    let path = &said["data"]["result"]["exit"]["agent"]["answer"]["answered"]["text"]["path"];
    let read =
        path.as_str().map(|path| std::fs::read_to_string(stage.work.join(".loop").join(path)));
    read.and_then(Result::ok).map_or(Value::Null, Value::from)
}

/// Waits for the end of a client; whether what it asked for was killed.
fn watch(stage: &Stage, order: &Order, child: &Child) -> Result<bool> {
    let mut killed = false;
    let over = Instant::now() + order.wall + AROUND;
    let pid = i32::try_from(child.id()).context("a pid")?;
    while runtime::shim::procfs::stat(pid).is_some_and(|stat| !stat.is_dead()) {
        killed |= kill_in_mid_tool(stage, order);
        if Instant::now() > over {
            stage.clear();
        }
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(killed)
}

/// Kills the whole tree of the agent once the model's command has begun; ours stays.
fn kill_in_mid_tool(stage: &Stage, order: &Order) -> bool {
    let now = order.stop == Stop::InMidTool && stage.work.join(STARTED).exists();
    if now {
        stage.clear_but_ours();
    }
    now
}

/// What is still there when whatever wanted to end has had its time.
pub fn linger(stage: &Stage) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let left = stage.living();
        if left.is_empty() || begun.elapsed() > LINGER {
            return left;
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Kills until nobody is left: a tree that is being killed may still grow.
fn sweep(stage: &Stage) {
    while !stage.living().is_empty() {
        stage.clear();
        std::thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mentions_are_marked_and_only_where_they_act() {
        let table = [
            (Cli::Claude, "see @a and b@c\n@d", "see \\@a and b@c\n\\@d"),
            (Cli::Claude, "@", "\\@"),
            (Cli::Gemini, "see @a and b@c", "see \\@a and b\\@c"),
            (Cli::Codex, "see @a", "see @a"),
        ];
        for (cli, task, expected) in table {
            assert_eq!(sent(cli, task), format!("Task for {}:\n{expected}", cli.name()));
        }
    }
}
