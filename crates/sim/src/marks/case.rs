//! One random repository, one run in it, one user beside it, one rollback: and nothing of the
//! user's is lost.

use kernel::rollback::{Conflicts, Plan};
use runtime::checkpoints::Always;
use runtime::rollback::State;

use super::mess::mess;
use super::template::{copy, template};
use super::yard::{Yard, text};
use crate::dice::Dice;
use crate::room::room;

/// A disk keeps files as a user's does; memory is five times as fast. Most of the law has nothing
/// to do with either.
const ON_DISK_EVERY: u64 = 20;

/// A workspace in which a run and a user have changed things since a checkpoint.
pub struct Scene {
    pub(super) _dir: tempfile::TempDir,
    /// Where.
    pub yard: Yard,
    /// The checkpoint before the run.
    pub checkpoint: String,
}

/// Sets the scene of a seed.
pub fn scene(seed: u64) -> Result<Scene, String> {
    let on_disk = seed.is_multiple_of(ON_DISK_EVERY);
    let dir = if on_disk { tempfile::tempdir() } else { room() }.map_err(text)?;
    copy(&template()?, &dir.path().join("tree")).map_err(text)?;
    let mut dice = Dice::new(seed);
    let mut yard = Yard::at(dir.path())?;
    mess(&yard.root(), &mut dice, 4, "user before");
    let exact = yard.files();
    let checkpoint = yard.checkpoint("call-checkpoint", &mut Always)?;
    let kept = yard.contents(&checkpoint.name)?;
    if let Some(path) = kept.keys().find(|path| exact.get(*path) != kept.get(*path)) {
        return Err(format!("{seed}: not exact: {}", String::from_utf8_lossy(path)));
    }
    for call in 0..1 + dice.below(3) {
        let mut turns = dice.clone();
        yard.call(&format!("call-{call}"), |root| {
            mess(root, &mut turns, 5, "run");
            mess(root, &mut turns, 1, "user during");
        })?;
        dice.next();
        mess(&yard.root(), &mut dice, 1, "user between");
    }
    mess(&yard.root(), &mut dice, 2, "user after");
    Ok(Scene { _dir: dir, yard, checkpoint: checkpoint.name })
}

/// The case of a seed.
///
/// # Errors
/// What did not hold.
pub fn case(seed: u64) -> Result<(), String> {
    let Scene { _dir, mut yard, checkpoint } = scene(seed)?;
    let conflicts = if seed.is_multiple_of(4) { Conflicts::Keep } else { Conflicts::Aside };
    let (before, git) = (yard.files(), yard.user_git());
    let wanted = yard.wanted(&checkpoint, conflicts);
    let plan = yard.plan(&wanted).map_err(text)?.plan;
    let report = yard.roll(&wanted, &plan.plan_hash, &mut Always).map_err(text)?;
    let fail = |why: &str| Err(format!("seed {seed}: {why}: {report:?}"));
    if report.state != State::Done || !report.pending.is_empty() {
        return fail("not done");
    }
    yard.lost(&before).map_err(|lost| format!("seed {seed}: {lost}: {report:?} {plan:?}"))?;
    if yard.user_git() != git {
        return fail("the user's git changed");
    }
    let after = yard.files();
    if let Some(path) = strayed(&plan, &before, &after) {
        return fail(&format!("touched {}", String::from_utf8_lossy(&path)));
    }
    let again = yard.roll(&wanted, &plan.plan_hash, &mut Always).map_err(text)?;
    if again.state != State::Done || yard.files() != after {
        return fail("a second run changed something");
    }
    Ok(())
}

/// A path that no plan speaks of and that changed all the same.
fn strayed(plan: &Plan, before: &super::Held, after: &super::Held) -> Option<Vec<u8>> {
    let planned = |path: &[u8]| plan.actions.iter().any(|one| one.path.bytes() == path);
    let paths = before.keys().chain(after.keys());
    paths.filter(|path| !planned(path)).find(|path| before.get(*path) != after.get(*path)).cloned()
}
