//! Which way out a failure has: rungs from left to right, those that are spent or impossible passed
//! over. It picks; entering a rung is a fact.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::bounds::FIX_DELAYS_MS;
use super::evidence::{Failure, FailureKind};
use super::plan::{Runner, Step};
use super::state::{Back, Body, Counted, Origin, Position, Rung, RungKind, Work, Wrote};
use crate::call::{self, Acts};
use crate::errors::{Class, Code, Number};
use crate::machine::At;
use crate::policy::Word;

/// The tool that a search by meaning falls back to.
const DEGRADED_TOOLS: [(&str, &str); 1] = [("search_semantic", "search")];

/// The detail of an agent that is over its limit.
const QUOTA: &str = "quota";

/// The detail of a check that could not be run at all.
pub const UNAVAILABLE: &str = "unavailable";

/// The detail of a change that was not begun because another branch is checked out. No agent and
/// no other plan can mend that.
const BRANCH_CHANGED: &str = "branch_changed";

/// Denials that another plan would only meet again: a person's, nobody's, a parent's limits.
const FINAL_DENIALS: [&str; 5] = ["user", "timer", "parent", "change_limit", "confine"];

/// A failure and where it happened.
#[derive(Clone, Copy)]
pub struct Fall<'a> {
    /// The turn.
    pub body: &'a Body,
    /// What failed.
    pub failure: &'a Failure,
    /// What it leads back to.
    pub back: &'a Back,
    /// Where in a step, if in one.
    pub at: Option<&'a Position>,
    /// Now.
    pub now: At,
}

