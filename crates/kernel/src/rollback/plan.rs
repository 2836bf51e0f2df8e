//! The whole plan: every row, then what paths mean for each other, then the hash it is approved
//! by. A plan is drawn once, before the first change, and is never amended.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::action::{Kept, Planned};
use super::content::{Base, Content, How, Now};
use super::path::RawPath;
use super::rows::{Row, row};
use crate::hash;

/// What is known of one path that a call changed after the checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// Where.
    pub path: RawPath,
    /// What stood there at the checkpoint.
    pub base: Base,
    /// What our last change left there.
    pub ours: Option<Content>,
    /// What stands there now.
    pub now: Now,
    /// How we know of the change.
    pub how: How,
    /// The last call that changed it.
    pub call: String,
}

/// What is done with content that is not ours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Conflicts {
    /// It is moved aside and the path restored.
    #[default]
    Aside,
    /// It stays, and the checkpoint's content is put into aside.
    Keep,
}

/// Whether the checkpoint must belong to what is checked out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadRule {
    /// The user's commit and branch must be those of the checkpoint.
    #[default]
    Same,
    /// A person said that they may differ.
    MayDiffer,
}

/// The user's commit and branch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heads {
    /// The commit checked out, if there is one.
    pub head: Option<String>,
    /// The branch, if one is checked out.
    pub branch: Option<String>,
}

/// A path the checkpoint does not vouch for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCovered {
    /// Where; a directory stands for all below it.
    #[serde(flatten)]
    pub path: RawPath,
    /// The reason's word.
    pub reason: String,
}

/// Everything a plan is drawn from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// The id of the rollback.
    pub rollback_id: String,
    /// The checkpoint's name.
    pub checkpoint: String,
    /// What was checked out when it was made.
    pub base: Heads,
    /// What is checked out now.
    pub present: Heads,
    /// One for each path that a call changed after the checkpoint.
    pub facts: Vec<Fact>,
    /// What the checkpoint does not vouch for.
    pub not_covered: Vec<NotCovered>,
    /// What is done with content that is not ours.
    pub conflicts: Conflicts,
    /// Whether another commit or branch may be checked out.
    pub head_rule: HeadRule,
}

/// Another commit or branch is checked out than at the checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// Then.
    pub base: Heads,
    /// Now.
    pub present: Heads,
}

/// What a rollback will do, path by path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The id of the rollback; not part of the hash.
    pub rollback_id: String,
    /// The checkpoint's name.
    pub checkpoint: String,
    /// The commit checked out when it was made.
    pub base_head: Option<String>,
    /// The commit checked out now.
    pub head: Option<String>,
    /// What is done with content that is not ours.
    pub conflicts: Conflicts,
    /// Sorted by path.
    pub actions: Vec<Planned>,
    /// What the checkpoint does not vouch for.
    pub not_covered: Vec<NotCovered>,
    /// How much will be written.
    pub bytes: u64,
    /// What a person approves.
    pub plan_hash: String,
}

/// Draws the plan.
///
/// # Errors
/// When another commit or branch is checked out and nobody said that it may be.
pub fn plan(scene: &Scene) -> Result<Plan, Moved> {
    if scene.base != scene.present && scene.head_rule == HeadRule::Same {
        return Err(Moved { base: scene.base.clone(), present: scene.present.clone() });
    }
    let facts: BTreeMap<&RawPath, &Fact> =
        scene.facts.iter().map(|fact| (&fact.path, fact)).collect();
    let mut actions: BTreeMap<&RawPath, Planned> =
        facts.iter().map(|(path, fact)| (*path, planned(fact, scene.conflicts))).collect();
    // A path that is kept may block another: repeat until nothing more is kept.
    while let Some((path, why)) = next_blocked(&facts, &actions) {
        let fact = facts[path];
        let from = actions.get(path).and_then(|planned| planned.from.clone());
        actions.insert(path, filled(fact, Row::kept(from, why)));
    }
    let bytes = actions.iter().filter(|(_, planned)| planned.writes());
    let bytes = bytes.map(|(path, _)| size(&facts[path].base)).sum();
    let mut plan = Plan {
        rollback_id: scene.rollback_id.clone(),
        checkpoint: scene.checkpoint.clone(),
        base_head: scene.base.head.clone(),
        head: scene.present.head.clone(),
        conflicts: scene.conflicts,
        actions: actions.into_values().collect(),
        not_covered: scene.not_covered.clone(),
        bytes,
        plan_hash: String::new(),
    };
    plan.plan_hash = plan.hashed();
    Ok(plan)
}

