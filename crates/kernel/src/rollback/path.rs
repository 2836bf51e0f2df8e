//! A path below the root as the bytes it is. In JSON it is text, with the exact bytes beside it
//! where text cannot hold them. It says nothing about whether a path is allowed.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A `/`-separated path relative to the root; its name need not be UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawPath(Vec<u8>);

impl RawPath {
    /// The path of these bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// As a person reads it; not exact where it is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// Every directory above it, nearest first, without the root.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        let ends = (0..self.0.len()).rev().filter(|&at| self.0[at] == b'/');
        ends.map(|at| Self(self.0[..at].to_vec()))
    }
}

/// `{"path": text}`, and `"raw": base64` where the text is not exact. Flattened into its owner.
impl Serialize for RawPath {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let exact = core::str::from_utf8(&self.0).is_ok();
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("path", &self.text())?;
        if !exact {
            map.serialize_entry("raw", &base64(&self.0))?;
        }
        map.end()
    }
}

#[derive(Deserialize)]
struct Written {
    path: String,
    #[serde(default)]
    raw: Option<String>,
}

impl<'de> Deserialize<'de> for RawPath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = Written::deserialize(from)?;
        match written.raw {
            None => Ok(Self(written.path.into_bytes())),
            Some(raw) => unbase64(&raw)
                .map(Self)
                .ok_or_else(|| serde::de::Error::custom("raw is not base64")),
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let byte = |at: usize| u32::from(group.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let digit = usize::try_from(bits >> (18 - 6 * place) & 63).unwrap_or(0);
            out.push(if place > group.len() { '=' } else { char::from(DIGITS[digit]) });
        }
    }
    out
}

fn unbase64(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    let mut out = Vec::new();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    for group in text.chunks(4) {
        let digits = group.iter().take_while(|&&digit| digit != b'=').count();
        let mut bits = 0u32;
        for &digit in &group[..digits] {
            bits = bits << 6 | u32::try_from(DIGITS.iter().position(|&d| d == digit)?).ok()?;
        }
        if digits < 2 || group[digits..].iter().any(|&digit| digit != b'=') {
            return None;
        }
        bits <<= 6 * (4 - digits);
        out.extend_from_slice(&bits.to_be_bytes()[1..digits]);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back_from_json_as_it_was() {
        for bytes in [
            b"lib/api.dart".as_slice(),
            b"\xff",
            b"a/\xff\xfe",
            b"a/\xff\xfeb",
            b"new\nline \"quoted\"",
            "日本/語".as_bytes(),
        ] {
            let path = RawPath::new(bytes);
            let json = serde_json::to_string(&path).unwrap();
            assert_eq!(serde_json::from_str::<RawPath>(&json).unwrap(), path, "{json}");
            assert_eq!(json.contains("raw"), core::str::from_utf8(bytes).is_err(), "{json}");
        }
        assert_eq!(base64(b"a\xffb"), "Yf9i");
        for bad in ["Yf9", "Y===", "Yf=i", "Y f9"] {
            assert_eq!(unbase64(bad), None, "{bad}");
        }
    }

    #[test]
    fn ancestors_are_named_nearest_first() {
        let above: Vec<_> = RawPath::new("a/b/c").ancestors().map(|path| path.text()).collect();
        assert_eq!(above, ["a/b", "a"]);
        assert_eq!(RawPath::new("a").ancestors().count(), 0);
    }
}
