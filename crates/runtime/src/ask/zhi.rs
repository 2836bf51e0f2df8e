//! The host's end of the port: what is open goes in, what was heard comes out. Every call returns
//! at once; the work is done on the port's own thread.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::request::ZhiPlan;
use super::worker::{Heard, Swept, Task, Worker};
use crate::query::OpenQuestion;
use crate::shim::watch::{Report, Watcher};

/// The port to a person's own window.
#[derive(Debug)]
pub struct Zhi {
    tasks: Sender<Task>,
    live: Arc<AtomicUsize>,
    /// What was last said to be open; nothing before the first word.
    open: Option<Vec<OpenQuestion>>,
}

impl Zhi {
    /// Starts the port's thread. `tell` runs on it and must not block.
    ///
    /// # Errors
    /// When the system gives no thread or no event descriptor.
    pub fn start(plan: ZhiPlan, tell: impl Fn(Heard) + Send + 'static) -> io::Result<Self> {
        let (tasks, inbox) = channel();
        let looks = tasks.clone();
        let watcher = Watcher::start(move |report| {
            match report {
                // What it answered is read when it is recorded.
                Report::Quiet(_) => {}
                Report::Ended(ticket) | Report::StartLate(ticket) => {
                    // A port that is gone has nobody to tell.
                    drop(looks.send(Task::Look(ticket)));
                }
            }
        })?;
        let live = Arc::new(AtomicUsize::new(0));
        let worker = Worker {
            plan,
            watcher,
            tell: Box::new(tell),
            live: Arc::clone(&live),
            asked: BTreeMap::new(),
            swept: Swept::No,
        };
        std::thread::Builder::new().name("zhi".into()).spawn(move || worker.run(&inbox))?;
        Ok(Self { tasks, live, open: None })
    }

    /// Says which questions are open now, all of them. What is new is asked, or found again if an
    /// earlier engine asked it; what is not among them any more is stopped.
    pub fn reconcile(&mut self, open: &[OpenQuestion]) {
        if self.open.as_deref() == Some(open) {
            return;
        }
        self.open = Some(open.to_vec());
        self.send(Task::Open(open.to_vec()));
    }

    /// The machine took the answer. Should the question stay open, it is not asked here again.
    pub fn taken(&self, question: &str) {
        self.send(Task::Taken(question.to_owned()));
    }

    /// The machine refused the answer, so the person is asked again, as after a comment.
    pub fn refused(&self, question: &str) {
        self.send(Task::Refused(question.to_owned()));
    }

    /// How many people are being asked: an engine that left now would not hear their answers until
    /// the next one starts.
    #[must_use]
    pub fn live(&self) -> usize {
        self.live.load(Ordering::SeqCst)
    }

    fn send(&self, task: Task) {
        // The thread ends only with this handle.
        drop(self.tasks.send(task));
    }
}

impl Drop for Zhi {
    fn drop(&mut self) {
        self.send(Task::Leave);
    }
}
