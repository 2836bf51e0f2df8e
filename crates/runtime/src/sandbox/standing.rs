//! The places that calls of this machine may use whatever they are: the system, its toolchains,
//! what a person adds, and of the home directory nothing else. Listed one by one, because nothing
//! can be taken out of a place once it is granted: a directory that also holds a credential is
//! granted by its parts. What a single call adds is not here.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::plan::May;

/// Looks a variable of ours up.
pub type Var<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A place and what may be done with it.
pub type Place = (PathBuf, May);

/// The list, drawn once: variables and settings of an engine do not change while it lives. Whether
/// a place is there is asked for each call.
#[derive(Debug, Clone)]
pub struct Standing {
    home: Option<PathBuf>,
    places: Vec<Place>,
    services: Vec<PathBuf>,
}

/// What any program of the system may read.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix",
    "/gnu",
    "/snap",
    "/home/linuxbrew",
    "/var/lib",
    "/var/cache",
    "/run/systemd/resolve",
    "/run/resolvconf",
    "/run/nscd",
    "/run/current-system",
    "/proc",
    "/sys",
];
/// Variables that name certificates, which the whole system may keep anywhere.
const CERTIFICATES: &[&str] = &["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];
/// Devices that every program expects. Nothing else of `/dev` is there.
const DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Where services listen that act for whoever connects: they start containers and machines, hold
/// keys, type and look for a person. No build needs them; whoever does lets the place be written.
const SERVICES: &[&str] = &[
    "/run/containerd",
    "/run/crio",
    "/run/dbus",
    "/run/docker.sock",
    "/run/incus",
    "/run/libvirt",
    "/run/podman",
    "/run/snapd.socket",
    "/run/systemd/private",
    "/tmp/.X11-unix",
    "/var/lib/incus/unix.socket",
    "/var/lib/lxd/unix.socket",
    "/var/snap/lxd/common/lxd/unix.socket",
];
/// Variables that name such a place.
const SERVICE_VARS: &[&str] = &["SSH_AUTH_SOCK", "DOCKER_HOST"];
/// The variable that names a user's own such directory. It is not hidden whole: agents speak to us
/// by a socket there.
const USER_SERVICES_VAR: &str = "XDG_RUNTIME_DIR";
const USER_SERVICES: &[&str] = &[
    "buildkit",
    "bus",
    "containerd",
    "containerd-rootless",
    "docker.sock",
    "gcr",
    "gnupg",
    "keyring",
    "openssh_agent",
    "podman",
    "ssh-agent.socket",
    "systemd",
    "wayland-0",
    "wayland-1",
];

/// A toolchain: the variable that names its home, where that is otherwise, and its parts.
struct Toolchain {
    var: &'static str,
    below_home: &'static str,
    parts: &'static [(&'static str, May)],
}

const WHOLE: &str = "";
const TOOLCHAINS: &[Toolchain] = &[
    // Not whole: it also holds the credentials of registries.
    Toolchain {
        var: "CARGO_HOME",
        below_home: ".cargo",
        parts: &[
            ("bin", May::Read),
            ("env", May::Read),
            ("config", May::Read),
            ("config.toml", May::Read),
            ("registry", May::Write),
            ("git", May::Write),
            (".package-cache", May::Write),
            (".package-cache-mutate", May::Write),
            (".global-cache", May::Write),
        ],
    },
    Toolchain { var: "RUSTUP_HOME", below_home: ".rustup", parts: &[(WHOLE, May::Read)] },
    Toolchain {
        var: "GOPATH",
        below_home: "go",
        parts: &[("bin", May::Read), ("src", May::Read), ("pkg", May::Write)],
    },
    Toolchain { var: "GOCACHE", below_home: ".cache/go-build", parts: &[(WHOLE, May::Write)] },
    Toolchain { var: "JAVA_HOME", below_home: ".sdkman", parts: &[(WHOLE, May::Read)] },
    Toolchain { var: "ANDROID_HOME", below_home: "Android/Sdk", parts: &[(WHOLE, May::Read)] },
    Toolchain {
        var: "FLUTTER_ROOT",
        below_home: "flutter",
        parts: &[(WHOLE, May::Read), ("bin/cache", May::Write)],
    },
    Toolchain { var: "PUB_CACHE", below_home: ".pub-cache", parts: &[(WHOLE, May::Write)] },
    Toolchain { var: "NVM_DIR", below_home: ".nvm", parts: &[(WHOLE, May::Read)] },
    Toolchain { var: "PYENV_ROOT", below_home: ".pyenv", parts: &[(WHOLE, May::Read)] },
    Toolchain { var: "VIRTUAL_ENV", below_home: ".virtualenvs", parts: &[(WHOLE, May::Read)] },
];

