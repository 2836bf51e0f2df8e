//! Cut off at every step, as by a crash, and run again: the law holds at the cut and at the end.

use kernel::rollback::Conflicts;
use runtime::checkpoints::{Always, Go, Health, Steps, StopAfter};
use runtime::rollback::State;

use super::case::{Scene, scene};
use super::yard::text;
use crate::room::room;

/// More steps than any of these scenes takes.
const STEPS_MAX: u64 = 2_000;

/// Cuts a rollback off after each of its steps; answers how many there were.
///
/// # Errors
/// What did not hold.
pub fn rollback(seed: u64) -> Result<u64, String> {
    let Scene { _dir, yard, checkpoint } = scene(seed)?;
    for cut in 0..STEPS_MAX {
        let dir = room().map_err(text)?;
        let mut yard = yard.copied(&dir.path().join("yard"))?;
        let (before, git) = (yard.files(), yard.user_git());
        let wanted = yard.wanted(&checkpoint, Conflicts::Aside);
        let plan = yard.plan(&wanted).map_err(text)?.plan;
        let first = yard.roll(&wanted, &plan.plan_hash, &mut StopAfter(cut));
        let at = |why: String| format!("seed {seed} cut {cut}: {why}");
        yard.lost(&before).map_err(at)?;
        let mut yard = yard.reborn()?;
        let report = yard.roll(&wanted, &plan.plan_hash, &mut Always).map_err(text).map_err(at)?;
        if report.state != State::Done || !report.pending.is_empty() {
            return Err(at(format!("not done: {report:?}")));
        }
        yard.lost(&before).map_err(at)?;
        if yard.user_git() != git {
            return Err(at("the user's git changed".to_owned()));
        }
        if first.is_ok_and(|report| report.state == State::Done) {
            return yard.fsck().map(|()| cut);
        }
    }
    Err("it never ends".to_owned())
}

/// Stops as a person does, after so many steps.
struct Word(StopAfter);

impl Steps for Word {
    fn next(&mut self) -> Go {
        self.0.next()
    }

    fn is_word(&self) -> bool {
        true
    }
}

/// Stops a rollback by a person's word after each of its steps: nothing waits where only that very
/// rollback would look for it. Answers how many steps there were.
///
/// # Errors
/// What did not hold.
pub fn cancelled(seed: u64) -> Result<u64, String> {
    let Scene { _dir, yard, checkpoint } = scene(seed)?;
    for steps in 0..STEPS_MAX {
        let dir = room().map_err(text)?;
        let mut yard = yard.copied(&dir.path().join("yard"))?;
        let (before, git) = (yard.files(), yard.user_git());
        let wanted = yard.wanted(&checkpoint, Conflicts::Aside);
        let plan = yard.plan(&wanted).map_err(text)?.plan;
        let at = |why: String| format!("seed {seed} after {steps}: {why}");
        let first = yard.roll(&wanted, &plan.plan_hash, &mut Word(StopAfter(steps)));
        yard.lost(&before).map_err(at)?;
        if yard.waits() || yard.user_git() != git {
            return Err(at("something waits, or the user's git changed".to_owned()));
        }
        match first {
            Ok(report) if report.state == State::Done => return Ok(steps),
            Ok(_) | Err(_) => {}
        }
    }
    Err("it never ends".to_owned())
}

/// Cuts a making off after each of its steps; answers how many there were.
///
/// # Errors
/// What did not hold.
pub fn checkpoint(seed: u64) -> Result<u64, String> {
    let Scene { _dir, yard, .. } = scene(seed)?;
    let mut yard = yard;
    for cut in 0..STEPS_MAX {
        let at = |why: String| format!("seed {seed} cut {cut}: {why}");
        let call = format!("call-cut-{cut}");
        yard = yard.reborn()?;
        let first = yard.checkpoint(&call, &mut StopAfter(cut));
        yard = yard.reborn()?;
        let made = yard.checkpoint(&call, &mut Always).map_err(at)?;
        if yard.contents(&made.name)?.len() as u64 != made.files {
            return Err(at("files are missing".to_owned()));
        }
        if first.is_ok() {
            let verified = yard.keeper.verify().map_err(text)?;
            let whole = verified.iter().all(|(_, health)| *health == Health::Made);
            return if whole { yard.fsck().map(|()| cut) } else { Err(at("damaged".to_owned())) };
        }
    }
    Err("it never ends".to_owned())
}
