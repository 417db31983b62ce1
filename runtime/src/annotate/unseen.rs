//! Stretches that the pass takes out of what a thread does; see
//! [`racert_abi::entry::UNSEEN_BEGIN`].

use super::ignore::{ALL, begin_unplaced, end_unplaced};
use crate::{thread, tls};

crate::stub! { __racert_unseen_begin, | | -> () {
    tls::section(move || {
        if let Some(me) = thread::current() {
            ALL.into_iter().for_each(|what| begin_unplaced(me, what));
        }
    });
} }

crate::stub! { __racert_unseen_end, | | -> () {
    tls::section(move || {
        if let Some(me) = thread::current() {
            ALL.into_iter().for_each(|what| end_unplaced(me, what));
        }
    });
} }
