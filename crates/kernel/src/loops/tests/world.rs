//! A loop under test: says commands, keeps the facts, and makes the results of legs.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::samples::{sample_check, sample_settings};
use super::super::*;
use crate::call::Failure;
use crate::machine::{At, By, Refusal as _, Said};
use crate::policy::grant::Pin;

pub(super) struct World {
    pub(super) state: State,
    pub(super) at: u64,
    pub(super) events: Vec<Event>,
    pub(super) times: Vec<At>,
}

/// How an auto loop under test is set up.
pub(super) struct Setup {
    pub(super) tasks: usize,
    pub(super) max_iterations: u32,
    pub(super) mode: Mode,
    pub(super) settings: Settings,
    pub(super) checks: Vec<Check>,
    pub(super) driver: Driver,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            tasks: 1,
            max_iterations: 10,
            mode: Mode::Auto,
            settings: sample_settings(),
            checks: vec![sample_check()],
            driver: Driver::Engine,
        }
    }
}

pub(super) fn bash_task(n: usize) -> NewTask {
    NewTask {
        task_id: format!("task-{n}-0000abcd"),
        description: format!("Step {n}"),
        tool: "bash".into(),
        mode: TaskMode::Write,
        prompt_template: None,
        command: Some(format!("make step{n}")),
        run: Some(Run::Argv(vec!["make".into(), format!("step{n}")])),
        on_error: None,
        origin: Origin::Queue,
        pin: Pin::default(),
    }
}

impl World {
    pub(super) fn new(max_iterations: u32) -> Self {
        let mut world = Self { state: State::New, at: 1_000, events: vec![], times: vec![] };
        world.ok(Command::Create {
            id: "loop-test".into(),
            title: "Test".into(),
            description: "Prove it".into(),
            max_iterations,
            max_iterations_ceiling: 1000,
            parent: None,
        });
        world
    }

    /// A loop with these tasks, before its Start.
    pub(super) fn made(setup: &Setup) -> Self {
        let mut world = Self::new(setup.max_iterations);
        for n in 1..=setup.tasks {
            world.ok(Command::AddTask { task: bash_task(n), place: Place::Last });
        }
        world
    }

    pub(super) fn started(setup: Setup) -> Self {
        let mut world = Self::made(&setup);
        world.ok(start(&setup));
        world
    }

    pub(super) fn say(&mut self, by: By, command: Command) -> Result<Vec<&'static str>, Refusal> {
        self.at += 1_000;
        let said = Said { by, at: At(self.at), command };
        let events = decide(&self.state, &said)?;
        for event in &events {
            evolve(&mut self.state, event, said.at);
        }
        let names = events.iter().map(Event::name).collect();
        self.times.extend(events.iter().map(|_| said.at));
        self.events.extend(events);
        Ok(names)
    }

    #[track_caller]
    pub(super) fn ok(&mut self, command: Command) -> Vec<&'static str> {
        let by = if command.is_engines() { By::Engine } else { By::Person };
        self.say(by, command).expect("accepted")
    }

    #[track_caller]
    pub(super) fn refused(&mut self, by: By, command: Command) -> &'static str {
        let before = self.state.clone();
        let refusal = self.say(by, command).expect_err("refused");
        assert_eq!(before, self.state, "a refusal changes nothing");
        refusal.reason()
    }

    pub(super) fn life(&self) -> &Life {
        self.state.life().expect("alive")
    }

    pub(super) fn body(&self) -> &Body {
        &self.life().body
    }

    pub(super) fn work(&self) -> &Work {
        self.body().work().expect("ready")
    }

    pub(super) fn action(&self) -> &Action {
        self.life().phase.action().expect("an action")
    }

    pub(super) fn leg(&self) -> (u32, Leg) {
        let action = self.action();
        (action.n, action.leg().expect("a leg").clone())
    }

    #[track_caller]
    pub(super) fn began(&mut self) -> Vec<&'static str> {
        let (n, leg) = self.leg();
        let child = format!("call-{n}-{}", leg.word());
        self.ok(Command::LegBegan { n, leg, child, head: None })
    }

    #[track_caller]
    pub(super) fn end(&mut self, end: LegEnd) -> Vec<&'static str> {
        let (n, leg) = self.leg();
        self.ok(Command::LegEnded { n, leg, end })
    }

    /// Ends the present leg well, whatever it is.
    #[track_caller]
    pub(super) fn good(&mut self) -> Vec<&'static str> {
        let (_, leg) = self.leg();
        let gave = match leg {
            Leg::Work => worked(),
            Leg::Check(_) => Gave::Check(Box::new(report(Verdict::Passed, 3, 0))),
            Leg::Seal => Gave::Digest("tree".into()),
            Leg::Breakdown => Gave::Tasks(vec![bash_task(71), bash_task(72), bash_task(73)]),
            Leg::Explore => Gave::Hypotheses(vec![hypothesis("src/a.rs:f:1", 2)]),
            Leg::Instrument => Gave::Instrumented { files_changed: vec!["src/a.rs".into()] },
            Leg::Reproduce => Gave::Reproduced(Box::default()),
            Leg::Analyze => Gave::Analysis(self.undecided()),
            Leg::Restore => restored(false, &[]),
        };
        self.end(LegEnd::Ok(gave))
    }

    /// A verdict that decides nothing, for each hypothesis.
    pub(super) fn undecided(&self) -> Vec<Found> {
        let all = self.work().debug.hypotheses.iter();
        all.map(|one| found(&one.id, HypothesisStatus::Inconclusive, false)).collect()
    }

    #[track_caller]
    pub(super) fn bad(&mut self) -> Vec<&'static str> {
        self.end(failed())
    }

    /// Words that say where it stands and why.
    pub(super) fn standing(&self) -> String {
        match self.state.life().map(|life| &life.phase) {
            Some(Phase::Paused(paused)) => format!("paused({})", paused.reason.word()),
            Some(Phase::Failed { kind, .. }) => format!("failed({})", kind.word()),
            Some(Phase::Acting(action)) => format!("{} {}", action.kind.word(), action.rule),
            Some(
                Phase::Created
                | Phase::Choosing { .. }
                | Phase::Lent { .. }
                | Phase::Completed { .. },
            )
            | None => self.state.variant().into(),
        }
    }

    pub(super) fn chosen(&self) -> Vec<&'static str> {
        self.events
            .iter()
            .filter_map(|event| {
                if let Event::ActionChosen { kind, .. } = event { Some(kind.word()) } else { None }
            })
            .collect()
    }
}

