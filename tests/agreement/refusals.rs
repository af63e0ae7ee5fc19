//! Refusals.

use super::*;

fn context() -> RowContext<f32> {
    RowContext::new(0.001)
}

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

#[test]
fn a_mass_matrix_that_cannot_be_is_refused_by_name_and_leaves_none_ready() {
    let good = SMatrix::<f32, 3, 3>::new(4.0, 1.0, 0.5, 1.0, 3.0, 0.2, 0.5, 0.2, 2.0);
    let refused = |entries: SMatrix<f32, 3, 3>, error: MassError| {
        let mut mass = MassMatrix::<f32, 3>::filled(0.0);
        mass.set(&good).unwrap();
        assert_eq!(mass.set(&entries), Err(error));
        assert!(!mass.is_ready() && mass.amplification() == 0.0);
        let mut x = SVector::from([1.0, 2.0, 3.0]);
        assert_eq!(mass.solve(&mut x), Err(MassError::NotReady));
        assert_eq!((x, mass.times(&x)), (SVector::from([1.0, 2.0, 3.0]), SVector::zeros()));
        let problem = (mass, x, Rows::<f32, 3, 1>::new());
        for method in METHODS {
            let answer = solve_with(method, &problem, None, &Budget::new(3, 0.0), &mut ());
            assert_eq!(answer.err(), Some(SolverError::Mass(MassError::NotReady)));
        }
    };
    for bad in BAD {
        for i in 0..3 {
            for j in 0..3 {
                let mut entries = good;
                entries[(i, j)] = bad;
                refused(entries, MassError::NotFinite { column: j as u16 });
            }
        }
    }
    let mut askew = good;
    askew[(2, 0)] += 1e-3;
    refused(askew, MassError::NotSymmetric { row: 2, column: 0 });
    for k in 0..3 {
        for diagonal in [0.0, -0.0, -1.0, 1e-39] {
            let mut entries = SMatrix::<f32, 3, 3>::identity();
            entries[(k, k)] = diagonal;
            refused(entries, MassError::NotPositiveDefinite { pivot: k as u16 });
        }
    }
    // Positive diagonal, indefinite: dofs 1 and 2 contradict, found where the second of them is taken, at 1.
    let indefinite = SMatrix::<f32, 3, 3>::new(9.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 2.0, 1.0);
    refused(indefinite, MassError::NotPositiveDefinite { pivot: 1 });
    refused(SMatrix::from_element(1.0), MassError::NotPositiveDefinite { pivot: 1 });
}

/// Entries that differ by roundings of a large diagonal beside a small one: product and factor still speak of one matrix.
#[test]
fn product_and_solve_belong_to_one_matrix_also_when_the_entries_are_askew_by_rounding() {
    let mut mass = MassMatrix::<f32, 2>::filled(0.0);
    mass.set(&SMatrix::<f32, 2, 2>::new(1.0, 1e-6, 3e-6, 1e-6)).unwrap();
    let mut x = mass.times(&SVector::from([0.0, 1.0]));
    mass.solve(&mut x).unwrap();
    assert!((x - SVector::from([0.0, 1.0])).amax() < 1e-5, "{x:?}");
}

