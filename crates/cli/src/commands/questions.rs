//! `questions [--run RUN]`: everything that waits for a person's word, the oldest first.

use runtime::query;
use serde_json::{Value, json};

use super::known;
use crate::asked;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::{self, Trouble};

/// Which questions.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only those of this run and the runs below it.
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

/// Lists them.
///
/// # Errors
/// An unknown run, or a journal that cannot be read.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let below = args.run.as_deref().map(|id| known::run(ctx, id)).transpose()?;
    let below = below.map(|known| known.head.run);
    let Some((_, journal)) = ctx.journal()? else {
        return Ok(Reply::new(json!([]), ctx.say("questions-none")));
    };
    let open = query::questions(&journal, below.as_deref());
    let open = open.map_err(|refusal| trouble::of_query(&refusal))?;
    // A unit speaks one language to its end; its questions are shown as they were asked.
    let all: Vec<Value> =
        open.iter().map(|question| question.view(asked::lang(ctx, question))).collect();
    known::redacted(ctx, &Value::Array(all), |data| {
        let items: Vec<String> =
            data.as_array().into_iter().flatten().map(|question| item(ctx, question)).collect();
        if items.is_empty() { ctx.say("questions-none") } else { items.join("\n\n") }
    })
}

fn item(ctx: &Ctx, question: &Value) -> String {
    let text = |name: &str| question[name].as_str().unwrap_or("-").to_owned();
    let (id, machine, since) = (text("id"), text("machine"), text("asked_at"));
    let args: [(&str, &dyn std::fmt::Display); 3] =
        [("id", &id), ("machine", &machine), ("since", &since)];
    let mut lines = vec![ctx.tell("questions-item", &args), format!("  {}", text("text"))];
    let options = question["options"].as_array().into_iter().flatten().enumerate();
    for (at, option) in options {
        let word = |name: &str| option[name].as_str().unwrap_or_default().to_owned();
        let (key, label) = (word("key"), word("label"));
        let args: [(&str, &dyn std::fmt::Display); 3] =
            [("n", &(at + 1)), ("key", &key), ("label", &label)];
        lines.push(format!("    {}", ctx.tell("questions-option", &args)));
    }
    if let Some(until) = question["expires_at"].as_str() {
        lines.push(format!("  {}", ctx.tell("questions-until", &[("until", &until)])));
    }
    let offers = question["options"].as_array().is_some_and(|all| !all.is_empty());
    let how = match (offers, question["takes_text"] == true) {
        (true, true) => ctx.tell("questions-with-text", &[("id", &id)]),
        (true, false) => ctx.tell("questions-with", &[("id", &id)]),
        // The words are the answer.
        (false, _) => {
            let command = format!("loopwright answer {id} \"WORDS\"");
            ctx.tell("questions-by", &[("command", &command)])
        }
    };
    lines.push(format!("  {how}"));
    lines.join("\n")
}
