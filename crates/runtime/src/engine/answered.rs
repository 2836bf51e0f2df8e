//! What the end of an agent's call means to a loop's leg. Pure: the report in, the end of the leg
//! or the look that is needed for it out. Reading the answer's file is the hands' business.

use kernel::agent::{self, Answer, ISSUES_MAX, Issue, Report, Spooled, Structured};
use kernel::call::{Ended, Exit, Failure, Outcome};
use kernel::loops::{BadAnswer, Leg, LegEnd, Seen};

/// An answer that still has to be read before its owner can hear of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The call.
    pub call: String,
    /// The answer.
    pub text: Spooled,
    /// The value of the wanted form, where one was asked for.
    pub value: Option<Spooled>,
    /// The conversation, if it is known.
    pub session: Option<String>,
    /// Paths that differ from the tree before the call.
    pub files_changed: Vec<String>,
    /// Who does tasks that name nobody.
    pub tool: String,
    /// What the reproduction before it showed, if there was one.
    pub seen: Option<Box<Seen>>,
}

/// What an agent's call gave.
#[derive(Debug)]
pub(super) enum Gave {
    /// The leg has ended so.
    End(LegEnd),
    /// Its answer is to be read.
    Answer(Box<Spoken>),
}

/// What a leg hears of an agent's call that has settled.
pub(super) fn of_agent(
    (leg, call, tool): (&Leg, &str, &str),
    outcome: &Outcome,
    exit: &Exit,
    report: &Report,
) -> Gave {
    match (&report.answer, outcome) {
        // Its walls say more than what it says of itself.
        (_, Outcome::Failed(failure))
            if matches!(&*failure.kind, "sandbox_unavailable" | "protected") =>
        {
            Gave::End(super::outcome::settled(outcome, Some(exit)))
        }
        (Answer::Answered { session, text, structured }, Outcome::Ok) => {
            let spoken = Spoken {
                call: call.to_owned(),
                text: text.clone(),
                value: None,
                session: session.clone(),
                files_changed: exit.files_changed.clone(),
                tool: tool.to_owned(),
                seen: None,
            };
            formed(leg, structured, spoken)
        }
        (Answer::Failed { error, .. }, Outcome::Failed(_) | Outcome::TimedOut { .. }) => {
            Gave::End(failed(error, outcome, exit))
        }
        // Stopped by somebody, or ended well under less of a sandbox than was prepared.
        (
            Answer::Answered { .. },
            Outcome::Failed(_) | Outcome::TimedOut { .. } | Outcome::Stopped,
        )
        | (Answer::Failed { .. }, Outcome::Ok | Outcome::Stopped) => {
            Gave::End(super::outcome::settled(outcome, Some(exit)))
        }
    }
}

/// Whether the answer has the form its leg needs.
fn formed(leg: &Leg, structured: &Structured, spoken: Spoken) -> Gave {
    match (leg, structured) {
        (Leg::Breakdown | Leg::Explore | Leg::Analyze, Structured::Valid(value)) => {
            Gave::Answer(Box::new(Spoken { value: Some(value.clone()), ..spoken }))
        }
        (Leg::Breakdown | Leg::Explore | Leg::Analyze, Structured::Invalid { kind, issues }) => {
            Gave::End(unusable(&spoken, kind, issues.clone()))
        }
        (Leg::Breakdown | Leg::Explore | Leg::Analyze, Structured::NotAsked) => {
            Gave::End(unusable(&spoken, "not_json", Vec::new()))
        }
        (
            Leg::Work | Leg::Instrument | Leg::Reproduce | Leg::Restore | Leg::Check(_) | Leg::Seal,
            _,
        ) => Gave::Answer(Box::new(spoken)),
    }
}

/// The end of a leg whose answer has not the wanted form: what is wrong, where the answer lies, and
/// what a correction needs to know.
pub(crate) fn unusable(spoken: &Spoken, kind: &str, issues: Vec<Issue>) -> LegEnd {
    let first = issues.first().map(|issue| {
        let at = if issue.pointer.is_empty() { "/" } else { &issue.pointer };
        format!("{at}: {} ", issue.expected)
    });
    let detail = format!("{}(.loop/{})", first.unwrap_or_default(), spoken.text.path);
    LegEnd::Unusable {
        failure: Failure { code: "E_MODEL".to_owned(), kind: kind.to_owned(), detail },
        bad: Some(Box::new(BadAnswer {
            call: spoken.call.clone(),
            session: spoken.session.clone(),
            sha256: spoken.text.sha256.clone(),
            issues: issues.into_iter().take(ISSUES_MAX).collect(),
        })),
    }
}

