//! Judging what runs ask for, and the life of grants beside it: given with the answer that gives
//! them, used, void when their flow ends or their program changes. What a grant covers is the
//! policy's to say.

use std::collections::HashMap;

use journal::Journal;
use kernel::call::{self, Acts, Command as CallCommand};
use kernel::machine::{At, By};
use kernel::policy::grant::{Bound, Grant, Pin, State as Stand};
use kernel::policy::{self, Act, Asker, Backing, Granted, Request, Run, Shown, Verdict, Word};
use kernel::run::{Command, Event, Refused, State};
use kernel::turn::{self, Source};
use kernel::{grant, hash, lifecycle, loops};
use serde_json::json;

use super::job::Wanted;
use super::saying::Saying;
use super::step::Engine;
use crate::policy::Flow;
use crate::turns::granted;

/// What the policy says to a child, and what that means to grants.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    pub(super) shown: Option<Box<Shown>>,
    pub(super) pin: Option<Pin>,
    used: Vec<String>,
    void: Vec<String>,
}

impl Judged {
    /// What the grants hear of it.
    pub(super) fn on_grants(&self) -> Vec<Saying> {
        let said = |id: &String, command| Saying::own(id, By::Engine, Command::Grant(command));
        let used = self.used.iter().map(|id| said(id, grant::Command::Use));
        let void = self.void.iter().map(|id| said(id, grant::Command::Void));
        used.chain(void).collect()
    }
}

impl<J: Journal> Engine<J> {
    pub(super) fn judge(&self, owner: &str, wanted: &Wanted, now: At) -> Judged {
        let judge = &self.standing.judge;
        let state = &self.runs[owner].state;
        let request = &wanted.request;
        let settled = match call::named(&request.name).map(|tool| tool.acts) {
            // Only a person's own command makes a call owe its undo; a turn keeps the tree before
            // it changes it, and takes back only what it did itself.
            Some(Acts::Converges) => Some(policy::judge_undo(judge.trust())),
            // A turn owes its commit only once policy or a person let it have it.
            Some(Acts::Commits) => Some(policy::judge_commit(judge.trust())),
            Some(Acts::Reads | Acts::Changes | Acts::Arranges | Acts::Runs) | None => None,
        };
        if let Some(verdict) = settled {
            let (used, void) = (Vec::new(), Vec::new());
            return Judged { verdict, shown: None, pin: None, used, void };
        }
        let flow = self.flow(owner, now);
        let judged = match (&request.agent, &wanted.judged_as) {
            (Some(ask), _) => judge.agent(&ask.agent, ask.access, self.backing(owner), &flow),
            (None, Some(asked)) => judge.tool((**asked).clone(), &flow),
            (None, None) => {
                let run = Run::argv(request.argv.clone(), &request.cwd);
                let network = request.given.as_ref().and_then(|given| given.network);
                let network = network.unwrap_or_default();
                let run = Run { env_names: request.env_names.clone(), network, ..run };
                judge.command(run, asker(state), &flow)
            }
        };
        let arranged = matches!(state, State::Session(_)) && person_asked(&judged);
        // A yes to a plan is no grant of its own.
        let held = |id: &String| self.runs.contains_key(id);
        let used = judged.used.into_iter().filter(held).collect();
        let void = match judged.verdict.word() {
            Word::Ask => outdated(&flow.grants, &judged.request),
            Word::Allow | Word::Deny => Vec::new(),
        };
        let pin = judged.request.pin();
        if arranged {
            // What a session arranges, a person has typed or answered.
            let verdict = Verdict::Allow { rule: SESSION_RULE.to_owned() };
            return Judged { verdict, shown: None, pin, used, void: Vec::new() };
        }
        Judged { verdict: judged.verdict, shown: judged.shown, pin, used, void }
    }

    /// What policy says to a call that was let be before: that it was.
    pub(super) fn judged_before(&self, request: &call::Request) -> Judged {
        let judge = &self.standing.judge;
        let runs = !request.argv.is_empty();
        let pin = runs.then(|| judge.pin(&request.argv, &request.cwd));
        let verdict = policy::judge_inner(judge.trust());
        Judged { verdict, shown: None, pin, used: Vec::new(), void: Vec::new() }
    }

