//! [`Model`] and [`Smooth`].

use nalgebra::{SVector, Vector3};

use super::{Present, State, check, constants};
use crate::description::{Description, ModelError, Uses};
use crate::dynamics::{DynamicsWorkspace, mass_matrix_stated};
use crate::kinematics::{Kinematics, Tree};
use crate::mass::{MassError, MassMatrix};
use crate::scalar::Real;
use crate::spatial::{Transform, vector};
use crate::tendon::TendonConstants;

/// What a tick computes of a mechanism before constraints: frames, mass matrix and the recursions' memory.
#[derive(Clone, Debug)]
pub struct Smooth<T, const NB: usize, const NV: usize> {
    pub(crate) kinematics: Kinematics<T, NB, NV>,
    pub(crate) dynamics: DynamicsWorkspace<T, NB>,
    pub(crate) mass: MassMatrix<T, NV>,
}

impl<T: Copy, const NB: usize, const NV: usize> Smooth<T, NB, NV> {
    /// All zero: pass `0.0`, so that a `static` one lands in .bss.
    pub const fn filled(zero: T) -> Self {
        Self {
            kinematics: Kinematics::filled(zero),
            dynamics: DynamicsWorkspace::filled(zero),
            mass: MassMatrix::filled(zero),
        }
    }

    /// Frames, axes and velocities.
    pub fn kinematics(&self) -> &Kinematics<T, NB, NV> {
        &self.kinematics
    }

    /// M, factored.
    pub fn mass(&self) -> &MassMatrix<T, NV> {
        &self.mass
    }
}

/// A checked description with its derived constants, for at most NB bodies, NQ configuration numbers and NV degrees of freedom.
///
/// Sizes that fit exactly are fastest. Where the description has fewer dofs than NV, the others are inert: they do not move, and
/// the results of the real ones are the same bits as with exact sizes. `U` says what the description makes use of ([`Uses`]), all
/// there is unless told otherwise: [`Self::stated`] makes a model that links less.
///
/// ```
/// use delassus::description::*;
/// use delassus::model::{Model, Smooth};
///
/// // A pendulum: 1 kg at 0.5 m below a hinge along y.
/// static BODIES: [Body<f64>; 1] = [Body {
///     parent: None,
///     position: [0.0; 3],
///     orientation: [1.0, 0.0, 0.0, 0.0],
///     mass: 1.0,
///     center: [0.0, 0.0, -0.5],
///     inertia: [0.01; 3],
///     inertia_orientation: [1.0, 0.0, 0.0, 0.0],
///     gravity_compensation: 0.0,
/// }];
/// static JOINTS: [Joint<f64>; 1] = [Joint { axis: [0.0, 1.0, 0.0], ..Joint::<f64>::hinge(0) }];
/// static PENDULUM: Description<f64> =
///     Description { bodies: &BODIES, joints: &JOINTS, ..Description::<f64>::empty(0.002) };
/// let mut smooth = Smooth::filled(0.0);
/// let model = Model::<f64, 1, 1, 1>::new(&PENDULUM, &mut smooth)?;
/// assert!((smooth.mass().columns()[0][0] - 0.26).abs() < 1e-15); // I + m r²
/// assert!((model.dof_inverse_weight(0) - 1.0 / 0.26).abs() < 1e-14);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model<'m, T, const NB: usize, const NQ: usize, const NV: usize, const U: u32 = { Uses::EVERYTHING.bits() }> {
    pub(crate) tree: Tree<'m, T, NB, NQ, NV>,
    /// Poses of the bodies in the reference configuration.
    pub(crate) reference_frames: [Transform<T>; NB],
    /// Translational and rotational inverse weight of each body (X-20).
    pub(crate) inverse_weights: [[T; 2]; NB],
    /// Inverse weight of each dof (X-21).
    pub(crate) dof_inverse_weights: [T; NV],
    pub(crate) mean_inertia: T,
    pub(crate) present: Present,
    /// One a tendon.
    pub(crate) tendons: &'m [TendonConstants<T>],
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize> Model<'m, T, NB, NQ, NV> {
    /// Checks the description and derives its constants; `smooth` is memory for it and holds the reference pose afterwards.
    ///
    /// # Errors
    /// Every fault of the description, with the culprit's index. [`ModelError::TooManyTendons`] where there are any: those need
    /// [`Self::with_tendons`].
    pub fn new(description: &'m Description<'m, T>, smooth: &mut Smooth<T, NB, NV>) -> Result<Self, ModelError> {
        Self::with_tendons(description, smooth, &mut [])
    }

    /// [`Self::new`] for a description with tendons; `constants` is memory for what follows from them, one entry a tendon at least.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_tendons(
        description: &'m Description<'m, T>,
        smooth: &mut Smooth<T, NB, NV>,
        constants: &'m mut [TendonConstants<T>],
    ) -> Result<Self, ModelError> {
        Self::stated(description, smooth, constants)
    }
}