/// A used-up quota, a missing program and one that did not start are nobody's fault: the work is
/// blocked. Anything else is a failure of the leg.
fn failed(error: &agent::Error, outcome: &Outcome, exit: &Exit) -> LegEnd {
    let failure = Failure {
        code: error.code.clone(),
        kind: error.kind.clone(),
        detail: error.detail.clone(),
    };
    let files_changed = exit.files_changed.clone();
    match (error.code.as_str(), error.kind.as_str(), outcome) {
        ("E009", "quota", _) => LegEnd::Blocked { failure, reset_at: reset_at(error, exit) },
        ("E001", _, _) => LegEnd::Blocked { failure, reset_at: None },
        (_, _, _) if exit.ended == Ended::SpawnFailed => {
            LegEnd::Blocked { failure, reset_at: None }
        }
        (_, _, Outcome::TimedOut { .. }) => LegEnd::TimedOut { failure, files_changed },
        (_, _, Outcome::Ok | Outcome::Failed(_) | Outcome::Stopped) => {
            LegEnd::Failed { failure, files_changed }
        }
    }
}

/// When the limit ends: as named, or by the wait that was asked for.
fn reset_at(error: &agent::Error, exit: &Exit) -> Option<kernel::machine::At> {
    error.reset_at.or_else(|| Some(exit.ended_at.plus(error.retry_after_ms?)))
}

#[cfg(test)]
mod tests {
    use kernel::agent::Facts;
    use kernel::loops::Gave as LegGave;
    use kernel::machine::At;

    use super::*;

    const CALL: &str = "call-1";

    fn spooled(name: &str) -> Spooled {
        Spooled { path: format!("calls/{CALL}/{name}"), sha256: "ab".into(), bytes: 2 }
    }

    fn exit(ended: Ended, answer: Answer) -> Exit {
        Exit {
            ended,
            exit_code: Some(0),
            signal: None,
            started_at: At(1_000),
            ended_at: At(5_000),
            stdout_bytes: 0,
            stderr_bytes: 0,
            dropped_bytes: 0,
            sandbox: "none".into(),
            held: Box::default(),
            survivors: Vec::new(),
            tree_after: None,
            files_changed: vec!["src/a.rs".into()],
            changes: None,
            agent: Some(Box::new(Report { answer, facts: Facts::default() })),
            done: None,
        }
    }

    fn answer(structured: Structured) -> Answer {
        Answer::Answered { session: Some("s-1".into()), text: spooled("answer"), structured }
    }

    fn fail(code: &str, kind: &str, (retry_after_ms, at): (Option<u64>, Option<u64>)) -> Answer {
        let error = agent::Error {
            code: code.into(),
            kind: kind.into(),
            detail: "said so".into(),
            retry_after_ms,
            reset_at: at.map(At),
        };
        Answer::Failed { error, session: None, partial: None }
    }

    /// One line about what the leg hears.
    fn heard(leg: &Leg, outcome: &Outcome, ended: Ended, answer: Answer) -> String {
        let exit = exit(ended, answer);
        let report = exit.agent.as_deref().expect("an agent's");
        match of_agent((leg, CALL, "gemini"), outcome, &exit, report) {
            Gave::Answer(spoken) => {
                let value = spoken.value.as_ref().map_or("-", |value| &value.path);
                format!("read {} {value}", spoken.text.path)
            }
            Gave::End(LegEnd::Ok(LegGave::Work { .. })) => "ok".to_owned(),
            Gave::End(LegEnd::Ok(_)) => "ok, but what".to_owned(),
            Gave::End(LegEnd::Failed { failure, .. }) => format!("failed {}", line(&failure)),
            Gave::End(LegEnd::TimedOut { failure, .. }) => format!("timed out {}", line(&failure)),
            Gave::End(LegEnd::Unusable { failure, .. }) => format!("unusable {}", line(&failure)),
            Gave::End(LegEnd::Cancelled) => "cancelled".to_owned(),
            Gave::End(LegEnd::Blocked { failure, reset_at }) => {
                format!("blocked {} {:?}", line(&failure), reset_at.map(|at| at.0))
            }
        }
    }

