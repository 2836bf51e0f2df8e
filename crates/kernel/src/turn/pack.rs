//! The context pack: what a planner is told of the workspace, and the arithmetic of its budget. It
//! reads nothing; who gathers the parts decides what may enter.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bounds::{CONTEXT_TOKENS_MAX, SNIPPET_LINES_MAX, SNIPPETS_MAX, TOKEN_BYTES};

/// What found a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words are the page's own")]
pub enum HitSource {
    Grep,
    Semantic,
    Symbol,
    Manual,
}

/// A place that has to do with the request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct RetrievalHit {
    pub source: HitSource,
    pub path: String,
    pub score: f64,
    pub summary: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_line: Option<u32>,
}

/// Lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct CodeSnippet {
    pub path: String,
    pub start_line: u32,
    pub end_line: u32,
    pub content: String,
}

/// Bounds of snippets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct PackLimits {
    pub max_snippets: u32,
    pub max_lines_per_snippet: u32,
}

impl Default for PackLimits {
    fn default() -> Self {
        Self { max_snippets: SNIPPETS_MAX, max_lines_per_snippet: SNIPPET_LINES_MAX }
    }
}

/// What a pack may take and takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names are the page's own")]
pub struct TokenBudget {
    pub total_estimate: u64,
    pub used_estimate: u64,
    pub limits: PackLimits,
}

impl Default for TokenBudget {
    fn default() -> Self {
        let total_estimate = CONTEXT_TOKENS_MAX;
        Self { total_estimate, used_estimate: 0, limits: PackLimits::default() }
    }
}

/// What a planner is told of the workspace.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextPack {
    /// The map of the repository.
    pub workspace_summary: String,
    /// Never cut.
    pub constraints: Vec<String>,
    /// Places, in any order.
    pub retrieval_hits: Vec<RetrievalHit>,
    /// Snippets, the best first.
    pub code_snippets: Vec<CodeSnippet>,
    /// Results of earlier calls, the oldest first.
    pub recent_actions: Vec<Value>,
    /// What it may take and takes.
    pub token_budget: TokenBudget,
    /// What earlier turns came to.
    pub history_summary: String,
    /// What a reader should know of the pack itself.
    pub notes: Vec<String>,
}

/// Estimated tokens of a text.
#[must_use]
pub const fn tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(TOKEN_BYTES)
}

impl ContextPack {
    /// Cuts the pack to its budget: oldest actions, then hits and snippets of the lowest score,
    /// then the tail of the map. `message` is told beside the pack and counts; it and the
    /// constraints are never cut, and a budget that is too small for them grows to hold them.
    #[must_use]
    pub fn fitted(mut self, message: &str) -> Self {
        self.bound_snippets();
        let kept = tokens(message) + self.constraints.iter().map(|one| tokens(one)).sum::<u64>();
        self.token_budget.total_estimate = self.token_budget.total_estimate.max(kept);
        let total = self.token_budget.total_estimate;
        while kept + self.cuttable() > total && self.cut_one() {}
        let over = (kept + self.cuttable()).saturating_sub(total);
        if over > 0 {
            let keep = tokens(&self.workspace_summary).saturating_sub(over) * TOKEN_BYTES;
            shorten(&mut self.workspace_summary, usize::try_from(keep).unwrap_or(0));
        }
        let over = (kept + self.cuttable()).saturating_sub(total);
        if over > 0 {
            let keep = tokens(&self.history_summary).saturating_sub(over) * TOKEN_BYTES;
            shorten(&mut self.history_summary, usize::try_from(keep).unwrap_or(0));
        }
        if kept + self.cuttable() > total {
            self.notes.clear();
        }
        self.token_budget.used_estimate = kept + self.cuttable();
        self
    }

    fn bound_snippets(&mut self) {
        let PackLimits { max_snippets, max_lines_per_snippet } = self.token_budget.limits;
        self.code_snippets.truncate(usize::try_from(max_snippets).unwrap_or(usize::MAX));
        for snippet in &mut self.code_snippets {
            let lines = usize::try_from(max_lines_per_snippet).unwrap_or(usize::MAX);
            if let Some((end, _)) = snippet.content.match_indices('\n').nth(lines.saturating_sub(1))
            {
                snippet.content.truncate(end);
                snippet.end_line = snippet.start_line + max_lines_per_snippet.saturating_sub(1);
            }
        }
    }

