//! Live streams: what the journal gains, told record by record to whoever listens. A stream reads
//! the journal itself, so it outlives an engine; its place is the journal's position, so a client
//! that comes back misses nothing.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::HeaderName;
use journal::{Journal as _, Reader, Record};
use kernel::call;
use kernel::errors::Machine;
use kernel::run::{Kind, State};
use runtime::query::{self, Pipe};
use runtime::redact::Redactor;
use runtime::trace::Asked;
use runtime::views::all_notices;
use runtime::words::Lang;
use runtime::workspace::StateDir;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::request::Request;
use super::shop::Shop;
use super::wire::{Left, Out, Wire};
use crate::loops::{Lens, StepEnd};
use crate::problem::{Raised, Shown};
use crate::site::{of_query, refused};

/// Streams at once: each holds a thread.
const STREAMS_MAX: usize = 64;
/// Objects that wait for a slow reader.
const WAITING_MAX: usize = 64;
/// Records read at once.
const RECORDS_AT_ONCE: usize = 500;
/// The newest state of a loop is told once in this time, unless its status changes.
const STATE_EVERY: Duration = Duration::from_secs(1);
/// What is shown of what a step printed.
const OUTPUT_BYTES_MAX: usize = 2048;
/// Where a client that comes back was.
const LAST: HeaderName = HeaderName::from_static("last-event-id");

/// What is sent.
pub(super) type Feed = ReceiverStream<Result<Bytes, Infallible>>;

/// What a client wants to follow.
pub(super) struct Wanted {
    pub(super) only: Option<String>,
    pub(super) after: Option<u64>,
    pub(super) lang: Lang,
    asked: Asked,
}

/// What a stream tells.
pub(super) type Tell = fn(&Shop, &Wanted, Wire<'_>) -> Result<(), Raised>;

impl Wanted {
    pub(super) fn of(request: &Request, only: Option<String>) -> Self {
        let after = request.header(&LAST).and_then(|id| id.trim().parse().ok());
        Self { only, after, lang: request.lang, asked: request.asked.clone() }
    }
}

/// Begins a stream of loops.
pub(super) fn follow(shop: &Arc<Shop>, wanted: Wanted) -> Result<Feed, Raised> {
    streamed(shop, wanted, |shop, wanted, wire| Pump::new(shop, wanted, wire).run())
}

/// Begins a stream.
pub(super) fn streamed(shop: &Arc<Shop>, wanted: Wanted, tell: Tell) -> Result<Feed, Raised> {
    if shop.streams.fetch_add(1, Ordering::SeqCst) >= STREAMS_MAX {
        shop.streams.fetch_sub(1, Ordering::SeqCst);
        let details = json!({ "holder": format!("{STREAMS_MAX} streams") });
        return Err(refused(Machine::Door, "busy", details));
    }
    let (out, feed): (_, Receiver<Result<Bytes, Infallible>>) = channel(WAITING_MAX);
    let shop = Arc::clone(shop);
    let begun = std::thread::Builder::new().name("events".into()).spawn(move || {
        let told = shop
            .redactor()
            .and_then(|redactor| tell(&shop, &wanted, Wire::new(&shop, &out, redactor)));
        if let Err(raised) = told {
            wrong(&shop, &wanted, &out, &raised);
        }
        shop.streams.fetch_sub(1, Ordering::SeqCst);
    });
    begun.map_err(|why| crate::site::io("events", &why))?;
    Ok(ReceiverStream::new(feed))
}

/// Why a stream ends before its reader has left.
fn wrong(shop: &Shop, wanted: &Wanted, out: &Out, raised: &Raised) {
    let Ok(redactor) = Redactor::new(&runtime::redact::Secrets {
        env: crate::site::env(),
        door_token: Some(shop.token.secret().to_owned()),
        ..runtime::redact::Secrets::default()
    }) else {
        return;
    };
    let home = std::env::var("HOME").unwrap_or_default();
    let shown = Shown { lang: wanted.lang, asked: &wanted.asked, home: &home, redactor: &redactor };
    let error = json!(raised.show(shown));
    // A reader that has left needs no answer.
    drop(out.blocking_send(Ok(format!("event: error\ndata: {error}\n\n").into())));
}

/// What was told of a loop's state, and what waits to be.
struct Told {
    at: Instant,
    waits: Option<Value>,
}

/// One stream at work.
struct Pump<'a> {
    shop: &'a Shop,
    wanted: &'a Wanted,
    wire: Wire<'a>,
    lenses: BTreeMap<String, Option<Lens>>,
    told: BTreeMap<String, Told>,
    noticed_ms: u64,
    looked: Instant,
}

