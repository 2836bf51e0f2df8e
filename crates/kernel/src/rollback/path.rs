//! A path below the root as the bytes it is. In JSON it is text, with the exact bytes beside it
//! where text cannot hold them. It says nothing about whether a path is allowed.

use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::base64;

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
            map.serialize_entry("raw", &base64::encode(&self.0))?;
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
            Some(raw) => base64::decode(&raw)
                .map(Self)
                .ok_or_else(|| serde::de::Error::custom("raw is not base64")),
        }
    }
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
        assert_eq!(base64::encode(b"a\xffb"), "Yf9i");
        for bad in ["Yf9", "Y===", "Yf=i", "Y f9"] {
            assert_eq!(base64::decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn ancestors_are_named_nearest_first() {
        let above: Vec<_> = RawPath::new("a/b/c").ancestors().map(|path| path.text()).collect();
        assert_eq!(above, ["a/b", "a"]);
        assert_eq!(RawPath::new("a").ancestors().count(), 0);
    }
}
