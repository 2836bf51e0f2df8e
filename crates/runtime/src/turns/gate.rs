//! What policy says of a whole plan: the strictest verdict over its steps and checks, by the one
//! judge that also judges each call, and everything a yes to it would cover. It runs nothing.

use std::collections::BTreeMap;
use std::path::Path;

use kernel::agent::Access;
use kernel::call::{self, Acts};
use kernel::hash;
use kernel::loops::Level;
use kernel::patch::Action;
use kernel::policy::argv::git_writes;
use kernel::policy::grant::{Scope, Subject, WHOLE_TREE};
use kernel::policy::{
    Act, Asker, Backing, Command, Judgement, Network, Request, Run, Sandbox, Touched, Verdict,
};
use kernel::turn::{
    Detected, Judged, Permission, Plan, Reach, Runner, Source, Step, VerifyMode, split, subject,
};
use serde_json::Value;

use crate::checks::{self, Sources};
use crate::child_env::Extra;
use crate::files::Root;
use crate::policy::{Flow, Judge, Standing};
use crate::{change, tools};

/// The name of a verdict on what only a person asks for.
const PERSON_ONLY: &str = "person-only";
/// The name of a verdict on what is never asked about.
const HARMLESS: &str = "read";
/// Programs that read a text as commands.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "zsh", "ksh", "fish"];

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
    let mut definitions = definitions(root, lines.into_iter().map(String::as_str));
    definitions.extend(super::granted::programs(plan, judge));
    definitions.extend(files(plan, root));
    let reach = gate.reach.sorted();
    let hash = subject::plan(plan, &reach);
    Judged { verdict: gate.verdict, reach, hash, definitions }
}

/// Judges what an agent's step would do here, whichever of these does it and whoever stands behind.
#[must_use]
pub fn agent_step(agents: &[String], judge: &Judge, flow: &Flow, backing: Backing) -> Judged {
    let by = Asker::Agent;
    let mut gate = Gate { judge, flow, by, verdict: allowed(), reach: Reach::default() };
    for name in agents {
        gate.agent(name, Access::Edit, backing);
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
    let here = checks.iter().filter(|check| check.cwd == "." && check.required);
    here.map(|check| Detected { mode: mode(check.level), command: line(&check.argv) }).collect()
}

/// What these commands stand for now, where a file of the tree decides it.
#[must_use]
pub fn definitions<'a>(
    root: &Path,
    lines: impl Iterator<Item = &'a str>,
) -> BTreeMap<String, String> {
    let hash = |text: &str| {
        let argv = split(text).ok()?;
        Some((text.to_owned(), checks::definition(root, ".", &argv)?))
    };
    lines.filter_map(hash).collect()
}

/// Before a path, among what a plan was judged with.
const FILE: &str = "file ";

/// The hash that a file had when the plan was judged, if the plan changes it.
#[must_use]
pub fn file_then<'a>(definitions: &'a BTreeMap<String, String>, path: &str) -> Option<&'a String> {
    definitions.get(&format!("{FILE}{path}"))
}