impl<'a> Pump<'a> {
    fn new(shop: &'a Shop, wanted: &'a Wanted, wire: Wire<'a>) -> Self {
        Self {
            shop,
            wanted,
            wire,
            lenses: BTreeMap::new(),
            told: BTreeMap::new(),
            noticed_ms: runtime::clock::Clock::start(kernel::machine::At(0)).now().0,
            looked: Instant::now(),
        }
    }

    fn run(&mut self) -> Result<(), Raised> {
        let of = |fault| of_query(&query::Refusal::Journal(fault));
        let mut found = self.shop.site.journal()?;
        // Where nothing was recorded yet, everything is news.
        let last = match &found {
            Some((_, journal)) => journal.stats().map_err(of)?.last_pos,
            None => 0,
        };
        let mut pos = self.wanted.after.map_or(last, |after| after.min(last));
        if self.wire.connected().is_err() {
            return Ok(());
        }
        let (dir, journal) = loop {
            if let Some(found) = found {
                break found;
            }
            if self.wire.rest().is_err() {
                return Ok(());
            }
            found = self.shop.site.journal()?;
        };
        let mut caught_up = false;
        loop {
            let records = journal.read_from(pos, RECORDS_AT_ONCE).map_err(of)?;
            for record in &records {
                pos = record.pos;
                if self.record(&dir, &journal, record)?.is_err() {
                    return Ok(());
                }
            }
            if !records.is_empty() {
                continue;
            }
            if !caught_up {
                caught_up = true;
                if self.standing(&journal)?.is_err() {
                    return Ok(());
                }
            }
            if self.due().and_then(|()| self.notices(&dir)).and_then(|()| self.wire.rest()).is_err()
            {
                return Ok(());
            }
        }
    }

    /// The lens on a run, folded up to this record; none for what is no loop or not wanted.
    fn lens(&mut self, journal: &Reader, run: &str, seq: u64) -> Result<(), Raised> {
        if self.lenses.contains_key(run) {
            return Ok(());
        }
        let wanted = self.wanted.only.as_ref().is_none_or(|only| only == run);
        let head = journal.head(run).map_err(|fault| of_query(&query::Refusal::Journal(fault)))?;
        let head = head.filter(|head| wanted && head.machine == Kind::Loop.name());
        let lens = match head {
            None => None,
            Some(head) => {
                let mut lens = Lens::new(&head).map_err(|why| of_query(&why))?;
                let records = journal.read_run(run, 0);
                let records = records.map_err(|fault| of_query(&query::Refusal::Journal(fault)))?;
                for record in records.iter().filter(|record| record.seq < seq) {
                    lens.pass(record).map_err(|why| of_query(&why))?;
                }
                Some(lens)
            }
        };
        self.lenses.insert(run.to_owned(), lens);
        Ok(())
    }

