//! `lifecycle rollback`: back to a checkpoint. The way back is drawn first, and shown before
//! anything is touched.

use clap::ValueEnum;
use edge::door::LifecycleSay;
use kernel::rollback::Conflicts;

use super::super::checkpoint;
use super::feed::Feed;
use super::says;
use super::verbs::Steer;
use super::which;
use crate::ctx::Ctx;
use crate::out::Reply;
use crate::trouble::Trouble;

/// What becomes of content that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Foreign {
    Aside,
    Keep,
}

/// Where to, and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    steer: Steer,
    /// The checkpoint.
    #[arg(long, value_name = "CHECKPOINT")]
    to: Option<String>,
    /// Only show the way back.
    #[arg(long)]
    dry_run: bool,
    /// What becomes of content that is not ours.
    #[arg(long, value_name = "HOW", value_enum, default_value = "aside")]
    conflicts: Foreign,
    /// The way back that was shown.
    #[arg(long, value_name = "HASH")]
    approve: Option<String>,
}

/// Goes back, or shows how that would be.
pub fn run(ctx: &Ctx, args: &Args) -> Result<Reply, Trouble> {
    let feed = Feed::read(which::run(ctx, args.steer.run.as_deref())?)?;
    if args.dry_run {
        let work = feed.state().life().and_then(|life| life.phase.work());
        let last = work.and_then(|work| work.last_checkpoint.clone());
        return checkpoint::dry_run(ctx, args.to.clone().or(last));
    }
    let conflicts = match args.conflicts {
        Foreign::Aside => Conflicts::Aside,
        Foreign::Keep => Conflicts::Keep,
    };
    let say =
        LifecycleSay::Rollback { to: args.to.clone(), plan_hash: args.approve.clone(), conflicts };
    says::said(ctx, &feed.known.head.run, say, args.steer.go)
}