impl Fall<'_> {
    /// The first rung that is possible; the one left by an undo is never taken again.
    pub fn rung(&self) -> Rung {
        let mut list = self.list();
        if self.body.start.profile.reports_up() {
            list.retain(|rung| *rung == RungKind::Degrade);
        } else if self.agent().is_none()
            && list.iter().any(|rung| matches!(rung, RungKind::Fix | RungKind::Replan))
        {
            list.push(RungKind::Help);
        }
        list.into_iter().find_map(|rung| self.enter(rung)).unwrap_or(Rung::Spent)
    }

    fn list(&self) -> Vec<RungKind> {
        use RungKind::{Degrade, Fix, Help, Replan, Undo};
        let failure = self.failure;
        let code = Code::parse(&failure.code).ok();
        if failure.kind == FailureKind::Limit {
            return Vec::new();
        }
        if matches!(failure.detail.as_str(), UNAVAILABLE | BRANCH_CHANGED) {
            return Vec::from([Help]);
        }
        let class = match code {
            // Who may not ask any more is not asked to mend it.
            Some(Code::Number(Number::E009)) if failure.detail == QUOTA => {
                return Vec::from([Degrade]);
            }
            Some(Code::Number(number)) => number.class(),
            Some(Code::Class(class)) => class,
            Some(Code::Refusal(..)) | None => Class::Refused,
        };
        match class {
            Class::Conflict | Class::BuildFail => Vec::from([Fix, Undo, Replan]),
            Class::InvalidArgs | Class::Model => Vec::from([Fix, Degrade]),
            Class::PolicyDenied if FINAL_DENIALS.contains(&failure.detail.as_str()) => Vec::new(),
            Class::PolicyDenied => Vec::from([Replan]),
            Class::ToolTimeout | Class::Io if self.reads() => Vec::from([Degrade, Help]),
            Class::ToolTimeout => Vec::from([Undo, Replan, Help]),
            Class::Budget | Class::Cancelled => Vec::new(),
            Class::Io
            | Class::Refused
            | Class::UnknownOutcome
            | Class::Degraded
            | Class::Journal
            | Class::NotFound
            | Class::Auth
            | Class::Internal => Vec::from([Help]),
        }
    }

    fn enter(&self, rung: RungKind) -> Option<Rung> {
        match rung {
            RungKind::Degrade => self.degrade(),
            RungKind::Fix => self.fix(),
            RungKind::Undo => self.undo(),
            RungKind::Replan => self.replan(),
            RungKind::Help => {
                let (n, until) = (self.body.next.help, self.body.expiry(self.now));
                Some(Rung::Help { n, until })
            }
        }
    }

    fn step(&self) -> Option<&Step> {
        self.body.step(self.at?)
    }

    /// Whether what failed only reads. A missing program or a full disk is no reader's failure.
    fn reads(&self) -> bool {
        let passing = !matches!(self.failure.detail.as_str(), "permission" | "no_space" | "spawn");
        let tool = self.failure.tool.as_deref().and_then(call::named);
        passing && tool.is_some_and(|tool| tool.acts == Acts::Reads)
    }

    fn degrade(&self) -> Option<Rung> {
        let step = self.step()?;
        let to = match step.runner {
            // Another agent helps only where it is the agent that failed.
            Runner::Agent
                if self.failure.tool.as_deref().is_none_or(|tool| tool == call::AGENT) =>
            {
                String::from(self.body.fallback_of(step)?)
            }
            Runner::Agent => return None,
            Runner::Tools => {
                let name = call::named(self.failure.tool.as_deref()?)?.name;
                let pair = DEGRADED_TOOLS.iter().find(|(from, _)| *from == name)?;
                String::from(pair.1)
            }
            Runner::Collab => return None,
        };
        Some(Rung::Degrade { to })
    }

    fn agent(&self) -> Option<&str> {
        self.body.start.agents.first().map(String::as_str)
    }

    fn work(&self) -> Option<&Work> {
        self.body.work.as_deref()
    }

    fn tried(&self, rung: RungKind) -> bool {
        // A model that answers out of form is told once, whatever it says the second time.
        let any = matches!(self.failure.code.as_str(), "E_MODEL" | "E_INVALID_ARGS" | "E009");
        let same = |signature: &str| any || signature == self.failure.signature;
        let tried = self.work().map(|work| work.tried.as_slice()).unwrap_or_default();
        tried.iter().any(|one| one.rung == rung && one.back == *self.back && same(&one.signature))
    }

    fn fix(&self) -> Option<Rung> {
        self.agent()?;
        let (spent, most) = (self.body.ledger.fixes, self.body.start.limits.fixes);
        let denied = self.body.start.agent_step.verdict.word() == Word::Deny;
        if spent >= most || denied || self.tried(RungKind::Fix) {
            return None;
        }
        let n = spent + 1;
        let at = usize::try_from(spent).unwrap_or(usize::MAX).min(FIX_DELAYS_MS.len() - 1);
        Some(Rung::Fix { n, not_before: self.now.plus(FIX_DELAYS_MS[at]) })
    }

    /// Takes back what the failed step wrote; where a fix of it did not help, what was written
    /// since that began: the step's own files hold the fix's words by now. Where a check failed,
    /// the last fix.
    fn undo(&self) -> Option<Rung> {
        if self.tried(RungKind::Undo) {
            return None;
        }
        let last = self.body.ledger.fixes;
        let wrong = |wrote: &&Wrote| match self.at {
            Some(_) if self.tried(RungKind::Fix) => wrote.fixes >= last,
            Some(at) => {
                let repairs = matches!(at.origin, Origin::Fix { .. });
                wrote.step == at.step && wrote.repairs == repairs
            }
            None => wrote.repairs && wrote.step == format!("fix-{last}"),
        };
        let wrote = self.work()?.writes.iter().filter(wrong);
        let left: Vec<String> = wrote.map(|wrote| wrote.call_id.clone()).collect();
        (!left.is_empty()).then_some(Rung::Undo { n: self.body.next.undo, i: 1, left })
    }

    fn replan(&self) -> Option<Rung> {
        self.body.replanner()?;
        if self.body.ledger.replans >= self.body.start.limits.replans {
            return None;
        }
        let note = (self.failure.code == "E_POLICY_DENIED").then(|| self.failure.detail.clone());
        let (n, counted) = (self.body.next.replan, Counted::Yes);
        Some(Rung::Replan { n, attempt: 1, invalid: 0, note, error: None, counted })
    }
}
