//! The table of what is asked and denied when no rule speaks: trust, limits, files, agents.

use alloc::string::String;

use super::facts::{Facts, Sandbox};
use super::grant::Scope;
use super::judge::Weighed;
use super::path::PathClass;
use super::request::{Act, Asker, Repo, Request, Tool, Touched};
use super::rule::{Case, Repeat, Rule};
use super::start::Backing;
use super::verdict::{Trust, Word};
use crate::agent::Access;

/// Trust and the limits of the run.
pub(super) fn standing(request: &Request, facts: &Facts<'_>, weighed: &mut Weighed) {
    let (paths, lines) = match &request.act {
        Act::Look { .. } => return,
        Act::Change { paths, lines, .. } => (paths.as_slice(), *lines),
        Act::Delete { paths } => (paths.as_slice(), 0),
        Act::Run(_) | Act::Agent { .. } => (&[][..], 0),
    };
    match facts.trust {
        Trust::Untrusted => weighed.deny("untrusted"),
        Trust::Trusted => {}
    }
    let over = facts
        .limits
        .change
        .is_some_and(|limit| !paths.is_empty() && facts.changed.would_pass(limit, paths, lines));
    if over {
        weighed.deny("change_limit");
    }
    if paths.iter().any(|touched| !facts.limits.holds(&touched.path)) {
        weighed.deny("confine");
    }
}

/// Reading, writing and deleting files.
pub(super) fn files(request: &Request, facts: &Facts<'_>, weighed: &mut Weighed) {
    let tool = request.tool();
    let case = Case::Files(request.paths());
    let held = facts.rules.held().iter().map(|held| &held.rule);
    let allow = held.filter(|rule| rule.verdict == Word::Allow).find(|rule| rule.fits(tool, case));
    for touched in request.paths() {
        of_class(request, touched, allow, weighed);
    }
    let many = u64::try_from(request.paths().len()).is_ok_and(|n| n > facts.limits.files_ask);
    let nested = request.paths().iter().any(|touched| touched.repo == Repo::Nested);
    let named = allow.is_some_and(|rule| !rule.paths.is_empty());
    match &request.act {
        Act::Look { .. } => weighed.repeat = Repeat::Reads,
        Act::Change { .. } | Act::Delete { .. } => {
            if matches!(request.act, Act::Delete { .. }) && !named {
                weighed.ask("delete-asks", Scope::Plan);
            }
            if many {
                weighed.ask("many-files", Scope::Plan);
            }
            if nested {
                weighed.ask("nested-repository", Scope::Plan);
            }
            if allow.is_none() && matches!(request.act, Act::Change { .. }) {
                weighed.ask("write-asks", Scope::Session);
            }
        }
        Act::Run(_) | Act::Agent { .. } => {}
    }
    weighed.allow = allow.map(|rule| rule.id.clone()).or_else(|| Some(String::from("read")));
}

/// What a path's class asks for. A rule lifts it only by naming paths.
fn of_class(request: &Request, touched: &Touched, allow: Option<&Rule>, weighed: &mut Weighed) {
    let named = allow.is_some_and(|rule| !rule.paths.is_empty());
    let looks = matches!(request.act, Act::Look { .. });
    match touched.class {
        PathClass::Ordinary => {}
        PathClass::Outside => weighed.deny("outside"),
        PathClass::Control if looks && request.tool() == Tool::List => {}
        PathClass::Control => weighed.deny("control-path"),
        PathClass::AgentSettings if looks => {}
        PathClass::AgentSettings => match request.by {
            Asker::Agent => weighed.deny("agent-settings"),
            Asker::Person => weighed.ask("agent-settings-asks", Scope::Plan),
        },
        PathClass::Secret if !named => weighed.ask("secret-asks", Scope::Plan),
        PathClass::Sensitive if !looks && !named => weighed.ask("sensitive-asks", Scope::Plan),
        PathClass::Secret | PathClass::Sensitive => {}
    }
}

/// Launching an agent.
pub(super) fn agent(access: Access, backing: Backing, facts: &Facts<'_>, weighed: &mut Weighed) {
    let started = match (backing, facts.sandbox, access) {
        (Backing::Person, Sandbox::Held, _) => true,
        (Backing::Person, Sandbox::Waived, Access::Read) => true,
        (Backing::Person, Sandbox::Waived, Access::Edit | Access::Full) => false,
        (Backing::Person, Sandbox::Absent, _) => false,
        (Backing::None, _, _) => false,
    };
    let rule = match facts.sandbox {
        Sandbox::Held => "agent-asks",
        Sandbox::Waived | Sandbox::Absent => "unsandboxed-agent-asks",
    };
    if started {
        weighed.allow = Some(String::from("granted-at-start"));
    } else {
        weighed.ask(rule, Scope::Session);
    }
}