#[test]
fn bodies_that_cannot_be_are_refused_by_index() {
    let body = BodyInertia::<f32, 2> {
        mass: 1.0,
        inertia: Matrix3::identity(),
        linear: SMatrix::from_element(1.0),
        angular: SMatrix::identity(),
    };
    let armature = SVector::from([0.1, 0.1]);
    let refused = |bad: BodyInertia<f32, 2>| {
        let mut mass = MassMatrix::<f32, 2>::filled(0.0);
        mass.set_from_bodies(&[body], &armature).unwrap();
        assert_eq!(mass.set_from_bodies(&[body, bad], &armature), Err(MassError::BadBody { body: 1 }));
        assert!(!mass.is_ready());
    };
    let askew = Matrix3::new(1.0, 0.3, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
    refused(BodyInertia { inertia: askew, ..body });
    refused(BodyInertia { mass: -1.0, ..body });
    for bad in BAD {
        refused(BodyInertia { mass: bad, ..body });
        refused(BodyInertia { inertia: Matrix3::from_element(bad), ..body });
        let mut columns = body.linear;
        columns[(2, 1)] = bad;
        refused(BodyInertia { linear: columns, ..body });
        refused(BodyInertia { angular: columns, ..body });
        let mut mass = MassMatrix::<f32, 2>::filled(0.0);
        let found = mass.set_from_bodies(&[body], &SVector::from([0.1, bad]));
        assert_eq!(found, Err(MassError::NotFinite { column: 1 }));
    }
    let mut mass = MassMatrix::<f32, 2>::filled(0.0);
    let massless = BodyInertia { mass: 0.0, inertia: Matrix3::zeros(), ..body };
    let found = mass.set_from_bodies(&[massless], &SVector::zeros());
    assert_eq!(found, Err(MassError::NotPositiveDefinite { pivot: 1 }));
    assert_eq!(mass.set_parents(&[None]), Err(MassError::BadParent { freedom: 1 }));
    assert_eq!(mass.set_parents(&[None, Some(1)]), Err(MassError::BadParent { freedom: 1 }));
    assert_eq!(mass.set_parents(&[Some(0), None]), Err(MassError::BadParent { freedom: 0 }));
}

#[test]
fn a_refused_row_names_its_fault_and_leaves_the_rows_as_they_were() {
    let mass = common::mass::<f32, 2>([[2.0, 0.5], [0.5, 1.0]]);
    let (soft, jacobian) = (Softness::default(), SVector::<f32, 2>::from([1.0, -1.0]));
    let good = RowInput::new(&jacobian, -0.01, 0.1);
    let mut rows = Rows::<f32, 2, 4>::new();
    rows.equality(&mass, &context(), &soft, &[good]).unwrap();
    let before = format!("{rows:?}");
    type Container = Rows<f32, 2, 4>;
    let refused = |add: &dyn Fn(&mut Container) -> Result<(), RowsError>, error: RowsError| {
        let mut rows = rows.clone();
        assert_eq!(add(&mut rows), Err(error));
        assert_eq!(format!("{rows:?}"), before);
    };
    let (friction, limit) = (Kind::JointFriction, Kind::JointLimit);
    let not_finite = RowsError::NotFinite { row: 1 };
    for bad in BAD {
        let crooked = SVector::<f32, 2>::from([0.0, bad]);
        let inputs = [
            RowInput { residual: bad, ..good },
            RowInput { velocity: bad, ..good },
            RowInput { curvature: bad, ..good },
            RowInput { jacobian: &crooked, ..good },
            RowInput { scale: DiagonalScale::Given(bad), ..good },
        ];
        for (field, input) in inputs.iter().enumerate() {
            // The fault may lie anywhere in the group.
            refused(&|r| r.equality(&mass, &context(), &soft, &[*input]), not_finite);
            refused(&|r| r.equality(&mass, &context(), &soft, &[good, good, *input]), RowsError::NotFinite { row: 3 });
            refused(&|r| r.one_sided(&mass, &context(), &soft, limit, input), not_finite);
            if field > 0 {
                refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, input, 1.0), not_finite);
            }
        }
        refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, &good, bad), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &crooked, 0.0, 1.0), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, bad, 1.0), not_finite);
        refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, 0.0, bad), not_finite);
        refused(&|r| r.finished(friction, Rule::Interval { loss: bad }, &jacobian, 0.0, 1.0), not_finite);
    }
    let negative = RowsError::Negative { row: 1 };
    refused(&|r| r.friction_loss(&mass, &context(), &soft, friction, &good, -1.0), negative);
    refused(&|r| r.finished(limit, Rule::NonNegative, &jacobian, 0.0, -1e-9), negative);
    refused(&|r| r.finished(friction, Rule::Interval { loss: -1.0 }, &jacobian, 0.0, 1.0), negative);
    let below = RowInput { scale: DiagonalScale::Given(-1.0), ..good };
    refused(&|r| r.one_sided(&mass, &context(), &soft, limit, &below), negative);
    let block = RowsError::BadBlock { row: 1 };
    refused(&|r| r.equality(&mass, &context(), &soft, &[]), block);
    refused(&|r| r.one_sided(&mass, &context(), &soft, friction, &good), block);
    refused(&|r| r.friction_loss(&mass, &context(), &soft, limit, &good, 1.0), block);
    refused(&|r| r.finished(limit, Rule::Free, &jacobian, 0.0, 1.0), block);
    refused(&|r| r.equality(&mass, &context(), &soft, &[good; 4]), RowsError::TooManyRows { capacity: 4 });
    let unset = MassMatrix::<f32, 2>::filled(0.0);
    refused(&|r| r.equality(&unset, &context(), &soft, &[good]), RowsError::Mass(MassError::NotReady));
    // Order, with a later kind in place.
    let mut rows = rows.clone();
    rows.one_sided(&mass, &context(), &soft, Kind::TendonLimit, &good).unwrap();
    let before = format!("{rows:?}");
    for kind in [Kind::Equality, friction, limit] {
        let error = Err(RowsError::OutOfOrder { row: 2 });
        let found = match kind {
            Kind::Equality => rows.equality(&mass, &context(), &soft, &[good]),
            Kind::JointFriction => rows.friction_loss(&mass, &context(), &soft, kind, &good, 1.0),
            _ => rows.one_sided(&mass, &context(), &soft, kind, &good),
        };
        assert_eq!((found, format!("{rows:?}")), (error, before.clone()));
    }
}

