//! An element of the file, and its attributes read strictly.

use crate::error::{Error, ErrorKind, Place, Result};

/// An XML element with includes already in place.
#[derive(Debug)]
pub(crate) struct Element {
    pub tag: String,
    pub place: Place,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
}

impl Element {
    /// `<geom name="floor">`, as messages call it.
    pub fn label(&self) -> String {
        match self.text("name").or_else(|| self.text("class")) {
            Some(name) => {
                format!("<{} {}=\"{name}\">", self.tag, if self.text("name").is_some() { "name" } else { "class" })
            }
            None => format!("<{}>", self.tag),
        }
    }

    /// An error that MuJoCo would report too.
    pub fn invalid(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Invalid, Some(self.place.clone()), &self.label(), message)
    }

    /// Something that this crate cannot do and must not leave out.
    pub fn unsupported(&self, message: impl Into<String>, remedy: &str) -> Error {
        Error::new(ErrorKind::Unsupported, Some(self.place.clone()), &self.label(), message).remedy(remedy)
    }

    /// The attribute as it stands.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Its name; may be empty.
    pub fn name(&self) -> &str {
        self.text("name").unwrap_or_default()
    }

    /// The attribute, which must be there.
    pub fn required(&self, name: &str) -> Result<&str> {
        self.text(name).ok_or_else(|| self.invalid(format!("attribute \"{name}\" is missing")).remedy("add it"))
    }

    /// Refuses attributes that are not in the list.
    pub fn allow(&self, allowed: &[&[&str]]) -> Result<()> {
        for (name, _) in &self.attributes {
            if !allowed.iter().any(|list| list.contains(&name.as_str())) {
                return Err(self.invalid(format!("unknown attribute \"{name}\"")).remedy("correct or remove it"));
            }
        }
        Ok(())
    }

    /// Refuses child elements.
    pub fn childless(&self) -> Result<()> {
        match self.children.first() {
            None => Ok(()),
            Some(child) if child.tag == "plugin" => {
                Err(child.unsupported("plugins are not supported", "remove it or model it otherwise"))
            }
            Some(child) => Err(child.unknown()),
        }
    }

    /// The error for an element that has no business where it is.
    pub fn unknown(&self) -> Error {
        self.invalid("unknown element here").remedy("correct or remove it")
    }

    fn parse(&self, name: &str, value: &str, most: usize) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        for word in value.split_ascii_whitespace() {
            let number = word.parse::<f64>().ok().filter(|x| x.is_finite());
            numbers.push(number.ok_or_else(|| {
                self.invalid(format!("attribute \"{name}\": \"{word}\" is not a finite number"))
                    .remedy("write numbers separated by spaces")
            })?);
            if numbers.len() > most {
                return Err(self
                    .invalid(format!("attribute \"{name}\" has more than {most} numbers"))
                    .remedy("remove what is too much"));
            }
        }
        Ok(numbers)
    }

    /// Any number of numbers, `most` at most.
    pub fn list(&self, name: &str, most: usize) -> Result<Option<Vec<f64>>> {
        self.text(name).map(|value| self.parse(name, value, most)).transpose()
    }

    /// Exactly `N` numbers.
    pub fn numbers<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>> {
        let Some(list) = self.list(name, N)? else { return Ok(None) };
        let count = list.len();
        <[f64; N]>::try_from(list).map(Some).map_err(|_| {
            self.invalid(format!("attribute \"{name}\" has {count} numbers, it needs {N}"))
                .remedy("add the missing ones")
        })
    }

    /// One number to as many as `into` holds; the rest of `into` keeps its values. Whether the attribute is there.
    pub fn fill(&self, name: &str, into: &mut [f64]) -> Result<bool> {
        let Some(list) = self.list(name, into.len())? else { return Ok(false) };
        if list.is_empty() {
            return Err(self.invalid(format!("attribute \"{name}\" is empty")).remedy("write a number or remove it"));
        }
        for (slot, number) in into.iter_mut().zip(list) {
            *slot = number;
        }
        Ok(true)
    }

    /// One number, if the attribute is there.
    pub fn set(&self, name: &str, into: &mut f64) -> Result<bool> {
        self.fill(name, std::slice::from_mut(into))
    }

    /// An integer.
    pub fn integer(&self, name: &str) -> Result<Option<i32>> {
        let Some(value) = self.text(name) else { return Ok(None) };
        value.trim().parse().map(Some).map_err(|_| {
            self.invalid(format!("attribute \"{name}\": \"{value}\" is not an integer")).remedy("write a whole number")
        })
    }

    /// A word of a list.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let Some(value) = self.text(name) else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == value) {
            Some((_, meaning)) => Ok(Some(*meaning)),
            None => {
                let list = words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
                Err(self
                    .invalid(format!("attribute \"{name}\": unknown word \"{value}\""))
                    .remedy(&format!("use one of: {list}")))
            }
        }
    }

    /// `true` or `false`.
    pub fn switch(&self, name: &str) -> Result<Option<bool>> {
        self.word(name, &[("false", false), ("true", true)])
    }

    /// `true`, `false`, or `auto` for `None`.
    pub fn tristate(&self, name: &str) -> Result<Option<Option<bool>>> {
        self.word(name, &[("false", Some(false)), ("true", Some(true)), ("auto", None)])
    }
}
