//! A word to one call, from the fields of a request. Whether it is possible, and who may say it,
//! is not known here.

use kernel::run::Kind;
use runtime::words::Lang;
use serde_json::Value;

use super::read::view;
use crate::asked::Reach;
use crate::door::{Ask, CallSay, SettleWord};
use crate::loops::Fields;
use crate::problem::Raised;
use crate::site::{Visit, bad_value, run_of};

/// What became of a call whose outcome is unknown, by its word.
fn became(word: &str) -> Result<SettleWord, Raised> {
    match word {
        "happened" => Ok(SettleWord::Happened),
        "did-not-happen" | "did_not_happen" => Ok(SettleWord::DidNotHappen),
        "undo" => Ok(SettleWord::Undo),
        _other => Err(bad_value("how", word, &["happened", "did-not-happen", "undo"])),
    }
}

/// What a verb says; none where there is no such verb.
///
/// # Errors
/// The field that cannot be taken.
pub fn verb(name: &str, mut fields: Fields) -> Result<Option<CallSay>, Raised> {
    let say = match name {
        "allow" => {
            let reach =
                fields.text("scope")?.map_or(Ok(Reach::Once), |word| Reach::named(&word))?;
            CallSay::Allow { scope: reach.scope(), note: fields.text("note")? }
        }
        "deny" => {
            let note = fields.text("note")?.unwrap_or_default();
            CallSay::Deny { note, answers: false }
        }
        "settle" => {
            let how = became(&fields.must("how")?)?;
            CallSay::Settle { how, note: fields.must("note")? }
        }
        "stop" => CallSay::Stop,
        "undo" => CallSay::Undo { force: fields.yes("force")? },
        _none => return Ok(None),
    };
    fields.done()?;
    Ok(Some(say))
}

/// Says it, and answers with the call as it stands then.
///
/// # Errors
/// An unknown call, a refusal, or that no engine answers.
pub fn say(visit: &Visit<'_>, id: &str, say: CallSay, lang: Lang) -> Result<Value, Raised> {
    let run = run_of(visit.site, id, Kind::Call)?.head.run;
    let mut desk = if say.widens() { visit.open()? } else { visit.steer()? };
    let trace = desk.trace();
    desk.take(&Ask::Call { run: run.clone(), trace, say })?;
    view(&run_of(visit.site, &run, Kind::Call)?, lang)
}
