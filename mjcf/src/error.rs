//! What is wrong with a model file, where, and what to do about it.

use std::fmt;
use std::sync::Arc;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as it was named; `<text>` for a text without a file.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a model was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A file cannot be read.
    File,
    /// The text is no XML.
    Syntax,
    /// Larger or deeper than the reader allows (see [`limits`](crate::limits)).
    Limit,
    /// MJCF does not allow it; MuJoCo refuses it too, or would guess.
    Invalid,
    /// MuJoCo can do it and this crate cannot, and leaving it out could change the answer.
    Unsupported,
}

/// A refusal: kind, place, element, what is wrong, and the remedy. Its text is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    kind: ErrorKind,
    place: Option<Place>,
    subject: String,
    message: String,
    remedy: String,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, place: Option<Place>, subject: &str, message: impl Into<String>) -> Self {
        let (subject, message) = (one_line(subject), one_line(&message.into()));
        Self(Box::new(Details { kind, place, subject, message, remedy: String::new() }))
    }

    /// The same error with a remedy.
    pub(crate) fn remedy(mut self, remedy: &str) -> Self {
        self.0.remedy = one_line(remedy);
        self
    }

    /// What sort of refusal it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Where it is, unless it concerns a file as a whole.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }
}

/// Names come from the file and may hold anything: control characters become spaces, and what is long is cut.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let mut line: String = text.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { place, subject, message, remedy, .. } = &*self.0;
        if let Some(place) = place {
            write!(f, "{place}: ")?;
        }
        if !subject.is_empty() {
            write!(f, "{subject}: ")?;
        }
        f.write_str(message)?;
        if !remedy.is_empty() {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// What the reader's functions return.
pub type Result<T> = std::result::Result<T, Error>;
