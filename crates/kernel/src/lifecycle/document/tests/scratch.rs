//! Two hands on one scratchpad: nothing that either wrote is lost.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::super::context::{added, merge_scratch};
use super::dice::Dice;

fn lines(text: &str) -> Vec<String> {
    text.chars().map(|c| format!("{c}")).collect()
}

#[test]
fn merges() {
    let table = [
        // base, edit, now, expected
        ("abc", "abc", "abc", "abc"),
        ("abc", "abXc", "abc", "abXc"),
        ("abc", "abc", "abcN", "abcN"),
        ("abc", "abcX", "abcN", "abcNX"),
        ("abc", "abcX", "abcX", "abcX"),
        ("abc", "Xabc", "abcN", "XabcN"),
        ("abc", "ac", "abcN", "acN"),
        ("abc", "", "abcN", "N"),
        ("abc", "ac", "ab", "a"),
        ("", "X", "N", "NX"),
        ("abc", "aXc", "aNc", "aNXc"),
        ("abcd", "aXYd", "abNcd", "aNXYd"),
    ];
    for (base, edit, now, expected) in table {
        let merged = merge_scratch(&lines(base), &lines(edit), &lines(now));
        assert_eq!(merged.concat(), expected, "{base} {edit} {now}");
    }
}

#[test]
fn invariant_no_line_of_either_hand_is_lost() {
    for seed in 0..2_000 {
        let mut dice = Dice(seed);
        let base: Vec<String> = (0..dice.below(8)).map(|n| format!("b{n}")).collect();
        let mut changed = |name: &str| {
            let mut out = Vec::new();
            for line in &base {
                if dice.below(4) == 0 {
                    out.push(format!("{name}{}", dice.next()));
                }
                if dice.below(5) > 0 {
                    out.push(line.clone());
                }
            }
            if dice.below(2) == 0 {
                out.push(format!("{name}{}", dice.next()));
            }
            out
        };
        let (edit, now) = (changed("e"), changed("n"));
        let merged = merge_scratch(&base, &edit, &now);
        let added = edit.iter().chain(&now).filter(|line| !base.contains(line));
        for line in added {
            assert!(
                merged.contains(line),
                "seed {seed}: {line} of {edit:?} and {now:?}: {merged:?}"
            );
        }
        for line in &base {
            let kept = edit.contains(line) && now.contains(line);
            assert_eq!(merged.contains(line), kept, "seed {seed}: {line}: {merged:?}");
        }
    }
}

#[test]
fn the_oldest_lines_go_when_there_is_no_room() {
    let old: Vec<String> = (0..100).map(|n| format!("{n:02}{}", "x".repeat(1000))).collect();
    let kept = added(&old, &["the newest".to_owned()]);
    assert_eq!(kept.last().map(String::as_str), Some("the newest"));
    assert!(kept.len() < old.len() && kept.iter().map(|l| l.len() + 1).sum::<usize>() <= 65_536);
    assert_eq!(kept[kept.len() - 2], old[99]);
}
