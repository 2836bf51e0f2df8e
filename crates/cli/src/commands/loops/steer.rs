//! The verbs that steer a loop: one command each, answered with the loop as it stands then.

use std::io::IsTerminal as _;
use std::path::Path;
use std::time::{Duration, Instant};

use edge::door::{LabelForm, LoopSay, Shown};
use edge::loops;
use kernel::loops::Phase;
use serde_json::json;

use super::said::{find, over, say};
use super::verbs::ModeWord;
use super::{page, show};
use crate::ctx::Ctx;
use crate::desk;
use crate::out::Reply;
use crate::trouble::Trouble;

/// `loop edit`
#[derive(Debug, clap::Args)]
pub struct EditArgs {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    #[arg(long, value_name = "TEXT",
          required_unless_present_any =
              ["description", "max_iterations", "tag", "priority", "notes"])]
    title: Option<String>,
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// A tag; all of them are said anew, and an empty one alone clears them.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// How much it matters; an empty one clears it.
    #[arg(long, value_name = "low|medium|high")]
    priority: Option<String>,
    /// What is to be remembered; an empty one clears it.
    #[arg(long, value_name = "TEXT")]
    notes: Option<String>,
}

/// Pauses it; `now` stops the work under way.
///
/// # Errors
/// An unknown loop, a refusal, or that no engine answers.
pub fn pause(ctx: &Ctx, id: &str, now: bool) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Pause { now }])
}

/// Goes on.
///
/// # Errors
/// As [`pause`].
pub fn resume(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Resume])
}

/// Stops it.
///
/// # Errors
/// As [`pause`].
pub fn stop(ctx: &Ctx, id: &str, why: Option<String>) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Stop { why }])
}

/// Tries again.
///
/// # Errors
/// As [`pause`].
pub fn retry(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Retry])
}

/// Opens a completed loop again.
///
/// # Errors
/// As [`pause`].
pub fn reopen(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Reopen])
}

/// Completes it; with a reason even if nothing proves it.
///
/// # Errors
/// As [`pause`].
pub fn complete(ctx: &Ctx, id: &str, force: Option<String>) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Complete { force }])
}

/// Changes who chooses.
///
/// # Errors
/// As [`pause`].
pub fn mode(ctx: &Ctx, id: &str, mode: ModeWord) -> Result<Reply, Trouble> {
    say(ctx, id, vec![LoopSay::Mode { mode: mode.word().to_owned() }])
}

/// `loop answer`
#[derive(Debug, clap::Args)]
pub struct AnswerArgs {
    /// The loop.
    #[arg(value_name = "LOOP")]
    id: String,
    /// The answer.
    #[arg(value_name = "KEY")]
    key: String,
    /// What goes with it.
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// What was shown.
    #[arg(long, value_name = "HASH")]
    hash: Option<String>,
}

/// Answers the open question. A person at a terminal accepts what the loop shows; whoever is not
/// there says what was shown.
///
/// # Errors
/// As [`pause`].
pub fn answer(ctx: &Ctx, args: &AnswerArgs) -> Result<Reply, Trouble> {
    let AnswerArgs { id, key, text, hash } = args;
    if hash.is_none() && loops::binds(key) && !std::io::stdin().is_terminal() {
        return Err(loops::no_hash());
    }
    let to = hash.clone().map(|hash| Shown { q: None, hash: Some(hash) });
    let answer = LoopSay::Answer { key: key.clone(), text: text.clone(), to };
    let mut reply = say(ctx, id, vec![answer])?;
    let life = show::life(&find(ctx, id)?)?;
    if matches!(life.phase, Phase::Choosing { .. }) && ["status", "4"].contains(&key.as_str()) {
        reply.text = ctx.redactor()?.redact_text(&page::status(ctx, &life));
    }
    Ok(reply)
}

/// Changes title, description or bound.
///
/// # Errors
/// As [`pause`].
pub fn edit(ctx: &Ctx, args: &EditArgs) -> Result<Reply, Trouble> {
    let edit = LoopSay::Edit {
        title: args.title.clone(),
        description: args.description.clone(),
        max_iterations: args.max_iterations,
        labels: LabelForm {
            tags: tags(&args.tag),
            priority: args.priority.clone(),
            notes: args.notes.clone(),
        },
    };
    say(ctx, &args.id, vec![edit])
}

/// The tags that were said, if any were.
fn tags(said: &[String]) -> Option<Vec<String>> {
    match said {
        [] => None,
        [one] if one.is_empty() => Some(Vec::new()),
        all => Some(all.to_vec()),
    }
}

/// Deletes it and its files; the id is never used again.
///
/// # Errors
/// As [`pause`].
pub fn delete(ctx: &Ctx, id: &str) -> Result<Reply, Trouble> {
    let known = find(ctx, id)?;
    let left = page::in_tree(ctx, &show::life(&known)?);
    over(&mut desk::steer(ctx)?, &known.head.run, vec![LoopSay::Delete])?;
    await_gone(&known.dir.path, &known.head.run);
    let deleted = ctx.tell("lc-deleted", &[("id", &known.head.run)]);
    // Nobody can look at it any more to learn this.
    let text: Vec<String> = [deleted].into_iter().chain(left).collect();
    let data = json!({ "loop_id": known.head.run, "deleted": true });
    Ok(Reply::new(data, ctx.redactor()?.redact_text(&text.join("\n"))))
}

/// The engine removes files after it has answered; nothing but a broken disk takes this long.
const REMOVED_MAX: Duration = Duration::from_secs(5);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Waits until a loop's files are gone. One that cannot be removed stays; it harms nobody.
fn await_gone(state_dir: &Path, id: &str) {
    let until = Instant::now() + REMOVED_MAX;
    let files =
        ["json", "tasks.jsonl", "progress"].map(|end| state_dir.join(format!("{id}.{end}")));
    while Instant::now() < until && files.iter().any(|file| file.symlink_metadata().is_ok()) {
        std::thread::sleep(LOOK_EVERY);
    }
}
