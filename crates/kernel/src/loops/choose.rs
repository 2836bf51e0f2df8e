//! What a loop does next when nothing is in flight: one pure, total list of rules, first match.
//! It records nothing and looks at no phase; who asks for a choice is the rows' business.

use alloc::format;
use alloc::string::String;

use super::phase::{FailKind, Kind, PauseReason, Subject};
use super::problem::{Problem, done, problem};
use super::state::{Body, Course, Driver, Mode, OnNoTests, Progress, Rounds, Work};
use super::task::Origin;
use super::validation::Verdict;

/// Which rule chose. `Person` and `Complete` are choices that people made instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the numbers are the table's own")]
pub enum Rule {
    A1,
    A2,
    A3,
    A4,
    A5,
    A6,
    A7,
    A8,
    A9,
    A10,
    A11,
    Person,
    Complete,
}

impl Rule {
    /// Its word in records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::A4 => "A4",
            Self::A5 => "A5",
            Self::A6 => "A6",
            Self::A7 => "A7",
            Self::A8 => "A8",
            Self::A9 => "A9",
            Self::A10 => "A10",
            Self::A11 => "A11",
            Self::Person => "person",
            Self::Complete => "complete",
        }
    }
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "fields say what they are")]
pub enum Choice {
    /// Begin an action.
    Act { kind: Kind, subject: Subject },
    /// Append a task and develop it.
    Append { description: String, origin: Origin, fixes: Option<String> },
    /// Ask a person what to do.
    Menu,
    /// Let the outside skill go on.
    Lend,
    /// Wait for a person; `ask` opens the question about an unverified end.
    Pause { reason: PauseReason, detail: String, ask: bool },
    /// Give up.
    Fail { kind: FailKind, reason: String },
    /// It was never started: there is nobody who could drive it.
    Unstarted,
}

/// A choice and the rule that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Chosen {
    pub rule: Rule,
    pub choice: Choice,
}

/// The three columns of the table.
#[derive(Clone, Copy)]
enum Column {
    Auto,
    Interactive,
    External,
}

/// Chooses. Every body has exactly one answer.
#[must_use]
pub fn choose(body: &Body) -> Chosen {
    let Some(course) = body.course() else {
        return Chosen { rule: Rule::A2, choice: Choice::Unstarted };
    };
    let column = match (&course.driver, course.mode) {
        (Driver::External { .. }, _) => Column::External,
        (Driver::Engine, Mode::Auto) => Column::Auto,
        (Driver::Engine, Mode::Interactive) => Column::Interactive,
    };
    let rule = rule(body, course);
    Chosen { rule, choice: choice(rule, column, body, course) }
}

/// The first rule that matches.
fn rule(body: &Body, course: &Course) -> Rule {
    let settings = &course.settings;
    let Progress::Ready { work, .. } = &body.progress else {
        return if over_errors(body, course) { Rule::A1 } else { Rule::A2 };
    };
    if over_errors(body, course) {
        return Rule::A1;
    }
    if done(body) {
        return Rule::A3;
    }
    if body.iteration >= body.max_iterations {
        return Rule::A4;
    }
    if body.first_pending().is_some() {
        return Rule::A5;
    }
    if let Some(problem) = problem(body) {
        let rounds = rounds(body, &problem);
        return if rounds.debug < settings.debug_rounds_max {
            Rule::A6
        } else if rounds.fix < settings.fix_tasks_max {
            Rule::A7
        } else {
            Rule::A8
        };
    }
    let Some(validation) = work.fresh() else { return Rule::A9 };
    match validation.verdict {
        Verdict::NoTests | Verdict::CoverageBelow => {
            let answered =
                work.tests_task.as_ref().is_some_and(|task| task.verdict == validation.verdict);
            match settings.on_no_tests {
                OnNoTests::AddTask if !answered => Rule::A10,
                OnNoTests::AddTask | OnNoTests::Ask => Rule::A11,
            }
        }
        Verdict::Failed
        | Verdict::DefinitionChanged
        | Verdict::Unparsed
        | Verdict::Passed
        | Verdict::Accepted => Rule::A11,
    }
}

/// A limit of zero would fail every loop before its first action.
fn over_errors(body: &Body, course: &Course) -> bool {
    body.errors_in_row >= course.settings.error_limit.max(1)
}

fn rounds(body: &Body, problem: &Problem) -> Rounds {
    body.rounds.get(&problem.sig).copied().unwrap_or_default()
}

