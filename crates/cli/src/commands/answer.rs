//! `answer QUESTION KEY`: a person's answer to any open question, given to the machine that asked.

use edge::asked::Form;
use runtime::query::OpenQuestion;

use super::call_says::Reach;
use super::known;
use super::loops::{page, show};
use crate::asked;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What is answered, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The question.
    #[arg(value_name = "QUESTION")]
    question: String,
    /// The answer.
    #[arg(value_name = "KEY")]
    key: String,
    /// What goes with it.
    #[arg(long, alias = "note", value_name = "TEXT")]
    text: Option<String>,
    /// What was shown.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
    /// How far a yes reaches.
    #[arg(long, value_name = "SCOPE", value_enum)]
    scope: Option<Reach>,
}

/// Answers it.
///
/// # Errors
/// No such question, no such answer, a refusal, or that no engine answers.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let form = Form {
        question: args.question.clone(),
        key: args.key.clone(),
        text: args.text.clone(),
        hash: args.hash.clone(),
        scope: args.scope.map(Reach::reach),
    };
    let answered = edge::asked::read(&ctx.site()?, ctx.lang, &form)?;
    let mut desk = asked::desk_for(ctx, &answered.say)?;
    let taken = asked::send(&mut desk, &answered.question.run, answered.say.clone())?;
    let data = answered.data(&taken);
    if answered.question.question.kind == "loop.menu" && answered.key == "status" {
        return status(ctx, &answered.question, data);
    }
    let state = data["state"].as_str().unwrap_or_default().to_owned();
    let (question, key) = (&answered.question, &answered.key);
    let args: [(&str, &dyn std::fmt::Display); 4] =
        [("id", &question.id), ("key", key), ("run", &question.run), ("state", &state)];
    Ok(Reply::new(data, ctx.tell("questions-answered", &args)))
}

/// A look at the loop is the one answer that closes nothing: the page is what was asked for.
fn status(ctx: &Ctx, question: &OpenQuestion, data: serde_json::Value) -> Result<Reply, Trouble> {
    let life = show::life(&known::run(ctx, &question.run)?)?;
    Ok(Reply::new(data, ctx.redactor()?.redact_text(&page::status(ctx, &life))))
}
