//! Points in time as text.

use alloc::format;
use alloc::string::String;

/// `2026-11-16T05:12:58.123Z`, as RFC 3339 has it.
pub(super) fn utc(ns_since_1970: u64) -> String {
    let ms = ns_since_1970 / 1_000_000;
    let seconds = ms / 1000;
    let (year, month, day) = date(seconds / 86400);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        seconds / 3600 % 24,
        seconds / 60 % 60,
        seconds % 60,
        ms % 1000
    )
}

/// Year, month and day of the day `days` after 1970-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    loop {
        let length = 365 + u64::from(is_leap(year));
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moments() {
        assert_eq!(utc(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(utc(951_782_399_999_000_000), "2000-02-28T23:59:59.999Z");
        assert_eq!(utc(951_782_400_000_000_000), "2000-02-29T00:00:00.000Z");
        assert_eq!(utc(1_704_067_199_000_000_000), "2023-12-31T23:59:59.000Z");
        assert_eq!(utc(4_102_444_800_000_000_000), "2100-01-01T00:00:00.000Z");
        assert_eq!(utc(4_107_542_400_000_000_000), "2100-03-01T00:00:00.000Z");
    }
}
