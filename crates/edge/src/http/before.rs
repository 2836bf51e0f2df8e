//! What was done under keys before this process, or by an engine that went away before it could
//! answer. The journal holds it: a request with a key has a trace that is made of the key and of
//! what was asked, and every record of what it did carries that trace. What is answered then is the
//! run as it stands, not what was answered once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use journal::{Journal as _, Reader, Record};
use kernel::hash;
use kernel::run::Kind;
use runtime::query;
use serde_json::json;

use super::again::said;
use super::answer::{Answer, Fail};
use super::request::Request;
use super::routes::COMPAT;
use super::shop::Shop;
use super::v1::agents::asked;
use super::v1::calls::ended;
use crate::calls::{self, Done};
use crate::collabs::{self, Seen};
use crate::loops;
use crate::problem::Raised;
use crate::site::{Site, of_query, run};

/// What a trace begins with that is made of a key. Another one that happens to begin so is told
/// apart by the rest.
const MARK: &str = "trace_6b6579";
/// Digits of the key in its trace; those of what was asked follow.
const KEY_DIGITS: usize = 12;
/// Digits of what was asked.
const ASKED_DIGITS: usize = 14;
/// Records that are read at a time.
const RECORDS: usize = 1000;

/// The trace of a request under a key.
pub(super) fn trace(request: &Request, key: &str) -> String {
    let (key, asked) = (hash::sha256_hex(key.as_bytes()), said(request));
    format!("{MARK}{}{}", &key[..KEY_DIGITS], &asked[..ASKED_DIGITS])
}

/// What the first record of a trace was about.
#[derive(Clone)]
struct First {
    trace: String,
    run: String,
    /// Whether it made its run.
    made: bool,
}

/// Keys as the journal knows them, up to a record.
#[derive(Default)]
struct Known {
    pos: u64,
    keys: HashMap<String, First>,
}

/// Keys that the journal knows of.
#[derive(Default)]
pub(super) struct Before(Mutex<Known>);

/// What became of a key before.
pub(super) enum Was {
    /// Nothing.
    New,
    /// Something else was asked under it.
    Other,
    /// The same; how its run stands.
    Done(Answer),
}

fn of(fault: journal::Fault) -> Raised {
    of_query(&query::Refusal::Journal(fault))
}

impl Known {
    fn read_on(&mut self, journal: &Reader) -> Result<(), Raised> {
        loop {
            let records = journal.read_from(self.pos, RECORDS).map_err(of)?;
            let Some(last) = records.last() else { return Ok(()) };
            self.pos = last.pos;
            records.iter().filter(|record| record.trace.starts_with(MARK)).for_each(|record| {
                self.take(record);
            });
        }
    }

    fn take(&mut self, record: &Record) {
        let Some(key) = record.trace.get(..MARK.len() + KEY_DIGITS) else { return };
        let first =
            First { trace: record.trace.clone(), run: record.run.clone(), made: record.seq == 1 };
        self.keys.entry(key.to_owned()).or_insert(first);
    }
}

impl Before {
    fn find(&self, site: &Site, trace: &str) -> Result<Option<First>, Raised> {
        let Some((_, journal)) = site.journal()? else { return Ok(None) };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.read_on(&journal)?;
        Ok(trace.get(..MARK.len() + KEY_DIGITS).and_then(|key| known.keys.get(key)).cloned())
    }

    /// What became of this request, whose trace is that of its key.
    pub(super) fn was(&self, shop: &Shop, request: &Request) -> Result<Was, Fail> {
        Ok(match self.find(&shop.site, &request.asked.trace_id)? {
            None => Was::New,
            Some(first) if first.trace != request.asked.trace_id => Was::Other,
            Some(first) => Was::Done(stands(shop, request, &first)?),
        })
    }
}

/// How the run of a request stands that was taken before.
fn stands(shop: &Shop, request: &Request, first: &First) -> Result<Answer, Fail> {
    let known = run(&shop.site, &first.run)?;
    let status = if first.made { StatusCode::CREATED } else { StatusCode::OK };
    if known.head.machine == Kind::Call.name() {
        let state = calls::state(&known)?;
        let agents = state.facts().is_some_and(|facts| facts.request.agent.is_some());
        if agents && first.made {
            return asked(&known, request.lang);
        }
        return ended(shop, request, &Done { known, state });
    }
    if known.head.machine == Kind::Collab.name() {
        let seen = Seen::of(&shop.site, &first.run, &shop.redactor()?)?;
        return Ok(Answer::Json { status, body: collabs::show(&seen), rev: Some(seen.meta.seq) });
    }
    if known.head.machine != Kind::Loop.name() {
        return Ok(Answer::Json { status, body: calls::view(&known, request.lang)?, rev: None });
    }
    let old = request.path.starts_with(COMPAT);
    if known.head.status == "deleted" {
        let body = json!({ "loop_id": first.run, "deleted": true });
        let message = json!({ "success": true, "message": "Loop deleted" });
        return Ok(Answer::ok(if old { message } else { body }));
    }
    let document = loops::document(&known)?;
    Ok(match old {
        true => Answer::ok(json!({ "success": true, "data": document })),
        false => Answer::document(status, document),
    })
}
