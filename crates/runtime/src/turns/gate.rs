//! What policy says of a whole plan: the strictest verdict over its steps and checks, by the one
//! judge that also judges each call, and everything a yes to it would cover. It runs nothing.

use std::collections::BTreeMap;
use std::path::Path;

use kernel::agent::Access;
use kernel::call::{self, Acts};
use kernel::hash;
use kernel::loops::Level;
use kernel::policy::argv::git_writes;
use kernel::policy::grant::{Scope, Subject};
use kernel::policy::{
    Act, Asker, Backing, Command, Judgement, Network, Request, Run, Sandbox, Verdict,
};
use kernel::turn::{
    Detected, Judged, Permission, Plan, Reach, Runner, Source, Step, VerifyMode, split, subject,
};
use serde_json::Value;

use crate::checks::{self, Sources};
use crate::child_env::Extra;
use crate::policy::{Flow, Judge};
use crate::tools;

/// The name of a verdict on what only a person asks for.
const PERSON_ONLY: &str = "person-only";
/// The name of a verdict on what is never asked about.
const HARMLESS: &str = "read";
/// Programs that read a text as commands.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "fish"];
/// What an agent may write: the sandbox holds it to the tree, and nothing to less.
const WHOLE_TREE: &str = "**";

/// Judges a plan: every call of its steps, every agent, every command that checks. Agents are those
/// that do steps which name none.
#[must_use]
pub fn judged(plan: &Plan, agents: &[String], judge: &Judge, flow: &Flow, root: &Path) -> Judged {
    let by = match plan.source {
        Source::File => Asker::Person,
        Source::Planner | Source::Direct => Asker::Agent,
    };
    let mut gate = Gate { judge, flow, by, verdict: allowed(), reach: Reach::default() };
    let open = plan.steps.iter().filter(|step| !step.satisfies());
    let mut lines: Vec<&String> = Vec::new();
    for step in open {
        gate.step(step, agents);
        lines.extend(&step.verify);
    }
    lines.extend(&plan.verification.commands);
    for line in &lines {
        gate.line(line);
    }
    let definitions = definitions(root, lines.into_iter().map(String::as_str));
    let reach = gate.reach.sorted();
    let hash = subject::plan(plan, &reach);
    Judged { verdict: gate.verdict, reach, hash, definitions }
}

/// Judges what an agent's step would do here, whichever of these does it.
#[must_use]
pub fn agent_step(agents: &[String], judge: &Judge, flow: &Flow) -> Judged {
    let by = Asker::Agent;
    let mut gate = Gate { judge, flow, by, verdict: allowed(), reach: Reach::default() };
    for name in agents {
        gate.agent(name, Access::Edit);
    }
    let (reach, verdict) = (gate.reach.sorted(), gate.verdict);
    Judged { verdict, reach, hash: String::new(), definitions: BTreeMap::new() }
}

/// The checks that the tree or the settings have, as a plan names them. Those of other directories
/// than the root have no line that would run them there, and are left out.
#[must_use]
pub fn detected(root: &Path, sources: &Sources) -> Vec<Detected> {
    let checks = if sources.of_verify.is_empty() {
        checks::detect(root, &sources.dirs)
    } else {
        checks::of_settings(&sources.of_verify, sources.timeout_ms)
    };
    let here = checks.iter().filter(|check| check.cwd == ".");
    here.map(|check| Detected { mode: mode(check.level), command: line(&check.argv) }).collect()
}

/// What these commands stand for now, where a file of the tree decides it.
#[must_use]
pub fn definitions<'a>(
    root: &Path,
    lines: impl Iterator<Item = &'a str>,
) -> BTreeMap<String, String> {
    let known = checks::detect(root, &["."]);
    let hash = |text: &str| {
        let argv = split(text).ok()?;
        let check = known.iter().find(|check| check.argv == argv)?;
        Some((text.to_owned(), check.definition_hash.clone()?))
    };
    lines.filter_map(hash).collect()
}

/// The line whose words these are.
#[must_use]
pub fn line(argv: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+%~".contains(c);
    let word = |word: &String| match word {
        word if !word.is_empty() && word.chars().all(plain) => word.clone(),
        word if !word.contains('\'') => format!("'{word}'"),
        word => format!("'{}'", word.replace('\'', "'\\''")),
    };
    argv.iter().map(word).collect::<Vec<_>>().join(" ")
}

const fn mode(level: Level) -> VerifyMode {
    match level {
        Level::Static => VerifyMode::Lint,
        Level::Build => VerifyMode::Build,
        Level::Test => VerifyMode::Test,
        Level::Custom => VerifyMode::Custom,
    }
}

fn allowed() -> Verdict {
    Verdict::Allow { rule: HARMLESS.to_owned() }
}

/// A judgement in the making.
struct Gate<'a> {
    judge: &'a Judge,
    flow: &'a Flow,
    by: Asker,
    verdict: Verdict,
    reach: Reach,
}

