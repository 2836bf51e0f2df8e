//! Draws views while others read, edit, replace and remove them, and after crashes at each step.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use loopwright_runtime::view_file::{
    Age, BASES_KEPT, Bases, Displaced, Found, Kept, Late, Look, NotYet, REFUSED_KEPT, Swap, Writer,
    draw, draw_with, refuse, sweep,
};

/// In memory where there is such a place: these tests draw tens of thousands of times.
fn place() -> tempfile::TempDir {
    let shm = Path::new("/dev/shm");
    if shm.is_dir() { tempfile::tempdir_in(shm) } else { tempfile::tempdir() }.expect("a directory")
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("readable").map(|e| e.expect("an entry").file_name());
    let mut names: Vec<_> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn edit(found: Found) -> Displaced {
    match found {
        Found::Edit(displaced) => displaced,
        Found::Nothing | Found::LastDrawn(_) => panic!("no edit: {found:?}"),
    }
}

/// What held the bytes last drawn, and still does.
fn last_drawn(found: Found, drawn: &[u8]) {
    match found {
        Found::LastDrawn(displaced) => displaced.taken_in(drawn).expect("not written to"),
        Found::Nothing | Found::Edit(_) => panic!("not what was drawn: {found:?}"),
    }
}

/// A page that shows whether it is whole.
fn page(n: u64) -> Vec<u8> {
    format!("begin {n}\n{}end {n}\n", "line\n".repeat(200 + (n % 300) as usize)).into_bytes()
}

fn is_whole(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).expect("text");
    let number = text.lines().next().and_then(|line| line.strip_prefix("begin "));
    number.is_some_and(|number| text.ends_with(&format!("end {number}\n")))
}

#[test]
fn what_stood_there_decides_what_is_found() {
    for by in [Swap::Exchange, Swap::Rename] {
        let dir = place();
        let path = dir.path().join("view.json");
        let drawn = draw_with(&path, b"one", None, by).expect("drawn");
        assert_eq!((drawn.found, drawn.swap), (Found::Nothing, by));
        assert_eq!(fs::metadata(&path).expect("there").mode() & 0o777, 0o600);
        let drawn = draw_with(&path, b"two", Some(b"one"), by).expect("drawn");
        assert_eq!(drawn.swap, by);
        last_drawn(drawn.found, b"one");

        fs::write(&path, "theirs").expect("edited");
        let displaced = edit(draw_with(&path, b"three", Some(b"two"), by).expect("drawn").found);
        let look = displaced.look().expect("readable");
        assert_eq!(look, Look::Bytes { bytes: b"theirs".to_vec(), writer: Writer::None });
        assert_eq!(fs::read(&path).expect("there"), b"three");
        let NotYet(displaced) = displaced.taken_in(b"other").expect_err("not these bytes");
        displaced.taken_in(b"theirs").expect("taken in");

        fs::remove_file(&path).expect("removed by somebody");
        let drawn = draw_with(&path, b"four", Some(b"three"), by).expect("drawn");
        assert_eq!(drawn.found, Found::Nothing);
        assert_eq!(names(dir.path()), ["view.json"], "{by:?} leaves nothing behind");
    }
}

#[test]
fn a_link_a_directory_or_a_huge_file_in_the_place_is_moved_to_refused() {
    let dir = place();
    let path = dir.path().join("view.md");
    let refused = dir.path().join("refused");
    let canary = dir.path().join("canary");
    fs::write(&canary, "mine").expect("a file");
    let set: [(&str, &dyn Fn()); 3] = [
        ("link", &|| symlink(&canary, &path).expect("a link")),
        ("directory", &|| fs::create_dir(&path).expect("a directory")),
        ("huge", &|| fs::write(&path, vec![b'x'; 5 << 20]).expect("a file")),
    ];
    for (seq, (name, make)) in (1..).zip(set) {
        let _ = fs::remove_file(&path);
        make();
        let displaced = edit(draw(&path, b"drawn", Some(b"drawn")).expect("drawn").found);
        let kept = displaced.refuse(&refused, "loop-1", seq, "view.md").expect("refused");
        assert_eq!(kept, refused.join(format!("loop-1.{seq}.view.md")), "{name}");
        assert_eq!(fs::read(&path).expect("there"), b"drawn");
    }
    assert_eq!(fs::read(&canary).expect("there"), b"mine");
    assert_eq!(names(dir.path()), ["canary", "refused", "view.md"]);
}

