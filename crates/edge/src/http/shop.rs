//! What every request is served with, and the one way it takes: let in, read, done, answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{ConnectInfo, RawPathParams, Request as Raw};
use axum::http::{HeaderName, Method, Response};
use kernel::errors::{Class, Machine};
use runtime::redact::{Redactor, Secrets};
use runtime::trace::{self, Asked};
use runtime::words::Lang;
use serde_json::json;

use super::again::{self, Again};
use super::answer::{Answer, Fail, Form, Manner, internal};
use super::before::{self, Before, Was};
use super::peer::{self, Remote};
use super::request::{self, Request};
use super::token::Token;
use super::{guard, routes};
use crate::problem::Raised;
use crate::site::{Site, Visit, env, refused};

/// A longer body is nobody's.
const BODY_BYTES_MAX: usize = 1 << 20;
/// Says that a request is one that was made before.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What a route does.
pub(super) type Act = fn(&Arc<Shop>, &Request) -> Result<Answer, Fail>;

/// The server's own.
pub(super) struct Shop {
    pub(super) site: Site,
    pub(super) token: Token,
    pub(super) remote: Remote,
    pub(super) listen: SocketAddr,
    pub(super) again: Again,
    pub(super) before: Before,
    /// Set once the server ends, so that live streams do.
    pub(super) over: AtomicBool,
    /// Live streams.
    pub(super) streams: AtomicUsize,
}

impl Shop {
    /// The engine as this caller may speak to it. Only what changes something asks for it: looking
    /// for the process at the other end costs more than most reads.
    pub(super) fn visit(&self, request: &Request) -> Visit<'_> {
        let speaks = peer::judge(request.from, self.listen, self.remote);
        Visit { site: &self.site, speaks, trace: request.asked.trace_id.clone() }
    }

    /// What takes secrets out of answers.
    pub(super) fn redactor(&self) -> Result<Redactor, Raised> {
        self.site.redactor(&self.site.settings()?, Some(self.token.secret()))
    }

    /// The same where not even the settings can be used.
    fn plain_redactor(&self) -> Redactor {
        let door_token = Some(self.token.secret().to_owned());
        let secrets = Secrets { env: env(), door_token, ..Secrets::default() };
        Redactor::new(&secrets).expect("no patterns, so none can be wrong")
    }
}

/// Serves one request.
pub(super) async fn attend(
    shop: Arc<Shop>,
    path: &'static str,
    from: ConnectInfo<SocketAddr>,
    params: Option<RawPathParams>,
    raw: Raw,
) -> Response<Body> {
    let asked = Asked::now();
    let form =
        if raw.uri().path().starts_with(routes::COMPAT) { Form::Compat } else { Form::Problem };
    let (parts, body) = raw.into_parts();
    let lang = request::language(&parts.headers, shop.site.lang);
    let admitted = guard::admit(&parts.headers, &shop.token, shop.listen.ip());
    let body = match &admitted {
        Ok(()) => to_bytes(body, BODY_BYTES_MAX).await.map_err(|_| too_large()),
        // What comes from nobody is not even read.
        Err(_) => Ok(Bytes::new()),
    };
    let pair = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let params = params.iter().flat_map(|all| all.iter().map(pair)).collect();
    let mut request = Request {
        method: parts.method,
        path: parts.uri.path().to_owned(),
        params,
        query: request::pairs(parts.uri.query().unwrap_or_default()),
        headers: parts.headers,
        body: Bytes::new(),
        asked,
        lang,
        from: from.0,
    };
    let early = admitted.and_then(|()| body.map(|body| request.body = body));
    if early.is_ok() && request.method != Method::GET {
        let own = request.header(&KEY).map(|key| before::trace(&request, key));
        request.asked.trace_id = own.unwrap_or(request.asked.trace_id);
    }
    let done = tokio::task::spawn_blocking(move || {
        let result = early.map_err(Fail::from).and_then(|()| shop.serve(path, &request));
        shop.answered(form, &request, result)
    });
    done.await.unwrap_or_else(|_| broken(form, lang))
}

/// What is said when a route fell over.
fn broken(form: Form, lang: Lang) -> Response<Body> {
    let (asked, secrets) = (Asked::now(), Secrets::default());
    let redactor = Redactor::new(&secrets).expect("no patterns, so none can be wrong");
    let manner = Manner { form, lang, path: "", asked: &asked, redactor: &redactor };
    manner.response(Err(internal()))
}

fn too_large() -> Raised {
    let details = json!({ "kind": "too_large", "max": BODY_BYTES_MAX });
    refused(Machine::Door, "invalid_args", details)
}

impl Shop {
    fn serve(self: &Arc<Self>, path: &str, request: &Request) -> Result<Answer, Fail> {
        let act = routes::find(path, request)?;
        match request.header(&KEY).filter(|_| request.method != Method::GET) {
            Some(key) => {
                self.again.once(request, key, || match self.before.was(self, request)? {
                    Was::New => act(self, request),
                    Was::Other => Err(again::reused(key)),
                    Was::Done(answer) => Ok(answer),
                })
            }
            None => act(self, request),
        }
    }

    fn answered(
        &self,
        form: Form,
        request: &Request,
        result: Result<Answer, Fail>,
    ) -> Response<Body> {
        if let Err(fail) = &result {
            self.keep(request, &fail.raised);
        }
        let redactor = self.redactor();
        let (result, redactor) = match (redactor, result) {
            (Ok(redactor), result) => (result, redactor),
            // Nothing is shown where further secrets cannot be told.
            (Err(raised), Ok(_)) => (Err(raised.into()), self.plain_redactor()),
            (Err(_), failed @ Err(_)) => (failed, self.plain_redactor()),
        };
        let (lang, asked) = (request.lang, &request.asked);
        let manner = Manner { form, lang, path: &request.path, asked, redactor: &redactor };
        manner.response(result)
    }

    /// Keeps what somebody may have to look into; a trace that cannot be written costs only itself.
    fn keep(&self, request: &Request, raised: &Raised) {
        if !matches!(raised.code.class(), Class::Internal | Class::Io | Class::Journal) {
            return;
        }
        let Ok(Some(dir)) = self.site.state_dir() else { return };
        let detail = json!({
            "at": request.asked.at, "version": env!("CARGO_PKG_VERSION"),
            "pid": std::process::id(), "request": format!("{} {}", request.method, request.path),
            "code": raised.code.to_string(), "details": raised.details, "source": raised.source,
        });
        drop(trace::note(&dir.path, &request.asked.trace_id, &detail, &self.plain_redactor()));
    }
}
