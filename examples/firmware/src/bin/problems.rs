//! P2, P12, P12C and P12E on the chip: instructions of each solver, cold (from M, J, R, b) and warm (next tick, M and rows standing).
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::solver::{active_set_again, newton_again};
use delassus_firmware::{Counter, StackGauge, exit};
use nalgebra::SVector;
use scenes::Hash;
use scenes::problems::{self, Memory, Method, P2, P12, P12C, P12E, Problem};

static SMALL: Mutex<RefCell<Memory<2, 2, 0>>> = Mutex::new(RefCell::new(Memory::new()));
static LARGE: Mutex<RefCell<Memory<12, 12, 0>>> = Mutex::new(RefCell::new(Memory::new()));
static REDUNDANT: Mutex<RefCell<Memory<6, 12, 0>>> = Mutex::new(RefCell::new(Memory::new()));
static CONTACTS: Mutex<RefCell<Memory<6, 12, 4>>> = Mutex::new(RefCell::new(Memory::new()));

fn measure<const NV: usize, const NR: usize, const NC: usize>(
    name: &str,
    problem: &Problem<NV, NR>,
    memory: &mut Memory<NV, NR, NC>,
    counter: &mut Counter,
    hash: &mut Hash,
) {
    problems::one(problem, memory, &mut |x| hash.add(x));
    for method in Method::ALL {
        let gauge = StackGauge::paint();
        let (report, cold) = counter.count(|| {
            problems::prepare(problem, memory)?;
            problems::solve(memory, method, &SVector::repeat(0.0), None)
        });
        let used = gauge.used();
        let Ok(report) = report else { continue };
        let error = memory.error(method, &problem.force);
        let last = memory.acceleration(method);
        let (_, again) = counter.count(|| problems::solve(memory, method, &problems::disturbed(), Some(&last)));
        defmt::info!(
            "count {=str} {=str} cold {} iterations {=u16} warm {} error {=f32} stack_bytes {=u32}",
            name,
            method.name(),
            cold,
            report.iterations,
            again,
            error,
            used
        );
    }
    again(name, problem, memory, counter);
    defmt::info!("ram {=str} {=usize}", name, core::mem::size_of::<Memory<NV, NR, NC>>());
}

/// The warm solves by [`newton_again`] and [`active_set_again`], which are told that M and rows stand.
#[inline(never)] // its stack is not that of the solves above
fn again<const NV: usize, const NR: usize, const NC: usize>(
    name: &str,
    problem: &Problem<NV, NR>,
    memory: &mut Memory<NV, NR, NC>,
    counter: &mut Counter,
) {
    let ready = problems::prepare(problem, memory)
        .and_then(|()| problems::solve(memory, Method::Newton, &SVector::repeat(0.0), None));
    let Memory { mass, rows, newton, .. } = memory;
    let budget = problems::budget(Method::Newton);
    let (report, count) = counter.count(|| newton_again(mass, &problems::disturbed(), rows, &budget, newton));
    if let (Ok(_), Ok(report)) = (ready, report) {
        defmt::info!("count {=str} newton again {} iterations {=u16}", name, count, report.iterations);
    }
    let ready = problems::prepare(problem, memory)
        .and_then(|()| problems::solve(memory, Method::ActiveSet, &SVector::repeat(0.0), None));
    let Memory { mass, rows, active_set, .. } = memory;
    let budget = problems::budget(Method::ActiveSet);
    let (report, count) = counter.count(|| active_set_again(mass, &problems::disturbed(), rows, &budget, active_set));
    if let (Ok(_), Ok(report)) = (ready, report) {
        defmt::info!("count {=str} active_set again {} iterations {=u16}", name, count, report.iterations);
    }
}

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let mut hash = Hash::new();
        if let Ok(mut memory) = SMALL.borrow(token).try_borrow_mut() {
            measure("P2", &P2, &mut memory, &mut counter, &mut hash);
        }
        if let Ok(mut memory) = LARGE.borrow(token).try_borrow_mut() {
            measure("P12", &P12, &mut memory, &mut counter, &mut hash);
        }
        if let Ok(mut memory) = REDUNDANT.borrow(token).try_borrow_mut() {
            measure("P12C", &P12C, &mut memory, &mut counter, &mut hash);
        }
        if let Ok(mut memory) = CONTACTS.borrow(token).try_borrow_mut() {
            measure("P12E", &P12E, &mut memory, &mut counter, &mut hash);
        }
        defmt::info!("scene problems {=u64:016x} {=u32}", hash.value, hash.count);
    });
    exit(true)
}
