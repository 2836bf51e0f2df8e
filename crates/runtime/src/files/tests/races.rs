//! A directory that turns into a link to outside and back, all the time, while the tools read.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kernel::paths::Rel;
use rustix::fs::{CWD, RenameFlags};
use serde_json::json;

use super::ground::{CANARY, GroundIn};

/// Long enough for tens of thousands of swaps; the proof `races` does the same to writes.
const SPAN: Duration = Duration::from_millis(600);
/// Fewer swaps would prove nothing.
const SWAPS_MIN: usize = 50;

#[test]
fn invariant_beneath_under_swaps() {
    let ground = GroundIn::with(&[("dir/secret.txt", "inside"), ("keep.txt", "inside")]);
    ground.link(&ground.outside, "evil");
    let done = AtomicBool::new(false);
    let (dir, evil) = (ground.root.join("dir"), ground.root.join("evil"));
    std::thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            let mut swaps = 0;
            while !done.load(Ordering::Relaxed) {
                let flags = RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(CWD, &dir, CWD, &evil, flags).unwrap();
                swaps += 1;
            }
            swaps
        });
        let end = Instant::now() + SPAN;
        let (mut inside, mut refused) = (0, 0);
        while Instant::now() < end {
            match ground.read(&json!({ "path": "dir/secret.txt" })) {
                Ok(payload) => {
                    assert_eq!(payload.text.as_deref(), Some("inside"));
                    inside += 1;
                }
                Err(_) => refused += 1,
            }
            if let Ok(parent) = ground.held.open_parent(&Rel::file("dir/new.txt").unwrap()) {
                let facts = rustix::fs::fstat(parent.dir()).unwrap();
                let outside = fs::metadata(&ground.outside).unwrap();
                use std::os::unix::fs::MetadataExt as _;
                assert_ne!(facts.st_ino, outside.ino(), "a place outside was opened for writing");
            }
            let found = ground.search(&json!({ "query": CANARY })).unwrap();
            assert!(found.hits.is_empty(), "{found:?}");
            let listed = ground.list(&json!({ "path": "dir", "depth": 2 }));
            let shown = format!("{listed:?}");
            assert!(!shown.contains("outside-only"), "{shown}");
        }
        done.store(true, Ordering::Relaxed);
        let swaps = swapper.join().unwrap();
        assert!(swaps >= SWAPS_MIN && inside + refused > 0, "{swaps} {inside} {refused}");
    });
    assert_eq!(fs::read_to_string(ground.outside.join("secret.txt")).unwrap(), CANARY);
}

#[test]
fn a_link_swapped_in_for_a_file_is_not_followed_outside() {
    let ground = GroundIn::with(&[("file.txt", "inside")]);
    ground.link(ground.outside.join("secret.txt"), "evil.txt");
    let done = AtomicBool::new(false);
    let (file, evil) = (ground.root.join("file.txt"), ground.root.join("evil.txt"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let flags = RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(CWD, &file, CWD, &evil, flags).unwrap();
            }
        });
        let end = Instant::now() + SPAN / 2;
        while Instant::now() < end {
            if let Ok(payload) = ground.read(&json!({ "path": "file.txt" })) {
                assert_eq!(payload.text.as_deref(), Some("inside"));
            }
            let found = ground.search(&json!({ "query": "canary" })).unwrap();
            assert!(found.hits.is_empty(), "{found:?}");
        }
        done.store(true, Ordering::Relaxed);
    });
}