fn choice(rule: Rule, column: Column, body: &Body, course: &Course) -> Choice {
    match column {
        Column::Auto => by_itself(rule, body, course),
        Column::Interactive => match rule {
            Rule::A1 => pause(PauseReason::Blocked, last_error(body).unwrap_or_default()),
            Rule::A2 => act(Kind::Init, Subject::Loop),
            Rule::A4 => pause(PauseReason::IterationLimit, String::new()),
            Rule::A3
            | Rule::A5
            | Rule::A6
            | Rule::A7
            | Rule::A8
            | Rule::A9
            | Rule::A10
            | Rule::A11
            | Rule::Person
            | Rule::Complete => Choice::Menu,
        },
        Column::External => match rule {
            Rule::A1 => too_many_errors(body, course),
            Rule::A4 => at_limit(body),
            Rule::A2
            | Rule::A3
            | Rule::A5
            | Rule::A6
            | Rule::A7
            | Rule::A8
            | Rule::A9
            | Rule::A10
            | Rule::A11
            | Rule::Person
            | Rule::Complete => Choice::Lend,
        },
    }
}

fn too_many_errors(body: &Body, course: &Course) -> Choice {
    let limit = course.settings.error_limit.max(1);
    let last = last_error(body).unwrap_or_default();
    Choice::Fail { kind: FailKind::Error, reason: format!("error_limit ({limit}): {last}") }
}

fn at_limit(body: &Body) -> Choice {
    Choice::Fail {
        kind: FailKind::Limit,
        reason: format!("max_iterations_reached ({})", body.max_iterations),
    }
}

/// What the engine does without asking.
fn by_itself(rule: Rule, body: &Body, course: &Course) -> Choice {
    match rule {
        Rule::A1 => too_many_errors(body, course),
        Rule::A2 => act(Kind::Init, Subject::Loop),
        Rule::A4 => at_limit(body),
        Rule::A3 => act(Kind::Complete, Subject::Loop),
        Rule::A5 => match body.first_pending() {
            Some(task) => act(Kind::Develop, Subject::Task { id: task.id.clone() }),
            None => act(Kind::Validate, Subject::Loop),
        },
        Rule::A6 => match problem(body) {
            Some(Problem { sig, text }) => act(Kind::Debug, Subject::Problem { sig, text }),
            None => act(Kind::Validate, Subject::Loop),
        },
        Rule::A7 => {
            let found = problem(body);
            let (sig, text) = found.map_or((None, String::new()), |p| (Some(p.sig), p.text));
            append(format!("Fix: {text}"), Origin::Fix, sig)
        }
        Rule::A8 => {
            pause(PauseReason::Stuck, problem(body).map(|found| found.text).unwrap_or_default())
        }
        Rule::A10 => append(tests_wanted(body), Origin::Tests, None),
        Rule::A11 => {
            let verdict = body.work().and_then(Work::fresh).map(|found| found.verdict.word());
            let detail = String::from(verdict.unwrap_or("not_run"));
            Choice::Pause { reason: PauseReason::Unverified, detail, ask: true }
        }
        Rule::A9 | Rule::Person | Rule::Complete => act(Kind::Validate, Subject::Loop),
    }
}

fn tests_wanted(body: &Body) -> String {
    let below = body.work().and_then(Work::fresh).filter(|v| v.verdict == Verdict::CoverageBelow);
    match (below, body.course()) {
        (Some(found), Some(course)) => format!(
            "Raise coverage from {} to {}",
            tenths(found.coverage_tenths),
            tenths(course.settings.coverage_min_tenths)
        ),
        (_, _) => format!("Add tests for: {}", body.title),
    }
}

fn tenths(value: u32) -> String {
    match value % 10 {
        0 => format!("{}%", value / 10),
        rest => format!("{}.{rest}%", value / 10),
    }
}

fn last_error(body: &Body) -> Option<String> {
    let errors = match &body.progress {
        Progress::Fresh => return None,
        Progress::Begun { errors, .. } => errors,
        Progress::Ready { work, .. } => &work.errors,
    };
    errors.last().map(|entry| entry.message.clone())
}

const fn act(kind: Kind, subject: Subject) -> Choice {
    Choice::Act { kind, subject }
}

const fn pause(reason: PauseReason, detail: String) -> Choice {
    Choice::Pause { reason, detail, ask: false }
}

const fn append(description: String, origin: Origin, fixes: Option<String>) -> Choice {
    Choice::Append { description, origin, fixes }
}
