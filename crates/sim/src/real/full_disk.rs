//! A work tree on a disk of its own that is really full. It needs a mount: as root, or in a user
//! namespace of one's own. The engine stops in a named state or says what failed; with room again
//! the loop goes on and nothing ran twice.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::broken::{Broken, ensure};
use super::faults;
use super::house::{House, Tenant};
use super::script;

/// Small enough to fill at once, large enough for a journal.
const DISK: &str = "size=4m";
/// Nothing is kept free: the engine is to meet the end of the disk itself.
const NO_FLOOR: &str = "[run]\ndisk_floor = 0\n";
/// How long a loop on a full disk is watched before there is room again.
const WATCH: Duration = Duration::from_secs(3);

/// A mounted disk; it is unmounted with this.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path) -> Result<Self, Broken> {
        let ran = Command::new("mount")
            .args(["-t", "tmpfs", "-o", DISK, "tmpfs"])
            .arg(at)
            .output()
            .map_err(|why| super::house::needs("mount", &why))?;
        ensure(ran.status.success(), || {
            format!("no disk of its own: {}", String::from_utf8_lossy(&ran.stderr))
        })?;
        Ok(Self(at.to_owned()))
    }

    /// Fills it to the last byte but `free`.
    fn fill(&self, free: usize) -> Result<PathBuf, Broken> {
        let path = self.0.join("ballast");
        let mut file = fs::File::create(&path)?;
        let block = [0_u8; 4096];
        while file.write_all(&block).is_ok() {}
        let len = file.metadata()?.len();
        file.set_len(len.saturating_sub(free as u64))?;
        Ok(path)
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily: a process may still be looking at it.
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// Runs the scripted loop on a disk that has only so much room, then makes room.
///
/// # Errors
/// What does not hold.
pub fn with_room_for(exe: &Path, free: usize) -> Result<(), Broken> {
    lived(exe, free).map_err(|why| why.at(format!("{free} bytes free")))
}

fn lived(exe: &Path, free: usize) -> Result<(), Broken> {
    let settings = &format!("{}\n{NO_FLOOR}", script::settings());
    let house = House::new(exe, settings, Tenant::Us)?;
    let disk = Disk::mount(&house.work)?;
    fs::write(house.work.join("loopwright.toml"), settings)?;
    script::prepare(&house)?;
    let id = script::create(&house)?;
    let ballast = disk.fill(free)?;
    let started = house.run(&["loop", "start", &id, "--auto", "--detach", "--json"])?;
    faults::told(&started)?;
    // However far it comes: told, or cut off while it waits.
    house.run_within(&["loop", "watch", &id], WATCH)?;
    fs::remove_file(ballast)?;
    house.run(&["engine", "stop"])?;
    let ended = faults::go_on(&house, &id, started.code == 0)?;
    println!("{free} bytes free: {} {ended:?}", started.code);
    house.empty()
}
