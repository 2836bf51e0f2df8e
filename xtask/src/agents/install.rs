//! Gets the CLIs from npm into `target/agents`, once. It runs none of them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use super::cli::Cli;

/// Which version is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The one that the expectations were measured with.
    Pinned,
    /// The newest.
    Latest,
}

/// An installed CLI.
#[derive(Clone, Debug)]
pub struct Installed {
    pub bin: PathBuf,
    pub version: String,
}

/// Has a CLI installed below `top`; what is there already is used.
pub fn install(cli: Cli, version: Version, top: &Path) -> Result<Installed> {
    for program in ["node", "npm"] {
        ensure!(
            Command::new(program).arg("--version").output().is_ok(),
            "{program} is missing: install Node.js 20 or newer with npm (Debian: nodejs npm)"
        );
    }
    let (package, pinned) = cli.package();
    let wanted = match version {
        Version::Pinned => pinned.to_owned(),
        Version::Latest => newest(package)?,
    };
    let dir = top.join(cli.name());
    let found = || {
        let installed = Installed {
            bin: dir.join("node_modules/.bin").join(cli.name()),
            version: installed(&dir, package)?,
        };
        (installed.version == wanted && installed.bin.exists()).then_some(installed)
    };
    if let Some(installed) = found() {
        return Ok(installed);
    }
    println!("installing {package}@{wanted}");
    std::fs::create_dir_all(&dir)?;
    let mut npm = Command::new("npm");
    npm.arg("install").arg("--prefix").arg(&dir);
    npm.args(["--no-audit", "--no-fund", "--loglevel=error"]).arg(format!("{package}@{wanted}"));
    ensure!(npm.status().context("npm install")?.success(), "npm could not install {package}");
    found().with_context(|| format!("{package}@{wanted} is not where npm should have put it"))
}

/// The version that is there; none without one.
fn installed(dir: &Path, package: &str) -> Option<String> {
    let file = dir.join("node_modules").join(package).join("package.json");
    let manifest: Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

fn newest(package: &str) -> Result<String> {
    let told = Command::new("npm").args(["view", package, "version"]).output()?;
    let version = String::from_utf8_lossy(&told.stdout).trim().to_owned();
    if version.is_empty() {
        bail!("npm does not know {package}: {}", String::from_utf8_lossy(&told.stderr).trim());
    }
    Ok(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_there_has_a_version() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(installed(dir.path(), "@a/b"), None);
        let package = dir.path().join("node_modules/@a/b");
        std::fs::create_dir_all(&package).unwrap();
        for (text, expected) in [("{", None), (r#"{"version":"1.2.3"}"#, Some("1.2.3"))] {
            std::fs::write(package.join("package.json"), text).unwrap();
            assert_eq!(installed(dir.path(), "@a/b").as_deref(), expected);
        }
    }
}
