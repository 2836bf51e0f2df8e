//! Looks at real directories: what belongs to a tree, what a second look costs, what it misses
//! (nothing), and marks kept on disk.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use loopwright_runtime::tree::{self, Cache, Hash, Kind, Mark, Why, store};

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("below the root")).expect("directories");
    fs::write(path, text).expect("a file");
}

fn look(root: &Path) -> Mark {
    tree::take(root, &mut Cache::default()).expect("a mark")
}

fn paths(mark: &Mark) -> Vec<String> {
    mark.entries.iter().map(|e| String::from_utf8_lossy(&e.path).into_owned()).collect()
}

fn outside(mark: &Mark) -> Vec<(String, Why)> {
    let name = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
    mark.not_covered.iter().map(|n| (name(&n.path), n.why)).collect()
}

fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(root)
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Stamps as old as a file nobody touched lately, so that nothing is racy.
fn age(root: &Path) {
    for entry in fs::read_dir(root).expect("readable") {
        let path = entry.expect("an entry").path();
        let meta = fs::symlink_metadata(&path).expect("stat");
        if meta.is_dir() {
            age(&path);
        } else if meta.is_file() {
            let old = SystemTime::now() - Duration::from_secs(100);
            fs::File::options()
                .write(true)
                .open(&path)
                .and_then(|f| f.set_modified(old))
                .expect("aged");
        }
    }
}

/// A tree with something of every kind in it.
fn mixed() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    write(root, ".gitignore", "*.log\n/build/\nkept/*\n!kept/this\n");
    write(root, "sub/.gitignore", "!loud.log\nlocal\n");
    for path in [
        "a.txt",
        ".hidden",
        "x.log",
        "sub/loud.log",
        "sub/quiet.txt",
        "sub/local",
        "local",
        "build/out.o",
        "build/forced.txt",
        "kept/this",
        "kept/that",
        ".loop/journal.db",
        ".env",
        ".env.example",
        "deep/.ssh/key",
        "deep/server.PEM",
        "inner/.git/HEAD",
        "inner/file",
    ] {
        write(root, path, path);
    }
    fs::create_dir(root.join("empty")).expect("a directory");
    symlink("a.txt", root.join("link")).expect("a link");
    symlink("/", root.join("out")).expect("a link");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.join("pipe"),
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .expect("a fifo");
    git(root, &["init", "-q"]);
    fs::write(root.join(".git/info/exclude"), "excluded\n").expect("exclude");
    write(root, "excluded", "x");
    git(root, &["add", "-f", "a.txt", "build/forced.txt"]);
    dir
}

#[test]
fn scope_follows_git_and_names_what_is_left_out() {
    let dir = mixed();
    let mark = look(dir.path());
    assert_eq!(
        paths(&mark),
        [
            ".env.example",
            ".gitignore",
            ".hidden",
            "a.txt",
            "build/forced.txt",
            "kept/this",
            "link",
            "local",
            "out",
            "sub/.gitignore",
            "sub/loud.log",
            "sub/quiet.txt",
        ]
    );
    let want = [
        (".env", Why::Secret),
        ("deep/.ssh", Why::Secret),
        ("deep/server.PEM", Why::Secret),
        ("empty", Why::EmptyDirectory),
        ("excluded", Why::Ignored),
        ("inner", Why::NestedRepository),
        ("kept/that", Why::Ignored),
        ("pipe", Why::Special),
        ("sub/local", Why::Ignored),
        ("x.log", Why::Ignored),
    ];
    assert_eq!(outside(&mark), want.map(|(path, why)| (path.to_owned(), why)));
    let link = mark.get(b"link").expect("covered");
    assert_eq!((link.kind, link.sha256), (Kind::Link, Hash::of(b"a.txt")));
}

#[test]
fn secrets_are_left_out_however_they_are_spelled() {
    let dir = tempfile::tempdir().expect("a directory");
    let spelled = [".ENV", ".env.", ".e\u{200c}nv", "\u{ff0e}env", "env~1", "ID_RSA", "a.key:x"];
    for name in spelled.iter().chain(&["sub/.\u{17f}sh/known", "sub/Server.P12 ", "monkey.rs"]) {
        write(dir.path(), name, "canary");
    }
    let mark = look(dir.path());
    // A full-width dot is another letter, to us as to every file system.
    assert_eq!(paths(&mark), ["monkey.rs", "\u{ff0e}env"]);
    assert!(outside(&mark).iter().all(|(_, why)| *why == Why::Secret), "{:?}", outside(&mark));
}