#[test]
fn an_editor_that_is_slow_to_write_is_waited_for() {
    let dir = place();
    let path = dir.path().join("view");
    draw(&path, b"one", None).expect("drawn");
    let slow = fs::File::options().write(true).open(&path).expect("opened before the exchange");
    let displaced = edit(draw(&path, b"two", Some(b"one")).expect("drawn").found);
    let look = displaced.look().expect("readable");
    assert_eq!(look, Look::Bytes { bytes: b"one".to_vec(), writer: Writer::Open });
    let NotYet(displaced) = displaced.taken_in(b"one").expect_err("somebody may still write");
    slow.write_all_at(b"late", 0).expect("written");
    drop(slow);
    let look = displaced.look().expect("readable");
    assert_eq!(look, Look::Bytes { bytes: b"late".to_vec(), writer: Writer::None });
    displaced.taken_in(b"late").expect("taken in");

    let slow = fs::File::options().write(true).open(&path).expect("opened");
    let displaced = edit(draw(&path, b"three", Some(b"two")).expect("drawn").found);
    let kept = displaced.refuse(&dir.path().join("refused"), "r", 9, "view").expect("moved");
    slow.write_all_at(b"even later", 0).expect("written");
    assert_eq!(fs::read(kept).expect("there"), b"even later");
}

/// The editor had looked the name up before the exchange and opens what it found after it.
#[test]
fn reg_an_editor_that_opens_late_is_not_lost() {
    let dir = place();
    let path = dir.path().join("view");
    draw(&path, b"one", None).expect("drawn");
    let Found::LastDrawn(displaced) = draw(&path, b"two", Some(b"one")).expect("drawn").found
    else {
        panic!("nobody had it open")
    };
    let looked_up = displaced.path().to_path_buf();
    let mut late = Late::default();
    late.keep("the view", displaced, b"one".to_vec());
    assert!(late.edited(Age::Ripe).is_empty() && looked_up.exists(), "not before its moment");
    fs::write(&looked_up, "an edit").expect("opened late");
    std::thread::sleep(late.wait().expect("one is kept"));
    let [Kept { of: "the view", displaced, drawn }] = &late.edited(Age::Ripe)[..] else {
        panic!("the edit is not seen")
    };
    assert_eq!(drawn, b"one");
    let bytes = b"an edit".to_vec();
    assert_eq!(displaced.look().expect("there"), Look::Bytes { bytes, writer: Writer::None });
    assert_eq!(late.wait(), None);
}

#[test]
fn reg_half_file_a_reader_never_sees_a_part_or_nothing() {
    let dir = place();
    let path = dir.path().join("view");
    draw(&path, &page(0), None).expect("drawn");
    let stop = AtomicBool::new(false);
    let reads = AtomicU64::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                assert!(is_whole(&fs::read(&path).expect("never missing")));
                reads.fetch_add(1, Ordering::Relaxed);
            }
        });
        for n in 1..=10_000 {
            let drawn = draw(&path, &page(n), Some(&page(n - 1))).expect("drawn");
            last_drawn(drawn.found, &page(n - 1));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(reads.into_inner() > 100, "the reader was there");
    assert_eq!(names(dir.path()), ["view"]);
}

fn spin(seed: &mut u64, max: u64) {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let until = Instant::now() + Duration::from_nanos((*seed >> 33) % max);
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}

