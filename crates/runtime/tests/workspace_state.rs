//! The state directory and trust on a real file system: made whole, known again, refused when it
//! came from elsewhere.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use loopwright_runtime::config::{SandboxMode, loosened_hash};
use loopwright_runtime::workspace::{
    Found, OwnerRule, Places, Refusal, Root, Shown, Trust, WhyForeign, adopt, create, find, give,
    look, loosened, settings, standing,
};

struct House {
    _temp: tempfile::TempDir,
    top: PathBuf,
    places: Places,
}

fn house() -> House {
    let temp = tempfile::tempdir().unwrap();
    let top = fs::canonicalize(temp.path()).unwrap();
    fs::create_dir_all(top.join("home")).unwrap();
    fs::create_dir_all(top.join("work")).unwrap();
    let home = top.join("home");
    let places = Places::of(|name| (name == "HOME").then(|| home.clone().into())).unwrap();
    House { _temp: temp, top, places }
}

impl House {
    fn root(&self, name: &str) -> Root {
        find(Some(Path::new(name)), &self.top, &self.places, OwnerRule::Own).unwrap()
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn it_is_made_whole_private_and_once() {
    let house = house();
    let root = house.root("work");
    assert_eq!(look(&root, &house.places).unwrap(), Found::Absent);
    assert!(names(&root.path).is_empty() && !house.places.state.exists(), "a look makes nothing");
    let dir = create(&root, &house.places).unwrap();
    assert_eq!(create(&root, &house.places).unwrap(), dir, "the second finds the first");
    assert_eq!(names(&root.path), [".loop"]);
    assert_eq!(fs::read_to_string(dir.path.join(".gitignore")).unwrap(), "*\n");
    assert_eq!(fs::metadata(&dir.path).unwrap().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(dir.path.join("owner.json")).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn what_a_killed_maker_left_is_removed_and_one_at_work_is_not() {
    let house = house();
    let root = house.root("work");
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for (name, at) in [("old", Some(hour_ago)), ("young", None)] {
        let dir = root.path.join(format!(".loop.new-{name}"));
        fs::create_dir(&dir).unwrap();
        fs::write(dir.join("owner.json"), "{").unwrap();
        if let Some(at) = at {
            fs::File::open(&dir).unwrap().set_modified(at).unwrap();
        }
    }
    create(&root, &house.places).unwrap();
    assert_eq!(names(&root.path), [".loop", ".loop.new-young"]);
}

#[test]
fn what_came_from_elsewhere_is_foreign() {
    let house = house();
    let root = house.root("work");
    let dir = create(&root, &house.places).unwrap();
    fs::create_dir_all(house.top.join("copy/.loop")).unwrap();
    fs::copy(dir.path.join("owner.json"), house.top.join("copy/.loop/owner.json")).unwrap();
    fs::create_dir_all(house.top.join("bare/.loop")).unwrap();
    fs::create_dir_all(house.top.join("link")).unwrap();
    symlink(&dir.path, house.top.join("link/.loop")).unwrap();
    let table = [
        ("copy", WhyForeign::Mark),
        ("bare", WhyForeign::Unsigned),
        ("link", WhyForeign::NotADirectory),
    ];
    for (name, why) in table {
        let root = house.root(name);
        assert_eq!(look(&root, &house.places).unwrap(), Found::Foreign(why), "{name}");
        let refusal = create(&root, &house.places).unwrap_err();
        assert_eq!(refusal.code().to_string(), "workspace.foreign_state", "{name}");
    }
    fs::rename(house.top.join("work"), house.top.join("moved")).unwrap();
    let moved = look(&house.root("moved"), &house.places).unwrap();
    assert!(matches!(moved, Found::Ours(_)), "a moved workspace stays ours");
    fs::remove_file(house.places.key()).unwrap();
    let keyless = look(&house.root("moved"), &house.places).unwrap();
    assert_eq!(keyless, Found::Foreign(WhyForeign::Mark), "without the key nothing is ours");
}

#[test]
fn adopting_moves_the_foreign_one_aside_and_loses_nothing() {
    let house = house();
    let root = house.root("work");
    fs::create_dir(root.path.join(".loop")).unwrap();
    fs::write(root.path.join(".loop/journal"), "theirs").unwrap();
    let (dir, aside) = adopt(&root, &house.places).unwrap();
    assert_eq!(fs::read_to_string(aside.join("journal")).unwrap(), "theirs");
    assert_eq!(look(&root, &house.places).unwrap(), Found::Ours(dir));
    assert_eq!(adopt(&root, &house.places), Err(Refusal::NotForeign));
}

/// The superuser may write anywhere, so a thread of his own becomes somebody whom permissions
/// bind, and the house is given to that one.
fn bound<T: Send>(house: &House, work: impl FnOnce() -> T + Send) -> T {
    const NOBODY: u32 = 65534;
    let toil = || {
        if rustix::process::geteuid().is_root() {
            for path in [house.top.clone(), house.top.join("home"), house.top.join("work")] {
                chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
            }
            let nobody = rustix::fs::Uid::from_raw(NOBODY);
            rustix::thread::set_thread_res_uid(None, nobody, None).unwrap();
        }
        work()
    };
    std::thread::scope(|scope| scope.spawn(toil).join().unwrap())
}

#[test]
fn a_directory_without_write_permission_is_left_as_it_is() {
    let house = house();
    let (refusal, root) = bound(&house, || {
        let root = house.root("work");
        fs::set_permissions(&root.path, fs::Permissions::from_mode(0o500)).unwrap();
        let refusal = create(&root, &house.places).unwrap_err();
        fs::set_permissions(&root.path, fs::Permissions::from_mode(0o700)).unwrap();
        (refusal, root)
    });
    assert!(matches!(refusal, Refusal::Io { kind: "permission", .. }), "{refusal:?}");
    assert!(names(&root.path).is_empty());
}

fn shown(settings: Option<&[u8]>) -> Shown<'_> {
    Shown { settings, listed: "rules", walls: Some("walls") }
}

#[test]
fn trust_is_bound_to_the_place_and_the_settings() {
    let house = house();
    let root = house.root("work");
    let trust = |root: &Root| standing(root, &house.places).unwrap().trust;
    assert_eq!(trust(&root), Trust::Untrusted);
    let dir = create(&root, &house.places).unwrap();
    assert_eq!(trust(&root), Trust::Untrusted);
    give(&root, &dir, &house.places, shown(None)).unwrap();
    assert_eq!(trust(&root), Trust::Trusted);
    fs::write(root.path.join("loopwright.toml"), "a = 1\n").unwrap();
    assert_eq!(trust(&root), Trust::Changed, "settings came");
    give(&root, &dir, &house.places, shown(Some(b"a = 1\n"))).unwrap();
    let now = standing(&root, &house.places).unwrap();
    assert_eq!((now.trust, now.settings.as_deref()), (Trust::Trusted, Some(b"a = 1\n".as_slice())));
    assert_eq!((now.listed.as_deref(), now.walls.as_deref()), (Some("rules"), Some("walls")));
    fs::rename(house.top.join("work"), house.top.join("moved")).unwrap();
    let moved = house.root("moved");
    assert_eq!(trust(&moved), Trust::Changed, "another place");
    let file = house.places.trust_dir().join(format!("{}.json", dir.workspace_id));
    let forged = fs::read_to_string(&file).unwrap().replace("/work", "/moved");
    fs::write(&file, forged).unwrap();
    assert_eq!(trust(&moved), Trust::Untrusted, "a forged answer is no answer");
}

#[test]
fn walls_are_loosened_by_exactly_what_was_shown() {
    let house = house();
    let root = house.root("work");
    let dir = create(&root, &house.places).unwrap();
    let own: &[u8] = b"[sandbox]\nmode = \"prefer\"\nread = [\"/srv\"]\n";
    fs::write(root.path.join("loopwright.toml"), own).unwrap();
    let user = house.places.user_settings();
    fs::create_dir_all(user.parent().unwrap()).unwrap();
    let held = || {
        let sandbox = settings(Some(&root), &house.places, &[]).unwrap().settings.sandbox;
        (sandbox.mode, sandbox.read)
    };
    let loosens = || loosened_hash(&loosened(Some(own), &house.places).unwrap());
    let trust = |walls: Option<&str>| {
        let shown = Shown { settings: Some(own), listed: "", walls };
        give(&root, &dir, &house.places, shown).unwrap();
    };
    trust(None);
    assert_eq!(held(), (SandboxMode::Prefer, vec![]), "trusted before it was listed");
    trust(loosens().as_deref());
    assert_eq!(held(), (SandboxMode::Prefer, vec!["/srv".to_owned()]));
    fs::write(&user, "sandbox.mode = \"require\"\n").unwrap();
    assert_eq!(held(), (SandboxMode::Require, vec![]), "it would loosen more than was shown");
    trust(loosens().as_deref());
    assert_eq!(held(), (SandboxMode::Prefer, vec!["/srv".to_owned()]));
    let file = house.places.trust_dir().join(format!("{}.json", dir.workspace_id));
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("rules_sha256\":\"\"", "rules_sha256\":\"x\"")).unwrap();
    assert_eq!(held(), (SandboxMode::Require, vec![]), "a forged answer is no answer");
}