    fn line(failure: &Failure) -> String {
        format!("{}/{}", failure.code, failure.kind)
    }

    #[test]
    fn an_answer_is_read_if_it_has_its_form() {
        let valid = || answer(Structured::Valid(spooled("answer.json")));
        let invalid = Structured::Invalid { kind: "two_objects".into(), issues: Vec::new() };
        let table = [
            (Leg::Breakdown, valid(), "read calls/call-1/answer calls/call-1/answer.json"),
            (Leg::Breakdown, answer(invalid.clone()), "unusable E_MODEL/two_objects"),
            (Leg::Breakdown, answer(Structured::NotAsked), "unusable E_MODEL/not_json"),
            (Leg::Work, answer(Structured::NotAsked), "read calls/call-1/answer -"),
        ];
        for (leg, answer, expected) in table {
            assert_eq!(heard(&leg, &Outcome::Ok, Ended::Exit, answer), expected, "{leg:?}");
        }
        // What was stopped is stopped, and a sandbox that was not there makes no answer good.
        let sandbox = Outcome::Failed(Failure {
            code: "E_IO".into(),
            kind: "sandbox_unavailable".into(),
            detail: String::new(),
        });
        assert_eq!(
            heard(&Leg::Breakdown, &sandbox, Ended::Exit, valid()),
            "blocked E_IO/sandbox_unavailable None"
        );
        let stopped = fail("E007", "stopped", (None, None));
        assert_eq!(heard(&Leg::Work, &Outcome::Stopped, Ended::Stopped, stopped), "cancelled");
    }

    #[test]
    fn a_failure_blocks_only_what_is_nobodys_fault() {
        let table = [
            ("E009", "quota", (None, Some(9_000)), "blocked E009/quota Some(9000)"),
            ("E009", "quota", (Some(3_000), None), "blocked E009/quota Some(8000)"),
            ("E009", "quota", (None, None), "blocked E009/quota None"),
            ("E001", "missing", (None, None), "blocked E001/missing None"),
            ("E009", "auth", (None, None), "failed E009/auth"),
            ("E009", "server", (None, None), "failed E009/server"),
            ("E003", "silent", (None, None), "failed E003/silent"),
            ("E010", "network", (None, None), "failed E010/network"),
        ];
        for (code, kind, times, expected) in table {
            let failure = Failure { code: code.into(), kind: kind.into(), detail: String::new() };
            let outcome = Outcome::Failed(failure);
            let found = heard(&Leg::Work, &outcome, Ended::Exit, fail(code, kind, times));
            assert_eq!(found, expected);
        }
        let failure = Failure { code: "E003".into(), kind: "x".into(), detail: String::new() };
        let outcome = Outcome::Failed(failure);
        let spawn =
            heard(&Leg::Work, &outcome, Ended::SpawnFailed, fail("E003", "x", (None, None)));
        assert_eq!(spawn, "blocked E003/x None");
        let limit = Outcome::TimedOut { limit: "idle".into() };
        let idle = heard(&Leg::Work, &limit, Ended::Idle, fail("E004", "idle", (None, None)));
        assert_eq!(idle, "timed out E004/idle");
    }

    #[test]
    fn an_unusable_answer_names_its_place_and_what_is_wrong() {
        let issue = |n: usize| Issue {
            pointer: format!("/tasks/{n}"),
            expected: "an object".into(),
            found: "1".into(),
        };
        let spoken = Spoken {
            call: CALL.into(),
            text: spooled("answer"),
            value: None,
            session: Some("s-1".into()),
            files_changed: Vec::new(),
            tool: "gemini".into(),
            seen: None,
        };
        let end = unusable(&spoken, "schema", (0..25).map(issue).collect());
        let LegEnd::Unusable { failure, bad: Some(bad) } = end else { panic!("not unusable") };
        assert_eq!(failure.detail, "/tasks/0: an object (.loop/calls/call-1/answer)");
        assert_eq!((bad.call.as_str(), bad.issues.len()), (CALL, ISSUES_MAX));
        assert_eq!((bad.session.as_deref(), bad.sha256.as_str()), (Some("s-1"), "ab"));
    }
}