impl Plan {
    /// The hash over all that a person sees but the id.
    pub fn hashed(&self) -> String {
        hash::of_json(&json!({
            "checkpoint": self.checkpoint,
            "base_head": self.base_head,
            "head": self.head,
            "conflicts": self.conflicts,
            "actions": self.actions,
            "not_covered": self.not_covered,
            "bytes": self.bytes,
        }))
    }
}

fn planned(fact: &Fact, conflicts: Conflicts) -> Planned {
    filled(fact, row(fact, conflicts))
}

fn filled(fact: &Fact, row: Row) -> Planned {
    let Row { action, from, to, reason } = row;
    Planned { path: fact.path.clone(), action, how: fact.how, from, to, reason }
}

const fn size(base: &Base) -> u64 {
    match base {
        Base::Present(_, bytes) => *bytes,
        Base::Absent | Base::Unavailable(_) => 0,
    }
}

/// A path that is to be written although something stands in its way that is not moved.
fn next_blocked<'a>(
    facts: &BTreeMap<&'a RawPath, &Fact>,
    actions: &BTreeMap<&'a RawPath, Planned>,
) -> Option<(&'a RawPath, Kept)> {
    let clears = |path: &RawPath| actions.get(path).is_some_and(Planned::clears);
    for path in actions.iter().filter(|(_, planned)| planned.writes()).map(|(path, _)| *path) {
        // Another path that is to be a file cannot be a directory above this one.
        if path.ancestors().any(|above| actions.get(&above).is_some_and(stays_a_file)) {
            return Some((path, Kept::Blocked));
        }
        match &facts[path].now {
            Now::Below(above) if !clears(above) => return Some((path, Kept::Blocked)),
            Now::Directory(below) if !below.iter().all(clears) => {
                return Some((path, Kept::Directory));
            }
            Now::Present(_) | Now::Absent | Now::Below(_) | Now::Directory(_) | Now::Strange => {}
        }
    }
    None
}

