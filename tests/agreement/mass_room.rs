//! The mass room.

use super::*;

/// M of random bodies: entry by entry, by bodies, and as second differences of the kinetic energy of the bodies.
fn bodies_and_energy<const NV: usize>(seed: u64) {
    let mut noise = Noise(seed);
    let bodies: Vec<BodyInertia<f64, NV>> = (0..NV + 1)
        .map(|_| {
            let half = Matrix3::from_fn(|_, _| noise.number());
            BodyInertia {
                mass: noise.within(0.1, 5.0),
                inertia: half * half.transpose(),
                linear: SMatrix::from_fn(|_, _| noise.number()),
                angular: SMatrix::from_fn(|_, _| noise.number()),
            }
        })
        .collect();
    let armature = SVector::<f64, NV>::from_fn(|_, _| noise.within(0.01, 0.1));
    let energy = |v: &SVector<f64, NV>| -> f64 {
        let moving: f64 = bodies
            .iter()
            .map(|b| {
                let (velocity, spin) = (b.linear * v, b.angular * v);
                b.mass * product(velocity.as_slice(), velocity.as_slice())
                    + product(spin.as_slice(), (b.inertia * spin).as_slice())
            })
            .sum();
        0.5 * (moving + v.iter().zip(armature.iter()).map(|(v, a)| a * v * v).sum::<f64>())
    };
    let mut mass = MassMatrix::<f64, NV>::filled(0.0);
    mass.set_from_bodies(&bodies, &armature).unwrap();
    let unit = |k: usize| SVector::<f64, NV>::from_fn(|i, _| f64::from(u8::from(i == k)));
    let size = mass.trace();
    // The energy is quadratic, so differences over a whole unit are exact.
    let differences =
        SMatrix::<f64, NV, NV>::from_fn(|i, j| energy(&(unit(i) + unit(j))) - energy(&unit(i)) - energy(&unit(j)));
    for j in 0..NV {
        for i in 0..NV {
            assert!((mass.columns()[j][i] - differences[(i, j)]).abs() <= 1e-13 * size);
        }
    }
    let mut again = MassMatrix::<f64, NV>::filled(0.0);
    again.set(&SMatrix::from_fn(|i, j| mass.columns()[j][i])).unwrap();
    assert_eq!(format!("{again:?}"), format!("{mass:?}"));
    // Round trips.
    let x = SVector::<f64, NV>::from_fn(|_, _| noise.mixed(-2.0, 2.0));
    assert!((mass.half_quadratic(&x) - energy(&x)).abs() <= 1e-12 * energy(&x).max(size));
    let mut there_and_back = mass.times(&x);
    mass.solve(&mut there_and_back).unwrap();
    let condition = 1e-13 * mass.amplification();
    assert!((there_and_back - x).amax() <= condition * x.amax() * 100.0);
}

