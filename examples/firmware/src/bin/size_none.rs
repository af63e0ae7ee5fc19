//! Flash of mass matrix and rows alone, without a solver: P12C solved by nobody. CI subtracts the image `size_none`.
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
use delassus_firmware::exit;
use nalgebra::{ArrayStorage, SMatrix, SVector};
use scenes::problems::P12C;

struct Memory {
    mass: MassMatrix<f32, 6>,
    rows: Rows<f32, 6, 12>,
}

static MEMORY: Mutex<RefCell<Memory>> =
    Mutex::new(RefCell::new(Memory { mass: MassMatrix::filled(0.0), rows: Rows::new() }));

#[entry]
fn main() -> ! {
    critical_section::with(|token| {
        let Ok(mut memory) = MEMORY.borrow(token).try_borrow_mut() else { return };
        let Memory { mass, rows } = &mut *memory;
        let _ = black_box(mass.set(&SMatrix::from_array_storage(ArrayStorage(black_box(P12C.mass)))));
        for (jacobian, regularizer) in black_box(P12C.jacobian).iter().zip(P12C.regularizer) {
            let jacobian = SVector::from_array_storage(ArrayStorage([*jacobian]));
            let _ = rows.finished(Kind::ContactFrictionless, Rule::NonNegative, &jacobian, 1.0, regularizer);
        }
        defmt::info!("size {=usize}", rows.len());
    });
    exit(true)
}
