//! The plan of one call: every place it may use and how, in words that survive a file. It is drawn
//! by the engine and enforced by the shim's child to the letter; a plan that cannot be enforced
//! whole is not enforced at all, and the program never starts.

use serde::{Deserialize, Serialize};

use super::level::{Carve, Level, Network};

/// What may be done with a place and everything beneath it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum May {
    /// Read and execute.
    Read,
    /// Read and write what is there, as with a device; nothing is made or removed.
    Use,
    /// Everything.
    Write,
}

/// One place and what may be done with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// Absolute. One that is not there any more grants nothing.
    pub path: String,
    /// What may be done.
    pub may: May,
}

/// All that a call may touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What must hold it.
    pub level: Level,
    /// How protected names must be kept.
    pub carve: Carve,
    /// The version of Landlock whose every right is enforced; a kernel with less is refused.
    pub abi: u32,
    /// Sockets.
    pub network: Network,
    /// Places, in any order: rights add up.
    pub grants: Vec<Grant>,
    /// Existing names that are bound read-only, absolute; used with [`Carve::Mount`].
    #[serde(default)]
    pub protected: Vec<String>,
    /// Places below a protected name that stay as writable as they were.
    #[serde(default)]
    pub excepted: Vec<String>,
    /// Existing sockets of services that act for whoever asks, and directories of such, absolute:
    /// hidden, with [`Carve::Mount`]. A right over files keeps nobody from connecting.
    #[serde(default)]
    pub hidden: Vec<String>,
    /// Data a single process may hold; absent means no limit of ours.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
}

impl Plan {
    /// The plan of a call that nothing holds but its limits.
    #[must_use]
    pub const fn open(memory_bytes: Option<u64>) -> Self {
        Self {
            level: Level::None,
            carve: Carve::None,
            abi: 0,
            network: Network::Open,
            grants: Vec::new(),
            protected: Vec::new(),
            excepted: Vec::new(),
            hidden: Vec::new(),
            memory_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_survives_its_file_and_keeps_its_words() {
        let plan = Plan {
            level: Level::Walled,
            carve: Carve::Mount,
            abi: 7,
            network: Network::None,
            grants: vec![Grant { path: "/w".into(), may: May::Write }],
            protected: vec!["/w/.git".into()],
            excepted: vec!["/w/.loop/calls/c/tmp".into()],
            hidden: vec!["/run/docker.sock".into()],
            memory_bytes: Some(1),
        };
        let json = serde_json::to_value(&plan).unwrap();
        assert_eq!(json["level"], Level::Walled.word());
        assert_eq!(json["carve"], Carve::Mount.word());
        assert_eq!(serde_json::from_value::<Plan>(json).unwrap(), plan);
        let short = r#"{"level":"none","carve":"none","abi":0,"network":"open","grants":[]}"#;
        assert_eq!(serde_json::from_str::<Plan>(short).unwrap(), Plan::open(None));
    }
}
