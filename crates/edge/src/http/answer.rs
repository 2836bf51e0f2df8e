//! Answers and failures on their way out: status, headers, body. Every one carries its trace, none
//! a secret.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use kernel::errors::{Class, Code};
use runtime::redact::Redactor;
use runtime::trace::{self, Asked};
use runtime::words::Lang;
use serde_json::{Value, json};

use super::events::Feed;
use crate::problem::{self, Raised, Shown};

/// What a route answers.
pub(super) enum Answer {
    /// One value.
    Json {
        status: StatusCode,
        body: Value,
        /// The record that it shows its run up to.
        rev: Option<u64>,
    },
    /// One value that is known again by this mark.
    Tagged { body: Value, tag: String },
    /// Live objects.
    Events(Feed),
}

impl Answer {
    /// One value, as asked.
    pub(super) const fn ok(body: Value) -> Self {
        Self::Json { status: StatusCode::OK, body, rev: None }
    }

    /// A loop's document, with the record it stands at.
    pub(super) fn document(status: StatusCode, body: Value) -> Self {
        let rev = body["ext"]["rev"].as_u64();
        Self::Json { status, body, rev }
    }
}

/// What a route could not do, and the text of the compatibility routes for it, if they have one.
pub(super) struct Fail {
    pub(super) raised: Raised,
    pub(super) text: Option<String>,
}

impl From<Raised> for Fail {
    fn from(raised: Raised) -> Self {
        Self { raised, text: None }
    }
}

/// Which form failures take.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `application/problem+json`.
    Problem,
    /// The old routes' own.
    Compat,
}

/// How one request is answered.
pub(super) struct Manner<'a> {
    pub(super) form: Form,
    pub(super) lang: Lang,
    pub(super) path: &'a str,
    pub(super) asked: &'a Asked,
    pub(super) redactor: &'a Redactor,
}

impl Manner<'_> {
    /// The response to what was done or not done.
    pub(super) fn response(&self, result: Result<Answer, Fail>) -> Response<Body> {
        match result {
            Ok(Answer::Json { status, body, rev }) => {
                let body = trace::redacted(&body, self.redactor);
                let mut response = self.json(status, "application/json", &body);
                if let Some(rev) = rev.and_then(|rev| format!("\"{rev}\"").parse().ok()) {
                    response.headers_mut().insert(header::ETAG, rev);
                }
                response
            }
            Ok(Answer::Tagged { body, tag }) => {
                let body = trace::redacted(&body, self.redactor);
                let mut response = self.json(StatusCode::OK, "application/json", &body);
                if let Ok(tag) = format!("\"{tag}\"").parse() {
                    response.headers_mut().insert(header::ETAG, tag);
                }
                response
            }
            Ok(Answer::Events(feed)) => {
                let mut response = Response::new(Body::from_stream(feed));
                let kind = HeaderValue::from_static("text/event-stream");
                response.headers_mut().insert(header::CONTENT_TYPE, kind);
                self.with_trace(response)
            }
            Err(fail) => self.failed(&fail),
        }
    }

    fn failed(&self, fail: &Fail) -> Response<Body> {
        let home = std::env::var("HOME").unwrap_or_default();
        let Self { lang, asked, redactor, .. } = *self;
        let shown = fail.raised.show(Shown { lang, asked, home: &home, redactor });
        let (status, kind, body) = match self.form {
            Form::Problem => {
                let (status, body) = problem::web(&shown, lang, self.path);
                (status, "application/problem+json", body)
            }
            Form::Compat => {
                let text = fail.text.as_ref().map(|text| redactor.redact_text(text));
                let mut body = json!({
                    "success": false, "error": text.unwrap_or(shown.message), "code": shown.code,
                    "trace_id": shown.trace_id,
                });
                if let Some(allowed) = shown.allowed {
                    body["allowed"] = json!(allowed);
                }
                (compat_status(&fail.raised), "application/json", body)
            }
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = self.json(status, kind, &body);
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }

    fn json(&self, status: StatusCode, kind: &'static str, body: &Value) -> Response<Body> {
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        self.with_trace(response)
    }

    fn with_trace(&self, mut response: Response<Body>) -> Response<Body> {
        let headers = response.headers_mut();
        if let Ok(trace) = HeaderValue::from_str(&self.asked.trace_id) {
            headers.insert("x-trace-id", trace);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}

/// The old routes know 400 for whatever is refused, 403 for who may not and 404 for what is not
/// there; what went wrong on our side stays what it is.
fn compat_status(raised: &Raised) -> u16 {
    match raised.code.class() {
        Class::Refused | Class::Conflict | Class::Budget | Class::Cancelled => 400,
        Class::InvalidArgs => match raised.http() {
            413 => 413,
            _malformed_or_invalid => 400,
        },
        Class::PolicyDenied
        | Class::Io
        | Class::ToolTimeout
        | Class::BuildFail
        | Class::Model
        | Class::UnknownOutcome
        | Class::Degraded
        | Class::Journal
        | Class::NotFound
        | Class::Auth
        | Class::Internal => raised.http(),
    }
}

/// The program met something that must not happen.
pub(super) fn internal() -> Fail {
    Raised::new(Code::Class(Class::Internal), json!({})).into()
}
