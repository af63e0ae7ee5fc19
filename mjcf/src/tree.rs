//! `<worldbody>`: bodies and what they carry, depth first.

use delassus::spatial::Transform;
use nalgebra::Vector3;

use crate::class::{ClassId, Classes};
use crate::compiler::Compiler;
use crate::element::Element;
use crate::error::{Error, ErrorKind, Result};
use crate::geom::{GeomType, ReadGeom};
use crate::inertia::Inertial;
use crate::joint::{self, ReadJoint};
use crate::limits;
use crate::notes::Notes;
use crate::orientation::{Orientation, POSE, Pose};

/// A body as read. The first one is the world.
pub(crate) struct ReadBody<'e> {
    pub element: &'e Element,
    pub name: String,
    /// Index of the parent among the read bodies; 0, the world, for the world itself.
    pub parent: usize,
    /// Pose as written, without enclosing frames.
    pub own: Pose,
    /// Pose in the parent.
    pub pose: Pose,
    pub gravity_compensation: f64,
    pub inertial: Option<Inertial>,
    pub joints: Vec<(ReadJoint, &'e Element)>,
    pub geoms: Vec<ReadGeom<'e>>,
    pub sites: Vec<(&'e Element, Pose)>,
}

impl ReadBody<'_> {
    /// Index as a description writes it: `None` is the world.
    pub fn description_index(index: usize) -> Option<u16> {
        index.checked_sub(1).and_then(|i| u16::try_from(i).ok())
    }
}

/// Where in the tree an element stands.
#[derive(Clone, Copy)]
struct Context {
    body: usize,
    class: ClassId,
    frame: Pose,
    framed: bool,
}

pub(crate) struct TreeReader<'e, 'c> {
    pub compiler: &'c Compiler,
    pub classes: &'c Classes,
    pub notes: &'c mut Notes,
    pub bodies: Vec<ReadBody<'e>>,
    items: usize,
}

const WORLD_ONLY_POSE: &str = "the world has neither joints nor inertia";

impl<'e, 'c> TreeReader<'e, 'c> {
    pub fn new(root: &'e Element, compiler: &'c Compiler, classes: &'c Classes, notes: &'c mut Notes) -> Self {
        let world = ReadBody {
            element: root,
            name: "world".to_owned(),
            parent: 0,
            own: Transform::identity(),
            pose: Transform::identity(),
            gravity_compensation: 0.0,
            inertial: None,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
        };
        Self { compiler, classes, notes, bodies: vec![world], items: 0 }
    }

    /// Reads a `<worldbody>`; several of them add up.
    pub fn world(&mut self, e: &'e Element) -> Result<()> {
        e.allow(&[])?;
        let context = Context { body: 0, class: self.classes.main(), frame: Transform::identity(), framed: false };
        self.content(e, context)
    }

    fn content(&mut self, e: &'e Element, context: Context) -> Result<()> {
        for child in &e.children {
            self.items += 1;
            if self.items > limits::ITEMS {
                let message = format!("more than {} elements in the tree", limits::ITEMS);
                return Err(Error::new(ErrorKind::Limit, Some(child.place.clone()), &child.label(), message)
                    .remedy("make the model smaller"));
            }
            self.element(child, context)?;
        }
        Ok(())
    }

    fn element(&mut self, e: &'e Element, context: Context) -> Result<()> {
        match e.tag.as_str() {
            "body" => self.body(e, context),
            "frame" => self.frame(e, context),
            "joint" => self.joint(e, context),
            "freejoint" => {
                let read = joint::free(e, self.compiler, self.index(e, context)?)?;
                self.add_joint(e, context, read)
            }
            "geom" => self.geom(e, context),
            "site" => self.site(e, context),
            "inertial" => self.inertial(e, context),
            "camera" | "light" => {
                self.notes.skip(e, "drawing only");
                Ok(())
            }
            "composite" | "flexcomp" | "attach" | "replicate" => {
                Err(e.unsupported("not supported", "compile with MuJoCo and save as MJCF, or write the bodies out"))
            }
            "plugin" => Err(e.unsupported("plugins are not supported", "remove it or model it otherwise")),
            _ => Err(e.unknown()),
        }
    }

    fn pose(&self, e: &Element) -> Result<Pose> {
        let mut orientation = Orientation::default();
        orientation.apply(e)?;
        Ok(Transform {
            position: Vector3::from(e.numbers("pos")?.unwrap_or([0.0; 3])),
            orientation: orientation.resolve(e, self.compiler)?,
        })
    }

    fn frame(&mut self, e: &'e Element, context: Context) -> Result<()> {
        e.allow(&[POSE, &["name", "childclass"]])?;
        let pose = self.pose(e)?;
        let class = self.classes.find(e, "childclass", context.class)?;
        self.content(e, Context { frame: context.frame.times(&pose), class, framed: true, ..context })
    }

