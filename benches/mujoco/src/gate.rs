//! The stopwatch. Other machines share the processor and slow it down for seconds at a time, so a batch of calls counts only if a
//! reference kernel right before and right after it ran near its quiet time, and is scaled to that time. What is to be compared
//! takes turns, batch by batch.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Something to be timed.
pub trait Runs {
    /// As many calls, each from the same state.
    fn run(&mut self, calls: usize);
}

impl<F: FnMut()> Runs for F {
    fn run(&mut self, calls: usize) {
        for _ in 0..calls {
            self();
        }
    }
}

/// Fewer accepted batches than this, and all of them are taken.
const FEWEST: usize = 15;
/// How much slower than quiet the reference may be.
const GATE: f64 = 1.12;

pub struct Gate {
    quiet: f64,
    batch: Duration,
    batches: usize,
    patience: Duration,
    kernel: Kernel,
    /// Medians that had to be taken from batches that were not quiet.
    pub noisy: usize,
    pub medians: usize,
}

impl Gate {
    /// Finds the quiet time of the reference.
    pub fn new(fast: bool) -> Self {
        let mut kernel = Kernel::new();
        let until = Instant::now() + Duration::from_millis(if fast { 300 } else { 3000 });
        let mut samples = Vec::new();
        while Instant::now() < until {
            samples.push(kernel.time());
        }
        samples.sort_by(f64::total_cmp);
        let quiet = samples[samples.len() / 20];
        eprintln!("reference kernel: quiet {quiet:.0} ns, median {:.0} ns", samples[samples.len() / 2]);
        let (batch, batches, patience) = if fast { (20, 7, 20) } else { (50, 61, 250) };
        Self {
            quiet,
            batch: Duration::from_micros(batch),
            batches,
            patience: Duration::from_millis(patience),
            kernel,
            noisy: 0,
            medians: 0,
        }
    }

    /// Nanoseconds per call of each, taking turns.
    pub fn medians<const N: usize>(&mut self, rivals: [&mut dyn Runs; N]) -> [f64; N] {
        let mut rivals = rivals;
        self.race(&mut rivals, self.batches).try_into().expect("as many")
    }

    /// The same of a list, with few batches: to see which is fastest.
    pub fn glance(&mut self, rivals: &mut [&mut dyn Runs]) -> Vec<f64> {
        let counted = (self.noisy, self.medians);
        let times = self.race(rivals, 5);
        (self.noisy, self.medians) = counted;
        times
    }

    fn race(&mut self, rivals: &mut [&mut dyn Runs], wanted: usize) -> Vec<f64> {
        let calls: Vec<usize> = rivals.iter_mut().map(|rival| self.calls(&mut **rival)).collect();
        let mut accepted = vec![Vec::new(); rivals.len()];
        let mut all = accepted.clone();
        let fewest = FEWEST.min(wanted);
        let start = Instant::now();
        let mut before = self.kernel.time();
        while accepted.iter().any(|list| list.len() < wanted) {
            for (k, rival) in rivals.iter_mut().enumerate() {
                let begin = Instant::now();
                rival.run(calls[k]);
                let taken = begin.elapsed().as_nanos() as f64 / calls[k] as f64;
                let after = self.kernel.time();
                let scaled = taken * 2.0 * self.quiet / (before + after);
                all[k].push(scaled);
                if before < GATE * self.quiet && after < GATE * self.quiet {
                    accepted[k].push(scaled);
                }
                before = after;
            }
            if start.elapsed() > self.patience && all[0].len() >= fewest {
                break;
            }
        }
        let median = |mut list: Vec<f64>| {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        self.medians += rivals.len();
        let chosen = accepted.into_iter().zip(all).map(|(accepted, all)| {
            let quiet = accepted.len() >= fewest;
            self.noisy += usize::from(!quiet);
            median(if quiet { accepted } else { all })
        });
        chosen.collect()
    }

    /// How many calls make a batch.
    fn calls(&self, rival: &mut dyn Runs) -> usize {
        rival.run(3);
        let mut calls = 1;
        loop {
            let begin = Instant::now();
            rival.run(calls);
            let taken = begin.elapsed();
            if taken * 4 > self.batch {
                return (calls as f64 * self.batch.as_secs_f64() / taken.as_secs_f64()) as usize + 1;
            }
            calls *= 2;
        }
    }
}

/// Products of two 12 × 12 matrices, about as mixed in arithmetic and loads as what is measured.
struct Kernel {
    a: [[f64; 12]; 12],
    b: [[f64; 12]; 12],
}

impl Kernel {
    fn new() -> Self {
        let entry =
            |sign: f64| std::array::from_fn(|i| std::array::from_fn(|j| 1.0 + sign * (12 * i + j) as f64 * 1e-3));
        Self { a: entry(1.0), b: entry(-1.0) }
    }

    #[inline(never)]
    fn products(&mut self) {
        for _ in 0..9 {
            let (a, b) = (black_box(&self.a), black_box(&self.b));
            let mut c = [[0.0; 12]; 12];
            for i in 0..12 {
                for k in 0..12 {
                    for j in 0..12 {
                        c[i][j] += a[i][k] * b[k][j];
                    }
                }
            }
            black_box(&c);
        }
    }

    fn time(&mut self) -> f64 {
        let begin = Instant::now();
        self.products();
        begin.elapsed().as_nanos() as f64
    }
}
