//! A question as words: what is searched where nothing understands the question. Lines are ranked
//! by how many different words they hold.

use std::time::Instant;

use super::super::desk::Desk;
use super::super::fault::Fault;
use super::super::glob::Globbed;
use super::args::Semantic;
use super::hit::{Bound, Hit, Payload};
use super::matching;
use super::run::{Bounds, Tally, everything};
use super::scan::{Take, Wanted};
use super::sweep::{Plan, Swept};

/// More words than this describe everything.
const WORDS_MAX: usize = 16;
/// Shorter ones fit everywhere, unless a letter is a word of its own, as in Chinese.
const WORD_BYTES_MIN: usize = 2;
/// Lines around a hit.
const CONTEXT: usize = 2;

/// The different words of a question, in lower case and in order.
pub(super) fn of(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in query.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        let word = word.to_lowercase();
        if word.len() >= WORD_BYTES_MIN && !words.contains(&word) {
            words.push(word);
        }
    }
    words.truncate(WORDS_MAX);
    words
}

/// Searches the words of a question.
///
/// # Errors
/// When the place cannot be searched.
pub(super) fn search(desk: &Desk<'_>, args: &Semantic, bounds: Bounds) -> Result<Payload, Fault> {
    let words = of(&args.query);
    if words.is_empty() {
        return Ok(Tally::default().payload(Vec::new(), Vec::new()));
    }
    let matcher = matching::of_words(&words)?;
    let wanted = Wanted {
        matcher: &matcher,
        words: &words,
        context: CONTEXT,
        take: Take::Best(args.limit),
        bytes_max: desk.searched_bytes_max,
    };
    let plan = Plan {
        start: &args.path,
        glob: &Globbed::All,
        wanted,
        enough: usize::MAX,
        files_max: bounds.files_max,
        until: Instant::now() + bounds.time_max,
    };
    Ok(ranked(everything(desk, &plan)?, args.limit))
}

/// The best hits of all files; equals in the order of paths and lines.
fn ranked(swept: Swept, limit: usize) -> Payload {
    let mut tally = Tally::default();
    let mut hits: Vec<Hit> = Vec::new();
    for item in swept.items {
        if let Some((found, cut)) = tally.count(item) {
            tally.cut |= cut;
            hits.extend(found);
        }
    }
    let mut bounds = swept.bounds;
    if hits.len() > limit {
        bounds.push(Bound::Hits);
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    hits.truncate(limit);
    tally.payload(hits, bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_different_and_long_enough() {
        let table: [(&str, &[&str]); 5] = [
            ("Where is the retry delay?", &["where", "is", "the", "retry", "delay"]),
            ("Retry, RETRY retry", &["retry"]),
            ("a b c", &[]),
            ("用户 登录", &["用户", "登录"]),
            ("read_file::open()", &["read_file", "open"]),
        ];
        for (query, expected) in table {
            assert_eq!(of(query), expected, "{query}");
        }
    }
}
