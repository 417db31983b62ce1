//! Going over the arguments that a format describes.

/// How long the thing is that a conversion is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// None.
    Int,
    /// `l`, `ll`, `q`, `j`, `z`, `t`
    Long,
    /// `L`
    LongDouble,
}

impl Length {
    /// Bytes of such an integer.
    pub(super) fn integer(self) -> usize {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long | Length::LongDouble => 8,
        }
    }
}

/// One conversion of a format, without its letter's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Conversion {
    /// `*` before the point (printf), or no assignment (scanf).
    pub(super) star: bool,
    /// A width was given.
    pub(super) width: Option<usize>,
    /// A precision was given; `None` inside if it is an argument.
    pub(super) precision: Option<Option<usize>>,
    /// `m`: scanf allocates.
    pub(super) allocates: bool,
    pub(super) length: Length,
    pub(super) letter: u8,
}

/// The conversions of a format.
pub(super) struct Conversions<'a> {
    rest: &'a [u8],
}

impl<'a> Conversions<'a> {
    pub(super) fn new(format: &'a [u8]) -> Conversions<'a> {
        Conversions { rest: format }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let add = |sum: usize, digit: &u8| sum.saturating_mul(10) + usize::from(digit - b'0');
        (digits > 0).then(|| number.iter().fold(0, add))
    }

    fn length(&mut self) -> Length {
        let mut length = Length::Int;
        while let Some(letter) = self.rest.first() {
            length = match (letter, length) {
                (b'h', Length::Short) => Length::Char,
                (b'h', _) => Length::Short,
                (b'l' | b'q' | b'j' | b'z' | b't', _) => Length::Long,
                (b'L', _) => Length::LongDouble,
                _ => break,
            };
            self.rest = &self.rest[1..];
        }
        length
    }

    /// The set of a `[` conversion.
    fn skip_set(&mut self) {
        self.take(b'^');
        self.take(b']');
        let end = self.rest.iter().position(|b| *b == b']');
        self.rest = end.map_or(&[], |end| &self.rest[end + 1..]);
    }
}

impl Iterator for Conversions<'_> {
    type Item = Conversion;

    /// `None` at the end, and at anything that is not understood, such as
    /// arguments by number: then the rest is left alone.
    fn next(&mut self) -> Option<Conversion> {
        loop {
            let start = self.rest.iter().position(|b| *b == b'%')?;
            self.rest = &self.rest[start + 1..];
            if self.take(b'%') {
                continue;
            }
            let mut star = false;
            while let Some(b'-' | b'+' | b' ' | b'#' | b'0' | b'\'' | b'I' | b'*') =
                self.rest.first()
            {
                star |= self.rest[0] == b'*';
                self.rest = &self.rest[1..];
            }
            let width = self.number();
            if self.rest.first() == Some(&b'$') {
                return None;
            }
            let precision = self.take(b'.').then(|| {
                if self.take(b'*') {
                    None
                } else {
                    Some(self.number().unwrap_or(0))
                }
            });
            let allocates = self.take(b'm') && !self.rest.is_empty();
            let length = self.length();
            let (letter, rest) = self.rest.split_first()?;
            self.rest = rest;
            if *letter == b'[' {
                self.skip_set();
            }
            return Some(Conversion {
                star,
                width,
                precision,
                allocates,
                length,
                letter: *letter,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(format: &str) -> String {
        let all = Conversions::new(format.as_bytes());
        all.map(|c| char::from(c.letter)).collect()
    }

    #[test]
    fn conversions_are_told_apart() {
        assert_eq!(letters("no"), "");
        assert_eq!(letters("%d%% %-08.3lf%s"), "dfs");
        assert_eq!(letters("%[^]x]%3s"), "[s");
        assert_eq!(letters("%d %2$s %d"), "d");
        assert_eq!(letters("%"), "");
        let one = |format: &str| Conversions::new(format.as_bytes()).next().unwrap();
        assert_eq!(one("%.*s").precision, Some(None));
        assert_eq!(one("%.5s").precision, Some(Some(5)));
        assert_eq!(one("%.s").precision, Some(Some(0)));
        assert_eq!(one("%hhn").length, Length::Char);
        assert_eq!(one("%lld").length.integer(), 8);
        assert!(one("%*d").star);
        assert!(one("%ms").allocates);
        assert_eq!(one("%12c").width, Some(12));
    }
}
