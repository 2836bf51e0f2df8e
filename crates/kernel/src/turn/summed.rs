//! The summary of a turn, drawn from what it recorded and from what was seen of its calls. An agent
//! may add words to it, never facts. Warnings and next steps are keys; their sentences are made
//! elsewhere.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::evidence::{CheckError, CheckVerdict};
use super::plan::{Status, Step, VerifyMode};
use super::setup::Mode;
use super::state::{GitResult, Life, Outcome, Over, Phase, Verified, Work};
use super::summary::{ChangedFile, PullRequest, Rollback, Summary, TurnUsage, VerifiedBy};

/// Characters of a pull request's title: what lists show.
const TITLE_MAX: usize = 72;
/// Lines that tell why a turn stopped: the rest is in the record of its checks.
const BLOCKERS_MAX: usize = 4;

/// What only the hands can tell of a turn.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Seen {
    /// Files as they are now against what they were.
    pub changed: Vec<ChangedFile>,
    /// The weakest promise of taking it back, as its calls declare it.
    pub undo_level: String,
    /// Calls of which nobody can tell whether they happened.
    pub unknown_calls: Vec<String>,
    /// Tokens read and written, and cost, as far as agents told them.
    pub tokens: (u64, u64),
    /// What it cost; none = not told.
    pub cost_usd: Option<f64>,
    /// The message that a commit would have.
    pub commit_message: String,
    /// The text that a pull request would have.
    pub pull_request: String,
}

/// Why a reader should look twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Warning {
    NotVerified,
    VerificationFailed,
    RequiredFailed,
    NoTestsRan,
    BareWord,
    ContextCut,
    OutcomeUnknown,
    NotCommitted,
}

impl Warning {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::NotVerified => "not_verified",
            Self::VerificationFailed => "verification_failed",
            Self::RequiredFailed => "required_failed",
            Self::NoTestsRan => "no_tests_ran",
            Self::BareWord => "bare_word",
            Self::ContextCut => "context_cut",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::NotCommitted => "not_committed",
        }
    }
}

/// The summary of a turn whose outcome stands; none before that.
#[must_use]
pub fn summed(life: &Life, seen: &Seen) -> Option<Summary> {
    let (outcome, verified) = if let Phase::Summarizing(now) = &life.phase {
        (&now.outcome, now.verified)
    } else if let Phase::Done(over) = &life.phase {
        (&over.outcome, over.verified)
    } else {
        return None;
    };
    let start = &life.body.start;
    let work = life.body.work.as_deref();
    let plan = work.map(|work| &work.plan);
    let goal = plan.map_or(&start.request, |plan| &plan.goal);
    let warnings = warnings(life, work, verified, seen);
    Some(Summary {
        outcome: outcome.word().to_string(),
        goal: goal.clone(),
        changed: seen.changed.clone(),
        why: why(life, work),
        verified: VerifiedBy { state: verified, ..checked(work) },
        warnings: warnings.into_iter().map(|one| one.word().to_string()).collect(),
        risks: plan.map(|plan| plan.risks.clone()).unwrap_or_default(),
        rollback: rollback(&start.id, seen),
        manual_steps: left(life, outcome, work),
        unknown_calls: seen.unknown_calls.clone(),
        next_steps: next(&start.id, outcome, work),
        usage: TurnUsage {
            calls: life.body.ledger.calls,
            tokens_in: seen.tokens.0,
            tokens_out: seen.tokens.1,
            cost_usd: seen.cost_usd,
            active_ms: life.body.clock.active_ms,
        },
        commit_message: seen.commit_message.clone(),
        pr: PullRequest { title: title(goal), body: seen.pull_request.clone() },
    })
}

/// A summary that was kept, with what came after it: it is made before the change is committed, so
/// that it can't tell of a commit that failed.
#[must_use]
pub fn settled(mut summary: Summary, over: &Over) -> Summary {
    let word = Warning::NotCommitted.word();
    if uncommitted(over) && !summary.warnings.iter().any(|one| one == word) {
        summary.warnings.push(word.to_string());
    }
    summary
}

