//! [`Tree`]: the mechanism as kinematics and dynamics walk it.

use nalgebra::Vector3;

use crate::description::{Body, Description, Joint, JointKind, ModelError};
use crate::scalar::{Real, SMALLEST, all_finite, literal, square_root};
use crate::spatial::{Quaternion, vector};

/// A body's place in the tree, its quaternions normalised, and what need not be computed because of them.
#[derive(Clone, Copy, Debug)]
pub struct TreeBody<T> {
    /// Orientation in the parent's frame.
    pub(crate) orientation: Quaternion<T>,
    /// Whether its axes are not the parent's, all joints at their reference.
    pub(crate) turned: bool,
    /// Of a body that is merely hinged, `orientation` times the axis (0, u): the hinge turns the body by an angle x to
    /// cos(x/2) `orientation` + sin(x/2) that.
    pub(crate) hinge: Quaternion<T>,
    /// Principal axes in the body's frame.
    pub(crate) inertia_orientation: Quaternion<T>,
    /// Whether these are not the body's own.
    pub(crate) inertia_turned: bool,
    /// How many joints it has.
    pub(crate) joints: u16,
    /// Whether it has one hinge about its origin and no other joint, as most bodies of a robot.
    pub(crate) hinged: bool,
    /// Whether its axes and the principal ones are the world's and stay so: only slides carry it, as a cart or a gantry.
    pub(crate) parallel: bool,
    /// The nearest dof that moves the body: its own last one, or its parent's.
    pub(crate) last_dof: Option<u16>,
}

/// One degree of freedom.
#[derive(Clone, Copy, Debug)]
pub struct Dof<T> {
    /// The joint that it belongs to.
    pub joint: u16,
    /// The body that it moves first.
    pub body: u16,
    /// The nearest degree of freedom that moves this one's body too.
    pub parent: Option<u16>,
    /// Whether it translates; else it rotates.
    pub translates: bool,
    /// Axis in the body's frame, unit; of a free joint's translation in the world's.
    pub(crate) axis: Vector3<T>,
    /// Whether it rotates about the origin of its body, which no later joint of the body takes elsewhere.
    pub(crate) centered: bool,
    /// 1 + `parent`, or 0.
    above: u16,
}

/// The first numbers of a list that goes through all joints, and the list goes on to the next: empty where it has not so many.
#[inline(always)]
pub(crate) fn front<'a, X>(list: &mut &'a [X], count: usize) -> &'a [X] {
    let (own, rest) = list.split_at_checked(count).unwrap_or((&[], &[]));
    *list = rest;
    own
}

/// Bodies, joints and degrees of freedom of at most NB bodies, NQ configuration numbers and NV dofs.
///
/// Dofs that the description does not use are *inert*: their diagonal in the mass matrix is one, and nothing acts on them.
#[derive(Clone, Debug)]
pub struct Tree<'m, T, const NB: usize, const NQ: usize, const NV: usize> {
    pub(crate) description: &'m Description<'m, T>,
    pub(crate) bodies: [TreeBody<T>; NB],
    pub(crate) dofs: [Dof<T>; NV],
    /// The body that each body is rigidly part of: a jointless body belongs to its parent, down to the world, which is `None`.
    pub(crate) welds: [Option<u16>; NB],
    /// 1 + the parent of each dof, or 0.
    parents: [u8; NV],
    /// First dof and first coordinate of each joint, which has one dof at least.
    joint_places: [(u16, u16); NV],
    /// The configuration in which the tree is described.
    pub(crate) reference: [T; NQ],
    pub(crate) dof_count: usize,
    pub(crate) coordinate_count: usize,
}

fn finite_body<T: Real>(body: &Body<T>) -> bool {
    all_finite(&body.position)
        && all_finite(&body.center)
        && all_finite(&body.inertia)
        && all_finite(&[body.mass, body.gravity_compensation])
}

