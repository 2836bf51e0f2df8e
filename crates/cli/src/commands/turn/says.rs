//! What a person says to a turn, bound to what it shows now and answered with the turn as it stands
//! then.

use std::path::Path;

use edge::door::{TurnSay, YesNo};
use kernel::errors::Machine;
use kernel::run::Kind;
use kernel::turn::Scope;
use runtime::plan_file;
use runtime::query::{self, OpenQuestion};
use serde_json::json;

use super::super::known;
use super::{check, shown};
use crate::asked::{self, Say};
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Says it.
pub fn say(ctx: &Ctx, id: &str, say: TurnSay) -> Result<Reply, Trouble> {
    let run = known::run_of(ctx, id, Kind::Turn)?.head.run;
    let say = Say::Turn(say);
    let mut desk = asked::desk_for(ctx, &say)?;
    asked::send(&mut desk, &run, say)?;
    shown::show(ctx, &run)
}

/// Answers one of its questions; without a text it goes on and assumes.
pub fn answer(
    ctx: &Ctx,
    id: &str,
    text: Option<String>,
    question: Option<&str>,
) -> Result<Reply, Trouble> {
    let (run, open) = asked_by(ctx, id)?;
    let mine: Vec<&OpenQuestion> =
        open.iter().filter(|one| one.question.kind == asked::CLARIFY).collect();
    let question = match (question, mine.as_slice()) {
        (Some(named), _) => named.to_owned(),
        (None, [one]) => one.slot.clone(),
        // Going on without an answer is about all of them.
        (None, [first, ..]) if text.is_none() => first.slot.clone(),
        // The machine says what it takes instead.
        (None, []) => String::new(),
        (None, several) => {
            let candidates: Vec<&str> = several.iter().map(|one| one.id.as_str()).collect();
            let details = json!({
                "kind": "question", "command": run, "candidates": candidates,
                "help": format!("loopwright turn show {run}"),
            });
            return Err(trouble::refused(Machine::Turn, "ambiguous_command", details));
        }
    };
    let text = text.map(|text| match mine.iter().find(|one| one.slot == question) {
        Some(one) => one.key(&text).unwrap_or(&text).to_owned(),
        None => text,
    });
    say(ctx, &run, TurnSay::Answer { question, text })
}

/// Says yes or no to what it shows. A yes to a prompt that has changed since is none.
pub fn confirm(
    ctx: &Ctx,
    id: &str,
    prompt: Option<&str>,
    (word, scope, note): (YesNo, Scope, Option<String>),
) -> Result<Reply, Trouble> {
    let (run, open) = asked_by(ctx, id)?;
    let now = open.iter().find(|one| one.question.hash.is_some());
    let (slot, hash) = now
        .map(|one| (one.slot.clone(), one.question.hash.clone().unwrap_or_default()))
        .unwrap_or_default();
    let prompt = prompt.map_or(slot, str::to_owned);
    say(ctx, &run, TurnSay::Confirm { prompt, hash, word, scope, note })
}

/// Changes its plan by a file.
pub fn edit(ctx: &Ctx, id: &str, file: &Path) -> Result<Reply, Trouble> {
    let run = known::run_of(ctx, id, Kind::Turn)?.head.run;
    let patch = plan_file::load_patch(file).map_err(|why| check::bad_plan(ctx, &why))?;
    say(ctx, &run, TurnSay::Edit { patch: Box::new(patch) })
}

/// What a turn asks now.
fn asked_by(ctx: &Ctx, id: &str) -> Result<(String, Vec<OpenQuestion>), Trouble> {
    let known = known::run_of(ctx, id, Kind::Turn)?;
    let folded = query::fold(&known.journal, &known.head, None)
        .map_err(|refusal| trouble::of_query(&refusal))?;
    Ok((known.head.run.clone(), query::of_run(&known.head.run, &folded.state)))
}
