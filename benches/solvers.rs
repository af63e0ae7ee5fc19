//! Time of each solver by size, in f64 and f32; and one Newton iteration at 18 dofs beside one 18 × 18 factor and solve in place.
//!
//! `cargo bench` for all, `cargo bench -- 18x24` for a size. The problems are those of `examples/scenes/sizes.rs`, which the chip solves
//! too.

#[path = "../examples/scenes/mod.rs"]
mod scenes;

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BatchSize, BenchmarkGroup, Criterion};
use delassus::mass::factor;
use delassus::scalar::Real;
use scenes::sizes::{Sized, Solver};

fn prepared<T: Real, const NV: usize, const NR: usize>() -> Box<Sized<T, NV, NR>> {
    let mut memory = Box::new(Sized::filled(T::zero()));
    memory.prepare().expect("a sound problem");
    memory
}

/// Every solver at one size, M and rows standing, from a_u.
fn size<T: Real, const NV: usize, const NR: usize>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let mut memory = prepared::<T, NV, NR>();
    for solver in Solver::ALL {
        let name = format!("{}/{NV}x{NR}/{}", solver.name(), std::any::type_name::<T>());
        group.bench_function(name, |b| b.iter(|| black_box(&mut *memory).solve(solver)));
    }
}

fn sizes<T: Real>(group: &mut BenchmarkGroup<'_, WallTime>) {
    size::<T, 2, 2>(group);
    size::<T, 2, 12>(group);
    size::<T, 2, 24>(group);
    size::<T, 6, 2>(group);
    size::<T, 6, 12>(group);
    size::<T, 6, 24>(group);
    size::<T, 18, 2>(group);
    size::<T, 18, 12>(group);
    size::<T, 18, 24>(group);
}

fn factor_and_solve<T: Real>(columns: &mut [[T; 18]; 18]) -> [T; 18] {
    let (mut inverse, mut x) = ([T::zero(); 18], [T::one(); 18]);
    factor::factor(columns, &mut inverse).expect("positive definite");
    factor::solve(columns, &inverse, &mut x);
    x
}

/// The same as benchmarks: a solve of no iteration, of one, and the factor with its solve.
fn iteration<T: Real, const NR: usize>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let mut memory = prepared::<T, 18, NR>();
    let scalar = std::any::type_name::<T>();
    for iterations in [0, 1] {
        let name = format!("newton_{iterations}/18x{NR}/{scalar}");
        group.bench_function(name, |b| b.iter(|| black_box(&mut *memory).newton_iterations(iterations)));
    }
    let entries = memory.entries.data.0;
    group.bench_function(format!("factor_and_solve/18x{NR}/{scalar}"), |b| {
        b.iter_batched_ref(|| entries, factor_and_solve, BatchSize::SmallInput);
    });
}

/// The multiple itself. The three are timed in turns, so that a change of the machine's clock meets all of them; the fastest turn counts.
fn multiple<T: Real, const NR: usize>() {
    const EACH: u32 = 64;
    let mut memory = prepared::<T, 18, NR>();
    let entries = memory.entries.data.0;
    let mut copies = vec![entries; EACH as usize];
    let mut fastest = [Duration::MAX; 3];
    let mut note = |which: usize, start: Instant| fastest[which] = fastest[which].min(start.elapsed());
    for _ in 0..2000 {
        copies.fill(entries);
        let start = Instant::now();
        for columns in &mut copies {
            black_box(factor_and_solve(black_box(columns)));
        }
        note(0, start);
        for iterations in [0, 1] {
            let start = Instant::now();
            for _ in 0..EACH {
                let report = black_box(&mut *memory).newton_iterations(iterations).expect("solved");
                assert_eq!(report.iterations, iterations);
            }
            note(1 + usize::from(iterations), start);
        }
    }
    let [both, none, one] = fastest.map(|t| t.as_secs_f64() * 1e9 / f64::from(EACH));
    println!(
        "one Newton iteration, 18 dofs, {NR} rows, {}: {:.0} ns, {:.2} times one factor and solve of {both:.0} ns \
         (solve of no iteration {none:.0} ns, of one {one:.0} ns)",
        std::any::type_name::<T>(),
        one - none,
        (one - none) / both
    );
}

fn main() {
    let mut criterion = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(400))
        .without_plots()
        .configure_from_args();
    let mut group = criterion.benchmark_group("solvers");
    sizes::<f64>(&mut group);
    sizes::<f32>(&mut group);
    group.finish();
    let mut group = criterion.benchmark_group("iteration");
    iteration::<f64, 24>(&mut group);
    iteration::<f32, 24>(&mut group);
    group.finish();
    multiple::<f64, 2>();
    multiple::<f64, 12>();
    multiple::<f64, 24>();
    multiple::<f32, 2>();
    multiple::<f32, 12>();
    multiple::<f32, 24>();
    criterion.final_summary();
}
