//! Whether a `sed` script only prints, deletes and replaces: it can also write files (`w`) and run
//! programs (`e`). A script that is not wholly understood is taken for one that does.

use alloc::string::String;
use alloc::vec::Vec;
use core::iter::Peekable;
use core::str::Chars;

use super::flags::flags;

type Script<'a> = Peekable<Chars<'a>>;

/// Whether every script in the words is harmless.
#[must_use]
pub fn is_harmless(words: &[String]) -> bool {
    let given = flags(words);
    if given.any("f") || given.long("file") {
        return false;
    }
    scripts(words).is_some_and(|all| !all.is_empty() && all.iter().all(|text| understood(text)))
}

/// The scripts in the words: behind every `-e`, else the first word that is no flag.
pub(super) fn scripts(words: &[String]) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut first = None;
    let mut rest = words.iter().skip(1).map(String::as_str);
    while let Some(word) = rest.next() {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(n, v)| (n, Some(v)));
            if !name.is_empty() && "expression".starts_with(name) {
                found.push(value.or_else(|| rest.next())?);
            }
        } else if let Some(group) = word.strip_prefix('-').filter(|group| !group.is_empty()) {
            // Behind `-i` and `-l` stands a value, not a letter.
            let group = group.split(['i', 'l']).next().unwrap_or_default();
            if let Some(at) = group.find('e') {
                let value = group.get(at + 1..).filter(|value| !value.is_empty());
                found.push(value.or_else(|| rest.next())?);
            }
        } else if first.is_none() {
            first = Some(word);
        }
    }
    if found.is_empty() {
        found.extend(first);
    }
    Some(found)
}

fn understood(text: &str) -> bool {
    let mut script = text.chars().peekable();
    loop {
        while script.next_if(|c| c.is_whitespace() || ";{}".contains(*c)).is_some() {}
        if script.peek().is_none() {
            return true;
        }
        if command(&mut script).is_none() {
            return false;
        }
    }
}

fn command(script: &mut Script<'_>) -> Option<()> {
    address(script)?;
    if script.next_if_eq(&',').is_some() {
        script.next_if(|c| "+~".contains(*c));
        address(script)?;
    }
    while script.next_if(|c| *c == ' ' || *c == '!').is_some() {}
    match script.next()? {
        '{' => return Some(()),
        'p' | 'd' | '=' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'D' | 'P' => {}
        'q' | 'Q' | 'l' => while script.next_if(char::is_ascii_digit).is_some() {},
        's' => {
            let end = script.next().filter(|c| !c.is_alphanumeric() && *c != '\n')?;
            pattern(script, end)?;
            until(script, end)?;
            while script.next_if(|c| "gpiIM".contains(*c) || c.is_ascii_digit()).is_some() {}
        }
        'y' => {
            let end = script.next()?;
            until(script, end)?;
            until(script, end)?;
        }
        _other => return None,
    }
    while script.next_if_eq(&' ').is_some() {}
    script.peek().is_none_or(|c| ";}\n".contains(*c)).then_some(())
}

fn address(script: &mut Script<'_>) -> Option<()> {
    match script.peek() {
        Some('/') => {
            script.next();
            pattern(script, '/')?;
            script.next_if_eq(&'I');
        }
        Some('$') => drop(script.next()),
        Some(_) | None => while script.next_if(|c| c.is_ascii_digit() || *c == '~').is_some() {},
    }
    Some(())
}

/// Reads a pattern up to its end. Programs differ in whether an end within brackets is one, so
/// such a pattern is not understood.
fn pattern(script: &mut Script<'_>, end: char) -> Option<()> {
    loop {
        match script.next()? {
            '\\' => drop(script.next()?),
            c if c == end => return Some(()),
            '[' => {
                script.next_if_eq(&'^');
                script.next_if_eq(&']');
                loop {
                    match script.next()? {
                        ']' => break,
                        c if c == end || c == '[' || c == '\\' => return None,
                        _other => {}
                    }
                }
            }
            _other => {}
        }
    }
}

/// Reads up to an end that is not escaped.
fn until(script: &mut Script<'_>, end: char) -> Option<()> {
    loop {
        match script.next()? {
            '\\' => drop(script.next()?),
            c if c == end => return Some(()),
            _other => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn only_what_is_understood_is_harmless() {
        let table: [(&[&str], bool); 22] = [
            (&["-n", "1,20p", "f"], true),
            (&["-n", "$p", "f"], true),
            (&["s/a/b/g", "f"], true),
            (&["-e", "s|a|b|", "-e", "/x/d", "f"], true),
            (&["-ne", "1p;2p", "f"], true),
            (&["-i.bak", "s/a/b/", "f"], true),
            (&["-n", "/a/,/b/{p}", "f"], true),
            (&["s/[a-z]*$/x/", "f"], true),
            (&["s/[/]/;s/e;#/x/", "f"], false),
            (&["1e x", "f"], false),
            (&["1w out", "f"], false),
            (&["s/a/b/e", "f"], false),
            (&["s/a/b/w out", "f"], false),
            (&["s/a/b/gw out", "f"], false),
            (&["-e", "p", "-e", "e x"], false),
            (&["--expression=e x", "f"], false),
            (&["--expr", "e x", "f"], false),
            (&["-f", "script"], false),
            (&["--file=script"], false),
            (&["-nf", "script"], false),
            (&["r /etc/passwd", "f"], false),
            (&["-n"], false),
        ];
        for (words, harmless) in table {
            let all = core::iter::once(&"sed").chain(words).map(|word| word.to_string());
            assert_eq!(is_harmless(&all.collect::<Vec<_>>()), harmless, "{words:?}");
        }
    }
}