/// Whether a commit was wanted and could not be made.
const fn uncommitted(over: &Over) -> bool {
    match &over.git {
        Some(GitResult::Failed { .. }) => true,
        Some(GitResult::Committed { .. } | GitResult::Declined) | None => false,
    }
}

fn title(goal: &str) -> String {
    let line = goal.lines().next().unwrap_or_default();
    line.chars().take(TITLE_MAX).collect()
}

/// Why the steps that were done were done; where there are none, what was wanted.
fn why(life: &Life, work: Option<&Work>) -> String {
    let steps = work.map(|work| work.plan.steps.as_slice()).unwrap_or_default();
    let done = steps.iter().filter(|step| step.status == Status::Done);
    let intents: Vec<&str> =
        done.map(|step| step.intent.trim()).filter(|intent| !intent.is_empty()).collect();
    if intents.is_empty() {
        return life.body.start.expected_output.clone().unwrap_or_default();
    }
    intents.join("; ")
}

/// The commands of the last round that ran, and the digest that they speak of.
fn checked(work: Option<&Work>) -> VerifiedBy {
    let results = work.and_then(|work| work.rounds.last()).map(|round| round.results.as_slice());
    let ran = results.unwrap_or_default().iter();
    let ran = ran.filter(|one| one.verdict != CheckVerdict::NotRun);
    let commands = ran.clone().map(|one| one.command.clone()).collect();
    let digest = ran.map(|one| &one.digest).rfind(|digest| !digest.is_empty()).cloned();
    VerifiedBy { state: Verified::Skipped, commands, digest }
}

fn warnings(life: &Life, work: Option<&Work>, verified: Verified, seen: &Seen) -> Vec<Warning> {
    let mut found = Vec::new();
    let wrote = life.body.start.mode == Mode::Write && !seen.changed.is_empty();
    let unchecked = work.is_none_or(|work| work.plan.verification.mode == VerifyMode::None);
    if wrote && verified == Verified::Skipped && unchecked {
        found.push(Warning::NotVerified);
    }
    if verified == Verified::Failed {
        let required = work.is_some_and(|work| work.plan.verification.required);
        found.push(if required { Warning::RequiredFailed } else { Warning::VerificationFailed });
    }
    let last = work.and_then(|work| work.rounds.last());
    let empty = last
        .is_some_and(|round| round.results.iter().any(|one| one.verdict == CheckVerdict::Empty));
    if empty {
        found.push(Warning::NoTestsRan);
    }
    if work.is_some_and(|work| work.bare) {
        found.push(Warning::BareWord);
    }
    if work.is_some() && life.body.pack.is_none() {
        found.push(Warning::ContextCut);
    }
    if !seen.unknown_calls.is_empty() {
        found.push(Warning::OutcomeUnknown);
    }
    if let Phase::Done(over) = &life.phase
        && uncommitted(over)
    {
        found.push(Warning::NotCommitted);
    }
    found
}

fn rollback(id: &str, seen: &Seen) -> Vec<Rollback> {
    if seen.changed.is_empty() {
        return Vec::new();
    }
    let covers = seen.changed.iter().map(|one| one.path.clone()).collect();
    let command = format!("loopwright undo {id}");
    Vec::from([Rollback { command, covers, level: seen.undo_level.clone() }])
}

/// What stopped it, and what a person would have to do by hand for the plan to be whole.
fn left(life: &Life, outcome: &Outcome, work: Option<&Work>) -> Vec<String> {
    let steps = work.map(|work| work.plan.steps.as_slice()).unwrap_or_default();
    match outcome {
        Outcome::Blocked { code, detail, step } => {
            let open = steps.iter().filter(|step| !Step::satisfies(step));
            let open = open.map(|step| format!("{}: {}", step.step_id, step.title));
            let step = step.as_ref().and_then(|id| work?.plan.step(id));
            let stopped = [code, detail].map(String::as_str).join(" ");
            let stopped = String::from(stopped.trim_end());
            let place = step.map(|step| format!(" ({})", step.step_id)).unwrap_or_default();
            let why = blocker(life, work, step).join("; ");
            let why = if why.is_empty() { why } else { format!(": {why}") };
            core::iter::once(format!("{stopped}{place}{why}")).chain(open).collect()
        }
        Outcome::Completed
        | Outcome::Answered
        | Outcome::Denied { .. }
        | Outcome::Cancelled { .. } => Vec::new(),
    }
}

