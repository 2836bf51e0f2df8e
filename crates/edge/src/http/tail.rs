//! One run as a live stream: how it stands, then each of its records with how it stands after it,
//! what people are told of it, and now and then how far it is. It ends with the run. Loops have a
//! stream of their own form.

use std::time::{Duration, Instant};

use journal::{Journal as _, Record};
use kernel::collab;
use kernel::run::State;
use runtime::query::{self, Folded};
use runtime::words::Lang;
use serde_json::json;

use super::events::Wanted;
use super::shop::Shop;
use super::wire::{Left, Wire};
use crate::news::News;
use crate::problem::Raised;
use crate::site::{self, Known, of_query};

/// Tells it until it ends or nobody listens.
pub(super) fn run(shop: &Shop, wanted: &Wanted, wire: Wire<'_>) -> Result<(), Raised> {
    let id = wanted.only.as_deref().unwrap_or_default();
    let known = site::run(&shop.site, id)?;
    let mut folded = query::unborn(&known.head).map_err(|why| of_query(&why))?;
    let all = read(&known, 0)?;
    // Without a place to go on from, only what comes from now on is news.
    let after = wanted.after.unwrap_or(all.last().map_or(0, |record| record.pos));
    let (old, missed): (Vec<Record>, Vec<Record>) =
        all.into_iter().partition(|record| record.pos <= after);
    for record in &old {
        query::step(&mut folded, record).map_err(|why| of_query(&why))?;
    }
    let every_ms = shop.site.settings()?.settings.collab.progress_interval_ms;
    let mut tail = Tail {
        news: News::since_now(&known.dir, &known.head.run),
        known: &known,
        lang: wanted.lang,
        wire,
        every: Duration::from_millis(every_ms),
        told: Instant::now(),
    };
    if tail.wire.connected().and_then(|()| tail.stands(&folded, None)).is_err() {
        return Ok(());
    }
    let mut fresh = missed;
    loop {
        for record in &fresh {
            query::step(&mut folded, record).map_err(|why| of_query(&why))?;
            if tail.record(&folded, record).is_err() {
                return Ok(());
            }
        }
        if tail.meanwhile(&folded).is_err() || folded.state.ended() || tail.wire.rest().is_err() {
            return Ok(());
        }
        fresh = read(&known, folded.seq)?;
    }
}

/// One stream at work.
struct Tail<'a> {
    known: &'a Known,
    lang: Lang,
    wire: Wire<'a>,
    news: News,
    /// How often a run is told of that works and records nothing.
    every: Duration,
    /// When it was told of last.
    told: Instant,
}

impl Tail<'_> {
    fn record(&mut self, folded: &Folded, record: &Record) -> Result<(), Left> {
        let told = json!({
            "type": "RUN_EVENT", "run_id": self.known.head.run, "seq": record.seq,
            "at": query::at_ms(record.at_ms), "event": record.kind,
        });
        self.wire.object(&told, None)?;
        self.stands(folded, Some(record.pos))
    }

    /// How it stands, as its own route shows it.
    fn stands(&mut self, folded: &Folded, id: Option<u64>) -> Result<(), Left> {
        let mut shown = query::show(&self.known.head, folded, self.lang);
        shown["type"] = json!("RUN_STATE");
        self.told = Instant::now();
        self.wire.object(&shown, id)
    }

    /// What is in no record: notices, which are not replayed, and how far it is by now.
    fn meanwhile(&mut self, folded: &Folded) -> Result<(), Left> {
        let (dir, run) = (&self.known.dir, &self.known.head.run);
        let ended = folded.state.ended();
        let come = if ended { self.news.last(dir, run) } else { self.news.come(dir, run) };
        for notice in come {
            let told = json!({
                "type": "RUN_NOTICE", "run_id": run, "code": notice.code,
                "text": notice.message(self.lang), "next_step": notice.next_step(self.lang),
            });
            self.wire.object(&told, None)?;
        }
        let works = matches!(&folded.state, State::Collab(collab::State::Running { .. }));
        if works && self.told.elapsed() >= self.every { self.stands(folded, None) } else { Ok(()) }
    }
}

fn read(known: &Known, after: u64) -> Result<Vec<Record>, Raised> {
    let records = known.journal.read_run(&known.head.run, after);
    records.map_err(|fault| of_query(&query::Refusal::Journal(fault)))
}
