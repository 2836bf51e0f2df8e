//! The entry of the CHANGELOG for a flow or a rollback: its group and decisions as the package's
//! proposal says, its version by manifest, tag or the log itself.

use kernel::packages::changelog::{self, About, Entry, Group, Risk};
use kernel::packages::name::Name;
use kernel::packages::proposal::{self, Proposal};
use kernel::packages::version::{self, Bump};
use kernel::packages::{Text, kb};
use kernel::session::{CHANGELOG_SKIPPED, Flow};
use kernel::turn::Fault;

use super::super::commits;
use super::super::pool::Desk;
use super::asks::{fault, flow_of};
use super::base::{self, tongue};
use super::{acts, rolled};
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
    if matches!(kind, "rollback" | "tweak" | "forced") && unwanted(desk, sitting) {
        return Err(fault(CHANGELOG_SKIPPED, ""));
    }
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
            // Each way back is an entry of its own.
            let n = base::job_of(&sitting.life, &sitting.slot).map_or(0, |job| job.n);
            let call = format!("{}-{n}", sitting.run);
            let about = About::Rollback { call, package, to };
            of(Group::RolledBack, None, "rollback".to_owned(), about)
        }
        ("develop", Some(flow)) => {
            let Some(current) = flow.current.as_ref() else {
                return Err(fault("E_INTERNAL", "no_package"));
            };
            let (package, month) = (archived(desk, &current.name), base::month(&current.name));
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
            let (package, month) = (archived(desk, &own.name), base::month(&own.name));
            of(Group::Docs, Some(flow), told(flow), About::Overview { package, month })
        }
        (_, Some(flow)) => {
            let call = format!("{}-{}", sitting.run, flow.n);
            let files = flow.changed.iter().map(|path| touched(desk, path)).collect();
            let forced = kind == "forced";
            of(Group::Tweaked, Some(flow), told(flow), About::Tweak { call, files, forced })
        }
        (_, None) => return Err(fault("E_INTERNAL", "no_flow")),
    };
    let date: String = local_minute(desk.clock.now()).chars().take(10).collect();
    let version::Chosen { version, passed } = version_of(desk, bump);
    Ok(Operation::Changelog { version, date, passed, entry: Box::new(entry) })
}

/// Whether there is no base, and the settings say that there shall be none.
fn unwanted(desk: &Desk, sitting: &Sitting) -> bool {
    let off = base::setup_of(&sitting.life).is_some_and(|setup| setup.kb_mode == 0);
    off && base::root(desk).is_ok_and(|base| !desk.plan.root.join(base.path.as_str()).exists())
}

/// The name that a package will have in the archive, where its own may be taken.
fn archived(desk: &Desk, name: &str) -> String {
    let free = base::root(desk)
        .ok()
        .and_then(|base| packages::archive_name(&desk.plan.root, &base, name).ok());
    free.unwrap_or_else(|| name.to_owned())
}

/// A changed file with the lines in which it differs from what was committed last.
fn touched(desk: &Desk, path: &str) -> String {
    let now = std::fs::read_to_string(desk.plan.root.join(path)).unwrap_or_default();
    match span(&acts::committed(desk, path), &now) {
        Some((from, to)) => format!("{path}:{from}-{to}"),
        None => path.to_owned(),
    }
}

/// The first and the last line of the new text that the old one has not, from 1.
fn span(old: &str, new: &str) -> Option<(usize, usize)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[same..].iter().rev().zip(new[same..].iter().rev());
    let to = new.len() - tail.take_while(|(a, b)| a == b).count();
    (to > same).then_some((same + 1, to))
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
fn version_of(desk: &Desk, bump: Bump) -> version::Chosen {
    let root = &desk.plan.root;
    let said: Vec<(&str, String)> = version::MANIFESTS
        .iter()
        .filter_map(|name| {
            let text = std::fs::read_to_string(root.join(name)).ok()?;
            version::of_manifest(name, &text).map(|version| (*name, version))
        })
        .collect();
    // One whose version is none is passed over for the next.
    let fits = said.iter().find(|(_, version)| version::numbers(version).is_some());
    let found = fits.or(said.first());
    let manifest = found.map(|(name, version)| (*name, version.as_str()));
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
    version::choose(&sources, bump)
}

/// The newest tag below what is checked out that is a version.
fn tag_of(desk: &Desk) -> Option<String> {
    let git = commits::git(desk).ok()?;
    let words = ["for-each-ref", "--merged=HEAD", "--sort=-v:refname"];
    let words = [&words[..], &["--format=%(refname:strip=2)", "refs/tags"]].concat();
    let told = looked(&git, &desk.plan.root, &desk.plan.extra, &words).ok()?;
    let told = String::from_utf8_lossy(&told).into_owned();
    let is_version = |tag: &&str| version::numbers(tag.strip_prefix('v').unwrap_or(tag)).is_some();
    told.lines().map(str::trim).find(is_version).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn a_span_is_where_the_new_text_differs() {
        let table = [
            ("a\nb\nc\n", "a\nx\nc\n", Some((2, 2))),
            ("a\nb\n", "a\nb\nc\nd\n", Some((3, 4))),
            ("", "a\nb\n", Some((1, 2))),
            ("a\nb\nc\n", "a\nc\n", None),
            ("a\n", "a\n", None),
            ("a\na\n", "a\na\na\n", Some((3, 3))),
            ("a\n", "", None),
        ];
        for (old, new, expected) in table {
            assert_eq!(span(old, new), expected, "{old:?} {new:?}");
        }
    }
}
