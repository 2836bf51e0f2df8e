//! One run as a live stream: how it stands, then each of its records with how it stands after it.
//! It ends with the run. Loops have a stream of their own form.

use journal::{Journal as _, Record};
use runtime::query::{self, Folded};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::events::Wanted;
use super::shop::Shop;
use super::wire::Wire;
use crate::problem::Raised;
use crate::site::{self, Known, of_query};

/// Tells it until it ends or nobody listens.
pub(super) fn run(shop: &Shop, wanted: &Wanted, mut wire: Wire<'_>) -> Result<(), Raised> {
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
    let first = stands(&known, &folded, wanted.lang);
    if wire.connected().and_then(|()| wire.object(&first, None)).is_err() {
        return Ok(());
    }
    let mut news = missed;
    loop {
        for record in &news {
            query::step(&mut folded, record).map_err(|why| of_query(&why))?;
            let told = json!({
                "type": "RUN_EVENT", "run_id": known.head.run, "seq": record.seq,
                "at": query::at_ms(record.at_ms), "event": record.kind,
            });
            let now = stands(&known, &folded, wanted.lang);
            let sent = wire.object(&told, None);
            if sent.and_then(|()| wire.object(&now, Some(record.pos))).is_err() {
                return Ok(());
            }
        }
        if folded.state.ended() || wire.rest().is_err() {
            return Ok(());
        }
        news = read(&known, folded.seq)?;
    }
}

fn read(known: &Known, after: u64) -> Result<Vec<Record>, Raised> {
    let records = known.journal.read_run(&known.head.run, after);
    records.map_err(|fault| of_query(&query::Refusal::Journal(fault)))
}

/// How it stands, as its own route shows it.
fn stands(known: &Known, folded: &Folded, lang: Lang) -> Value {
    let mut shown = query::show(&known.head, folded, lang);
    shown["type"] = json!("RUN_STATE");
    shown
}
