//! When does a parent array pay? An 18-dof mass matrix, dense and branched (a base of 6 and four legs of 3), set and solved.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::mass::MassMatrix;
use delassus_firmware::{Counter, exit};
use nalgebra::{SMatrix, SVector};

static MEMORY: Mutex<RefCell<MassMatrix<f32, 18>>> = Mutex::new(RefCell::new(MassMatrix::filled(0.0)));

/// The dof that moves dof k.
fn parent(k: u8) -> Option<u8> {
    match k {
        0 => None,
        1..=5 => Some(k - 1),
        _ if k % 3 == 0 => Some(5),
        _ => Some(k - 1),
    }
}

fn is_above(i: usize, k: usize) -> bool {
    let mut j = Some(k as u8);
    for _ in 0..18 {
        match j {
            Some(j) if usize::from(j) == i => return true,
            Some(above) => j = parent(above),
            None => return false,
        }
    }
    false
}

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    critical_section::with(|token| {
        let Ok(mut mass) = MEMORY.borrow(token).try_borrow_mut() else { return };
        let entries = SMatrix::<f32, 18, 18>::from_fn(|i, k| match i.cmp(&k) {
            core::cmp::Ordering::Equal => 4.0,
            _ if is_above(i.min(k), i.max(k)) => 0.3,
            _ => 0.0,
        });
        let mut x = SVector::<f32, 18>::repeat(1.0);
        let (_, set) = counter.count(|| mass.set(&entries));
        let (_, solve) = counter.count(|| mass.solve(&mut x));
        defmt::info!("count mass18 dense set {} solve {} ready {=bool}", set, solve, mass.is_ready());
        let parents: [Option<u8>; 18] = core::array::from_fn(|k| parent(k as u8));
        let (_, _) = counter.count(|| mass.set_parents(&parents));
        let (_, set) = counter.count(|| mass.set(&entries));
        let (_, solve) = counter.count(|| mass.solve(&mut x));
        defmt::info!("count mass18 branched set {} solve {} ready {=bool}", set, solve, mass.is_ready());
    });
    exit(true)
}
