//! Which language to speak, and who said so. It reads no environment: the caller hands in what
//! each source says.

use std::fmt;

use kernel::session::is_cjk;

/// The spellings named when an unknown language is asked for.
pub const KNOWN_LANGS: [&str; 2] = ["en", "zh-CN"];

const FLAG: &str = "--lang";
const VARIABLE: &str = "OUTPUT_LANGUAGE";

/// A language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

/// A language nobody here speaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown language {asked}")]
pub struct UnknownLang {
    /// What was asked for.
    pub asked: String,
    /// The flag or variable that asked.
    pub by: &'static str,
}

/// What each source says, strongest first. Flag and `OUTPUT_LANGUAGE` are meant for us and have to
/// be right; the setting is checked by its owner, and a locale that we do not speak is passed over.
#[derive(Debug, Clone, Copy, Default)]
pub struct LangSources<'a> {
    /// `--lang`.
    pub flag: Option<&'a str>,
    /// `OUTPUT_LANGUAGE`.
    pub output_language: Option<&'a str>,
    /// `output.language` of the settings.
    pub setting: Option<&'a str>,
    /// `LC_ALL`.
    pub lc_all: Option<&'a str>,
    /// `LANG`.
    pub lang: Option<&'a str>,
}

impl Lang {
    /// Both languages.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// The tag of the language.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-CN",
        }
    }

    /// Reads a tag or a locale name: `zh`, `zh-CN`, `zh_CN.UTF-8`, `en-US`, `中文`, `English`.
    ///
    /// # Errors
    /// When the language is neither of ours.
    pub fn parse(text: &str) -> Result<Self, UnknownLang> {
        let name = text.trim().to_lowercase();
        let language = name.split(['-', '_', '.', '@']).next().unwrap_or_default();
        match language {
            "en" | "eng" | "english" | "英文" | "英语" => Ok(Self::En),
            "zh" | "zho" | "chi" | "cn" | "chinese" | "中文" | "汉语" | "简体中文" => {
                Ok(Self::Zh)
            }
            _ => Err(UnknownLang { asked: text.trim().to_owned(), by: FLAG }),
        }
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

/// The language in force: flag, `OUTPUT_LANGUAGE`, setting, `LC_ALL`, `LANG`, else English.
///
/// # Errors
/// When the flag or `OUTPUT_LANGUAGE` names a language that is not ours; a locale may say anything.
pub fn choose(said: LangSources<'_>) -> Result<Lang, UnknownLang> {
    spoken(said).map(Option::unwrap_or_default)
}

/// The language that somebody said; none where flag, variable and setting are silent and the
/// locale is no real one, so that a person's own words may tell.
///
/// # Errors
/// As [`choose`].
pub fn spoken(said: LangSources<'_>) -> Result<Option<Lang>, UnknownLang> {
    if let Some(flag) = said.flag {
        return Lang::parse(flag).map(Some);
    }
    // A variable that is set to nothing says nothing.
    if let Some(text) = said.output_language.filter(|text| !text.trim().is_empty()) {
        let read = Lang::parse(text).map(Some);
        return read.map_err(|unknown| UnknownLang { by: VARIABLE, ..unknown });
    }
    let rest = [said.setting, said.lc_all, said.lang];
    let ours = rest.into_iter().flatten().find_map(|text| Lang::parse(text).ok());
    let real = |text: &str| {
        let name = text.trim().split(['.', '@']).next().unwrap_or_default();
        !matches!(name, "" | "C" | "POSIX" | "auto")
    };
    let other = rest.into_iter().flatten().any(real);
    Ok(ours.or(other.then_some(Lang::En)))
}

/// The language that words are in: Chinese from so many CJK letters in a hundred on.
const CJK_PERCENT_MIN: usize = 30;

/// The language of a person's own words.
#[must_use]
pub fn of_words(text: &str) -> Lang {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let cjk = text.chars().filter(|c| c.is_alphabetic() && is_cjk(*c)).count();
    if letters > 0 && cjk * 100 >= letters * CJK_PERCENT_MIN { Lang::Zh } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let table = [
            ("zh", Some(Lang::Zh)),
            ("zh-CN", Some(Lang::Zh)),
            ("zh_CN.UTF-8", Some(Lang::Zh)),
            ("ZH-Hans", Some(Lang::Zh)),
            ("中文", Some(Lang::Zh)),
            ("en", Some(Lang::En)),
            ("en-US", Some(Lang::En)),
            ("English", Some(Lang::En)),
            ("C.UTF-8", None),
            ("fr", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(Lang::parse(text).ok(), expected, "{text:?}");
        }
    }

    #[test]
    fn words_tell_where_nobody_says() {
        let none = LangSources::default();
        let table = [
            (none, None),
            (LangSources { lc_all: Some("C"), lang: Some("C.UTF-8"), ..none }, None),
            (LangSources { lang: Some("POSIX"), ..none }, None),
            (LangSources { lang: Some("fr_FR.UTF-8"), ..none }, Some(Lang::En)),
            (LangSources { lang: Some("zh_TW"), ..none }, Some(Lang::Zh)),
            (LangSources { flag: Some("en"), ..none }, Some(Lang::En)),
        ];
        for (said, expected) in table {
            assert_eq!(spoken(said).unwrap(), expected, "{said:?}");
        }
        let table = [
            ("优化代码", Lang::Zh),
            ("把 timeout 改为 60", Lang::Zh),
            ("rename load_cfg to load_config 吧", Lang::En),
            ("abcdefg 三个字", Lang::Zh),
            ("abcdefgh 三个字", Lang::En),
            ("12 34 !?", Lang::En),
            ("", Lang::En),
        ];
        for (text, expected) in table {
            assert_eq!(of_words(text), expected, "{text}");
        }
    }

    #[test]
    fn the_strongest_source_wins() {
        let none = LangSources::default();
        let table = [
            (none, Some(Lang::En)),
            (LangSources { lang: Some("zh_CN.UTF-8"), ..none }, Some(Lang::Zh)),
            (LangSources { lang: Some("zh_CN"), lc_all: Some("en_US"), ..none }, Some(Lang::En)),
            (LangSources { lc_all: Some("C"), lang: Some("zh_CN"), ..none }, Some(Lang::Zh)),
            (LangSources { setting: Some("en"), lang: Some("zh"), ..none }, Some(Lang::En)),
            (
                LangSources { output_language: Some("zh"), setting: Some("en"), ..none },
                Some(Lang::Zh),
            ),
            (LangSources { flag: Some("en"), output_language: Some("zh"), ..none }, Some(Lang::En)),
            (LangSources { flag: Some("klingon"), ..none }, None),
            (LangSources { output_language: Some("fr"), lang: Some("zh"), ..none }, None),
            (LangSources { output_language: Some(""), lang: Some("zh"), ..none }, Some(Lang::Zh)),
            (LangSources { flag: Some("zh"), output_language: Some("fr"), ..none }, Some(Lang::Zh)),
        ];
        for (said, expected) in table {
            assert_eq!(choose(said).ok(), expected, "{said:?}");
        }
    }
}
