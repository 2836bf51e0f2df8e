//! The catalogue itself: the files of both languages, parsed once, only when first spoken, and
//! only in the language spoken. It knows keys, not what they are for.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, OnceLock};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};

use super::lang::Lang;

/// The files of one room in both languages, embedded so that the binary speaks alone.
macro_rules! both {
    ($name:literal) => {
        (
            include_str!(concat!("../../locales/en/", $name, ".ftl")),
            include_str!(concat!("../../locales/zh-CN/", $name, ".ftl")),
        )
    };
}

/// Every file, English and Chinese side by side. A new room adds one line.
const FILES: &[(&str, &str)] = &[
    both!("agents"),
    both!("cli"),
    both!("collab"),
    both!("commands"),
    both!("demo"),
    both!("engine"),
    both!("errors"),
    both!("lifecycle"),
    both!("lifecycle_cli"),
    both!("loop"),
    both!("loop_cli"),
    both!("packages"),
    both!("plan_file"),
    both!("policy"),
    both!("questions"),
    both!("reads"),
    both!("refusals"),
    both!("report"),
    both!("roles"),
    both!("sandbox"),
    both!("script"),
    both!("session"),
    both!("settings"),
    both!("spent"),
    both!("tools"),
    both!("turn"),
    both!("turn_cli"),
    both!("usage"),
    both!("view"),
];

/// Above this an integer is no longer exact in the formatter's arithmetic and stays text.
const EXACT_INTEGER_MAX: i64 = 1 << 53;

type Bundle = FluentBundle<Arc<FluentResource>>;

/// A text that was looked up.
pub(super) enum Found {
    /// No such key.
    Nothing,
    /// The text, but a variable it names was not given.
    Lacking(String),
    /// The text.
    Whole(String),
}

/// The sentence of a key, `name` or `name.attribute`, with its variables filled in.
///
/// A missing key or variable is a mistake of ours that every test run shows; a shipped binary
/// then shows the key rather than stop work for want of a sentence.
pub fn say(lang: Lang, key: &str, args: &[(&str, &dyn Display)]) -> String {
    match look_up(lang, key, &fluent(args.iter().map(|(name, value)| (*name, value.to_string())))) {
        Found::Whole(text) => text,
        Found::Lacking(text) => {
            debug_assert!(false, "a variable of {key} is missing: {text}");
            text
        }
        Found::Nothing => {
            debug_assert!(false, "no such key: {key}");
            key.to_owned()
        }
    }
}

/// The sentence of a key that may not be there, or may want variables that are not at hand.
pub fn find(lang: Lang, key: &str, args: &[(&str, &dyn Display)]) -> Option<String> {
    match look_up(lang, key, &fluent(args.iter().map(|(name, value)| (*name, value.to_string())))) {
        Found::Whole(text) => Some(text),
        Found::Lacking(_) | Found::Nothing => None,
    }
}

/// Every key of a language with the names of the variables its text uses, sorted.
pub fn keys(lang: Lang) -> BTreeMap<String, Vec<String>> {
    files(lang).into_iter().flat_map(|source| inventory::of(&source)).collect()
}

pub(super) fn look_up(lang: Lang, key: &str, args: &FluentArgs<'_>) -> Found {
    let (id, attribute) = key.split_once('.').map_or((key, None), |(id, at)| (id, Some(at)));
    let bundle = bundle(lang);
    let pattern = bundle.get_message(id).and_then(|message| match attribute {
        None => message.value(),
        Some(name) => message.get_attribute(name).map(|found| found.value()),
    });
    let Some(pattern) = pattern else { return Found::Nothing };
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
    if errors.is_empty() { Found::Whole(text) } else { Found::Lacking(text) }
}

/// Values as the formatter takes them: whole numbers as numbers, so that plurals work; anything
/// else as the text it is (`007` is an id, not seven).
pub(super) fn fluent<'a>(args: impl Iterator<Item = (&'a str, String)>) -> FluentArgs<'a> {
    let mut all = FluentArgs::new();
    for (name, text) in args {
        let number = text.parse::<i64>().ok().filter(|n| {
            n.checked_abs().is_some_and(|size| size < EXACT_INTEGER_MAX) && n.to_string() == text
        });
        match number {
            Some(number) => all.set(name, FluentValue::from(number)),
            None => all.set(name, FluentValue::from(text)),
        }
    }
    all
}