    /// Cuts what is worth least; false if only the map and the words are left.
    fn cut_one(&mut self) -> bool {
        if !self.recent_actions.is_empty() {
            self.recent_actions.remove(0);
            return true;
        }
        let scores = self.retrieval_hits.iter().enumerate();
        let lowest = scores.min_by(|a, b| a.1.score.total_cmp(&b.1.score)).map(|(at, _)| at);
        if let Some(at) = lowest {
            self.retrieval_hits.remove(at);
            return true;
        }
        self.code_snippets.pop().is_some()
    }

    fn cuttable(&self) -> u64 {
        let json = |value: &Value| tokens(&alloc::string::ToString::to_string(value));
        tokens(&self.workspace_summary)
            + tokens(&self.history_summary)
            + self.notes.iter().map(|note| tokens(note)).sum::<u64>()
            + self.recent_actions.iter().map(json).sum::<u64>()
            + self.retrieval_hits.iter().map(|h| tokens(&h.path) + tokens(&h.summary)).sum::<u64>()
            + self.code_snippets.iter().map(|s| tokens(&s.path) + tokens(&s.content)).sum::<u64>()
    }
}

/// Keeps at most so many bytes, whole characters only.
fn shorten(text: &mut String, bytes: usize) {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}

/// A pack as the journal names it: the whole is kept in a file of ours under its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackRef {
    /// SHA-256 of the canonical pack.
    pub sha256: String,
    /// What it takes.
    pub used_estimate: u64,
    /// What it may take.
    pub total_estimate: u64,
    /// What a reader should know of it.
    pub notes: Vec<String>,
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use super::*;

    fn hit(path: &str, score: f64) -> RetrievalHit {
        RetrievalHit {
            source: HitSource::Grep,
            path: path.to_string(),
            score,
            summary: "x".repeat(400),
            start_line: None,
            end_line: None,
        }
    }

    fn full(total: u64) -> ContextPack {
        let limits = PackLimits { max_snippets: 2, max_lines_per_snippet: 2 };
        ContextPack {
            workspace_summary: "m".repeat(4_000),
            constraints: vec!["no API change".to_string()],
            retrieval_hits: vec![hit("low", 0.1), hit("high", 0.9)],
            code_snippets: (0..3u32)
                .map(|n| CodeSnippet {
                    path: n.to_string(),
                    start_line: 10,
                    end_line: 13,
                    content: "a\nb\nc\nd".to_string(),
                })
                .collect(),
            recent_actions: vec![Value::from("old".repeat(100)), Value::from("new".repeat(100))],
            token_budget: TokenBudget { total_estimate: total, used_estimate: 0, limits },
            history_summary: "h".repeat(400),
            notes: vec![],
        }
    }

    #[test]
    fn the_cut_order() {
        let whole = full(100_000).fitted("do it");
        assert_eq!((whole.recent_actions.len(), whole.retrieval_hits.len()), (2, 2));
        assert_eq!(whole.code_snippets.len(), 2, "more than the limit never enter");
        assert_eq!(
            (whole.code_snippets[0].content.as_str(), whole.code_snippets[0].end_line),
            ("a\nb", 11)
        );
        let used = whole.token_budget.used_estimate;
        let less = full(used - 1).fitted("do it");
        assert_eq!((less.recent_actions.len(), less.retrieval_hits.len()), (1, 2), "oldest action");
        let less = full(used - 200).fitted("do it");
        let left: Vec<&str> = less.retrieval_hits.iter().map(|hit| hit.path.as_str()).collect();
        assert_eq!((less.recent_actions.len(), left), (0, vec!["high"]), "lowest hit");
        let less = full(600).fitted("do it");
        assert!(less.code_snippets.is_empty() && less.retrieval_hits.is_empty());
        assert!(!less.workspace_summary.is_empty() && less.workspace_summary.len() < 4_000);
    }

    #[test]
    fn invariant_used_is_within_total() {
        for total in [0, 1, 5, 50, 100, 600, 1_100, 5_000] {
            let pack = full(total).fitted("do it, 请");
            let budget = pack.token_budget;
            assert!(budget.used_estimate <= budget.total_estimate, "{total}: {budget:?}");
            assert_eq!(pack.constraints, ["no API change"], "never cut");
        }
    }
}
