//! From the layout of old to the present one: which files move where, what is merged, what stands
//! in the way and what a person has to look at. It plans; nothing is moved here.

use alloc::borrow::ToOwned as _;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use super::check::{PROPOSAL, TASKS};
use super::kb;
use super::marks::{Status, XMeans};
use super::name::Name;
use super::tasks::Tasks;
use super::template::{self, Facts};
use super::text::Text;
use super::words::{Both, Tongue};

/// One operation of a plan; paths are below the root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "action")]
pub enum Operation {
    /// A file is written.
    Write {
        /// Where.
        path: String,
        /// What.
        content: String,
    },
    /// A file is moved.
    Rename {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// A directory is made.
    Mkdir {
        /// Where.
        path: String,
    },
    /// A file whose whole content was carried over goes.
    Delete {
        /// Which.
        path: String,
    },
}

/// What would be done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Plan {
    /// In this order.
    pub operations: Vec<Operation>,
    /// Targets that are there already; nothing is done about them.
    pub conflicts: Vec<String>,
    /// What a person has to look at.
    pub left: Vec<String>,
}

/// One file below the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Old {
    /// Its path.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

struct Planner<'a> {
    files: BTreeMap<&'a str, &'a [u8]>,
    plan: Plan,
    /// Sources that are gone and targets that are there when the plan is done.
    moved: BTreeSet<String>,
    made: BTreeSet<String>,
    tongue: Tongue,
}

/// Plans the upgrade of these files.
#[must_use]
pub fn plan(files: &[Old], facts: &Facts, at: &str, tongue: Tongue) -> Plan {
    let files = files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())).collect();
    let mut planner = Planner {
        files,
        plan: Plan::default(),
        moved: BTreeSet::new(),
        made: BTreeSet::new(),
        tongue,
    };
    for path in [kb::PLAN, kb::ARCHIVE, kb::MODULES] {
        planner.plan.operations.push(Operation::Mkdir { path: path.to_owned() });
    }
    planner.project();
    planner.packages();
    planner.wiki();
    planner.changelogs();
    planner.pages(facts, at);
    planner.rest();
    planner.plan
}

