//! What calls cost, as sums that know what they do not know. A number that an agent did not tell
//! is counted as untold and never as zero. It reads nothing; the records are folded elsewhere.

use std::collections::BTreeMap;

use kernel::agent::Usage;
use kernel::call::{Ended, Exit, Facts, NOTHING_HAPPENED, SettledBy, State, UndoLevel};
use serde_json::{Value, json};

/// The sum of a number that not every call tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Told {
    /// What was told.
    pub sum: u64,
    /// How many calls did not tell.
    pub untold: u64,
}

impl Told {
    /// The whole sum; none while a part of it is not known.
    #[must_use]
    pub const fn whole(self) -> Option<u64> {
        if self.untold == 0 { Some(self.sum) } else { None }
    }

    const fn plus(self, other: Self) -> Self {
        Self {
            sum: self.sum.saturating_add(other.sum),
            untold: self.untold.saturating_add(other.untold),
        }
    }

    fn of(told: Option<u64>) -> Self {
        told.map_or(Self { sum: 0, untold: 1 }, |sum| Self { sum, untold: 0 })
    }
}

/// What one call, a run or several cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names are the ledger's own")]
pub struct Spent {
    pub calls: u64,
    pub attempts: u64,
    pub retries: u64,
    pub tokens_in: Told,
    pub tokens_out: Told,
    pub cached: Told,
    pub reasoning: Told,
    pub cost_micros: Told,
    pub active_ms: u64,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            attempts: self.attempts.saturating_add(other.attempts),
            retries: self.retries.saturating_add(other.retries),
            tokens_in: self.tokens_in.plus(other.tokens_in),
            tokens_out: self.tokens_out.plus(other.tokens_out),
            cached: self.cached.plus(other.cached),
            reasoning: self.reasoning.plus(other.reasoning),
            cost_micros: self.cost_micros.plus(other.cost_micros),
            active_ms: self.active_ms.saturating_add(other.active_ms),
        }
    }

    fn with(self, usage: &Usage) -> Self {
        Self {
            tokens_in: Told::of(usage.input_tokens),
            tokens_out: Told::of(usage.output_tokens),
            cached: Told::of(usage.cached_tokens),
            reasoning: Told::of(usage.reasoning_tokens),
            cost_micros: Told::of(usage.cost_micros),
            ..self
        }
    }

    /// The sums as data: a number, or null where a part is not known; then `told` has what is.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let cost = self.cost_micros;
        json!({
            "calls": self.calls, "attempts": self.attempts, "retries": self.retries,
            "tokens_in": self.tokens_in.whole(), "tokens_out": self.tokens_out.whole(),
            "cached": self.cached.whole(), "reasoning": self.reasoning.whole(),
            "cost_usd": cost.whole().map(usd), "unpriced": cost.untold,
            "active_ms": self.active_ms,
            "told": {
                "tokens_in": self.tokens_in.sum, "tokens_out": self.tokens_out.sum,
                "cached": self.cached.sum, "reasoning": self.reasoning.sum,
                "cost_usd": usd(cost.sum),
            },
        })
    }
}

/// Dollars of millionths. Exact below 9 billion dollars, which is more than anybody spends.
#[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 millionths")]
fn usd(micros: u64) -> f64 {
    micros as f64 / 1e6
}

/// What a call has cost so far; none for a state that no longer says it.
#[must_use]
pub fn of_call(state: &State) -> Option<Spent> {
    let asked = Spent { calls: 1, ..Spent::default() };
    Some(match state {
        State::New | State::Undone { .. } => return None,
        State::Asked { .. } | State::Denied { .. } => asked,
        State::Allowed { attempt, relaunches, active_ms, .. } => {
            tried(asked, attempt.saturating_sub(1), *relaunches, *active_ms)
        }
        // It runs or may have run: what it spends is not known before it ends.
        State::Started { facts, attempt, relaunches, active_ms, .. }
        | State::Unknown { facts, attempt, relaunches, active_ms, .. } => {
            priced(tried(asked, *attempt, *relaunches, *active_ms), facts, Evidence::None)
        }
        State::Settled { facts, exit, by, undo, charge, .. } => {
            let ended = Spent {
                attempts: charge.attempts.into(),
                retries: charge.retries.into(),
                active_ms: charge.active_ms,
                ..asked
            };
            priced(ended, facts, evidence(exit.as_ref(), by, undo))
        }
        State::Undoing { from, .. } => return of_call(from),
    })
}

fn tried(asked: Spent, attempts: u32, relaunches: u32, active_ms: u64) -> Spent {
    let retries = attempts.saturating_sub(1).saturating_sub(relaunches);
    Spent { attempts: attempts.into(), retries: retries.into(), active_ms, ..asked }
}

