//! Numbers on axes, and how wide words are.

/// Estimated width of a sans-serif text \[px\].
pub fn width_of(text: &str, size: u32) -> u32 {
    let narrow = |c: char| {
        matches!(
            c,
            'i' | 'l'
                | 'j'
                | 't'
                | 'f'
                | 'r'
                | 'I'
                | '.'
                | ','
                | ':'
                | ';'
                | '('
                | ')'
                | '|'
                | ' '
                | '/'
                | '′'
                | '₁'
                | '₂'
        )
    };
    let wide = |c: char| matches!(c, 'm' | 'w' | 'M' | 'W' | '→' | '−' | '±' | '–');
    let share: f64 = text
        .chars()
        .map(|c| {
            if narrow(c) {
                0.36
            } else if wide(c) {
                0.88
            } else {
                0.6
            }
        })
        .sum();
    (share * f64::from(size)).ceil() as u32
}

/// A number on an axis of this length: as many digits as its ticks need, no trailing zeros.
pub fn number(value: f64, length: f64) -> String {
    let digits = (1.5 - length.log10()).ceil().clamp(0.0, 12.0) as usize;
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    // Rounding leaves −0.
    if text.chars().all(|c| matches!(c, '-' | '0' | '.')) { "0".to_string() } else { text.replace('-', "−") }
}

/// 10ⁿ at whole decades, nothing between them.
pub fn decades(exponent: f64) -> String {
    if (exponent - exponent.round()).abs() > 1e-6 {
        return String::new();
    }
    let digit = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c.to_digit(10).and_then(|d| char::from_u32(0x2070 + d)).unwrap_or(c),
    };
    match exponent.round() as i32 {
        0 => "1".to_string(),
        1 => "10".to_string(),
        n => format!("10{}", n.to_string().chars().map(digit).collect::<String>()),
    }
}
