//! Calls: what they are, what they print, and a person's word to one.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use kernel::errors::Machine;
use kernel::run::Kind;
use serde_json::{Value, json};

use crate::calls::{self, Done, End, TookBack};
use crate::http::answer::{Answer, Fail};
use crate::http::request::Request;
use crate::http::shop::Shop;
use crate::problem::{Raised, Shown};
use crate::site::{Known, bad_value, refused, run_of};

/// How long a request waits for the end of a call that it asked for: less than clients wait for an
/// answer. One that takes longer is told as it stands, and can be looked at.
pub(super) const WAIT: Duration = Duration::from_secs(20);

fn known(shop: &Shop, request: &Request) -> Result<Known, Raised> {
    run_of(&shop.site, request.param("id"), Kind::Call)
}

/// All of them, the newest first.
pub(in crate::http) fn list(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let state = ("state", request.query("state"));
    let all = calls::list(&shop.site, request.query("run"), state, request.lang)?;
    Ok(Answer::ok(json!(all)))
}

/// One.
pub(in crate::http) fn one(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let known = known(shop, request)?;
    let (body, rev) = (calls::view(&known, request.lang)?, Some(known.head.seq));
    Ok(Answer::Json { status: StatusCode::OK, body, rev })
}

/// A part of what it printed.
pub(in crate::http) fn output(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let stream = request.query("stream").unwrap_or("stdout");
    let from = request
        .query("from")
        .map_or(Ok(0), |text| text.parse().map_err(|_| bad_value("from", text, &["0"])))?;
    let part = calls::part(&known(shop, request)?, stream, from, &shop.redactor()?)?;
    Ok(Answer::ok(json!(part)))
}

/// What taking it back would do.
pub(in crate::http) fn undo_plan(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    Ok(Answer::ok(calls::plan(&shop.site, request.param("id"))?))
}

/// Takes it back, and waits for that.
pub(in crate::http) fn undo(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let mut fields = request.fields_to(Machine::Call)?;
    let force = fields.yes("force")?;
    fields.done()?;
    match calls::take_back(&shop.visit(request), request.param("id"), force, WAIT)? {
        TookBack::Back(told) => Ok(Answer::ok(told)),
        TookBack::Not(done) => ended(shop, request, &done),
    }
}

/// Allow, deny, settle, stop.
pub(in crate::http) fn verb(shop: &Arc<Shop>, request: &Request) -> Result<Answer, Fail> {
    let name = request.param("verb");
    let Some(say) = calls::verb(name, request.fields_to(Machine::Call)?)? else {
        let details = json!({ "command": name });
        return Err(refused(Machine::Call, "unknown_command", details).into());
    };
    let visit = shop.visit(request);
    Ok(Answer::ok(calls::say(&visit, request.param("id"), say, request.lang)?))
}

/// How a call that was asked for stands. One that failed was still done as asked: the error is
/// inside.
pub(in crate::http) fn ended(shop: &Shop, request: &Request, done: &Done) -> Result<Answer, Fail> {
    let redactor = shop.redactor()?;
    let bytes_max = shop.site.settings()?.settings.call.payload_bytes;
    let result = done.state.result();
    let told = |mut body: Value| {
        body["result"] = json!(result);
        Ok(Answer::ok(body))
    };
    match calls::told(done, &redactor, bytes_max) {
        Ok(End::Tool(data) | End::Command(data)) => told(data),
        Ok(End::Stands) => {
            let status = if done.state.ended() { StatusCode::OK } else { StatusCode::ACCEPTED };
            let (body, rev) = (calls::view(&done.known, request.lang)?, Some(done.known.head.seq));
            Ok(Answer::Json { status, body, rev })
        }
        Err(raised) => {
            let home = std::env::var("HOME").unwrap_or_default();
            let (lang, asked) = (request.lang, &request.asked);
            let problem = raised.show(Shown { lang, asked, home: &home, redactor: &redactor });
            told(json!({ "call": done.known.head.run, "error": problem }))
        }
    }
}