/// What is known of an agent's spending.
enum Evidence<'a> {
    /// It was never launched, so it spent nothing.
    NotLaunched,
    /// Its stream told this.
    Told(&'a Usage),
    /// It may have spent something.
    None,
}

/// A program that did not start spent nothing. A lost one that is held for not having happened may
/// have spent tokens all the same, so only a result proves that it did not.
fn evidence<'a>(exit: Option<&'a Exit>, by: &SettledBy, undo: &UndoLevel) -> Evidence<'a> {
    match exit {
        Some(exit) if exit.ended == Ended::SpawnFailed => Evidence::NotLaunched,
        Some(Exit { agent: Some(report), .. }) => Evidence::Told(&report.facts.usage),
        Some(Exit { agent: None, .. }) => Evidence::None,
        None => match (by, undo) {
            (SettledBy::Result, UndoLevel::None(why)) if why == NOTHING_HAPPENED => {
                Evidence::NotLaunched
            }
            (SettledBy::Result | SettledBy::Probe | SettledBy::Person { .. }, _) => Evidence::None,
        },
    }
}

/// Only agents spend tokens; a command's are known to be none.
fn priced(spent: Spent, facts: &Facts, evidence: Evidence<'_>) -> Spent {
    match (&facts.request.agent, evidence) {
        (None, _) | (Some(_), Evidence::NotLaunched) => spent,
        (Some(_), Evidence::Told(usage)) => spent.with(usage),
        (Some(_), Evidence::None) => spent.with(&Usage::default()),
    }
}

/// One run with what itself cost, without those below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Own {
    /// The run.
    pub run: String,
    /// The run above it.
    pub parent: Option<String>,
    /// What it cost itself.
    pub spent: Spent,
}