/// On a random forest the tree's factor has the bits of the dense one on every chain, and its solve solves.
fn forest<T: Number, const NV: usize>(seed: u64, bound: f64) {
    let mut noise = Noise(seed);
    let parents: [Option<u8>; NV] =
        core::array::from_fn(|k| (noise.bits() % (k as u64 + 1)).checked_sub(1).map(|p| p as u8));
    // M = Σ over dofs of a positive part on the dof's own chain, which has exactly the tree's zeros.
    let mut entries = [[0.0f64; NV]; NV];
    for k in 0..NV {
        let mut chain = vec![(k, noise.within(0.5, 1.5))];
        let mut above = parents[k];
        while let Some(p) = above {
            chain.push((usize::from(p), noise.number()));
            above = parents[usize::from(p)];
        }
        for (i, x) in &chain {
            for (j, y) in &chain {
                entries[*i][*j] += x * y;
            }
        }
    }
    let on_chain = |k: usize, i: usize| {
        let mut above = Some(k as u8);
        while let Some(p) = above {
            if usize::from(p) == i {
                return true;
            }
            above = parents[usize::from(p)];
        }
        false
    };
    let mut dense: [[T; NV]; NV] =
        core::array::from_fn(|k| core::array::from_fn(|i| literal(entries[i.min(k)][i.max(k)])));
    let mut tree = dense;
    let offset: factor::Parents<NV> = core::array::from_fn(|k| parents[k].map_or(0, |p| p + 1));
    let (mut one, mut two) = ([T::zero(); NV], [T::zero(); NV]);
    let matrix = SMatrix::<T, NV, NV>::from_fn(|i, k| dense[k][i]);
    factor::factor(&mut dense, &mut one).unwrap();
    factor::factor_tree(&mut tree, &mut two, &offset).unwrap();
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
    for k in 0..NV {
        for i in 0..=k {
            if on_chain(k, i) {
                assert_eq!(format!("{:?}", dense[k][i]), format!("{:?}", tree[k][i]));
            } else {
                assert!(dense[k][i] == T::zero()); // the dense factor fills nothing in
            }
        }
    }
    let (mut plain, mut branched) = (MassMatrix::<T, NV>::filled(T::zero()), MassMatrix::<T, NV>::filled(T::zero()));
    plain.set(&matrix).unwrap();
    branched.set(&matrix).unwrap();
    branched.set_parents(&parents).unwrap();
    assert!(!branched.is_ready());
    // Off the chains anything may stand: it is taken as zero, by product and solve alike.
    let junk =
        SMatrix::<T, NV, NV>::from_fn(|i, k| if on_chain(i.max(k), i.min(k)) { matrix[(i, k)] } else { literal(7.0) });
    branched.set(&junk).unwrap();
    let x = SVector::<T, NV>::from_fn(|_, _| literal(noise.number()));
    let (mut y, mut z) = (plain.times(&x), branched.times(&x));
    assert_eq!(y, z);
    plain.solve(&mut y).unwrap();
    branched.solve(&mut z).unwrap();
    let amplification: f64 = plain.amplification().into();
    let size: f64 = x.amax().into();
    for i in 0..NV {
        let (y, z, x): (f64, f64, f64) = (y[i].into(), z[i].into(), x[i].into());
        let allowed = bound * amplification * amplification * size;
        assert!((y - x).abs() <= allowed && (z - x).abs() <= allowed, "{y} {z} {x} {amplification}");
    }
}

/// The factor by the textbook's loops, one product after another.
fn plain_factor<T: Real, const NV: usize>(columns: &mut [[T; NV]; NV], inverse: &mut [T; NV]) {
    for k in (0..NV).rev() {
        let column = columns[k];
        inverse[k] = T::one() / column[k];
        for i in 0..k {
            columns[k][i] = column[i] * inverse[k];
            for j in 0..=i {
                columns[i][j] -= columns[k][i] * column[j];
            }
        }
    }
}

/// x ← M⁻¹ x by the textbook's loops: every number first loses its products from the last to the first, then sums them from the first on.
fn plain_solve<T: Real, const NV: usize>(columns: &[[T; NV]; NV], inverse: &[T; NV], x: &mut [T; NV]) {
    for i in (0..NV).rev() {
        for k in (i + 1..NV).rev() {
            x[i] -= columns[k][i] * x[k];
        }
    }
    for k in 0..NV {
        x[k] *= inverse[k];
    }
    for k in 0..NV {
        let mut sum = T::zero();
        for i in 0..k {
            sum += columns[k][i] * x[i];
        }
        x[k] -= sum;
    }
}

