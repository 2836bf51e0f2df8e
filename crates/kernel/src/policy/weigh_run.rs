//! What a command asks for: risks, opacity, network, git, the paths it names, and being a command
//! that no rule allows.

use alloc::vec::Vec;

use super::argv::{Parsed, Role, Segment, git_writes, operands, spellings};
use super::deny;
use super::facts::{Facts, Sandbox};
use super::glob;
use super::grant::Scope;
use super::judge::{Ask, Need, Weighed};
use super::path::{Ground, Names, PathClass, Place};
use super::request::{Asker, Command, Network, Run, Safety};
use super::risk;
use super::rule::{Repeat, Rule};
use super::verdict::Word;

/// Extremely high risks: each is asked until its hash is accepted.
pub(super) fn risks(run: &Run, parsed: &Parsed, facts: &Facts<'_>, weighed: &mut Weighed) {
    let found = risk::findings(parsed, &run.cwd, facts.ground, facts.names);
    for finding in &found {
        let need = Need::Accepted(finding.hash.clone());
        let rule = finding.risk.rule().into();
        weighed.asks.push(Ask { rule, widest: Scope::Session, need });
    }
    weighed.ehrb = found;
}

/// Everything else about a command.
pub(super) fn command(
    by: Asker,
    run: &Run,
    parsed: &Parsed,
    facts: &Facts<'_>,
    weighed: &mut Weighed,
) {
    let scene = deny::Scene { ground: facts.ground, names: facts.names, cwd: &run.cwd, by };
    if let Some(rule) = deny::rule(parsed, &scene) {
        weighed.deny(rule);
    }
    if !parsed.is_clear() || parsed.segments.is_empty() {
        weighed.ask("opaque", Scope::Once);
    }
    match facts.sandbox {
        Sandbox::Held | Sandbox::Waived => {}
        Sandbox::Absent => weighed.ask("unsandboxed-run-asks", Scope::Session),
    }
    stands(run, facts, weighed);
    let mut allowing: Vec<Option<&Rule>> = Vec::new();
    for segment in &parsed.segments {
        let rule = allows(segment, run, facts);
        paths(segment, run, rule, facts, weighed);
        if segment.program() == "git" && git_writes(&segment.words) && rule.is_none() {
            weighed.ask("git-write-asks", Scope::Plan);
        }
        if segment.role != Role::Carrier {
            allowing.push(rule);
        }
    }
    let whole: Option<Vec<&Rule>> = allowing.into_iter().collect();
    // A program that others may change, and variables that no rule speaks of, can make an allowed
    // command do anything.
    let plain = run.program.safety != Safety::Loose && run.env_names.is_empty();
    let whole = whole.filter(|rules| !rules.is_empty() && plain);
    let reaches = whole.as_ref().is_some_and(|rules| rules.iter().all(|r| !r.hosts.is_empty()));
    match run.network {
        Network::None => {}
        Network::Loopback | Network::Open if reaches => {}
        Network::Loopback | Network::Open => weighed.ask("network-asks", Scope::Plan),
    }
    match whole.as_deref() {
        Some(rules @ [first, ..]) => {
            weighed.allow = Some(first.id.clone());
            if rules.iter().all(|rule| rule.idempotent == Repeat::Reads) {
                weighed.repeat = Repeat::Reads;
            }
        }
        Some([]) | None => weighed.ask("run-asks", Scope::Session),
    }
}

/// What the directory asks for in which a command runs: it reads there without naming anything.
fn stands(run: &Run, facts: &Facts<'_>, weighed: &mut Weighed) {
    match facts.ground.class(facts.names, ".", &run.cwd) {
        PathClass::Secret => weighed.ask("secret-asks", Scope::Plan),
        PathClass::Outside => weighed.ask("outside-asks", Scope::Plan),
        PathClass::Control => weighed.ask("control-asks", Scope::Plan),
        PathClass::Ordinary | PathClass::AgentSettings | PathClass::Sensitive => {}
    }
}

/// Whether a command names a secret: then it was asked about, and a person or a rule of theirs let
/// it. What cannot be seen through is always asked about, so there any word of its text counts.
#[must_use]
pub fn names_secret(run: &Run, ground: Ground<'_>, names: Names<'_>) -> bool {
    let secret = |word: &str| {
        let mut paths = spellings(word).into_iter();
        paths.any(|path| ground.class(names, &run.cwd, path) == PathClass::Secret)
    };
    let parsed = run.parsed();
    let mut words = parsed.segments.iter().flat_map(|segment| operands(&segment.words));
    if words.any(secret) {
        return true;
    }
    let texts = match &run.command {
        Command::Argv(words) => words.as_slice(),
        Command::Script(text) => core::slice::from_ref(text),
    };
    let apart = |c: char| c.is_whitespace() || "\"'`;|&()<>{}$,".contains(c);
    !parsed.is_clear() && texts.iter().flat_map(|text| text.split(apart)).any(secret)
}

/// The rule that allows one command of it. A program named by a path is no program that a rule
/// knows by its name, so the words must match as written.
fn allows<'a>(segment: &Segment, run: &Run, facts: &Facts<'a>) -> Option<&'a Rule> {
    let held = facts.rules.held().iter().map(|held| &held.rule);
    let mut allowing =
        held.filter(|rule| rule.tool == super::request::Tool::Run && rule.verdict == Word::Allow);
    allowing.find(|rule| rule.takes(segment, &run.cwd))
}

/// What the paths in a command's words ask for. A rule lifts it only by naming those paths.
fn paths(
    segment: &Segment,
    run: &Run,
    rule: Option<&Rule>,
    facts: &Facts<'_>,
    weighed: &mut Weighed,
) {
    if segment.only_wraps() {
        return;
    }
    let writes = deny::mutates(segment);
    for word in operands(&segment.words).into_iter().flat_map(spellings) {
        if rule.is_some_and(|rule| names(rule, &facts.ground.place(&run.cwd, word))) {
            continue;
        }
        let asks = match facts.ground.class(facts.names, &run.cwd, word) {
            PathClass::Ordinary => None,
            PathClass::Secret => Some("secret-asks"),
            PathClass::Outside => Some("outside-asks"),
            PathClass::Control => Some("control-asks"),
            PathClass::AgentSettings => writes.then_some("agent-settings-asks"),
            PathClass::Sensitive => writes.then_some("sensitive-asks"),
        };
        if let Some(asks) = asks {
            weighed.ask(asks, Scope::Plan);
        }
    }
    if segment.program() == "tee" {
        weighed.ask("write-asks", Scope::Session);
    }
}

fn names(rule: &Rule, place: &Place) -> bool {
    match place {
        Place::Inside(path) => rule.paths.iter().any(|pattern| glob::path(pattern, path)),
        Place::Root | Place::Home | Place::Above | Place::Outside(_) => false,
    }
}