/// Saves `text` the way an editor of this kind does, with pauses between its steps.
fn save(path: &Path, text: &str, kind: u64, seed: &mut u64) {
    match kind {
        0 => {
            let temp = path.with_extension("editor");
            fs::write(&temp, text).expect("written");
            spin(seed, 40_000);
            fs::rename(&temp, path).expect("renamed over");
        }
        1 => {
            let mut file = fs::File::create(path).expect("truncated");
            spin(seed, 40_000);
            file.write_all(text.as_bytes()).expect("written");
        }
        _ => {
            let file = fs::File::options().write(true).open(path).expect("opened");
            spin(seed, 40_000);
            file.write_all_at(text.as_bytes(), 0).expect("written");
            spin(seed, 40_000);
            file.set_len(text.len() as u64).expect("cut");
        }
    }
}

/// Takes in what can be taken in; the rest stays for the next time.
fn take_in(waiting: &mut Vec<Displaced>, seen: &Mutex<HashSet<Vec<u8>>>) {
    for displaced in std::mem::take(waiting) {
        let Look::Bytes { bytes, writer } = displaced.look().expect("readable") else {
            panic!("neither large nor special")
        };
        if writer == Writer::Open {
            waiting.push(displaced);
            continue;
        }
        match displaced.taken_in(&bytes) {
            Ok(()) => {
                seen.lock().expect("whole").insert(bytes);
            }
            Err(NotYet(displaced)) => waiting.push(displaced),
        }
    }
}

struct OnDrop<'a>(&'a AtomicBool);

impl Drop for OnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn invariant_no_edit_is_lost_whenever_it_is_saved() {
    const EDITS: u64 = 1500;
    let dir = place();
    let path = dir.path().join("view");
    draw(&path, &page(0), None).expect("drawn");
    let seen = Mutex::new(HashSet::new());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Also when an assertion below fails: the drawing must not go on for ever.
            let _end = OnDrop(&done);
            let mut seed = 11;
            for n in 0..EDITS {
                let text = format!("edit {n}");
                save(&path, &text, n % 3, &mut seed);
                let patience = Instant::now() + Duration::from_secs(20);
                while !seen.lock().expect("whole").contains(text.as_bytes()) {
                    assert!(Instant::now() < patience, "{text} (kind {}) is lost", n % 3);
                    std::thread::yield_now();
                }
                spin(&mut seed, 60_000);
            }
        });
        let (mut waiting, mut late) = (Vec::new(), Late::default());
        let mut n = 0;
        while !done.load(Ordering::Relaxed) {
            n += 1;
            let drawn = draw(&path, &page(n), Some(&page(n - 1))).expect("drawn");
            match drawn.found {
                Found::Nothing => {}
                Found::LastDrawn(displaced) => late.keep((), displaced, page(n - 1)),
                Found::Edit(displaced) => waiting.push(displaced),
            }
            let edited = late.edited(Age::Ripe).into_iter();
            waiting.extend(edited.map(|Kept { displaced, .. }| displaced));
            take_in(&mut waiting, &seen);
        }
        assert!(late.edited(Age::Any).is_empty() && waiting.is_empty());
    });
    assert_eq!(names(dir.path()), ["view"]);
}

