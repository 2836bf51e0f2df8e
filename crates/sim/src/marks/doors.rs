//! The hostile repositories against the commands of the real binary, trusted: nothing that they
//! name is run, and nothing but our own files changes, in the tree, in its git or beside it.

use std::path::Path;

use super::hostile;
use super::law::{Held, held};
use super::yard::text;
use crate::real::broken::Broken;
use crate::real::house::{House, Tenant};

/// How many repositories there are; the one whose links never rest is tried on the keeper alone.
pub const COUNT: usize = hostile::COUNT - 1;

/// Every command that opens a workspace, and each that looks at its git.
const COMMANDS: [&[&str]; 21] = [
    &["workspace", "status"],
    &["workspace", "map"],
    &["status", "--vars"],
    &["checkpoint", "create"],
    &["checkpoint", "list"],
    &["checkpoint", "verify"],
    &["verify", "--headless"],
    &["tool", "run", "list", "--args", "{\"depth\":3}"],
    &["tool", "run", "read", "--args", "{\"path\":\"a.txt\"}"],
    &["tool", "run", "search", "--args", "{\"query\":\"one\"}"],
    &["tool", "run", "search_semantic", "--args", "{\"query\":\"one two\"}"],
    &["commit", "x", "--headless"],
    &["commit", "x", "--all", "--headless"],
    &["cancel"],
    &["rollback", "--dry-run"],
    &["package", "list"],
    &["kb", "status"],
    &["loop", "list"],
    &["config", "show"],
    &["workspace", "gc"],
    &["journal", "verify"],
];

/// Meets one repository with all of them.
///
/// # Errors
/// What was run or touched, or a command that ended by no documented code.
pub fn one(exe: &Path, number: usize) -> Result<(), String> {
    let house = House::new(exe, "", Tenant::Us).map_err(text)?;
    let (name, marker) = hostile::laid(number, &house.top, &house.work)?;
    met(&house, &marker).map_err(|why| format!("{name}: {why}"))
}

fn met(house: &House, marker: &Path) -> Result<(), Broken> {
    let ran = || marker.read_dir().is_ok_and(|mut inside| inside.next().is_some());
    let before = all(house);
    for args in [&["workspace", "trust"][..]].iter().chain(&COMMANDS) {
        let line = args.join(" ");
        let told = house.run(args)?;
        if !(0..=10).contains(&told.code) || told.err.contains("panicked") {
            return Err(Broken(format!("{line}: {told:?}")));
        }
        if ran() {
            return Err(Broken(format!("{line}: a program of the repository was run")));
        }
        let after = all(house);
        if after != before {
            let changed = before.iter().chain(&after).map(|(path, _)| path);
            let changed = changed.filter(|path| before.get(*path) != after.get(*path));
            let changed: Vec<_> = changed.map(|path| String::from_utf8_lossy(path)).collect();
            return Err(Broken(format!("{line}: it changed {changed:?}")));
        }
    }
    house.empty()
}

/// All that is not ours.
fn all(house: &House) -> Held {
    let mut held = held(&house.top, &["home", "said"]);
    held.retain(|path, _| !path.starts_with(b"work/.loop/"));
    held
}