/// Why it stopped, as far as it was seen: what was wrong with the plan, what the step failed with,
/// or what the last checks found.
fn blocker(life: &Life, work: Option<&Work>, step: Option<&Step>) -> Vec<String> {
    if let Some(rejected) = &life.body.rejected {
        return Vec::from([rejected.clone()]);
    }
    if let Some(error) = step.and_then(|step| step.error.as_ref()) {
        return first_line(error.detail.clone()).into_iter().collect();
    }
    let results = work.and_then(|work| work.rounds.last()).map(|round| round.results.as_slice());
    let red = results.unwrap_or_default().iter().filter(|one| match one.verdict {
        CheckVerdict::Pass | CheckVerdict::NotRun => false,
        CheckVerdict::Fail
        | CheckVerdict::Empty
        | CheckVerdict::Moved
        | CheckVerdict::Unavailable => true,
    });
    let told = red.flat_map(|one| {
        let command = core::iter::once(one.command.clone());
        command.chain(one.errors.iter().map(place))
    });
    told.filter_map(first_line).take(BLOCKERS_MAX).collect()
}

/// The first line of a text; none of an empty one.
fn first_line(text: String) -> Option<String> {
    let line = text.lines().next().unwrap_or_default().trim();
    (!line.is_empty()).then(|| String::from(line))
}

/// `file:line: message`
fn place(error: &CheckError) -> String {
    match (&error.file, error.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", error.message),
        (Some(file), None) => format!("{file}: {}", error.message),
        (None, _) => error.message.clone(),
    }
}

