//! A scene over its range, from several starts.

use delassus_mjcf::{convert, read_text};

use crate::errors::{Errors, errors, of_states};
use crate::machine::{Start, open};
use crate::scenes::Scene;

/// Starts at each value: an error is a matter of luck, the largest of a few is not.
const STARTS: u64 = 12;

/// What a scene showed.
pub struct Sweep {
    pub name: &'static str,
    pub title: &'static str,
    pub abscissa: &'static str,
    /// Whether motions are compared, not ticks.
    pub moves: bool,
    pub points: Vec<Point>,
}

/// The largest errors at one value; of motions the last entry is that of states.
pub struct Point {
    pub x: f64,
    pub narrow: Errors,
    pub floor: Errors,
    /// Starts from which f32 gave an error instead of an answer.
    pub refused: u64,
    pub amplification: f64,
}

/// Numbers in (−1, 1) from a counter.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn larger(a: &mut Errors, b: &Errors) {
    for (a, b) in a.iter_mut().zip(b) {
        *a = match (*a, *b) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        };
    }
}

/// Runs it.
pub fn run(scene: &Scene) -> Result<Sweep, String> {
    let mut sweep = Sweep {
        name: scene.name,
        title: scene.title,
        abscissa: scene.abscissa,
        moves: scene.seconds > 0.0,
        points: Vec::new(),
    };
    for value in &scene.values {
        let mechanism = read_text(&(scene.model)(*value)).map_err(|e| format!("{}: {e}", scene.name))?;
        let (lists, options) = (&mechanism.lists, &mechanism.solver);
        let narrow_lists = lists.to_single();
        let rounded_lists = convert::<f32, f64>(&narrow_lists);
        let mut point = Point { x: *value, narrow: [None; 8], floor: [None; 8], refused: 0, amplification: 0.0 };
        let [turned, moved] = (scene.aside)(*value);
        for number in 0..STARTS {
            let mut noise = Noise(number);
            let mut start = Start::reference(&mechanism);
            start.configuration.iter_mut().for_each(|q| *q += turned * noise.next());
            start.velocity.iter_mut().for_each(|v| *v += moved * noise.next());
            let rounded = start.rounded();
            let mut exact = open(lists, options, &start)?;
            let mut floor = open(&rounded_lists, options, &rounded)?;
            let narrow = open(&narrow_lists, options, &start);
            if scene.seconds > 0.0 {
                let steps = (scene.seconds / lists.options.step).round() as u64;
                let mut narrow = narrow?;
                for _ in 0..steps {
                    exact.step()?;
                    floor.step()?;
                    narrow.step()?;
                }
                let mut both = [[None; 8]; 2];
                for (errors, run) in both.iter_mut().zip([&narrow, &floor]) {
                    errors[7] = Some(of_states(&run.state(), &exact.state()));
                }
                larger(&mut point.narrow, &both[0]);
                larger(&mut point.floor, &both[1]);
                continue;
            }
            let tick = exact.tick()?;
            point.x = (scene.place)(*value, &tick);
            larger(&mut point.floor, &errors(&floor.tick()?, &tick));
            match narrow.and_then(|mut narrow| narrow.tick()) {
                Ok(single) => {
                    point.amplification = single.amplification.max(point.amplification);
                    larger(&mut point.narrow, &errors(&single, &tick));
                }
                Err(_) => point.refused += 1,
            }
        }
        sweep.points.push(point);
    }
    sweep.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    Ok(sweep)
}