/// What the files that the plan's own calls change hold now: a yes to it is one to changing these.
fn files(plan: &Plan, root: &Path) -> BTreeMap<String, String> {
    let Ok(root) = Root::open(root) else { return BTreeMap::new() };
    let open = plan.steps.iter().filter(|step| !step.satisfies());
    let calls = open.flat_map(|step| &step.tool_calls);
    let read = calls.filter_map(|template| {
        let tool = call::named(&template.name).filter(|tool| tool.acts == Acts::Changes)?;
        let args = Value::Object(template.args_hint.clone());
        change::read_now(&root, tool.name, &args).ok()
    });
    read.flatten().map(|(path, hash)| (format!("{FILE}{path}"), hash.to_string())).collect()
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
                    self.agent(name, Access::Edit, Backing::None);
                }
            }
            Runner::Collab => {
                let name = step.agent.as_deref().unwrap_or("collab");
                self.agent(name, Access::Read, Backing::None);
            }
        }
    }

    /// A call whose arguments do not fit makes the plan invalid; nothing is said of it here.
    fn call(&mut self, name: &str, args: &Value) {
        let Some(tool) = call::named(name) else { return };
        match tool.acts {
            Acts::Reads | Acts::Changes => {
                let standing = self.judge.standing();
                let Ok(act) = tools::act_of(tool, args, &standing) else { return };
                let given = Some(hash::of_json(args));
                let gone = gone(&act, tool.name, args, &standing);
                for act in std::iter::once(act).chain(gone) {
                    self.take(&Request { act, by: self.by, given: given.clone() });
                }
            }
            Acts::Runs => {
                let Ok(wanted) = tools::command(args, &Extra::default(), tools::Limits::default())
                else {
                    return;
                };
                let request = wanted.request;
                let network = network(args);
                let run = Run { network, ..Run::argv(request.argv, &request.cwd) };
                self.run(Run { env_names: request.env_names, ..run });
            }
            Acts::Converges if tool.name == call::CHECKPOINT => {}
            Acts::Converges | Acts::Arranges | Acts::Commits => {
                self.say(Verdict::Deny { rule: PERSON_ONLY.to_owned() });
            }
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

    fn agent(&mut self, name: &str, access: Access, backing: Backing) {
        let act = Act::Agent { name: name.to_owned(), access, backing };
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
                    // The sandbox holds it to the tree, and nothing to less.
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

/// What a patch that also changes files deletes: that is asked about on its own.
fn gone(act: &Act, name: &str, args: &Value, standing: &Standing) -> Option<Act> {
    let Act::Change { .. } = act else { return None };
    let touched = change::touched(name, args).ok()?;
    let deleted = touched.iter().filter(|(_, action)| *action == Action::Delete);
    let paths: Vec<Touched> = deleted.map(|(rel, _)| standing.touched(rel.as_str())).collect();
    (!paths.is_empty()).then_some(Act::Delete { paths })
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

#[cfg(test)]
mod tests {
    use kernel::machine::At;
    use kernel::policy::{Rules, Trust, Word};
    use kernel::turn::{
        Drafted, DraftedStep, Made, OnFailure, Risk, ToolCallTemplate, VerificationPolicy, risk_of,
    };
    use serde_json::json;

    use super::*;

    /// Calls and checks; verdict, a reason why a yes cannot last, risk.
    type Case<'a> = (&'a [(&'a str, Value)], &'a [&'a str], Word, &'a str, Risk);

    fn trusted(root: &Path) -> Judge {
        let standing = Standing {
            trust: Trust::Trusted,
            sandbox: Sandbox::Held,
            rules: Rules::built_in(),
            ..Standing::unknown(root, Path::new("/home/nobody"))
        };
        Judge::fixed(standing)
    }

    fn plan(calls: &[(&str, Value)], checks: &[&str]) -> Plan {
        let template = |(name, args): &(&str, Value)| ToolCallTemplate {
            name: (*name).to_owned(),
            args_hint: args.as_object().cloned().unwrap_or_default(),
            why: None,
        };
        let runner = if calls.is_empty() { Runner::Agent } else { Runner::Tools };
        let step = DraftedStep {
            title: "t".to_owned(),
            tool_calls: calls.iter().map(template).collect(),
            runner: Some(runner),
            ..DraftedStep::default()
        };
        let commands: Vec<String> = checks.iter().map(|line| (*line).to_owned()).collect();
        let mode = if commands.is_empty() { VerifyMode::None } else { VerifyMode::Test };
        let drafted = Drafted {
            goal: "g".to_owned(),
            title: None,
            constraints: Vec::new(),
            assumptions: Vec::new(),
            risks: Vec::new(),
            steps: vec![step],
            verification: Some(VerificationPolicy {
                mode,
                required: !commands.is_empty(),
                commands,
                stop_on_fail: true,
            }),
            risk_level: None,
            on_failure: None,
            plan_id: None,
            created_at: None,
            version: None,
            source: None,
        };
        drafted.make(&Made {
            plan_id: "plan-1".to_owned(),
            at: At(1),
            source: Source::Planner,
            request: "g",
            constraints: &[],
            given: None,
            detected: &[],
            on_failure: OnFailure::Stop,
        })
    }

    #[test]
    fn the_strictest_verdict_is_the_plans() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("Cargo.toml"), "[package]\n").unwrap();
        let (judge, flow) = (trusted(dir.path()), Flow::default());
        let known = detected(dir.path(), &Sources { dirs: vec![".".into()], ..Sources::default() });
        let write = json!({ "path": "a.txt", "text": "x", "mode": "create" });
        let mixed =
            "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n--- a/b\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n";
        let agent: &[(&str, Value)] = &[];
        let table: [Case<'_>; 9] = [
            (&[("read", json!({ "path": "a" }))], &[], Word::Allow, "", Risk::Low),
            (&[("write", write)], &[], Word::Ask, "", Risk::Medium),
            (
                &[("delete", json!({ "path": "a", "expect": "0".repeat(64) }))],
                &[],
                Word::Ask,
                "delete-asks",
                Risk::High,
            ),
            (
                &[("apply_patch", json!({ "diff": mixed }))],
                &[],
                Word::Ask,
                "delete-asks",
                Risk::High,
            ),
            (
                &[("write", json!({ "path": ".git/config", "text": "x", "mode": "create" }))],
                &[],
                Word::Deny,
                "",
                Risk::Medium,
            ),
            (&[("undo", json!({ "call": "call-1" }))], &[], Word::Deny, "", Risk::Low),
            (&[("run", json!({ "script": "make it" }))], &[], Word::Ask, "shell", Risk::High),
            (agent, &["cargo test --workspace"], Word::Ask, "", Risk::Medium),
            (agent, &["make all"], Word::Ask, "", Risk::High),
        ];
        for (calls, checks, word, once, risk) in table {
            let plan = plan(calls, checks);
            let found = judged(&plan, &["codex".to_owned()], &judge, &flow, dir.path());
            assert_eq!(found.verdict.word(), word, "{calls:?} {checks:?} {found:?}");
            assert_eq!(risk_of(&found.reach, &known), risk, "{calls:?} {found:?}");
            assert_eq!(found.hash, subject::plan(&plan, &found.reach));
            let named = once.is_empty() || found.reach.once_only.iter().any(|one| one == once);
            assert!(named, "{once}: {found:?}");
            assert_eq!(judged(&plan, &["codex".to_owned()], &judge, &flow, dir.path()), found);
        }
    }

    #[test]
    fn a_script_of_the_tree_has_a_definition() {
        let dir = tempfile::tempdir().unwrap();
        let script = |text: &str| {
            let json = json!({ "scripts": { "test": text } });
            std::fs::write(dir.path().join("package.json"), json.to_string()).unwrap();
            definitions(dir.path(), ["npm test", "npm run test", "make"].into_iter())
        };
        let (one, other) = (script("jest"), script("true"));
        assert_eq!(one.len(), 2, "both start the script: {one:?}");
        assert_ne!(one, other, "another script is another meaning");
    }

    #[test]
    fn a_line_has_the_words_it_was_made_of() {
        for argv in [vec!["a", "b c"], vec!["sh", "-c", "x; y 'z'"], vec!["a", ""]] {
            let argv: Vec<String> = argv.into_iter().map(str::to_owned).collect();
            assert_eq!(split(&line(&argv)).unwrap(), argv);
        }
    }
}
