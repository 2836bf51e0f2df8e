//! What the world still owes a turn: its effects, calls, questions and timers. Effects hang on
//! states, so stopping something is no more than not owing it. What a call says to an agent is made
//! by the hands from what is asked here: prompts quote files that only they can read.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use serde_json::{Map, Value};

use super::bounds::PATCH_TRIES_MAX;
use super::line;
use super::rows;
use super::slot;
use super::standing::{Next, next_call};
use super::state::{Ending, Keep, Leave, Life, Phase, Position, Prompt, Rung, State, Subject, Why};
use crate::owed::{Begun, ChildAsk, Effect, Owed, Posture, Question};

/// An act of the hands that is no call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Look at the words.
    Intake,
    /// Gather what a planner is told.
    Context,
    /// Read the plan file's copy, or the plan of the turn that this one goes on from.
    LoadPlan,
    /// Say what happened, once no call of the turn is in flight.
    Summary,
}

/// What a planner is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A whole plan.
    Full,
    /// A change of the plan there is.
    Patch,
}

/// A call or run that a turn asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// A plan, or another one.
    Planner {
        /// Who makes it.
        agent: String,
        /// In which form.
        form: Form,
    },
    /// A call of a step, as its template says.
    Tool {
        /// The tool.
        name: String,
        /// Its arguments.
        args: Map<String, Value>,
    },
    /// An agent works at a step.
    Agent {
        /// Who.
        agent: String,
        /// The step.
        step: String,
    },
    /// Several agents work at a step.
    Collab {
        /// The step.
        step: String,
    },
    /// A command checks.
    Check {
        /// Program and arguments.
        argv: Vec<String>,
        /// Its time.
        deadline_ms: u64,
    },
    /// The tree is kept.
    Checkpoint,
    /// A call is taken back.
    Undo {
        /// Which.
        call: String,
    },
    /// An agent answers; it only reads.
    Answer {
        /// Who.
        agent: String,
    },
    /// The change is committed.
    Commit,
}

/// What the world still owes.
#[must_use]
pub fn owed(state: &State) -> Vec<Owed> {
    let Some(life) = state.life() else { return vec![] };
    match life.body.hold.as_ref().map(|hold| hold.keep) {
        None => running(life),
        Some(Keep::AfterCurrent) => {
            let started = effects(life, Posture::Hold).into_iter();
            started.filter(|owed| matches!(owed, Owed::Child { .. })).collect()
        }
        Some(Keep::Now) => vec![],
    }
}

/// What the effect of this slot asks for, held or not; none for one that is no ask of the turn's
/// own.
#[must_use]
pub fn ask_of(life: &Life, slot: &str) -> Option<Ask> {
    effects(life, Posture::Hold).into_iter().find_map(|owed| match owed {
        Owed::Child { slot: own, ask: ChildAsk::Turn(ask), .. } if own == slot => Some(*ask),
        Owed::Child { .. } | Owed::Timer { .. } | Owed::Question { .. } | Owed::Effect { .. } => {
            None
        }
    })
}

fn running(life: &Life) -> Vec<Owed> {
    let mut all = effects(life, Posture::Run);
    all.extend(asked(life));
    let timers = slot::timers(life).into_iter();
    all.extend(timers.map(|(slot, due)| Owed::Timer { slot, due }));
    all
}

fn effects(life: &Life, posture: Posture) -> Vec<Owed> {
    let child = |slot: String, ask: Ask| Owed::Child {
        slot,
        ask: ChildAsk::Turn(Box::new(ask)),
        posture,
        begun: Begun::Told,
    };
    let Some(slot) = slot::awaited(life) else { return vec![] };
    let act = |act: Act| vec![Owed::Effect { slot: slot.clone(), effect: Effect::Turn(act) }];
    let body = &life.body;
    let ask = match &life.phase {
        Phase::Intake { .. } => return act(Act::Intake),
        Phase::ContextBuilding { .. } => return act(Act::Context),
        Phase::Planning { why: Why::Given { .. } | Why::Continued { .. }, .. } => {
            return act(Act::LoadPlan);
        }
        Phase::Planning { agent, .. } => {
            let form = Form::Full;
            body.planner(*agent).map(|agent| Ask::Planner { agent: agent.to_string(), form })
        }
        Phase::Executing(at) => return of_step(life, at, posture),
        Phase::AwaitingConfirmation(prompt) => {
            return prompt.position().map_or_else(Vec::new, |at| of_step(life, at, posture));
        }
        Phase::Verifying(now) => check(life, usize::try_from(now.index).unwrap_or(usize::MAX)),
        Phase::Recovering(now) => match &now.rung {
            Rung::Undo { left, .. } => left.last().map(|call| Ask::Undo { call: call.clone() }),
            Rung::Replan { invalid, .. } => {
                // A patch and its correction were no good: the last try is a whole plan.
                let last = invalid + 1 >= PATCH_TRIES_MAX;
                let form = if last { Form::Full } else { Form::Patch };
                body.replanner().map(|agent| Ask::Planner { agent: agent.to_string(), form })
            }
            Rung::Degrade { .. } | Rung::Fix { .. } | Rung::Help { .. } | Rung::Spent => None,
        },
        Phase::Summarizing(now) => match &now.stage {
            Ending::Answering { .. } => {
                body.replanner().map(|agent| Ask::Answer { agent: agent.to_string() })
            }
            Ending::Drafting => return act(Act::Summary),
            Ending::Committing => Some(Ask::Commit),
        },
        Phase::Clarifying { .. } | Phase::Done(_) => None,
    };
    ask.map(|ask| child(slot.clone(), ask)).into_iter().collect()
}