/// Tiles and strips change the order of no sum: factor, solve and product have the bits of the plain loops, for every width of the odd
/// tile, with blocks of zeros, from a matrix that is symmetric to the last bit or only up to rounding.
fn tiles_and_loops<T: Number, const NV: usize>(seed: u64) {
    let mut noise = Noise(seed);
    let root: [[f64; NV]; NV] = core::array::from_fn(|_| core::array::from_fn(|_| noise.mixed(-2.0, 0.0)));
    let zero: [u64; NV] = core::array::from_fn(|_| noise.bits() % 3);
    let entries: [[f64; NV]; NV] = core::array::from_fn(|k| {
        core::array::from_fn(|i| {
            let own = if i == k { noise.within(0.5, 2.0) } else { 0.0 };
            if zero[k] != zero[i] { 0.0 } else { own + product(&root[k], &root[i]) }
        })
    });
    let matrix: [[T; NV]; NV] =
        core::array::from_fn(|k| core::array::from_fn(|i| literal(entries[i.min(k)][i.max(k)])));
    let (mut tiles, mut loops) = (matrix, matrix);
    let (mut one, mut two) = ([T::zero(); NV], [T::zero(); NV]);
    factor::factor(&mut tiles, &mut one).unwrap();
    plain_factor(&mut loops, &mut two);
    assert_eq!(one, two);
    for k in 0..NV {
        assert_eq!(tiles[k][..=k], loops[k][..=k], "{NV} dofs, column {k}");
    }
    let x: [T; NV] = core::array::from_fn(|_| literal(noise.mixed(-2.0, 2.0)));
    let (mut y, mut z) = (x, x);
    factor::solve(&tiles, &one, &mut y);
    plain_solve(&loops, &two, &mut z);
    assert_eq!(y, z, "{NV} dofs, solve");
    // Below the diagonal a rounding more or less is allowed, and not used.
    let ragged = |k: usize, i: usize| {
        let off = if seed % 2 == 1 && i > k { T::default_epsilon() * matrix[k][k] } else { T::zero() };
        matrix[k][i] + off
    };
    let mut mass = MassMatrix::<T, NV>::filled(T::zero());
    mass.set(&SMatrix::from_fn(|i, k| ragged(k, i))).unwrap();
    assert_eq!(mass.columns(), &matrix);
    let vector = SVector::from(x);
    let mut solved = vector;
    mass.solve(&mut solved).unwrap();
    assert_eq!(solved.as_slice(), z, "{NV} dofs, solve of a mass matrix");
    let times = mass.times(&vector);
    for i in 0..NV {
        let mut sum = T::zero();
        for k in 0..NV {
            sum += matrix[k][i] * x[k];
        }
        assert_eq!(times[i], sum, "{NV} dofs, product {i}");
    }
}

#[test]
fn the_factor_in_tiles_has_the_bits_of_the_plain_loops() {
    macro_rules! sizes {
        ($($nv:literal)*) => { $(for seed in 0..40 {
            tiles_and_loops::<f64, $nv>(seed);
            tiles_and_loops::<f32, $nv>(seed);
        })* };
    }
    // Every width of the odd block, on either side of the sizes at which single precision changes between tiles and strips.
    sizes!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 21 22 23 24 32);
}

/// What is below the diagonal is not read: not numbers of no meaning, nor what the factor of a matrix with other zeros left there. Branches of
/// three to five dofs, so that whole tiles are zero between others that are not.
fn branches_after_a_full_matrix<T: Number, const NV: usize>(seed: u64) {
    let mut noise = Noise(seed);
    let width = 3 + (noise.bits() % 3) as usize;
    let mut above: Vec<Option<usize>> = vec![None];
    for branch in 1..NV.div_ceil(width) {
        above.push((noise.within(0.0, 4.0) >= 1.0).then(|| (noise.bits() % branch as u64) as usize));
    }
    let moves = |i: usize, k: usize| {
        let mut branch = Some(k / width);
        while branch.is_some_and(|branch| branch > i / width) {
            branch = branch.and_then(|branch| above[branch]);
        }
        branch == Some(i / width)
    };
    let mut matrix = [[T::zero(); NV]; NV];
    for k in 0..NV {
        matrix[k][k] = literal(NV as f64 + 1.0);
        for i in 0..k {
            if moves(i, k) {
                matrix[k][i] = literal(noise.mixed(-2.0, 0.0));
                matrix[i][k] = matrix[k][i];
            }
        }
    }
    let (mut loops, mut inverse) = (matrix, [T::zero(); NV]);
    plain_factor(&mut loops, &mut inverse);
    let x: [T; NV] = core::array::from_fn(|_| literal(noise.mixed(-2.0, 2.0)));
    let mut expected = x;
    plain_solve(&loops, &inverse, &mut expected);

    let mut columns = matrix;
    for k in 0..NV {
        for i in k + 1..NV {
            columns[k][i] = literal(f64::NAN);
        }
    }
    factor::factor(&mut columns, &mut inverse).unwrap();
    for k in 0..NV {
        assert_eq!(columns[k][..=k], loops[k][..=k], "{NV} dofs, column {k}");
    }
    let mut mass = MassMatrix::<T, NV>::filled(T::zero());
    let full = |i: usize, k: usize| literal(if i == k { 2.0 * NV as f64 } else { 1.0 + 0.5 / (1 + i + k) as f64 });
    mass.set(&SMatrix::from_fn(full)).unwrap();
    mass.set(&SMatrix::from_fn(|i, k| matrix[k][i])).unwrap();
    let mut solved = SVector::from(x);
    mass.solve(&mut solved).unwrap();
    assert_eq!(solved.as_slice(), expected, "{NV} dofs, seed {seed}");
}