/// Programs and settings below the home directory that no variable names.
const HOME_READ: &[&str] = &[
    ".gitconfig",
    ".gitignore",
    ".gitignore_global",
    ".gitattributes",
    ".config/git/config",
    ".config/git/ignore",
    ".config/git/attributes",
    ".config/go",
    ".local/bin",
    ".local/lib",
    ".local/share/claude",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pipx",
    ".local/share/uv",
    ".asdf",
    ".bun",
    ".cabal/bin",
    ".deno",
    ".dotnet",
    ".elan",
    ".ghcup",
    ".gradle/init.d",
    ".node-version",
    ".opam",
    ".python-version",
    ".rbenv",
    ".tool-versions",
    ".volta",
    ".cache/Cypress",
    ".cache/ms-playwright",
    ".cache/puppeteer",
];
/// Caches below the home directory that ordinary builds fill.
const HOME_CACHES: &[&str] = &[
    ".npm",
    ".yarn",
    ".bun/install/cache",
    ".local/share/pnpm",
    ".local/share/virtualenvs",
    ".cache/bazel",
    ".cache/ccache",
    ".cache/composer",
    ".cache/coursier",
    ".cache/deno",
    ".cache/golangci-lint",
    ".cache/mypy",
    ".cache/node",
    ".cache/node-gyp",
    ".cache/pip",
    ".cache/pnpm",
    ".cache/pre-commit",
    ".cache/pypoetry",
    ".cache/sccache",
    ".cache/uv",
    ".cache/yarn",
    ".cache/zig",
    ".ccache",
    ".gradle/caches",
    ".gradle/daemon",
    ".gradle/native",
    ".gradle/wrapper",
    ".ivy2/cache",
    ".m2/repository",
    ".m2/wrapper",
    ".nuget/packages",
];

impl Standing {
    /// The list by our variables, and by what a person lets be read and written beyond it.
    #[must_use]
    pub fn new(var: Var<'_>, read: &[String], write: &[String]) -> Self {
        let home = var("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let near = home.as_deref();
        let mut all: Vec<Place> = Vec::new();
        all.extend(SYSTEM.iter().map(|path| (PathBuf::from(path), May::Read)));
        all.extend(DEVICES.iter().map(|path| (PathBuf::from(path), May::Use)));
        all.extend(toolchains(var, near));
        if let Some(home) = near {
            all.extend(HOME_READ.iter().map(|name| (home.join(name), May::Read)));
            all.extend(HOME_CACHES.iter().map(|name| (home.join(name), May::Write)));
        }
        all.extend(on_path(var, near).map(|path| (path, May::Read)));
        all.extend(asked(read, near).map(|path| (path, May::Read)));
        all.extend(asked(write, near).map(|path| (path, May::Write)));
        all.extend(CERTIFICATES.iter().filter_map(|name| Some((var(name)?.into(), May::Read))));
        all.retain(|(path, _)| path.is_absolute());
        all.sort();
        all.dedup();
        let places = all.iter().filter(|place| !is_covered(place, &all)).cloned().collect();
        let services = services(var, &asked(write, near).collect::<Vec<_>>());
        Self { home, places, services }
    }

    /// Services that listen now, and that nobody let calls reach.
    pub(super) fn services(&self) -> impl Iterator<Item = &Path> {
        self.services.iter().map(PathBuf::as_path).filter(|path| path.exists())
    }

    /// Those that are there now.
    pub(super) fn present(&self) -> impl Iterator<Item = Place> {
        self.places.iter().filter(|(path, _)| path.exists()).cloned()
    }

    /// Whether a place is no wider than what may be granted unasked.
    pub(super) fn is_narrow(&self, path: &Path) -> bool {
        narrow(path, self.home.as_deref())
    }
}

/// Whether a place lies in another that may be used for as much: it would only cost each call a
/// rule of its own. One that is a link out of it does not.
fn is_covered((path, may): &Place, all: &[Place]) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let mut above = real.ancestors().skip(usize::from(&real == path));
    above.any(|above| all.iter().any(|(other, most)| other == above && most >= may))
}

fn toolchains(var: Var<'_>, home: Option<&Path>) -> Vec<(PathBuf, May)> {
    let of = |chain: &Toolchain| {
        let named = var(chain.var).map(PathBuf::from).filter(|path| path.is_absolute());
        let named = named.filter(|path| narrow(path, home));
        named.or_else(|| Some(home?.join(chain.below_home)))
    };
    let parts = |chain: &Toolchain| {
        let base = of(chain);
        let of_base = move |base: PathBuf| {
            chain.parts.iter().map(move |(part, may)| (base.join(part), *may)).collect::<Vec<_>>()
        };
        base.map(of_base).unwrap_or_default()
    };
    TOOLCHAINS.iter().flat_map(parts).collect()
}

