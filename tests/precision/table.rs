//! The error budget, as the file has it.

/// A line of `budget.csv`.
pub struct Line {
    pub quantity: String,
    pub precision: String,
    pub unit: String,
    pub budget: f64,
}

/// All lines.
pub fn lines() -> Vec<Line> {
    let text = include_str!("budget.csv");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|row| {
        let fields: Vec<&str> = row.splitn(5, ',').collect();
        let [quantity, precision, unit, budget, condition] = fields[..] else { panic!("five fields: {row}") };
        assert!(!condition.is_empty(), "{row}");
        Line {
            quantity: quantity.into(),
            precision: precision.into(),
            unit: unit.into(),
            budget: budget.parse().unwrap(),
        }
    })
    .collect()
}
