//! Flash of the active set: P12C solved by that alone. CI subtracts the image `size_none`.
#![no_std]
#![no_main]

#[path = "../../../scenes/mod.rs"]
mod scenes;

use core::cell::RefCell;
use core::hint::black_box;

use cortex_m_rt::entry;
use critical_section::Mutex;
use delassus::mass::MassMatrix;
use delassus::rows::{Kind, Rows, Rule};
use delassus::solver::{ActiveSetWorkspace, Budget, active_set};
use delassus_firmware::exit;
use nalgebra::{ArrayStorage, SMatrix, SVector};
use scenes::problems::P12C;

struct Memory {
    mass: MassMatrix<f32, 6>,
    rows: Rows<f32, 6, 12>,
    work: ActiveSetWorkspace<f32, 6, 12>,
}

static MEMORY: Mutex<RefCell<Memory>> = Mutex::new(RefCell::new(Memory {
    mass: MassMatrix::filled(0.0),
    rows: Rows::new(),
    work: ActiveSetWorkspace::filled(0.0),
}));

#[entry]
fn main() -> ! {
    critical_section::with(|token| {
        let Ok(mut memory) = MEMORY.borrow(token).try_borrow_mut() else { return };
        let Memory { mass, rows, work } = &mut *memory;
        let _ = black_box(mass.set(&SMatrix::from_array_storage(ArrayStorage(black_box(P12C.mass)))));
        for (jacobian, regularizer) in black_box(P12C.jacobian).iter().zip(P12C.regularizer) {
            let jacobian = SVector::from_array_storage(ArrayStorage([*jacobian]));
            let _ = rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, 1.0, regularizer);
        }
        let free = black_box(SVector::repeat(0.0));
        let solved = active_set(mass, &free, rows, None, &Budget::new(20, 1e-6), work).is_ok();
        defmt::info!("size {=usize} {=bool}", rows.len(), black_box(solved));
        defmt::info!("ram active_set {=usize}", core::mem::size_of::<ActiveSetWorkspace<f32, 6, 12>>());
    });
    exit(true)
}
