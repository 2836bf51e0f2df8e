//! A program at a terminal, which a pseudo-terminal stands for: what it shows, what is typed.
//! Asserts nothing.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::kit::{House, until};

/// A program at a terminal, and everything it has written there.
pub struct Seat {
    pub child: Child,
    keys: File,
    screen: Arc<Mutex<String>>,
    read: usize,
}

impl Seat {
    pub fn take(house: &House, args: &[&str]) -> Self {
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
    pub fn sees(&mut self, text: &str) {
        until(text, || {
            let screen = self.screen.lock().unwrap();
            let found = screen[self.read..].find(text).map(|at| self.read + at + text.len());
            self.read = found.unwrap_or(self.read);
            found.is_some()
        });
    }

    pub fn types(&mut self, line: &str) {
        self.keys.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    pub fn leaves(&mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }
}