fn finite_joint<T: Real>(joint: &Joint<T>) -> bool {
    let numbers = [joint.reference, joint.spring_reference, joint.armature, joint.friction_loss, joint.margin];
    let softness = [&joint.limit_softness, &joint.friction_softness];
    all_finite(&joint.position)
        && all_finite(&joint.axis)
        && all_finite(&joint.stiffness)
        && all_finite(&joint.damping)
        && all_finite(&numbers)
        && joint.range.is_none_or(|range| all_finite(&range))
        && joint.actuator_force_range.is_none_or(|range| all_finite(&range))
        && softness.iter().all(|s| all_finite(&s.solref) && all_finite(&s.solimp))
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize> Tree<'m, T, NB, NQ, NV> {
    /// Checks bodies and joints and lays out configuration and degrees of freedom.
    ///
    /// # Errors
    /// Names the body or joint at fault.
    pub fn new(description: &'m Description<'m, T>) -> Result<Self, ModelError> {
        let zero = T::zero();
        let still = TreeBody {
            orientation: Quaternion::identity(),
            turned: false,
            hinge: Quaternion::identity(),
            inertia_orientation: Quaternion::identity(),
            inertia_turned: false,
            joints: 0,
            hinged: false,
            parallel: true,
            last_dof: None,
        };
        let inert =
            Dof { joint: 0, body: 0, parent: None, translates: true, axis: vector(zero), centered: false, above: 0 };
        let mut tree = Self {
            description,
            bodies: [still; NB],
            dofs: [inert; NV],
            welds: [None; NB],
            parents: [0; NV],
            joint_places: [(0, 0); NV],
            reference: [zero; NQ],
            dof_count: 0,
            coordinate_count: 0,
        };
        if description.bodies.len() > NB || description.bodies.len() > usize::from(u16::MAX) {
            return Err(ModelError::TooManyBodies { bodies: description.bodies.len() as u16 });
        }
        let mut joints = description.joints.iter().enumerate().peekable();
        for (index, body) in description.bodies.iter().enumerate() {
            let number = index as u16;
            tree.check_body(number, body)?;
            let above = body.parent.and_then(|parent| tree.bodies.get(usize::from(parent)).copied()).unwrap_or(still);
            let (Some(orientation), Some(inertia_orientation)) =
                (Quaternion(body.orientation).normalized(), Quaternion(body.inertia_orientation).normalized())
            else {
                return Err(ModelError::BodyNotFinite { body: number });
            };
            let turned = orientation != Quaternion::identity();
            let inertia_turned = inertia_orientation != Quaternion::identity();
            let mut place = TreeBody {
                orientation,
                turned,
                hinge: orientation,
                inertia_orientation,
                inertia_turned,
                joints: 0,
                hinged: false,
                parallel: above.parallel && !turned && !inertia_turned,
                last_dof: above.last_dof,
            };
            let mut weld = body.parent.and_then(|parent| tree.welds.get(usize::from(parent)).copied().flatten());
            let (mut free, mut ball) = (None, false);
            while let Some((joint_index, joint)) = joints.next_if(|(_, joint)| joint.body == number) {
                let joint_number = joint_index as u16;
                check_joint(joint_number, joint)?;
                if joint.kind == JointKind::Free {
                    free = Some(joint_number);
                    if body.parent.is_some() {
                        return Err(ModelError::FreeJointPlace { joint: joint_number });
                    }
                }
                if ball && matches!(joint.kind, JointKind::Ball | JointKind::Hinge) {
                    return Err(ModelError::RotationAfterBall { joint: joint_number });
                }
                ball |= joint.kind == JointKind::Ball;
                place.joints += 1;
                place.parallel &= joint.kind == JointKind::Slide;
                let centered = joint.position.iter().all(|x| *x == zero);
                place.hinged = place.joints == 1 && joint.kind == JointKind::Hinge && centered;
                place.last_dof = tree.add_joint(joint_number, joint, body, orientation, place.last_dof)?;
                if let Some(dof) = place.last_dof.and_then(|dof| tree.dofs.get(usize::from(dof))) {
                    place.hinge = orientation.times(&Quaternion([zero, dof.axis.x, dof.axis.y, dof.axis.z]));
                }
                weld = Some(number);
            }
            if let Some(joint) = free.filter(|_| place.joints > 1) {
                return Err(ModelError::FreeJointPlace { joint });
            }
            if let (Some(slot), Some(group)) = (tree.bodies.get_mut(index), tree.welds.get_mut(index)) {
                (*slot, *group) = (place, weld);
            }
        }
        if let Some((joint, _)) = joints.next() {
            return Err(ModelError::JointOrder { joint: joint as u16 });
        }
        tree.check_masses()?;
        Ok(tree)
    }

    fn check_body(&self, number: u16, body: &Body<T>) -> Result<(), ModelError> {
        if body.parent.is_some_and(|parent| parent >= number) {
            return Err(ModelError::ParentAfterChild { body: number });
        }
        if !finite_body(body) {
            return Err(ModelError::BodyNotFinite { body: number });
        }
        let [a, b, c] = body.inertia;
        if body.mass < T::zero() || body.inertia.iter().any(|i| *i < T::zero()) {
            return Err(ModelError::NegativeMass { body: number });
        }
        // A flat body has equality, which rounding may overstep.
        let slack = (a + b + c) * literal(1e-6);
        if a + b + slack < c || b + c + slack < a || c + a + slack < b {
            return Err(ModelError::ImpossibleInertia { body: number });
        }
        Ok(())
    }

    /// Appends a joint's dofs and reference coordinates; returns its last dof.
    fn add_joint(
        &mut self,
        number: u16,
        joint: &Joint<T>,
        body: &Body<T>,
        orientation: Quaternion<T>,
        above: Option<u16>,
    ) -> Result<Option<u16>, ModelError> {
        let (one, zero) = (T::one(), T::zero());
        if let Some(place) = self.joint_places.get_mut(usize::from(number)) {
            *place = (self.dof_count as u16, self.coordinate_count as u16);
        }
        let slot = self.reference.get_mut(self.coordinate_count..).and_then(|r| r.get_mut(..joint.kind.coordinates()));
        let Some(slot) = slot else {
            return Err(ModelError::TooManyCoordinates {
                coordinates: (self.coordinate_count + joint.kind.coordinates()) as u16,
            });
        };
        let ([x, y, z], [a, b, c, d]) = (body.position, orientation.0);
        let reference = match joint.kind {
            JointKind::Free => [x, y, z, a, b, c, d],
            JointKind::Ball => [one, zero, zero, zero, zero, zero, zero],
            JointKind::Hinge | JointKind::Slide => [joint.reference; 7],
        };
        for (to, from) in slot.iter_mut().zip(reference) {
            *to = from;
        }
        self.coordinate_count += joint.kind.coordinates();
        let centered = joint.kind == JointKind::Free || joint.position.iter().all(|x| *x == zero);
        if joint.kind == JointKind::Slide || !centered {
            for earlier in self.dofs.iter_mut().filter(|dof| dof.body == joint.body) {
                earlier.centered = false;
            }
        }
        let mut last = above;
        for k in 0..joint.kind.dofs() {
            let axis = match joint.kind {
                JointKind::Hinge | JointKind::Slide => {
                    let [x, y, z] = joint.axis;
                    let scale = one / square_root(x * x + y * y + z * z);
                    Vector3::new(x * scale, y * scale, z * scale)
                }
                JointKind::Free | JointKind::Ball => {
                    let unit = |i: usize| if k % 3 == i { one } else { zero };
                    Vector3::new(unit(0), unit(1), unit(2))
                }
            };
            let translates = match joint.kind {
                JointKind::Slide => true,
                JointKind::Free => k < 3,
                JointKind::Hinge | JointKind::Ball => false,
            };
            let Some(slot) = self.dofs.get_mut(self.dof_count) else {
                return Err(ModelError::TooManyDofs { dofs: (self.dof_count + joint.kind.dofs() - k) as u16 });
            };
            let above = last.map_or(0, |last| last + 1);
            *slot = Dof { joint: number, body: joint.body, parent: last, translates, axis, centered, above };
            if let Some(parent) = self.parents.get_mut(self.dof_count) {
                *parent = above as u8;
            }
            last = Some(self.dof_count as u16);
            self.dof_count += 1;
        }
        Ok(last)
    }

    /// A body with joints needs mass and inertia of its own, or in a body welded below it.
    fn check_masses(&self) -> Result<(), ModelError> {
        let enough =
            |body: &Body<T>| body.mass >= literal(SMALLEST) && body.inertia.iter().all(|i| *i >= literal(SMALLEST));
        for (index, weld) in self.welds.iter().enumerate() {
            let number = Some(index as u16);
            let mut together = self.description.bodies.iter().zip(&self.welds).filter(|(_, other)| **other == number);
            if *weld == number && !together.any(|(body, _)| enough(body)) {
                return Err(ModelError::MassTooSmall { body: index as u16 });
            }
        }
        Ok(())
    }

    /// The weld group of each body: the body that it is rigidly part of, `None` for the world.
    pub fn welds(&self) -> &[Option<u16>] {
        self.welds.get(..self.description.bodies.len()).unwrap_or(&[])
    }

    /// Whether a body can move.
    pub(crate) fn moves(&self, body: Option<u16>) -> bool {
        body.is_some_and(|body| self.welds.get(usize::from(body)).is_some_and(|weld| weld.is_some()))
    }

    /// The first dof of a joint and its first coordinate.
    pub(crate) fn joint_place(&self, joint: u16) -> (usize, usize) {
        let (dof, coordinate) = self.joint_places.get(usize::from(joint)).copied().unwrap_or((0, 0));
        (usize::from(dof), usize::from(coordinate))
    }

    /// The degrees of freedom that the description has.
    pub fn dofs(&self) -> &[Dof<T>] {
        self.dofs.get(..self.dof_count).unwrap_or(&[])
    }

    /// 1 + the parent of each dof, or 0, as far as a byte can say.
    pub(crate) fn parents(&self) -> Option<&[u8; NV]> {
        (self.dof_count < usize::from(u8::MAX)).then_some(&self.parents)
    }

    /// The joints of a body, the first of them given, but of one that is merely hinged.
    #[inline(always)]
    pub(super) fn general_joints(&self, place: &TreeBody<T>, first: usize) -> &[Joint<T>] {
        if place.hinged {
            return &[];
        }
        let own = self.description.joints.get(first..).and_then(|joints| joints.get(..usize::from(place.joints)));
        own.unwrap_or(&[])
    }

    /// Whether a dof rotates about where the origin of its body is and stays.
    #[inline(always)]
    pub(crate) fn is_centered(&self, dof: usize) -> bool {
        self.dofs.get(dof).is_some_and(|dof| dof.centered)
    }

    /// The dofs that move a body, from the nearest down to the root, with their indices.
    #[inline(always)]
    pub fn chain(&self, body: Option<u16>) -> Chain<'_, T> {
        let last = body.and_then(|body| self.bodies.get(usize::from(body))).and_then(|body| body.last_dof);
        self.chain_from(last)
    }

    /// The dofs above `dof` in the tree, itself first, with their indices.
    #[inline(always)]
    pub(crate) fn chain_from(&self, dof: Option<u16>) -> Chain<'_, T> {
        Chain { dofs: &self.dofs, next: dof.map_or(0, |dof| usize::from(dof) + 1) }
    }
}

