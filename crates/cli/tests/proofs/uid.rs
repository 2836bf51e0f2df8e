//! Permissions, as a user whom they bind.

use sim::real::uid;

use crate::exe;

#[test]
fn an_unwritable_root_is_refused_and_unchanged() {
    uid::unwritable_root(exe()).unwrap();
}

#[test]
fn a_root_of_somebody_else_is_refused() {
    uid::foreign_root(exe()).unwrap();
}

#[test]
fn what_cannot_be_read_stops_no_loop() {
    uid::unreadable_file(exe()).unwrap();
}

#[test]
fn a_journal_that_cannot_be_written_is_told_and_still_read() {
    uid::unwritable_journal(exe()).unwrap();
}
