//! One repository with everything a user can have in it, made once by real git and then copied:
//! staged and stashed work, ignored files of which one is tracked, links, modes, line ends, a
//! submodule, a nested repository and a sparse path.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

static MADE: OnceLock<Result<tempfile::TempDir, String>> = OnceLock::new();

/// Where it is.
pub(super) fn template() -> Result<PathBuf, String> {
    let made = MADE.get_or_init(|| {
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        make(dir.path()).map_err(|error| error.to_string())?;
        Ok(dir)
    });
    made.as_ref().map(|dir| dir.path().to_path_buf()).map_err(Clone::clone)
}

/// Runs the user's git.
pub(super) fn git(root: &Path, args: &[&str]) -> std::io::Result<()> {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=u", "-c", "user.email=u@u", "-c", "init.defaultBranch=main"]);
    command.args(args).current_dir(root).env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").stdin(Stdio::null());
    let said = command.output()?;
    if said.status.success() {
        return Ok(());
    }
    Err(std::io::Error::other(format!("git {args:?}: {}", String::from_utf8_lossy(&said.stderr))))
}

fn make(root: &Path) -> std::io::Result<()> {
    git(root, &["init", "-q", "--template="])?;
    let put = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(path, text)
    };
    put(".gitignore", "build/\n*.log\n")?;
    put(".gitattributes", "*.txt text eol=lf\n")?;
    put("a.txt", "one\ntwo\n")?;
    put("crlf.txt", "one\r\ntwo\r\n")?;
    put("dir/b.rs", "fn b() {}\n")?;
    put("dir/deep/c", "c\n")?;
    put("z/sparse", "sparse\n")?;
    put("x.sh", "#!/bin/sh\n")?;
    fs::set_permissions(root.join("x.sh"), fs::Permissions::from_mode(0o755))?;
    symlink("a.txt", root.join("link"))?;
    put("build/tracked.o", "tracked though ignored\n")?;
    git(root, &["add", "-A"])?;
    git(root, &["add", "-f", "build/tracked.o"])?;
    git(root, &["commit", "-qm", "one"])?;
    put("a.txt", "stashed\n")?;
    git(root, &["stash", "-q"])?;
    put("dir/b.rs", "fn staged() {}\n")?;
    git(root, &["add", "dir/b.rs"])?;
    put("dir/b.rs", "fn unstaged() {}\n")?;
    git(root, &["update-index", "--skip-worktree", "z/sparse"])?;
    fs::remove_file(root.join("z/sparse"))?;
    let link = "160000,0123456789012345678901234567890123456789,sub";
    git(root, &["update-index", "--add", "--cacheinfo", link])?;
    put("sub/inside", "of the submodule\n")?;
    put("nested/file", "of the nested repository\n")?;
    git(&root.join("nested"), &["init", "-q", "--template="])?;
    put("build/out.o", "ignored\n")?;
    put("run.log", "ignored too\n")?;
    put("notes.md", "untracked\n")?;
    put(".env", "SECRET=1\n")
}

/// Copies a tree with its links, modes and names.
pub(super) fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&path, &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&path)?, &target)?;
        } else if kind.is_file() {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}
