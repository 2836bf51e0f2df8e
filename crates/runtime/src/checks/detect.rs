//! Finds the checks a tree asks for by the files in it. Files are read; nothing is run to find out.

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::check::{Check, EVERYTHING, Level, Parser, Source, TIMEOUT_MS, id_of};
use super::scripts;
use crate::tree::Hash;

/// Build files are small; a larger one is not read.
const BUILD_FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The checks of `root` and of `dirs` below it (`.` is the root itself), in order.
pub fn detect<S: AsRef<str>>(root: &Path, dirs: &[S]) -> Vec<Check> {
    let mut checks: Vec<Check> = Vec::new();
    for dir in dirs.iter().filter_map(|dir| Place::below(root, dir.as_ref())) {
        for check in dir.checks() {
            if !checks.iter().any(|known| known.id == check.id) {
                checks.push(check);
            }
        }
    }
    checks
}

/// One directory that may hold build files.
pub(super) struct Place {
    path: PathBuf,
    cwd: String,
}

impl Place {
    /// `None` for a directory that is not there or not below the root.
    pub(super) fn below(root: &Path, dir: &str) -> Option<Self> {
        let plain = |part: &Component<'_>| matches!(part, Component::Normal(_));
        let parts: Vec<_> =
            Path::new(dir).components().filter(|part| *part != Component::CurDir).collect();
        if !parts.iter().all(plain) {
            return None;
        }
        let path = root.join(parts.iter().collect::<PathBuf>());
        let real = path.canonicalize().ok()?;
        if !real.is_dir() || !real.starts_with(root.canonicalize().ok()?) {
            return None;
        }
        let names: Vec<_> = parts.iter().map(|part| part.as_os_str().to_string_lossy()).collect();
        let cwd = if names.is_empty() { ".".to_owned() } else { names.join("/") };
        Some(Self { path, cwd })
    }

    pub(super) fn has(&self, name: &str) -> bool {
        std::fs::symlink_metadata(self.path.join(name)).is_ok_and(|meta| meta.is_file())
    }

    pub(super) fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let file = self.has(name).then(|| File::open(self.path.join(name)).ok())??;
        let mut bytes = Vec::new();
        file.take(BUILD_FILE_BYTES_MAX + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= BUILD_FILE_BYTES_MAX).then_some(bytes)
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        Some(String::from_utf8_lossy(&self.bytes(name)?).into_owned())
    }

    /// What stands for the file's content in a definition.
    pub(super) fn hash(&self, name: &str) -> Option<String> {
        Some(Hash::of(&self.bytes(name)?).to_string())
    }

    /// The same of a file of the tree that a command names from here, wherever in it that lies.
    pub(super) fn own(&self, root: &Path, named: &str) -> Option<String> {
        let (dir, name) = self.inside(root, named)?;
        dir.hash(&name)
    }

    /// A directory of the tree that a command names from here.
    pub(super) fn inner(&self, root: &Path, named: &str) -> Option<Self> {
        let (root, path) = (root.canonicalize().ok()?, self.path.join(named).canonicalize().ok()?);
        let below = path.strip_prefix(&root).ok()?.to_str()?;
        Self::below(&root, below)
    }

    fn inside(&self, root: &Path, named: &str) -> Option<(Self, String)> {
        let path = self.path.join(named).canonicalize().ok()?;
        let dir = self.inner(root, path.parent()?.to_str()?)?;
        Some((dir, path.file_name()?.to_str()?.to_owned()))
    }

    pub(super) fn check(&self, command: &str, level: Level, parser: Parser) -> Check {
        let argv: Vec<String> = command.split(' ').map(str::to_owned).collect();
        Check {
            id: id_of(&argv, &self.cwd),
            argv,
            cwd: self.cwd.clone(),
            level,
            required: true,
            timeout_ms: TIMEOUT_MS,
            covers: vec![EVERYTHING.to_owned()],
            parser,
            source: Source::Detected,
            definition_hash: None,
        }
    }

    fn checks(&self) -> Vec<Check> {
        let mut checks = self.dart();
        if self.has("Cargo.toml") {
            let build = "cargo check --workspace --all-targets";
            checks.push(self.check(build, Level::Build, Parser::Auto));
            checks.push(self.check("cargo test --workspace", Level::Test, Parser::Cargo));
        }
        checks.extend(scripts::package(self));
        checks.extend(self.pytest());
        if self.has("go.mod") {
            checks.push(self.check("go vet ./...", Level::Static, Parser::Auto));
            checks.push(self.check("go test ./...", Level::Test, Parser::Go));
        }
        checks.extend(self.java());
        if checks.is_empty() {
            checks.extend(scripts::recipes(self));
        }
        checks
    }

    fn dart(&self) -> Vec<Check> {
        let Some(text) = self.text("pubspec.yaml") else { return Vec::new() };
        let flutter = text.lines().any(|line| {
            let line = line.split('#').next().unwrap_or("").trim();
            line.strip_prefix("sdk:")
                .is_some_and(|sdk| sdk.trim().trim_matches(['"', '\'']) == "flutter")
        });
        let (tool, parser) =
            if flutter { ("flutter", Parser::Flutter) } else { ("dart", Parser::Dart) };
        vec![
            self.check(&format!("{tool} analyze"), Level::Static, Parser::Auto),
            self.check(&format!("{tool} test"), Level::Test, parser),
        ]
    }

    fn pytest(&self) -> Option<Check> {
        let section = |file, start: &str| {
            let text = self.text(file).unwrap_or_default();
            text.lines().any(|line| line.trim_start().starts_with(start))
        };
        let found = ["pytest.ini", "conftest.py", "tox.ini"].iter().any(|name| self.has(name))
            || section("pyproject.toml", "[tool.pytest")
            || section("setup.cfg", "[tool:pytest]");
        let behind = match (self.has("uv.lock"), self.has("poetry.lock")) {
            (true, _) => "uv run ",
            (false, true) => "poetry run ",
            (false, false) => "",
        };
        let command = format!("{behind}python -m pytest --maxfail=3 -q");
        found.then(|| self.check(&command, Level::Test, Parser::Pytest))
    }

    fn java(&self) -> Vec<Check> {
        let tool = |wrapper: &str, plain: &str, rest: &str| {
            let name = if self.has(wrapper) { format!("./{wrapper}") } else { plain.to_owned() };
            let mut check = self.check(&format!("{name} {rest}"), Level::Test, Parser::Auto);
            check.definition_hash = self.hash(wrapper);
            check
        };
        let mut checks = Vec::new();
        if self.has("pom.xml") {
            checks.push(tool("mvnw", "mvn", "-B test"));
        }
        if self.has("build.gradle") || self.has("build.gradle.kts") {
            checks.push(tool("gradlew", "gradle", "test"));
        }
        checks
    }
}
