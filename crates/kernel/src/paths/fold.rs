//! Brings one part of a path to the form in which names are compared. What different file systems
//! take for the same name must come out the same; nothing is opened, and nothing is written so.

use alloc::string::String;

use unicode_normalization::UnicodeNormalization as _;

/// Code points with the property `Default_Ignorable_Code_Point` (Unicode 16; the property is
/// assigned by whole blocks, so later versions fill them rather than add to them).
const IGNORABLE: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fff8}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// The form of a part in which it is compared: NFC, without case, without code points that show
/// nothing, cut at `:` (a stream of the same file elsewhere), without dots and spaces at its end.
///
/// Case goes by lower, upper, lower: `ſ` becomes `s` only by way of its upper case, `ẞ` becomes
/// `ss` only by way of its lower one. That folds at least what full case folding folds into
/// ASCII letters, without its table; it also folds `ı` into `i`, which errs to the safe side.
#[must_use]
pub fn fold(part: &str) -> String {
    let mut name: String = if part.is_ascii() {
        part.to_ascii_lowercase()
    } else {
        part.nfc()
            .flat_map(char::to_lowercase)
            .flat_map(char::to_uppercase)
            .flat_map(char::to_lowercase)
            .filter(|shown| !is_ignorable(*shown))
            .nfc()
            .collect()
    };
    if let Some(stream) = name.find(':') {
        name.truncate(stream);
    }
    name.truncate(name.trim_end_matches(['.', ' ']).len());
    name
}

fn is_ignorable(shown: char) -> bool {
    shown >= IGNORABLE[0].0 && IGNORABLE.iter().any(|(from, to)| (*from..=*to).contains(&shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_come_out_the_same() {
        let table = [
            ("Makefile", "makefile"),
            (".GIT", ".git"),
            (".git. . .", ".git"),
            (".git::$INDEX_ALLOCATION", ".git"),
            (".git. :x", ".git"),
            (".g\u{200c}i\u{feff}t", ".git"),
            ("\u{fe0f}.git\u{e0001}", ".git"),
            ("\u{212a}ube", "kube"),
            ("\u{17f}\u{17f}h", "ssh"),
            ("\u{1e9e}h", "ssh"),
            ("\u{df}h", "ssh"),
            ("g\u{131}t", "git"),
            ("e\u{301}", "\u{e9}"),
            ("E\u{301}", "\u{e9}"),
            ("e\u{200b}\u{301}", "\u{e9}"),
            ("\u{fb00}", "ff"),
            ("Σς", "σσ"),
            ("", ""),
            ("...", ""),
            (":x", ""),
        ];
        for (part, expected) in table {
            assert_eq!(fold(part), expected, "{part:?}");
        }
    }

    #[test]
    fn invariant_folding_again_changes_nothing() {
        for code in 0..=0x10_ffff {
            let Some(shown) = char::from_u32(code) else { continue };
            let once = fold(shown.encode_utf8(&mut [0; 4]));
            assert_eq!(fold(&once), once, "U+{code:04X}");
        }
    }

    #[test]
    fn the_ranges_are_sorted_and_apart() {
        assert!(IGNORABLE.iter().all(|(from, to)| from <= to));
        assert!(IGNORABLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }
}
