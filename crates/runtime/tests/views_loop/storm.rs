//! Writers that save at any instant while views are drawn: every edit is taken in or kept, a pause
//! stays a pause, and no reader meets half a file.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use kernel::loops::{Change, Command, PauseHow};
use kernel::machine::At;
use loopwright_runtime::view_file::{Age, REFUSED_KEPT};
use loopwright_runtime::views::{View, Wish};
use serde_json::{Value, json};

use super::world::{World, changes};

/// Edits per writer. Each is drawn over at least once.
const EDITS: u64 = 500;
/// How often a view is drawn while it is read.
const REDRAWS: u64 = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Saves {
    ByRename,
    InPlace,
}

/// Saves one edit over an untouched drawing; answers whether it could.
fn save(path: &Path, text: &str, how: Saves) -> bool {
    let Ok(bytes) = fs::read(path) else { return false };
    let Ok(mut document) = serde_json::from_slice::<Value>(&bytes) else { return false };
    // The other writer's unseen edit is not overwritten: that would be its loss, not ours.
    if !document["ext"]["unseen"].is_null() {
        return false;
    }
    document["skill_state"]["debug"]["active_bug"] = json!(text);
    document["ext"]["unseen"] = json!(true);
    let bytes = serde_json::to_vec(&document).expect("JSON");
    match how {
        Saves::ByRename => {
            let temp = path.with_extension("editor");
            fs::write(&temp, &bytes).expect("written");
            fs::rename(&temp, path).expect("renamed");
        }
        Saves::InPlace => {
            let mut file = fs::File::create(path).expect("opened");
            let (head, tail) = bytes.split_at(bytes.len() / 2);
            file.write_all(head).expect("written");
            std::thread::yield_now();
            file.write_all(tail).expect("written");
        }
    }
    true
}

fn writer(path: &Path, name: &str, how: Saves, turn: &Mutex<()>) -> BTreeSet<String> {
    let mut saved = BTreeSet::new();
    let deadline = Instant::now() + Duration::from_secs(120);
    for n in 0..EDITS {
        let text = format!("{name}{n}.");
        while Instant::now() < deadline {
            let guard = turn.lock().expect("no writer panicked");
            let done = save(path, &text, how);
            drop(guard);
            if done {
                saved.insert(text);
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
    saved
}

/// What the drawing side saw of edits.
#[derive(Default)]
struct Account {
    taken: BTreeSet<String>,
    kept: BTreeSet<String>,
    last: Option<String>,
    /// Refused with so many at once that it is no longer kept.
    pushed_out: usize,
}

impl Account {
    fn look(&mut self, world: &mut World) {
        let seen = world.turn();
        for (_, wish) in &seen.wishes {
            for change in changes(wish) {
                let Change::ActiveBug(Some(text)) = change else { panic!("{change:?}") };
                self.last = Some(text.clone());
                self.taken.insert(text);
            }
        }
        for notice in &seen.notices {
            let kept = world.dir.path().join(notice.kept.as_ref().expect("kept"));
            let Ok(kept) = fs::read(kept) else {
                assert!(seen.notices.len() > REFUSED_KEPT, "only newer ones push one out");
                self.pushed_out += 1;
                continue;
            };
            let kept: Value = serde_json::from_slice(&kept).expect("whole");
            let text = kept["skill_state"]["debug"]["active_bug"].as_str().expect("a text");
            self.kept.insert(text.to_owned());
        }
    }
}

fn storm(how: Saves) {
    let mut world = World::named("external running");
    let (before, before_ms) = (world.json(), world.now.0);
    let path = world.path(View::Json);
    let (turn, done, reads) = (Mutex::new(()), AtomicBool::new(false), AtomicU64::new(0));
    let mut account = Account::default();
    let saved = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while how == Saves::ByRename && !done.load(Ordering::Relaxed) {
                let bytes = fs::read(&path).expect("always there");
                assert!(serde_json::from_slice::<Value>(&bytes).is_ok(), "half a file");
                reads.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_micros(100));
            }
        });
        let writers = ["a", "b"].map(|name| {
            let (path, turn) = (&path, &turn);
            scope.spawn(move || writer(path, name, how, turn))
        });
        let (mut rounds, began) = (0_u64, Instant::now());
        while !writers.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            rounds += 1;
            steer(&mut world, rounds);
            let elapsed_ms = u64::try_from(began.elapsed().as_millis()).expect("short");
            world.views.look_late(Age::Ripe);
            world.views.due(At(before_ms + elapsed_ms));
            world.views.changed_outside(&View::Json.relative(super::world::ID));
            account.look(&mut world);
        }
        done.store(true, Ordering::Relaxed);
        reader.join().expect("no half file");
        writers.map(|writer| writer.join().expect("saved")).concat_sets()
    });
    settle(&mut world, &mut account);
    assert_eq!(saved.len() as u64, 2 * EDITS);
    let lost: Vec<_> = saved
        .iter()
        .filter(|t| !account.taken.contains(*t) && !account.kept.contains(*t))
        .collect();
    assert!(lost.len() <= account.pushed_out, "{how:?}: lost {lost:?}");
    let now = world.json();
    for field in ["loop_id", "title", "description", "max_iterations", "created_at"] {
        assert_eq!(now[field], before[field]);
    }
    let bug = now["skill_state"]["debug"]["active_bug"].as_str().map(str::to_owned);
    assert_eq!(bug, account.last, "what was taken in last is shown");
    world.check_drawn();
}

