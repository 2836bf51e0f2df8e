//! The walls of a workspace: what its settings ask for, and what this machine was measured to
//! hold. Measured once, when the engine starts; every call of that life is held by that.

use std::path::{Path, PathBuf};

use kernel::policy;

use super::level::{Level, Network};
use super::probe::{Measured, probe};
use super::standing::Standing;
use crate::agents::render::Sandbox;
use crate::config::{SandboxMode, SandboxNetwork, Settings};

/// What settings say of the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// How much it is insisted on.
    pub mode: SandboxMode,
    /// Places that may be read beyond the standing ones.
    pub read: Vec<String>,
    /// Places that may be written beyond them.
    pub write: Vec<String>,
    /// What commands may reach. Agents reach their providers in any case.
    pub network: Network,
    /// Data that one process may hold.
    pub memory_bytes: u64,
}

impl Wanted {
    /// What the settings say.
    #[must_use]
    pub fn of(settings: &Settings) -> Self {
        Self {
            mode: settings.sandbox.mode,
            read: settings.sandbox.read.clone(),
            write: settings.sandbox.write.clone(),
            network: match settings.sandbox.network {
                SandboxNetwork::None => Network::None,
                SandboxNetwork::Open => Network::Open,
            },
            memory_bytes: settings.run.memory_bytes,
        }
    }
}

/// What is wanted, and what there is.
#[derive(Debug, Clone)]
pub struct Walls {
    /// What settings say.
    pub wanted: Wanted,
    /// What holds here.
    pub measured: Measured,
    /// What any call may use.
    pub places: Standing,
    /// Where copies of protected files are kept while a call runs: out of the reach of calls.
    pub guarded: PathBuf,
}

impl Walls {
    /// Measures, unless nobody wants walls. `room` is a directory of ours on the disk of the work
    /// tree, `cache` one of the user's that no call can write.
    #[must_use]
    pub fn measure(wanted: Wanted, exe: &Path, room: &Path, cache: &Path) -> Self {
        let measured = match wanted.mode {
            SandboxMode::Off => Measured::nothing(),
            SandboxMode::Prefer | SandboxMode::Require => probe(exe, room),
        };
        let var = |name: &str| std::env::var_os(name);
        let places = Standing::new(&var, &wanted.read, &wanted.write);
        Self { wanted, measured, places, guarded: cache.join("guarded") }
    }

    /// What an adapter is told: whether its program may leave its own walls down.
    #[must_use]
    pub const fn in_force(&self) -> Sandbox {
        match self.measured.level {
            Level::Walled => Sandbox::InForce,
            Level::None => Sandbox::None,
        }
    }

    /// What policy is told: held, or not, and whether a person said that this is all right.
    #[must_use]
    pub const fn standing(&self) -> policy::Sandbox {
        match (self.wanted.mode, self.measured.level) {
            (SandboxMode::Off, _) => policy::Sandbox::Waived,
            // Nothing runs there that is not held: what cannot be is refused when it is prepared.
            (SandboxMode::Require, _) | (SandboxMode::Prefer, Level::Walled) => {
                policy::Sandbox::Held
            }
            (SandboxMode::Prefer, Level::None) => policy::Sandbox::Absent,
        }
    }
}