pub(super) fn start(setup: &Setup) -> Command {
    Command::Start {
        driver: setup.driver.clone(),
        mode: setup.mode,
        settings: Box::new(setup.settings.clone()),
        checks: setup.checks.clone(),
        programs: Vec::new(),
        busy_with: None,
    }
}

pub(super) fn worked() -> Gave {
    Gave::Work { files_changed: vec!["src/lib.rs".into()], summary: "did it".into() }
}

pub(super) fn restored(left: bool, kept: &[&str]) -> Gave {
    let kept = kept.iter().map(|path| String::from(*path)).collect();
    Gave::Restored { files_changed: vec!["src/a.rs".into()], left, kept }
}

pub(super) fn failure(code: &str) -> Failure {
    Failure { code: code.into(), kind: String::new(), detail: "it broke".into() }
}

pub(super) fn failed() -> LegEnd {
    LegEnd::Failed { failure: failure("E_BUILD_FAIL"), files_changed: vec![] }
}

pub(super) fn blocked() -> LegEnd {
    LegEnd::Blocked { failure: failure("E001"), reset_at: None }
}

pub(super) fn result(name: &str, suite: &str, status: TestStatus) -> TestResult {
    let error_message = (status == TestStatus::Failed).then(|| String::from("left != right\nmore"));
    TestResult {
        test_name: name.into(),
        suite: suite.into(),
        status,
        duration_ms: 2,
        error_message,
        stack_trace: None,
    }
}

pub(super) fn report(verdict: Verdict, passed: u64, failed: u64) -> CheckReport {
    let mut results = vec![];
    for n in 0..passed {
        results.push(result(&format!("passes{n}"), "unit", TestStatus::Passed));
    }
    for n in 0..failed {
        results.push(result(&format!("fails{n}"), "unit", TestStatus::Failed));
    }
    let counts = Counts { total: passed + failed, passed, failed, skipped: 0 };
    let check = sample_check();
    CheckReport {
        id: check.id,
        argv: check.argv,
        level: check.level,
        verdict,
        counts,
        pass_rate_known: passed + failed > 0,
        results,
        truncated: false,
        exit_code: Some(i32::from(failed > 0)),
        duration_ms: 10,
        digest_before: "tree".into(),
        digest_after: "tree".into(),
        definition_hash: None,
        coverage_tenths: None,
        covered: vec![],
    }
}

pub(super) fn red() -> LegEnd {
    LegEnd::Ok(Gave::Check(Box::new(report(Verdict::Failed, 2, 1))))
}

pub(super) fn no_tests() -> LegEnd {
    LegEnd::Ok(Gave::Check(Box::new(report(Verdict::NoTests, 0, 0))))
}

pub(super) fn unparsed() -> LegEnd {
    LegEnd::Ok(Gave::Check(Box::new(report(Verdict::Unparsed, 0, 0))))
}

pub(super) fn moved() -> LegEnd {
    let report = CheckReport { digest_after: "other".into(), ..report(Verdict::Passed, 1, 0) };
    LegEnd::Ok(Gave::Check(Box::new(report)))
}

pub(super) fn hypothesis(point: &str, likelihood: u32) -> Hypothesis {
    Hypothesis {
        id: String::new(),
        description: "off by one".into(),
        testable_condition: "i == len".into(),
        logging_point: point.into(),
        confirm: "i is len".into(),
        reject: "i is less".into(),
        likelihood,
        status: HypothesisStatus::Pending,
        evidence: None,
        verdict_reason: None,
        problem: String::new(),
        round: 0,
    }
}

pub(super) fn found(id: &str, status: HypothesisStatus, evidence: bool) -> Found {
    Found {
        id: id.into(),
        status,
        reason: "seen".into(),
        evidence: evidence.then(|| serde_json::json!({"lines": 1})),
    }
}
