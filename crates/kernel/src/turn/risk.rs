//! How dangerous a subject is, from what it touches. A planner's own figure can only raise it.

use super::answer::Detected;
use super::bounds::MEDIUM_FILES_MAX;
use super::line;
use super::models::Permission;
use super::plan::Risk;
use super::subject::Reach;

/// The risk of everything that is touched.
#[must_use]
pub fn of(reach: &Reach, detected: &[Detected]) -> Risk {
    let one = |permission: &Permission| match permission {
        Permission::FsRead => Risk::Low,
        Permission::FsWrite | Permission::ProcExec => Risk::Medium,
        Permission::FsDelete | Permission::NetConnect | Permission::GitWrite => Risk::High,
    };
    let needed = reach.permissions.iter().map(one).max().unwrap_or_default();
    let known = |argv: &alloc::vec::Vec<alloc::string::String>| {
        detected.iter().any(|check| line::split(&check.command).as_ref() == Ok(argv))
    };
    let foreign = reach.argv.iter().any(|argv| !known(argv));
    let many = reach.paths.len() > MEDIUM_FILES_MAX;
    if foreign || many || !reach.once_only.is_empty() || !reach.risks.is_empty() {
        return Risk::High;
    }
    needed
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::plan::VerifyMode;
    use super::*;

    #[test]
    fn risk_is_the_strictest_of_what_is_touched() {
        let check = Detected { mode: VerifyMode::Test, command: "cargo test".to_string() };
        let argv = |line: &str| line.split(' ').map(ToString::to_string).collect::<Vec<_>>();
        let with = |permissions: &[Permission], change: fn(&mut Reach)| {
            let mut reach = Reach { permissions: permissions.to_vec(), ..Reach::default() };
            change(&mut reach);
            reach
        };
        use Permission::{FsDelete, FsRead, FsWrite, GitWrite, NetConnect, ProcExec};
        let table = [
            (with(&[FsRead], |_| {}), Risk::Low),
            (with(&[FsRead, FsWrite], |_| {}), Risk::Medium),
            (with(&[FsDelete], |_| {}), Risk::High),
            (with(&[NetConnect], |_| {}), Risk::High),
            (with(&[GitWrite], |_| {}), Risk::High),
            (Reach { argv: vec![argv("cargo test")], ..with(&[ProcExec], |_| {}) }, Risk::Medium),
            (Reach { argv: vec![argv("make it")], ..with(&[ProcExec], |_| {}) }, Risk::High),
            (with(&[FsWrite], |r| r.once_only.push("sensitive".to_string())), Risk::High),
            (with(&[FsWrite], |r| r.paths = vec!["x".to_string(); 20]), Risk::Medium),
            (with(&[FsWrite], |r| r.paths = vec!["x".to_string(); 21]), Risk::High),
        ];
        for (reach, risk) in table {
            assert_eq!(of(&reach, core::slice::from_ref(&check)), risk, "{reach:?}");
        }
    }
}