impl Gate<'_> {
    fn step(&mut self, step: &Step, agents: &[String]) {
        match step.runner {
            Runner::Tools => {
                for template in &step.tool_calls {
                    self.call(&template.name, &Value::Object(template.args_hint.clone()));
                }
            }
            Runner::Agent => {
                let own = step.agent.as_slice();
                for name in if own.is_empty() { agents } else { own } {
                    self.agent(name, Access::Edit);
                }
            }
            Runner::Collab => self.agent(step.agent.as_deref().unwrap_or("collab"), Access::Read),
        }
    }

    /// A call whose arguments do not fit makes the plan invalid; nothing is said of it here.
    fn call(&mut self, name: &str, args: &Value) {
        let Some(tool) = call::named(name) else { return };
        match tool.acts {
            Acts::Reads | Acts::Changes => {
                let Ok(act) = tools::act_of(tool, args, &self.judge.standing()) else { return };
                let given = Some(hash::of_json(args));
                self.take(&Request { act, by: self.by, given });
            }
            Acts::Runs => {
                let Ok(wanted) = tools::command(args, &Extra::default()) else { return };
                let request = wanted.request;
                let network = network(args);
                let run = Run { network, ..Run::argv(request.argv, &request.cwd) };
                self.run(Run { env_names: request.env_names, ..run });
            }
            Acts::Converges if tool.name == call::CHECKPOINT => {}
            Acts::Converges => self.say(Verdict::Deny { rule: PERSON_ONLY.to_owned() }),
        }
    }

    fn line(&mut self, line: &str) {
        if let Ok(argv) = split(line) {
            self.run(Run::argv(argv, "."));
        }
    }

    fn run(&mut self, run: Run) {
        let word = match &run.command {
            Command::Argv(argv) => argv.first().map_or("", String::as_str),
            Command::Script(_) => "sh",
        };
        let program = self.judge.program(word, &run.cwd);
        self.take(&Request::new(Act::Run(Run { program, ..run }), self.by));
    }

    fn agent(&mut self, name: &str, access: Access) {
        let act = Act::Agent { name: name.to_owned(), access, backing: Backing::None };
        self.take(&Request::new(act, Asker::Agent));
    }

    fn take(&mut self, request: &Request) {
        let found = self.judge.weighed(request, self.flow);
        self.reach(request, &found);
        self.say(found.verdict);
    }

    /// The strictest stays, the first of equals.
    fn say(&mut self, verdict: Verdict) {
        if verdict.word() > self.verdict.word() {
            self.verdict = verdict;
        }
    }

    fn reach(&mut self, request: &Request, found: &Judgement) {
        let reach = &mut self.reach;
        let subject = Subject::of(request, Vec::new());
        let narrow = found.asks.iter().filter(|ask| ask.widest < Scope::Session);
        reach.once_only.extend(narrow.map(|ask| ask.rule.clone()));
        reach.risks.extend(found.ehrb.iter().map(|risk| risk.hash.clone()));
        reach.hosts.extend(subject.hosts);
        reach.paths.extend(subject.paths);
        match &request.act {
            Act::Look { .. } => reach.permissions.push(Permission::FsRead),
            Act::Change { .. } => reach.permissions.push(Permission::FsWrite),
            Act::Delete { .. } => reach.permissions.push(Permission::FsDelete),
            Act::Run(run) => {
                reach.permissions.push(Permission::ProcExec);
                if run.network != Network::None {
                    reach.permissions.push(Permission::NetConnect);
                }
                if found.segments.iter().any(|one| one.program() == "git" && git_writes(&one.words))
                {
                    reach.permissions.push(Permission::GitWrite);
                }
                if shell_text(&subject.argv) {
                    reach.once_only.push("shell".to_owned());
                }
                reach.argv.push(subject.argv);
            }
            Act::Agent { access, .. } => {
                reach.permissions.push(Permission::FsRead);
                if *access != Access::Read {
                    reach.permissions.extend([Permission::FsWrite, Permission::ProcExec]);
                    reach.paths.push(WHOLE_TREE.to_owned());
                }
                match self.judge.standing().sandbox {
                    Sandbox::Held => {}
                    Sandbox::Waived | Sandbox::Absent => {
                        reach.once_only.push("unsandboxed-agent".to_owned());
                    }
                }
            }
        }
    }
}

/// How far the arguments let a command reach.
fn network(args: &Value) -> Network {
    match args.get("network").and_then(Value::as_str) {
        None | Some("none") => Network::None,
        Some("loopback") => Network::Loopback,
        Some(_) => Network::Open,
    }
}

fn shell_text(argv: &[String]) -> bool {
    let shell = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or(word);
        SHELLS.contains(&name)
    };
    argv.first().is_some_and(shell) && argv.iter().any(|word| word == "-c")
}

/// A reach has an order of its own: the same plan is the same subject.
trait Sorted {
    fn sorted(self) -> Self;
}

impl Sorted for Reach {
    fn sorted(mut self) -> Self {
        self.permissions.sort_unstable();
        self.permissions.dedup();
        for list in [&mut self.paths, &mut self.hosts, &mut self.risks, &mut self.once_only] {
            list.sort_unstable();
            list.dedup();
        }
        self.argv.sort_unstable();
        self.argv.dedup();
        self
    }
}