#[test]
fn sweep_removes_what_is_ours_and_hands_over_what_is_not() {
    let dir = place();
    let at = |name: &str| dir.path().join(name);
    // Make the names a crash would leave by letting an edit stay displaced.
    let path = at("view.json");
    draw(&path, b"one", None).expect("drawn");
    fs::write(&path, "edit").expect("edited");
    let kept = edit(draw(&path, b"two", Some(b"one")).expect("drawn").found).path().to_path_buf();
    let rows: [(&str, &[u8], bool); 4] = [
        ("our new bytes, never swapped in", b"two", true),
        ("what we drew last", b"one", true),
        ("an edit", b"edit", false),
        ("an empty file", b"", false),
    ];
    for (name, bytes, ours) in rows {
        fs::write(&kept, bytes).expect("a crash left this");
        fs::write(at(".lw-view-new-1.0.view.json"), "tw").expect("half written");
        fs::write(at(".lw-call-3"), "of a tool").expect("not a view's");
        let left = sweep(dir.path()).expect("swept");
        let found: Vec<_> = left.iter().map(|l| (l.view.as_str(), l.edit.path())).collect();
        let want = if ours { vec![] } else { vec![("view.json", kept.as_path())] };
        assert_eq!(found, want, "{name}");
        assert_eq!(kept.exists(), !ours, "{name}");
        assert!(!at(".lw-view-new-1.0.view.json").exists() && at(".lw-call-3").exists());
    }
    let left = sweep(dir.path()).expect("swept").remove(0);
    let refused = at("refused");
    let kept: PathBuf = left.edit.refuse(&refused, "run", 4, &left.view).expect("refused");
    assert_eq!(kept, refused.join("run.4.view.json"));
    assert_eq!(names(dir.path()), [".lw-call-3", "refused", "view.json"]);
}

#[test]
fn refused_bytes_are_kept_once_and_the_newest_twenty() {
    let dir = place();
    let refused = dir.path().join("refused");
    let put = |seq, bytes: &[u8]| refuse(&refused, "loop-a.b", seq, "v.json", bytes).expect("kept");
    let first = put(1, b"same");
    assert_eq!(put(2, b"same"), first);
    assert_eq!(put(2, b"x"), refused.join("loop-a.b.2.v.json"));
    assert_eq!(put(2, b"y"), refused.join("loop-a.b.2-2.v.json"));
    refuse(&refused, "loop-a", 1, "v.json", b"another run").expect("kept");
    for seq in 3..40 {
        put(seq, seq.to_string().as_bytes());
    }
    let ours: Vec<_> = names(&refused).into_iter().filter(|n| n.starts_with("loop-a.b.")).collect();
    assert_eq!(ours.len(), REFUSED_KEPT);
    assert!(ours.contains(&"loop-a.b.39.v.json".to_owned()));
    assert!(!ours.contains(&"loop-a.b.19.v.json".to_owned()));
    assert!(refused.join("loop-a.1.v.json").exists());
    assert_eq!(
        put(5, b"out of order"),
        refused.join("loop-a.b.5.v.json"),
        "never the one just kept"
    );
    assert!(refused.join("loop-a.b.5.v.json").exists());
    for bad in ["", "a/b", "../x"] {
        assert!(
            refuse(&refused, bad, 1, "v", b"").is_err()
                && refuse(&refused, "r", 1, bad, b"").is_err()
        );
    }
}

/// What a killed engine left half written among the refused edits is written over by the next.
#[test]
fn reg_half_a_refused_edit_of_a_dead_engine_does_not_stay() {
    let dir = place();
    fs::write(dir.path().join(".new"), "half of a longer edit").expect("left by a crash");
    let kept = refuse(dir.path(), "r", 1, "v", b"whole").expect("kept");
    assert_eq!(fs::read(kept).expect("there"), b"whole");
    assert_eq!(names(dir.path()), ["r.1.v"]);
}

#[test]
fn bases_are_the_last_drawn_revisions_and_a_torn_one_is_none() {
    let dir = place();
    let bases = Bases::of(dir.path(), "loop-1.json");
    let kept = BASES_KEPT as u64;
    for rev in 1..=100 {
        bases.put(rev * 2, format!("drawn {rev}").as_bytes()).expect("kept");
    }
    assert_eq!(bases.base(200).expect("the newest"), b"drawn 100");
    assert_eq!(bases.base((101 - kept) * 2).expect("64 back"), b"drawn 37");
    assert_eq!(bases.base((100 - kept) * 2), None, "65 back");
    assert_eq!(bases.base(199), None, "never drawn");
    fs::write(dir.path().join("bases/loop-1.json/200"), "torn").expect("damaged");
    assert_eq!(bases.base(200), None);
    assert_eq!(Bases::of(dir.path(), "other").base(200), None);
}