#[test]
fn a_solve_that_cannot_be_is_refused_by_name() {
    let mass = common::mass::<f32, 2>([[2.0, 0.5], [0.5, 1.0]]);
    let mut rows = Rows::<f32, 2, 3>::new();
    rows.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([1.0, 0.0]), 1.0, 0.1).unwrap();
    let good = Budget::new(5, 1e-6f32);
    let zero = SVector::<f32, 2>::zeros();
    let all = |free, warm: Option<&SVector<f32, 2>>, budget: &Budget<f32>, error| {
        for method in METHODS {
            let problem = (mass.clone(), free, rows.clone());
            assert_eq!(solve_with(method, &problem, warm, budget, &mut ()).err(), Some(error), "{method:?}");
        }
    };
    for bad in BAD {
        let crooked = SVector::from([0.0, bad]);
        all(crooked, None, &good, SolverError::NotFinite { freedom: 1 });
        all(zero, Some(&crooked), &good, SolverError::NotFinite { freedom: 1 });
        all(zero, None, &Budget { tolerance: bad, ..good }, SolverError::BadBudget);
        all(zero, None, &Budget { line_search_tolerance: bad, ..good }, SolverError::BadBudget);
        all(zero, None, &Budget { scale: Scale::Fixed(bad), ..good }, SolverError::BadBudget);
    }
    all(zero, None, &Budget { tolerance: -1.0, ..good }, SolverError::BadBudget);
    all(zero, None, &Budget { scale: Scale::Fixed(0.0), ..good }, SolverError::BadBudget);
    // A hard row is for dual methods only.
    let mut hard = rows.clone();
    hard.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([0.0, 1.0]), 1.0, 0.0).unwrap();
    let problem = (mass.clone(), zero, hard);
    let found = METHODS.map(|m| solve_with(m, &problem, None, &good, &mut ()).err());
    assert_eq!(found, [Some(SolverError::ZeroRegularizer { row: 1 }), None, None, None]);
    // A_ii beyond the precision: no answer, and not a row that never moves.
    let mut long = Rows::<f32, 2, 3>::new();
    long.finished(Kind::JointLimit, Rule::NonNegative, &SVector::from([1e25, 0.0]), 1.0, 0.1).unwrap();
    let problem = (mass, zero, long);
    for method in [Method::ActiveSet, Method::Sweeps, Method::SweepsWithDelassus] {
        assert_eq!(solve_with(method, &problem, None, &good, &mut ()).err(), Some(SolverError::Overflow));
    }
}

#[test]
fn no_rows_no_room_and_no_freedom_at_all() {
    fn check<const NV: usize>() {
        let problem = Problem {
            mass: (0..NV).map(|i| (0..NV).map(|j| f64::from(u8::from(i == j))).collect()).collect(),
            free: (0..NV).map(|i| i as f64 - 1.0).collect(),
            lines: vec![],
        };
        let built = problem.build::<f32, NV, 0>();
        for method in METHODS {
            for iterations in [0, 5] {
                let answer = solve_with(method, &built, None, &Budget::new(iterations, 0.0), &mut ()).unwrap();
                assert_eq!(answer.acceleration, built.1.as_slice());
                assert_eq!((answer.report.stop, answer.report.iterations), (Stop::Converged, 0));
            }
        }
        let mut rows = built.2;
        let found = rows.finished(Kind::Equality, Rule::Free, &SVector::from_element(1.0), 0.0, 1.0);
        assert_eq!(found, Err(RowsError::TooManyRows { capacity: 0 }));
    }
    check::<0>();
    check::<1>();
    check::<3>();
}

