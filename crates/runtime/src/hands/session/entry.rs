//! The entry of the CHANGELOG for a flow or a rollback: its group and decisions as the package's
//! proposal says, its version by manifest, tag or the log itself.

use kernel::packages::changelog::{self, About, Entry, Group, Risk};
use kernel::packages::name::Name;
use kernel::packages::proposal::{self, Proposal};
use kernel::packages::version::{self, Bump};
use kernel::packages::{Text, kb};
use kernel::session::Flow;
use kernel::turn::Fault;

use super::super::commits;
use super::super::pool::Desk;
use super::asks::{fault, flow_of};
use super::base::{self, tongue};
use super::rolled;
use crate::engine::Sitting;
use crate::packages::{self, Operation};
use crate::turns::looked;
use crate::views::local_minute;

/// Characters of a requirement that an entry of the CHANGELOG tells.
const TOLD_CHARS: usize = 80;

/// The entry of a flow or a rollback.
pub(super) fn ready(
    desk: &Desk,
    sitting: &Sitting,
    kind: &str,
    target: Option<&str>,
) -> Result<Operation, Box<Fault>> {
    let flow = flow_of(sitting);
    let mut bump = Bump::Patch;
    let entry = match (kind, flow) {
        ("rollback", _) => {
            let to = target.unwrap_or_default().to_owned();
            // One package that was taken back is linked; several have their rows in the archive.
            let names = rolled::taken_back(desk, sitting, &to);
            let package = match names.as_slice() {
                [one] => Some((one.clone(), base::month(one))),
                [] | [_, _, ..] => None,
            };
            let about = About::Rollback { call: sitting.run.clone(), package, to };
            of(Group::RolledBack, None, "rollback".to_owned(), about)
        }
        ("develop", Some(flow)) => {
            let Some(current) = flow.current.as_ref() else {
                return Err(fault("E_INTERNAL", "no_package"));
            };
            let (package, month) = (current.name.clone(), base::month(&current.name));
            let (group, decisions) = proposed(desk, flow, &current.name);
            if group == Group::Added {
                bump = Bump::Minor;
            }
            let about = About::Package { package, month, decisions };
            of(group, Some(flow), told(flow), about)
        }
        ("overview", Some(flow)) => {
            let Some(own) = flow.current.as_ref().or(flow.created.as_ref()) else {
                return Err(fault("E_INTERNAL", "no_package"));
            };
            let (package, month) = (own.name.clone(), base::month(&own.name));
            of(Group::Docs, Some(flow), told(flow), About::Overview { package, month })
        }
        (_, Some(flow)) => {
            let call = format!("{}-{}", sitting.run, flow.n);
            let (files, forced) = (flow.changed.clone(), kind == "forced");
            of(Group::Tweaked, Some(flow), told(flow), About::Tweak { call, files, forced })
        }
        (_, None) => return Err(fault("E_INTERNAL", "no_flow")),
    };
    let date: String = local_minute(desk.clock.now()).chars().take(10).collect();
    Ok(Operation::Changelog { version: version_of(desk, bump), date, entry: Box::new(entry) })
}

fn of(group: Group, flow: Option<&Flow>, description: String, about: About) -> Entry {
    let risks = flow.map(|flow| flow.risks.as_slice()).unwrap_or_default();
    let risks = risks
        .iter()
        .map(|risk| Risk { kind: risk.kind.word().to_owned(), evidence: risk.evidence.clone() });
    let first = flow.and_then(|flow| flow.changed.first());
    let module = first.and_then(|path| path.split_once('/')).map_or(".", |(top, _)| top);
    Entry { group, module: module.to_owned(), description, about, risks: risks.collect() }
}

fn told(flow: &Flow) -> String {
    let words = flow.requirement();
    words.lines().next().unwrap_or_default().chars().take(TOLD_CHARS).collect()
}

/// The group that a package's kind stands for, and its decisions.
fn proposed(desk: &Desk, flow: &Flow, name: &str) -> (Group, Vec<(String, String)>) {
    let base = base::root(desk).ok();
    let shown = base.and_then(|base| {
        packages::show(&desk.plan.root, &base, name, tongue(&flow.setup.lang)).ok()
    });
    let Some(text) = shown.and_then(|shown| shown.proposal) else {
        return (Group::Changed, Vec::new());
    };
    let proposal = Proposal::read(Text::parse(&text));
    let group = proposal.fact(&proposal::KIND).map_or(Group::Changed, Group::of_kind);
    let feature = Name::parse(name).map(|name| name.feature().to_owned()).unwrap_or_default();
    let told = |one: proposal::Decision| (format!("{feature}{}", hashed(&one.id)), one.title);
    (group, proposal.decisions().into_iter().map(told).collect())
}

fn hashed(id: &str) -> String {
    if id.starts_with('#') { id.to_owned() } else { format!("#{id}") }
}

/// The version that an entry goes under.
fn version_of(desk: &Desk, bump: Bump) -> String {
    let root = &desk.plan.root;
    let found = version::MANIFESTS.iter().find_map(|name| {
        let text = std::fs::read_to_string(root.join(name)).ok()?;
        version::of_manifest(name, &text).map(|version| (*name, version))
    });
    let manifest = found.as_ref().map(|(name, version)| (*name, version.as_str()));
    let tag = tag_of(desk);
    let log = base::root(desk).ok().and_then(|base| {
        let path = root.join(base.path.as_str()).join(kb::CHANGELOG);
        changelog::newest(&Text::parse(&std::fs::read_to_string(path).ok()?))
    });
    let tags_first = root.join("go.mod").exists();
    let sources = version::Sources {
        given: None,
        manifest,
        tag: tag.as_deref(),
        changelog: log.as_deref(),
        tags_first,
    };
    version::choose(&sources, bump).version
}

/// The newest tag below what is checked out that is a version.
fn tag_of(desk: &Desk) -> Option<String> {
    let git = commits::git(desk).ok()?;
    let words = ["tag", "--merged", "HEAD", "--sort=-v:refname"];
    let told = looked(&git, &desk.plan.root, &desk.plan.extra, &words).ok()?;
    let told = String::from_utf8_lossy(&told).into_owned();
    let is_version = |tag: &&str| version::numbers(tag.strip_prefix('v').unwrap_or(tag)).is_some();
    told.lines().map(str::trim).find(is_version).map(str::to_owned)
}
