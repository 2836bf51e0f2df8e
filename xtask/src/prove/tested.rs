//! A proof whose cases are a test that is told by its environment what to do.

use std::process::{Command, Stdio};

use crate::root::root;

/// One test.
pub struct Tested {
    /// The package it is in.
    pub package: &'static str,
    /// Its target.
    pub target: &'static str,
    /// Its whole name.
    pub name: &'static str,
}

impl Tested {
    /// Runs it with these variables.
    pub fn run(&self, vars: &[(&str, String)]) -> Result<(), String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let ran = Command::new(cargo)
            .args(["test", "--quiet", "--locked", "--package", self.package])
            .args(["--test", self.target, "--", "--include-ignored", "--exact", self.name])
            .envs(vars.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .current_dir(root())
            .output();
        let ran = ran.map_err(|why| format!("cargo: {why}"))?;
        let said = String::from_utf8_lossy(&ran.stdout);
        // A test that was renamed would run nothing and pass.
        match ran.status.success() && said.contains("1 passed") {
            true => Ok(()),
            false => Err(format!("{said}{}", String::from_utf8_lossy(&ran.stderr))),
        }
    }
}
