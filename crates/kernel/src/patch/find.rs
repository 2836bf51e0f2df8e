//! Finding one sequence in another in linear time, whatever they hold: a patch comes from outside,
//! and no text may make a search slow.

use alloc::vec;
use alloc::vec::Vec;

/// Whether two places may share items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlap {
    /// Every place counts.
    Counted,
    /// After a place the search goes on behind it.
    Skipped,
}

/// Where `needle` occurs in `hay`, in order. An empty needle occurs nowhere.
pub(super) fn places<T: Eq>(hay: &[T], needle: &[T], overlap: Overlap) -> Vec<usize> {
    let mut found = Vec::new();
    if needle.is_empty() || needle.len() > hay.len() {
        return found;
    }
    let borders = borders(needle);
    let mut fits = 0;
    for (at, item) in hay.iter().enumerate() {
        while fits > 0 && needle[fits] != *item {
            fits = borders[fits - 1];
        }
        if needle[fits] == *item {
            fits += 1;
        }
        if fits == needle.len() {
            found.push(at + 1 - fits);
            fits = match overlap {
                Overlap::Counted => borders[fits - 1],
                Overlap::Skipped => 0,
            };
        }
    }
    found
}

/// For each length the longest proper head of the needle that is also its tail.
fn borders<T: Eq>(needle: &[T]) -> Vec<usize> {
    let mut borders = vec![0; needle.len()];
    let mut length = 0;
    for at in 1..needle.len() {
        while length > 0 && needle[length] != needle[at] {
            length = borders[length - 1];
        }
        if needle[length] == needle[at] {
            length += 1;
        }
        borders[at] = length;
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_the_slow_way() {
        let letters = b"ab";
        for seed in 0u32..4000 {
            let hay: Vec<u8> = (0..10).map(|bit| letters[(seed >> bit & 1) as usize]).collect();
            let length = (seed >> 10 & 3) as usize + 1;
            let needle = &hay[(seed % 5) as usize..][..length];
            let slow: Vec<usize> =
                (0..=hay.len() - length).filter(|&at| hay[at..].starts_with(needle)).collect();
            assert_eq!(places(&hay, needle, Overlap::Counted), slow);
            let mut apart: Vec<usize> = Vec::new();
            for at in slow {
                if apart.last().is_none_or(|last| at >= last + length) {
                    apart.push(at);
                }
            }
            assert_eq!(places(&hay, needle, Overlap::Skipped), apart);
        }
    }
}
