//! What stands in a secret's place, and how an earlier one is recognised, so that redacting twice
//! is redacting once.

/// What kind of secret was taken out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Label {
    /// The value of a variable.
    Env(String),
    /// A private-key block.
    PrivateKey,
    /// The value of a header.
    Header,
    /// User and password of an address.
    Url,
    /// A well-known token, or a pattern of the user's.
    Token,
    /// The token of our own door.
    Door,
}

/// The first byte of every mark.
pub(super) const FIRST: u8 = "«".as_bytes()[0];
const CLOSE: &str = "»";

impl Label {
    pub(super) fn mark(&self) -> String {
        let name = match self {
            Self::Env(name) => return format!("«redacted:env:{name}{CLOSE}"),
            Self::PrivateKey => "private_key",
            Self::Header => "header",
            Self::Url => "url",
            Self::Token => "token",
            Self::Door => "door",
        };
        format!("«redacted:{name}{CLOSE}")
    }
}

/// Whether a mark of ours begins here.
pub(super) enum Mark {
    None,
    /// It may, once more bytes are there.
    More,
    /// It does, and is this long.
    Of(usize),
}

/// Looks for one of the given marks at the beginning of `text`. Only marks this redactor can have
/// made count: a secret between angle marks of somebody else's is still a secret.
pub(super) fn at(text: &[u8], ours: &[String]) -> Mark {
    if text.first() != Some(&FIRST) {
        return Mark::None;
    }
    let mut verdict = Mark::None;
    for mark in ours {
        let mark = mark.as_bytes();
        if text.starts_with(mark) {
            return Mark::Of(mark.len());
        }
        if mark.starts_with(text) {
            verdict = Mark::More;
        }
    }
    verdict
}
