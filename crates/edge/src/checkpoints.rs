//! Checkpoints and the way back to one, as every door reads them. Making one and going back are
//! calls; a plan that is only drawn touches nothing.

use std::io::ErrorKind;

use journal::Journal as _;
use kernel::machine::At;
use kernel::rollback::{Conflicts, HeadRule, Plan};
use kernel::run::Kind;
use runtime::checkpoints::{Difference, Keeper, Keeping, Listed};
use runtime::clock::Clock;
use runtime::config;
use runtime::engine::Ids as _;
use runtime::hands::RollbackArgs;
use runtime::ids::RandomIds;
use runtime::rollback::gather;
use runtime::tools::Misfit;
use runtime::workspace::DIR_NAME;
use serde_json::{Value, json};

use crate::problem::Raised;
use crate::site::{Site, bad_value, io, of_query, run_of};

/// A misfit as it is told.
#[must_use]
pub fn of(misfit: &Misfit) -> Raised {
    Raised::new(misfit.code, misfit.details.clone())
}

/// The keeper of this workspace, as its settings say.
///
/// # Errors
/// When its state is not ours, or its settings are wrong.
pub fn keeper(site: &Site) -> Result<Keeper, Raised> {
    // Checkpoints that came with a clone are read no more than anything else of its state.
    site.state_dir()?;
    let root = &site.root;
    let keeping = Keeping::of(&site.settings()?.settings);
    Ok(Keeper::of_workspace(root, &root.path.join(DIR_NAME), &keeping))
}

/// All of them, the oldest first.
///
/// # Errors
/// No git, or a repository of ours that cannot be read.
pub fn list(site: &Site) -> Result<Vec<Listed>, Raised> {
    keeper(site)?.list().map_err(|error| of(&Misfit::from(&error)))
}

/// One in full.
///
/// # Errors
/// One that is not there or damaged.
pub fn show(site: &Site, name: &str) -> Result<Value, Raised> {
    let found = keeper(site)?.show(name).map_err(|error| of(&Misfit::from(&error)))?;
    let files: Vec<String> = found.files.keys().map(|path| path.text()).collect();
    Ok(json!({
        "name": name, "commit": found.commit.to_string(), "tree": found.tree.to_string(),
        "info": found.info, "files": files,
    }))
}

/// How one differs from another, or from what stands there now.
///
/// # Errors
/// One that is not there or damaged.
pub fn diff(site: &Site, first: &str, second: Option<&str>) -> Result<Vec<Difference>, Raised> {
    let mut keeper = keeper(site)?;
    let found = match second {
        Some(second) => keeper.diff(first, second),
        None => keeper.diff_now(first),
    };
    found.map_err(|error| of(&Misfit::from(&error)))
}

/// What may be done with content that is not ours.
const CONFLICTS: [&str; 2] = ["aside", "keep"];

/// A way back as it is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Way {
    /// The checkpoint; the newest one if none is named.
    pub to: Option<String>,
    /// What is done with content that is not ours; the settings' word if none is said.
    pub conflicts: Option<String>,
    /// Whether another commit may be checked out.
    pub head_rule: HeadRule,
}

/// All that a plan is drawn from.
///
/// # Errors
/// No such checkpoint, or an unknown word.
pub fn wanted(site: &Site, way: &Way, keeper: &Keeper) -> Result<RollbackArgs, Raised> {
    let conflicts: Conflicts = match &way.conflicts {
        None => site.settings()?.settings.rollback.conflicts,
        Some(word) => {
            config::conflicts(word).ok_or_else(|| bad_value("--conflicts", word, &CONFLICTS))?
        }
    };
    let checkpoint = match &way.to {
        Some(name) => name.clone(),
        None => {
            let all = keeper.list().map_err(|error| of(&Misfit::from(&error)))?;
            all.last().map(|newest| newest.name.clone()).unwrap_or_default()
        }
    };
    let base = keeper.show(&checkpoint).map_err(|error| of(&Misfit::from(&error)))?;
    Ok(RollbackArgs {
        checkpoint,
        calls: after(site, &base.info.call)?,
        conflicts,
        head_rule: way.head_rule,
        approved: String::new(),
    })
}

