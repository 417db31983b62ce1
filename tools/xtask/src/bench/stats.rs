//! The few statistics the comparison needs.

/// The middle value, or the mean of the two middle ones; `None` of nothing.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// The geometric mean of positive values; `None` of nothing.
pub(super) fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values
        .into_iter()
        .fold((0.0, 0_u32), |(sum, count), value: f64| {
            (sum + value.ln(), count + 1)
        });
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// Half the distance between the quartiles, relative to the median: how far to
/// trust it. `None` below three values.
pub(super) fn spread(values: &[f64]) -> Option<f64> {
    if values.len() < 3 {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let quarter = sorted.len() / 4;
    let range = sorted[sorted.len() - 1 - quarter] - sorted[quarter];
    median(values)
        .filter(|&middle| middle > 0.0)
        .map(|middle| range / 2.0 / middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_one_slow_run() {
        assert_eq!(median(&[1.0, 1.1, 9.0, 1.2, 0.9]), Some(1.1));
        assert_eq!(median(&[4.0, 2.0]), Some(3.0));
        assert_eq!(median(&[]), None);
    }

    #[test]
    fn the_geometric_mean_of_a_ratio_and_its_inverse_is_one() {
        let mean = geometric_mean([4.0, 0.25]).expect("two values");
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean([]), None);
    }

    #[test]
    fn the_spread_is_half_the_range_between_quartiles() {
        let spread = spread(&[8.0, 9.0, 10.0, 11.0, 12.0]).expect("five values");
        assert!((spread - 0.1).abs() < 1e-12, "{spread}");
        assert_eq!(super::spread(&[1.0, 2.0]), None);
    }
}