fn files(lang: Lang) -> Vec<String> {
    let pick = |&(en, zh): &(&str, &str)| match lang {
        Lang::En => en.to_owned(),
        Lang::Zh => zh.to_owned(),
    };
    FILES.iter().map(pick).collect()
}

fn bundle(lang: Lang) -> &'static Bundle {
    static EN: OnceLock<Bundle> = OnceLock::new();
    static ZH: OnceLock<Bundle> = OnceLock::new();
    match lang {
        Lang::En => EN.get_or_init(|| parsed(lang)),
        Lang::Zh => ZH.get_or_init(|| parsed(lang)),
    }
}

/// A file with a bad line still gives its good ones; the walk over all keys fails on the bad one.
fn parsed(lang: Lang) -> Bundle {
    let tag = lang.tag().parse().expect("our own tags are well formed");
    let mut bundle = FluentBundle::new_concurrent(vec![tag]);
    bundle.set_use_isolating(false);
    for source in files(lang) {
        let resource = match FluentResource::try_new(source) {
            Ok(resource) => resource,
            Err((resource, errors)) => {
                debug_assert!(false, "{lang}: {errors:?}");
                resource
            }
        };
        if let Err(twice) = bundle.add_resource(Arc::new(resource)) {
            debug_assert!(false, "{lang}: {twice:?}");
        }
    }
    bundle
}

/// Reads keys and variables straight from the source text, so that checks do not depend on the
/// formatter's view of it.
mod inventory {
    /// Keys (`name`, `name.attribute`) with their variables.
    pub(super) fn of(source: &str) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let mut id = String::new();
        for line in source.lines() {
            let head = line.trim_start();
            let name = head.split_once('=').map(|(name, _)| name.trim());
            match name {
                Some(name) if line.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    name.clone_into(&mut id);
                    found.push((id.clone(), Vec::new()));
                }
                Some(name) if name.starts_with('.') => {
                    found.push((format!("{id}{name}"), Vec::new()));
                }
                Some(_) | None => {}
            }
            if let Some((_, used)) = found.last_mut().filter(|_| !line.starts_with('#')) {
                used.extend(variables(line));
                used.sort();
                used.dedup();
            }
        }
        found
    }

    fn variables(line: &str) -> impl Iterator<Item = String> + '_ {
        line.split('$').skip(1).map(|rest| {
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariant_both_languages_say_the_same() {
        let (en, zh) = (keys(Lang::En), keys(Lang::Zh));
        let lost: Vec<_> = en.keys().filter(|key| !zh.contains_key(*key)).collect();
        assert!(lost.is_empty(), "not in Chinese: {lost:?}");
        let lost: Vec<_> = zh.keys().filter(|key| !en.contains_key(*key)).collect();
        assert!(lost.is_empty(), "not in English: {lost:?}");
        for (key, used) in &en {
            assert_eq!(used, &zh[key], "variables of {key}");
        }
    }

    #[test]
    fn invariant_every_key_speaks() {
        for lang in Lang::ALL {
            for (key, used) in keys(lang) {
                let args = fluent(used.iter().map(|name| (name.as_str(), format!("<{name}>"))));
                let Found::Whole(text) = look_up(lang, &key, &args) else {
                    panic!("{lang}: {key} cannot be said");
                };
                assert!(!text.trim().is_empty(), "{lang}: {key} is empty");
                assert!(!text.contains(['\u{2068}', '\u{2069}']), "{lang}: {key} has marks");
            }
        }
    }

    #[test]
    fn invariant_no_key_twice() {
        for lang in Lang::ALL {
            let all: Vec<_> = files(lang).iter().flat_map(|s| inventory::of(s)).collect();
            assert_eq!(all.len(), keys(lang).len(), "{lang}");
        }
    }

    #[test]
    fn values_keep_their_form() {
        let told = |value: &dyn Display| say(Lang::En, "cli-iteration", &[("n", value)]);
        let table: [(&dyn Display, &str); 4] =
            [(&3, "3"), (&"007", "007"), (&"9007199254740993", "9007199254740993"), (&"a", "a")];
        for (value, expected) in table {
            assert_eq!(told(value), format!("Iteration {expected}"));
        }
    }

    #[test]
    fn what_is_missing_is_found_missing() {
        assert_eq!(find(Lang::En, "no-such-key", &[]), None);
        assert_eq!(find(Lang::En, "cli-iteration", &[]), None);
        assert_eq!(find(Lang::Zh, "cli-where", &[]).as_deref(), Some("位置"));
    }
}