/// M = Lᵀ D L of small whole numbers, exact in both precisions: L has a tile of zeros where M has none.
#[test]
fn a_tile_that_the_products_cancel_is_zero() {
    fn cancel<T: Number, const NV: usize>() {
        let factored = |k: usize, i: usize| match (k / 4, i / 4) {
            (2, 0) | (2, 1) if k < 12 => ((k + i) % 3 + 1) as f64,
            _ => f64::from(u8::from(k == i)),
        };
        let matrix: [[T; NV]; NV] = core::array::from_fn(|i| {
            core::array::from_fn(|j| literal((0..NV).map(|k| factored(k, i) * factored(k, j)).sum()))
        });
        let (mut columns, mut inverse) = (matrix, [T::zero(); NV]);
        factor::factor(&mut columns, &mut inverse).unwrap();
        for k in 0..NV {
            for i in 0..=k {
                assert_eq!(columns[k][i], literal(factored(k, i)), "{NV} dofs, L({k}, {i})");
            }
        }
    }
    cancel::<f64, 12>();
    cancel::<f64, 15>();
    cancel::<f32, 21>();
    cancel::<f32, 24>();
}

#[test]
fn an_earlier_factor_leaves_no_trace() {
    macro_rules! sizes {
        ($($nv:literal)*) => { $(for seed in 1..40 {
            branches_after_a_full_matrix::<f64, $nv>(seed);
            branches_after_a_full_matrix::<f32, $nv>(seed);
        })* };
    }
    sizes!(4 8 9 10 12 13 14 15 16 19 20 21 22 23 24 27 32 36);
}

/// A pivot that is not positive is named, whichever tile it is in.
#[test]
fn the_factor_in_tiles_names_the_pivot() {
    fn names<T: Number, const NV: usize>() {
        for bad in 0..NV {
            for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
                let mut columns: [[T; NV]; NV] =
                    core::array::from_fn(|k| core::array::from_fn(|i| if i == k { T::one() } else { T::zero() }));
                columns[bad][bad] = literal(value);
                let error = factor::factor(&mut columns, &mut [T::zero(); NV]).unwrap_err();
                assert_eq!(error, MassError::NotPositiveDefinite { pivot: bad as u16 });
            }
        }
    }
    names::<f64, 11>(); // in strips
    names::<f32, 9>();
    names::<f32, 15>(); // in tiles of 3 × 3, and of 4 × 4 with an odd one
    names::<f32, 19>();
}

