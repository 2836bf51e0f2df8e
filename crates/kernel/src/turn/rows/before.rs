//! Rows before there is a plan to make: intake, questions, context.

use alloc::vec;

use super::super::command::{Command, Ended, Payload, Reply};
use super::super::draft::{Decision, Draft};
use super::super::event::{AfterIntake, Event};
use super::super::models::{IntakeReport, Intent};
use super::super::refusal::Refusal;
use super::super::setup::Mode;
use super::super::state::{AskedFrom, Life, Phase, Why};
use super::{planning, shared};
use crate::machine::Said;
use crate::policy::{Verdict, Word};

/// What a turn at intake answers.
pub fn intake(life: &Life, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ToolCallResult { ended, .. } => match shared::payload(ended) {
            Some(Payload::Intake { report, verdict }) => assessed(&mut draft, report, verdict),
            Some(_) | None => {
                let (code, detail) = shared::bad(ended);
                draft.fail(&code, &detail);
            }
        },
        Command::Timeout { .. } => draft.fail("E_TOOL_TIMEOUT", "turn.timeout.intake"),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// Predicts; it may deny and ask, and never allows anything.
fn assessed(draft: &mut Draft<'_>, report: &IntakeReport, verdict: &Verdict) {
    let start = &draft.life.body.start;
    let above = start.risk_max.is_some_and(|most| report.risk_level > most);
    let denied = verdict.word() == Word::Deny;
    let chat = match report.intent {
        Intent::GeneralChat | Intent::CapabilityQuery => start.mode == Mode::Write,
        Intent::CodingTask | Intent::RepoAnalysis | Intent::Uncertain => false,
    };
    let next = if denied || above || !(chat || report.missing.is_empty()) {
        AfterIntake::Decided
    } else if chat {
        AfterIntake::Answer
    } else {
        AfterIntake::Context
    };
    draft.push(Event::IntakeAssessed { report: report.clone(), next });
    if denied || above {
        let rule = if denied { verdict.rule() } else { "risk_max" };
        draft.deny("policy", rule);
    } else if next == AfterIntake::Decided {
        shared::ask(draft, &report.missing, AskedFrom::Intake);
    }
}

/// What a turn with open questions answers.
pub fn clarifying(life: &Life, said: &Said<Command>) -> Decision {
    let Phase::Clarifying { round, questions, from, .. } = &life.phase else {
        return shared::not_now(life, &said.command);
    };
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ClarificationAnswer { question, reply } => {
            if !questions.iter().any(|open| open.id == *question) {
                let question = question.clone();
                return Err(Refusal::QuestionClosed { question, allowed: vec![] });
            }
            let answer = match reply {
                Reply::Text(text) => Some(text.clone()),
                Reply::Proceed => None,
            };
            let by = draft.word();
            draft.push(Event::Answered { question: question.clone(), answer, by });
        }
        Command::Timeout { .. } => {
            let (round, questions, from) = (*round, questions.clone(), from.clone());
            draft.push(Event::QuestionsParked { round, questions, from });
        }
        Command::UserMessage(_)
        | Command::ToolCallRequest(_)
        | Command::ToolCallResult { .. }
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// What a turn that gathers its context answers.
pub fn context(life: &Life, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ToolCallResult { ended, .. } => match shared::payload(ended) {
            Some(Payload::Context(pack)) => draft.push(Event::ContextBuilt { pack: pack.clone() }),
            Some(_) | None => {
                draft.fail("E_IO", &unreadable(ended));
                return draft.done();
            }
        },
        Command::Timeout { .. } => draft.push(Event::ContextCut),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Cancel
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    }
    if matches!(draft.life.phase, Phase::Planning { why: Why::Direct, .. }) {
        planning::direct(&mut draft);
    }
    draft.done()
}

fn unreadable(ended: &Ended) -> alloc::string::String {
    shared::bad(ended).1
}
