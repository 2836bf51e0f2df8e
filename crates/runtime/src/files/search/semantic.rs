//! The tool `search_semantic`: places an adapter names for a question, shown as they stand in the
//! tree; or the words of the question, searched, with the reason why. The answer says which.

use kernel::paths::{Class, Rel};

use super::super::desk::Desk;
use super::super::fault::Fault;
use super::adapter::{self, Adapter, Named};
use super::args::Semantic;
use super::hit::{Fallback, Hit, Payload, Source, WhyFallback};
use super::place;
use super::run::{Bounds, Tally};
use super::words;

/// Answers a question; `adapter` is the configured program, if there is one.
///
/// # Errors
/// When the place cannot be searched.
pub fn search_semantic(
    desk: &Desk<'_>,
    args: &Semantic,
    adapter: Option<&Adapter>,
) -> Result<Payload, Fault> {
    desk.root.check()?;
    let asked = adapter.ok_or(WhyFallback::Absent);
    let named = asked.and_then(|adapter| adapter::ask(adapter, desk.root.path(), args));
    let shown = named.and_then(|named| shown(desk, args, named));
    match shown {
        Ok(hits) => {
            let files = distinct(&hits);
            let mut payload = Tally::default().payload(hits, Vec::new());
            payload.files = files;
            Ok(payload)
        }
        Err(why) => {
            let mut payload = words::search(desk, args, Bounds::default())?;
            let fallback = Fallback { from: Source::Semantic, to: Source::Grep, why };
            payload.fallback = Some(fallback);
            Ok(payload)
        }
    }
}

/// What may be shown of the places named: inside, below the path asked for, not secret, and there.
fn shown(desk: &Desk<'_>, args: &Semantic, named: Vec<Named>) -> Result<Vec<Hit>, WhyFallback> {
    let hits = named.into_iter().filter_map(|named| one(desk, args, &named));
    let hits: Vec<Hit> = hits.take(args.limit).collect();
    if hits.is_empty() { Err(WhyFallback::Empty) } else { Ok(hits) }
}

fn one(desk: &Desk<'_>, args: &Semantic, named: &Named) -> Option<Hit> {
    let path = Rel::file(&named.path).ok()?;
    let is_below = args.path.is_root()
        || path == args.path
        || path.as_str().strip_prefix(args.path.as_str()).is_some_and(|rest| rest.starts_with('/'));
    let hidden = |path: &str| {
        let classes = desk.names.classes(path);
        classes.has(Class::Secret) || classes.has(Class::Control)
    };
    if !is_below || hidden(path.as_str()) {
        return None;
    }
    let opened = desk.root.open_file(&path).ok()?;
    if hidden(&opened.real) {
        return None;
    }
    let mut hit = place::at(opened, desk.searched_bytes_max, path.as_str(), named.line)?;
    hit.score = named.score.filter(|score| score.is_finite()).unwrap_or_default().clamp(0.0, 1.0);
    Some(hit)
}

fn distinct(hits: &[Hit]) -> u64 {
    let paths: std::collections::BTreeSet<&str> =
        hits.iter().map(|hit| hit.path.as_str()).collect();
    paths.len() as u64
}
