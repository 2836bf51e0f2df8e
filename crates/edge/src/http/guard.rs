//! Who may come in at all: whoever shows the token, by a name that is ours, from no page of
//! somebody else. What a caller may then do is not decided here.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, header};
use kernel::errors::Class;
use serde_json::json;

use super::token::Token;
use crate::problem::Raised;
use crate::site::class;

/// The one name that stands for an address of this machine.
const LOCALHOST: &str = "localhost";

/// Lets a request in, or says why not.
///
/// # Errors
/// An unknown host or origin, or no valid token.
pub(super) fn admit(headers: &HeaderMap, token: &Token, listen: IpAddr) -> Result<(), Raised> {
    let host = text(headers, &header::HOST).unwrap_or_default();
    if !ours(host, listen) {
        return Err(class(Class::Auth, json!({ "kind": "host", "host": host })));
    }
    if let Some(origin) = text(headers, &header::ORIGIN)
        && origin != format!("http://{host}")
    {
        return Err(class(Class::Auth, json!({ "kind": "origin", "origin": origin })));
    }
    let shown = text(headers, &header::AUTHORIZATION).and_then(|all| all.split_once(' '));
    match shown {
        Some((scheme, shown))
            if scheme.eq_ignore_ascii_case("bearer") && token.is(shown.trim()) =>
        {
            Ok(())
        }
        Some(_) | None => Err(class(Class::Auth, json!({ "kind": "token" }))),
    }
}

/// A header that is there once and is text. One that is not text is like a wrong one.
pub(super) fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("\u{0}"))
}

/// A page of somebody else reaches us only by a name of theirs that leads here. So we are known by
/// addresses, and by the one name that everybody has; on this machine alone, by its own addresses.
fn ours(host: &str, listen: IpAddr) -> bool {
    let name = without_port(host);
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match address {
        Ok(address) => address == listen || !listen.is_loopback() || address.is_loopback(),
        Err(_) => name.eq_ignore_ascii_case(LOCALHOST),
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_ours() {
        let table = [
            ("127.0.0.1:7411", "127.0.0.1", true),
            ("localhost:7411", "127.0.0.1", true),
            ("LOCALHOST", "127.0.0.1", true),
            ("[::1]:7411", "127.0.0.1", true),
            ("127.0.0.1", "::1", true),
            ("192.168.1.7:7411", "127.0.0.1", false),
            ("192.168.1.7:7411", "0.0.0.0", true),
            ("evil.example:7411", "127.0.0.1", false),
            ("evil.example:7411", "0.0.0.0", false),
            ("127.0.0.1.evil.example", "127.0.0.1", false),
            ("localhost.evil.example", "127.0.0.1", false),
            ("localhost:7411@evil", "127.0.0.1", false),
            ("", "127.0.0.1", false),
        ];
        for (host, listen, expected) in table {
            assert_eq!(ours(host, listen.parse().unwrap()), expected, "{host} {listen}");
        }
    }
}
