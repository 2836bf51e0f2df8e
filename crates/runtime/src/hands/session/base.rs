//! Looks at knowledge base and packages for sessions. The texts are judged by the kernel; nothing
//! is written here.

use kernel::packages::check::Checked as Read;
use kernel::packages::proposal::Type;
use kernel::packages::tasks::{self, Verify};
use kernel::packages::{Grade, Status, Text, Tongue, XMeans, kb, name};
use kernel::session::{
    Base, Checked, Found, Gave, Job, JobKind, Kb, KbState, Life, Listed, Marks, Outcome, Setup,
    Stage, Task,
};
use serde_json::{Value, json};

use super::super::commits;
use super::super::pool::Desk;
use super::failed;
use crate::engine::Sitting;
use crate::packages::{self, CommitGround, CommitSet, CommitWish, KbRoot, Refusal};
use crate::sessions::id_of;
use crate::views::local_minute;

/// Characters of a proposal that a question shows.
const TEXT_CHARS_MAX: usize = 16_000;

/// The language of what is written for a unit.
pub(super) fn tongue(lang: &str) -> Tongue {
    if lang.starts_with("zh") { Tongue::Zh } else { Tongue::En }
}

/// The settings of the unit that runs.
pub(super) fn setup_of(life: &Life) -> Option<&Setup> {
    match life.base() {
        Base::Flow { flow, .. } => Some(&flow.setup),
        Base::Job { job } => Some(&job.setup),
        Base::Idle { .. } => job_of(life, "").map(|job| &job.setup),
    }
}

/// The job that a slot belongs to; the first one above an idle base otherwise.
pub(super) fn job_of<'a>(life: &'a Life, slot: &str) -> Option<&'a Job> {
    let base = match life.base() {
        Base::Job { job } => Some(&**job),
        Base::Idle { .. } | Base::Flow { .. } => None,
    };
    let above = life.frames().iter().filter_map(|frame| match frame {
        kernel::session::Frame::Embedded { job, .. } => Some(&**job),
        kernel::session::Frame::Relating { .. }
        | kernel::session::Frame::Replacing { .. }
        | kernel::session::Frame::Tool(_)
        | kernel::session::Frame::Chat(_) => None,
    });
    let all: Vec<&Job> = base.into_iter().chain(above).collect();
    let own = all.iter().find(|job| job.slot().as_deref() == Some(slot));
    own.or_else(|| all.first()).copied()
}

/// The root of the knowledge base.
pub(super) fn root(desk: &Desk) -> Result<KbRoot, Outcome> {
    found(desk).map(|found| found.root)
}

/// The root, and others that could be taken for it.
fn found(desk: &Desk) -> Result<packages::Found, Outcome> {
    let paths = &desk.plan.sessions.paths;
    packages::find(&desk.plan.root, &paths.kb_root, &paths.kb_candidates)
        .map_err(|why| refused(&why))
}

/// A refusal of packages, as a failure of the step.
pub(super) fn refused(why: &Refusal) -> Outcome {
    let misfit = why.misfit();
    let code = misfit.code.to_string();
    let word = code.strip_prefix("session.").unwrap_or(&code);
    failed(word, misfit.kind, &misfit.details.to_string())
}

fn lang_of(sitting: &Sitting) -> Tongue {
    setup_of(&sitting.life).map_or(Tongue::En, |setup| tongue(&setup.lang))
}

/// How the knowledge base stands.
pub(super) fn kb(desk: &Desk, sitting: &Sitting) -> Outcome {
    match state(desk, sitting) {
        Ok((base, state, sources)) => {
            let root = base.path.as_str().to_owned();
            let ambiguous = found(desk).map(|found| found.ambiguous).unwrap_or_default();
            Outcome::Ok(Box::new(Gave::Kb(Kb { root, state, sources, ambiguous })))
        }
        Err(outcome) => outcome,
    }
}

fn state(desk: &Desk, sitting: &Sitting) -> Result<(KbRoot, KbState, bool), Outcome> {
    let base = root(desk)?;
    let status = packages::kb_status(&desk.plan.root, &base, 0, lang_of(sitting))
        .map_err(|why| refused(&why))?;
    let state = match status.state {
        kb::State::Absent => KbState::Absent,
        kb::State::Old => KbState::Old,
        kb::State::Heavy => KbState::Heavy,
        kb::State::Partial => KbState::Partial,
        kb::State::Ok => KbState::Ok,
    };
    let sources = packages::has_source(&desk.plan.root, &base);
    Ok((base, state, sources))
}

/// Packages that a live session holds.
fn held(sitting: &Sitting) -> Vec<String> {
    let all = sitting.others.iter().chain([&sitting.life]);
    all.flat_map(Life::holds).map(str::to_owned).collect()
}

fn free(desk: &Desk, sitting: &Sitting) -> Result<Vec<packages::Listed>, Outcome> {
    let base = root(desk)?;
    let all =
        packages::list(&desk.plan.root, &base, lang_of(sitting)).map_err(|why| refused(&why))?;
    let held = held(sitting);
    Ok(all.into_iter().filter(|one| !held.contains(&one.name)).collect())
}