fn stays_a_file(planned: &Planned) -> bool {
    planned.goal().is_some()
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::{format, vec};

    use super::*;
    use crate::rollback::{Kind, Reason};

    fn content(text: &str) -> Content {
        Content { kind: Kind::File, sha256: text.to_string() }
    }

    fn fact(path: &str, base: Base, ours: Option<&str>, now: Now) -> Fact {
        Fact {
            path: RawPath::new(path),
            base,
            ours: ours.map(content),
            now,
            how: How::Observed,
            call: "call-1".to_string(),
        }
    }

    fn b(text: &str) -> Base {
        Base::Present(content(text), 10)
    }

    fn n(text: &str) -> Now {
        Now::Present(content(text))
    }

    fn scene(facts: Vec<Fact>, conflicts: Conflicts) -> Scene {
        Scene {
            rollback_id: "rb-1".to_string(),
            checkpoint: "chk-202611160400".to_string(),
            base: Heads::default(),
            present: Heads::default(),
            facts,
            not_covered: Vec::new(),
            conflicts,
            head_rule: HeadRule::Same,
        }
    }

    fn drawn(facts: Vec<Fact>, conflicts: Conflicts) -> Vec<String> {
        let plan = plan(&scene(facts, conflicts)).unwrap();
        let word = |content: &Option<Content>| {
            content.as_ref().map_or("-".to_string(), |content| content.sha256.clone())
        };
        let line = |planned: &Planned| {
            let why = match &planned.reason {
                None => "",
                Some(Reason::ChangedAfter(_)) => " changed",
                Some(Reason::Kept(Kept::Changed)) => " kept",
                Some(Reason::Kept(why)) => return format!("keep {why:?}"),
            };
            format!("{:?} {}→{}{why}", planned.action, word(&planned.from), word(&planned.to))
        };
        plan.actions.iter().map(line).collect()
    }

    #[test]
    fn every_row_of_the_table() {
        let unknown = Base::Unavailable(Kept::NotCovered);
        let rows = [
            ("same", b("B"), Some("A"), n("B"), "Same B→B", "Same B→B"),
            ("gone again", Base::Absent, Some("A"), Now::Absent, "Same -→-", "Same -→-"),
            ("ours", b("B"), Some("A"), n("A"), "Restore A→B", "Restore A→B"),
            ("made by us", Base::Absent, Some("A"), n("A"), "Remove A→-", "Remove A→-"),
            ("deleted", b("B"), Some("A"), Now::Absent, "Restore -→B", "Restore -→B"),
            ("deleted by us", b("B"), None, Now::Absent, "Restore -→B", "Restore -→B"),
            ("edited", b("B"), Some("A"), n("N"), "Aside N→B changed", "Keep N→B kept"),
            ("edited, new", Base::Absent, Some("A"), n("N"), "Aside N→- changed", "Keep N→- kept"),
            ("made after we deleted", b("B"), None, n("N"), "Aside N→B changed", "Keep N→B kept"),
            ("no bytes", unknown, Some("A"), n("A"), "keep NotCovered", "keep NotCovered"),
            ("fifo", b("B"), Some("A"), Now::Strange, "keep Strange", "keep Strange"),
        ];
        for (name, base, ours, now, aside, keep) in rows {
            let fact = fact("p", base, ours, now);
            assert_eq!(drawn(vec![fact.clone()], Conflicts::Aside), [aside], "{name}");
            assert_eq!(drawn(vec![fact], Conflicts::Keep), [keep], "{name}, keep");
        }
    }

    #[test]
    fn an_executable_bit_is_content() {
        let executable = Content { kind: Kind::Executable, ..content("B") };
        let fact = fact("p", b("B"), Some("A"), Now::Present(executable));
        assert_eq!(drawn(vec![fact], Conflicts::Aside), ["Aside B→B changed"]);
    }

    #[test]
    fn files_and_directories_that_changed_places() {
        let dir = |below: &[&str]| Now::Directory(below.iter().map(|p| RawPath::new(*p)).collect());
        let made = |path| fact(path, Base::Absent, Some("A"), n("A"));
        // A file became a directory of ours: it goes, the file comes.
        let facts = vec![fact("p", b("B"), None, dir(&["p/q"])), made("p/q")];
        assert_eq!(drawn(facts, Conflicts::Aside), ["Restore -→B", "Remove A→-"]);
        // The same with somebody's file in it.
        let facts = vec![fact("p", b("B"), None, dir(&["p/q", "p/theirs"])), made("p/q")];
        assert_eq!(drawn(facts, Conflicts::Aside), ["keep Directory", "Remove A→-"]);
        // A directory became a file of ours, or of somebody else, or of nobody we know.
        let below = |path| fact(path, b("B"), None, Now::Below(RawPath::new("p")));
        let facts = vec![made("p"), below("p/q")];
        assert_eq!(drawn(facts, Conflicts::Aside), ["Remove A→-", "Restore -→B"]);
        let theirs = fact("p", Base::Absent, Some("A"), n("N"));
        let facts = vec![theirs, below("p/q")];
        assert_eq!(drawn(facts.clone(), Conflicts::Aside), ["Aside N→- changed", "Restore -→B"]);
        assert_eq!(drawn(facts, Conflicts::Keep), ["Keep N→- kept", "keep Blocked"]);
        assert_eq!(drawn(vec![below("p/q")], Conflicts::Aside), ["keep Blocked"]);
    }

    #[test]
    fn a_moved_head_is_refused_unless_it_may_differ() {
        let mut scene = scene(Vec::new(), Conflicts::Aside);
        scene.present.branch = Some("other".to_string());
        assert_eq!(plan(&scene).unwrap_err().present, scene.present);
        scene.head_rule = HeadRule::MayDiffer;
        assert!(plan(&scene).is_ok());
    }

    #[test]
    fn invariant_the_hash_binds_what_is_done_and_nothing_else() {
        let edited = fact("e", b("B"), Some("A"), n("N"));
        let unknown = fact("u", Base::Unavailable(Kept::Blocked), Some("A"), n("N"));
        let facts = vec![fact("p", b("B"), Some("A"), n("A")), edited, unknown];
        let first = plan(&scene(facts.clone(), Conflicts::Aside)).unwrap();
        let mut again = scene(facts.clone(), Conflicts::Aside);
        again.rollback_id = "rb-2".to_string();
        assert_eq!(plan(&again).unwrap().plan_hash, first.plan_hash);
        let others = [
            scene(vec![fact("p", b("B"), Some("A"), n("N"))], Conflicts::Aside),
            scene(vec![fact("q", b("B"), Some("A"), n("A"))], Conflicts::Aside),
            scene(vec![fact("p", b("C"), Some("A"), n("A"))], Conflicts::Aside),
            scene(facts, Conflicts::Keep),
        ];
        for other in others {
            assert_ne!(plan(&other).unwrap().plan_hash, first.plan_hash, "{other:?}");
        }
        let text = serde_json::to_string(&first).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), first);
        assert!(text.contains(r#""reason":"changed_after_call","after_call":"call-1""#), "{text}");
        assert!(text.contains(r#""reason":"blocked""#), "{text}");
    }
}
