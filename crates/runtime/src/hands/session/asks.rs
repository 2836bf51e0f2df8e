//! From what a session asks for to a request. Nothing is judged and nothing started here.

use std::path::PathBuf;

use kernel::call;
use kernel::packages::draft::Draft;
use kernel::policy::{self, Asker};
use kernel::session::{Ask, Base, Checked, Driver, Flow, Mode, OnFailure, PACKAGE_CHANGED, Stage};
use kernel::turn::Fault;
use kernel::{hash, lifecycle, packages as kb};
use serde_json::{Value, json};

use super::super::pool::Desk;
use super::base::{self, setup_of, tongue};
use super::{driven, entry, rolled, several};
use crate::engine::{Ready, Sitting, Wanted};
use crate::lifecycles;
use crate::packages::{InitHow, MarkOf, Operation, Wish};
use crate::sessions::{risks, waived};
use crate::tools;
use crate::views::local_minute;
use crate::words::Lang;

/// Makes it ready to begin.
pub(super) fn ready(desk: &Desk, sitting: &Sitting, ask: &Ask) -> Result<Ready, Box<Fault>> {
    let operation = match ask {
        Ask::Package(told) => operation(desk, told)?,
        Ask::Create { draft } => created(desk, sitting, draft)?,
        Ask::Changelog { kind, target } => entry::ready(desk, sitting, kind, target.as_deref())?,
        Ask::Archive { name } => Operation::Archive {
            name: name.clone(),
            status: None,
            at: local_minute(desk.clock.now()),
        },
        Ask::Sync => {
            let archived = flow_of(sitting).and_then(|flow| flow.current.as_ref());
            let archived = archived.map(|package| package.name.clone());
            Operation::Sync { archived, at: local_minute(desk.clock.now()) }
        }
        Ask::Commit { commit, message } => return committed(desk, commit, message),
        Ask::Rollback { target, foreign } => {
            return rolled::ready(desk, sitting, target, foreign);
        }
        Ask::Adopt { name, marks } => {
            Operation::Adopt { name: name.clone(), x: base::means(desk, *marks) }
        }
        Ask::RolledBack { target } => Operation::RolledBack {
            names: rolled::taken_back(desk, sitting, target),
            at: local_minute(desk.clock.now()),
        },
        Ask::Mark { name } => marked(sitting, name)?,
        Ask::Several { words, context, schema } => {
            return several::ready(desk, sitting, (words, schema), context.as_ref());
        }
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

/// The flow that runs.
pub(super) fn flow_of(sitting: &Sitting) -> Option<&Flow> {
    match sitting.life.base() {
        Base::Flow { flow, .. } => Some(flow),
        Base::Idle { .. } | Base::Job { .. } => None,
    }
}

/// The package of a draft; one that the flow has made already is written anew. What the answer has
/// beyond a draft is left out.
fn created(desk: &Desk, sitting: &Sitting, told: &Value) -> Result<Operation, Box<Fault>> {
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
    let mut draft: Draft =
        serde_json::from_value(Value::Object(kept)).map_err(|_| fault("E_MODEL", "schema"))?;
    if let Some(flow) = flow_of(sitting) {
        // What a person let pass stands in the proposal, whoever wrote the rest of it.
        let lang = Lang::parse(&flow.setup.lang).unwrap_or_default();
        draft.risks.extend(waived(lang, flow).into_iter().chain(risks(lang, flow)));
    }
    if let Some(made) = flow_of(sitting).and_then(|flow| flow.created.as_ref()) {
        return Ok(Operation::Redraft { name: made.name.clone(), draft: Box::new(draft) });
    }
    let minute: String =
        local_minute(desk.clock.now()).chars().filter(char::is_ascii_digit).collect();
    Ok(Operation::Create { feature, minute, draft: Box::new(draft) })
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

/// What drives a package's work, under the answer that approved exactly this package.
fn developed(desk: &Desk, sitting: &Sitting) -> Result<Ready, Box<Fault>> {
    let Base::Flow { flow, stage } = sitting.life.base() else {
        return Err(fault("E_INTERNAL", "no_flow"));
    };
    let Stage::Running { approval, checked, .. } = &**stage else {
        return Err(fault("E_INTERNAL", "not_running"));
    };
    if flow.setup.driver == Driver::Loop {
        let ready = driven::ready(desk, flow, checked)?;
        approved(desk, sitting, checked, None)?;
        return Ok(ready);
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
    approved(desk, sitting, checked, Some(&begin.ask.digest))?;
    begin.grant = Some(lifecycle::Granted {
        question: approval.question.clone(),
        digest: begin.ask.digest.clone(),
        risks: flow.risks.iter().map(|risk| risk.hash.clone()).collect(),
        programs: None,
        by: approval.by.clone(),
    });
    Ok(Ready::Lifecycle(Box::new(begin)))
}

/// Whether the package is still the one that was approved, and what the driver has read of it is a
/// part of that: between a yes and its start a person may have edited it.
fn approved(
    desk: &Desk,
    sitting: &Sitting,
    checked: &Checked,
    read: Option<&str>,
) -> Result<(), Box<Fault>> {
    let now = base::hashes(desk, sitting, &checked.name);
    let same = now.is_some_and(|(package, list)| {
        package == checked.hash && read.is_none_or(|read| read == list)
    });
    if same { Ok(()) } else { Err(fault(PACKAGE_CHANGED, "")) }
}

fn committed(desk: &Desk, commit: &Value, message: &str) -> Result<Ready, Box<Fault>> {
    let mut args = json!({ "head": commit["head"], "message": message, "paths": commit["paths"] });
    if commit["staged"].is_string() {
        args["staged"] = commit["staged"].clone();
    }
    own(desk, call::GIT_COMMIT, &args)
}