#[test]
fn tracked_but_ignored_is_found_in_every_index_version_and_from_below_the_top() {
    for version in ["2", "3", "4"] {
        let dir = tempfile::tempdir().expect("a directory");
        let top = dir.path();
        write(top, ".gitignore", "out/\n*.tmp\n");
        for path in ["app/out/a/one.txt", "app/out/a/two.txt", "app/out/loose", "app/x.tmp"] {
            write(top, path, path);
        }
        write(top, "app/new", "n");
        git(top, &["init", "-q"]);
        git(top, &["add", "-f", "app/out/a", ".gitignore"]);
        git(top, &["update-index", "--index-version", version]);
        if version == "3" {
            git(top, &["add", "-N", "app/new"]);
        }
        assert_eq!(
            paths(&look(top)),
            [".gitignore", "app/new", "app/out/a/one.txt", "app/out/a/two.txt"],
            "index version {version}"
        );
        let below = paths(&look(&top.join("app")));
        assert_eq!(below, ["new", "out/a/one.txt", "out/a/two.txt"], "index version {version}");
    }
}

#[test]
fn a_linked_work_tree_finds_its_own_index_and_a_submodule_stays_out() {
    let dir = tempfile::tempdir().expect("a directory");
    let main = dir.path().join("main");
    write(&main, ".gitignore", "*.gen\n");
    write(&main, "code.gen", "tracked");
    git(&main, &["init", "-q"]);
    git(&main, &["add", "-f", "."]);
    git(&main, &["commit", "-qm", "one"]);
    git(&main, &["worktree", "add", "-q", "../other"]);
    let other = dir.path().join("other");
    assert_eq!(paths(&look(&other)), [".gitignore", "code.gen"]);
    git(&main, &["update-index", "--add", "--cacheinfo", &format!("160000,{:040},module", 1)]);
    write(&main, "module/file", "x");
    assert!(outside(&look(&main)).contains(&("module".to_owned(), Why::Submodule)));
}

#[test]
fn names_that_are_not_text_and_names_in_byte_order() {
    let dir = tempfile::tempdir().expect("a directory");
    let raw = OsStr::from_bytes(b"\xff\xfe\n name");
    fs::write(dir.path().join(raw), "x").expect("a file");
    for path in ["a/b", "a-b", "a.b", "aa"] {
        write(dir.path(), path, "");
    }
    let mark = look(dir.path());
    let want: [&[u8]; 5] = [b"a-b", b"a.b", b"a/b", b"aa", b"\xff\xfe\n name"];
    assert_eq!(mark.entries.iter().map(|e| e.path.as_slice()).collect::<Vec<_>>(), want);
    assert_eq!(Mark::from_bytes(&mark.to_bytes()).expect("reads back").entries, mark.entries);
}

#[test]
fn invariant_a_cached_look_equals_a_fresh_one() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    (0..40).for_each(|n| write(root, &format!("d{}/f{n}", n % 5), &n.to_string()));
    let mut cache = Cache::default();
    let mut seed = 7u64;
    for round in 0..200 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let n = (seed >> 33) % 40;
        let path = format!("d{}/f{n}", n % 5);
        match (seed >> 60) % 4 {
            // Same length, and often the same tick as the look before.
            0 | 1 => write(root, &path, &format!("{:04}", round % 10_000)),
            2 => {
                write(root, "swap", "swap");
                fs::rename(root.join("swap"), root.join(&path)).expect("renamed over");
            }
            _ => {
                let mode = if round % 2 == 0 { 0o755 } else { 0o644 };
                let permissions = fs::Permissions::from_mode(mode);
                fs::set_permissions(root.join(&path), permissions).expect("mode");
            }
        }
        let cached = tree::take(root, &mut cache).expect("a mark");
        assert_eq!(cached, look(root), "round {round}");
    }
}

#[test]
fn an_unchanged_file_is_not_read_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path();
    write(root, "f", "one");
    age(root);
    std::thread::sleep(Duration::from_millis(50));
    let mut cache = Cache::default();
    let before = tree::take(root, &mut cache).expect("a mark");
    let reads = || {
        let io = fs::read_to_string("/proc/thread-self/io").expect("proc");
        let line = io.lines().find_map(|line| line.strip_prefix("rchar: ")).expect("a counter");
        line.parse::<u64>().expect("a number")
    };
    fs::write(root.join("f"), "x".repeat(1_000_000)).expect("a file");
    let start = reads();
    tree::take(root, &mut cache).expect("a mark");
    assert!(reads() - start >= 1_000_000, "a changed file is read");
    std::thread::sleep(Duration::from_millis(50));
    tree::take(root, &mut cache).expect("a mark");
    let start = reads();
    let after = tree::take(root, &mut cache).expect("a mark");
    assert!(reads() - start < 100_000, "an unchanged one is not");
    assert_eq!(Mark::diff(&before, &after).len(), 1);
}

