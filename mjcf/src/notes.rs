//! What was skipped because the dynamics do not depend on it.

use std::fmt;

use crate::element::Element;
use crate::error::Place;

/// Elements that were skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which element.
    pub element: String,
    /// How many of them.
    pub count: usize,
    /// Where the first one is.
    pub first: Place,
    /// Why it can be skipped.
    pub reason: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, count, first, reason } = self;
        write!(f, "{first}: <{element}> skipped ({count}): {reason}")
    }
}

#[derive(Debug, Default)]
pub(crate) struct Notes(pub Vec<Note>);

impl Notes {
    pub fn skip(&mut self, e: &Element, reason: &'static str) {
        match self.0.iter_mut().find(|note| note.element == e.tag && note.reason == reason) {
            Some(note) => note.count += 1,
            None => self.0.push(Note { element: e.tag.clone(), count: 1, first: e.place.clone(), reason }),
        }
    }
}
