//! What a provider's message means: the status in it, else words that only pass by. It is used on
//! final events and on standard error, never on what a model said.

/// Why the other side failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It does not know us.
    Auth,
    /// We asked too much of it.
    Quota,
    /// It has trouble of its own.
    Server,
    /// It could not be reached, or the line broke.
    Connection,
    /// It said no, and nothing more is known.
    Other,
}

impl Cause {
    /// The code of an agent error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Auth | Self::Quota | Self::Server | Self::Other => "E009",
            Self::Connection => "E010",
        }
    }

    /// Its detail word.
    #[must_use]
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Quota => "quota",
            Self::Server => "server",
            Self::Connection => "connection",
            Self::Other => "error_event",
        }
    }
}

/// Longest message that is looked through; the cause stands at its beginning or not at all.
const MESSAGE_BYTES_MAX: usize = 16 * 1024;

/// What a status stands after. Compared in lower case; blanks after it are passed over.
const BEFORE_STATUS: [&str; 6] =
    ["\"code\":", "\\\"code\\\":", "status:", "status ", "api error:", "("];
/// A limit of ours that was reached, where no number says so. These come before the words for
/// passing trouble, because such messages also say when to try again.
const QUOTA: [&str; 8] = [
    "usage limit",
    "rate limit",
    "rate_limit",
    "limit reached",
    "too many requests",
    "insufficient_quota",
    "exceeded your current quota",
    "resource_exhausted",
];
const CONNECTION: [&str; 13] = [
    "econn",
    "enotfound",
    "eai_again",
    "etimedout",
    "fetch failed",
    "socket",
    "network",
    "connection",
    "stream disconnected",
    "stream closed",
    "terminated",
    "idle timeout",
    // What one of them says of a stream that broke in the middle of a value.
    "incomplete json segment",
];
const SERVER: [&str; 4] = ["overloaded", "high demand", "temporar", "try again"];

/// What an HTTP status means for us.
#[must_use]
pub const fn of_status(status: u64) -> Cause {
    match status {
        401 | 403 => Cause::Auth,
        429 => Cause::Quota,
        408 | 425 | 500..=599 => Cause::Server,
        _ => Cause::Other,
    }
}

/// What a message means.
#[must_use]
pub fn status_of(message: &str) -> Cause {
    let message = super::fold::cut(message, MESSAGE_BYTES_MAX).to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if let Some(status) = number(&message) {
        of_status(status)
    } else if has(&QUOTA) {
        Cause::Quota
    } else if has(&CONNECTION) {
        Cause::Connection
    } else if has(&SERVER) {
        Cause::Server
    } else {
        Cause::Other
    }
}

/// The first number from 400 to 599 that stands where a status stands.
fn number(message: &str) -> Option<u64> {
    let found = BEFORE_STATUS.iter().flat_map(|before| {
        message.match_indices(before).filter_map(move |(at, _)| {
            let status = three_digits(message[at + before.len()..].trim_start())?;
            let closed = *before != "(" || message.as_bytes().get(at + 4) == Some(&b')');
            (closed && (400..=599).contains(&status)).then_some((at, status))
        })
    });
    found.min().map(|(_, status)| status)
}

fn three_digits(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 3 { text[..3].parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_of_messages() {
        let table = [
            ("unexpected status 401 Unauthorized: bad key, url: http://h/v1", Cause::Auth),
            (r#"[API Error: {"error":{"code":401,"message":"bad key"}}]"#, Cause::Auth),
            (r#"{"error":{"code": 403}}"#, Cause::Auth),
            (r#"wrapped {\"code\":429}"#, Cause::Quota),
            ("[API Error: 500 mock scripted error]", Cause::Server),
            ("exceeded retry limit, last status: 429 Too Many Requests", Cause::Quota),
            ("request failed (503)", Cause::Server),
            ("request failed (503 of 700)", Cause::Other),
            ("API Error: 404 no such model", Cause::Other),
            ("status 408", Cause::Server),
            ("status 4010 and status 200, then status 529", Cause::Server),
            (
                "We’re currently experiencing high demand, which may cause temporary errors.",
                Cause::Server,
            ),
            ("stream disconnected before completion: error sending request", Cause::Connection),
            ("[API Error: exception TypeError: fetch failed sending request]", Cause::Connection),
            ("API Error: Connection dropped (ECONNRESET). then try again.", Cause::Connection),
            ("[API Error: Incomplete JSON segment at the end]", Cause::Connection),
            ("Overloaded", Cause::Server),
            ("You've hit your usage limit. Try again at 6:30 PM.", Cause::Quota),
            ("Model stream ended without a finish reason.", Cause::Other),
            ("line 429 of 500", Cause::Other),
            ("", Cause::Other),
            ("(", Cause::Other),
            ("(４２９) status:", Cause::Other),
        ];
        for (message, expected) in table {
            assert_eq!(status_of(message), expected, "{message}");
        }
    }
}