#[test]
fn large_files_are_stamped_and_named() {
    let dir = tempfile::tempdir().expect("a directory");
    let file = fs::File::create(dir.path().join("large")).expect("a file");
    file.set_len(64 * 1024 * 1024 + 1).expect("sparse");
    let before = look(dir.path());
    assert_eq!(before.get(b"large").expect("listed").kind, Kind::Stamped);
    assert_eq!(outside(&before), [("large".to_owned(), Why::TooLarge)]);
    file.set_len(64 * 1024 * 1024 + 2).expect("sparse");
    assert_eq!(Mark::diff(&before, &look(dir.path())).len(), 1);
}

#[test]
fn a_file_written_to_all_the_time_is_named_and_not_fatal() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("busy");
    fs::write(&path, vec![0; 30_000_000]).expect("a file");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            use std::os::unix::fs::FileExt;
            let file = fs::File::options().write(true).open(&path).expect("opened");
            let mut at = 0u64;
            while !stop.load(Ordering::Relaxed) {
                at += 1;
                file.write_all_at(&at.to_le_bytes(), at % 1000).expect("written");
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        let mark = look(dir.path());
        stop.store(true, Ordering::Relaxed);
        assert_eq!(outside(&mark), [("busy".to_owned(), Why::ChangedWhileRead)]);
        assert!(mark.get(b"busy").is_some());
    });
}

#[test]
fn invariant_no_swapped_directory_leads_out() {
    let dir = tempfile::tempdir().expect("a directory");
    let root = dir.path().join("root");
    let away = dir.path().join("away");
    write(&root, "d/inside", "x");
    write(&away, "canary", "x");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                fs::rename(root.join("d"), dir.path().join("parked")).expect("moved out");
                symlink(&away, root.join("d")).expect("a link");
                fs::remove_file(root.join("d")).expect("removed");
                fs::rename(dir.path().join("parked"), root.join("d")).expect("moved back");
            }
        });
        for _ in 0..2000 {
            assert!(!paths(&look(&root)).iter().any(|path| path.contains("canary")));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn depth_is_bounded_and_a_missing_root_is_an_error() {
    let dir = tempfile::tempdir().expect("a directory");
    let deep: Vec<String> = (0..=tree::DEPTH_MAX).map(|_| "d".to_owned()).collect();
    write(dir.path(), &format!("{}/f", deep.join("/")), "x");
    let mark = look(dir.path());
    assert_eq!(outside(&mark), [(deep.join("/"), Why::TooDeep)]);
    assert!(tree::take(&dir.path().join("none"), &mut Cache::default()).is_err());
}

#[test]
fn kept_marks_are_found_by_digest_and_prove_themselves() {
    let dir = tempfile::tempdir().expect("a directory");
    let marks = dir.path().join("cache/marks");
    write(dir.path(), "work/a", "1");
    let mark = look(&dir.path().join("work"));
    store::save(&marks, &mark).expect("saved");
    store::save(&marks, &mark).expect("saved again is nothing");
    let names: Vec<_> =
        fs::read_dir(&marks).expect("there").map(|e| e.expect("e").file_name()).collect();
    assert_eq!(names, [OsStr::new(&mark.digest.to_string())]);
    let back = store::load(&marks, mark.digest).expect("read").expect("kept");
    assert_eq!((&back.entries, back.digest), (&mark.entries, mark.digest));
    assert!(store::load(&marks, Hash::of(b"other")).expect("read").is_none());

    let file = marks.join(mark.digest.to_string());
    let mut bytes = fs::read(&file).expect("there");
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    fs::write(&file, bytes).expect("damaged");
    assert!(matches!(store::load(&marks, mark.digest), Err(store::Error::Damaged(_))));

    fs::write(marks.join(".new-1-x"), "left by a crash").expect("a temp");
    store::sweep(&marks).expect("swept");
    assert!(!marks.join(".new-1-x").exists() && file.exists());
    store::sweep(&marks.join("none")).expect("nothing to sweep");
    fs::write(marks.join(".new-1-x"), "left by a crash").expect("a temp");
    assert_eq!(store::prune(&marks, &BTreeSet::from([mark.digest])).expect("pruned"), 1);
    assert_eq!(store::prune(&marks, &BTreeSet::new()).expect("pruned"), 1);
}
