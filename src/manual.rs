//! The manual: chapters whose text lies in `docs/`, so that a git host shows the same. Their code is run by `cargo test`.
//!
//! | chapter | file |
//! |---|---|
//! | [`from_mujoco`]: From MuJoCo to your chip | `docs/from_mujoco.md` |
//! | [`which_solver`]: Which solver, which budget | `docs/which_solver.md` |
//! | [`budget`]: What a tick costs, and which budget to set | `docs/budget.md` |
//! | [`softness`]: Softness in physical units | `docs/softness.md` |
//! | [`precision`]: What f32 costs | `docs/precision.md` |
//! | [`properties`]: What always holds | `docs/properties.md` |
//! | [`port`]: Port it to your board | `docs/port.md` |
//! | [`not_there`]: What is not there | `docs/not_there.md` |
//! | [`measured`]: Measured | `docs/measured.md` |
//!
//! This module exists in the documentation only.

// The first definition of a link wins: here chapters are pages, in the files they are files.
macro_rules! chapter {
    ($name:ident, $file:literal, $see:literal) => {
        #[doc = "[budget]: crate::manual::budget"]
        #[doc = "[from_mujoco]: crate::manual::from_mujoco"]
        #[doc = "[measured]: crate::manual::measured"]
        #[doc = "[not_there]: crate::manual::not_there"]
        #[doc = "[port]: crate::manual::port"]
        #[doc = "[precision]: crate::manual::precision"]
        #[doc = "[properties]: crate::manual::properties"]
        #[doc = "[softness]: crate::manual::softness"]
        #[doc = "[which_solver]: crate::manual::which_solver"]
        #[doc = ""]
        #[doc = include_str!($file)]
        #[doc = ""]
        #[doc = $see]
        pub mod $name {}
    };
}

chapter!(
    from_mujoco,
    "../docs/from_mujoco.md",
    "Pages: [`description`](crate::description), [`Model`](crate::model::Model), [`State`](crate::model::State), [`Workspace`](crate::tick::Workspace), [`Input`](crate::tick::Input), [`Budget`](crate::solver::Budget), [`TickReport`](crate::tick::TickReport)."
);
chapter!(
    which_solver,
    "../docs/which_solver.md",
    "Pages: [`solver`](crate::solver), [`Budget`](crate::solver::Budget), [`Report`](crate::solver::Report), [`Method`](crate::tick::Method), [`WithNoslip`](crate::tick::WithNoslip)."
);
chapter!(budget, "../docs/budget.md", "Pages: [`Budget`](crate::solver::Budget), [`Report`](crate::solver::Report).");
chapter!(
    softness,
    "../docs/softness.md",
    "Pages: [`softness`](crate::softness), [`Softness`](crate::softness::Softness), [`PhysicalSoftness`](crate::softness::PhysicalSoftness), [`Equilibrium`](crate::softness::Equilibrium)."
);
chapter!(
    precision,
    "../docs/precision.md",
    "Pages: [`scalar`](crate::scalar), [`Stop`](crate::solver::Stop), [`MassMatrix::amplification`](crate::mass::MassMatrix::amplification), [`TickReport::precision_lost`](crate::tick::TickReport::precision_lost)."
);
chapter!(
    properties,
    "../docs/properties.md",
    "Pages: [`error_bound`](crate::solver::error_bound), [`ErrorBound`](crate::solver::ErrorBound), [`Report`](crate::solver::Report)."
);
chapter!(
    port,
    "../docs/port.md",
    "Pages: [`tick`](crate::tick), [`TickError`](crate::tick::TickError), [`Report`](crate::solver::Report)."
);
chapter!(
    not_there,
    "../docs/not_there.md",
    "Pages: [`collision`](crate::collision), [`description`](crate::description), [`constraint`](crate::constraint)."
);
chapter!(measured, "../docs/measured.md", "Pages: [`solver`](crate::solver), [`mass`](crate::mass).");
