//! The output of `codeagent-wrapper`: the answer, then a trailer with the session. Only the very
//! last two lines are a trailer; the same words further up are the answer's.

use super::draft::{Draft, TEXT_BYTES_MAX};
use super::plan::FoldPlan;
use super::raw::{Kept, Raw};

const RULE: &str = "---";
const SESSION: &str = "SESSION_ID:";
/// What its progress lines on standard error call the session.
const CAPTURED: [&str; 2] = ["Session-ID:", "[PROGRESS] session_started id="];

/// The output as it comes.
#[derive(Clone, Debug)]
pub(super) struct Talk {
    pub(super) raw: Raw,
}

impl Talk {
    /// Room for the answer and for a copy of the prompt in front of it.
    pub(super) fn new(plan: &FoldPlan) -> Self {
        let prompt = plan.prompt.as_ref().map_or(0, String::len);
        Self { raw: Raw::new(TEXT_BYTES_MAX + prompt) }
    }

    pub(super) fn finish(self, draft: &mut Draft) {
        let (lines, at) = self.raw.last_lines(2);
        let id = match lines.as_slice() {
            [rule, last] if rule == RULE => last.strip_prefix(SESSION).map(str::trim),
            _ => None,
        };
        draft.session(id);
        let (text, kept) = if id.is_some() { self.raw.before(at) } else { self.raw.all() };
        draft.text(after_echo(&text, draft.plan.prompt.clone().as_deref().unwrap_or_default()));
        draft.end.truncated |= kept == Kept::Part;
    }
}

fn after_echo<'a>(text: &'a str, prompt: &str) -> &'a str {
    if prompt.trim().is_empty() {
        return text;
    }
    text.strip_prefix(prompt).or_else(|| text.strip_prefix(prompt.trim_end())).unwrap_or(text)
}

/// The session that a progress line on standard error names. It was seen, and proves nothing.
pub(crate) fn captured(stderr: &str) -> Option<&str> {
    stderr.lines().find_map(|line| {
        let rest = CAPTURED.iter().find_map(|word| line.trim().strip_prefix(word))?;
        rest.split_whitespace().next()
    })
}