/// A float of any bit pattern, the usual ones included.
fn bits32() -> impl Strategy<Value = f32> {
    prop_oneof![
        2 => any::<u32>().prop_map(f32::from_bits),
        4 => -10.0..10.0f32,
        1 => prop_oneof![Just(0.0f32), Just(-0.0), Just(f32::MAX), Just(f32::MIN_POSITIVE), Just(1e-40), Just(1e-15)],
    ]
}

fn bits64() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => any::<u64>().prop_map(f64::from_bits),
        4 => -10.0..10.0f64,
        1 => prop_oneof![Just(0.0f64), Just(-0.0), Just(f64::MAX), Just(f64::MIN_POSITIVE), Just(5e-324), Just(1e-15)],
    ]
}

/// Whatever the bits: a typed error, or an answer that is finite and allowed.
fn anything<T: Number>(x: &[T], kinds: [usize; 3], iterations: u16, line_search: u16) {
    let mut next = x.iter().copied().cycle();
    let mut number = || next.next().unwrap_or(T::zero());
    let mut mass = MassMatrix::<T, 2>::filled(T::zero());
    let (a, b, c) = (number(), number(), number());
    if mass.set(&SMatrix::<T, 2, 2>::new(a, b, b, c)).is_err() {
        assert!(!mass.is_ready());
        mass.set(&SMatrix::identity()).unwrap();
    }
    let mut rows = Rows::<T, 2, 5>::new();
    let context = RowContext { rules: StepRules::new(number()), impedance_ratio: T::one() };
    let soft = Softness::from_mujoco([number(), number()], [number(), number(), number(), number(), number()])
        .unwrap_or_default();
    for kind in kinds.map(|k| KINDS[k]) {
        let jacobian = SVector::from([number(), number()]);
        let scale = if (kind as u8).is_multiple_of(2) { DiagonalScale::Exact } else { DiagonalScale::Given(number()) };
        let input =
            RowInput { residual: number(), velocity: number(), curvature: number(), jacobian: &jacobian, scale };
        let loss = number();
        let _ = match kind {
            Kind::Equality => rows.equality(&mass, &context, &soft, &[input]),
            Kind::JointFriction | Kind::TendonFriction => {
                rows.friction_loss(&mass, &context, &soft, kind, &input, loss)
            }
            _ => rows.one_sided(&mass, &context, &soft, kind, &input),
        };
        let rule = match rule_of::<T>(kind, 0.0) {
            Rule::Interval { .. } => Rule::Interval { loss },
            rule => rule,
        };
        let _ = rows.finished(kind, rule, &SVector::from([number(), number()]), number(), number());
    }
    let free = SVector::from([number(), number()]);
    let warm = SVector::from([number(), number()]);
    let scale = if iterations.is_multiple_of(2) { Scale::MassTrace } else { Scale::Fixed(number()) };
    let measure = [Measure::Engine, Measure::ForceCorrection, Measure::DualityGap][usize::from(iterations % 3)];
    let budget =
        Budget { iterations, line_search, tolerance: number(), measure, line_search_tolerance: number(), scale };
    let problem = (mass, free, rows);
    for budget in [budget, Budget { iterations, line_search, ..Budget::new(1, T::zero()) }] {
        for warm in [None, Some(&warm)] {
            for method in METHODS {
                if let Ok(answer) = solve_with(method, &problem, warm, &budget, &mut ()) {
                    sound(&problem.2, &budget, &answer);
                }
            }
        }
    }
    let mut work = ProjectionWorkspace::filled(T::zero());
    if soft_projection(&problem.0, &problem.1, &problem.2, &mut work).is_ok() {
        assert!(work.acceleration().iter().chain(work.multiplier()).all(|x| x.is_finite()));
    }
    let _ = delassus::solver::gauss_projection(&problem.0, &problem.1, &problem.2, &mut work);
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn any_bits_give_an_error_or_an_allowed_answer(
        single in proptest::collection::vec(bits32(), 8..60),
        double in proptest::collection::vec(bits64(), 8..60),
        mut kinds in [0usize..6, 0usize..6, 0usize..6],
        iterations in 0u16..12,
        line_search in 0u16..30,
    ) {
        kinds.sort();
        anything::<f32>(&single, kinds, iterations, line_search);
        anything::<f64>(&double, kinds, iterations, line_search);
    }
}
