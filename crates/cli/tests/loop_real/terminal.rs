//! The same with a person at a terminal: the block, the menu, a yes, Ctrl-C. A pseudo-terminal
//! stands for it.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::Signal;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::kit::{House, signal, until};

/// A program at a terminal, and everything it has written there.
struct Seat {
    child: Child,
    keys: File,
    screen: Arc<Mutex<String>>,
    read: usize,
}

impl Seat {
    fn take(house: &House, args: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let open =
            || -> OwnedFd { File::options().read(true).write(true).open(&name).unwrap().into() };
        let mut command = house.command(args);
        command.stdin(Stdio::from(open())).stdout(open()).stderr(open());
        let child = command.spawn().unwrap();
        drop(command);
        let keys = File::from(master.try_clone().unwrap());
        let screen = Arc::new(Mutex::new(String::new()));
        let (shared, mut out) = (Arc::clone(&screen), File::from(master));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut bytes) {
                shared.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Self { child, keys, screen, read: 0 }
    }

    /// Waits for a text that was not there at the last look.
    fn sees(&mut self, text: &str) {
        until(text, || {
            let screen = self.screen.lock().unwrap();
            let found = screen[self.read..].find(text).map(|at| self.read + at + text.len());
            self.read = found.unwrap_or(self.read);
            found.is_some()
        });
    }

    fn types(&mut self, line: &str) {
        self.keys.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn leaves(&mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn a_person_chooses_allows_and_completes() {
    let house = House::new();
    let args = ["loop", "run", "x", "--interactive", "--task", "sleep 0.4", "--task"];
    let mut seat = Seat::take(&house, &[&args[..], &["echo 1 > proof"]].concat());
    seat.sees("What next?");
    seat.types("1");
    seat.sees("> develop / work");
    seat.sees("What next?");
    seat.types("nonsense");
    seat.sees("refused[loop.unknown_option]");
    seat.sees("What next?");
    seat.types("status");
    seat.sees("Develop: 1/2 (50%)");
    seat.sees("What next?");
    seat.types("develop");
    seat.sees("Allow it? [y/N]");
    assert!(!house.has("proof"));
    seat.types("y");
    seat.sees("What next?");
    seat.types("3");
    seat.sees("What next?");
    seat.types("complete");
    seat.sees("Validated by its checks.");
    assert_eq!(seat.leaves(), 0);
    assert!(house.has("proof"));
}

#[test]
fn an_answer_given_elsewhere_is_seen() {
    let house = House::new();
    let mut seat = Seat::take(&house, &["loop", "run", "x", "--task", "touch proof"]);
    seat.sees("What next?");
    let id = house.data(&["loop", "list"])["loops"][0]["loop_id"].as_str().unwrap().to_owned();
    house.data(&["loop", "mode", &id, "auto"]);
    seat.sees("Validated by its checks.");
    assert_eq!(seat.leaves(), 0);
}

#[test]
fn the_block_goes_away_and_a_no_is_heard() {
    let house = House::new();
    let id = house.create(&["sh gate.sh one", "echo 1 > proof"]);
    let mut seat = Seat::take(&house, &["loop", "start", &id, "--auto"]);
    seat.sees("> develop / work");
    signal(i32::try_from(seat.child.id()).unwrap(), Signal::INT);
    seat.sees("\u{1b}[J");
    seat.sees("Detached; the loop goes on.");
    assert_eq!(seat.leaves(), 130);
    let mut seat = Seat::take(&house, &["watch", &id]);
    house.write("go", "");
    seat.sees("Allow it? [y/N]");
    seat.types("");
    seat.sees("E_POLICY_DENIED");
    assert_eq!(seat.leaves(), 6);
    assert!(!house.has("proof"));
}
