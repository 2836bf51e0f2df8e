//! One live stream's way out: objects as lines of the protocol, without secrets, and a sign of life
//! now and then. What is told is not its business.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use runtime::redact::Redactor;
use runtime::trace;
use serde_json::Value;
use tokio::sync::mpsc::Sender;

use super::shop::Shop;

/// Between two looks at the journal.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// So often a quiet stream shows that it is alive.
const BEAT_EVERY: Duration = Duration::from_secs(15);

/// Where a stream's bytes go.
pub(super) type Out = Sender<Result<Bytes, Infallible>>;

/// Nobody reads any more, or the server ends.
pub(super) struct Left;

/// The way out.
pub(super) struct Wire<'a> {
    shop: &'a Shop,
    out: &'a Out,
    pub(super) redactor: Redactor,
    sent: Instant,
}

impl<'a> Wire<'a> {
    pub(super) fn new(shop: &'a Shop, out: &'a Out, redactor: Redactor) -> Self {
        Self { shop, out, redactor, sent: Instant::now() }
    }

    pub(super) fn send(&mut self, text: String) -> Result<(), Left> {
        self.sent = Instant::now();
        self.out.blocking_send(Ok(text.into())).map_err(|_| Left)
    }

    /// From when a client sees this, it misses nothing.
    pub(super) fn connected(&mut self) -> Result<(), Left> {
        self.send(": connected\n\n".to_owned())
    }

    pub(super) fn object(&mut self, object: &Value, id: Option<u64>) -> Result<(), Left> {
        let clean = trace::redacted(object, &self.redactor);
        let id = id.map(|pos| format!("id: {pos}\n")).unwrap_or_default();
        self.send(format!("{id}data: {clean}\n\n"))
    }

    /// Waits a little, unless there is nobody to wait for.
    pub(super) fn rest(&mut self) -> Result<(), Left> {
        if self.out.is_closed() || self.shop.over.load(Ordering::SeqCst) {
            return Err(Left);
        }
        if self.sent.elapsed() >= BEAT_EVERY {
            self.send(": \n\n".to_owned())?;
        }
        std::thread::sleep(LOOK_EVERY);
        Ok(())
    }
}