/// The step's own call, and those that its agent asked for and may make.
fn of_step(life: &Life, at: &Position, posture: Posture) -> Vec<Owed> {
    let begun = Begun::Told;
    let child = |slot: String, ask: ChildAsk| Owed::Child { slot, ask, posture, begun };
    if life.body.checkpoint_due(at) {
        let slot = slot::checkpoint(life.body.next.checkpoint);
        return vec![child(slot, ChildAsk::Turn(Box::new(Ask::Checkpoint)))];
    }
    let mut all = Vec::new();
    if let Some(ask) = step_ask(life, at) {
        all.push(child(slot::call(at, at.n), ChildAsk::Turn(Box::new(ask))));
    }
    let given = at.inner.iter().filter(|inner| inner.leave == Leave::Given);
    all.extend(
        given.map(|inner| child(slot::call(at, inner.n), ChildAsk::Call(inner.request.clone()))),
    );
    all
}

fn step_ask(life: &Life, at: &Position) -> Option<Ask> {
    let step = life.body.step(at)?;
    Some(match next_call(step, at.at)? {
        Next::Template(n) => {
            let call = step.tool_calls.get(n)?;
            Ask::Tool { name: call.name.clone(), args: call.args_hint.clone() }
        }
        Next::Agent => {
            let agent = life.body.agent_of(step)?.to_string();
            Ask::Agent { agent, step: step.step_id.clone() }
        }
        Next::Collab => Ask::Collab { step: step.step_id.clone() },
        Next::Verify(n) => {
            let command = step.verify.get(n)?;
            let deadline_ms = life.body.start.limits.check_ms(command);
            Ask::Check { argv: line::split(command).ok()?, deadline_ms }
        }
    })
}

fn check(life: &Life, index: usize) -> Option<Ask> {
    let command = life.body.work.as_ref()?.plan.verification.commands.get(index)?;
    let argv = line::split(command).ok()?;
    Some(Ask::Check { argv, deadline_ms: life.body.start.limits.check_ms(command) })
}

/// The questions that its phase asks, held or not: a hold stops what would begin, and an answer
/// begins nothing.
#[must_use]
pub fn asked(life: &Life) -> Vec<Owed> {
    match &life.phase {
        Phase::Clarifying { questions, .. } => questions
            .iter()
            .map(|open| Owed::Question {
                slot: open.id.clone(),
                question: Question {
                    kind: "turn.clarify".into(),
                    about: open.asking.text.clone(),
                    options: open.asking.options.clone(),
                    takes_text: true,
                    hash: None,
                },
            })
            .collect(),
        Phase::AwaitingConfirmation(prompt) => vec![confirm(life, prompt)],
        Phase::Recovering(now) => match &now.rung {
            Rung::Help { n, .. } => {
                let question = Question {
                    kind: "turn.help".into(),
                    about: now.failure.code.clone(),
                    options: vec!["yes".into(), "no".into()],
                    takes_text: true,
                    hash: Some(rows::help_hash(now)),
                };
                vec![Owed::Question { slot: slot::help(*n), question }]
            }
            Rung::Degrade { .. }
            | Rung::Fix { .. }
            | Rung::Undo { .. }
            | Rung::Replan { .. }
            | Rung::Spent => vec![],
        },
        Phase::Intake { .. }
        | Phase::ContextBuilding { .. }
        | Phase::Planning { .. }
        | Phase::Executing(_)
        | Phase::Verifying(_)
        | Phase::Summarizing(_)
        | Phase::Done(_) => vec![],
    }
}

fn confirm(life: &Life, prompt: &Prompt) -> Owed {
    let plan = life.body.work.as_ref().map(|work| work.plan.goal.clone());
    let about = match prompt.subject {
        Subject::Plan | Subject::Patch | Subject::Git => plan.unwrap_or_default(),
        Subject::Call => prompt.reach.argv.first().map(|argv| argv.join(" ")).unwrap_or_default(),
    };
    let question = Question {
        kind: alloc::format!("turn.confirm_{}", prompt.subject.word()),
        about,
        options: vec!["yes".into(), "no".into()],
        takes_text: true,
        hash: Some(prompt.hash.clone()),
    };
    Owed::Question { slot: prompt.id(), question }
}
