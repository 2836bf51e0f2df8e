//! Starts a CLI on a stage and waits for its end, its deadline or the moment to kill it. The one
//! place that knows how an agent is launched; what came of it is judged elsewhere.

use std::fs::File;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use super::cli::{Access, Cli, Mentions};
use super::read::{self, Outcome};
use super::server::{HEADER, STARTED};
use super::stage::Stage;

/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long something may live on after its program has ended.
const LINGER: Duration = Duration::from_secs(3);

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

/// How the wait for a program ended.
enum Ended {
    Itself(ExitStatus),
    Deadline,
    Killed,
}

/// Launches and waits. Raw output stays in `streams`.
pub fn launch(stage: &Stage, order: &Order) -> Result<Ran> {
    let name = format!("{}.{}.{}", stage.cli.name(), stage.case, order.number);
    let file = |kind: &str| stage.streams.join(format!("{name}.{kind}"));
    let prompt = stage.home.join(format!("prompt.{}", order.number));
    std::fs::write(&prompt, sent(stage.cli, order.task))?;
    let mut command = direct(stage, order);
    command.stdin(File::open(&prompt)?);
    command.stdout(File::create(file("stdout"))?).stderr(File::create(file("stderr"))?);
    let begun = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
    let ended = wait(stage, order, &mut child)?;
    let took = begun.elapsed();
    let survivors = match &ended {
        Ended::Itself(_) => linger(stage),
        Ended::Deadline | Ended::Killed => Vec::new(),
    };
    sweep(stage);
    child.wait()?;
    let stdout = std::fs::read(file("stdout"))?;
    let stderr = String::from_utf8_lossy(&std::fs::read(file("stderr"))?).into_owned();
    let told = read::read(stage.cli, &stdout);
    let outcome = match ended {
        Ended::Itself(status) => told.outcome(status.code(), &stderr),
        Ended::Deadline => Outcome::Deadline,
        Ended::Killed => Outcome::Killed,
    };
    Ok(Ran { outcome, session: told.session, took, survivors })
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

/// The CLI itself, with the arguments of its adapter.
fn direct(stage: &Stage, order: &Order) -> Command {
    let mut command = Command::new(&stage.installed.bin);
    command.current_dir(&stage.work).env_clear();
    for name in ["PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command.env("HOME", &stage.home).env("TMPDIR", stage.home.join("tmp"));
    command.envs([("LANG", "C.UTF-8"), ("TERM", "dumb"), ("NO_COLOR", "1")]);
    command.envs(stage.cli.env(&stage.base));
    match stage.cli {
        Cli::Codex => codex(&mut command, stage, order),
        Cli::Claude => claude(&mut command, stage, order),
        Cli::Gemini => gemini(&mut command, stage, order),
        Cli::Qwen => qwen(&mut command, stage, order),
    }
    command
}

fn codex(command: &mut Command, stage: &Stage, order: &Order) {
    command.arg("exec").args(order.resume.map(|_| "resume"));
    command.args(["--json", "--skip-git-repo-check"]);
    let never = ["-c", "approval_policy=\"never\""];
    match order.access {
        Access::Read => command.args(["-c", "sandbox_mode=\"read-only\""]).args(never),
        Access::Edit => command.args(["-c", "sandbox_mode=\"workspace-write\""]).args(never),
        Access::Full => command.arg("--dangerously-bypass-approvals-and-sandbox"),
    };
    command.args(["-m", stage.cli.model()]).args(stage.cli.args(&stage.base));
    command.args(order.resume).arg("-");
}

fn claude(command: &mut Command, stage: &Stage, order: &Order) {
    command.envs([("DISABLE_AUTOUPDATER", "1"), ("CLAUDE_CODE_MAX_RETRIES", "2")]);
    command.args(["-p", "--output-format", "stream-json", "--verbose"]);
    command.args(["--setting-sources", "user"]);
    let mode = |mode| ["--permission-mode", mode, "--disallowedTools"];
    match order.access {
        Access::Read => command.args(mode("dontAsk")).arg("Bash,Edit,Write,NotebookEdit"),
        Access::Edit => command.args(mode("acceptEdits")).arg("Bash"),
        Access::Full => {
            if rustix::process::geteuid().is_root() {
                // It refuses root otherwise. Nothing but the script drives it.
                command.env("IS_SANDBOX", "1");
            }
            command.arg("--dangerously-skip-permissions")
        }
    };
    command.args(["--model", stage.cli.model()]).args(stage.cli.args(&stage.base));
    command.args(order.resume.map(|id| ["--resume", id]).into_iter().flatten());
}

fn gemini(command: &mut Command, stage: &Stage, order: &Order) {
    command.env("GEMINI_CLI_NO_RELAUNCH", "true");
    command.args(["--output-format", "stream-json", "--skip-trust", "--approval-mode"]);
    command.arg(match order.access {
        Access::Read => "default",
        Access::Edit => "auto_edit",
        Access::Full => "yolo",
    });
    command.args(["-m", stage.cli.model()]).args(stage.cli.args(&stage.base));
    command.args(order.resume.map(|id| ["--resume", id]).into_iter().flatten());
}

fn qwen(command: &mut Command, stage: &Stage, order: &Order) {
    command.env("QWEN_CODE_NO_RELAUNCH", "true");
    command.args(["--output-format", "stream-json", "--approval-mode"]);
    command.arg(match order.access {
        Access::Read => "default",
        Access::Edit => "auto-edit",
        Access::Full => "yolo",
    });
    command.args(["--auth-type", "openai", "--model", stage.cli.model()]);
    command.args(stage.cli.args(&stage.base));
    command.args(order.resume.map(|id| ["--resume", id]).into_iter().flatten());
}

fn wait(stage: &Stage, order: &Order, child: &mut Child) -> Result<Ended> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::Itself(status));
        }
        if begun.elapsed() > order.wall {
            return Ok(Ended::Deadline);
        }
        if order.stop == Stop::InMidTool && stage.work.join(STARTED).exists() {
            return Ok(Ended::Killed);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// What is still there when whatever wanted to end has had its time.
fn linger(stage: &Stage) -> Vec<String> {
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
