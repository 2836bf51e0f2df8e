//! The tool `search`: lines that fit, in the order of paths, up to a limit.

use std::time::{Duration, Instant};

use kernel::paths::{Class, Rel};

use super::super::desk::Desk;
use super::super::facts::Kind;
use super::super::fault::Fault;
use super::super::glob::Globbed;
use super::args::{Args, Query};
use super::hit::{Bound, Hit, Payload, Skipped};
use super::matching;
use super::scan::{Scratch, Seen, Take, Wanted};
use super::sweep::{self, FILES_MAX, Item, Plan, Swept, TIME_MAX};

/// How far a search goes.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    pub files_max: usize,
    pub time_max: Duration,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { files_max: FILES_MAX, time_max: TIME_MAX }
    }
}

/// Searches.
///
/// # Errors
/// When the query or the glob cannot be read, or the place cannot be searched.
pub fn search(desk: &Desk<'_>, args: &Args) -> Result<Payload, Fault> {
    within(desk, args, Bounds::default())
}

/// Searches with other bounds.
#[cfg(test)]
pub(in super::super) fn limited(
    desk: &Desk<'_>,
    args: &Args,
    files_max: usize,
    time_max: Duration,
) -> Result<Payload, Fault> {
    within(desk, args, Bounds { files_max, time_max })
}

fn within(desk: &Desk<'_>, args: &Args, bounds: Bounds) -> Result<Payload, Fault> {
    let matcher = matching::of_query(&args.query, args.case)?;
    let glob = Globbed::new(args.glob.as_deref())?;
    // One more than asked for, to know whether there are more.
    let take = match args.query {
        Query::Literal(_) | Query::Regex(_) => Take::First(args.limit + 1),
        Query::Files => Take::First(1),
    };
    let wanted = Wanted {
        matcher: &matcher,
        words: &[],
        context: args.context,
        take,
        bytes_max: desk.searched_bytes_max,
    };
    let plan = Plan {
        start: &args.path,
        glob: &glob,
        wanted,
        enough: args.limit,
        files_max: bounds.files_max,
        until: Instant::now() + bounds.time_max,
    };
    let swept = everything(desk, &plan)?;
    Ok(in_order(swept, args.limit))
}

/// Sweeps a directory, or searches a single file.
pub(super) fn everything(desk: &Desk<'_>, plan: &Plan<'_>) -> Result<Swept, Fault> {
    if plan.start.is_root() {
        desk.root.check()?;
        return sweep::sweep(desk, plan);
    }
    shown(desk, plan.start.as_str(), plan.start)?;
    match desk.root.open_dir(plan.start) {
        Ok((_, real)) => {
            shown(desk, &real, plan.start)?;
            sweep::sweep(desk, plan)
        }
        Err(Fault::Io { kind: "not_a_file", .. }) => one_file(desk, plan),
        Err(fault) => Err(fault),
    }
}

fn one_file(desk: &Desk<'_>, plan: &Plan<'_>) -> Result<Swept, Fault> {
    let opened = desk.root.open_file(plan.start)?;
    shown(desk, &opened.real, plan.start)?;
    let path = plan.start.as_str().as_bytes();
    let mut scratch = Scratch::new(plan.wanted.matcher);
    let seen = scratch.scan(&plan.wanted, opened.file, opened.facts.size, path);
    debug_assert_eq!(opened.facts.kind, Kind::File);
    Ok(Swept { items: vec![Item::File(seen)], bounds: Vec::new() })
}

/// Secret and control classes never appear in a search, whatever was granted for a read.
fn shown(desk: &Desk<'_>, real: &str, asked: &Rel) -> Result<(), Fault> {
    let classes = desk.names.classes(real);
    let hidden = [Class::Control, Class::Secret].into_iter().find(|class| classes.has(*class));
    match hidden {
        Some(class) => Err(Fault::Protected { path: asked.as_str().to_owned(), class }),
        None => Ok(()),
    }
}

/// The first hits in the order of paths; what comes after the last one is not counted.
fn in_order(swept: Swept, limit: usize) -> Payload {
    let mut tally = Tally::default();
    let mut hits: Vec<Hit> = Vec::new();
    let mut bounds = swept.bounds;
    for item in swept.items {
        let Some((found, cut)) = tally.count(item) else { continue };
        let room = limit - hits.len();
        let more = found.len() > room;
        if cut && room > 0 && !found.is_empty() {
            tally.cut = true;
        }
        hits.extend(found.into_iter().take(room));
        if more {
            bounds = vec![Bound::Hits];
            break;
        }
    }
    tally.payload(hits, bounds)
}

/// What was met so far.
#[derive(Default)]
pub(super) struct Tally {
    files: u64,
    skipped: Skipped,
    pub(super) cut: bool,
}

impl Tally {
    /// Counts an entry and gives the hits of a file that was searched.
    pub(super) fn count(&mut self, item: Item) -> Option<(Vec<Hit>, bool)> {
        match item {
            Item::Ignored => self.skipped.ignored += 1,
            Item::Protected => self.skipped.protected += 1,
            Item::File(Seen::Binary) => self.skipped.binary += 1,
            Item::File(Seen::Large) => self.skipped.large += 1,
            Item::File(Seen::Gone) => {}
            Item::File(Seen::Searched { hits, cut }) => {
                self.files += 1;
                return Some((hits, cut));
            }
        }
        None
    }

    pub(super) fn payload(self, hits: Vec<Hit>, mut bounds: Vec<Bound>) -> Payload {
        if self.cut {
            bounds.push(Bound::Line);
        }
        bounds.sort_unstable();
        let (files, skipped) = (self.files, self.skipped);
        Payload { hits, files, skipped, truncated: bounds, fallback: None }
    }
}