/// A person pauses and resumes meanwhile; nothing a file says changes that.
fn steer(world: &mut World, rounds: u64) {
    let status = world.state.name();
    match rounds % 40 {
        0 => {
            assert_eq!(status, "running");
            world.person(Command::Pause { how: PauseHow::Finish });
        }
        1..20 if rounds > 40 => assert_eq!(status, "paused"),
        20 if rounds > 40 => {
            assert_eq!(status, "paused");
            world.person(Command::Resume { busy_with: None });
        }
        _ => assert_eq!(status, "running"),
    }
}

/// Lets edits that are still waiting for their writers come to an end.
fn settle(world: &mut World, account: &mut Account) {
    // Later than any moment that was named before.
    let mut now = world.now.plus(1_000_000);
    for _ in 0..100 {
        now = At(now.0 + 200);
        world.views.changed_outside(&View::Json.relative(super::world::ID));
        world.views.look_late(Age::Any);
        world.views.due(now);
        account.look(world);
    }
    // The last ones leave with the next fact.
    if world.state.name() == "running" {
        world.person(Command::Pause { how: PauseHow::Finish });
    } else {
        world.person(Command::Resume { busy_with: None });
    }
    account.look(world);
}

trait ConcatSets {
    fn concat_sets(self) -> BTreeSet<String>;
}

impl ConcatSets for [BTreeSet<String>; 2] {
    fn concat_sets(self) -> BTreeSet<String> {
        self.into_iter().flatten().collect()
    }
}

/// Whoever reads while a view is drawn sees one whole drawing or another, and never none.
#[test]
fn reg_half_file_a_reader_during_ten_thousand_redraws() {
    let mut world = World::named("external running");
    let path = world.path(View::Json);
    let done = AtomicBool::new(false);
    let mut drawings = BTreeSet::new();
    let reads = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0_u64;
            while !done.load(Ordering::Relaxed) {
                let bytes = fs::read(&path).expect("always there");
                assert!(serde_json::from_slice::<Value>(&bytes).is_ok(), "half a file");
                reads += 1;
            }
            reads
        });
        for n in 0..REDRAWS {
            let command = match n % 2 {
                0 => Command::Pause { how: PauseHow::Finish },
                _ => Command::Resume { busy_with: None },
            };
            world.person(command);
            world.draw();
            drawings.insert(world.json()["ext"]["rev"].as_u64());
        }
        done.store(true, Ordering::Relaxed);
        reader.join().expect("no half file")
    });
    assert_eq!(drawings.len() as u64, REDRAWS, "each was drawn");
    assert!(reads > 100, "{reads} reads");
    assert_eq!(world.refused(), Vec::<String>::new(), "a drawing is no edit");
}

#[test]
fn storm_of_renames() {
    storm(Saves::ByRename);
}

#[test]
fn storm_in_place() {
    storm(Saves::InPlace);
}

#[test]
fn an_open_writer_is_waited_for_and_then_set_aside() {
    let mut world = World::named("external running");
    let mut edit = world.json();
    edit["skill_state"]["debug"]["active_bug"] = json!("slow");
    let text = edit.to_string();
    let mut file = fs::File::create(world.path(View::Json)).expect("opened");
    file.write_all(&text.as_bytes()[..100]).expect("written");
    assert_eq!(world.heard(View::Json).notices, []);
    world.check_json_is_whole();
    file.write_all(&text.as_bytes()[100..]).expect("written");
    drop(file);
    world.views.due(world.now);
    assert_eq!(world.turn().wishes, [], "not before its time");
    world.now = world.now.plus(200);
    assert_eq!(world.views.due(world.now), [super::world::ID]);
    let seen = world.turn();
    assert!(matches!(seen.wishes[..], [(_, Wish::Command(_))]), "{seen:?}");
    assert_eq!(world.json()["skill_state"]["debug"]["active_bug"], "slow");

    let mut file = fs::OpenOptions::new().append(true).open(world.path(View::Json)).expect("open");
    file.write_all(b" ").expect("written");
    let mut notices = world.heard(View::Json).notices;
    for _ in 0..120 {
        world.now = world.now.plus(200);
        for _ in world.views.due(world.now) {
            notices.extend(world.turn().notices);
        }
    }
    assert_eq!(notices.len(), 1, "somebody holds it open for ever");
    let kept = world.dir.path().join(notices[0].kept.as_ref().expect("kept"));
    file.write_all(b"late").expect("written");
    assert!(fs::read_to_string(kept).expect("there").ends_with(" late"), "it arrives there");
}

impl World {
    fn check_json_is_whole(&self) {
        assert_eq!(self.json()["loop_id"], super::world::ID);
    }
}
