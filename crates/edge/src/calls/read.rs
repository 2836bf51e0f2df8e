//! Calls read from the journal: a list of them, and one in full.

use kernel::run::Kind;
use runtime::query::{self, Filter};
use runtime::words::Lang;
use serde_json::Value;

use crate::problem::Raised;
use crate::site::{Known, Site, of_query, run, state};

/// Every call in full, the newest first; below one run or in one state where that is said.
///
/// # Errors
/// An unknown run or state, or a journal that cannot be read.
pub fn list(
    site: &Site,
    below: Option<&str>,
    (name, word): (&str, Option<&str>),
    lang: Lang,
) -> Result<Vec<Value>, Raised> {
    if let Some(word) = word {
        state(name, word, &[Kind::Call])?;
    }
    let below = below.map(|id| run(site, id)).transpose()?.map(|known| known.head.run);
    let Some((_, journal)) = site.journal()? else { return Ok(Vec::new()) };
    let filter = Filter {
        machine: Some(Kind::Call.name().to_owned()),
        state: word.map(str::to_owned),
        below,
    };
    let heads = query::runs(&journal, &filter).map_err(|refusal| of_query(&refusal))?;
    let shown = |head: &journal::Head| {
        let folded = query::fold(&journal, head, None).map_err(|refusal| of_query(&refusal))?;
        Ok(query::show(head, &folded, lang))
    };
    heads.iter().map(shown).collect()
}

/// A run as it stands.
///
/// # Errors
/// A record that cannot be read.
pub fn view(known: &Known, lang: Lang) -> Result<Value, Raised> {
    let folded = query::fold(&known.journal, &known.head, None);
    let folded = folded.map_err(|refusal| of_query(&refusal))?;
    Ok(query::show(&known.head, &folded, lang))
}
