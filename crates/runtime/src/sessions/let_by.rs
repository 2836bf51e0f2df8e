//! What a flow went on in spite of, in words: requirements and checks that a person waived, risks
//! that a person accepted; and what became of the knowledge base.

use std::fmt::Display;

use kernel::session::{Flow, Risk};

use crate::words::{Lang, find, say};

/// Every waiver of a flow, one a line.
#[must_use]
pub fn waived(lang: Lang, flow: &Flow) -> Vec<String> {
    let line = |waiver: &kernel::session::Waiver| {
        let score = waiver.score.map(|score| score.to_string()).unwrap_or_default();
        let args: [(&str, &dyn Display); 2] = [("score", &score), ("by", &waiver.by)];
        let key = format!("session-waiver-{}", waiver.what.replace('_', "-"));
        find(lang, &key, &args).unwrap_or_else(|| format!("{} ({})", waiver.what, waiver.by))
    };
    flow.waivers.iter().map(line).collect()
}

/// Every risk that a person accepted in a flow, one a line.
#[must_use]
pub fn risks(lang: Lang, flow: &Flow) -> Vec<String> {
    let line = |risk: &Risk| {
        let args: [(&str, &dyn Display); 4] = [
            ("type", &risk.kind.word()),
            ("level", &risk.level.word()),
            ("where", &risk.place),
            ("evidence", &risk.evidence),
        ];
        say(lang, "session-risk-accepted", &args)
    };
    flow.risks.iter().map(line).collect()
}

/// What is shown of the knowledge base once a flow has decided about it.
#[must_use]
pub fn knowledge(lang: Lang, shown: Option<&str>) -> Option<String> {
    find(lang, &format!("session-kb-{}", shown?), &[])
}