impl Planner<'_> {
    fn paths(&self) -> Vec<String> {
        self.files.keys().map(ToString::to_string).collect()
    }

    fn free(&mut self, target: &str) -> bool {
        let taken = self.files.contains_key(target) || self.made.contains(target);
        if taken {
            self.plan.conflicts.push(target.to_owned());
        }
        !taken
    }

    fn rename(&mut self, from: &str, to: &str) {
        if from == to || self.moved.contains(from) {
            return;
        }
        if self.free(to) {
            self.made.insert(to.to_owned());
            let (from, to) = (from.to_owned(), to.to_owned());
            self.plan.operations.push(Operation::Rename { from: from.clone(), to });
            self.moved.insert(from);
        }
    }

    fn write(&mut self, path: &str, content: String) {
        self.made.insert(path.to_owned());
        self.plan.operations.push(Operation::Write { path: path.to_owned(), content });
    }

    /// The project page becomes the context, with the sections it lacks added at its end.
    fn project(&mut self) {
        const PROJECT: &str = "project.md";
        let Some(bytes) = self.files.get(PROJECT).copied() else { return };
        let Ok(mut text) = Text::read(bytes) else {
            self.plan.left.push(PROJECT.to_owned());
            return;
        };
        if !self.free(kb::CONTEXT) {
            return;
        }
        template::fill(kb::CONTEXT, &mut text, self.tongue);
        self.write(kb::CONTEXT, text.render());
        self.delete(PROJECT);
    }

    fn delete(&mut self, path: &str) {
        self.moved.insert(path.to_owned());
        self.plan.operations.push(Operation::Delete { path: path.to_owned() });
    }

    /// Every directory that is named like a package, where packages were kept.
    fn packages(&mut self) {
        let mut found: BTreeMap<String, (String, Name)> = BTreeMap::new();
        for path in self.paths() {
            let top = path.split('/').next().unwrap_or_default();
            if !["history", kb::PLAN].contains(&top) {
                continue;
            }
            let mut dir = String::new();
            for part in path.split('/') {
                dir = if dir.is_empty() { part.to_owned() } else { format!("{dir}/{part}") };
                if let Some(name) = Name::parse(part).filter(|_| dir != path) {
                    found.entry(dir.clone()).or_insert((top.to_owned(), name));
                    break;
                }
            }
        }
        for (dir, (top, name)) in found {
            self.package(&dir, &top, &name);
        }
    }

    fn package(&mut self, dir: &str, top: &str, name: &Name) {
        let inside: Vec<String> =
            self.paths().into_iter().filter(|path| path.starts_with(&format!("{dir}/"))).collect();
        let file = |name: &str| self.files.get(format!("{dir}/{name}").as_str()).copied();
        let list = file(TASKS).or_else(|| file("task.md"));
        let finished = match list.and_then(|bytes| Text::read(bytes).ok()) {
            Some(text) => closed(&Tasks::read(text, XMeans::Ask)),
            None => top == "history",
        };
        let home = match top == "history" || finished {
            true => format!("{}/{}/{name}", kb::ARCHIVE, name.month()),
            false => format!("{}/{name}", kb::PLAN),
        };
        let merged = self.proposal(dir, &home);
        for path in inside {
            let rest = path.get(dir.len() + 1..).unwrap_or_default();
            if merged && ["why.md", "how.md"].contains(&rest) {
                continue;
            }
            let rest = if rest == "task.md" { TASKS } else { rest };
            self.rename(&path, &format!("{home}/{rest}"));
        }
    }

    /// Why and how become the proposal, both whole.
    fn proposal(&mut self, dir: &str, home: &str) -> bool {
        let sources = [format!("{dir}/why.md"), format!("{dir}/how.md")];
        let texts: Vec<Option<Text>> = sources
            .iter()
            .map(|path| self.files.get(path.as_str()).and_then(|it| Text::read(it).ok()))
            .collect();
        let present = sources.iter().filter(|path| self.files.contains_key(path.as_str())).count();
        let readable = texts.iter().flatten().count();
        let target = format!("{home}/{PROPOSAL}");
        let own = format!("{dir}/{PROPOSAL}");
        if present == 0 || readable < present || self.files.contains_key(own.as_str()) {
            return false;
        }
        if !self.free(&target) {
            return false;
        }
        let heads = [Both::new("需求", "Requirement"), Both::new("方案", "Solution")];
        let mut out = String::new();
        for ((n, head), text) in (1..).zip(heads).zip(&texts) {
            let Some(text) = text else { continue };
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&format!("## {n}. {}\n\n", head.say(self.tongue)));
            out.push_str(text.render().trim_start_matches('\u{feff}'));
            if !out.ends_with('\n') {
                out.push('\n');
            }
        }
        self.write(&target, out);
        for source in sources.iter().filter(|path| self.files.contains_key(path.as_str())) {
            self.moved.insert(source.clone());
            self.plan.operations.push(Operation::Delete { path: source.clone() });
        }
        true
    }

    fn wiki(&mut self) {
        for path in self.paths() {
            if let Some(rest) = path.strip_prefix("wiki/") {
                self.rename(&path, &format!("{}/{rest}", kb::MODULES));
            }
        }
    }

    fn changelogs(&mut self) {
        for name in ["changelog.md", "Changelog.md", "CHANGES.md", "HISTORY.md"] {
            if self.files.contains_key(name) {
                self.rename(name, kb::CHANGELOG);
            }
        }
    }

    /// Pages that the present layout stands on and nothing became.
    fn pages(&mut self, facts: &Facts, at: &str) {
        let tongue = self.tongue;
        let pages = [
            (kb::CONTEXT, template::context(facts, tongue)),
            (kb::INDEX, template::index(facts, at, tongue)),
            (kb::MODULES_INDEX, template::modules(facts, tongue)),
        ];
        for (path, content) in pages {
            if !self.files.contains_key(path) && !self.made.contains(path) {
                self.write(path, content);
            }
        }
    }

    /// What nobody knows stays where it is.
    fn rest(&mut self) {
        let known = |path: &str| {
            let top = path.split('/').next().unwrap_or_default();
            [kb::INDEX, kb::CONTEXT, kb::CHANGELOG].contains(&path)
                || [kb::PLAN, kb::ARCHIVE, kb::MODULES].contains(&top)
        };
        for path in self.paths() {
            let stays = !self.moved.contains(&path) && !known(&path);
            if stays && !self.plan.left.contains(&path) {
                self.plan.left.push(path);
            }
        }
    }
}

fn closed(tasks: &Tasks) -> bool {
    let open = [Status::Pending, Status::Failed, Status::Uncertain];
    !tasks.tasks.is_empty() && open.iter().all(|status| tasks.count(*status) == 0)
}