    /// Fills in which programs are started by the commands that a person's word is about to cover.
    pub(super) fn fill_programs(&self, saying: &mut Saying) {
        let Command::Loop(command) = &mut saying.command else { return };
        if !saying.by.may_approve() {
            return;
        }
        let judge = &self.standing.judge;
        if let loops::Command::Start { checks, programs, .. } = command
            && let Some(State::Loop(state)) = self.runs.get(&saying.run).map(|run| &run.state)
        {
            *programs = state.lists(checks);
            let mut known: HashMap<(String, String), Pin> = HashMap::new();
            for listed in programs {
                let word = listed.argv.first().cloned().unwrap_or_default();
                let pin = known.entry((word, listed.cwd.clone()));
                listed.pin = pin.or_insert_with(|| judge.pin(&listed.argv, &listed.cwd)).clone();
            }
        } else if let loops::Command::AddTask { task, .. } = command
            && let Some(loops::Run::Argv(argv)) = &task.run
        {
            task.pin = judge.pin(argv, ".");
        } else if let loops::Command::EditTask { patch, .. } = command
            && let Some(Some((_, loops::Run::Argv(argv)))) = &patch.command
        {
            patch.pin = judge.pin(argv, ".");
        }
    }

    /// What a person has granted the run that asks, and those above it.
    pub(super) fn flow(&self, owner: &str, at: At) -> Flow {
        let top = self.top(owner);
        let session = self.runs.get(top).map(|run| (top.to_owned(), permissions(&run.state)));
        let mut grants = self.bound_to(top);
        grants.extend(self.of_session(top));
        let mut flow = Flow { at, session, grants, ..Flow::default() };
        for id in self.line(owner) {
            match &self.runs[id].state {
                State::Loop(state) => {
                    flow.started.extend(state.grants());
                    flow.started.extend(self.checks_of_driven(id, state));
                }
                State::Turn(state) => self.granted_to_turn(state, &mut flow),
                State::Lifecycle(state) => {
                    flow.started.extend(state.grants());
                    flow.accepted.extend_from_slice(state.accepted_risks());
                }
                State::Session(state) => {
                    let judge = &self.standing.judge;
                    flow.started.extend(state.checks().into_iter().map(|check| Granted {
                        pin: judge.pin(&check.argv, &check.cwd),
                        ..Granted::new(&check.argv, &check.cwd)
                    }));
                    flow.started.extend(state.called().into_iter().map(|argv| Granted {
                        pin: judge.pin(argv, "."),
                        ..Granted::new(argv, ".")
                    }));
                }
                State::Call(_) | State::Collab(_) | State::Grant(_) => {}
            }
        }
        flow
    }

    /// Whether a person's own command stands behind what a run launches: its own start, or, for
    /// several agents at a step, the start of the turn whose plan has that step; a loop that a
    /// session drives stands on that session's person.
    pub(super) fn backing(&self, id: &str) -> Backing {
        let Some(run) = self.runs.get(id) else { return Backing::None };
        match (&run.state, &run.parent) {
            (State::Collab(_) | State::Loop(_), Some(owner)) => self.backing(owner),
            (state, _) => backing(state),
        }
    }

    /// The live grants of a flow.
    fn bound_to(&self, top: &str) -> Vec<Grant> {
        let grants = self.runs.values().filter_map(|run| match &run.state {
            State::Grant(state) => state.grant(),
            State::Call(_)
            | State::Loop(_)
            | State::Collab(_)
            | State::Turn(_)
            | State::Lifecycle(_)
            | State::Session(_) => None,
        });
        let bound = |grant: &&Grant| match &grant.bound {
            Bound::Session { run, .. } => run == top,
            Bound::Once { .. } | Bound::Plan { .. } => false,
        };
        grants.filter(|grant| grant.state == Stand::Live).filter(bound).cloned().collect()
    }

    /// The grants that were given for the whole session of a turn; in it they count as its own.
    fn of_session(&self, top: &str) -> Vec<Grant> {
        let Some(State::Turn(state)) = self.runs.get(top).map(|run| &run.state) else {
            return Vec::new();
        };
        let session = state.life().map(|life| life.body.start.session_id.as_str());
        let mut grants = self.bound_to(session.unwrap_or_default());
        for grant in &mut grants {
            if let Bound::Session { run, .. } = &mut grant.bound {
                top.clone_into(run);
            }
        }
        grants
    }

