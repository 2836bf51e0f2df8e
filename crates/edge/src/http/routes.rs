//! The one list of routes: method, path, and what answers. A new one is a line here; no route's
//! rule is.

use kernel::errors::Machine;
use serde_json::json;

use super::compat::{loops as old, tasks as old_tasks};
use super::request::Request;
use super::shop::Act;
use super::v1::{
    agents, calls, checkpoints, errors, events, grants, loops, policy, questions, runs, tasks,
    tools, traces, workspace,
};
use super::v1::{collabs, lifecycles, packages, schemas, sessions, turns};
use crate::problem::Raised;
use crate::site::refused;

/// Where the old routes begin.
pub(super) const COMPAT: &str = "/api/loops/v2";

/// Every route.
const ROUTES: &[(&str, &str, Act)] = &[
    ("GET", "/api/v1/errors", errors::list),
    ("GET", "/api/v1/errors/{code}", errors::one),
    ("GET", "/api/v1/events", events::all),
    ("GET", "/api/v1/runs", runs::list),
    ("GET", "/api/v1/runs/{id}", runs::one),
    ("GET", "/api/v1/questions", runs::questions),
    ("POST", "/api/v1/questions/{*answer}", questions::answer),
    ("GET", "/api/v1/traces/{id}", traces::one),
    ("GET", "/api/v1/calls", calls::list),
    ("GET", "/api/v1/calls/{id}", calls::one),
    ("GET", "/api/v1/calls/{id}/output", calls::output),
    ("GET", "/api/v1/calls/{id}/undo", calls::undo_plan),
    ("POST", "/api/v1/calls/{id}/undo", calls::undo),
    ("POST", "/api/v1/calls/{id}/{verb}", calls::verb),
    ("POST", "/api/v1/tools/{name}", tools::run),
    ("GET", "/api/v1/workspace", workspace::status),
    ("POST", "/api/v1/workspace/trust", workspace::trust),
    ("POST", "/api/v1/workspace/adopt", workspace::adopt),
    ("POST", "/api/v1/workspace/gc", workspace::gc),
    ("GET", "/api/v1/workspace/map", workspace::map),
    ("GET", "/api/v1/workspace/search", workspace::search),
    ("GET", "/api/v1/checkpoints", checkpoints::list),
    ("POST", "/api/v1/checkpoints", checkpoints::create),
    ("GET", "/api/v1/checkpoints/{name}", checkpoints::show),
    ("GET", "/api/v1/checkpoints/{name}/diff", checkpoints::diff),
    ("POST", "/api/v1/rollbacks/plan", checkpoints::plan),
    ("POST", "/api/v1/rollbacks", checkpoints::rollback),
    ("GET", "/api/v1/rollbacks/{id}", checkpoints::rolled),
    ("POST", "/api/v1/policy/check", policy::check),
    ("GET", "/api/v1/grants", grants::list),
    ("GET", "/api/v1/grants/{*id}", grants::one),
    ("DELETE", "/api/v1/grants/{*id}", grants::revoke),
    ("GET", "/api/v1/agents", agents::list),
    ("GET", "/api/v1/agents/{name}", agents::one),
    ("POST", "/api/v1/agents/{name}/calls", agents::call),
    ("POST", "/api/v1/doctor", agents::doctor),
    ("POST", "/api/v1/loops", loops::create),
    ("GET", "/api/v1/loops", loops::list),
    ("GET", "/api/v1/loops/stats", loops::stats),
    ("GET", "/api/v1/loops/{id}", loops::show),
    ("PATCH", "/api/v1/loops/{id}", loops::edit),
    ("DELETE", "/api/v1/loops/{id}", loops::delete),
    ("GET", "/api/v1/loops/{id}/signal", loops::signal),
    ("POST", "/api/v1/loops/{id}/signal", loops::signal),
    ("GET", "/api/v1/loops/{id}/history", loops::history),
    ("GET", "/api/v1/loops/{id}/logs", loops::logs),
    ("GET", "/api/v1/loops/{id}/check", loops::check),
    ("POST", "/api/v1/loops/{id}/check", loops::check),
    ("POST", "/api/v1/loops/{id}/rebuild", loops::rebuild),
    ("GET", "/api/v1/loops/{id}/events", events::one),
    ("GET", "/api/v1/loops/{id}/tasks", tasks::list),
    ("POST", "/api/v1/loops/{id}/tasks", tasks::add),
    ("PUT", "/api/v1/loops/{id}/tasks/reorder", tasks::reorder),
    ("POST", "/api/v1/loops/{id}/tasks/reorder", tasks::reorder),
    ("GET", "/api/v1/loops/{id}/tasks/{task}", tasks::show),
    ("PATCH", "/api/v1/loops/{id}/tasks/{task}", tasks::edit),
    ("DELETE", "/api/v1/loops/{id}/tasks/{task}", tasks::remove),
    ("POST", "/api/v1/loops/{id}/tasks/{task}/requeue", tasks::requeue),
    ("POST", "/api/v1/loops/{id}/{verb}", loops::verb),
    ("POST", "/api/v1/collabs", collabs::create),
    ("GET", "/api/v1/collabs", collabs::list),
    ("GET", "/api/v1/collabs/{id}", collabs::show),
    ("GET", "/api/v1/collabs/{id}/output/{name}", collabs::output),
    ("GET", "/api/v1/collabs/{id}/{part}", collabs::part),
    ("POST", "/api/v1/collabs/{id}/{part}", collabs::verb),
    ("POST", "/api/v1/lifecycles", lifecycles::create),
    ("GET", "/api/v1/lifecycles", lifecycles::list),
    ("GET", "/api/v1/lifecycles/{id}", lifecycles::show),
    ("GET", "/api/v1/lifecycles/{id}/{part}", lifecycles::part),
    ("POST", "/api/v1/lifecycles/{id}/{part}", lifecycles::say),
    ("GET", "/api/v1/kb", packages::kb),
    ("GET", "/api/v1/packages", packages::list),
    ("POST", "/api/v1/packages", packages::create),
    ("GET", "/api/v1/packages/{name}", packages::show),
    ("GET", "/api/v1/packages/{name}/check", packages::check),
    ("POST", "/api/v1/packages/{name}/archive", packages::archive),
    ("GET", "/api/v1/schemas", schemas::list),
    ("GET", "/api/v1/schemas/{name}", schemas::one),
    ("GET", "/api/v1/sessions", sessions::list),
    ("GET", "/api/v1/session", sessions::show),
    ("GET", "/api/v1/session/vars", sessions::vars),
    ("POST", "/api/v1/session/input", sessions::input),
    ("POST", "/api/v1/session/commands", sessions::run),
    ("POST", "/api/v1/session/cancel", sessions::cancel),
    ("GET", "/api/v1/session/reports/{flow}", sessions::report),
    ("POST", "/api/v1/turns", turns::create),
    ("GET", "/api/v1/turns", turns::list),
    ("GET", "/api/v1/turns/{id}", turns::show),
    ("GET", "/api/v1/turns/{id}/{part}", turns::part),
    ("POST", "/api/v1/turns/{id}/{part}", turns::verb),
    ("PATCH", "/api/v1/turns/{id}/{part}", turns::edit),
    ("POST", "/api/loops/v2", old::create),
    ("GET", "/api/loops/v2", old::list),
    ("POST", "/api/loops/v2/", old::create),
    ("GET", "/api/loops/v2/", old::list),
    ("GET", "/api/loops/v2/events", events::all),
    ("GET", "/api/loops/v2/tasks/{task}", old_tasks::find_task),
    ("PUT", "/api/loops/v2/tasks/{task}", old_tasks::edit_found),
    ("DELETE", "/api/loops/v2/tasks/{task}", old_tasks::remove_found),
    ("GET", "/api/loops/v2/stats", old::stats),
    ("GET", "/api/loops/v2/{id}", old::show),
    ("PUT", "/api/loops/v2/{id}", old::edit),
    ("DELETE", "/api/loops/v2/{id}", old::delete),
    ("GET", "/api/loops/v2/{id}/logs", old::logs),
    ("PATCH", "/api/loops/v2/{id}/status", old::status),
    ("POST", "/api/loops/v2/{id}/start", old::start),
    ("POST", "/api/loops/v2/{id}/pause", old::pause),
    ("POST", "/api/loops/v2/{id}/resume", old::resume),
    ("POST", "/api/loops/v2/{id}/stop", old::stop),
    ("POST", "/api/loops/v2/{id}/retry", old::retry),
    ("POST", "/api/loops/v2/{id}/reopen", old::reopen),
    ("GET", "/api/loops/v2/{id}/signal", old::signal),
    ("GET", "/api/loops/v2/{id}/history", old::history),
    ("GET", "/api/loops/v2/{id}/tasks", old_tasks::list),
    ("POST", "/api/loops/v2/{id}/tasks", old_tasks::add),
    ("PUT", "/api/loops/v2/{id}/tasks/reorder", old_tasks::reorder),
    ("GET", "/api/loops/v2/{id}/tasks/{task}", old_tasks::show),
    ("PUT", "/api/loops/v2/{id}/tasks/{task}", old_tasks::edit),
    ("DELETE", "/api/loops/v2/{id}/tasks/{task}", old_tasks::remove),
];

/// Every path once.
pub(super) fn paths() -> Vec<&'static str> {
    let mut all: Vec<&str> = ROUTES.iter().map(|(_, path, _)| *path).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// What answers this request.
///
/// # Errors
/// When nothing is there, or it is not asked for in this way.
pub(super) fn find(path: &str, request: &Request) -> Result<Act, Raised> {
    let mut here = ROUTES.iter().filter(|(_, known, _)| *known == path).peekable();
    if here.peek().is_none() {
        return Err(refused(Machine::Door, "no_such", json!({ "id": request.path })));
    }
    let fits = here.find(|(method, ..)| *method == request.method.as_str());
    fits.map(|(.., act)| *act).ok_or_else(|| {
        let command = format!("{} {}", request.method, request.path);
        refused(
            Machine::Door,
            "unknown_command",
            json!({ "command": command, "kind": "malformed" }),
        )
    })
}
