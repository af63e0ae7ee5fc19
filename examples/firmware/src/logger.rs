//! Log frames to the host by semihosting. `defmt-semihosting` would do, but its guard against re-entry panics.
//!
//! On a real board: the same with RTT or a serial port.

use core::cell::RefCell;

use cortex_m_semihosting::hio::{self, HostStream};
use critical_section::{Mutex, RestoreState};

#[defmt::global_logger]
struct Semihosting;

/// Where frames go, and what must be restored when one is complete.
struct Sink {
    stream: Option<HostStream>,
    restore: RestoreState,
    busy: bool,
    encoder: defmt::Encoder,
}

static SINK: Mutex<RefCell<Sink>> = Mutex::new(RefCell::new(Sink {
    stream: None,
    restore: RestoreState::invalid(),
    busy: false,
    encoder: defmt::Encoder::new(),
}));

/// Sends bytes to the host; a host that does not take them loses them.
fn send(stream: &mut Option<HostStream>, bytes: &[u8]) {
    if stream.is_none() {
        *stream = hio::hstdout().ok();
    }
    if let Some(stream) = stream {
        let _ = stream.write_all(bytes);
    }
}

/// Runs `f` on the sink. Only called with interrupts off, between acquire and release.
fn with(f: impl FnOnce(&mut Sink)) {
    critical_section::with(|token| {
        if let Ok(mut sink) = SINK.borrow(token).try_borrow_mut() {
            f(&mut sink);
        }
    });
}

// SAFETY: `acquire` turns interrupts off on the only core before anything else and `release` restores them, so frames never
// interleave; a second `acquire` by the same thread of execution is ignored, as are its bytes' frame borders.
unsafe impl defmt::Logger for Semihosting {
    fn acquire() {
        // SAFETY: paired with the release in `release`, on the same core.
        let restore = unsafe { critical_section::acquire() };
        with(|sink| {
            if !sink.busy {
                sink.busy = true;
                sink.restore = restore;
                let Sink { stream, encoder, .. } = sink;
                encoder.start_frame(|bytes| send(stream, bytes));
            }
        });
    }

    unsafe fn release() {
        let mut restore = RestoreState::invalid();
        with(|sink| {
            let Sink { stream, encoder, .. } = sink;
            encoder.end_frame(|bytes| send(stream, bytes));
            sink.busy = false;
            restore = sink.restore;
        });
        // SAFETY: the state saved by `acquire`.
        unsafe { critical_section::release(restore) };
    }

    unsafe fn write(bytes: &[u8]) {
        with(|sink| {
            let Sink { stream, encoder, .. } = sink;
            encoder.write(bytes, |bytes| send(stream, bytes));
        });
    }

    unsafe fn flush() {}
}

#[defmt::panic_handler]
fn panic() -> ! {
    crate::exit(false)
}
