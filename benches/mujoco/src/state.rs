//! The scenes' stored states and dual problems: text files of lines `key count numbers…`.

use std::collections::HashMap;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Left out: two boxes that collide, for which the kernel has no routine; and a box that its pyramid has lifted off the ground.
const LEFT_OUT: [(&str, &str); 3] = [("boxstack", "pyramidal"), ("boxstack", "elliptic"), ("box_slide", "pyramidal")];

/// One file.
pub struct Numbers(HashMap<String, Vec<String>>);

impl Numbers {
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let lines = text.lines().filter_map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            Some((words.next()?, words.collect()))
        });
        Ok(Self(lines.collect()))
    }

    fn words(&self, key: &str) -> Result<&[String], Box<dyn Error>> {
        self.0.get(key).map(Vec::as_slice).ok_or_else(|| format!("no line {key:?}").into())
    }

    /// The numbers after the count.
    pub fn list(&self, key: &str) -> Result<Vec<f64>, Box<dyn Error>> {
        let words = self.words(key)?.iter().skip(1);
        Ok(words.map(|word| word.parse()).collect::<Result<_, _>>()?)
    }

    /// The word at a place of a line.
    pub fn word(&self, key: &str, place: usize) -> Result<&str, Box<dyn Error>> {
        Ok(self.words(key)?.get(place).map_or("", String::as_str))
    }
}

/// A scene with its cone: a model and the state it is timed at.
pub struct Stored {
    pub scene: String,
    pub cone: String,
    pub model: PathBuf,
    pub configuration: Vec<f64>,
    pub velocity: Vec<f64>,
    pub force: Vec<f64>,
    pub warm: Vec<f64>,
    /// The unconstrained acceleration: MuJoCo's own cold start.
    pub cold: Vec<f64>,
    /// The engine's answer, solved to the end.
    pub acceleration: Vec<f64>,
}

impl Stored {
    fn read(folder: &Path, scene: &str, cone: &str) -> Result<Self, Box<dyn Error>> {
        let numbers = Numbers::read(&folder.join(format!("states/{scene}.{cone}.txt")))?;
        Ok(Self {
            scene: scene.to_owned(),
            cone: cone.to_owned(),
            model: folder.join("models").join(numbers.word("xml", 0)?),
            configuration: numbers.list("qpos")?,
            velocity: numbers.list("qvel")?,
            force: numbers.list("qfrc_applied")?,
            warm: numbers.list("qacc_warmstart")?,
            cold: numbers.list("qacc_smooth")?,
            acceleration: numbers.list("qacc")?,
        })
    }

    /// All scenes of a folder whose name contains `only`, in alphabetical order, but those left out.
    pub fn all(folder: &Path, only: &str) -> Result<Vec<Self>, Box<dyn Error>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder.join("states"))? {
            let name = entry?.file_name().into_string().map_err(|_| "a state's name is no text")?;
            let mut parts = name.split('.');
            if let (Some(scene), Some(cone)) = (parts.next(), parts.next()) {
                if LEFT_OUT.contains(&(scene, cone)) {
                    eprintln!("left out: {scene} {cone}");
                } else if name.contains(only) {
                    found.push(Self::read(folder, scene, cone)?);
                }
            }
        }
        found.sort_by(|a, b| (&a.scene, &a.cone).cmp(&(&b.scene, &b.cone)));
        Ok(found)
    }

    pub fn elliptic(&self) -> bool {
        self.cone == "elliptic"
    }

    pub fn start(&self, start: Start) -> &[f64] {
        match start {
            Start::Cold => &self.cold,
            Start::Warm => &self.warm,
        }
    }
}

/// What the solve starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Cold,
    Warm,
}

impl Start {
    pub const ALL: [Self; 2] = [Self::Cold, Self::Warm];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }
}
