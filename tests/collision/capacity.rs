//! What happens when there are more contacts than room (ARCHITECTURE, "Shapes"): the deepest stay, in their order.

use super::setting::{Scene, geom, pose};
use delassus::description::Shape;

/// Balls on a plane, the k-th with the given height of its centre and margin.
fn balls(heights: &[(f64, f64)]) -> Scene<f64> {
    let mut scene = Scene::new();
    scene.geoms.push(geom(None, Shape::Plane, [0.0; 3]));
    for (k, (height, margin)) in heights.iter().enumerate() {
        let body = scene.body(None, false, pose([k as f64, 0.0, *height], [1.0, 0.0, 0.0, 0.0]));
        let mut ball = geom(body, Shape::Sphere { radius: 0.25 }, [0.0; 3]);
        ball.margin = *margin;
        scene.geoms.push(ball);
    }
    scene
}

fn kept<const N: usize>(scene: &Scene<f64>) -> (Vec<u16>, usize) {
    let (found, dropped) = scene.contacts::<N>();
    (found.iter().map(|c| c.geoms[1]).collect(), dropped)
}

#[test]
fn the_deepest_contacts_stay_in_their_order() {
    let scene = balls(&[(0.20, 0.0), (0.10, 0.0), (0.24, 0.0), (0.15, 0.0), (0.05, 0.0)]);
    assert_eq!(kept::<5>(&scene), (vec![1, 2, 3, 4, 5], 0));
    assert_eq!(kept::<4>(&scene), (vec![1, 2, 4, 5], 1));
    assert_eq!(kept::<3>(&scene), (vec![2, 4, 5], 2));
    assert_eq!(kept::<1>(&scene), (vec![5], 4));
    assert_eq!(kept::<0>(&scene), (vec![], 5));
}

#[test]
fn deep_is_measured_from_the_margin_and_the_earlier_of_equals_stays() {
    // The second is further out, but further inside its margin.
    assert_eq!(kept::<1>(&balls(&[(0.25, 0.0), (0.30, 0.2)])), (vec![2], 1));
    assert_eq!(kept::<2>(&balls(&[(0.125, 0.0); 4])), (vec![1, 2], 2));
    assert_eq!(kept::<2>(&balls(&[(0.125, 0.0), (0.25, 0.0), (0.25, 0.0), (0.125, 0.0)])), (vec![1, 4], 2));
}

/// Against sorting: for every capacity, what stays is the front of the list sorted by depth, put back into order.
#[test]
fn what_stays_is_what_a_sort_would_keep() {
    fn check<const N: usize>(scene: &Scene<f64>) {
        let (all, _) = scene.contacts::<64>();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|a, b| (all[*a].distance - all[*a].margin).total_cmp(&(all[*b].distance - all[*b].margin)));
        order.truncate(N);
        order.sort_unstable();
        let wanted: Vec<_> = order.iter().map(|i| all[*i]).collect();
        assert_eq!(scene.contacts::<N>(), (wanted, all.len().saturating_sub(N)));
    }
    let mut state = 7u32;
    for _ in 0..200 {
        let heights: Vec<_> = (0..20)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // Few different heights, so that equal depths are common.
                (f64::from(state >> 28) / 64.0, f64::from((state >> 20) & 3) / 16.0)
            })
            .collect();
        let scene = balls(&heights);
        check::<1>(&scene);
        check::<7>(&scene);
        check::<19>(&scene);
        check::<20>(&scene);
    }
}
