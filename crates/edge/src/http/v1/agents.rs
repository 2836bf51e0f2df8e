//! Agents: which there are, whether they could be launched here, and one request to one of them.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use kernel::errors::Machine;
use runtime::words::Lang;
use serde_json::json;

use crate::agents;
use crate::calls;
use crate::door::{AgentForm, Ask};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::site::Known;

/// All of them.
pub(in crate::http) fn list(shop: &Arc<Shop>, _: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(json!(agents::list(&shop.site)?)))
}

/// One, with its settings.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(agents::show(&shop.site, request.param("name"))?))
}

/// One request to one agent. It may take long, so that it is not waited for: the call is answered
/// as it stands.
pub(in crate::http) fn call(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Agent)?;
    let form = AgentForm {
        agent: request.param("name").to_owned(),
        task: fields.must("task")?,
        access: fields.text("access")?,
        resume: fields.text("resume")?,
        model: fields.text("model")?,
        schema: fields.object("schema")?.map(|schema| schema.to_string()),
        wall_ms: fields.whole("wall_ms")?.map(u64::from),
        lang: Some(request.lang.tag().to_owned()),
        tools: false,
    };
    fields.done()?;
    let asking = |run, trace| Ask::Agent { run, trace, form: form.clone() };
    let done = calls::asked(&shop.visit(request), Duration::ZERO, &asking)?;
    asked(&done.known, request.lang)
}

/// How a request to an agent stands.
pub(in crate::http) fn asked(known: &Known, lang: Lang) -> Result<Answer, Fail> {
    let (body, rev) = (calls::view(known, lang)?, Some(known.head.seq));
    Ok(Answer::Json { status: StatusCode::ACCEPTED, body, rev })
}

/// Whether agents could be launched here. Programs are started to find out, so that it takes a
/// person.
pub(in crate::http) fn doctor(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Agent)?;
    let names = fields.texts("agents")?.unwrap_or_default();
    fields.done()?;
    shop.visit(request).person(Machine::Agent, "doctor")?;
    Ok(Answer::ok(agents::doctor(&shop.site, request.lang, &names)?.data))
}
