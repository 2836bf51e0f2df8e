//! Reads the values of a TOML table together with their lines, so that whatever is wrong can be
//! named where it stands. It knows shapes, not what scenarios mean.

use std::cell::RefCell;
use std::ops::Range;

use kernel::errors::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Problem;
use super::text::{Text, Var};

/// What is wrong, and where; the file is added by whoever opened it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) line: usize,
    pub(super) key: String,
    pub(super) problem: Problem,
}

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) source: &'a str,
    pub(super) value: &'a DeValue<'a>,
    pub(super) at: usize,
    pub(super) key: &'a str,
}

pub(super) fn line_of(source: &str, at: usize) -> usize {
    source.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

impl<'a> Value<'a> {
    pub(super) fn wrong(&self, problem: Problem) -> Wrong {
        Wrong { line: line_of(self.source, self.at), key: self.key.to_owned(), problem }
    }

    pub(super) fn shape(&self, expected: &'static str) -> Wrong {
        self.wrong(Problem::Shape { expected })
    }

    pub(super) fn str(&self) -> Result<&'a str, Wrong> {
        self.value.as_str().ok_or_else(|| self.shape("\"text\""))
    }

    pub(super) fn text(&self) -> Result<Text, Wrong> {
        let known = || Var::ALL.map(Var::name).to_vec();
        Text::parse(self.str()?)
            .map_err(|var| self.wrong(Problem::Variable { name: var.name, known: known() }))
    }

    pub(super) fn whole(&self, range: Range<u64>) -> Result<u64, Wrong> {
        let number = self.value.as_integer();
        number
            .and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok())
            .filter(|number| range.contains(number))
            .ok_or_else(|| self.wrong(Problem::Range { min: range.start, max: range.end - 1 }))
    }

    /// One of a list of things by its word.
    pub(super) fn listed<T: Copy>(
        &self,
        all: &[T],
        name: impl Fn(T) -> &'static str,
    ) -> Result<T, Wrong> {
        let word = self.str()?;
        let known = || all.iter().map(|one| name(*one)).collect();
        all.iter()
            .copied()
            .find(|one| name(*one) == word)
            .ok_or_else(|| self.wrong(Problem::NotListed { known: known() }))
    }

    pub(super) fn array(&self, expected: &'static str) -> Result<Vec<Self>, Wrong> {
        let all = self.value.as_array().ok_or_else(|| self.shape(expected))?;
        Ok(all.iter().map(|item| self.inner(item)).collect())
    }

    pub(super) fn table(&self, expected: &'static str) -> Result<Fields<'a>, Wrong> {
        let table = self.value.as_table().ok_or_else(|| self.shape(expected))?;
        Ok(Fields::new(self.source, table, self.at, self.key))
    }

    fn inner(&self, item: &'a Spanned<DeValue<'a>>) -> Self {
        Self { value: item.get_ref(), at: item.span().start, ..*self }
    }
}

/// The keys of one table. Those nobody asked for are refused at the end.
pub(super) struct Fields<'a> {
    pub(super) source: &'a str,
    table: &'a DeTable<'a>,
    at: usize,
    key: &'a str,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(source: &'a str, table: &'a DeTable<'a>, at: usize, key: &'a str) -> Self {
        Self { source, table, at, key, asked: RefCell::default() }
    }

    /// Every key with its value, as written.
    pub(super) fn entries(&self) -> impl Iterator<Item = Value<'a>> {
        let source = self.source;
        self.table.iter().map(move |(name, value)| Value {
            source,
            value: value.get_ref(),
            at: name.span().start,
            key: name.get_ref(),
        })
    }

    /// The value of a key, if it is there.
    pub(super) fn maybe(&self, key: &'static str) -> Option<Value<'a>> {
        self.asked.borrow_mut().push(key);
        self.entries().find(|entry| entry.key == key)
    }

    /// The value of a key that must be there.
    pub(super) fn need(&self, key: &'static str) -> Result<Value<'a>, Wrong> {
        let line = line_of(self.source, self.at);
        let name = if self.key.is_empty() { key.to_owned() } else { format!("{}.{key}", self.key) };
        self.maybe(key).ok_or(Wrong { line, key: name, problem: Problem::Missing })
    }

    /// A number that may be left out.
    pub(super) fn whole_or(
        &self,
        key: &'static str,
        range: Range<u64>,
        usual: u64,
    ) -> Result<u64, Wrong> {
        self.maybe(key).map_or(Ok(usual), |value| value.whole(range))
    }

    /// Refuses keys that were not asked for.
    pub(super) fn finish(self) -> Result<(), Wrong> {
        let asked = self.asked.borrow();
        let extra = self.entries().find(|entry| !asked.contains(&entry.key));
        extra.map_or(Ok(()), |entry| Err(unknown(&entry, &asked)))
    }
}

/// A key that means nothing here.
pub(super) fn unknown(entry: &Value<'_>, known: &[&'static str]) -> Wrong {
    let nearest = nearest(entry.key, known.iter().copied());
    let nearest = nearest.into_iter().map(str::to_owned).collect();
    entry.wrong(Problem::Unknown { nearest })
}