    fn record(
        &mut self,
        dir: &StateDir,
        journal: &Reader,
        record: &Record,
    ) -> Result<Result<(), Left>, Raised> {
        self.lens(journal, &record.run, record.seq)?;
        let Some(Some(lens)) = self.lenses.get_mut(&record.run) else { return Ok(Ok(())) };
        let end_of = |child: &str| step_end(dir, journal, child, &self.wire.redactor);
        let seen = lens.see(record, &end_of).map_err(|why| of_query(&why))?;
        let mut objects = Vec::new();
        if let Some(state) = seen.state {
            let now = Instant::now();
            let told = self.told.get(&record.run);
            let fresh = told.is_none_or(|told| now.duration_since(told.at) >= STATE_EVERY);
            if seen.status_changed || fresh {
                self.told.insert(record.run.clone(), Told { at: now, waits: None });
                objects.push(state);
            } else if let Some(told) = self.told.get_mut(&record.run) {
                told.waits = Some(state);
            }
        } else {
            self.told.remove(&record.run);
        }
        objects.extend(seen.objects);
        let last = objects.len();
        for (at, object) in objects.iter().enumerate() {
            // A client that leaves in the middle of a record gets all of it again.
            let id = (at + 1 == last).then_some(record.pos);
            if self.wire.object(object, id).is_err() {
                return Ok(Err(Left));
            }
        }
        Ok(Ok(()))
    }

    /// How the one loop stands, where nothing said so yet.
    fn standing(&mut self, journal: &Reader) -> Result<Result<(), Left>, Raised> {
        let Some(run) = self.wanted.only.clone() else { return Ok(Ok(())) };
        if self.told.contains_key(&run) {
            return Ok(Ok(()));
        }
        self.lens(journal, &run, u64::MAX)?;
        let state = self.lenses.get(&run).and_then(|lens| lens.as_ref()?.state());
        let Some(state) = state else { return Ok(Ok(())) };
        self.told.insert(run, Told { at: Instant::now(), waits: None });
        Ok(self.wire.object(&state, None))
    }

    /// States that have waited long enough.
    fn due(&mut self) -> Result<(), Left> {
        let now = Instant::now();
        let mut ready = Vec::new();
        for told in self.told.values_mut() {
            if now.duration_since(told.at) >= STATE_EVERY
                && let Some(state) = told.waits.take()
            {
                told.at = now;
                ready.push(state);
            }
        }
        ready.iter().try_for_each(|state| self.wire.object(state, None))
    }

    /// What people are told of the loops of this stream, as it comes; it is not replayed.
    fn notices(&mut self, dir: &StateDir) -> Result<(), Left> {
        if self.looked.elapsed() < STATE_EVERY {
            return Ok(());
        }
        self.looked = Instant::now();
        // A loop that nothing is recorded of while somebody looks on has its notices all the same.
        let wanted = |run: &str| match &self.wanted.only {
            Some(only) => run == only,
            None => kernel::loops::valid_id(run),
        };
        let mut newest = self.noticed_ms;
        for notice in all_notices(&dir.path) {
            if notice.at_ms <= self.noticed_ms || !wanted(&notice.loop_id) {
                continue;
            }
            newest = newest.max(notice.at_ms);
            let lang = self.wanted.lang;
            let object = json!({
                "type": "LOOP_NOTICE", "loop_id": notice.loop_id, "code": notice.code,
                "text": notice.message(lang), "next_step": notice.next_step(lang),
            });
            self.wire.object(&object, None)?;
        }
        self.noticed_ms = newest;
        Ok(())
    }
}

/// What a leg's child came to, as far as it is a call.
fn step_end(dir: &StateDir, journal: &Reader, child: &str, redactor: &Redactor) -> StepEnd {
    let Ok(Some(head)) = journal.head(child) else { return (None, String::new()) };
    let Ok(folded) = query::fold(journal, &head, None) else { return (None, String::new()) };
    let State::Call(call::State::Settled { exit: Some(exit), .. }) = &folded.state else {
        return (None, String::new());
    };
    let printed = query::output(&dir.call(child), Pipe::Stdout, redactor);
    let mut text = printed.map(|printed| printed.text).unwrap_or_default();
    let mut end = OUTPUT_BYTES_MAX.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    (exit.exit_code, text)
}
