//! Rows of a turn that sums up. The outcome stands; what is left is to answer, to say what happened
//! and, under policy, to commit.

use super::super::bounds::{ANSWER_TRIES_MAX, COMMIT_LINES_MAX};
use super::super::command::{AnswerFit, Command, Ended, Payload};
use super::super::draft::{Decision, Draft};
use super::super::event::{AfterSummary, Event};
use super::super::setup::Git;
use super::super::state::{Ending, GitResult, Life, Outcome, Resume, Subject, Summing, Verified};
use super::super::subject::Reach;
use super::shared;
use crate::machine::Said;
use crate::policy::Word;

/// What a turn that sums up answers.
pub fn row(life: &Life, now: &Summing, said: &Said<Command>) -> Decision {
    let mut draft = Draft::new(life, said);
    match &said.command {
        Command::ToolCallResult { ended, .. } => settled(&mut draft, now, Some(ended)),
        Command::Timeout { .. } => settled(&mut draft, now, None),
        Command::Cancel => draft.push(Event::Ended),
        Command::UserMessage(_)
        | Command::ClarificationAnswer { .. }
        | Command::ToolCallRequest(_)
        | Command::Confirm(_)
        | Command::Pause { .. }
        | Command::Resume
        | Command::EditPlan { .. }
        | Command::SkipStep { .. } => return shared::not_now(life, &said.command),
    }
    draft.done()
}

/// What was owed has ended, or its time is up.
fn settled(draft: &mut Draft<'_>, now: &Summing, ended: Option<&Ended>) {
    match &now.stage {
        Ending::Answering { error, .. } => answered(draft, error.is_some(), ended),
        Ending::Drafting => drafted(draft, now, ended),
        Ending::Committing => committed(draft, ended),
    }
}

fn answered(draft: &mut Draft<'_>, again: bool, ended: Option<&Ended>) {
    let tries = if again { ANSWER_TRIES_MAX } else { 1 };
    match ended.and_then(shared::payload) {
        Some(Payload::Answer(AnswerFit::Fits(answer))) => {
            draft.push(Event::AnswerTaken { answer: answer.clone() });
        }
        Some(Payload::Answer(AnswerFit::Not(error))) if tries < ANSWER_TRIES_MAX => {
            draft.push(Event::AnswerRejected { error: error.clone() });
        }
        Some(Payload::Answer(AnswerFit::Not(_))) => draft.fail("E_MODEL", "schema"),
        Some(_) | None => {
            let late = ("E_TOOL_TIMEOUT".into(), "turn.timeout.summary".into());
            let (code, detail) = ended.map_or(late, shared::bad);
            draft.fail(&code, &detail);
        }
    }
}

/// A summary that could not be made is drawn from the journal alone, and nothing is committed
/// that nobody could describe.
fn drafted(draft: &mut Draft<'_>, now: &Summing, ended: Option<&Ended>) {
    let Some(Payload::Summary { summary, git, reach, hash }) = ended.and_then(shared::payload)
    else {
        draft.push(Event::Summarised { summary: None, next: AfterSummary::End });
        return draft.push(Event::Ended);
    };
    let summary = Some(summary.clone());
    let next = match git.word() {
        Word::Allow if commits(draft, now) && asks_anyway(draft, reach) => AfterSummary::Ask,
        Word::Allow if commits(draft, now) => AfterSummary::Commit,
        Word::Ask if commits(draft, now) => AfterSummary::Ask,
        Word::Allow | Word::Ask | Word::Deny => AfterSummary::End,
    };
    draft.push(Event::Summarised { summary: summary.clone(), next });
    match next {
        AfterSummary::End => draft.push(Event::Ended),
        AfterSummary::Commit => {}
        AfterSummary::Ask => {
            let resume = Summing { summary, stage: Ending::Committing, ..now.clone() };
            let resume = Resume::Commit(alloc::boxed::Box::new(resume));
            draft.ask(Subject::Git, hash.clone(), reach.clone(), resume);
        }
    }
}

/// A large commit, or one of sensitive files, is asked about whatever was granted before.
fn asks_anyway(draft: &Draft<'_>, reach: &Reach) -> bool {
    let changed = draft.life.body.work.as_ref().map(|work| work.changed.values().sum::<u64>());
    changed.unwrap_or(0) > COMMIT_LINES_MAX || !reach.once_only.is_empty()
}

/// Only a whole turn is committed, and none whose checks should have stopped at their failure.
fn commits(draft: &Draft<'_>, now: &Summing) -> bool {
    let policy = draft.life.body.work.as_ref().map(|work| &work.plan.verification);
    let stopped = now.verified == Verified::Failed && policy.is_some_and(|one| one.stop_on_fail);
    let changed = draft.life.body.work.as_ref().is_some_and(|work| !work.changed.is_empty());
    let wanted = match draft.life.body.start.git {
        Git::Off | Git::Message => false,
        Git::Commit => true,
    };
    wanted && changed && !stopped && now.outcome == Outcome::Completed
}

fn committed(draft: &mut Draft<'_>, ended: Option<&Ended>) {
    let result = match ended.and_then(shared::payload) {
        Some(Payload::Git { commit }) => GitResult::Committed { commit: commit.clone() },
        Some(_) | None => {
            let late = ("E_TOOL_TIMEOUT".into(), "turn.timeout.summary".into());
            GitResult::Failed { code: ended.map_or(late, shared::bad).0 }
        }
    };
    draft.push(Event::GitSettled { result });
    draft.push(Event::Ended);
}