    /// The grants that a person's yes gives beyond what it was said to, and the one that stands for
    /// it. They hear of it together with it.
    pub(super) fn given(&self, saying: &Saying, events: &[Event], now: At) -> Vec<Saying> {
        match &saying.command {
            Command::Lifecycle(lifecycle::Command::UserConfirm(confirm)) => {
                self.given_with_plan(saying, confirm, now).into_iter().collect()
            }
            Command::Lifecycle(lifecycle::Command::PlanReady { .. }) => {
                self.used_for_plan(events).into_iter().collect()
            }
            Command::Turn(turn::Command::Confirm(confirm))
                if (confirm.word, confirm.scope) == (turn::Word::Yes, turn::Scope::Session) =>
            {
                self.given_for_session(saying, &confirm.prompt, now)
            }
            Command::Call(_)
            | Command::Loop(_)
            | Command::Collab(_)
            | Command::Grant(_)
            | Command::Turn(_)
            | Command::Lifecycle(_)
            | Command::Session(_) => self.given_to_call(saying, now).into_iter().collect(),
        }
    }

    /// What a yes to a plan for the whole session gives: everything that it lists, each by itself,
    /// so that each can be taken back.
    fn given_for_session(&self, saying: &Saying, prompt: &str, now: At) -> Vec<Saying> {
        let Some(run) = self.runs.get(&saying.run) else { return Vec::new() };
        let State::Turn(state) = &run.state else { return Vec::new() };
        let Some(life) = state.life() else { return Vec::new() };
        let turn::Phase::AwaitingConfirmation(open) = &life.phase else { return Vec::new() };
        match open.subject {
            turn::Subject::Plan | turn::Subject::Patch => {}
            // A yes to one call or commit is for that one.
            turn::Subject::Call | turn::Subject::Git => return Vec::new(),
        }
        let (session, permissions) = (&life.body.start.session_id, permissions(&run.state));
        let name = saying.run.strip_prefix("turn-").unwrap_or(&saying.run);
        let prompt = prompt.rsplit('/').next().unwrap_or_default();
        let all = granted::lasting(life, &self.standing.judge).into_iter().enumerate();
        let give = all.map(|(n, (subject, pin))| {
            let id = format!("gr-{name}-{prompt}-{n}");
            let bound =
                Bound::Session { run: session.clone(), permissions: permissions.clone(), pin };
            let by = saying.by.word().to_owned();
            let (expires_at, uses, state) = (None, 0, Stand::Live);
            let grant = Grant {
                grant_id: id.clone(),
                bound,
                subject,
                by,
                at: now,
                expires_at,
                uses,
                state,
            };
            let command = Command::Grant(grant::Command::Give(Box::new(grant)));
            Saying::own(&id, saying.by.clone(), command)
        });
        give.collect()
    }

    /// The grant that a person's yes to a call gives beyond that call.
    fn given_to_call(&self, saying: &Saying, now: At) -> Option<Saying> {
        let Command::Call(CallCommand::Allow(answered)) = &saying.command else { return None };
        let top = self.top(&saying.run);
        let State::Call(call::State::Asked { facts, .. }) = &self.runs.get(&saying.run)?.state
        else {
            return None;
        };
        let permissions = permissions(&self.runs.get(top).filter(|_| top != saying.run)?.state);
        let flow = policy::Flow { run: top, permissions: &permissions };
        // One call gives one grant at most, so its name is the call's.
        let name = saying.run.strip_prefix("call-").unwrap_or(&saying.run);
        let id = format!("gr-{name}");
        let said = (&saying.by, now);
        let grant = facts.shown.as_ref()?.granted(&id, answered.scope, flow, said)?;
        let command = Command::Grant(grant::Command::Give(Box::new(grant)));
        Some(Saying::own(&id, saying.by.clone(), command))
    }

