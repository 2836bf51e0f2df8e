//! Which language to speak, and who said so. It reads no environment: the caller hands in what
//! each source says.

use std::fmt;

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
    if let Some(flag) = said.flag {
        return Lang::parse(flag);
    }
    // A variable that is set to nothing says nothing.
    if let Some(text) = said.output_language.filter(|text| !text.trim().is_empty()) {
        return Lang::parse(text).map_err(|unknown| UnknownLang { by: VARIABLE, ..unknown });
    }
    let rest = [said.setting, said.lc_all, said.lang];
    Ok(rest.into_iter().flatten().find_map(|text| Lang::parse(text).ok()).unwrap_or_default())
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
