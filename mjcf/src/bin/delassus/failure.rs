//! One line for stderr, and the exit status.

use std::fmt;

use delassus::rows::RowsError;
use delassus::tick::TickError;
use delassus_mjcf::Labels;

/// Why the command has no answer.
pub struct Failure {
    message: String,
    /// 2: refused before anything was computed. 3: a tick failed.
    pub status: u8,
    /// A larger size class may do better.
    pub needs_room: bool,
}

impl Failure {
    pub fn refused(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 2, needs_room: false }
    }

    pub fn tick(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 3, needs_room: false }
    }

    pub fn without_room(message: impl fmt::Display) -> Self {
        Self { message: message.to_string(), status: 3, needs_room: true }
    }

    /// The same failure with the names of bodies, joints and so on that the message mentions by their index.
    pub fn naming(mut self, labels: &Labels) -> Self {
        let kinds = [
            ("body", &labels.bodies),
            ("joint", &labels.joints),
            ("site", &labels.sites),
            ("geom", &labels.geoms),
            ("geoms", &labels.geoms),
            ("pair", &labels.pairs),
            ("equality", &labels.equalities),
            ("tendon", &labels.tendons),
            ("actuator", &labels.actuators),
        ];
        let mut names = Vec::new();
        let mut kind = None;
        for word in self.message.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            match word.parse::<usize>() {
                Ok(index) => {
                    names.extend(kind.and_then(|list: &Vec<String>| list.get(index)).filter(|name| !name.is_empty()))
                }
                Err(_) if word == "and" => {}
                Err(_) => kind = kinds.iter().find(|(name, _)| *name == word).map(|(_, list)| *list),
            }
        }
        let names: Vec<String> = names.into_iter().map(|name| format!("\"{name}\"")).collect();
        if !names.is_empty() {
            self.message.push_str(&format!(" ({})", names.join(", ")));
        }
        self
    }

    /// A tick's error in step `step`, from 1. What is wrong before the first step is the caller's state.
    pub fn from_tick(error: TickError, step: u64) -> Self {
        let message = if step > 1 { format!("step {step}: {error}") } else { error.to_string() };
        match error {
            TickError::State(_) | TickError::Input { .. } | TickError::Control { .. } if step <= 1 => {
                Self::refused(message)
            }
            TickError::Rows(RowsError::TooManyRows { .. } | RowsError::TooManyCones { .. }) => {
                Self::without_room(message)
            }
            _ => Self::tick(message),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message.replace(char::is_control, " "))
    }
}
