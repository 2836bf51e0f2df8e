//! What a turn hears of a call: how it ended, what it changed, what it said. Pure facts of its
//! record and its files; whether they prove a step is the machine's to say.

use kernel::agent::{Answer, Spooled};
use kernel::call::{self, DeniedBy, Exit, Failure, Outcome, Prep};
use kernel::hash;
use kernel::turn::{
    Ask, CheckError, CheckResult, CheckVerdict, Closing, CommandRun, Control, Ended, Fault,
    FileChange, Flaw, Payload, Phase, Planned, Spent, StepFacts, split,
};
use serde_json::json;

use super::super::answer;
use super::super::pool::Desk;
use super::run::fault;
use super::{checked, evidence};
use crate::engine::{Left, Scene};
use crate::query;
use crate::turns::{self, Closed, gate, plans};

/// Characters of an agent's words that a step keeps.
pub(super) const CLAIM_CHARS_MAX: usize = 4_000;

/// What the turn hears.
pub(super) fn read(desk: &Desk, scene: &Scene, ask: Option<&Ask>, left: &Left) -> (Ended, Spent) {
    (ended(desk, scene, ask, left), cost(&left.state))
}

fn cost(state: &call::State) -> Spent {
    let told = query::of_call(state).unwrap_or_default();
    Spent {
        tokens: told.tokens_in.sum.saturating_add(told.tokens_out.sum),
        cost_micros: told.cost_micros.sum,
    }
}

fn ended(desk: &Desk, scene: &Scene, ask: Option<&Ask>, left: &Left) -> Ended {
    match &left.state {
        call::State::Denied { by, .. } => Ended::Failed(denied(by)),
        call::State::Undone { .. } => Ended::Failed(fault("E_CONFLICT", "undone")),
        call::State::Settled { outcome, exit, prep, facts, relaunches, .. } => {
            if never(outcome, *relaunches) {
                return Ended::Never;
            }
            let over = Over {
                desk,
                scene,
                call: &left.call,
                argv: &facts.request.argv,
                tool: &facts.request.name,
                exit: exit.as_ref(),
                prep: prep.as_ref(),
            };
            over.settled(ask, outcome)
        }
        call::State::Asked { .. } => Ended::Waits,
        call::State::Allowed { .. } | call::State::Started { .. } => Ended::Allowed,
        call::State::New | call::State::Unknown { .. } | call::State::Undoing { .. } => {
            Ended::Unknown
        }
    }
}

fn denied(by: &DeniedBy) -> Box<Fault> {
    let kind = match by {
        DeniedBy::Policy { .. } => "policy",
        DeniedBy::User { .. } => "user",
        DeniedBy::Timer => "timer",
        DeniedBy::Parent => "parent",
    };
    fault("E_POLICY_DENIED", kind)
}

/// Whether nothing of it happened, so that it may be asked for again. One that was launched again
/// so often in vain has failed like any other.
fn never(outcome: &Outcome, relaunches: u32) -> bool {
    match outcome {
        Outcome::Stopped => true,
        Outcome::Failed(failure) => {
            failure.kind == NOT_APPLIED && relaunches < call::RELAUNCHES_MAX
        }
        Outcome::Ok | Outcome::TimedOut { .. } => false,
    }
}

/// A call that is over.
struct Over<'a> {
    desk: &'a Desk,
    scene: &'a Scene,
    call: &'a str,
    argv: &'a [String],
    tool: &'a str,
    exit: Option<&'a Exit>,
    prep: Option<&'a Prep>,
}

