//! Words with `*` in them: for protected names and for words of rules. It takes no memory and time
//! that is linear in pattern times text, so no pattern can be written that hangs. Paths, in which
//! `*` stops at a slash, are the rules' own.

/// Whether a text fits a pattern in which `*` stands for any bytes, also none.
#[must_use]
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut at, mut from) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(byte) if *byte == text[from] => {
                at += 1;
                from += 1;
            }
            Some(_) | None => match star {
                Some((star_at, taken)) => {
                    star = Some((star_at, taken + 1));
                    at = star_at + 1;
                    from = taken + 1;
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_take_any_bytes() {
        let table = [
            ("*.pem", "a.pem", true),
            ("*.pem", ".pem", true),
            ("*.pem", "a.pem.txt", false),
            ("id_rsa*", "id_rsa", true),
            ("id_rsa*", "id_rsa.pub", true),
            ("id_rsa*", "my_id_rsa", false),
            ("a*b*c", "aXXbYYbc", true),
            ("a*b*c", "aXXbYYcd", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
        ];
        for (pattern, text, expected) in table {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
