//! When does a parent array pay? Mass matrices of trees, dense and by chains, set and solved: a quadruped (a base of 6 and four legs of
//! 3), a humanoid (a base of 6, a torso of 3, two arms of 7, two legs of 6), and trees of 64 dofs with limbs of 29, 16, 8 and 2.
#![no_std]
#![no_main]

use core::cell::RefCell;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::mass::MassMatrix;
use delassus_firmware::{Counter, exit};
use nalgebra::{SMatrix, SVector};

type Memory<const NV: usize> = Mutex<RefCell<(MassMatrix<f32, NV>, SMatrix<f32, NV, NV>)>>;

const fn memory<const NV: usize>() -> Memory<NV> {
    let entries = SMatrix::from_array_storage(nalgebra::ArrayStorage([[0.0; NV]; NV]));
    Mutex::new(RefCell::new((MassMatrix::filled(0.0), entries)))
}

static SMALL: Memory<18> = memory();
static MIDDLE: Memory<35> = memory();
static LARGE: Memory<64> = memory();

/// The dof that moves dof k, of a quadruped.
fn quadruped(k: u8) -> Option<u8> {
    if k > 5 && k.is_multiple_of(3) { Some(5) } else { k.checked_sub(1) }
}

/// Of a humanoid: 0 to 5 the base, 6 to 8 the torso, arms from 9 and 16 on the torso, legs from 23 and 29 on the base.
fn humanoid(k: u8) -> Option<u8> {
    match k {
        9 | 16 => Some(8),
        23 | 29 => Some(5),
        _ => k.checked_sub(1),
    }
}

/// Of a base of 6 with limbs of so many dofs.
fn limbs(length: u8) -> impl Fn(u8) -> Option<u8> {
    move |k| if k > 5 && (k - 6) % length == 0 { Some(5) } else { k.checked_sub(1) }
}

fn is_above(parent: &impl Fn(u8) -> Option<u8>, i: usize, k: usize) -> bool {
    let mut j = Some(k as u8);
    for _ in 0..=k {
        match j {
            Some(j) if usize::from(j) == i => return true,
            Some(above) => j = parent(above),
            None => return false,
        }
    }
    false
}

fn measure<const NV: usize>(name: &str, memory: &Memory<NV>, parent: impl Fn(u8) -> Option<u8>, counter: &mut Counter) {
    critical_section::with(|token| {
        let Ok(mut memory) = memory.borrow(token).try_borrow_mut() else { return };
        let (mass, entries) = &mut *memory;
        for (k, column) in entries.data.0.iter_mut().enumerate() {
            for (i, entry) in column.iter_mut().enumerate() {
                *entry = match i.cmp(&k) {
                    core::cmp::Ordering::Equal => 20.0,
                    _ if is_above(&parent, i.min(k), i.max(k)) => 0.3,
                    _ => 0.0,
                };
            }
        }
        *mass = MassMatrix::filled(0.0);
        let mut x = SVector::<f32, NV>::repeat(1.0);
        let (_, set) = counter.count(|| mass.set(entries));
        let (_, solve) = counter.count(|| mass.solve(&mut x));
        defmt::info!("count {=str} dense set {} solve {} ready {=bool}", name, set, solve, mass.is_ready());
        let parents: [Option<u8>; NV] = core::array::from_fn(|k| parent(k as u8));
        let _ = mass.set_parents(&parents);
        let (_, set) = counter.count(|| mass.set(entries));
        let (_, solve) = counter.count(|| mass.solve(&mut x));
        defmt::info!("count {=str} branched set {} solve {} ready {=bool}", name, set, solve, mass.is_ready());
    });
}

#[entry]
fn main() -> ! {
    let Some(peripherals) = cortex_m::Peripherals::take() else { exit(false) };
    let mut counter = Counter::new(peripherals.SYST);
    measure("quadruped18", &SMALL, quadruped, &mut counter);
    measure("humanoid35", &MIDDLE, humanoid, &mut counter);
    measure("limbs35x29", &MIDDLE, limbs(29), &mut counter);
    measure("limbs35x3", &MIDDLE, limbs(3), &mut counter);
    measure("limbs64x29", &LARGE, limbs(29), &mut counter);
    measure("limbs64x16", &LARGE, limbs(16), &mut counter);
    measure("limbs64x8", &LARGE, limbs(8), &mut counter);
    measure("limbs64x2", &LARGE, limbs(2), &mut counter);
    exit(true)
}