/// A walk from a dof to the root of its tree.
#[derive(Clone, Debug)]
pub struct Chain<'a, T> {
    dofs: &'a [Dof<T>],
    /// 1 + the next dof, or 0 at the end.
    next: usize,
}

impl<'a, T> Iterator for Chain<'a, T> {
    type Item = (usize, &'a Dof<T>);

    /// Ends by itself: a dof's parent always comes before it.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next.checked_sub(1)?;
        let dof = self.dofs.get(index)?;
        self.next = usize::from(dof.above);
        Some((index, dof))
    }
}

fn check_joint<T: Real>(number: u16, joint: &Joint<T>) -> Result<(), ModelError> {
    let zero = T::zero();
    if !finite_joint(joint) {
        return Err(ModelError::JointNotFinite { joint: number });
    }
    let [x, y, z] = joint.axis;
    let square = x * x + y * y + z * z;
    if matches!(joint.kind, JointKind::Hinge | JointKind::Slide)
        && (!(square > zero) || !(T::one() / square).is_finite())
    {
        return Err(ModelError::ZeroAxis { joint: number });
    }
    if joint.damping.iter().any(|b| *b < zero) || joint.armature < zero || joint.friction_loss < zero {
        return Err(ModelError::NegativeJointNumber { joint: number });
    }
    let possible = match (joint.range, joint.kind) {
        (None, _) => true,
        (Some(_), JointKind::Free) => false,
        (Some([low, high]), JointKind::Ball) => low == zero && high > zero,
        (Some([low, high]), _) => low < high,
    };
    let single = matches!(joint.kind, JointKind::Hinge | JointKind::Slide);
    let possible = possible && joint.actuator_force_range.is_none_or(|[low, high]| single && low < high);
    if possible { Ok(()) } else { Err(ModelError::BadRange { joint: number }) }
}