/// The names of packages that lie in plan/ and belong to nobody.
pub(super) fn leftovers(desk: &Desk, sitting: &Sitting) -> Vec<String> {
    let all = free(desk, sitting).unwrap_or_default();
    all.into_iter().map(|one| one.name).collect()
}

/// The packages that may be picked. Why the one that was named may not is said, where it is there.
pub(super) fn pickable(desk: &Desk, sitting: &Sitting) -> Outcome {
    let named = match sitting.life.base() {
        Base::Flow { stage, .. } => {
            if let Stage::Listing { named, .. } = &**stage {
                named.as_deref()
            } else {
                None
            }
        }
        Base::Idle { .. } | Base::Job { .. } => None,
    };
    let (Some(named), Ok(base), Ok(all)) = (named, root(desk), free(desk, sitting)) else {
        return list(desk, sitting);
    };
    if all.iter().any(|one| one.name.contains(named)) {
        return list(desk, sitting);
    }
    let holds = |life: &&Life| life.holds().contains(&named);
    if let Some(holder) = sitting.others.iter().find(holds) {
        let told = json!({ "found": named, "holder": id_of(&holder.body.key) });
        return failed("package_in_use", "", &told.to_string());
    }
    match packages::show(&desk.plan.root, &base, named, lang_of(sitting)) {
        Ok(shown) if shown.archived => {
            failed("package_archived", "", &json!({ "found": shown.listed.path }).to_string())
        }
        Ok(_) | Err(_) => list(desk, sitting),
    }
}

/// The packages that nobody holds.
pub(super) fn list(desk: &Desk, sitting: &Sitting) -> Outcome {
    match free(desk, sitting) {
        Err(outcome) => outcome,
        Ok(all) => {
            let of = |one: packages::Listed| Listed {
                name: one.name,
                path: one.path,
                summary: one.summary,
            };
            Outcome::Ok(Box::new(Gave::Packages(all.into_iter().map(of).collect())))
        }
    }
}

/// How a package stands.
pub(super) fn package(desk: &Desk, sitting: &Sitting, name: &str, marks: Option<Marks>) -> Outcome {
    let x = means(desk, marks);
    let base = match root(desk) {
        Ok(base) => base,
        Err(outcome) => return outcome,
    };
    let workspace = &desk.plan.root;
    let found = packages::check(workspace, &base, name, x)
        .and_then(|read| Ok((read, packages::show(workspace, &base, name, lang_of(sitting))?)));
    match found {
        Err(why) => refused(&why),
        Ok((read, shown)) => {
            let [proposal, text] = [shown.proposal, shown.tasks].map(Option::unwrap_or_default);
            let hash = packages::package_hash(&proposal, &text);
            let mut checked = checked(read, &text, x, hash);
            if checked.overview {
                let shown: String = proposal.chars().take(TEXT_CHARS_MAX).collect();
                checked.text = desk.plan.redactor.redact_text(&shown);
            }
            Outcome::Ok(Box::new(Gave::Checked(Box::new(checked))))
        }
    }
}

/// The hash of a package as it lies there now, and that of its list of tasks alone; none where it
/// cannot be read.
pub(super) fn hashes(desk: &Desk, sitting: &Sitting, name: &str) -> Option<(String, String)> {
    let base = root(desk).ok()?;
    let shown = packages::show(&desk.plan.root, &base, name, lang_of(sitting)).ok()?;
    let [proposal, tasks] = [shown.proposal, shown.tasks].map(Option::unwrap_or_default);
    let list = kernel::hash::sha256_hex(tasks.as_bytes());
    Some((packages::package_hash(&proposal, &tasks), list))
}

/// How marks are read that can be read both ways.
pub(super) fn means(desk: &Desk, marks: Option<Marks>) -> XMeans {
    match marks {
        Some(Marks::Failed) => XMeans::Failed,
        Some(Marks::Done) => XMeans::Done,
        None => desk.plan.sessions.on_foreign_x,
    }
}

fn checked(read: Read, text: &str, x: XMeans, hash: String) -> Checked {
    let overview = read.proposal.as_ref().is_some_and(|it| it.pkg_type == Type::Overview);
    let of = |task: &tasks::Task| Task {
        id: task.id.clone(),
        title: task.title.clone(),
        verify: task.verify.iter().find_map(|verify| match verify {
            Verify::Command(line) => Some(line.clone()),
            Verify::Words(_) => None,
        }),
        depends: task.depends.clone(),
        done: task.mark.status() == Status::Completed,
    };
    let list = tasks::Tasks::read(Text::parse(text), x);
    let found = list.tasks.iter().map(of).collect();
    let foreign = read.warnings.iter().any(|warning| warning.starts_with("markers"));
    Checked {
        name: read.name,
        path: read.path,
        valid: read.valid,
        executable: read.executable,
        overview,
        foreign_marks: foreign && x == XMeans::Ask,
        adopt: list.is_foreign(),
        issues: read.issues,
        text: String::new(),
        hash,
        tasks: found,
    }
}