impl<'m, T: Real, const NB: usize, const NQ: usize, const NV: usize, const U: u32> Model<'m, T, NB, NQ, NV, U> {
    /// [`Model::with_tendons`] for a type that says what the description makes use of: nothing else is linked. `&mut []` where there
    /// are no tendons. NB, NQ and NV fit exactly, or the type says [`Uses::PADDED`] too.
    ///
    /// # Errors
    /// As [`Model::new`], and [`ModelError::UsesMore`].
    pub fn stated(
        description: &'m Description<'m, T>,
        smooth: &mut Smooth<T, NB, NV>,
        constants: &'m mut [TendonConstants<T>],
    ) -> Result<Self, ModelError> {
        let uses = Uses::from_bits(U);
        if uses != Uses::EVERYTHING && !uses.has(Uses::of(description)) {
            return Err(ModelError::UsesMore);
        }
        check::options(&description.options)?;
        let tree = Tree::new(description)?;
        if !uses.has(Uses::PADDED) && !tree.is_full() {
            return Err(ModelError::UsesMore);
        }
        check::sites(description)?;
        if uses.has_any(Uses::CONNECT.and(Uses::WELD).and(Uses::COUPLING).and(Uses::TENDON)) {
            check::equalities(description)?;
        }
        check::geoms(description)?;
        if uses.has(Uses::PAIR) {
            check::pairs(description, &tree)?;
        }
        check::excludes(description)?;
        if uses.has(Uses::TENDON) {
            check::tendons(description)?;
        }
        if uses.has(Uses::ACTUATOR) {
            check::actuators(description)?;
        }
        let Some(tendons) = constants.get_mut(..description.tendons.len()) else {
            return Err(ModelError::TooManyTendons { tendons: description.tendons.len() as u16 });
        };
        let mut model = Self {
            tree,
            reference_frames: [Transform::identity(); NB],
            inverse_weights: [[T::zero(); 2]; NB],
            dof_inverse_weights: [T::zero(); NV],
            mean_inertia: T::one(),
            present: Present::of(description),
            tendons: &[],
        };
        if uses.has(Uses::TENDON) && !tendons.is_empty() {
            // Where springs are relaxed decides what the reference pose cannot: this pose comes first.
            constants::spring_lengths::<T, NB, NQ, NV, U>(&model.tree, smooth, tendons)?;
        }
        // The reference configuration is made of checked numbers; what is left to fail is a number beyond the allowed range.
        let placed = smooth.kinematics.place_stated::<NQ, U>(&model.tree, &model.tree.reference);
        placed.map_err(|_| ModelError::BodyNotFinite { body: 0 })?;
        mass_matrix_stated::<T, NB, NQ, NV, U>(&model.tree, &smooth.kinematics, &mut smooth.dynamics, &mut smooth.mass)
            .map_err(|error| {
                let MassError::NotPositiveDefinite { pivot } = error else { return ModelError::MasslessDof { dof: 0 } };
                ModelError::MasslessDof { dof: pivot }
            })?;
        model.reference_frames = smooth.kinematics.frames;
        constants::derive(&mut model, smooth);
        if uses.has(Uses::TENDON) {
            constants::tendons(&model.tree, smooth, tendons);
        }
        model.tendons = tendons;
        Ok(model)
    }

    /// The description that it was made from.
    pub fn description(&self) -> &'m Description<'m, T> {
        self.tree.description
    }

    /// The tree of bodies and degrees of freedom.
    pub fn tree(&self) -> &Tree<'m, T, NB, NQ, NV> {
        &self.tree
    }

    /// How many degrees of freedom are in use, at most NV.
    pub fn dof_count(&self) -> usize {
        self.tree.dof_count
    }

    /// How many configuration numbers are in use, at most NQ.
    pub fn coordinate_count(&self) -> usize {
        self.tree.coordinate_count
    }

    /// The reference configuration at rest (X-82): where a simulation starts unless told otherwise.
    pub fn state(&self) -> State<T, NQ, NV> {
        State { configuration: self.tree.reference, ..State::filled(T::zero()) }
    }

    /// Translational \[1/kg\] and rotational \[1/(kg m²)\] inverse weight of a body in the reference pose (X-20); 0 for the world.
    pub fn inverse_weight(&self, body: Option<u16>) -> [T; 2] {
        body.and_then(|body| self.inverse_weights.get(usize::from(body)).copied()).unwrap_or([T::zero(); 2])
    }

    /// Inverse weight of a degree of freedom in the reference pose (X-21).
    pub fn dof_inverse_weight(&self, dof: usize) -> T {
        self.dof_inverse_weights.get(dof).copied().unwrap_or_else(T::zero)
    }

    /// Mean of the diagonal of M in the reference pose: the engine's unit of stopping measures (X-16).
    pub fn mean_inertia(&self) -> T {
        self.mean_inertia
    }

    /// Gravity \[m/s²\]; zero where it is switched off.
    pub fn gravity(&self) -> Vector3<T> {
        let options = &self.tree.description.options;
        if options.flags.gravity { Vector3::from(options.gravity) } else { vector(T::zero()) }
    }

    /// Pose of a body in the reference configuration.
    pub(crate) fn reference_frame(&self, body: Option<u16>) -> Transform<T> {
        body.and_then(|body| self.reference_frames.get(usize::from(body)).copied()).unwrap_or_else(Transform::identity)
    }

    /// What follows from the tendons, one entry each.
    pub fn tendons(&self) -> &'m [TendonConstants<T>] {
        self.tendons
    }
}

/// J at a point of a body, as columns to be solved for: the inverse weight is the mean of J M⁻¹ Jᵀ over the three rows.
pub(super) fn mean_mobility<T: Real, const NV: usize>(mass: &MassMatrix<T, NV>, rows: &[SVector<T, NV>; 3]) -> T {
    let mut sum = T::zero();
    for row in rows {
        let mut response = *row;
        // M is ready: the caller has just factored it.
        if mass.solve(&mut response).is_ok() {
            sum += crate::scalar::dot(row.as_slice(), response.as_slice());
        }
    }
    sum / crate::scalar::literal(3.0)
}