/// Commands that go on from here.
fn next(id: &str, outcome: &Outcome, work: Option<&Work>) -> Vec<String> {
    match outcome {
        Outcome::Completed | Outcome::Answered => Vec::new(),
        Outcome::Blocked { .. } | Outcome::Denied { .. } | Outcome::Cancelled { .. } => {
            work.map(|_| format!("loopwright turn continue {id}")).into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use alloc::boxed::Box;

    use super::super::evidence::CheckResult;
    use super::super::plan::StepError;
    use super::super::samples::sample_states;
    use super::super::state::{Ending, Round, State, Summing};
    use super::*;

    fn sample(name: &str) -> State {
        sample_states().into_iter().find(|(one, _)| *one == name).expect("a sample").1
    }

    fn seen() -> Seen {
        let path = "src/list.rs".to_string();
        let changed = ChangedFile { path, action: "modified".into(), added: 18, removed: 2 };
        Seen { changed: vec![changed], undo_level: "Exact".into(), ..Seen::default() }
    }

    #[test]
    fn a_whole_turn_tells_what_it_did() {
        let state = sample("summarizing");
        let summary = summed(state.life().expect("begun"), &seen()).expect("an outcome");
        assert_eq!(
            (summary.outcome.as_str(), summary.goal.as_str()),
            ("completed", "Add --json to list")
        );
        assert_eq!(summary.verified.commands, ["cargo test"]);
        assert_eq!(
            (summary.verified.state, summary.verified.digest),
            (Verified::Passed, Some("d".into()))
        );
        assert_eq!(summary.rollback[0].command, "loopwright undo turn-sample");
        assert_eq!((summary.warnings, summary.next_steps), (vec![], vec![]));
    }

    #[test]
    fn what_is_not_whole_is_never_told_as_such() {
        let state = sample("summarizing, cancelled");
        let summary = summed(state.life().expect("begun"), &Seen::default()).expect("an outcome");
        assert_eq!((summary.outcome.as_str(), summary.rollback.len()), ("cancelled", 0));
        let mut life = sample("summarizing").life().cloned().expect("begun");
        if let Phase::Summarizing(now) = &mut life.phase {
            now.verified = Verified::Skipped;
            let (code, detail) = ("E_IO".into(), String::new());
            now.outcome = Outcome::Blocked { code, detail, step: None };
        }
        let work = life.body.work.as_mut().expect("a plan");
        work.plan.steps[1].status = Status::Pending;
        work.plan.verification = super::super::plan::VerificationPolicy::none();
        let unknown = Seen { unknown_calls: vec!["call-9".into()], ..seen() };
        let summary = summed(&life, &unknown).expect("an outcome");
        assert_eq!(summary.manual_steps, ["E_IO", "s2: s2"]);
        assert_eq!(summary.warnings, ["not_verified", "outcome_unknown"]);
        assert_eq!(summary.next_steps, ["loopwright turn continue turn-sample"]);
    }

    /// A blocked turn named the steps that were left, and not what had stopped it; of a required
    /// check that was red it said that it was not required.
    #[test]
    fn reg_a_blocked_turn_says_what_stopped_it() {
        let mut life = sample("verifying").life().cloned().expect("begun");
        let blocked = |code: &str, detail: &str, step: Option<&str>| Summing {
            outcome: Outcome::Blocked {
                code: code.into(),
                detail: detail.into(),
                step: step.map(String::from),
            },
            verified: Verified::Failed,
            answer: None,
            summary: None,
            stage: Ending::Drafting,
        };
        let work = life.body.work.as_mut().expect("a plan");
        let errors = vec![CheckError {
            file: Some("src/list.rs".into()),
            line: Some(3),
            column: None,
            message: "expected `;`\n  more".into(),
            context: None,
        }];
        let red = CheckResult {
            verdict: CheckVerdict::Fail,
            errors,
            ..CheckResult::not_run("cargo test")
        };
        work.rounds = vec![Round { round: 1, results: vec![red] }];
        life.phase = Phase::Summarizing(Box::new(blocked("E_BUILD_FAIL", "check", None)));
        let told = |life: &Life| summed(life, &Seen::default()).expect("an outcome");
        assert_eq!(
            told(&life).manual_steps,
            ["E_BUILD_FAIL check: cargo test; src/list.rs:3: expected `;`"]
        );
        assert_eq!(told(&life).warnings, ["required_failed"]);
        let work = life.body.work.as_mut().expect("a plan");
        (work.plan.verification.required, work.bare) = (false, true);
        assert_eq!(told(&life).warnings, ["verification_failed", "bare_word"]);
        let work = life.body.work.as_mut().expect("a plan");
        let step = &mut work.plan.steps[0];
        let (code, kind) = ("E_IO".into(), "busy".into());
        step.error = Some(StepError { code, kind, detail: "the disk is busy".into() });
        step.status = Status::Pending;
        life.phase = Phase::Summarizing(Box::new(blocked("E_IO", "busy", Some("s1"))));
        assert_eq!(told(&life).manual_steps, ["E_IO busy (s1): the disk is busy", "s1: s1"]);
        life.body.rejected = Some("not_json: line 3, column 2: oops".into());
        life.phase = Phase::Summarizing(Box::new(blocked("E_MODEL", "not_json", None)));
        let told = told(&life).manual_steps;
        assert_eq!(told[0], "E_MODEL not_json: not_json: line 3, column 2: oops");
    }

    #[test]
    fn a_commit_that_failed_is_told_by_what_was_kept_before_it_too() {
        let kept = summed(sample("summarizing").life().expect("begun"), &seen()).expect("one");
        let mut life = sample("done").life().cloned().expect("begun");
        let table = [
            (None, 0),
            (Some(GitResult::Declined), 0),
            (Some(GitResult::Committed { commit: "c".into() }), 0),
            (Some(GitResult::Failed { code: "E_CONFLICT".into() }), 1),
        ];
        for (git, warned) in table {
            let Phase::Done(over) = &mut life.phase else { panic!("done") };
            over.git = git;
            let told = settled(settled(kept.clone(), over), over);
            let of = |all: &[String]| all.iter().filter(|one| *one == "not_committed").count();
            assert_eq!(of(&told.warnings), warned);
            let drawn = summed(&life, &seen()).expect("an outcome");
            assert_eq!(of(&drawn.warnings), warned);
        }
    }

    #[test]
    fn there_is_no_summary_before_the_end() {
        for (name, state) in sample_states() {
            let Some(life) = state.life() else { continue };
            let ends = matches!(life.phase, Phase::Summarizing(_) | Phase::Done(_));
            assert_eq!(summed(life, &Seen::default()).is_some(), ends, "{name}");
        }
    }
}
