//! The judgement: every reason to deny or to ask is gathered, then what grants lift is lifted. A
//! rule that allows counts only where nothing else spoke; a model's text is never an input.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use serde::Serialize;

use super::argv::{Opaque, Segment};
use super::facts::Facts;
use super::grant::{Pin, Scope};
use super::request::{Act, Command, Request};
use super::risk::Finding;
use super::rule::{Case, Reason, Repeat};
use super::verdict::{Verdict, Word};
use super::weigh;
use super::weigh_run;

/// What lifts an ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// A grant that covers the request.
    Grant,
    /// That the risk of this hash is accepted.
    Accepted(String),
}

/// One reason to ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ask {
    /// The rule that asks.
    pub rule: String,
    /// The widest grant that lifts it.
    pub widest: Scope,
    /// What lifts it.
    pub need: Need,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// Allow, ask or deny, and by which rule or grant.
    pub verdict: Verdict,
    /// The rule's own words, where it has some.
    pub reason: Option<Reason>,
    /// Every reason that is left to ask, the first of them the verdict's.
    pub asks: Vec<Ask>,
    /// The widest grant that would lift all of them.
    pub widest: Scope,
    /// Every extremely high risk found, accepted or not.
    pub ehrb: Vec<Finding>,
    /// Grants it rests on, to be recorded as used.
    pub used: Vec<String>,
    /// What repeating it means.
    pub repeat: Repeat,
    /// The command taken apart.
    pub segments: Vec<Segment>,
    /// Why it cannot be seen through.
    pub opaque: Vec<Opaque>,
}

/// Every reason found so far.
#[derive(Debug, Default)]
pub(super) struct Weighed {
    pub(super) denies: Vec<String>,
    pub(super) asks: Vec<Ask>,
    /// The rule that allows, where one does.
    pub(super) allow: Option<String>,
    pub(super) repeat: Repeat,
    pub(super) ehrb: Vec<Finding>,
    pub(super) segments: Vec<Segment>,
    pub(super) opaque: Vec<Opaque>,
}

impl Weighed {
    pub(super) fn deny(&mut self, rule: &str) {
        self.denies.push(rule.to_string());
    }

    pub(super) fn ask(&mut self, rule: &str, widest: Scope) {
        if self.asks.iter().all(|ask| ask.rule != rule) {
            self.asks.push(Ask { rule: rule.to_string(), widest, need: Need::Grant });
        }
    }
}

/// Judges a request.
#[must_use]
pub fn judge(request: &Request, facts: &Facts<'_>) -> Judgement {
    let mut weighed = Weighed::default();
    weigh::standing(request, facts, &mut weighed);
    match &request.act {
        Act::Look { .. } | Act::Change { .. } | Act::Delete { .. } => {
            rules(request, facts, Case::Files(request.paths()), &mut weighed);
            weigh::files(request, facts, &mut weighed);
        }
        Act::Run(run) => {
            let parsed = run.parsed();
            let case = Case::Run { parsed: &parsed, cwd: &run.cwd };
            weigh_run::risks(run, &parsed, facts, &mut weighed);
            rules(request, facts, case, &mut weighed);
            weigh_run::command(request.by, run, &parsed, facts, &mut weighed);
            weighed.segments = parsed.segments;
            weighed.opaque = parsed.opaque;
        }
        Act::Agent { name, access, backing } => {
            rules(request, facts, Case::Agent(name), &mut weighed);
            weigh::agent(*access, *backing, facts, &mut weighed);
        }
    }
    conclude(weighed, request, facts)
}

/// Rules that ask or deny, and files of rules that were refused.
fn rules(request: &Request, facts: &Facts<'_>, case: Case<'_>, weighed: &mut Weighed) {
    let tool = request.tool();
    if facts.rules.is_refused(tool, case) {
        weighed.deny(super::rules::REFUSED);
    }
    for held in facts.rules.held() {
        let rule = &held.rule;
        match rule.verdict {
            Word::Deny if rule.fits(tool, case) => weighed.deny(&rule.id),
            Word::Ask if rule.fits(tool, case) => weighed.ask(&rule.id, Scope::Session),
            Word::Allow | Word::Ask | Word::Deny => {}
        }
    }
}

fn conclude(weighed: Weighed, request: &Request, facts: &Facts<'_>) -> Judgement {
    let Weighed { denies, asks, allow, repeat, ehrb, segments, opaque } = weighed;
    let mut used = Vec::new();
    let left: Vec<Ask> =
        asks.into_iter().filter(|ask| !is_lifted(ask, request, facts, &mut used)).collect();
    used.dedup();
    let verdict = if let Some(rule) = denies.into_iter().next() {
        Verdict::Deny { rule }
    } else if let Some(ask) = left.first() {
        Verdict::Ask { rule: ask.rule.clone() }
    } else {
        let rule = used.first().cloned().or(allow).unwrap_or_else(|| "default".to_string());
        Verdict::Allow { rule }
    };
    let spoken = facts.rules.held().iter().find(|held| held.rule.id == verdict.rule());
    let reason = spoken.map(|held| held.rule.reason.clone());
    let widest = left.iter().map(|ask| ask.widest).min().unwrap_or(Scope::Session);
    if verdict.word() != Word::Allow {
        used.clear();
    }
    Judgement { verdict, reason, asks: left, widest, ehrb, used, repeat, segments, opaque }
}

/// The name under which a person's own start is recorded as a grant.
const STARTED: &str = "granted-at-start";

fn is_lifted(ask: &Ask, request: &Request, facts: &Facts<'_>, used: &mut Vec<String>) -> bool {
    match &ask.need {
        Need::Accepted(hash) => {
            let by_grant = facts.grants.iter().find(|grant| {
                grant.counts(&facts.now)
                    && grant.subject.risks.contains(hash)
                    && (grant.bound.scope() != Scope::Once || grant.covers(request, &facts.now))
            });
            facts.accepted.contains(hash) || by_grant.is_some()
        }
        Need::Grant => {
            let grant = facts.grants.iter().find(|grant| {
                grant.bound.scope() <= ask.widest && grant.covers(request, &facts.now)
            });
            let name = grant.map(|grant| grant.grant_id.clone());
            let name =
                name.or_else(|| is_started(ask, request, facts).then(|| STARTED.to_string()));
            used.extend(name.clone());
            name.is_some()
        }
    }
}

/// A start lists commands word by word and for the programs they started then, so it lifts what
/// their words alone ask for.
fn is_started(ask: &Ask, request: &Request, facts: &Facts<'_>) -> bool {
    const LIFTED: [&str; 3] = ["run-asks", "opaque", "git-write-asks"];
    let Act::Run(run) = &request.act else { return false };
    let Command::Argv(argv) = &run.command else { return false };
    LIFTED.contains(&ask.rule.as_str())
        && facts
            .started
            .iter()
            .any(|granted| granted.is_of(argv, &run.cwd) && granted.pin == Pin::of(&run.program))
}
