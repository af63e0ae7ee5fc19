//! `inspect`: can this crate run the model, what does it cost, and how well is it conditioned?

use std::fmt::Write;
use std::path::Path;

use delassus_mjcf::Mechanism;
use serde::Serialize;

use crate::conditioning::Conditioning;
use crate::failure::Failure;
use crate::input::Start;
use crate::layout::Layout;
use crate::mass_ratio::{self, MassRatio};
use crate::memory::{self, Memory};
use crate::run::Problem;
use crate::size::{Run, Runner};
use delassus_mjcf::{Capacity, welds};

/// Keyframes that are looked at.
const MOST_KEYS: usize = 20;

/// The whole report.
#[derive(Serialize)]
pub struct Report {
    model: String,
    name: String,
    /// In both precisions.
    pub supported: bool,
    /// Why not.
    reason: Option<String>,
    sizes: Option<SizeReport>,
    memory: Option<Memories>,
    poses: Vec<Pose>,
    mass_ratio: Option<MassRatio>,
    /// What will be refused if it comes to that.
    warnings: Vec<String>,
    /// What the reader skipped.
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SizeReport {
    bodies: usize,
    joints: usize,
    coordinates: usize,
    dofs: usize,
    sites: usize,
    geoms: usize,
    equalities: usize,
    tendons: usize,
    actuators: usize,
    keyframes: usize,
    /// Largest numbers at once, whatever the pose; none for more geoms than can be looked at.
    contacts: Option<usize>,
    rows: Option<usize>,
}

#[derive(Serialize)]
struct Memories {
    f32: Memory,
    f64: Memory,
}

/// A state of the file.
#[derive(Serialize)]
struct Pose {
    /// "reference", or the keyframe's name or number.
    pose: String,
    contacts: Option<usize>,
    rows: Option<usize>,
    #[serde(flatten)]
    conditioning: Option<Conditioning>,
    /// The joint of the smallest pivot.
    pivot_joint: Option<String>,
    /// Why there is no answer.
    error: Option<String>,
}

impl Report {
    fn empty(path: &Path) -> Self {
        Self {
            model: path.display().to_string(),
            name: String::new(),
            supported: false,
            reason: None,
            sizes: None,
            memory: None,
            poses: Vec::new(),
            mass_ratio: None,
            warnings: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Of a model file, whatever is in it.
    pub fn new(path: &Path) -> Self {
        let mut report = Self::empty(path);
        match delassus_mjcf::read_file(path) {
            Err(error) => report.reason = Some(Failure::refused(error).to_string()),
            Ok(mechanism) => report.look(&mechanism),
        }
        report
    }

    fn look(&mut self, mechanism: &Mechanism) {
        let lists = &mechanism.lists;
        let description = lists.description();
        let layout = Layout::new(mechanism);
        let welds = welds(&description);
        let capacity = Capacity::of(&description, &welds);
        self.name.clone_from(&mechanism.name);
        self.notes = mechanism.notes.iter().map(ToString::to_string).collect();
        let (bodies, coordinates, dofs) = (lists.bodies.len(), lists.coordinates(), lists.dofs());
        self.sizes = Some(SizeReport {
            bodies,
            joints: lists.joints.len(),
            coordinates,
            dofs,
            sites: lists.sites.len(),
            geoms: lists.geoms.len(),
            equalities: lists.equalities.len(),
            tendons: lists.tendons.len(),
            actuators: lists.actuators.len(),
            keyframes: mechanism.keyframes.len(),
            contacts: capacity.as_ref().map(|capacity| capacity.contacts),
            rows: capacity.as_ref().map(|capacity| capacity.rows),
        });
        match &capacity {
            None => self.warnings.push("too many geoms to count contacts and memory".to_owned()),
            Some(capacity) => {
                let Capacity { contacts, rows, contact_rows, .. } = *capacity;
                let sizes = memory::Sizes { bodies, coordinates, dofs, contacts, rows, contact_rows };
                self.memory = Some(Memories {
                    f32: memory::single(lists, &mechanism.solver, &sizes),
                    f64: memory::double(lists, &mechanism.solver, &sizes),
                });
                if let Some(boxes) = capacity.boxes {
                    let pair = layout.pair(boxes);
                    self.warnings.push(format!("the boxes {pair} may come together; a run that sees it is refused"));
                }
            }
        }
        self.mass_ratio = mass_ratio::smallest(&description, &welds, capacity.as_ref(), &layout);
        let refusal = self.poses_of(mechanism, &layout).and_then(|()| {
            let single = lists.to_single();
            let start = Start::reference(mechanism);
            let problem = Problem { description: &single.description(), options: &mechanism.solver, start: &start };
            let run = Runner::new(problem).and_then(|mut run| run.forward());
            run.map_err(|failure| Failure::refused(format!("in f32: {}", failure.naming(&mechanism.labels))))
        });
        self.supported = refusal.is_ok();
        self.reason = refusal.err().map(|failure| failure.to_string());
    }

    /// Reference pose and keyframes. An error is one of the model; a keyframe that fails has it in its own entry.
    fn poses_of(&mut self, mechanism: &Mechanism, layout: &Layout) -> Result<(), Failure> {
        let mut starts = vec![("reference".to_owned(), Start::reference(mechanism))];
        for (index, key) in mechanism.keyframes.iter().enumerate().take(MOST_KEYS) {
            let name = if key.name.is_empty() { format!("key {index}") } else { key.name.clone() };
            let mut start = Start::reference(mechanism);
            start.configuration.clone_from(&key.configuration);
            start.velocity.clone_from(&key.velocity);
            start.control.clone_from(&key.control);
            starts.push((name, start));
        }
        if mechanism.keyframes.len() > MOST_KEYS {
            self.warnings.push(format!("only the first {MOST_KEYS} keyframes are looked at"));
        }
        let description = mechanism.lists.description();
        for (index, (pose, start)) in starts.into_iter().enumerate() {
            let problem = Problem { description: &description, options: &mechanism.solver, start: &start };
            let name = |failure: Failure| failure.naming(&mechanism.labels);
            // What the model itself is refused for does not depend on the pose.
            let mut run = Runner::new(problem).map_err(name)?;
            let found = run.forward().and_then(|forward| Ok((forward, run.look()?)));
            let mut entry =
                Pose { pose, contacts: None, rows: None, conditioning: None, pivot_joint: None, error: None };
            match found.map_err(name) {
                Ok((forward, record)) => {
                    (entry.contacts, entry.rows) = (Some(record.contacts), Some(record.rows));
                    entry.conditioning = Conditioning::of(&forward.mass_matrix);
                    let dof = entry.conditioning.as_ref().map(|conditioning| conditioning.pivot_dof);
                    entry.pivot_joint = dof.map(|dof| layout.joint_of(dof).to_owned());
                }
                Err(failure) if index == 0 => return Err(failure),
                Err(failure) => entry.error = Some(failure.to_string()),
            }
            self.poses.push(entry);
        }
        Ok(())
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name:<12} {value}");
        };
        let title = if self.name.is_empty() { self.model.clone() } else { format!("{} ({})", self.model, self.name) };
        line("model", title);
        match &self.reason {
            None => line("supported", "yes".to_owned()),
            Some(reason) => line("supported", format!("no: {reason}")),
        }
        if let Some(s) = &self.sizes {
            line(
                "sizes",
                format!("{} bodies, {} joints, {} dofs, {} coordinates", s.bodies, s.joints, s.dofs, s.coordinates),
            );
            line(
                "",
                format!(
                    "{} geoms, {} sites, {} equalities, {} tendons, {} actuators, {} keyframes",
                    s.geoms, s.sites, s.equalities, s.tendons, s.actuators, s.keyframes
                ),
            );
            if let (Some(contacts), Some(rows)) = (s.contacts, s.rows) {
                line("at most", format!("{contacts} contacts and {rows} rows at once"));
            }
        }
        if let Some(memories) = &self.memory {
            line(
                "memory",
                format!(
                    "{:>12} {:>12} {:>12} {:>12} {:>14}",
                    "model", "state", "workspace", "description", "each contact"
                ),
            );
            for (name, m) in [("  f32", &memories.f32), ("  f64", &memories.f64)] {
                let numbers =
                    [m.model, m.state, m.workspace, m.description].map(|bytes| format!("{bytes:>10} B")).join(" ");
                line(name, format!("{numbers} {:>12} B", m.each_contact));
            }
        }
        if !self.poses.is_empty() {
            line(
                "M in",
                format!(
                    "{:<20} {:>10} {:>10} {:>10}  {:>8} {:>5}",
                    "", "condition", "scaled", "pivot", "contacts", "rows"
                ),
            );
        }
        for pose in &self.poses {
            let name = format!("{:<20}", pose.pose);
            let value = match (&pose.conditioning, &pose.error) {
                (_, Some(error)) => format!("{name} {error}"),
                (Some(c), _) => {
                    let joint = pose.pivot_joint.as_deref().unwrap_or_default();
                    let numbers =
                        [c.condition, c.scaled_condition, c.pivot_ratio].map(|x| format!("{x:>10.2e}")).join(" ");
                    let counts = format!("{:>8} {:>5}", pose.contacts.unwrap_or(0), pose.rows.unwrap_or(0));
                    format!("{name} {numbers}  {counts}  smallest pivot: {joint}")
                }
                (None, None) => format!("{name} nothing moves"),
            };
            line("", value);
        }
        if let Some(MassRatio { ratio, light, heavy, link }) = &self.mass_ratio {
            line("mass ratio", format!("{ratio:.3e}, {light} to {heavy}, by {link}"));
        }
        for warning in &self.warnings {
            line("warning", warning.clone());
        }
        for note in &self.notes {
            line("note", note.clone());
        }
        text.lines().map(|line| line.replace(char::is_control, " ").trim_end().to_owned() + "\n").collect()
    }
}
