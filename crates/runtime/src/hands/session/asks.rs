//! From what a session asks for to a request. Nothing is judged and nothing started here.

use std::path::PathBuf;

use kernel::call;
use kernel::packages::changelog::{About, Entry, Group, Risk};
use kernel::packages::draft::Draft;
use kernel::policy::{self, Asker};
use kernel::session::{Ask, Base, Driver, Flow, Mode, OnFailure, Stage};
use kernel::turn::Fault;
use kernel::{hash, lifecycle, packages as kb};
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::base::{self, setup_of, tongue};
use super::rolled;
use crate::engine::{Ready, Sitting, Wanted};
use crate::lifecycles;
use crate::packages::{InitHow, MarkOf, Operation, Wish};
use crate::tools;
use crate::views::local_minute;

/// Characters of a requirement that an entry of the CHANGELOG tells.
const TOLD_CHARS: usize = 80;

/// Makes it ready to begin.
pub(super) fn ready(desk: &Desk, sitting: &Sitting, ask: &Ask) -> Result<Ready, Box<Fault>> {
    let operation = match ask {
        Ask::Package(told) => operation(desk, told)?,
        Ask::Create { draft } => created(desk, draft)?,
        Ask::Changelog { kind, target } => changelog(desk, sitting, kind, target.as_deref())?,
        Ask::Archive { name } => Operation::Archive {
            name: name.clone(),
            status: None,
            at: local_minute(desk.clock.now()),
        },
        Ask::Sync => Operation::Sync { archived: None, at: local_minute(desk.clock.now()) },
        Ask::Commit { commit, message } => return committed(desk, commit, message),
        Ask::Rollback { target, foreign } => {
            return rolled::ready(desk, sitting, target, foreign);
        }
        Ask::Mark { name } => marked(sitting, name)?,
        Ask::Develop => return developed(desk, sitting),
    };
    arranged(desk, sitting, operation)
}

pub(super) fn fault(code: &str, kind: &str) -> Box<Fault> {
    Box::new(Fault::new(code, kind))
}

/// An operation on the knowledge base or on packages, as one call.
fn arranged(desk: &Desk, sitting: &Sitting, operation: Operation) -> Result<Ready, Box<Fault>> {
    let root = base::root(desk).map_err(|_| fault("E_IO", "kb_root"))?;
    let lang = setup_of(&sitting.life).map_or(kb::Tongue::En, |setup| tongue(&setup.lang));
    let wish = Wish { root: root.path.as_str().to_owned(), lang, operation };
    own(desk, call::PACKAGE, &json!(wish))
}

/// A tool of the engine's own, judged as a person's.
pub(super) fn own(desk: &Desk, name: &str, args: &Value) -> Result<Ready, Box<Fault>> {
    let tool = call::named(name).ok_or_else(|| fault("E_INVALID_ARGS", "unknown_tool"))?;
    let kept = tools::keep(&desk.plan.loop_dir, args).map_err(|_| fault("E_IO", "write"))?;
    let request = call::request(name, kept).ok_or_else(|| fault("E_INTERNAL", "no_tool"))?;
    let judged_as = match tool.acts {
        call::Acts::Reads | call::Acts::Changes | call::Acts::Arranges => {
            let standing = desk.plan.judge.standing();
            let act = tools::act_of(tool, args, &standing)
                .map_err(|misfit| fault(&misfit.code.to_string(), misfit.kind))?;
            let given = Some(hash::of_json(args));
            Some(Box::new(policy::Request { act, by: Asker::Person, given }))
        }
        call::Acts::Converges | call::Acts::Commits | call::Acts::Runs => None,
    };
    Ok(Ready::Call(Wanted { request: Box::new(request), judged_as }))
}

/// Seconds are added by the clock: two copies of one minute are two.
fn stamp(desk: &Desk) -> String {
    let now = desk.clock.now();
    let digits: String = local_minute(now).chars().filter(char::is_ascii_digit).collect();
    format!("{digits}{:02}", now.0 / 1000 % 60)
}

fn operation(desk: &Desk, told: &Value) -> Result<Operation, Box<Fault>> {
    let at = local_minute(desk.clock.now());
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    Ok(match told["operation"].as_str() {
        Some("init") => {
            let how = match told["how"].as_str() {
                Some("fill") => InitHow::Fill,
                Some("rebuild") => InitHow::Rebuild,
                Some(_) | None => InitHow::Create,
            };
            Operation::Init { how, at, stamp: stamp(desk) }
        }
        Some("upgrade") => {
            // What was approved was drawn with its own minute.
            let drawn = text("at");
            let at = if drawn.is_empty() { at } else { drawn };
            Operation::Upgrade { plan_hash: text("plan_hash"), at, stamp: stamp(desk) }
        }
        Some("clean") => {
            let names = told["names"].as_array().into_iter().flatten();
            let names = names.filter_map(|name| name.as_str().map(str::to_owned)).collect();
            Operation::Clean { names, at }
        }
        Some(_) | None => return Err(fault("E_INVALID_ARGS", "operation")),
    })
}

