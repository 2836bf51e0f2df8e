//! Coverage counts only where this run wrote it.

use std::path::PathBuf;

use loopwright_runtime::checks::lcov;

#[test]
fn lcov_counts_files_of_this_run_only() {
    let dir = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    };
    let start = std::time::SystemTime::now() - std::time::Duration::from_secs(5);
    let summed = write(
        "a",
        "SF:x\nLF:8\nLH:5\nend_of_record\nSF:y\nDA:1,0\nDA:2,3\nDA:3,1,hash\nend_of_record\n",
    );
    let other = write("b", "SF:z\r\nDA:1,1\r\nLF:1\r\nLH:1\r\nend_of_record\r\n");
    let old = write("old", "LF:1\nLH:0\nend_of_record\n");
    let aged = start - std::time::Duration::from_secs(1);
    std::fs::File::options()
        .write(true)
        .open(&old)
        .and_then(|f| f.set_modified(aged))
        .expect("aged");
    let percent = |paths: &[PathBuf]| {
        let got = lcov(paths, start);
        got.coverage_available.then_some(got.coverage)
    };
    assert_eq!(percent(&[summed.clone(), other]), Some(66.6));
    assert_eq!(percent(std::slice::from_ref(&summed)), Some(63.6));
    assert_eq!(percent(&[old]), None);
    assert_eq!(percent(&[dir.path().join("missing")]), None);
    assert_eq!(percent(&[write("empty", "TN:\n")]), None);
    assert_eq!(percent(&[write("nonsense", "LF:1\nLH:2\nend_of_record\n")]), None);
}
