//! Scaling and padding.

use super::*;

/// S11-33: r → γ r gives J → γ J, R → γ² R, a_ref → γ a_ref, f → f/γ, and loses nothing of Jᵀ f.
pub(super) fn scaled_row<T: Number, const NV: usize>(p: &Problem, seed: u64, powers_of_two: bool, bound: f64) {
    let mut noise = Noise(seed);
    let (mut other, mut factors) = (p.clone(), vec![]);
    for l in &mut other.lines {
        let gamma =
            if powers_of_two { 2f64.powi((noise.bits() % 13) as i32 - 6) } else { 10f64.powf(noise.within(-2.0, 2.0)) };
        for j in &mut l.jacobian {
            *j *= gamma;
        }
        l.reference *= gamma;
        l.regularizer *= gamma * gamma;
        l.loss /= gamma;
        factors.push(gamma);
    }
    let (one, two) = (p.build::<T, NV, NR>(), other.build::<T, NV, NR>());
    for method in METHODS {
        let budget = generous(40, Measure::DualityGap);
        let a = solve_with(method, &one, None, &budget, &mut ()).unwrap();
        let b = solve_with(method, &two, None, &budget, &mut ()).unwrap();
        if powers_of_two && method == Method::Newton {
            // Scaling by powers of two rounds nothing, so even the bits agree; the correction, a maximum over rows, is another.
            assert_eq!(format!("{:?}", a.acceleration), format!("{:?}", b.acceleration));
            assert_eq!(a.report.iterations, b.report.iterations);
            for ((f, g), gamma) in a.force.iter().zip(&b.force).zip(&factors) {
                assert_eq!(*f, *g * literal(*gamma));
            }
        } else if method == Method::Newton {
            let wide: Vec<f64> = a.acceleration.iter().map(|x| (*x).into()).collect();
            let relative = error(p, &b.acceleration, &wide);
            assert!(relative <= bound, "{relative:e} {bound:e} {:?} {:?}", a.report, b.report);
            let power = |rows: &Rows<T, NV, NR>, f: &[T]| -> Vec<f64> {
                rows.generalized_force(f).iter().map(|x| (*x).into()).collect()
            };
            let (x, y) = (power(&one.2, &a.force), power(&two.2, &b.force));
            let size = p.mass.iter().map(|row| row.iter().map(|m| m.abs()).sum::<f64>()).fold(0.0, f64::max)
                * wide.iter().chain(&p.free).map(|a| a.abs()).fold(0.0, f64::max);
            for (x, y) in x.iter().zip(&y) {
                assert!((x - y).abs() <= bound * 100.0 * size, "{x} {y}");
            }
        }
    }
}

/// Two more dofs of unit diagonal that no row sees, and room for more rows, change no bit of the rest.
fn padded<T: Number, const NV: usize, const MORE: usize>(p: &Problem) {
    let (one, two) = (p.build::<T, NV, 12>(), p.build::<T, MORE, 15>());
    let trace: f64 = one.0.trace().into();
    for method in METHODS {
        for iterations in [0, 1, 3, 30] {
            for line_search in [0, 60] {
                let scale = Scale::Fixed(literal(1.0 / trace));
                let budget = Budget { scale, line_search, ..Budget::new(iterations, T::zero()) };
                let warm = SVector::<T, NV>::from_fn(|i, _| literal(i as f64 - 0.7));
                let wide = SVector::<T, MORE>::from_fn(|i, _| if i < NV { warm[i] } else { T::zero() });
                let a = solve_with(method, &one, Some(&warm), &budget, &mut ()).unwrap();
                let b = solve_with(method, &two, Some(&wide), &budget, &mut ()).unwrap();
                assert_eq!(format!("{:?}", a.acceleration), format!("{:?}", &b.acceleration[..NV]));
                assert_eq!(format!("{:?} {:?}", a.force, a.report), format!("{:?} {:?}", b.force, b.report));
                assert!(b.acceleration[NV..].iter().all(|x| *x == T::zero()));
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn a_scaled_residual_scales_its_force_and_nothing_else(r in recipe(1..=6, -1.0, -3.0)) {
        let p = r.problem();
        by_freedoms!(r.nv, scaled_row::<f64>(&p, r.seed, false, 1e-10));
        by_freedoms!(r.nv, scaled_row::<f64>(&p, r.seed, true, 0.0));
        let p = p.single();
        by_freedoms!(r.nv, scaled_row::<f32>(&p, r.seed, true, 0.0));
        let bound = 30.0 * (sensitivity(&p, r.seed) + f64::from(f32::EPSILON));
        by_freedoms!(r.nv, scaled_row::<f32>(&p, r.seed, false, bound));
    }

    #[test]
    fn padding_changes_no_bit(r in recipe(1..=6, -1.0, -4.0)) {
        let p = r.problem();
        match r.nv {
            1 => { padded::<f32, 1, 3>(&p); padded::<f64, 1, 3>(&p) }
            2 | 3 => { let p = Recipe { nv: 3, ..r }.problem(); padded::<f32, 3, 4>(&p); padded::<f64, 3, 4>(&p) }
            _ => { let p = Recipe { nv: 5, ..r }.problem(); padded::<f32, 5, 8>(&p); padded::<f64, 5, 8>(&p) }
        }
    }
}