    fn body(&mut self, e: &'e Element, context: Context) -> Result<()> {
        // `sleep` matters with the flag sleep only, which is refused.
        e.allow(&[POSE, &["name", "childclass", "mocap", "gravcomp", "user", "sleep"]])?;
        if e.switch("mocap")? == Some(true) {
            return Err(e.unsupported(
                "mocap bodies are not supported",
                "weld the moved body to the world, or prescribe an anchor",
            ));
        }
        let own = self.pose(e)?;
        let class = self.classes.find(e, "childclass", context.class)?;
        let mut body = ReadBody {
            element: e,
            name: e.name().to_owned(),
            parent: context.body,
            own,
            pose: context.frame.times(&own),
            gravity_compensation: 0.0,
            inertial: None,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
        };
        e.set("gravcomp", &mut body.gravity_compensation)?;
        let index = self.bodies.len();
        self.bodies.push(body);
        self.content(e, Context { body: index, class, frame: Transform::identity(), framed: false })?;
        self.check_joints(e, index)
    }

    fn target(&mut self, e: &Element, context: Context) -> Result<&mut ReadBody<'e>> {
        self.bodies.get_mut(context.body).ok_or_else(|| e.unknown())
    }

    /// The index of the body that carries something which the world cannot have.
    fn index(&self, e: &Element, context: Context) -> Result<u16> {
        ReadBody::description_index(context.body)
            .ok_or_else(|| e.invalid(WORLD_ONLY_POSE).remedy("put it into a <body>"))
    }

    fn joint(&mut self, e: &'e Element, context: Context) -> Result<()> {
        let mut settings = self.classes.of(e, context.class)?.joint;
        settings.apply(e)?;
        let index = self.index(e, context)?;
        let read = settings.finish(e, self.compiler, &context.frame, index)?;
        self.add_joint(e, context, read)
    }

    fn add_joint(&mut self, e: &'e Element, context: Context, read: ReadJoint) -> Result<()> {
        self.target(e, context)?.joints.push((read, e));
        Ok(())
    }

    fn geom(&mut self, e: &'e Element, context: Context) -> Result<()> {
        let mut settings = self.classes.of(e, context.class)?.geom;
        settings.apply(e)?;
        let geom = settings.finish(e, self.compiler, &context.frame)?;
        if geom.kind == GeomType::Plane && !self.is_static(context.body) {
            return Err(e
                .invalid("a plane must be on a body that cannot move")
                .remedy("use a box, or move the plane to the world"));
        }
        self.target(e, context)?.geoms.push(geom);
        Ok(())
    }

    fn site(&mut self, e: &'e Element, context: Context) -> Result<()> {
        let mut settings = self.classes.of(e, context.class)?.site;
        settings.apply(e)?;
        let pose = settings.finish(e, self.compiler, &context.frame)?;
        self.target(e, context)?.sites.push((e, pose));
        Ok(())
    }

    fn inertial(&mut self, e: &'e Element, context: Context) -> Result<()> {
        self.index(e, context)?;
        if context.framed {
            // MuJoCo leaves the frame out of account here, which nobody can want.
            return Err(e.unsupported(
                "an inertial inside a frame is not supported",
                "put it into the body and compose its pose",
            ));
        }
        let inertial = Inertial::read(e, self.compiler)?;
        let body = self.target(e, context)?;
        if body.inertial.replace(inertial).is_some() {
            return Err(e.invalid("a second inertial in the same body").remedy("keep one"));
        }
        Ok(())
    }

    /// Whether neither the body nor one that carries it has joints. Joints may follow later in the file: see [`Self::check_planes`].
    pub fn is_static(&self, mut body: usize) -> bool {
        while let Some(b) = self.bodies.get(body).filter(|_| body != 0) {
            if !b.joints.is_empty() {
                return false;
            }
            body = b.parent;
        }
        true
    }

    /// What may stand together in a body.
    fn check_joints(&self, e: &Element, index: usize) -> Result<()> {
        use delassus::description::JointKind::{Ball, Free, Hinge};
        let Some(body) = self.bodies.get(index) else { return Ok(()) };
        let mut dofs = 0;
        let mut ball = false;
        for (read, element) in &body.joints {
            let kind = read.joint.kind;
            dofs += kind.dofs();
            if kind == Free && body.parent != 0 {
                return Err(element
                    .invalid("a free joint must be in a child of the world")
                    .remedy("move the body to <worldbody>"));
            }
            if ball && matches!(kind, Ball | Hinge) {
                return Err(element
                    .invalid("a ball joint followed by another rotation")
                    .remedy("use one of them, or a body between"));
            }
            ball |= kind == Ball;
        }
        if dofs > 6 {
            return Err(e
                .invalid("more than 6 degrees of freedom in a body")
                .remedy("use fewer joints, or a body between"));
        }
        if body.geoms.iter().any(|geom| geom.kind == GeomType::Plane) && !self.is_static(index) {
            return Err(e
                .invalid("a plane must be on a body that cannot move")
                .remedy("use a box, or move the plane to the world"));
        }
        Ok(())
    }

    /// Welded group of each body: the nearest body up the tree that has joints, or the world.
    pub fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = Vec::with_capacity(self.bodies.len());
        for (index, body) in self.bodies.iter().enumerate() {
            let group = if index == 0 || !body.joints.is_empty() { index } else { groups[body.parent] };
            groups.push(group);
        }
        groups
    }
}
