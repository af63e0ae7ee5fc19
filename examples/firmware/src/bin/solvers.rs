//! Instructions of each solver by size: 2, 6, 18 dofs with 2, 12, 24 rows, from a_u, M and rows standing; and one Newton iteration at
//! 18 dofs beside one 18 × 18 factor and solve in place.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;
use core::hint::black_box;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::mass::factor;
use delassus_firmware::{Counter, exit};
use scenes::Hash;
use scenes::sizes::{self, Sized, Solver};

type Memory<const NV: usize, const NR: usize> = Mutex<RefCell<Sized<f32, NV, NR>>>;

static D2R2: Memory<2, 2> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D2R12: Memory<2, 12> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D2R24: Memory<2, 24> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D6R2: Memory<6, 2> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D6R12: Memory<6, 12> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D6R24: Memory<6, 24> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D18R2: Memory<18, 2> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D18R12: Memory<18, 12> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static D18R24: Memory<18, 24> = Mutex::new(RefCell::new(Sized::filled(0.0)));
static COLUMNS: Mutex<RefCell<[[f32; 18]; 18]>> = Mutex::new(RefCell::new([[0.0; 18]; 18]));

#[inline(never)]
fn measure<const NV: usize, const NR: usize>(memory: &Memory<NV, NR>, counter: &mut Counter, hash: &mut Hash) {
    critical_section::with(|token| {
        let Ok(mut memory) = memory.borrow(token).try_borrow_mut() else { return };
        sizes::one(&mut memory, &mut |x| hash.add(x));
        for solver in Solver::ALL {
            let (report, instructions) = counter.count(|| memory.solve(solver));
            let Ok(report) = report else { continue };
            defmt::info!(
                "solver {=usize} dofs {=usize} rows {=str} {} iterations {=u16}",
                NV,
                NR,
                solver.name(),
                instructions,
                report.iterations
            );
        }
    });
}

/// One iteration: what a solve of one iteration takes beyond a solve of none.
#[inline(never)]
fn iteration<const NR: usize>(memory: &Memory<18, NR>, counter: &mut Counter) {
    critical_section::with(|token| {
        let Ok(mut memory) = memory.borrow(token).try_borrow_mut() else { return };
        let Ok(mut columns) = COLUMNS.borrow(token).try_borrow_mut() else { return };
        *columns = memory.entries.data.0;
        let (mut inverse, mut x) = ([0.0f32; 18], [1.0f32; 18]);
        let (factored, both) = counter.count(|| {
            let factored = factor::factor(&mut columns, &mut inverse).is_ok();
            factor::solve(&columns, &inverse, black_box(&mut x));
            factored
        });
        let (_, none) = counter.count(|| memory.newton_iterations(0));
        let (report, one) = counter.count(|| memory.newton_iterations(1));
        let made = report.map_or(0, |report| report.iterations);
        let (Some(both), Some(none), Some(one)) = (both, none, one) else { return };
        if !factored || made != 1 {
            return;
        }
        let ratio = (one - none) as f32 / both as f32;
        defmt::info!(
            "iteration 18 dofs {=usize} rows: {=u32} instructions, {=f32} times one 18x18 factor and solve of {=u32}; solve of none {=u32}, of one {=u32}",
            NR,
            one - none,
            ratio,
            both,
            none,
            one
        );
    });
}

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    let mut hash = Hash::new();
    measure(&D2R2, &mut counter, &mut hash);
    measure(&D2R12, &mut counter, &mut hash);
    measure(&D2R24, &mut counter, &mut hash);
    measure(&D6R2, &mut counter, &mut hash);
    measure(&D6R12, &mut counter, &mut hash);
    measure(&D6R24, &mut counter, &mut hash);
    measure(&D18R2, &mut counter, &mut hash);
    measure(&D18R12, &mut counter, &mut hash);
    measure(&D18R24, &mut counter, &mut hash);
    iteration(&D18R2, &mut counter);
    iteration(&D18R12, &mut counter);
    iteration(&D18R24, &mut counter);
    defmt::info!("scene solvers {=u64:016x} {=u32}", hash.value, hash.count);
    exit(true)
}
