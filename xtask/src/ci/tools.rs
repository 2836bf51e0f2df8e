//! The programs that the steps need, and how to come by those that are missing: Debian packages
//! when we may install, else their names and a stop. Nothing is skipped in silence.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

/// Programs from Debian packages: program, package, what for.
const PACKAGES: [(&str, &str, &str); 3] = [
    ("git", "git", "work trees in tests, and the list of files"),
    ("strace", "strace", "killing the program at each durable system call"),
    ("tmux", "tmux", "driving the terminal views"),
];

/// Has everything ready that the steps need.
pub fn set_up(root: &Path) -> Result<()> {
    let missing: Vec<_> = PACKAGES.iter().filter(|(program, ..)| !there(program)).collect();
    if !missing.is_empty() {
        for (program, package, why) in &missing {
            println!("missing: {program} (Debian package {package}): {why}");
        }
        let packages: Vec<_> = missing.iter().map(|(_, package, _)| *package).collect();
        install(&packages)?;
    }
    if !there("cargo-deny") {
        println!("missing: cargo-deny; installing it");
        let mut cargo = Command::new("cargo");
        cargo.args(["install", "cargo-deny", "--locked"]).current_dir(root);
        ensure!(cargo.status().context("cargo install")?.success(), "cargo-deny did not install");
    }
    Ok(())
}

fn install(packages: &[&str]) -> Result<()> {
    if !rustix::process::geteuid().is_root() || !there("apt-get") {
        bail!("install these first: {}", packages.join(" "));
    }
    let apt = |args: &[&str]| {
        Command::new("apt-get")
            .env("DEBIAN_FRONTEND", "noninteractive")
            .args(args)
            .status()
            .is_ok_and(|status| status.success())
    };
    // Lists may be stale or absent; a failing update is told by the install that follows.
    apt(&["update", "-q"]);
    let wanted = [&["install", "-y", "-q", "--no-install-recommends"], packages].concat();
    ensure!(apt(&wanted), "apt-get could not install {}", packages.join(" "));
    Ok(())
}

/// Whether a program is on the path.
fn there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(there("sh"));
        assert!(!there("no-such-program-anywhere"));
    }
}