/// All that the plan of this hash is drawn from. The hash alone says which plan it is: what it was
/// asked with need not be said again. One that nothing gives any more is refused when it is run.
///
/// # Errors
/// No such checkpoint, an unknown word, or no plan at all for what is said.
pub fn approved(
    site: &Site,
    way: &Way,
    hash: &str,
    keeper: &Keeper,
) -> Result<RollbackArgs, Raised> {
    let said = wanted(site, way, keeper)?;
    let found = ways(way, keeper)?.iter().find_map(|way| of_hash(site, way, hash, keeper));
    let mut args = match found {
        Some(args) => args,
        None => {
            planned(site, &said, keeper)?;
            said
        }
    };
    if way.head_rule == HeadRule::MayDiffer {
        args.head_rule = HeadRule::MayDiffer;
    }
    Ok(RollbackArgs { approved: hash.to_owned(), ..args })
}

/// Every way that a plan may have been asked for with what is said, the newest checkpoint first.
fn ways(said: &Way, keeper: &Keeper) -> Result<Vec<Way>, Raised> {
    let names = match &said.to {
        Some(name) => vec![name.clone()],
        None => {
            let all = keeper.list().map_err(|error| of(&Misfit::from(&error)))?;
            all.into_iter().rev().map(|listed| listed.name).collect()
        }
    };
    let words = said
        .conflicts
        .as_ref()
        .map_or_else(|| CONFLICTS.map(str::to_owned).to_vec(), |word| vec![word.clone()]);
    let way = |to: &String, word: &String| Way {
        to: Some(to.clone()),
        conflicts: Some(word.clone()),
        head_rule: HeadRule::MayDiffer,
    };
    Ok(names.iter().flat_map(|to| words.iter().map(move |word| way(to, word))).collect())
}

fn of_hash(site: &Site, way: &Way, hash: &str, keeper: &Keeper) -> Option<RollbackArgs> {
    let args = wanted(site, way, keeper).ok()?;
    let plan = planned(site, &args, keeper).ok()?;
    // Another commit is part of what the hash was made of; another branch at the same one is not.
    let head_rule = if plan.base_head == plan.head { HeadRule::Same } else { HeadRule::MayDiffer };
    (plan.plan_hash == hash).then_some(RollbackArgs { head_rule, ..args })
}

/// The calls that began after this one, oldest first.
fn after(site: &Site, call: &str) -> Result<Vec<String>, Raised> {
    let known = run_of(site, call, Kind::Call)?;
    let heads = known.journal.heads().map_err(|fault| of_query(&fault.into()))?;
    let later = heads.iter().skip_while(|head| head.run != known.head.run).skip(1);
    let calls = later.filter(|head| head.machine == Kind::Call.name());
    Ok(calls.map(|head| head.run.clone()).collect())
}

/// Draws the plan.
///
/// # Errors
/// Another commit checked out, or a tree that cannot be read.
pub fn planned(site: &Site, args: &RollbackArgs, keeper: &Keeper) -> Result<Plan, Raised> {
    let root = &site.root.path;
    let calls = root.join(DIR_NAME).join("calls");
    let id = RandomIds.new_id("rb-", Clock::start(At(0)).now());
    let ground = keeper.ground().map_err(|error| of(&Misfit::from(&error)))?;
    let (_, journal) = site.journal()?.ok_or_else(|| io("journal", &ErrorKind::NotFound.into()))?;
    let wanted = args.wanted(&id, &calls, &journal).map_err(|refusal| of_query(&refusal))?;
    let gathered = gather(keeper, &ground, &wanted);
    Ok(gathered.map_err(|why| of(&Misfit::from(&why)))?.plan)
}
