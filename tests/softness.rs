//! Soft rows against the worked numbers.
use delassus::softness::*;
#[test]
fn w12_2h_smoke() {
    let p = Impedance::from_solimp([0.9f64, 0.3, 0.1, 0.3, 3.0]).unwrap().at(-0.02);
    assert!((p.value() - 0.846666666666667).abs() < 1e-14 && (p.slope() - 8.0).abs() < 1e-12);
    let s = Softness::from_mujoco([0.02, 1.0], [0.9, 0.95, 0.02, 0.5, 2.0f64]).unwrap();
    let g = s.gains(&StepRules::new(0.005));
    assert!((g.stiffness - 2770.08310249307).abs() < 1e-9 && (g.damping - 105.263157894737).abs() < 1e-11);
}