/// What each run cost with everything below it. A parent that is not among the runs ends the way
/// up; a circle, which no journal holds, is walked once.
#[must_use]
pub fn sum_up(all: &[Own]) -> BTreeMap<&str, Spent> {
    let parents: BTreeMap<&str, Option<&str>> =
        all.iter().map(|own| (own.run.as_str(), own.parent.as_deref())).collect();
    let mut sums: BTreeMap<&str, Spent> =
        parents.keys().map(|run| (*run, Spent::default())).collect();
    for own in all {
        let mut at = Some(own.run.as_str());
        for _ in 0..all.len() {
            let Some((run, sum)) = at.and_then(|run| Some((run, sums.get_mut(run)?))) else {
                break;
            };
            *sum = sum.plus(own.spent);
            at = parents.get(run).copied().flatten();
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use kernel::agent::{Access, Answer, Ask, Error, Facts as Seen, Kind, Report};
    use kernel::call::{self, Command, Launch, ParentNow, Prep, Request, Rules};
    use kernel::machine::{At, By, Said};
    use kernel::policy::Verdict;

    use super::*;

    fn request(agent: Option<Box<Ask>>) -> Request {
        Request {
            name: if agent.is_some() { "agent".into() } else { "run".into() },
            version: "1.0.0".into(),
            argv: vec!["make".into()],
            agent,
            args: None,
            cwd: ".".into(),
            env_names: Vec::new(),
            collect: Vec::new(),
            class: call::Class::Once,
            deadline_ms: 60_000,
            idle_ms: None,
            grace_ms: 1_000,
            on_unknown: call::OnUnknown::Wait,
            given: None,
        }
    }

    fn agent() -> Option<Box<Ask>> {
        Some(Box::new(Ask {
            agent: "codex".into(),
            kind: Kind::Codex,
            talk: None,
            access: Access::Read,
            model: None,
            resume: None,
            prompt: vec![kernel::agent::Part::Text("look".into())],
            schema: None,
            lang: "en".into(),
            tools: kernel::agent::Tools::Own,
        }))
    }

    fn exited(ended: Ended, usage: Option<Usage>) -> Command {
        let answer = Answer::Failed {
            error: Error {
                code: "E009".into(),
                kind: "exit".into(),
                detail: String::new(),
                retry_after_ms: None,
                reset_at: None,
            },
            session: None,
            partial: None,
        };
        let report = |usage| Report { answer, facts: Seen { usage, ..Seen::default() } };
        let exit = Exit {
            ended,
            exit_code: Some(1),
            signal: None,
            started_at: At(1_000),
            ended_at: At(3_500),
            stdout_bytes: 0,
            stderr_bytes: 0,
            dropped_bytes: 0,
            sandbox: "none".into(),
            held: Box::default(),
            survivors: Vec::new(),
            tree_after: None,
            files_changed: Vec::new(),
            changes: None,
            agent: usage.map(|usage| Box::new(report(usage))),
            done: None,
        };
        Command::Exited { attempt: 1, epoch: 1, exit: Box::new(exit) }
    }

    /// A call that was asked and then heard all this.
    fn lived(agent: Option<Box<Ask>>, words: Vec<Command>) -> State {
        let ask = call::Ask {
            key: "loop-1/a1/c1".into(),
            request: request(agent),
            parent: Some("loop-1".into()),
            parent_now: ParentNow::Active,
            verdict: Verdict::Allow { rule: "test".into() },
            shown: None,
            pin: None,
            budget: call::Budget::Left,
            rules: Rules::default(),
        };
        let mut state = State::New;
        for command in std::iter::once(Command::Ask(Box::new(ask))).chain(words) {
            let by = if matches!(command, Command::Ask(_)) {
                By::Parent { run: "loop-1".into() }
            } else {
                By::Engine
            };
            let at = At(10_000);
            let events = call::decide(&state, &Said { by, at, command }).expect("it is accepted");
            events.iter().for_each(|event| call::evolve(&mut state, event, at));
        }
        state
    }

    fn started() -> Command {
        let prep = Prep { tree_before: None, program: None, sandbox: "none".into(), unkept: None };
        Command::Prepared { attempt: 1, epoch: 1, prep }
    }

    fn told(sum: u64, untold: u64) -> Told {
        Told { sum, untold }
    }

    #[test]
    fn what_an_agent_does_not_tell_is_not_zero() {
        let all = Usage {
            input_tokens: Some(700),
            output_tokens: Some(30),
            cached_tokens: Some(600),
            reasoning_tokens: Some(0),
            cost_micros: Some(1_250),
        };
        let unpriced = Usage { cost_micros: None, ..all };
        let lost = Command::Lost { attempt: 1, launch: Launch::Perhaps };
        let table = [
            ("a command", None, vec![started(), exited(Ended::Exit, None)], told(0, 0), told(0, 0)),
            (
                "all told",
                agent(),
                vec![started(), exited(Ended::Exit, Some(all))],
                told(700, 0),
                told(1_250, 0),
            ),
            (
                "no price",
                agent(),
                vec![started(), exited(Ended::Exit, Some(unpriced))],
                told(700, 0),
                told(0, 1),
            ),
            (
                "nothing told",
                agent(),
                vec![started(), exited(Ended::Exit, Some(Usage::default()))],
                told(0, 1),
                told(0, 1),
            ),
            (
                "no report",
                agent(),
                vec![started(), exited(Ended::Exit, None)],
                told(0, 1),
                told(0, 1),
            ),
            (
                "not started",
                agent(),
                vec![started(), exited(Ended::SpawnFailed, Some(Usage::default()))],
                told(0, 0),
                told(0, 0),
            ),
            ("runs", agent(), vec![started()], told(0, 1), told(0, 1)),
            ("lost", agent(), vec![started(), lost], told(0, 1), told(0, 1)),
            ("asked", agent(), vec![], told(0, 0), told(0, 0)),
        ];
        for (name, agent, words, tokens_in, cost_micros) in table {
            let spent = of_call(&lived(agent, words)).expect("it is there");
            assert_eq!((spent.tokens_in, spent.cost_micros), (tokens_in, cost_micros), "{name}");
            assert_eq!(spent.calls, 1, "{name}");
        }
        let spent = of_call(&lived(agent(), vec![started(), exited(Ended::Exit, Some(unpriced))]));
        let data = spent.expect("it is there").to_json();
        assert_eq!((&data["cost_usd"], &data["unpriced"]), (&Value::Null, &json!(1)));
        assert_eq!((&data["reasoning"], &data["active_ms"]), (&json!(0), &json!(2_500)));
    }

    #[test]
    fn invariant_a_parent_costs_what_its_children_cost() {
        let spent = |n: u64| Spent {
            calls: 1,
            attempts: n,
            retries: n / 2,
            tokens_in: told(n * 10, n % 2),
            cost_micros: told(n * 1_000, n % 3),
            active_ms: n * 7,
            ..Spent::default()
        };
        let own = |run: &str, parent: Option<&str>, n: u64| Own {
            run: run.into(),
            parent: parent.map(str::to_owned),
            spent: if n == 0 { Spent::default() } else { spent(n) },
        };
        let all = [
            own("loop-1", None, 0),
            own("turn-1", Some("loop-1"), 0),
            own("call-1", Some("turn-1"), 1),
            own("call-2", Some("turn-1"), 2),
            own("call-3", Some("loop-1"), 3),
            own("call-4", Some("gone"), 4),
            own("call-5", Some("call-5"), 5),
        ];
        let sums = sum_up(&all);
        let with = |a: &str, b: &str| sums[a].plus(sums[b]);
        assert_eq!(sums["turn-1"], with("call-1", "call-2"));
        assert_eq!(sums["loop-1"], with("turn-1", "call-3"));
        assert_eq!(sums["loop-1"].tokens_in, told(60, 2));
        assert_eq!(sums["loop-1"].cost_micros.whole(), None, "one part is not known");
        assert_eq!(sums["call-4"], spent(4));
    }
}