/// The package of a draft. What the answer has beyond a draft is left out.
fn created(desk: &Desk, told: &Value) -> Result<Operation, Box<Fault>> {
    const FIELDS: [&str; 11] = [
        "type",
        "kind",
        "background",
        "goal",
        "constraints",
        "acceptance",
        "approach",
        "modules",
        "risks",
        "tasks",
        "decisions",
    ];
    let feature = told["feature"].as_str().unwrap_or_default().to_owned();
    let mut kept = serde_json::Map::new();
    for name in FIELDS {
        if let Some(value) = told.get(name).filter(|value| !value.is_null()) {
            kept.insert(name.to_owned(), value.clone());
        }
    }
    let draft: Draft =
        serde_json::from_value(Value::Object(kept)).map_err(|_| fault("E_MODEL", "schema"))?;
    let minute: String =
        local_minute(desk.clock.now()).chars().filter(char::is_ascii_digit).collect();
    Ok(Operation::Create { feature, minute, draft: Box::new(draft) })
}

/// The entry of a flow or a rollback.
fn changelog(
    desk: &Desk,
    sitting: &Sitting,
    kind: &str,
    target: Option<&str>,
) -> Result<Operation, Box<Fault>> {
    let flow = match sitting.life.base() {
        Base::Flow { flow, .. } => Some(&**flow),
        Base::Idle { .. } | Base::Job { .. } => None,
    };
    let entry = match (kind, flow) {
        ("rollback", _) => {
            let to = target.unwrap_or_default().to_owned();
            let about = About::Rollback { call: sitting.run.clone(), package: None, to };
            of(Group::RolledBack, None, "rollback".to_owned(), about)
        }
        ("develop", Some(flow)) => {
            let Some(current) = flow.current.as_ref() else {
                return Err(fault("E_INTERNAL", "no_package"));
            };
            let (package, month) = (current.name.clone(), base::month(&current.name));
            let about = About::Package { package, month, decisions: Vec::new() };
            of(Group::Changed, Some(flow), told(flow), about)
        }
        (_, Some(flow)) => {
            let call = format!("{}-{}", sitting.run, flow.n);
            let (files, forced) = (flow.changed.clone(), kind == "forced");
            of(Group::Tweaked, Some(flow), told(flow), About::Tweak { call, files, forced })
        }
        (_, None) => return Err(fault("E_INTERNAL", "no_flow")),
    };
    let date: String = local_minute(desk.clock.now()).chars().take(10).collect();
    Ok(Operation::Changelog { version: base::version_of(desk), date, entry: Box::new(entry) })
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

/// Marks as the driver left them; what was not tried is skipped.
fn marked(sitting: &Sitting, name: &str) -> Result<Operation, Box<Fault>> {
    let Base::Flow { flow, .. } = sitting.life.base() else {
        return Err(fault("E_INTERNAL", "no_flow"));
    };
    let Some(end) = &flow.developed else { return Err(fault("E_INTERNAL", "no_end")) };
    let mark = |id: &String, status| MarkOf { id: id.clone(), status, note: None };
    let mut tasks: Vec<MarkOf> =
        end.done.iter().map(|id| mark(id, kb::Status::Completed)).collect();
    for id in &end.undone {
        let failed = end.failed.contains(id);
        tasks.push(mark(id, if failed { kb::Status::Failed } else { kb::Status::Skipped }));
    }
    Ok(Operation::Mark { name: name.to_owned(), tasks })
}

/// The lifecycle of a package, under the answer that approved exactly this package.
fn developed(desk: &Desk, sitting: &Sitting) -> Result<Ready, Box<Fault>> {
    let Base::Flow { flow, stage } = sitting.life.base() else {
        return Err(fault("E_INTERNAL", "no_flow"));
    };
    let Stage::Running { approval, .. } = &**stage else {
        return Err(fault("E_INTERNAL", "not_running"));
    };
    if flow.setup.driver != Driver::Lifecycle {
        return Err(fault("E_INVALID_ARGS", "unsupported"));
    }
    let on_failure = match (flow.setup.on_task_failure, flow.mode) {
        (OnFailure::Continue, _) | (OnFailure::ByMode, Mode::AutoFull) => "continue",
        (OnFailure::Stop, _) | (OnFailure::ByMode, Mode::Interactive | Mode::AutoPlan) => "stop",
    };
    let package = flow.current.as_ref().map(|package| PathBuf::from(&package.path));
    let agents = flow.setup.designer.iter().map(|agent| agent.name.clone()).collect();
    let form = lifecycles::Form {
        package,
        on_failure: Some(on_failure.to_owned()),
        lang: Some(flow.setup.lang.clone()),
        agents: Some(agents),
        ..lifecycles::Form::default()
    };
    let named = lifecycles::Named { id: "", trace_id: "" };
    let mut begin = lifecycles::start(form, named, &desk.plan.lifecycles)
        .map_err(|_| fault("E_INVALID_ARGS", "package"))?;
    begin.grant = Some(lifecycle::Granted {
        question: approval.question.clone(),
        digest: begin.ask.digest.clone(),
        risks: flow.risks.iter().map(|risk| risk.hash.clone()).collect(),
        by: approval.by.clone(),
    });
    Ok(Ready::Lifecycle(Box::new(begin)))
}

fn committed(desk: &Desk, commit: &Value, message: &str) -> Result<Ready, Box<Fault>> {
    let args = json!({ "head": commit["head"], "message": message, "paths": commit["paths"] });
    own(desk, call::GIT_COMMIT, &args)
}