impl Over<'_> {
    fn settled(&self, ask: Option<&Ask>, outcome: &Outcome) -> Ended {
        match ask {
            Some(Ask::Check { .. }) => self.check(outcome),
            Some(Ask::Planner { .. }) => self.well(outcome, || Ok(Payload::Planner(self.plan()?))),
            Some(Ask::Undo { .. }) => self.well(outcome, || Ok(Payload::Undone)),
            Some(Ask::Answer { .. }) => self.well(outcome, || self.answer()),
            Some(Ask::Commit) => self.well(outcome, || self.commit()),
            Some(Ask::Tool { .. } | Ask::Agent { .. } | Ask::Collab { .. } | Ask::Checkpoint)
            | None => self.step(outcome),
        }
    }

    fn well(
        &self,
        outcome: &Outcome,
        payload: impl FnOnce() -> Result<Payload, Box<Fault>>,
    ) -> Ended {
        match self.failed(outcome) {
            Some(fault) => Ended::Failed(fault),
            None => match payload() {
                Ok(payload) => Ended::Ok(Box::new(payload)),
                Err(fault) => Ended::Failed(fault),
            },
        }
    }

    /// Why it failed; none if it went well.
    fn failed(&self, outcome: &Outcome) -> Option<Box<Fault>> {
        let (code, kind, detail) = match outcome {
            Outcome::Ok => return None,
            Outcome::Failed(Failure { code, kind, detail }) => {
                (code.as_str(), kind.as_str(), detail.as_str())
            }
            Outcome::TimedOut { limit } => ("E_TOOL_TIMEOUT", limit.as_str(), ""),
            Outcome::Stopped => ("E_CANCELLED", "stopped", ""),
        };
        let said = self.exit.and_then(|exit| exit.agent.as_ref()).map(|report| &report.answer);
        let (code, kind) = match said {
            // What an agent's stream says of its failure says more than its exit.
            Some(Answer::Failed { error, .. }) => (error.code.as_str(), error.kind.as_str()),
            Some(Answer::Answered { .. }) | None => (code, kind),
        };
        let mut found = fault(code, kind);
        found.signature = signature(code, self.tool, detail);
        if let ("E009", Some(Answer::Failed { error, .. }), Some(exit)) = (code, said, self.exit) {
            let waits = error.retry_after_ms.map(|ms| exit.ended_at.plus(ms));
            found.reset_at = error.reset_at.or(waits);
        }
        Some(found)
    }

    /// A call of a step: what it did counts, however it ended.
    fn step(&self, outcome: &Outcome) -> Ended {
        let mut facts = self.facts();
        if self.tool == call::AGENT {
            facts.files.retain(|one| !self.left_before(&one.file));
        }
        if let Some(mut fault) = self.failed(outcome) {
            fault.done = self.exit.is_some().then(|| Box::new(facts));
            return Ended::Failed(fault);
        }
        if let Some(words) = self.words() {
            let closed = turns::closing(&words);
            facts.bare = matches!(closed, Closed::Bare(_));
            let closing = match closed {
                Closed::Object(closing) | Closed::Bare(closing) => closing,
                Closed::Silent => Closing { control: Control::Done, unchanged: Vec::new() },
                Closed::Wrong(flaw) => {
                    let mut found = fault("E_MODEL", flaw.what.word());
                    found.errors = vec![self.told(&flaw)];
                    found.done = Some(Box::new(facts));
                    return Ended::Failed(found);
                }
            };
            let there = |path: &String| self.desk.plan.root.join(path).is_file();
            facts.unchanged = closing.unchanged.into_iter().filter(there).collect();
            facts.control = closing.control;
            let clean = self.desk.plan.redactor.redact_text(&words);
            facts.note = Some(clean.chars().take(CLAIM_CHARS_MAX).collect());
        }
        Ended::Ok(Box::new(Payload::Step(Box::new(facts))))
    }

    /// Whether a call that the agent asked for left a file as it is: then it is that call's.
    fn left_before(&self, file: &FileChange) -> bool {
        let life = &self.scene.life;
        let step = life.position().and_then(|at| life.body.step(at));
        let mut known = step.iter().flat_map(|step| &step.evidence);
        known.any(|evidence| {
            let mut files = evidence.files_changed.iter();
            files.any(|left| left.path == file.path && left.after == file.after)
        })
    }

    fn facts(&self) -> StepFacts {
        let Some(exit) = self.exit else {
            return StepFacts { call_id: self.call.to_owned(), ..StepFacts::default() };
        };
        let files = evidence::changed(self.desk, &self.scene.life, self.call, (exit, self.prep));
        let digest = match self.desk.mark() {
            Ok(mark) => evidence::digest(&self.scene.life, &files, &mark),
            Err(_) => String::new(),
        };
        let commands = (!self.argv.is_empty()).then(|| CommandRun {
            argv: self.argv.to_vec(),
            exit_code: exit.exit_code,
            duration_ms: exit.ended_at.since(exit.started_at),
        });
        let result_hash = hash::of_json(&json!({
            "exit": exit.exit_code, "done": exit.done, "out": exit.stdout_bytes,
            "err": exit.stderr_bytes, "files": exit.files_changed,
        }));
        StepFacts {
            call_id: self.call.to_owned(),
            exit_code: exit.exit_code,
            result_hash,
            files,
            commands: commands.into_iter().collect(),
            digest,
            ..StepFacts::default()
        }
    }

    /// A command that checks: of a step, or of the whole turn.
    fn check(&self, outcome: &Outcome) -> Ended {
        let (Some(exit), Outcome::Ok | Outcome::Failed(_) | Outcome::TimedOut { .. }) =
            (self.exit, outcome)
        else {
            let found = self.failed(outcome).unwrap_or_else(|| fault("E_IO", "no_exit"));
            return Ended::Failed(found);
        };
        let line = self.line();
        let ran = (exit, self.prep);
        let result = checked::result(self.desk, self.scene, (&line, self.argv), self.call, ran);
        if let Phase::Verifying(_) = self.scene.life.phase {
            return Ended::Ok(Box::new(Payload::Verify(Box::new(result))));
        }
        let facts = self.facts();
        let Some((code, kind)) = self.unproven(&result) else {
            return Ended::Ok(Box::new(Payload::Step(Box::new(facts))));
        };
        let mut found = fault(code, kind);
        found.signature = signature(code, &line, &result.summary);
        found.errors = result.errors;
        found.done = Some(Box::new(facts));
        Ended::Failed(found)
    }

    /// Why a step's own check proves nothing, as those of the whole turn do not: it is red, ran no
    /// test, or stands for something else than when the plan was judged.
    fn unproven(&self, result: &CheckResult) -> Option<(&'static str, &'static str)> {
        let work = self.scene.life.body.work.as_deref();
        let then = work.and_then(|work| work.definitions.get(&result.command));
        let now = result.definition_hash.as_ref();
        if then.zip(now).is_some_and(|(then, now)| then != now) {
            return Some(("E_CONFLICT", "definition_changed"));
        }
        match result.verdict {
            CheckVerdict::Pass => None,
            CheckVerdict::Empty => Some(("E_BUILD_FAIL", "turn.no_tests_ran")),
            CheckVerdict::Unavailable => Some(("E_BUILD_FAIL", "unavailable")),
            CheckVerdict::Fail | CheckVerdict::Moved | CheckVerdict::NotRun => {
                Some(("E_BUILD_FAIL", "check"))
            }
        }
    }

    /// The command as the plan has it.
    fn line(&self) -> String {
        let work = self.scene.life.body.work.as_deref();
        if let (Phase::Verifying(now), Some(work)) = (&self.scene.life.phase, work) {
            let at = usize::try_from(now.index).unwrap_or(usize::MAX);
            if let Some(line) = work.plan.verification.commands.get(at) {
                return line.clone();
            }
        }
        let at = self.scene.life.position();
        let step = at.and_then(|at| self.scene.life.body.step(at));
        let same = |line: &&String| split(line).is_ok_and(|argv| argv == self.argv);
        let own = step.and_then(|step| step.verify.iter().find(same));
        own.map_or_else(|| gate::line(self.argv), Clone::clone)
    }

    fn plan(&self) -> Result<Box<Planned>, Box<Fault>> {
        let words = self.words().ok_or_else(|| fault("E_MODEL", "no_answer"))?;
        let (plan, now) = (&self.desk.plan, self.desk.clock.now());
        let flow = &self.scene.flow;
        let bench = plans::Bench { judge: &plan.judge, flow, root: &plan.root };
        let mut planned = plans::heard(&self.scene.life, &words, now, bench);
        if let (Planned::Unread(flaw), Some(text)) = (&mut planned, self.spooled()) {
            // Whoever reads of the end finds the whole answer there.
            flaw.found = format!("{} (.loop/{})", flaw.found, text.path).trim().to_owned();
        }
        Ok(Box::new(planned))
    }

    /// What is wrong with an agent's words, and where they lie.
    fn told(&self, flaw: &Flaw) -> CheckError {
        let words = [flaw.what.word(), &flaw.path, &flaw.found];
        CheckError {
            file: self.spooled().map(|text| format!(".loop/{}", text.path)),
            line: None,
            column: None,
            message: words
                .into_iter()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
            context: None,
        }
    }

    fn answer(&self) -> Result<Payload, Box<Fault>> {
        let words = self.words().ok_or_else(|| fault("E_MODEL", "no_answer"))?;
        let fit = turns::answered(&self.scene.life, &words, &self.desk.plan.loop_dir);
        fit.map(Payload::Answer).map_err(|_| fault("E_IO", "write"))
    }

    fn commit(&self) -> Result<Payload, Box<Fault>> {
        let told = evidence::payload(self.desk, self.call);
        let commit = told["commit"].as_str().ok_or_else(|| fault("E_IO", "no_exit"))?;
        Ok(Payload::Git { commit: commit.to_owned() })
    }

    /// What an agent answered.
    fn words(&self) -> Option<String> {
        answer::load(&self.desk.plan.loop_dir, self.spooled()?).ok()
    }

    fn spooled(&self) -> Option<&Spooled> {
        answered(self.exit?)
    }
}

/// Where an agent's answer lies, if it gave one.
pub(super) fn answered(exit: &Exit) -> Option<&Spooled> {
    match &exit.agent.as_ref()?.answer {
        Answer::Answered { text, .. } => Some(text),
        Answer::Failed { .. } => None,
    }
}

/// A call of which it was proved that nothing of it happened.
const NOT_APPLIED: &str = "not_applied";

/// Equal for the same failure seen again: numbers in a message differ from run to run.
fn signature(code: &str, tool: &str, detail: &str) -> String {
    let plain: String = detail.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
    hash::of_json(&json!([code, tool, plain]))
}
