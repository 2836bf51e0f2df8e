//! Dependencies point one way: kernel ← journal ← runtime ← edge ← cli. The proving ground and
//! the tasks stand outside the row and nothing that ships may need them.

use super::finding::Finding;

/// The rooms that ship, lowest first; one may need only those before it.
const ROW: [&str; 5] = ["kernel", "journal", "runtime", "edge", "cli"];
/// Rooms that do not ship.
const OUTSIDE: [&str; 2] = ["sim", "xtask"];
/// All that the rules may need of others: nothing that can touch the world.
const KERNEL_NEEDS: [&str; 6] =
    ["serde", "serde_json", "thiserror", "sha2", "unicode-normalization", "schemars"];

/// Dependencies of one manifest that point the wrong way.
pub fn check(path: &str, text: &str, found: &mut Vec<Finding>) {
    let Some(room) = path.strip_suffix("/Cargo.toml").and_then(|dir| dir.rsplit('/').next()) else {
        return;
    };
    if !ROW.contains(&room) && !OUTSIDE.contains(&room) {
        found.push(Finding::new("rooms", path, 0, format!("a room nobody decided on: `{room}`")));
        return;
    }
    for (line, section, needed) in dependencies(text) {
        if let Some(what) = wrong(room, section, &needed) {
            found.push(Finding::new("rooms", path, line, what));
        }
    }
}

fn wrong(room: &str, section: Section, needed: &str) -> Option<String> {
    let needed = needed.strip_prefix("loopwright-").unwrap_or(needed);
    if OUTSIDE.contains(&room) {
        return (needed == "xtask").then(|| "nothing may need `xtask`".to_owned());
    }
    let mine = ROW.iter().position(|name| *name == room);
    match ROW.iter().position(|name| *name == needed) {
        Some(theirs) if Some(theirs) >= mine => Some(format!("`{room}` may not need `{needed}`")),
        Some(_) => None,
        // What is proven against the real program is driven from its own tests.
        None if (room, needed, section) == ("cli", "sim", Section::Tests) => None,
        None if OUTSIDE.contains(&needed) => Some(format!("`{room}` may not need `{needed}`")),
        None => (room == "kernel" && section == Section::Build && !KERNEL_NEEDS.contains(&needed))
            .then(|| format!("the kernel may not need `{needed}`")),
    }
}

/// What a dependency is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// The room itself.
    Build,
    /// Its tests.
    Tests,
}

/// Line, section and name of every dependency. Manifests are written by us in one plain form: a
/// name per line below `[…dependencies]`, or a table of its own.
fn dependencies(text: &str) -> Vec<(usize, Section, String)> {
    let mut section = None;
    let mut all = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(title) = line.trim().strip_prefix('[').map(|l| l.trim_matches(['[', ']'])) {
            let (head, name) = title.split_once("dependencies").unwrap_or((title, ""));
            let here = if head.contains("dev-") { Section::Tests } else { Section::Build };
            section = title.contains("dependencies").then_some(here);
            all.extend(name.strip_prefix('.').map(|name| (at + 1, here, name.to_owned())));
            section = section.filter(|_| name.is_empty());
        } else if let (Some(section), Some((name, _))) = (section, line.split_once(['=', '.'])) {
            let name = name.trim();
            if !name.is_empty() && !name.starts_with('#') {
                all.push((at + 1, section, name.to_owned()));
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_downwards() {
        let table = [
            (
                "crates/runtime",
                "[dependencies]\nkernel.workspace = true\njournal.workspace = true",
                0,
            ),
            ("crates/kernel", "[dependencies]\nruntime.workspace = true", 1),
            ("crates/kernel", "[dependencies]\ntokio = \"1\"", 1),
            ("crates/kernel", "[dev-dependencies]\nproptest = \"1\"", 0),
            ("crates/edge", "[dependencies.loopwright-cli]\npath = \"../cli\"", 1),
            ("crates/edge", "[dev-dependencies]\nsim = { path = \"../sim\" }", 1),
            ("crates/cli", "[dev-dependencies]\nsim.workspace = true", 0),
            ("crates/cli", "[dependencies]\nsim.workspace = true", 1),
            ("crates/sim", "[dependencies]\nruntime.workspace = true", 0),
            ("xtask", "[dependencies]\nsim = { path = \"../crates/sim\" }", 0),
            ("crates/attic", "", 1),
        ];
        for (dir, text, findings) in table {
            let mut found = Vec::new();
            check(&format!("{dir}/Cargo.toml"), text, &mut found);
            assert_eq!(found.len(), findings, "{dir} {text}: {found:?}");
        }
    }
}
