//! Base64 with padding, decoded strictly: one spelling for each sequence of bytes, so that what
//! was approved is what is written. No encoding, no variants.

use alloc::vec::Vec;

/// The bytes, or nothing if the text is not exactly what an encoder writes.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.as_bytes();
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let last = text.len().saturating_sub(4);
    for (index, group) in text.chunks_exact(4).enumerate() {
        let padding = group.iter().rev().take_while(|&&byte| byte == b'=').count();
        if padding > 2 || (padding > 0 && index * 4 != last) {
            return None;
        }
        let mut bits = 0u32;
        for &byte in &group[..4 - padding] {
            bits = bits << 6 | digit(byte)?;
        }
        bits <<= 6 * padding;
        let bytes = bits.to_be_bytes();
        let (kept, dropped) = bytes[1..].split_at(3 - padding);
        if dropped.iter().any(|&byte| byte != 0) {
            return None;
        }
        out.extend_from_slice(kept);
    }
    Some(out)
}

fn digit(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _other => return None,
    };
    Some(u32::from(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_spelling_is_read() {
        let table: [(&str, Option<&[u8]>); 11] = [
            ("", Some(b"")),
            ("Zg==", Some(b"f")),
            ("Zm8=", Some(b"fo")),
            ("Zm9v", Some(b"foo")),
            ("Zm9vAP8=", Some(b"foo\x00\xff")),
            ("Zh==", None),
            ("Zg=", None),
            ("Zg==Zg==", None),
            ("Z===", None),
            ("Zm9v\n", None),
            ("Zm-_", None),
        ];
        for (text, bytes) in table {
            assert_eq!(decode(text).as_deref(), bytes, "{text}");
        }
    }
}