/// One entry that has no mirror image or is not finite is found wherever it is.
#[test]
fn one_entry_that_spoils_the_symmetry_is_named() {
    fn spoil<T: Number, const NV: usize>() {
        let identity = SMatrix::<T, NV, NV>::identity();
        let mut mass = MassMatrix::<T, NV>::filled(T::zero());
        for k in 0..NV {
            for i in 0..NV {
                for value in [f64::NAN, f64::INFINITY, 1e-3] {
                    let mut matrix = identity;
                    matrix[(i, k)] = literal(value);
                    let expected = match (value.is_finite(), i.cmp(&k)) {
                        (false, _) => Err(MassError::NotFinite { column: k as u16 }),
                        (true, core::cmp::Ordering::Equal) => Ok(()),
                        _ => Err(MassError::NotSymmetric { row: i.max(k) as u16, column: i.min(k) as u16 }),
                    };
                    assert_eq!(mass.set(&matrix), expected);
                    assert_eq!(mass.is_ready(), expected.is_ok());
                }
            }
        }
        // Infinite on both sides: no difference tells.
        if NV > 1 {
            let mut matrix = identity;
            matrix[(0, NV - 1)] = literal(f64::INFINITY);
            matrix[(NV - 1, 0)] = literal(f64::INFINITY);
            assert_eq!(mass.set(&matrix), Err(MassError::NotFinite { column: 0 }));
        }
    }
    spoil::<f32, 1>();
    spoil::<f32, 9>();
    spoil::<f32, 14>();
    spoil::<f64, 4>();
    spoil::<f64, 11>();
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn mass_matrix_of_bodies_is_the_second_difference_of_kinetic_energy(seed in any::<u64>()) {
        bodies_and_energy::<1>(seed);
        bodies_and_energy::<3>(seed);
        bodies_and_energy::<6>(seed);
    }

    #[test]
    fn the_factor_of_a_tree_is_the_dense_one_without_its_zeros(seed in any::<u64>()) {
        forest::<f64, 2>(seed, 1e-13);
        forest::<f64, 7>(seed, 1e-13);
        forest::<f32, 7>(seed, 1e-4);
        forest::<f32, 12>(seed, 1e-4);
    }
}

/// J M⁻¹ Jᵀ is a sum of squares, so that no row is refused for a scale below zero. On an M of rank 1 or 2 that only the rounding of
/// `f32` makes positive definite, the plain product of J and M⁻¹ Jᵀ can come out negative.
#[test]
fn the_scale_of_a_row_is_not_negative_however_singular_the_mass_matrix() {
    fn scaled<const NV: usize, const RANK: usize>(
        thin: SMatrix<f64, NV, RANK>,
        along: SVector<f64, RANK>,
        ridge: f64,
    ) -> Option<bool> {
        let matrix = (thin * thin.transpose() + SMatrix::identity() * ridge).map(|x| x as f32);
        let jacobian = (thin * along).map(|x| x as f32);
        let mut mass = MassMatrix::<f32, NV>::filled(0.0);
        mass.set(&matrix).ok()?;
        let mut response = jacobian;
        mass.solve(&mut response).unwrap();
        let mut rows = Rows::<f32, NV, 1>::new();
        let input = RowInput::new(&jacobian, -0.01, 0.0);
        rows.one_sided(&mass, &RowContext::new(0.001), &Softness::default(), Kind::JointLimit, &input).unwrap();
        assert!(rows.rows()[0].regularizer() > 0.0);
        Some(delassus::scalar::dot(jacobian.as_slice(), response.as_slice()) < 0.0)
    }
    // Two of those where the product is negative, picked from a hundred thousand.
    let one = SMatrix::<f64, 5, 1>::from_column_slice(&[0.905, 0.582, -0.245, 0.247, 0.298]);
    assert_eq!(scaled(one, SVector::from([0.526]), 1e-8), Some(true));
    let two = [[0.13, -0.56, 0.22, 0.45, 0.7, 0.83], [0.03, 0.07, -0.16, 0.67, 0.66, -0.21]];
    assert_eq!(scaled(SMatrix::<f64, 6, 2>::from_fn(|i, j| two[j][i]), SVector::from([-0.76, -0.55]), 0.0), Some(true));
    let mut noise = Noise(3);
    let mut ready = 0;
    for case in 0..5000 {
        let thin = SMatrix::<f64, 6, 2>::from_fn(|_, _| noise.number());
        let along = SVector::from_fn(|_, _| noise.number());
        ready += usize::from(scaled(thin, along, [1e-8, 1e-7, 1e-6][case % 3]).is_some());
    }
    assert!(ready > 3000, "{ready}");
}
