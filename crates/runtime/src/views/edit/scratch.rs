//! A copy of a loop on which commands are tried before they are asked for. What the machine refuses
//! here is refused to the author, with the machine's reason. Nothing of it is recorded.

use kernel::loops::{
    Body, Command, Driver, Hypothesis, Life, Mode, OnError, OnNoTests, Report, Settings, State,
    decide, evolve,
};
use kernel::machine::{At, By, Refusal as _, Said};

use super::super::notice::Reason;
use crate::tasks::Tools;

/// A copy to try things on.
#[derive(Debug)]
pub(in super::super) struct Scratch {
    state: State,
    at: At,
    /// Who can do a task.
    pub tools: Tools,
}

impl Scratch {
    /// A copy of this loop. `tools` are used while the loop has no settings of its own.
    pub(in super::super) fn new(life: &Life, tools: &Tools) -> Self {
        let course = life.body.course();
        let tools = course.map_or_else(|| tools.clone(), |c| Tools::of_loop(&c.settings));
        let at = life.body.updated_at;
        Self { state: State::Alive(Box::new(life.clone())), at, tools }
    }

    /// Says a command to the copy. If it is refused, the copy is as before.
    pub(super) fn say(&mut self, command: Command) -> Result<(), Reason> {
        let said = Said { by: By::File, at: self.at, command };
        match decide(&self.state, &said) {
            Ok(events) => {
                for event in &events {
                    evolve(&mut self.state, event, self.at);
                }
                Ok(())
            }
            Err(refusal) => Err(match refusal.reason() {
                "engine_drives" => Reason::EngineDrives,
                "owned" | "needs_person" => Reason::Owned,
                "invalid_args" | "no_such" | "id_taken" => Reason::Invalid,
                _ => Reason::Conflict,
            }),
        }
    }

    /// Says a report to the copy.
    pub(super) fn report(&mut self, report: Report) -> Result<(), Reason> {
        self.say(Command::Report(Box::new(report)))
    }

    /// Starts the copy for an outside skill. The true settings are the host's to give; the copy
    /// only needs to know that someone else drives.
    pub(super) fn start_external(&mut self) -> Result<(), Reason> {
        self.say(Command::Start {
            driver: Driver::External { runner: None },
            mode: Mode::Auto,
            settings: Box::new(stand_in(&self.tools.default)),
            checks: Vec::new(),
            programs: Vec::new(),
            busy_with: None,
        })
    }

    pub(super) const fn body(&self) -> Option<&Body> {
        match self.state.life() {
            Some(life) => Some(&life.body),
            None => None,
        }
    }

    pub(super) fn id(&self) -> &str {
        self.body().map_or("", |body| &body.id)
    }

    /// Whether an outside skill drives.
    pub(super) fn external(&self) -> bool {
        let driver = self.body().and_then(Body::course).map(|course| &course.driver);
        matches!(driver, Some(Driver::External { .. }))
    }

    pub(super) fn last_hypothesis(&self) -> Option<&Hypothesis> {
        self.body()?.work()?.debug.hypotheses.last()
    }

    /// An id for a task found in a file: the same for the same find, so that an edit that is looked
    /// at again after a crash adds nothing twice.
    pub(super) fn task_id(&self, found: &str) -> String {
        let made_ms = self.body().map_or(0, |body| body.created_at.0);
        let digest = kernel::hash::sha256_hex(format!("{}\n{found}", self.id()).as_bytes());
        format!("task-{made_ms}-{}", &digest[..8])
    }
}

/// Settings for the copy alone; no number of it is ever used.
fn stand_in(tool: &str) -> Settings {
    Settings {
        error_limit: u32::MAX,
        debug_rounds_max: 1,
        fix_tasks_max: 1,
        on_no_tests: OnNoTests::Ask,
        on_error: OnError::Continue,
        coverage_min_tenths: 0,
        develop_timeout_ms: u64::MAX,
        debug_timeout_ms: u64::MAX,
        grace_ms: 0,
        lease_ms: u64::MAX,
        default_tool: tool.into(),
        resume_at_reset: Vec::new(),
        agents: Vec::new(),
        lang: "en".to_owned(),
    }
}
