//! The operator that gave the crate its name: A = J M⁻¹ Jᵀ (S07-39, S11-26, S11-27), the inverse inertia that the rows see.

use super::SolverError;
use crate::mass::MassMatrix;
use crate::rows::Rows;
use crate::scalar::{Real, all_finite};

/// A = J M⁻¹ Jᵀ of the rows, symmetric positive semidefinite, `rows` × `rows` inside NR × NR.
///
/// A_ij is the acceleration of row i per unit force of row j (S11-27). Singular when rows are redundant (S11-29).
#[derive(Clone, Debug)]
pub struct Delassus<T, const NR: usize> {
    columns: [[T; NR]; NR],
    rows: usize,
}

impl<T: Copy, const NR: usize> Delassus<T, NR> {
    /// Of no rows; pass `0.0`.
    pub const fn filled(zero: T) -> Self {
        Self { columns: [[zero; NR]; NR], rows: 0 }
    }
}

impl<T: Real, const NR: usize> Delassus<T, NR> {
    /// Forms A: one solve with the factor of M a row, then one product a pair of rows.
    ///
    /// # Errors
    /// The mass matrix is not ready; A is then left alone.
    pub fn form<const NV: usize, const NC: usize>(
        &mut self,
        mass: &MassMatrix<T, NV>,
        rows: &Rows<T, NV, NR, NC>,
    ) -> Result<(), SolverError> {
        mass.check_ready()?;
        self.rows = rows.len().min(NR);
        let count = self.rows;
        for (j, row) in rows.rows().iter().enumerate().take(count) {
            let mut response = row.jacobian;
            let square = mass.solve_with_square(&mut response, row.last());
            if let Some(column) = self.columns.get_mut(j) {
                for (value, other) in column.iter_mut().zip(rows.rows()).take(j) {
                    *value = other.times(&response);
                }
                if let Some(diagonal) = column.get_mut(j) {
                    *diagonal = square;
                }
            }
        }
        for j in 1..count {
            for i in 0..j {
                self.columns[i][j] = self.columns[j][i];
            }
        }
        Ok(())
    }

    /// Takes A from its columns, as many as there are rows. A is symmetric: of each pair of entries the one on or above the diagonal counts,
    /// `columns[j][i]` with i ≤ j.
    ///
    /// # Errors
    /// [`SolverError::BadRow`]: more columns than NR, or an entry that is not finite. A is then left alone.
    pub fn set(&mut self, columns: &[[T; NR]]) -> Result<(), SolverError> {
        if columns.len() > NR {
            return Err(SolverError::BadRow { row: NR as u16 });
        }
        for (j, column) in columns.iter().enumerate() {
            if !all_finite(column.get(..=j).unwrap_or(column)) {
                return Err(SolverError::BadRow { row: j as u16 });
            }
        }
        self.rows = columns.len();
        for (j, column) in columns.iter().enumerate() {
            for (i, value) in column.iter().enumerate().take(j + 1) {
                for (k, l) in [(i, j), (j, i)] {
                    if let Some(entry) = self.columns.get_mut(k).and_then(|column| column.get_mut(l)) {
                        *entry = *value;
                    }
                }
            }
        }
        Ok(())
    }

    /// All columns, those beyond the rows without meaning.
    pub(super) fn columns(&self) -> &[[T; NR]; NR] {
        &self.columns
    }

    /// How many rows A has.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Column j of A, which is also row j; empty beyond the rows.
    pub fn column(&self, j: usize) -> &[T] {
        let rows = self.rows.min(NR);
        match self.columns.get(j) {
            Some(column) if j < rows => &column[..rows],
            _ => &[],
        }
    }
}
