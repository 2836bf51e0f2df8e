//! Every spelling of a mark.

use super::super::{Legend, Odd, Status, read_mark, status_word};

#[test]
fn marks() {
    let plain = |status| (status, None);
    let table = [
        (" ", plain(Status::Pending)),
        ("", plain(Status::Pending)),
        ("√", plain(Status::Done)),
        ("?", plain(Status::Blocked)),
        ("-", plain(Status::Skipped)),
        ("x", (Status::Done, Some(Odd::Foreign))),
        ("✓", (Status::Done, Some(Odd::Foreign))),
        ("✅", plain(Status::Done)),
        ("⏳", plain(Status::Pending)),
        ("⏭️", plain(Status::Skipped)),
        ("⏭", plain(Status::Skipped)),
        ("RETRY", plain(Status::Pending)),
        ("🔁 RETRY", plain(Status::Pending)),
        ("in_progress", plain(Status::InProgress)),
        ("completed", plain(Status::Done)),
        (" DONE ", plain(Status::Done)),
        ("✅ PENDING", (Status::Pending, Some(Odd::Disagree))),
        ("~", (Status::Pending, Some(Odd::Unknown))),
        ("✅ soon", (Status::Pending, Some(Odd::Unknown))),
        ("DONE!", (Status::Pending, Some(Odd::Unknown))),
    ];
    for (text, expected) in table {
        for legend in [Legend::Ours, Legend::None] {
            let mark = read_mark(text, legend);
            assert_eq!((mark.status, mark.odd), expected, "{text}");
        }
    }
    assert_eq!(read_mark("X", Legend::Ours).status, Status::Failed);
    assert_eq!(read_mark("X", Legend::None).odd, Some(Odd::Cross));
    for status in Status::ALL {
        for text in [status.mark(), status.word(), status.said()] {
            assert_eq!(
                (read_mark(text, Legend::None).status, status_word(text)),
                (status, Some(status))
            );
        }
    }
    for word in ["finished", "", "done!"] {
        assert_eq!(status_word(word), (word.is_empty()).then_some(Status::Pending), "{word}");
    }
    assert_eq!(status_word("[√]"), Some(Status::Done));
    assert_eq!(status_word("[X]"), Some(Status::Failed));
}
