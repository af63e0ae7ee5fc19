//! The peers: MuJoCo and DAQP through `peers.c`, and callgrind's marks.

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;

use libloading::Library;

use crate::gate::Runs;

/// The calls and stages of `peers.c`, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Step,
    Forward,
    Place,
    Velocity,
    Mass,
    MassAndFactor,
    Bias,
    Collision,
    Rows,
    Solve,
}

type Handle = *mut c_void;

/// Declares the functions of `peers.c`, to be looked up once.
macro_rules! functions {
    ($($name:ident: fn($($t:ty),*) $(-> $r:ty)?;)*) => {
        /// The loaded library.
        pub struct Peers {
            $($name: unsafe extern "C" fn($($t),*) $(-> $r)?,)*
            /// Keeps the functions where they are.
            _library: Library,
        }

        impl Peers {
            pub fn load(path: &Path) -> Result<Self, Box<dyn Error>> {
                // SAFETY: the library is the one that run.sh has just compiled, its initialisers are those of its peers, and the
                // declarations below repeat those of peers.c.
                unsafe {
                    let library = Library::new(path)?;
                    Ok(Self { $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)* _library: library })
                }
            }
        }
    };
}

functions! {
    engine_open: fn(*const c_char, c_int, *mut c_char, c_int) -> Handle;
    engine_close: fn(Handle);
    engine_options: fn(Handle, c_int, c_int, c_int);
    engine_state: fn(Handle, *const f64, *const f64, *const f64, *const f64);
    engine_run: fn(Handle, c_int, c_int);
    engine_answer: fn(Handle, *mut f64, *mut f64) -> c_int;
    dual_open: fn(c_int, *const f64, *const f64, c_int) -> Handle;
    dual_run: fn(Handle, c_int, c_int);
    dual_force: fn(Handle, *mut f64);
    count_begin: fn();
    count_end: fn(*const c_char);
}

/// Calls one of them.
macro_rules! call {
    ($peers:expr, $name:ident $(, $argument:expr)*) => {
        // SAFETY: handles come from their own constructors, and every pointer leads to as many numbers as the callee copies.
        unsafe { ($peers.$name)($($argument),*) }
    };
}

impl Peers {
    /// Callgrind counts from here.
    pub fn count_begin(&self) {
        call!(self, count_begin);
    }

    /// Callgrind writes what it counted, under this name.
    pub fn count_end(&self, name: &CStr) {
        call!(self, count_end, name.as_ptr());
    }
}

/// MuJoCo with a model and a state.
pub struct Engine<'p> {
    peers: &'p Peers,
    handle: Handle,
    dofs: usize,
    pub call: Call,
}

impl<'p> Engine<'p> {
    pub fn open(peers: &'p Peers, model: &Path, elliptic: bool, dofs: usize) -> Result<Self, Box<dyn Error>> {
        let path = CString::new(model.display().to_string())?;
        let mut error = [0u8; 1000];
        let handle = call!(
            peers,
            engine_open,
            path.as_ptr(),
            c_int::from(elliptic),
            error.as_mut_ptr().cast(),
            error.len() as c_int
        );
        if handle.is_null() {
            return Err(String::from_utf8_lossy(&error).trim_end_matches('\0').to_owned().into());
        }
        Ok(Self { peers, handle, dofs, call: Call::Step })
    }

    pub fn options(&mut self, options: EngineOptions) {
        let EngineOptions { solver, jacobian, islands } = options;
        call!(self.peers, engine_options, self.handle, solver, jacobian, c_int::from(islands));
    }

    pub fn state(&mut self, configuration: &[f64], velocity: &[f64], force: &[f64], warm: &[f64]) {
        assert!([velocity, force, warm].iter().all(|list| list.len() == self.dofs));
        call!(
            self.peers,
            engine_state,
            self.handle,
            configuration.as_ptr(),
            velocity.as_ptr(),
            force.as_ptr(),
            warm.as_ptr()
        );
    }

    /// Acceleration and velocity of the last call, and its rows.
    pub fn answer(&self) -> (Vec<f64>, Vec<f64>, usize) {
        let (mut acceleration, mut velocity) = (vec![0.0; self.dofs], vec![0.0; self.dofs]);
        let rows = call!(self.peers, engine_answer, self.handle, acceleration.as_mut_ptr(), velocity.as_mut_ptr());
        (acceleration, velocity, rows as usize)
    }
}

impl Runs for Engine<'_> {
    fn run(&mut self, calls: usize) {
        let call = self.call as c_int;
        call!(self.peers, engine_run, self.handle, call, calls as c_int);
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        call!(self.peers, engine_close, self.handle);
    }
}

/// How MuJoCo solves.
#[derive(Clone, Copy, Debug)]
pub struct EngineOptions {
    solver: c_int,
    jacobian: c_int,
    islands: bool,
}

impl EngineOptions {
    /// Newton, the engine's choice of storage, islands.
    pub const DEFAULT: Self = Self { solver: 2, jacobian: 2, islands: true };

    /// Every solver, storage and choice of islands.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..12).map(|n| Self { solver: n % 3, jacobian: n / 3 % 2, islands: n < 6 })
    }
}

/// DAQP with a dual problem: the first rows free, the others not negative.
pub struct Dual<'p> {
    peers: &'p Peers,
    handle: Handle,
    rows: usize,
    pub warm: bool,
}

impl<'p> Dual<'p> {
    pub fn open(peers: &'p Peers, hessian: &[f64], linear: &[f64], free_rows: usize) -> Self {
        let rows = linear.len();
        assert_eq!(hessian.len(), rows * rows);
        let handle = call!(peers, dual_open, rows as c_int, hessian.as_ptr(), linear.as_ptr(), free_rows as c_int);
        Self { peers, handle, rows, warm: false }
    }

    pub fn force(&self) -> Vec<f64> {
        let mut force = vec![0.0; self.rows];
        call!(self.peers, dual_force, self.handle, force.as_mut_ptr());
        force
    }
}

impl Runs for Dual<'_> {
    fn run(&mut self, calls: usize) {
        let warm = c_int::from(self.warm);
        call!(self.peers, dual_run, self.handle, warm, calls as c_int);
    }
}