/// Where programs are looked for, and the libraries that stand beside them.
fn on_path(var: Var<'_>, home: Option<&Path>) -> impl Iterator<Item = PathBuf> {
    let path = var("PATH").unwrap_or_default();
    let entries: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|entry| entry.is_absolute())
        .flat_map(|entry| {
            let beside = entry.ends_with("bin").then(|| Some(entry.parent()?.join("lib")));
            [Some(entry), beside.flatten()]
        })
        .flatten()
        .filter(|entry| narrow(entry, home))
        .collect();
    entries.into_iter()
}

/// A place that does not contain the home directory, nor is a temporary directory of everybody's.
fn narrow(path: &Path, home: Option<&Path>) -> bool {
    let wide = ["/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/home", "/root"];
    let wide = wide.iter().any(|place| path == Path::new(place));
    !wide && !home.is_some_and(|home| home.starts_with(path))
}

/// Where services listen, but what a person lets be written, or a part of it. An outer place stands
/// for those within.
fn services(var: Var<'_>, writable: &[PathBuf]) -> Vec<PathBuf> {
    let named = SERVICE_VARS.iter().filter_map(|name| {
        let place = var(name)?.into_string().ok()?;
        Some(PathBuf::from(place.strip_prefix("unix://").unwrap_or(&place)))
    });
    let users = var(USER_SERVICES_VAR).map(PathBuf::from).into_iter();
    let users = users.flat_map(|dir| USER_SERVICES.iter().map(move |name| dir.join(name)));
    let mut all: Vec<PathBuf> =
        SERVICES.iter().map(PathBuf::from).chain(named).chain(users).collect();
    let let_through = |path: &PathBuf| {
        writable.iter().any(|place| place.starts_with(path) || path.starts_with(place))
    };
    all.retain(|path| path.is_absolute() && !let_through(path));
    all.sort();
    all.dedup_by(|inner, outer| inner.starts_with(outer));
    all
}

/// What a person lists: absolute, or below the home directory by `~/`.
fn asked<'a>(
    listed: &'a [String],
    home: Option<&'a Path>,
) -> impl Iterator<Item = PathBuf> + use<'a> {
    listed.iter().filter_map(move |path| match path.strip_prefix("~/") {
        Some(below) => Some(home?.join(below)),
        None => Some(PathBuf::from(path)).filter(|path| path.is_absolute()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(write: &[&str]) -> Standing {
        let var = |name: &str| match name {
            "HOME" => Some("/home/a".into()),
            "PATH" => Some("/usr/bin:/home/a/own".into()),
            "SSH_AUTH_SOCK" => Some("/tmp/ssh-1/agent.1".into()),
            "DOCKER_HOST" => Some("unix:///run/docker.sock/inner".into()),
            "XDG_RUNTIME_DIR" => Some("/run/user/1".into()),
            _ => None,
        };
        Standing::new(&var, &[], &write.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn what_lies_in_a_place_that_may_be_used_as_much_is_not_listed() {
        let places = standing(&[]).places;
        let has = |path: &str| places.iter().any(|(place, _)| place == Path::new(path));
        assert!(has("/usr") && !has("/usr/bin"), "{places:?}");
        // One that is not there may turn out to be anything.
        assert!(has("/home/a/own"), "{places:?}");
    }

    #[test]
    fn services_are_hidden_but_for_those_a_person_lets_through() {
        let table: [(&[&str], &[&str], &[&str]); 3] = [
            (&[], &["/run/docker.sock", "/tmp/ssh-1/agent.1", "/run/user/1/bus"], &["/run/user/1"]),
            (&["/run/docker.sock"], &["/run/dbus"], &["/run/docker.sock"]),
            (&["/run"], &["/tmp/.X11-unix"], &["/run/dbus", "/run/user/1/bus"]),
        ];
        for (write, hidden, shown) in table {
            let services = standing(write).services;
            let has = |path: &str| services.iter().any(|place| place == Path::new(path));
            assert!(hidden.iter().all(|path| has(path)), "{write:?} {services:?}");
            assert!(!shown.iter().any(|path| has(path)), "{write:?} {services:?}");
            assert!(!has("/run/docker.sock/inner"), "the outer place stands for it");
        }
    }
}