/// What a job on knowledge base, packages or history looks at first.
pub(super) fn detect(desk: &Desk, sitting: &Sitting, kind: JobKind) -> Outcome {
    let found = match kind {
        JobKind::Init => state(desk, sitting).map(|(base, state, sources)| Found::Init {
            root: base.path.as_str().to_owned(),
            state,
            sources,
        }),
        JobKind::Upgrade => upgrade(desk, sitting),
        JobKind::Clean => free(desk, sitting).map(|all| Found::Clean {
            names: all.iter().map(|one| one.name.clone()).collect(),
            plan: json!({ "packages": all }),
        }),
        JobKind::Commit => commit(desk, sitting),
        JobKind::Test | JobKind::Review | JobKind::Validate | JobKind::Rollback => {
            Err(failed("E_INTERNAL", "no_look", ""))
        }
    };
    match found {
        Ok(found) => Outcome::Ok(Box::new(Gave::Found(found))),
        Err(outcome) => outcome,
    }
}

fn upgrade(desk: &Desk, sitting: &Sitting) -> Result<Found, Outcome> {
    let (base, state, _) = state(desk, sitting)?;
    let at = local_minute(desk.clock.now());
    let planned = packages::upgrade_plan(&desk.plan.root, &base, &at, lang_of(sitting))
        .map_err(|why| refused(&why))?;
    let mut plan = json!(planned);
    plan["at"] = json!(at);
    let root = base.path.as_str().to_owned();
    Ok(Found::Upgrade { root, state, plan_hash: planned.plan_hash, plan })
}

fn commit(desk: &Desk, sitting: &Sitting) -> Result<Found, Outcome> {
    let job = job_of(&sitting.life, &sitting.slot);
    let Some(job) = job else { return Err(failed("E_INTERNAL", "no_job", "")) };
    let flag = |name: &str| job.flags.iter().any(|flag| flag == name);
    let set = match (flag("--staged"), flag("--all")) {
        (true, _) => CommitSet::Staged,
        (false, true) => CommitSet::All,
        (false, false) => CommitSet::Auto,
    };
    let message = Some(job.arg.trim()).filter(|text| !text.is_empty());
    let wish = CommitWish {
        set,
        message,
        lang: tongue(&job.setup.lang),
        bilingual: job.setup.bilingual == 1,
        without: &[],
    };
    let git = commits::git(desk).map_err(|failure| Outcome::Failed(failure.0))?;
    let ground = CommitGround {
        git: &git,
        root: &desk.plan.root,
        extra: &desk.plan.extra,
        names: &desk.plan.tools.names,
        redactor: &desk.plan.redactor,
    };
    let plan = packages::commit_plan(&ground, &wish).map_err(|why| refused(&why))?;
    Ok(match plan {
        None => Found::Commit { commit: Value::Null, message: String::new(), nothing: true },
        Some(plan) => {
            let mut commit = plan.args();
            commit["added"] = json!(plan.added);
            commit["modified"] = json!(plan.modified);
            commit["deleted"] = json!(plan.deleted);
            commit["remote"] = json!(plan.remote);
            Found::Commit { commit, message: plan.message, nothing: false }
        }
    })
}

/// The checks of knowledge base and packages.
pub(super) fn validate(desk: &Desk, scope: &str) -> Outcome {
    let base = match root(desk) {
        Ok(base) => base,
        Err(outcome) => return outcome,
    };
    let (workspace, x) = (&desk.plan.root, desk.plan.sessions.on_foreign_x);
    let mut findings = Vec::new();
    if scope != "packages" {
        match packages::check_kb(workspace, &base, x, &desk.plan.redactor) {
            Err(why) => return refused(&why),
            Ok(found) => findings.extend(found.into_iter().map(|one| {
                let severity = match one.grade {
                    Grade::Critical => "critical",
                    Grade::Warning => "warning",
                    Grade::Info => "info",
                };
                json!({
                    "severity": severity, "code": one.code, "path": one.path,
                    "problem": one.detail,
                })
            })),
        }
    }
    let at = local_minute(desk.clock.now());
    let mut packages_told = Value::Null;
    if scope != "kb" {
        match packages::check_all(workspace, &base, &[], x, &at) {
            Err(why) => return refused(&why),
            Ok(all) => {
                for one in all.packages.iter().filter(|_| scope == "packages") {
                    findings.extend(one.issues.iter().map(|issue| {
                        let severity = if one.valid { "warning" } else { "critical" };
                        json!({ "severity": severity, "path": one.path, "problem": issue })
                    }));
                }
                packages_told = json!(all);
            }
        }
    }
    let told = json!({ "scope": scope, "findings": findings, "packages": packages_told });
    Outcome::Ok(Box::new(Gave::Done(told)))
}

/// The month of a package's name.
pub(super) fn month(package: &str) -> String {
    name::Name::parse(package).map(|name| name.month()).unwrap_or_default()
}
