//! Where things outside the workspace live: state, settings, sockets, by the XDG rules. It only
//! names paths; whoever writes makes the directories.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::refusal::Refusal;

/// A socket's path must fit the kernel's address with its closing zero byte.
pub const SOCKET_BYTES_MAX: usize = 107;

/// Our directory below each of the user's.
const OURS: &str = "loopwright";

/// The user's directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The home directory.
    pub home: PathBuf,
    /// `$XDG_STATE_HOME/loopwright`: key, trust, sockets without a runtime directory.
    pub state: PathBuf,
    /// `$XDG_CONFIG_HOME/loopwright`: the user's settings.
    pub config: PathBuf,
    /// `$XDG_CACHE_HOME/loopwright`: what can be found out again.
    pub cache: PathBuf,
    /// `$XDG_RUNTIME_DIR/loopwright`, where there is one.
    pub runtime: Option<PathBuf>,
}

impl Places {
    /// The places this process's environment names.
    ///
    /// # Errors
    /// When there is no home directory to start from.
    pub fn from_env() -> Result<Self, Refusal> {
        Self::of(|name| std::env::var_os(name))
    }

    /// The places an environment names. A relative path counts as not set, as the rules say.
    ///
    /// # Errors
    /// When there is no home directory to start from.
    pub fn of(var: impl Fn(&str) -> Option<OsString>) -> Result<Self, Refusal> {
        let absolute = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = absolute("HOME").ok_or(Refusal::NoHome)?;
        let below =
            |name: &str, usual: &str| absolute(name).unwrap_or_else(|| home.join(usual)).join(OURS);
        Ok(Self {
            state: below("XDG_STATE_HOME", ".local/state"),
            config: below("XDG_CONFIG_HOME", ".config"),
            cache: below("XDG_CACHE_HOME", ".cache"),
            runtime: absolute("XDG_RUNTIME_DIR").map(|path| path.join(OURS)),
            home,
        })
    }

    /// The user's settings file.
    #[must_use]
    pub fn user_settings(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The file that keys our marks.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.state.join("key")
    }

    /// Where the answers about trust are kept.
    #[must_use]
    pub fn trust_dir(&self) -> PathBuf {
        self.state.join("trust")
    }

    /// Where an engine of that workspace listens: the first is where a new one listens, the others
    /// are where one that saw another environment may listen. Each fits a socket's address; each
    /// directory must be made with mode 0700 and be the user's own.
    #[must_use]
    pub fn sockets(&self, workspace_id: &str) -> Vec<PathBuf> {
        let name = format!("{workspace_id}.sock");
        let short = PathBuf::from(format!("/tmp/{OURS}-{}", rustix::process::geteuid().as_raw()));
        let dirs = [self.runtime.clone(), Some(self.state.join("run")), Some(short)];
        dirs.into_iter().flatten().map(|dir| dir.join(&name)).filter(|path| fits(path)).collect()
    }

    /// Where an engine of that workspace listens.
    #[must_use]
    pub fn socket(&self, workspace_id: &str) -> Option<PathBuf> {
        self.sockets(workspace_id).into_iter().next()
    }
}

fn fits(path: &Path) -> bool {
    path.as_os_str().len() <= SOCKET_BYTES_MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(vars: &[(&str, &str)]) -> Result<Places, Refusal> {
        let find = |name: &str| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| v.into());
        Places::of(find)
    }

    #[test]
    fn the_environment_names_the_places() {
        let usual = places(&[("HOME", "/home/a")]).unwrap();
        assert_eq!(usual.key(), Path::new("/home/a/.local/state/loopwright/key"));
        assert_eq!(usual.user_settings(), Path::new("/home/a/.config/loopwright/config.toml"));
        assert_eq!(usual.runtime, None);
        let moved =
            places(&[("HOME", "/home/a"), ("XDG_STATE_HOME", "/s"), ("XDG_CONFIG_HOME", "c")]);
        let moved = moved.unwrap();
        assert_eq!(moved.state, Path::new("/s/loopwright"));
        assert_eq!(moved.config, Path::new("/home/a/.config/loopwright"), "relative is not set");
        assert_eq!(places(&[]), Err(Refusal::NoHome));
    }

    #[test]
    fn invariant_a_socket_fits_its_address() {
        let long = format!("/{}", "x".repeat(120));
        let vars = [("HOME", "/home/a"), ("XDG_RUNTIME_DIR", "/run/user/1")];
        let usual = places(&vars).unwrap().socket("ws-1").unwrap();
        assert_eq!(usual, Path::new("/run/user/1/loopwright/ws-1.sock"));
        for runtime in ["/run/user/1", &long] {
            for state in ["/s", &long] {
                let vars =
                    [("HOME", "/h"), ("XDG_RUNTIME_DIR", runtime), ("XDG_STATE_HOME", state)];
                let all = places(&vars).unwrap().sockets("ws-0123456789abcdef");
                assert!(!all.is_empty() && all.iter().all(|path| fits(path)), "{all:?}");
            }
        }
    }
}
