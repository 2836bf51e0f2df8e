//! Looks at a request before anything is read or planned: what is wanted, what it will need, what
//! only a person knows. It may deny; it never grants.

use kernel::policy::{Trust, Verdict};
use kernel::turn::{
    Earlier, IntakeReport, Intent, Life, Mode, Permission, Planner, Start, Words, assess,
};

use super::pages;
use crate::policy::Judge;
use crate::words::Lang;

/// The name of a verdict that only lets the turn go on.
const GOES_ON: &str = "intake";

/// What intake says of the words, and whether the turn may go on at all.
#[must_use]
pub fn intake(life: &Life, earlier: Earlier, judge: &Judge) -> (IntakeReport, Verdict) {
    let (start, answers) = (&life.body.start, &life.body.answers);
    let lang = language(start);
    let report =
        assess(&Words { start, answers, earlier }).report(|missing| pages::asked(lang, missing));
    let verdict = verdict(start, &report, judge.trust());
    (report, verdict)
}

/// The language of those who are told of a turn.
#[must_use]
pub fn language(start: &Start) -> Lang {
    Lang::parse(&start.lang).unwrap_or(Lang::En)
}

/// What would be denied whatever the plan says is denied before one is made. A plan that is only
/// made changes nothing.
fn verdict(start: &Start, report: &IntakeReport, trust: Trust) -> Verdict {
    let changes = report.intent == Intent::CodingTask
        && start.mode == Mode::Write
        && report.permissions.iter().any(|needed| *needed != Permission::FsRead);
    match (trust, &start.planner, &start.agent_step.verdict) {
        (Trust::Untrusted, _, _) if changes => Verdict::Deny { rule: "untrusted".to_owned() },
        (_, Planner::Direct, Verdict::Deny { rule }) => Verdict::Deny { rule: rule.clone() },
        (_, _, _) => Verdict::Allow { rule: GOES_ON.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use kernel::policy::Word;
    use kernel::turn::samples;

    use super::*;
    use crate::policy::Standing;

    /// Words, trust and start; what intake says of them.
    type Case = (&'static str, Trust, fn(&mut Start), Intent, Word);

    fn looked(request: &str, trust: Trust, change: fn(&mut Start)) -> (IntakeReport, Verdict) {
        let mut all = samples::sample_states().into_iter();
        let state = all.find(|(name, _)| *name == "intake").unwrap().1;
        let mut life = state.life().unwrap().clone();
        life.body.start.request = request.to_owned();
        change(&mut life.body.start);
        let standing = Standing::unknown(Path::new("/w"), Path::new("/home/nobody"));
        let judge = Judge::fixed(Standing { trust, ..standing });
        intake(&life, Earlier::None, &judge)
    }

    #[test]
    fn intake_may_deny_and_never_grants() {
        let table: [Case; 6] = [
            ("Add a flag", Trust::Trusted, |_| {}, Intent::CodingTask, Word::Allow),
            ("Add a flag", Trust::Untrusted, |_| {}, Intent::CodingTask, Word::Deny),
            (
                "Add a flag",
                Trust::Untrusted,
                |s| s.mode = Mode::Plan,
                Intent::CodingTask,
                Word::Allow,
            ),
            ("What is `list`?", Trust::Untrusted, |_| {}, Intent::RepoAnalysis, Word::Allow),
            ("hello?", Trust::Untrusted, |_| {}, Intent::GeneralChat, Word::Allow),
            (
                "Do it",
                Trust::Trusted,
                |s| {
                    s.planner = Planner::Direct;
                    s.agent_step.verdict = Verdict::Deny { rule: "r".to_owned() };
                },
                Intent::CodingTask,
                Word::Deny,
            ),
        ];
        for (request, trust, change, intent, word) in table {
            let (report, verdict) = looked(request, trust, change);
            assert_eq!((report.intent, verdict.word()), (intent, word), "{request} {trust:?}");
        }
        let (report, _) = looked("hm", Trust::Trusted, |start| start.lang = "zh-CN".to_owned());
        assert_eq!(report.missing[0].text, pages::asked(Lang::Zh, kernel::turn::Missing::Goal));
    }
}
