//! What decided, and which risk was found, in words for people.

use kernel::policy::risk::Finding;
use kernel::policy::{Judgement, NAMED};

use crate::words::{Lang, say};

/// Why a judgement came out as it did: the rule's own words, or ours.
#[must_use]
pub fn reason(lang: Lang, judged: &Judgement) -> String {
    let own = judged.reason.as_ref().map(|reason| match lang {
        Lang::En => reason.en.clone(),
        Lang::Zh => reason.zh.clone(),
    });
    let name = judged.verdict.rule();
    match own.filter(|text| !text.is_empty()) {
        Some(text) => text,
        None if NAMED.contains(&name) => say(lang, &format!("policy-by-{name}"), &[]),
        None => say(lang, "policy-by-rule", &[]),
    }
}

/// One risk in a line.
#[must_use]
pub fn risk(lang: Lang, finding: &Finding) -> String {
    let kind = say(lang, &format!("policy-risk-{}", finding.risk.word()), &[]);
    let reach = say(lang, &format!("policy-reach-{}", finding.reach.word()), &[]);
    let level = say(lang, &format!("policy-level-{}", finding.level.word()), &[]);
    let said: [(&str, &dyn std::fmt::Display); 4] =
        [("type", &kind), ("reach", &reach), ("level", &level), ("evidence", &finding.evidence)];
    say(lang, "policy-risk", &said)
}

#[cfg(test)]
mod tests {
    use kernel::policy::risk::{Level, Reach, Risk};

    use super::*;
    use crate::words::find;

    #[test]
    fn everything_that_decides_has_words() {
        let risks = Risk::ALL.map(|risk| format!("policy-risk-{}", risk.word()));
        let levels = [Level::High, Level::Critical].map(|l| format!("policy-level-{}", l.word()));
        let reaches = [Reach::Files, Reach::Repository, Reach::Machine, Reach::Remote];
        let reaches = reaches.map(|reach| format!("policy-reach-{}", reach.word()));
        let named = NAMED.map(|name| format!("policy-by-{name}"));
        for key in named.iter().chain(&risks).chain(&levels).chain(&reaches) {
            for lang in Lang::ALL {
                assert!(find(lang, key, &[]).is_some(), "{lang}: {key}");
            }
        }
    }
}
