//! Who waits for news of a run. They are told when it is drawn, or when what they know is old
//! already; what is new they read themselves.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use kernel::machine::At;

/// The waiting, by run.
#[derive(Debug, Default)]
pub(super) struct News {
    waiting: BTreeMap<String, Vec<(At, Sender<()>)>>,
}

impl News {
    /// Takes in one who waits no longer than `until`. Those who have given up meanwhile go.
    pub(super) fn wait(&mut self, run: String, until: At, now: At, reply: Sender<()>) {
        let waiting = self.waiting.entry(run).or_default();
        waiting.retain(|(until, _)| *until > now);
        waiting.push((until, reply));
    }

    /// Tells all who wait for this run.
    pub(super) fn tell(&mut self, run: &str) {
        for (_, reply) in self.waiting.remove(run).unwrap_or_default() {
            // One that has given up has no use for the news.
            let _ = reply.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn who_waits_is_told_once_and_who_gave_up_is_forgotten() {
        let mut news = News::default();
        let (early, heard_early) = channel();
        let (late, heard_late) = channel();
        news.wait("a".into(), At(10), At(0), early);
        news.wait("a".into(), At(30), At(20), late);
        news.tell("b");
        assert!(heard_late.try_recv().is_err());
        news.tell("a");
        assert!(heard_early.try_recv().is_err());
        assert_eq!((heard_late.try_recv().is_ok(), heard_late.try_recv().is_ok()), (true, false));
    }
}