    /// The refusal of a yes to a program that is no longer the one that was shown.
    pub(super) fn stale(&self, saying: &Saying) -> Option<Refused> {
        let Command::Call(CallCommand::Allow(answered)) = &saying.command else { return None };
        let State::Call(call::State::Asked { facts, .. }) = &self.runs.get(&saying.run)?.state
        else {
            return None;
        };
        let shown = facts.shown.as_ref()?;
        let word = facts.request.argv.first()?;
        let now = self.standing.judge.program(word, &facts.request.cwd);
        if shown.pin == Pin::of(&now) {
            return None;
        }
        Some(Refused {
            machine: "call",
            reason: "stale_approval",
            allowed: vec!["Deny"],
            details: json!({ "prompt": answered.prompt, "hash": answered.hash }),
        })
    }

    /// What follows for others when a flow has ended, or a grant was taken back.
    pub(super) fn after_grants(&self, id: &str) -> Vec<Saying> {
        let Some(run) = self.runs.get(id) else { return Vec::new() };
        if let State::Grant(state) = &run.state {
            let revoked = state.grant().is_some_and(|grant| grant.state == Stand::Revoked);
            return if revoked { self.denied_with(id) } else { Vec::new() };
        }
        if !run.state.ended() || run.parent.is_some() {
            return Vec::new();
        }
        let over = |grant: Grant| {
            let command = Command::Grant(grant::Command::Void);
            Saying::own(&grant.grant_id, By::Engine, command)
        };
        self.bound_to(id).into_iter().map(over).collect()
    }

    /// Calls that rest on a grant and have not begun end with it.
    fn denied_with(&self, grant: &str) -> Vec<Saying> {
        let mut sayings = Vec::new();
        for (id, run) in &self.runs {
            if let State::Call(call::State::Allowed { grant: call::Grant::Rule(rule), .. }) =
                &run.state
                && rule == grant
            {
                let command = CallCommand::Deny { note: grant.to_owned() };
                sayings.push(Saying::own(id, By::Engine, Command::Call(command)));
            }
        }
        sayings
    }
}

/// Grants that speak of this command and were given for another program than it starts now.
fn outdated(grants: &[Grant], request: &Request) -> Vec<String> {
    let Act::Run(run) = &request.act else { return Vec::new() };
    let now = Pin::of(&run.program);
    let other = |grant: &&Grant| match &grant.bound {
        Bound::Session { pin, .. } | Bound::Plan { pin, .. } => *pin != now,
        Bound::Once { .. } => false,
    };
    let named = grants.iter().filter(|grant| grant.subject.names(request));
    named.filter(other).map(|grant| grant.grant_id.clone()).collect()
}

/// Hash of what a run was given to do: a grant given to a person's run is none to a guest's.
pub(super) fn permissions(state: &State) -> String {
    hash::of_json(&json!({ "machine": state.kind().name(), "backing": backing(state) }))
}

/// Whether a person's own command stands behind what a run launches.
fn backing(state: &State) -> Backing {
    match state {
        State::Loop(state) => state.backing(),
        State::Collab(state) if state.started_by_person() => Backing::Person,
        State::Turn(state) => state.life().map(|life| life.body.start.backing).unwrap_or_default(),
        State::Lifecycle(state) => state.backing(),
        // Only a person's word starts anything in a session.
        State::Session(_) => Backing::Person,
        State::Collab(_) | State::Call(_) | State::Grant(_) => Backing::None,
    }
}

/// The rule by which a session's own files are written.
const SESSION_RULE: &str = "asked";

/// Whether only ordinary files are touched, nothing dangerous was found, and a person would merely
/// be asked again.
fn person_asked(judged: &crate::policy::Judged) -> bool {
    let changes = matches!(judged.request.act, Act::Change { .. });
    let ordinary = judged.request.paths().iter().all(|it| it.class == policy::PathClass::Ordinary);
    changes && ordinary && judged.verdict.word() == Word::Ask
}

/// Whose plan the commands of a run are: a file's is a person's own.
fn asker(state: &State) -> Asker {
    match state {
        State::Turn(state) => {
            let work = state.life().and_then(|life| life.body.work.as_deref());
            match work.map(|work| work.plan.source) {
                Some(Source::File) => Asker::Person,
                Some(Source::Planner | Source::Direct) | None => Asker::Agent,
            }
        }
        // The project's own checks, run because a person typed so.
        State::Session(_) => Asker::Person,
        State::Call(_)
        | State::Loop(_)
        | State::Collab(_)
        | State::Grant(_)
        | State::Lifecycle(_) => Asker::Agent,
    }
}
